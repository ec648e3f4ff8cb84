//! The picture of the landscape in the window: drawn again only when something in it changed,
//! so that moving the mouse over the panel costs nothing but the panel. While something moves it
//! may be a cheaper one, as [`Pace`] says; at rest it becomes what a render of the scene is, by way of
//! a quarter of the pixels if that takes long.
//!
//! Pictures are drawn a rectangle at a time, so that nothing else waits for them: until the next is
//! done the last one is shown.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use glium::backend::Facade;
use glium::{BlitTarget, Surface};

use crate::app::stale;
use crate::app::state::Reduction;
use crate::app::worker::{Lent, SeenMask};
use crate::pipeline::MaskOf;
use crate::render::{Rates, RenderError, Renderer, Shot, Upload};
use crate::scene::{RenderType, Scene};

pub mod pace;
pub mod small;
pub mod taking;
mod under_way;

use pace::{Pace, QUARTER, REST, STEPS};
use taking::{Taken, Taking};
use under_way::{Drawn, Framing, UnderWay};

/// How long the rectangles of a picture take, while it moves and at rest.
const MOVING_LIMIT: Duration = Duration::from_millis(25);
const RESTING_LIMIT: Duration = Duration::from_millis(12);
/// How long a frame waits for its picture in motion at most, at rest for one rectangle.
pub const MOVING_PATIENCE: Duration = Duration::from_millis(32);
/// The time that pictures are counted in.
const SECOND: Duration = Duration::from_secs(1);
/// A picture at rest that takes longer comes in two stages.
const LONG: Duration = Duration::from_millis(250);

/// The renderer, and what it drew last.
pub struct Picture {
    renderer: Renderer,
    /// The scene of the landscape that the renderer holds.
    landscape: Option<Scene>,
    /// The next one, and the part of it that comes next.
    uploading: Option<(Lent, Upload)>,
    /// The mask that the renderer holds.
    mask: Option<SeenMask>,
    drawn: Option<Drawn>,
    under_way: Option<UnderWay>,
    /// What was asked for last.
    asked: Option<Framing>,
    /// Whether the landscape is another one than was drawn.
    stale: bool,
    /// When something in the picture changed last.
    moved: Option<Instant>,
    pace: Pace,
    /// How quick each step is drawn.
    rates: [Rates; STEPS.len()],
    /// What the driver is ready for.
    warm: Warm,
    /// The step of the picture that came with this frame, and the time to note for it.
    fresh: Option<(usize, Duration)>,
    /// When pictures were shown, in the last second before the newest.
    shown: VecDeque<Instant>,
    /// Time that the last picture took, until it was there.
    pub draw_time: Duration,
    /// How many pictures a frame has: each may take its share of the time.
    pub in_a_frame: u32,
    /// How long the frame waits for them while they move.
    pub patience: Duration,
}

/// The render types whose programs the driver has compiled.
#[derive(Default)]
struct Warm {
    cheaper: Option<RenderType>,
    below: Option<RenderType>,
}

/// What the driver has yet to compile: what cheaper pictures need, or the ground below its last iteration.
enum Programs {
    Cheaper,
    Below,
}

/// How fine the picture has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quality {
    /// At rest it is as the scene says; in motion it may be coarser, to stay fluid.
    Automatic,
    /// It is as the scene says.
    Full,
    /// It is as the scene says, and will be saved: what changes by then waits.
    Saved,
}

impl Picture {
    /// A renderer that has drawn nothing.
    ///
    /// # Errors
    /// OpenGL is too old or a shader does not compile.
    pub fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self::drawn_by(Renderer::new(facade)?))
    }

    /// A picture beside this one, drawn with the same programs.
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
            mask: None,
            drawn: None,
            under_way: None,
            asked: None,
            stale: false,
            moved: None,
            pace: Pace::default(),
            rates: [Rates::unknown(); STEPS.len()],
            warm: Warm::default(),
            fresh: None,
            shown: VecDeque::new(),
            draw_time: Duration::ZERO,
            in_a_frame: 1,
            patience: MOVING_PATIENCE,
        }
    }

    /// Begins to take another landscape over to the graphics card. Until that is done the picture
    /// stays as it is; what is small is done at once.
    ///
    /// # Errors
    /// The driver has no memory for it.
    pub fn update(&mut self, facade: &impl Facade, landscape: Lent) -> Result<(), RenderError> {
        // Of a landscape that is not whole nothing is drawn: the last picture stays.
        self.landscape = None;
        self.asked = None;
        self.give_up();
        self.landscape = None;
        self.uploading = Some((landscape, Upload::default()));
        let until = Instant::now() + RESTING_LIMIT;
        while self.upload(facade)? && Instant::now() < until {}
        Ok(())
    }

    /// Takes the weights of a mask over to the graphics card in place of the last ones, to be seen
    /// while that mask is asked for.
    ///
    /// # Errors
    /// The driver has no memory for them.
    pub fn update_mask(
        &mut self,
        facade: &impl Facade,
        mask: Option<SeenMask>,
    ) -> Result<(), RenderError> {
        if self.mask == mask {
            return Ok(());
        }
        // Of pictures without it nothing changes.
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

    /// Whether the picture can show that mask over the land.
    fn has_mask(&self, of: MaskOf) -> bool {
        let is_there = |mask: &SeenMask| mask.of == of && mask.weights.is_some();
        self.mask.as_ref().is_some_and(is_there)
    }

    /// Takes other texts of shaders, and draws the picture again with them. A broken one is told in
    /// the log and changes nothing.
    pub fn reload(&mut self, texts: &[(String, String)]) {
        for error in self.renderer.reload(texts) {
            log::error!("{error}");
        }
        self.give_up();
        self.stale = true;
    }

    /// Does the next part of an upload. Returns whether there is more.
    fn upload(&mut self, facade: &impl Facade) -> Result<bool, RenderError> {
        let Some((landscape, part)) = self.uploading.take() else {
            return Ok(false);
        };
        match self.renderer.upload(facade, &landscape, part)? {
            Some(next) => self.uploading = Some((landscape, next)),
            // With it goes the map: the worker waits to fill the same memory again.
            None => (self.landscape, self.stale) = (Some(landscape.scene.clone()), true),
        }
        Ok(self.uploading.is_some())
    }

    /// Goes on drawing the picture at that size, for a moment. `scene` is as the user has set it;
    /// what is still being made of it is drawn as it was made last. `mask` lies over the land as soon
    /// as its weights are there, but never in a picture that will be saved. Returned is when to call again
    /// though nothing happens.
    ///
    /// # Errors
    /// The driver refuses, for one because the size is beyond it.
    pub fn draw(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        mask: Option<MaskOf>,
        size: (u32, u32),
        quality: Quality,
    ) -> Result<Option<Duration>, RenderError> {
        // Frames may follow each other without a moment between them.
        self.upload(facade)?;
        if mask.is_none() {
            self.update_mask(facade, None)?;
        }
        let Some(made) = &self.landscape else {
            return Ok(None);
        };
        let wanted = Framing {
            scene: stale::shown(made, scene),
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
            .and_then(|at| (at + REST).checked_duration_since(now));
        // Before the first picture a coarse one is better than none.
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
            // What is under way goes on between events.
            _ if self.under_way.is_some() => None,
            Some(_) => Some(at_rest),
            None => Some(Duration::ZERO),
        })
    }

    /// The step of the picture on screen, if it shows that.
    fn shows(&self, framing: &Framing) -> Option<usize> {
        let drawn = self.drawn.as_ref().filter(|_| !self.stale)?;
        (drawn.framing == *framing).then_some(drawn.step)
    }

    /// The step to draw at while nothing moves: of a picture that takes long a quarter of the pixels
    /// comes before.
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

    /// Whether there is something to be drawn between events.
    #[must_use]
    pub fn is_working(&self) -> bool {
        self.uploading.is_some() || self.under_way.is_some() || self.cold().is_some()
    }

    /// What the driver has yet to be made ready for, now that there is a picture.
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

    /// Goes on between events, until that moment at most. Returns whether there is something new
    /// to be drawn or shown.
    ///
    /// # Errors
    /// The same as those of [`Picture::draw`].
    pub fn work(&mut self, facade: &impl Facade, until: Instant) -> Result<bool, RenderError> {
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

    /// Takes note of how long a frame took, besides its picture, if one came with it.
    pub fn note_frame(&mut self, time: Duration) {
        if let Some((step, took)) = self.fresh.take() {
            let now = Instant::now();
            self.shown_lately(now);
            self.shown.push_back(now);
            self.pace.note(step, took * self.in_a_frame + time);
        }
    }

    /// The number of pictures that were shown in the second before `now`.
    pub fn shown_lately(&mut self, now: Instant) -> usize {
        let old = |at: &Instant| now.saturating_duration_since(*at) > SECOND;
        while self.shown.front().is_some_and(old) {
            self.shown.pop_front();
        }
        self.shown.len()
    }

    /// How the picture is less than the scene says, if it is.
    #[must_use]
    pub fn reduced(&self) -> Option<Reduction> {
        let step = self.drawn.as_ref()?.step;
        (step > 0).then(|| Reduction {
            coarser: STEPS[step].coarser,
            scale: STEPS[step].scale,
        })
    }

    /// Whether a picture has been begun that is not on screen yet.
    #[must_use]
    pub fn is_under_way(&self) -> bool {
        self.under_way.is_some()
    }

    /// Whether there is a picture.
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.drawn.is_some()
    }

    /// Copies the picture to a part of the window.
    pub fn present(&self, target: &mut impl Surface, rect: BlitTarget) {
        self.renderer.present(target, rect);
    }

    /// Copies that part of the picture's width, from the left, to where all of it would lie at `rect`.
    pub fn present_left(&self, target: &mut impl Surface, rect: BlitTarget, part: f32) {
        self.renderer.present_left(target, rect, part);
    }

    /// Begins to take a picture of `scene` as `shot` says; `None` before there is a landscape.
    #[must_use]
    pub fn take(&self, scene: &Scene, shot: Shot) -> Option<Taking> {
        let made = self.landscape.as_ref()?;
        let scene = stale::shown(made, scene);
        Some(Taking::exposure(shot, scene, RESTING_LIMIT))
    }

    /// Begins to take the picture on screen, which must stay there: `None` until it is the one
    /// to be saved.
    pub fn take_shown(&mut self) -> Option<Taking> {
        let drawn = self.drawn.as_mut().filter(|_| !self.stale)?;
        let ready = std::mem::take(&mut drawn.saved) && drawn.step == 0;
        ready.then(|| Taking::reading(drawn.framing.size, drawn.framing.scene.clone()))
    }

    /// Goes on taking a picture, while the landscape is as it was; returns it once it is done.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn go_on_taking(
        &mut self,
        facade: &impl Facade,
        taking: &mut Taking,
    ) -> Result<Option<Taken>, RenderError> {
        taking.go_on(facade, &mut self.renderer)
    }
}
