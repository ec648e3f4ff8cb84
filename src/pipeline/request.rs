//! Inputs of the stages, derived from the scene's settings.

use super::inputs::Inputs;
use crate::fractal::amplitude;
use crate::generate::{Generator, Surface, image};
use crate::modify::mask::Context;
use crate::scene::{RenderType, Scene};
use crate::terrain::measure::PourPoint;
use crate::util::job::Job;
use crate::util::rng::derived_seed;

/// The surface that the ground is generated from: the scene's, or for render type `1d` a ridge with the same
/// seed, iterations and H.
#[must_use]
pub fn surface_of(scene: &Scene) -> Surface {
    let mut surface = scene.surface.clone();
    if scene.render_type() == RenderType::Ridge {
        surface.generator = Generator::Midpoint1d;
    }
    surface
}

/// Context for layers, modifiers and masks.
pub(super) fn context<'a>(scene: &Scene, inputs: &'a Inputs, job: &'a Job) -> Context<'a> {
    Context {
        seed: scene.surface.seed,
        job,
        water: scene.water.height(),
        tile_size_m: scene.surface.tile_size_m,
        images: &inputs.images,
        shores: None,
    }
}

/// The ground's surface with the iterations and the H of the texture. With the same seed and the same H it is
/// the same landscape at a finer resolution.
pub(super) fn finer_ground(scene: &Scene) -> Surface {
    Surface {
        iterations: scene.teximage.iterations,
        hurst: scene.teximage.hurst,
        ..scene.surface.clone()
    }
}

/// Surface of the cloud map: always diamond-square and wrapped, with a seed derived from the landscape's.
pub(super) fn cloud_map(scene: &Scene) -> Surface {
    Surface {
        generator: Generator::DiamondSquare,
        seed: derived_seed(scene.surface.seed, CLOUD_SEED),
        iterations: scene.clouds.iterations,
        hurst: scene.clouds.hurst,
        ..Surface::default()
    }
}

/// Surface of the sky's clouds: the same clouds at a finer resolution, since they are seen from below over
/// twelve half tiles.
pub(super) fn sky_cloud_map(scene: &Scene) -> Surface {
    let iterations = scene.clouds.iterations;
    Surface {
        iterations: (iterations + FINER_SKY).min(FINEST_SKY),
        ..cloud_map(scene)
    }
}

/// Additional iterations of the sky's clouds, and their upper limit: 1024 texels.
const FINER_SKY: u32 = 4;
const FINEST_SKY: u32 = 10;

const CLOUD_SEED: u64 = 0x636C_6F75_6473;

/// True if the ground comes from its generator alone, so that its rows can stream.
#[must_use]
pub fn is_untouched(scene: &Scene) -> bool {
    let mut modifiers = scene.modifiers_on();
    modifiers.next().is_none() && scene.layers_on().next().is_none() && !scene.rock.has_beds()
}

/// Heights of value 0 and of the maximum value of an image, if the ground is an unmodified image. A file
/// written with this range holds the same numbers as the image.
#[must_use]
pub fn steps_range(scene: &Scene, inputs: &Inputs) -> Option<(f32, f32)> {
    let surface = surface_of(scene);
    let native = surface.image.size == image::Size::Native;
    if surface.generator != Generator::Image || !native || !is_untouched(scene) {
        return None;
    }
    let image = inputs.images.of(&surface).ok()?;
    let top = f64::from(image.top?);
    let (least, most) = image.grid.range();
    let height = |height: f32| f64::from(height * surface.input_scale());
    let (low, high) = (height(surface.input_low), height(surface.input_high));
    let steps = if most > least {
        f64::from(most) - f64::from(least)
    } else {
        1.0
    };
    let step = (high - low) / steps;
    let black = low - f64::from(least) * step;
    (step > 0.0).then_some((black as f32, (black + top * step) as f32))
}

/// Number of half steps that the scene shows, an even one for a ridge; `None` for all.
pub(super) fn half_steps(scene: &Scene) -> Option<u32> {
    let pass = scene.view.pass.filter(|_| scene.shows_pass())?;
    let steps = ((pass * 2.0) as u32).min(2 * scene.surface.iterations);
    let is_ridge = scene.render_type() == RenderType::Ridge;
    Some(if is_ridge { steps / 2 * 2 } else { steps })
}

/// Displacement range A of pass k of a ridge, counted from 0, in half tiles.
fn ridge_range(surface: &Surface, pass: u32) -> f32 {
    amplitude(surface.height_scale, 1.0, surface.hurst, f64::from(pass))
}

/// Displacement range of the pass after the one that a ridge shows, in half tiles. `None` for other ground, and
/// after the last pass.
#[must_use]
pub fn next_range(scene: &Scene) -> Option<f32> {
    let passes = half_steps(scene)? / 2;
    let goes_on = scene.render_type() == RenderType::Ridge && passes < scene.surface.iterations;
    goes_on.then(|| ridge_range(&scene.surface, passes))
}

/// Displacement range A of the half step shown alone, in half tiles; for a ridge that of the pass. `None` where
/// the finished map is shown, or only the corners.
#[must_use]
pub fn pass_range(scene: &Scene) -> Option<f32> {
    let before = half_steps(scene)?.checked_sub(1)? as usize;
    let surface = &scene.surface;
    if scene.render_type() == RenderType::Ridge {
        return Some(ridge_range(surface, before as u32 / 2));
    }
    let ranges =
        surface
            .diamond_square
            .amplitudes(surface.iterations, surface.hurst, surface.height_scale);
    Some(ranges[before / 2][before % 2])
}

/// The pour point of the scene's watershed; `None` if no finished ground is shown.
#[must_use]
pub fn pour_point(scene: &Scene) -> Option<PourPoint> {
    let analysis = &scene.analysis;
    let shows = scene.render_type().shows_ground() && half_steps(scene).is_none();
    let place = analysis.watershed.filter(|_| shows)?;
    Some(PourPoint {
        place,
        snaps: analysis.watershed_snap,
    })
}

/// Measured costs of the steps of a map in nanoseconds per sample, roughly, for the progress.
const GENERATED: f64 = 3.0;
const LAYER: f64 = 5.0;
const MODIFIER: f64 = 5.0;
const SLOW_MODIFIER: f64 = 300.0;

/// Weights of the steps of a map: generation, layers, and modifiers.
pub(super) fn step_weights(scene: &Scene) -> [u64; 3] {
    let layers = scene.layers_on().count() as f64;
    let steps = scene.modifiers_on().map(|(_, step)| {
        if step.is_slow() {
            SLOW_MODIFIER
        } else {
            MODIFIER
        }
    });
    [GENERATED, LAYER * layers, steps.sum()].map(|weight| weight as u64)
}
