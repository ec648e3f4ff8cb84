//! Headless renderer: complete pictures without a display.

use super::error::RenderError;
use super::headless::Headless;
use super::renderer::Renderer;
use super::tiled_render::{RenderRequest, TiledRender};
use crate::pipeline::Landscape;
use crate::scene::Camera;
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};

/// Headless renderer for one picture after another.
pub struct HeadlessRenderer {
    headless: Headless,
    renderer: Renderer,
}

impl HeadlessRenderer {
    /// Open a headless context.
    ///
    /// # Errors
    /// No OpenGL 3.3.
    pub fn new() -> Result<Self, RenderError> {
        let headless = Headless::new()?;
        let renderer = Renderer::new(headless.facade())?;
        Ok(Self { headless, renderer })
    }

    /// Draw a complete picture of `landscape`: top row first, sRGB. Earlier contents are replaced.
    ///
    /// # Errors
    /// The driver does not support the size.
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

    /// Draw a picture of `landscape` from `camera` with the options of `shot`. Passes bands of rows to `take`
    /// from top to bottom, sRGB and alpha, and reports progress to `job`. Memory for one band suffices at any
    /// size.
    ///
    /// # Errors
    /// The driver cannot draw the size even in pieces, `take` returns an error, or the job is cancelled.
    pub fn expose<E: From<RenderError> + From<Cancelled>>(
        &mut self,
        landscape: &Landscape,
        camera: &Camera,
        shot: RenderRequest,
        job: &Job,
        mut take: impl FnMut(&Grid<[u8; 4]>) -> Result<(), E>,
    ) -> Result<(), E> {
        let facade = self.headless.facade();
        self.renderer.update(facade, landscape)?;
        let mut scene = landscape.scene.clone();
        scene.camera = camera.clone();
        let mut exposure = TiledRender::new(shot);
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

/// Draw one picture of `landscape`.
///
/// # Errors
/// No OpenGL 3.3, or the driver does not support the size.
pub fn picture(landscape: &Landscape, size: (u32, u32)) -> Result<Grid<[u8; 3]>, RenderError> {
    HeadlessRenderer::new()?.picture(landscape, size)
}
