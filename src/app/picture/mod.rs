//! Progressive rendering of the scene in the window, with a frame budget.
//!
//! The image is drawn again only if it is dirty, so pointer moves over the panel cost no rendering.
//! While something moves the level of detail may be lower, as chosen by [`FrameBudget`]. At rest the image
//! becomes identical to a render of the scene; if that takes long, a preview with a quarter of the
//! pixels comes first.
//!
//! Images are drawn one screen rectangle at a time, so that the window stays responsive. The last
//! image is shown until the next one is complete.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use frame_budget::{FrameBudget, QUARTER, REST, STEPS};
use glium::backend::Facade;
use glium::{BlitTarget, Surface};
use taking::{Taken, Taking};

use crate::app::invalidation;
use crate::app::state::Reduction;
use crate::app::worker::{LandscapeGuard, OverlayWeights};
use crate::pipeline::MaskOf;
use crate::render::{ProgressiveFrame, Rates, RenderError, RenderRequest, Renderer, Upload};
use crate::scene::{RenderType, Scene};

pub mod frame_budget;
pub mod small;
pub mod taking;

/// Time budget for one rectangle of the image, while something moves.
const MOVING_LIMIT: Duration = Duration::from_millis(25);
/// Time budget for one rectangle of the image, at rest.
const RESTING_LIMIT: Duration = Duration::from_millis(12);
/// Maximum time that a frame waits for its image in motion; at rest it draws one rectangle.
pub const MOVING_PATIENCE: Duration = Duration::from_millis(32);
/// Time span of the frame rate.
const SECOND: Duration = Duration::from_secs(1);
/// Drawing time at rest above which a preview with a quarter of the pixels comes first.
const LONG: Duration = Duration::from_millis(250);

/// Renderer with the image on screen and the one being drawn.
pub struct Picture {
    renderer: Renderer,
    /// Scene of the landscape in GPU memory; `None` while it is incomplete.
    landscape: Option<Scene>,
    /// Next landscape, with the next part of its upload.
    uploading: Option<(LandscapeGuard, Upload)>,
    /// Newest landscape, which waits until the one before has been drawn.
    pending: Option<LandscapeGuard>,
    /// Mask in GPU memory.
    mask: Option<OverlayWeights>,
    drawn: Option<Drawn>,
    under_way: Option<UnderWay>,
    /// Framing of the last call of [`Picture::draw`].
    asked: Option<Framing>,
    /// True if the landscape, mask or shaders have changed since the image was drawn.
    stale: bool,
    /// Time of the last change of the image.
    moved: Option<Instant>,
    pace: FrameBudget,
    /// Drawing rate of each step.
    rates: [Rates; STEPS.len()],
    /// Shader programs that the driver has compiled.
    warm: Warm,
    /// Step of the image finished in this frame, with its time for [`FrameBudget`].
    fresh: Option<(usize, Duration)>,
    /// Times of the images shown in the last second.
    shown: VecDeque<Instant>,
    /// Drawing time of the last image.
    pub draw_time: Duration,
    /// Number of images in a frame, which share the frame budget: 2 in an A/B comparison.
    pub in_a_frame: u32,
    /// Time that a frame waits for its images in motion.
    pub patience: Duration,
    /// Time without changes after which the image is drawn at full quality.
    pub rest: Duration,
}

/// Render types with compiled shader programs.
#[derive(Default)]
struct Warm {
    cheaper: Option<RenderType>,
    below: Option<RenderType>,
}

/// Shader programs still to be compiled: those of lower levels of detail, or those of ground finer
/// than the map.
enum Programs {
    Cheaper,
    Below,
}

/// Required quality of the image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// As the scene's settings at rest; possibly coarser in motion, to keep the frame rate.
    Automatic,
    /// Always as the scene's settings.
    Full,
    /// As the scene's settings, for saving: later changes wait until the image is complete.
    Saved,
}

impl Picture {
    /// Create a renderer without an image.
    ///
    /// # Errors
    /// OpenGL is too old or a shader does not compile.
    pub fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self::drawn_by(Renderer::new(facade)?))
    }

    /// Create a second image with a renderer that shares the compiled shader programs.
    ///
    /// # Errors
    /// The driver has no memory.
    pub fn beside(&self, facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self::drawn_by(self.renderer.beside(facade)?))
    }

    fn drawn_by(renderer: Renderer) -> Self {
        Self {
            renderer,
            landscape: None,
            uploading: None,
            pending: None,
            mask: None,
            drawn: None,
            under_way: None,
            asked: None,
            stale: false,
            moved: None,
            pace: FrameBudget::default(),
            rates: [Rates::unknown(); STEPS.len()],
            warm: Warm::default(),
            fresh: None,
            shown: VecDeque::new(),
            draw_time: Duration::ZERO,
            in_a_frame: 1,
            patience: MOVING_PATIENCE,
            rest: REST,
        }
    }

    /// Begin the upload of a landscape to the GPU; a small one is complete at once. The old image
    /// stays on screen until the upload is complete. While an earlier landscape is uploaded or drawn for the first
    /// time, the newest one waits: landscapes that follow each other quickly would never be seen.
    ///
    /// # Errors
    /// The driver has no memory for it.
    pub fn update(
        &mut self,
        facade: &impl Facade,
        landscape: LandscapeGuard,
    ) -> Result<(), RenderError> {
        self.pending = Some(landscape);
        self.take_pending(facade)
    }

    /// Begin the upload of the landscape that waits, unless the one before is still to be seen.
    fn take_pending(&mut self, facade: &impl Facade) -> Result<(), RenderError> {
        let is_moving = |it: &UnderWay| it.moving;
        if self.uploading.is_some() || self.under_way.as_ref().is_some_and(is_moving) {
            return Ok(());
        }
        let Some(landscape) = self.pending.take() else {
            return Ok(());
        };
        // A partly uploaded landscape must not be drawn.
        self.landscape = None;
        self.asked = None;
        self.give_up();
        self.uploading = Some((landscape, Upload::default()));
        self.upload_for(facade, RESTING_LIMIT)
    }

    /// Upload parts of the landscape for a time, at least one.
    fn upload_for(&mut self, facade: &impl Facade, limit: Duration) -> Result<(), RenderError> {
        let until = Instant::now() + limit;
        while self.upload(facade)? && Instant::now() < until {}
        Ok(())
    }

    /// Upload the weights of a mask in place of the last ones. They are drawn while the mask is
    /// requested.
    ///
    /// # Errors
    /// The driver has no memory for them.
    pub fn update_mask(
        &mut self,
        facade: &impl Facade,
        mask: Option<OverlayWeights>,
    ) -> Result<(), RenderError> {
        if self.mask == mask {
            return Ok(());
        }
        // Images without the mask stay valid.
        let masked = |drawn: &Drawn| drawn.framing.masked;
        if (self.under_way.as_ref()).is_some_and(|under_way| masked(&under_way.drawn)) {
            self.give_up();
        }
        self.stale |= self.drawn.as_ref().is_some_and(masked);
        self.mask = None;
        let weights = mask.as_ref().and_then(|mask| mask.weights.as_ref());
        self.renderer.update_mask(facade, weights)?;
        self.mask = mask;
        Ok(())
    }

    /// True if the weights of that mask are in GPU memory.
    fn has_mask(&self, of: MaskOf) -> bool {
        let is_there = |mask: &OverlayWeights| mask.of == of && mask.weights.is_some();
        self.mask.as_ref().is_some_and(is_there)
    }

    /// Reload shaders from their new source and draw the image again. Errors are logged; a broken
    /// shader keeps its last working version.
    pub fn reload(&mut self, texts: &[(String, String)]) {
        for error in self.renderer.reload(texts) {
            log::error!("{error}");
        }
        self.give_up();
        self.stale = true;
    }

    /// Upload the next part of the landscape. Returns true if there is more.
    fn upload(&mut self, facade: &impl Facade) -> Result<bool, RenderError> {
        let Some((landscape, part)) = self.uploading.take() else {
            return Ok(false);
        };
        match self.renderer.upload(facade, &landscape, part)? {
            Some(next) => self.uploading = Some((landscape, next)),
            // This drops the landscape, whose memory the worker is waiting for.
            None => (self.landscape, self.stale) = (Some(landscape.scene.clone()), true),
        }
        Ok(self.uploading.is_some())
    }

    /// Draw the image at `size` for a limited time. `scene` has the user's settings; stages that
    /// are still being computed are drawn as last computed. `mask` is overlaid on the terrain once
    /// its weights are uploaded, but never in an image to be saved. Returns the delay until the
    /// next call that is needed without an event.
    ///
    /// # Errors
    /// The driver fails, for example because the size exceeds its limit.
    pub fn draw(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        mask: Option<MaskOf>,
        size: (u32, u32),
        quality: Quality,
    ) -> Result<Option<Duration>, RenderError> {
        // Without idle time between frames `work` is not called.
        self.upload_for(facade, RESTING_LIMIT)?;
        self.take_pending(facade)?;
        if mask.is_none() {
            self.update_mask(facade, None)?;
        }
        let Some(made) = &self.landscape else {
            return Ok(None);
        };
        let wanted = Framing {
            scene: invalidation::shown(made, scene),
            size,
            masked: quality != Quality::Saved && mask.is_some_and(|of| self.has_mask(of)),
        };
        let now = Instant::now();
        if self.asked.as_ref() != Some(&wanted) {
            self.moved = Some(now).filter(|_| self.asked.is_some() || self.is_drawn());
            self.asked = Some(wanted.clone());
        }
        let until_rest = self
            .moved
            .and_then(|at| (at + self.rest).checked_duration_since(now));
        // Before the first image a coarse one is better than none.
        let may_be_coarse = quality == Quality::Automatic
            && (until_rest.is_some() || !self.is_drawn() || self.stale);
        let to_be_saved = quality == Quality::Saved;
        let shown = self.shows(&wanted);
        let step = if may_be_coarse {
            let least = if self.is_drawn() { 0 } else { QUARTER };
            self.pace.step().max(least)
        } else {
            self.next_at_rest(shown, size, quality)
        };
        if let (Some(drawn), false) = (&mut self.drawn, shown.is_none() && to_be_saved) {
            drawn.saved = to_be_saved;
        }
        if shown.is_some_and(|shown| shown <= step) {
            self.give_up();
        } else {
            self.aim(facade, &wanted, step, may_be_coarse, quality)?;
            let patience = if may_be_coarse {
                self.patience / self.in_a_frame
            } else {
                Duration::ZERO
            };
            let next = |it: &Self| {
                it.under_way
                    .as_ref()
                    .map_or(Duration::ZERO, UnderWay::next_step)
            };
            while !self.go_on(facade)? && now.elapsed() + next(self) < patience {
                if let Some(step) = self.coarser() {
                    self.begin(facade, wanted.clone(), step, may_be_coarse, quality)?;
                }
            }
        }
        let at_rest = until_rest.unwrap_or(Duration::ZERO);
        Ok(match self.shows(&wanted) {
            Some(0) => None,
            // `work` continues it between events.
            _ if self.under_way.is_some() => None,
            Some(_) => Some(at_rest),
            None => Some(Duration::ZERO),
        })
    }

    /// Step of the image on screen, if it shows `framing`; a preview counts as coarse.
    fn shows(&self, framing: &Framing) -> Option<usize> {
        let drawn = self.drawn.as_ref().filter(|_| !self.stale)?;
        let step = drawn.step.max(usize::from(drawn.is_preview));
        (drawn.framing == *framing).then_some(step)
    }

    /// Choose the step to draw at rest: a slow image is preceded by one with a quarter of the
    /// pixels.
    fn next_at_rest(&self, shown: Option<usize>, size: (u32, u32), quality: Quality) -> usize {
        let is_coarse = shown.is_none_or(|shown| STEPS[shown].scale < STEPS[QUARTER].scale);
        let pixels = u64::from(size.0) * u64::from(size.1);
        let is_slow = self.rates[0].take_longer(pixels, LONG);
        if quality == Quality::Automatic && is_coarse && is_slow {
            QUARTER
        } else {
            0
        }
    }

    /// True if there is work to do between events.
    #[must_use]
    pub fn is_working(&self) -> bool {
        let is_busy = self.uploading.is_some() || self.under_way.is_some();
        is_busy || self.pending.is_some() || self.cold().is_some()
    }

    /// Next shader programs to compile, once there is an image.
    fn cold(&self) -> Option<(&Drawn, Programs)> {
        let drawn = self.drawn.as_ref().filter(|_| !self.stale)?;
        let scene = &drawn.framing.scene;
        let shown = Some(scene.view.render_type);
        if self.warm.cheaper != shown {
            Some((drawn, Programs::Cheaper))
        } else if scene.shows_below() && self.warm.below != shown {
            Some((drawn, Programs::Below))
        } else {
            None
        }
    }

    /// Continue uploading, drawing or compiling between events, until a deadline. Returns true if
    /// there is something new to draw or show.
    ///
    /// # Errors
    /// As [`Picture::draw`].
    pub fn work(&mut self, facade: &impl Facade, until: Instant) -> Result<bool, RenderError> {
        self.take_pending(facade)?;
        if self.uploading.is_some() {
            return Ok(!self.upload(facade)?);
        }
        if self.under_way.is_none() {
            let Some((Drawn { framing, .. }, programs)) = self.cold() else {
                return Ok(false);
            };
            let shown = Some(framing.scene.view.render_type);
            let (cheaper, size) = STEPS[1].applied(&framing.scene, framing.size);
            match programs {
                Programs::Cheaper => {
                    self.warm.cheaper = shown;
                    self.renderer.warm_up(facade, &cheaper)?;
                }
                Programs::Below => {
                    self.warm.below = shown;
                    self.renderer.warm_up_below(facade, &cheaper, size)?;
                }
            }
            return Ok(false);
        }
        while !self.go_on(facade)? {
            if self.is_slow() {
                return Ok(true);
            }
            if Instant::now() >= until {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Record the time of a frame apart from its image, if it finished one: that of its layout and painting.
    pub fn note_frame(&mut self, time: Duration) {
        if let Some((step, took)) = self.fresh.take() {
            let now = Instant::now();
            self.shown_lately(now);
            self.shown.push_back(now);
            self.pace.note(step, took * self.in_a_frame + time);
        }
    }

    /// Count the images shown in the second before `now`.
    pub fn shown_lately(&mut self, now: Instant) -> usize {
        let old = |at: &Instant| now.saturating_duration_since(*at) > SECOND;
        while self.shown.front().is_some_and(old) {
            self.shown.pop_front();
        }
        self.shown.len()
    }

    /// Reduction of quality of the image on screen; `None` at full quality.
    #[must_use]
    pub fn reduced(&self) -> Option<Reduction> {
        let step = self.drawn.as_ref()?.step;
        (step > 0).then(|| Reduction {
            coarser: STEPS[step].coarser,
            scale: STEPS[step].scale,
        })
    }

    /// True if an image is being drawn that is not on screen yet.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// True if there is an image.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.drawn.is_some()
    }

    /// Copy the image to a rectangle of the window.
    pub fn present(&self, target: &mut impl Surface, rect: BlitTarget) {
        self.renderer.present(target, rect);
    }

    /// Copy the left `part` of the image's width to where it lies if the whole image fills `rect`.
    pub fn present_left(&self, target: &mut impl Surface, rect: BlitTarget, part: f32) {
        self.renderer.present_left(target, rect, part);
    }

    /// Begin to render an image of `scene` for a file; `None` before there is the newest landscape.
    #[must_use]
    pub fn take(&self, scene: &Scene, shot: RenderRequest) -> Option<Taking> {
        let made = self.landscape.as_ref().filter(|_| self.pending.is_none())?;
        let scene = invalidation::shown(made, scene);
        Some(Taking::exposure(shot, scene, RESTING_LIMIT))
    }

    /// Begin to read back the image on screen, which must not be replaced meanwhile; `None` until
    /// it is the one to be saved.
    pub fn take_shown(&mut self) -> Option<Taking> {
        // A newer landscape may wait, or be on its way to the GPU.
        let is_newest = !self.stale && self.pending.is_none() && self.uploading.is_none();
        let drawn = self.drawn.as_mut().filter(|_| is_newest)?;
        let is_final = drawn.step == 0 && !drawn.is_preview;
        let ready = std::mem::take(&mut drawn.saved) && is_final;
        ready.then(|| Taking::reading(drawn.framing.size, drawn.framing.scene.clone()))
    }

    /// Continue an image for a file, while the landscape is unchanged. Returns it once it is
    /// complete.
    ///
    /// # Errors
    /// The driver fails.
    pub fn go_on_taking(
        &mut self,
        facade: &impl Facade,
        taking: &mut Taking,
    ) -> Result<Option<Taken>, RenderError> {
        taking.go_on(facade, &mut self.renderer)
    }
}

// Image being drawn progressively: its start, its steps, and its replacement by a coarser one.

/// Forecast time above which a moving image is cancelled in favour of a coarser one.
const TOO_SLOW: Duration = Duration::from_millis(120);
/// Drawing time after which the forecast is reliable.
const TELLING: Duration = Duration::from_millis(40);

/// Scene with the size of its image in pixels.
#[derive(Clone, PartialEq)]
struct Framing {
    pub scene: Scene,
    pub size: (u32, u32),
    /// True if the mask is overlaid on the terrain.
    pub masked: bool,
}

/// Image with the settings it was begun with.
#[derive(Clone)]
struct Drawn {
    /// Scene and size of the image.
    pub framing: Framing,
    /// Level of detail, an index into [`STEPS`].
    pub step: usize,
    /// True if clipmap windows or their light may be missing.
    pub is_preview: bool,
    /// True if the image was requested for saving.
    pub saved: bool,
}

/// Image being drawn.
struct UnderWay {
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
    fn next_step(&self) -> Duration {
        let least = match self.development.makes_windows() {
            true => MOVING_LIMIT,
            false => Duration::ZERO,
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
    fn aim(
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
    fn begin(
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
        let development = match moving {
            true => development.previewed(self.pace.patience()),
            false => development,
        };
        self.under_way = Some(UnderWay {
            drawn: Drawn {
                framing,
                step,
                is_preview: development.is_preview(),
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
    fn give_up(&mut self) {
        if let Some(under_way) = self.under_way.take() {
            self.renderer.give_up(under_way.development);
        }
    }

    /// True if the image being drawn is too slow for motion.
    fn is_slow(&self) -> bool {
        self.under_way
            .as_ref()
            .is_some_and(|it| it.too_slow().is_some())
    }

    /// Record an image that is too slow for motion, and return the step to begin again with.
    fn coarser(&mut self) -> Option<usize> {
        let under_way = self.under_way.as_ref()?;
        let (step, all) = (under_way.drawn.step, under_way.too_slow()?);
        self.pace.note(step, all);
        // A single slow image is enough here.
        Some(self.pace.step().max(step + 1))
    }

    /// Draw the next rectangle. Returns true if there is nothing left to draw.
    fn go_on(&mut self, facade: &impl Facade) -> Result<bool, RenderError> {
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
        let told = self.pace.shared(took, development.took_around());
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
