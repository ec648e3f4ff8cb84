//! Animation of midpoint displacement: the diamond steps and square steps of the generator, shown
//! one after the other, each with a description.

use crate::fractal::Distribution;
use crate::generate::Generator;
use crate::pipeline::pass_range;
use crate::scene::{RenderType, Scene};
use crate::util::language::tr;

/// Number of passes that can be shown one by one.
const MOST_PASSES: u32 = 10;
/// Display time of each half pass, in seconds.
const STEP: f64 = 0.8;

/// State of the running animation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playing {
    /// Time of the next half pass, in egui's seconds; `None` before the first frame.
    next: Option<f64>,
    /// Pass on screen, to detect that the user has moved the slider.
    pass: Option<f32>,
}

/// Last pass that can be shown alone.
#[must_use]
pub fn most(scene: &Scene) -> f32 {
    scene.surface.iterations.min(MOST_PASSES) as f32
}

fn has_passes(scene: &Scene) -> bool {
    scene.surface.generator == Generator::DiamondSquare && scene.render_type() != RenderType::Ridge
}

/// Start the animation, or stop it if it runs. After the last pass it starts from the beginning.
pub fn toggle(scene: &mut Scene, playing: &mut Option<Playing>) {
    if playing.take().is_some() || !has_passes(scene) {
        return;
    }
    let at_the_end = scene.view.pass.is_none_or(|pass| pass >= most(scene));
    if at_the_end {
        scene.view.pass = Some(0.0);
    }
    *playing = Some(Playing {
        next: None,
        pass: scene.view.pass,
    });
}

/// Advance to the next half pass when it is due. The animation stops at the last pass and when the
/// user moves the slider. Returns the seconds until the next half pass.
pub fn play(now: f64, scene: &mut Scene, playing: &mut Option<Playing>) -> Option<f64> {
    let most = most(scene);
    let shown = scene.view.pass.filter(|_| has_passes(scene));
    let goes_on = |playing: &Playing| playing.pass == shown && shown.is_some_and(|it| it < most);
    *playing = playing.take().filter(goes_on);
    let playing = playing.as_mut()?;
    let due = *playing.next.get_or_insert(now + STEP);
    if now >= due {
        scene.view.pass = shown.map(|pass| pass + 0.5);
        playing.pass = scene.view.pass;
        playing.next = Some(now + STEP);
    }
    playing.next.map(|next| next - now)
}

/// Describe the pass on screen and its displacement; `None` where all passes are shown.
#[must_use]
pub fn words(scene: &Scene) -> Option<String> {
    let pass = scene.view.pass.filter(|_| has_passes(scene))?;
    let half_steps = ((pass * 2.0) as u32).min(2 * scene.surface.iterations);
    let Some(before) = half_steps.checked_sub(1) else {
        return Some(tr("The start: four corners.").to_owned());
    };
    let (step, what) = if before % 2 == 0 {
        (tr("diamond"), tr("the middles of squares"))
    } else {
        (tr("square"), tr("the middles of edges"))
    };
    let range = pass_range(scene).unwrap_or_default();
    let by = match scene.surface.diamond_square.distribution {
        Distribution::Uniform => tr!("up to ±{range}", range = format_args!("{range:.4}")),
        Distribution::Gaussian => format!("σ = {:.4}", f64::from(range) / 3f64.sqrt()),
    };
    let pass = before / 2 + 1;
    Some(tr!(
        "Pass {pass}, {step} step: {what} moved by {by}. New points orange, old ones pale.",
        pass,
        step,
        what,
        by
    ))
}
