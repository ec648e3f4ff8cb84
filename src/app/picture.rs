//! The picture of the landscape in the window: drawn again only when something in it changed,
//! so that moving the mouse over the panel costs nothing but the panel.

use std::time::{Duration, Instant};

use glium::backend::Facade;
use glium::{BlitTarget, Surface};

use crate::grid::Grid;
use crate::pipeline::Landscape;
use crate::render::{self, Exposure, RenderError, Renderer};
use crate::scene::Scene;

/// The renderer, and what it drew last.
pub struct Picture {
    renderer: Renderer,
    /// The scene of the landscape that the renderer holds.
    landscape: Option<Scene>,
    drawn: Option<(Scene, (u32, u32))>,
    /// Time that the last drawing took.
    pub draw_time: Duration,
}

/// Pixels, top row first, sRGB.
pub enum Pixels {
    /// As they are on screen.
    Opaque(Grid<[u8; 3]>),
    /// Taken for a file, and whether alpha counts.
    Taken(Grid<[u8; 4]>, bool),
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
        self.drawn = None;
        self.renderer.update(facade, landscape)?;
        self.landscape = Some(landscape.scene.clone());
        Ok(())
    }

    /// Draws the picture at that size if it is not drawn yet. `scene` is as the user has set
    /// it; what is still being made of it is drawn as it was made last.
    ///
    /// # Errors
    /// The driver refuses, for one because the size is beyond it.
    pub fn draw(
        &mut self,
        facade: &impl Facade,
        scene: &Scene,
        size: (u32, u32),
    ) -> Result<(), RenderError> {
        let Some(made) = &self.landscape else {
            return Ok(());
        };
        let wanted = (shown_scene(made, scene), size);
        if self.drawn.as_ref() == Some(&wanted) {
            return Ok(());
        }
        let started = Instant::now();
        self.renderer.draw(facade, &wanted.0, size)?;
        self.draw_time = started.elapsed();
        self.drawn = Some(wanted);
        Ok(())
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
        let Some((scene, _)) = &self.drawn else {
            return Ok(None);
        };
        Ok(Some(Shot {
            pixels: Pixels::Opaque(self.renderer.read_picture(facade)?),
            scene: scene.clone(),
        }))
    }

    /// Begins to take the picture on screen as `shot` says; `None` before the first.
    pub fn take(&self, shot: render::Shot) -> Option<Taking> {
        let (scene, _) = self.drawn.as_ref()?;
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
        let pixels = Grid::from_vec(height as usize, width as usize, std::mem::take(rows));
        Ok(pixels.map(|pixels| Shot {
            pixels: Pixels::Taken(pixels, shot.transparent),
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
