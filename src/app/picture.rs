//! The picture of the landscape in the window: drawn again only when something in it changed,
//! so that moving the mouse over the panel costs nothing but the panel. While something moves it
//! may be a cheaper one, as [`Pace`] says; at rest it is what a render of the scene is.

use std::time::{Duration, Instant};

use glium::backend::Facade;
use glium::{BlitTarget, Surface};

use crate::app::pace::{Pace, REST, STEPS};
use crate::export::PictureRequest;
use crate::grid::Grid;
use crate::pipeline::Landscape;
use crate::render::{self, Exposure, RenderError, Renderer};
use crate::scene::{RenderType, Scene};

/// The renderer, and what it drew last.
pub struct Picture {
    renderer: Renderer,
    /// The scene of the landscape that the renderer holds.
    landscape: Option<Scene>,
    drawn: Option<Drawn>,
    /// Whether the landscape is another one than was drawn.
    stale: bool,
    /// When something in the picture changed last.
    moved: Option<Instant>,
    pace: Pace,
    /// The render type whose cheaper pictures the driver is ready for.
    warm: Option<RenderType>,
    /// The step of the picture of this frame, if it was drawn in this frame.
    fresh: Option<usize>,
    /// Time that the last drawing took.
    pub draw_time: Duration,
}

/// The picture there is.
struct Drawn {
    /// What was asked for.
    scene: Scene,
    size: (u32, u32),
    /// How it was drawn, a place in [`STEPS`].
    step: usize,
}

/// Pixels, top row first, sRGB.
pub enum Pixels {
    /// As they are on screen.
    Opaque(Grid<[u8; 3]>),
    /// Taken for a file, as asked.
    Taken(Grid<[u8; 4]>, PictureRequest),
}

/// A picture being taken, a piece a frame, so that the window goes on.
pub struct Taking {
    exposure: Exposure,
    rows: Vec<[u8; 4]>,
    scene: Scene,
}

impl Taking {
    /// Part of it that is done, 0…1.
    pub fn progress(&self) -> f32 {
        self.exposure.progress()
    }
}

/// A picture as it is saved.
pub struct Shot {
    /// Its pixels.
    pub pixels: Pixels,
    /// The scene that it shows.
    pub scene: Scene,
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
            drawn: None,
            stale: false,
            moved: None,
            pace: Pace::default(),
            warm: None,
            fresh: None,
            draw_time: Duration::ZERO,
        })
    }

    /// Takes another landscape over to the graphics card.
    ///
    /// # Errors
    /// The driver has no memory for it.
    pub fn update(
        &mut self,
        facade: &impl Facade,
        landscape: &Landscape,
    ) -> Result<(), RenderError> {
        self.stale = true;
        self.renderer.update(facade, landscape)?;
        self.landscape = Some(landscape.scene.clone());
        Ok(())
    }

    /// Draws the picture at that size if it is not drawn yet. `scene` is as the user has set
    /// it; what is still being made of it is drawn as it was made last. With `automatic` a
    /// cheaper picture may stand in while something moves; returned is then when to draw again.
    ///
    /// # Errors
    /// The driver refuses, for one because the size is beyond it.
    pub fn draw(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
        automatic: bool,
    ) -> Result<Option<Duration>, RenderError> {
        let Some(made) = &self.landscape else {
            return Ok(None);
        };
        let wanted = shown_scene(made, scene);
        let started = Instant::now();
        let drawn = self.drawn.as_ref().filter(|_| !self.stale);
        let drawn = drawn.filter(|drawn| drawn.scene == wanted && drawn.size == size);
        let drawn_step = drawn.map(|drawn| drawn.step);
        if drawn_step.is_none() && self.is_drawn() {
            self.moved = Some(started);
        }
        let until_rest = self
            .moved
            .and_then(|at| (at + REST).checked_duration_since(started));
        let step = match until_rest {
            Some(_) if automatic => self.pace.step(),
            _ => 0,
        };
        let is_warm = !automatic || self.warm == Some(wanted.view.render_type);
        let again = |step: usize| match is_warm {
            true => until_rest.filter(|_| step > 0),
            false => Some(Duration::ZERO),
        };
        if let Some(drawn_step) = drawn_step.filter(|drawn_step| *drawn_step <= step) {
            let again = again(drawn_step);
            if !is_warm {
                // There is a picture, so nobody waits for this.
                let (cheaper, _) = STEPS[1].applied(&wanted, size);
                self.renderer.warm_up(facade, &cheaper)?;
                self.warm = Some(wanted.view.render_type);
            }
            return Ok(again);
        }
        let (reduced, pixels) = STEPS[step].applied(&wanted, size);
        self.renderer.draw(facade, &reduced, pixels)?;
        self.draw_time = started.elapsed();
        self.drawn = Some(Drawn {
            scene: wanted,
            size,
            step,
        });
        (self.stale, self.fresh) = (false, Some(step));
        Ok(again(step))
    }

    /// Takes note of how long a frame took from before the picture was drawn until it was on
    /// screen, if one was.
    pub fn note_frame(&mut self, time: Duration) {
        if let Some(step) = self.fresh.take() {
            self.pace.note(step, time);
        }
    }

    /// By how much the ground is drawn coarser than the scene says, and the part of the pixels
    /// along each side; `None` if the picture is as the scene says.
    pub fn reduced(&self) -> Option<(f32, f32)> {
        let step = self.drawn.as_ref()?.step;
        (step > 0).then(|| (STEPS[step].coarser, STEPS[step].scale))
    }

    /// Whether there is a picture.
    pub fn is_drawn(&self) -> bool {
        self.drawn.is_some()
    }

    /// Copies the picture to a part of the window.
    pub fn present(&self, target: &mut impl Surface, rect: BlitTarget) {
        self.renderer.present(target, rect);
    }

    /// The picture on screen; `None` before the first.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn read(&self, facade: &impl Facade) -> Result<Option<Shot>, RenderError> {
        let Some(drawn) = &self.drawn else {
            return Ok(None);
        };
        Ok(Some(Shot {
            pixels: Pixels::Opaque(self.renderer.read_picture(facade)?),
            scene: drawn.scene.clone(),
        }))
    }

    /// Begins to take the picture on screen as `shot` says; `None` before the first.
    pub fn take(&self, shot: render::Shot) -> Option<Taking> {
        let Drawn { scene, .. } = self.drawn.as_ref()?;
        Some(Taking {
            exposure: Exposure::new(shot),
            rows: Vec::new(),
            scene: scene.clone(),
        })
    }

    /// Goes on taking a picture, while the landscape is as it was; returns it once it is done.
    ///
    /// # Errors
    /// The driver refuses.
    pub fn go_on(
        &mut self,
        facade: &impl Facade,
        taking: &mut Taking,
    ) -> Result<Option<Shot>, RenderError> {
        let Taking {
            exposure,
            rows,
            scene,
        } = taking;
        if let Some(band) = exposure.step(&mut self.renderer, facade, scene)? {
            rows.extend_from_slice(band.as_slice());
        }
        if !exposure.is_done() {
            return Ok(None);
        }
        let shot = exposure.shot();
        let (width, height) = shot.size;
        let request = PictureRequest {
            size: shot.size,
            samples: shot.samples,
            transparent: shot.transparent,
        };
        let pixels = Grid::from_vec(height as usize, width as usize, std::mem::take(rows));
        Ok(pixels.map(|pixels| Shot {
            pixels: Pixels::Taken(pixels, request),
            scene: scene.clone(),
        }))
    }
}

/// The scene on screen: what takes time to make as it was made last, the rest as it is now.
fn shown_scene(made: &Scene, now: &Scene) -> Scene {
    let mut shown = now.clone();
    shown.surface = made.surface.clone();
    shown.teximage = made.teximage.clone();
    shown.clouds = made.clouds.clone();
    // Light is baked into the texture when the renderer takes a landscape over.
    shown.light = made.light.clone();
    shown.view.render_type = made.view.render_type;
    shown.view.palette = made.view.palette.clone();
    shown.view.pass = made.view.pass;
    shown
}

/// Whether the landscape of `made` is also that of `now`, so that nothing needs making.
pub fn same_landscape(made: &Scene, now: &Scene) -> bool {
    let has_relief = made.needs_relief() || !now.needs_relief();
    has_relief && shown_scene(made, now) == *now
}
