//! The picture that is being drawn: which it is, and when a coarser one takes its place.

use std::time::Duration;

use glium::backend::Facade;

use super::pace::STEPS;
use super::{MOVING_LIMIT, Picture, Quality, RESTING_LIMIT};
use crate::render::{Development, RenderError};
use crate::scene::Scene;

/// A picture in motion that would take longer is given up for a coarser one, once it is drawn at
/// for long enough to tell.
const TOO_SLOW: Duration = Duration::from_millis(120);
const TELLING: Duration = Duration::from_millis(40);

/// A scene in so many pixels.
#[derive(Clone, PartialEq)]
pub(super) struct Framing {
    pub scene: Scene,
    pub size: (u32, u32),
    /// Whether the mask lies over the land.
    pub masked: bool,
}

/// A picture, as it was begun.
#[derive(Clone)]
pub(super) struct Drawn {
    /// What it shows.
    pub framing: Framing,
    /// How it is drawn, a place in [`STEPS`].
    pub step: usize,
    /// Whether it is the one that was asked for to be saved.
    pub saved: bool,
}

/// A picture that is being drawn.
pub(super) struct UnderWay {
    pub drawn: Drawn,
    /// The scene with the step applied.
    reduced: Scene,
    development: Development,
    /// Whether it is finished though something has changed by then: else a picture of what never
    /// rests would never come.
    kept: bool,
    /// Whether a coarser one may take its place.
    moving: bool,
}

impl UnderWay {
    /// The time that its next step may take: as long as the longest did, or, after the windows below the
    /// map, as long as any.
    pub(super) fn next_step(&self) -> Duration {
        let windows = self.development.took_for_windows();
        let least = if windows.is_zero() {
            windows
        } else {
            MOVING_LIMIT
        };
        self.development.longest().max(least)
    }

    /// Time that it will take, if it is too slow for motion.
    fn too_slow(&self) -> Option<Duration> {
        let (took, all) = self.development.forecast()?;
        let is_slow = self.moving && took > TELLING && all > TOO_SLOW;
        (is_slow && self.drawn.step + 1 < STEPS.len()).then_some(all)
    }
}

impl Picture {
    /// Begins that picture, unless one is under way that will do.
    pub(super) fn aim(
        &mut self,
        facade: &impl Facade,
        wanted: &Framing,
        step: usize,
        moving: bool,
        quality: Quality,
    ) -> Result<(), RenderError> {
        let to_be_saved = quality == Quality::Saved;
        if let (Some(step), false) = (self.coarser(), to_be_saved) {
            return self.begin(facade, wanted.clone(), step, moving, quality);
        }
        if let Some(UnderWay { drawn, kept, .. }) = &mut self.under_way {
            let right = drawn.framing == *wanted && drawn.step == step;
            drawn.saved |= right && to_be_saved;
            *kept |= drawn.saved;
            if right || (*kept && drawn.framing.size == wanted.size) {
                return Ok(());
            }
        }
        self.begin(facade, wanted.clone(), step, moving, quality)
    }

    /// Begins a picture with that step in place of the one under way.
    pub(super) fn begin(
        &mut self,
        facade: &impl Facade,
        framing: Framing,
        step: usize,
        moving: bool,
        quality: Quality,
    ) -> Result<(), RenderError> {
        self.give_up();
        if self
            .drawn
            .as_ref()
            .is_some_and(|drawn| drawn.framing.size != framing.size)
        {
            self.renderer.forget_spare();
        }
        let (mut reduced, pixels) = STEPS[step].applied(&framing.scene, framing.size);
        // What is below the last iteration takes long to make, and nothing is seen yet.
        reduced.view.endless &= self.is_drawn() || !moving;
        let limit = if moving { MOVING_LIMIT } else { RESTING_LIMIT };
        let rate = self.rates[step];
        let development = (self.renderer).begin(facade, &reduced, pixels, Some(limit), rate)?;
        let development = development.masked(framing.masked).enlarged_to(framing.size);
        self.under_way = Some(UnderWay {
            drawn: Drawn {
                framing,
                step,
                saved: quality == Quality::Saved,
            },
            reduced,
            development,
            kept: moving || quality != Quality::Automatic,
            moving,
        });
        Ok(())
    }

    /// Ends the picture under way.
    pub(super) fn give_up(&mut self) {
        if let Some(under_way) = self.under_way.take() {
            self.renderer.give_up(under_way.development);
        }
    }

    /// Whether the picture under way is too slow for motion.
    pub(super) fn is_slow(&self) -> bool {
        self.under_way
            .as_ref()
            .is_some_and(|it| it.too_slow().is_some())
    }

    /// The step to begin again with if it is.
    pub(super) fn coarser(&mut self) -> Option<usize> {
        let under_way = self.under_way.as_ref()?;
        let (step, all) = (under_way.drawn.step, under_way.too_slow()?);
        self.pace.note(step, all);
        // One slow picture is enough for that.
        Some(self.pace.step().max(step + 1))
    }

    /// Draws a rectangle of the picture under way. Returns whether there is nothing to be drawn.
    pub(super) fn go_on(&mut self, facade: &impl Facade) -> Result<bool, RenderError> {
        let Some(mut under_way) = self.under_way.take() else {
            return Ok(true);
        };
        let UnderWay {
            reduced,
            development,
            ..
        } = &mut under_way;
        self.renderer.develop(facade, reduced, development)?;
        if !development.is_done() {
            self.under_way = Some(under_way);
            return Ok(false);
        }
        let UnderWay {
            drawn,
            reduced,
            development,
            ..
        } = under_way;
        let (step, took) = (drawn.step, development.took());
        let told = self.pace.shared(took, development.took_for_windows());
        log::debug!(
            "picture {} ms, longest piece {} ms, step {step}",
            took.as_millis(),
            development.longest().as_millis()
        );
        self.rates[step] = development.rates();
        let shown = Some(drawn.framing.scene.view.render_type);
        if step > 0 && development.shows_below() {
            self.warm.below = shown;
        } else if step > 0 {
            self.warm.cheaper = shown;
        }
        self.renderer.show_enlarged(facade, &reduced, development)?;
        (self.drawn, self.draw_time) = (Some(drawn), took);
        (self.stale, self.fresh) = (false, Some((step, told)));
        Ok(true)
    }
}
