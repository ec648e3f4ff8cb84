//! The picture of the landscape in the window: drawn again only when something in it changed,
//! so that moving the mouse over the panel costs nothing but the panel. While something moves it
//! may be a cheaper one, as [`Pace`] says; at rest it is what a render of the scene is.
//!
//! Pictures are drawn a rectangle at a time, so that nothing else waits for them: until the next is
//! done the last one is shown.

use std::time::{Duration, Instant};

use glium::backend::Facade;
use glium::{BlitTarget, Surface};

use crate::app::pace::{Pace, REST, STEPS};
use crate::app::stale;
use crate::app::taking::{Shot, Taking};
use crate::pipeline::Landscape;
use crate::render::{self, Development, Rates, RenderError, Renderer, Upload};
use crate::scene::{RenderType, Scene};

/// How long the rectangles of a picture take, while it moves and at rest.
const MOVING_LIMIT: Duration = Duration::from_millis(25);
const RESTING_LIMIT: Duration = Duration::from_millis(12);
/// How long a frame waits for its picture in motion; at rest for one rectangle.
const MOVING_PATIENCE: Duration = Duration::from_millis(40);
/// A picture in motion that would take longer is given up for a coarser one, once it is drawn at
/// for long enough to tell.
const TOO_SLOW: Duration = Duration::from_millis(120);
const TELLING: Duration = Duration::from_millis(40);

/// The renderer, and what it drew last.
pub struct Picture {
    renderer: Renderer,
    /// The scene of the landscape that the renderer holds.
    landscape: Option<Scene>,
    /// The next one, and the part of it that comes next.
    uploading: Option<(Landscape, Upload)>,
    drawn: Option<Drawn>,
    under_way: Option<UnderWay>,
    /// What was asked for last.
    asked: Option<(Scene, (u32, u32))>,
    /// Whether the landscape is another one than was drawn.
    stale: bool,
    /// When something in the picture changed last.
    moved: Option<Instant>,
    pace: Pace,
    /// How quick each step is drawn.
    rates: [Rates; STEPS.len()],
    /// The render type whose cheaper pictures the driver is ready for.
    warm: Option<RenderType>,
    /// The step and time of the picture that came with this frame.
    fresh: Option<(usize, Duration)>,
    /// Time that the last picture took, until it was there.
    pub draw_time: Duration,
}

/// A picture.
#[derive(Clone)]
struct Drawn {
    /// What was asked for.
    scene: Scene,
    size: (u32, u32),
    /// How it is drawn, a place in [`STEPS`].
    step: usize,
    /// Whether it is the one that was asked for to be saved.
    saved: bool,
}

/// A picture that is being drawn.
struct UnderWay {
    drawn: Drawn,
    /// The scene with the step applied.
    reduced: Scene,
    development: Development,
    /// Whether it is finished though something has changed by then: else a picture of what never
    /// rests would never come.
    kept: bool,
    /// Whether a coarser one may take its place.
    moving: bool,
}

/// How fine the picture has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// As the scene says at rest; coarser in motion, to stay fluid.
    Automatic,
    /// As the scene says.
    Full,
    /// As the scene says, and it will be saved: what changes by then waits.
    Saved,
}

impl Picture {
    /// A renderer that has drawn nothing.
    ///
    /// # Errors
    /// OpenGL is too old or a shader does not compile.
    pub fn new(facade: &impl Facade) -> Result<Self, RenderError> {
        Ok(Self {
            renderer: Renderer::new(facade)?,
            landscape: None,
            uploading: None,
            drawn: None,
            under_way: None,
            asked: None,
            stale: false,
            moved: None,
            pace: Pace::default(),
            rates: [Rates::unknown(); STEPS.len()],
            warm: None,
            fresh: None,
            draw_time: Duration::ZERO,
        })
    }

    /// Begins to take another landscape over to the graphics card. Until that is done the picture
    /// stays as it is; what is small is done at once.
    ///
    /// # Errors
    /// The driver has no memory for it.
    pub fn update(
        &mut self,
        facade: &impl Facade,
        landscape: Landscape,
    ) -> Result<(), RenderError> {
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

    /// Takes other texts of shaders, and draws the picture again with them. A broken one is told in
    /// the log and changes nothing.
    pub fn reload(&mut self, texts: &[(String, String)]) {
        if let Some((first, others)) = self.renderer.reload(texts).split_first() {
            log::error!("{first} (and {} other programs)", others.len());
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
    /// what is still being made of it is drawn as it was made last. Returned is when to call again
    /// though nothing happens.
    ///
    /// # Errors
    /// The driver refuses, for one because the size is beyond it.
    pub fn draw(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
        detail: Detail,
    ) -> Result<Option<Duration>, RenderError> {
        // Frames may follow each other without a moment between them.
        self.upload(facade)?;
        let Some(made) = &self.landscape else {
            return Ok(None);
        };
        let wanted = (stale::shown(made, scene), size);
        let now = Instant::now();
        if self.asked.as_ref() != Some(&wanted) {
            self.moved = Some(now).filter(|_| self.asked.is_some() || self.is_drawn());
            self.asked = Some(wanted.clone());
        }
        let until_rest = self
            .moved
            .and_then(|at| (at + REST).checked_duration_since(now));
        // Before the first picture a coarse one is better than none.
        let may_be_coarse =
            detail == Detail::Automatic && (until_rest.is_some() || !self.is_drawn() || self.stale);
        let step = if may_be_coarse { self.pace.step() } else { 0 };
        let to_be_saved = detail == Detail::Saved;
        let shown = self.shows(&wanted);
        if let (Some(drawn), false) = (&mut self.drawn, shown.is_none() && to_be_saved) {
            drawn.saved = to_be_saved;
        }
        if shown.is_some_and(|shown| shown <= step) {
            self.give_up();
        } else {
            self.aim(facade, &wanted, step, may_be_coarse, detail)?;
            let until = match may_be_coarse {
                true => now + MOVING_PATIENCE,
                false => now,
            };
            while !self.go_on(facade)? && Instant::now() < until {
                if let Some(step) = self.coarser() {
                    self.begin(facade, wanted.clone(), step, may_be_coarse, detail)?;
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

    /// Begins that picture, unless one is under way that will do.
    fn aim(
        &mut self,
        facade: &impl Facade,
        wanted: &(Scene, (u32, u32)),
        step: usize,
        moving: bool,
        detail: Detail,
    ) -> Result<(), RenderError> {
        let to_be_saved = detail == Detail::Saved;
        if let (Some(step), false) = (self.coarser(), to_be_saved) {
            return self.begin(facade, wanted.clone(), step, moving, detail);
        }
        if let Some(UnderWay { drawn, kept, .. }) = &mut self.under_way {
            let right = (&drawn.scene, drawn.size) == (&wanted.0, wanted.1) && drawn.step == step;
            drawn.saved |= right && to_be_saved;
            *kept |= drawn.saved;
            if right || (*kept && drawn.size == wanted.1) {
                return Ok(());
            }
        }
        self.begin(facade, wanted.clone(), step, moving, detail)
    }

    /// The step of the picture on screen, if it shows that.
    fn shows(&self, (scene, size): &(Scene, (u32, u32))) -> Option<usize> {
        let drawn = self.drawn.as_ref().filter(|_| !self.stale)?;
        (drawn.scene == *scene && drawn.size == *size).then_some(drawn.step)
    }

    fn begin(
        &mut self,
        facade: &impl Facade,
        (scene, size): (Scene, (u32, u32)),
        step: usize,
        moving: bool,
        detail: Detail,
    ) -> Result<(), RenderError> {
        self.give_up();
        if self.drawn.as_ref().is_some_and(|drawn| drawn.size != size) {
            self.renderer.forget_spare();
        }
        let (reduced, pixels) = STEPS[step].applied(&scene, size);
        let limit = if moving { MOVING_LIMIT } else { RESTING_LIMIT };
        let rate = self.rates[step];
        let development = (self.renderer).begin(facade, &reduced, pixels, Some(limit), rate)?;
        self.under_way = Some(UnderWay {
            drawn: Drawn {
                scene,
                size,
                step,
                saved: detail == Detail::Saved,
            },
            reduced,
            development,
            kept: moving || detail != Detail::Automatic,
            moving,
        });
        Ok(())
    }

    fn give_up(&mut self) {
        if let Some(under_way) = self.under_way.take() {
            self.renderer.give_up(under_way.development);
        }
    }

    /// Whether the picture under way is too slow for motion.
    fn is_slow(&self) -> bool {
        let Some(under_way) = &self.under_way else {
            return false;
        };
        let forecast = under_way.development.forecast();
        let slow = forecast.is_some_and(|(took, all)| took > TELLING && all > TOO_SLOW);
        under_way.moving && slow && under_way.drawn.step + 1 < STEPS.len()
    }

    /// The step to begin again with if it is.
    fn coarser(&mut self) -> Option<usize> {
        let UnderWay {
            drawn, development, ..
        } = self.under_way.as_ref()?;
        let (_, all) = development.forecast().filter(|_| self.is_slow())?;
        self.pace.note(drawn.step, all);
        // One slow picture is enough for that.
        Some(self.pace.step().max(drawn.step + 1))
    }

    /// Draws a rectangle of the picture under way. Returns whether there is nothing to be drawn.
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
            drawn, development, ..
        } = under_way;
        let (step, took) = (drawn.step, development.took());
        log::debug!(
            "picture {} ms, longest piece {} ms, step {step}",
            took.as_millis(),
            development.longest().as_millis()
        );
        self.rates[step] = development.rates();
        if step > 0 {
            self.warm = Some(drawn.scene.view.render_type);
        }
        self.renderer.show(development);
        (self.drawn, self.draw_time) = (Some(drawn), took);
        (self.stale, self.fresh) = (false, Some((step, took)));
        Ok(true)
    }

    /// Whether there is something to be drawn between events.
    #[must_use]
    pub fn is_working(&self) -> bool {
        self.uploading.is_some() || self.under_way.is_some() || self.cold().is_some()
    }

    /// What the driver has yet to be made ready for, now that there is a picture.
    fn cold(&self) -> Option<&Drawn> {
        let drawn = self.drawn.as_ref().filter(|_| !self.stale)?;
        (self.warm != Some(drawn.scene.view.render_type)).then_some(drawn)
    }

    /// Goes on between events, until that moment at most. Returns whether there is something new
    /// to be drawn or shown.
    ///
    /// # Errors
    /// As [`Picture::draw`].
    pub fn work(&mut self, facade: &impl Facade, until: Instant) -> Result<bool, RenderError> {
        if self.uploading.is_some() {
            return Ok(!self.upload(facade)?);
        }
        if self.under_way.is_none() {
            let Some(Drawn { scene, size, .. }) = self.cold() else {
                return Ok(false);
            };
            let render_type = scene.view.render_type;
            let (cheaper, _) = STEPS[1].applied(scene, *size);
            self.warm = Some(render_type);
            self.renderer.warm_up(facade, &cheaper)?;
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
            self.pace.note(step, took + time);
        }
    }

    /// By how much the ground is drawn coarser than the scene says, and the part of the pixels
    /// along each side; `None` if the picture is as the scene says.
    #[must_use]
    pub fn reduced(&self) -> Option<(f32, f32)> {
        let step = self.drawn.as_ref()?.step;
        (step > 0).then(|| (STEPS[step].coarser, STEPS[step].scale))
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

    /// Begins to take a picture of `scene` as `shot` says; `None` before there is a landscape.
    #[must_use]
    pub fn take(&self, scene: &Scene, shot: render::Shot) -> Option<Taking> {
        let made = self.landscape.as_ref()?;
        let scene = stale::shown(made, scene);
        Some(Taking::exposure(shot, scene, RESTING_LIMIT))
    }

    /// Begins to take the picture on screen, which must stay there: `None` until it is the one
    /// to be saved.
    pub fn take_shown(&mut self) -> Option<Taking> {
        let drawn = self.drawn.as_mut().filter(|_| !self.stale)?;
        let ready = std::mem::take(&mut drawn.saved) && drawn.step == 0;
        ready.then(|| Taking::reading(drawn.size, drawn.scene.clone()))
    }

    /// Goes on taking a picture, while the landscape is as it was; returns it once it is done.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn go_on_taking(
        &mut self,
        facade: &impl Facade,
        taking: &mut Taking,
    ) -> Result<Option<Shot>, RenderError> {
        taking.go_on(facade, &mut self.renderer)
    }
}
