//! Image being drawn progressively: its start, its steps, and its replacement by a coarser one.

use std::time::Duration;

use glium::backend::Facade;

use super::frame_budget::STEPS;
use super::{MOVING_LIMIT, Picture, Quality, RESTING_LIMIT};
use crate::render::{ProgressiveFrame, RenderError};
use crate::scene::Scene;

/// Forecast time above which a moving image is cancelled in favour of a coarser one.
const TOO_SLOW: Duration = Duration::from_millis(120);
/// Drawing time after which the forecast is reliable.
const TELLING: Duration = Duration::from_millis(40);

/// Scene with the size of its image in pixels.
#[derive(Clone, PartialEq)]
pub(super) struct Framing {
    pub scene: Scene,
    pub size: (u32, u32),
    /// True if the mask is overlaid on the terrain.
    pub masked: bool,
}

/// Image with the settings it was begun with.
#[derive(Clone)]
pub(super) struct Drawn {
    /// Scene and size of the image.
    pub framing: Framing,
    /// Level of detail, an index into [`STEPS`].
    pub step: usize,
    /// True if the image was requested for saving.
    pub saved: bool,
}

/// Image being drawn.
pub(super) struct UnderWay {
    pub drawn: Drawn,
    /// Scene at the reduced level of detail.
    reduced: Scene,
    development: ProgressiveFrame,
    /// True if the image is finished even if something has changed meanwhile. Otherwise a scene
    /// that changes all the time would never be shown.
    kept: bool,
    /// True if a coarser image may replace it.
    moving: bool,
}

impl UnderWay {
    /// Estimated time of the next drawing step: the longest so far; after detail windows at least
    /// the budget of a moving image.
    pub(super) fn next_step(&self) -> Duration {
        let windows = self.development.took_for_windows();
        let least = if windows.is_zero() {
            windows
        } else {
            MOVING_LIMIT
        };
        self.development.longest().max(least)
    }

    /// Forecast total time, if it is too long for motion.
    fn too_slow(&self) -> Option<Duration> {
        let (took, all) = self.development.forecast()?;
        let is_slow = self.moving && took > TELLING && all > TOO_SLOW;
        (is_slow && self.drawn.step + 1 < STEPS.len()).then_some(all)
    }
}

impl Picture {
    /// Begin an image, unless a suitable one is being drawn.
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

    /// Begin an image at `step` in place of the one being drawn.
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
        // Ground finer than the map is slow to compute, and nothing is on screen yet.
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

    /// Cancel the image being drawn.
    pub(super) fn give_up(&mut self) {
        if let Some(under_way) = self.under_way.take() {
            self.renderer.give_up(under_way.development);
        }
    }

    /// True if the image being drawn is too slow for motion.
    pub(super) fn is_slow(&self) -> bool {
        self.under_way
            .as_ref()
            .is_some_and(|it| it.too_slow().is_some())
    }

    /// Record an image that is too slow for motion, and return the step to begin again with.
    pub(super) fn coarser(&mut self) -> Option<usize> {
        let under_way = self.under_way.as_ref()?;
        let (step, all) = (under_way.drawn.step, under_way.too_slow()?);
        self.pace.note(step, all);
        // A single slow image is enough here.
        Some(self.pace.step().max(step + 1))
    }

    /// Draw the next rectangle. Returns true if there is nothing left to draw.
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
