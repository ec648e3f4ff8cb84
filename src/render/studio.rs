//! Pictures without a display, start to finish.

use super::error::RenderError;
use super::exposure::{Exposure, Shot};
use super::headless::Headless;
use super::renderer::Renderer;
use crate::grid::Grid;
use crate::job::{Cancelled, Job};
use crate::pipeline::Landscape;
use crate::scene::Camera;

/// Where pictures are taken, one after the other.
pub struct Studio {
    headless: Headless,
    renderer: Renderer,
}

impl Studio {
    /// Opens it.
    ///
    /// # Errors
    /// No OpenGL 3.3.
    pub fn new() -> Result<Self, RenderError> {
        let headless = Headless::new()?;
        let renderer = Renderer::new(headless.facade())?;
        Ok(Self { headless, renderer })
    }

    /// A picture of `landscape`, start to finish: top row first, sRGB; whatever was there before.
    ///
    /// # Errors
    /// A size that the driver cannot hold.
    pub fn picture(
        &mut self,
        landscape: &Landscape,
        size: (u32, u32),
    ) -> Result<Grid<[u8; 3]>, RenderError> {
        let facade = self.headless.facade();
        self.renderer.update(facade, landscape)?;
        self.renderer.draw(facade, &landscape.scene, size)?;
        self.renderer.read_picture()
    }

    /// A picture of `landscape` seen by `camera`, taken as `shot` says: hands `take` the rows from
    /// top to bottom, sRGB and alpha, and tells `job` how much is done. Memory for one band of
    /// rows is enough, whatever the size.
    ///
    /// # Errors
    /// A size that the driver cannot draw even in pieces; what `take` says; cancelled.
    pub fn expose<E: From<RenderError> + From<Cancelled>>(
        &mut self,
        landscape: &Landscape,
        camera: &Camera,
        shot: Shot,
        job: &Job,
        mut take: impl FnMut(&Grid<[u8; 4]>) -> Result<(), E>,
    ) -> Result<(), E> {
        let facade = self.headless.facade();
        self.renderer.update(facade, landscape)?;
        let mut scene = landscape.scene.clone();
        scene.camera = camera.clone();
        let mut exposure = Exposure::new(shot);
        while !exposure.is_done() {
            job.check()?;
            if let Some(band) = exposure.step(&mut self.renderer, facade, &scene)? {
                take(&band)?;
            }
            job.advance((exposure.progress() * 1000.0) as u64, 1000);
        }
        Ok(())
    }
}

/// One picture of `landscape`.
///
/// # Errors
/// No OpenGL 3.3, or a size that the driver cannot hold.
pub fn picture(landscape: &Landscape, size: (u32, u32)) -> Result<Grid<[u8; 3]>, RenderError> {
    Studio::new()?.picture(landscape, size)
}
