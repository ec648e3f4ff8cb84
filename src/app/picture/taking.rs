//! Rendering or readback of an image for a file, in small steps between events.

use std::time::Duration;

use glium::backend::Facade;

use crate::files::export::PictureRequest;
use crate::render::{RenderError, RenderRequest, Renderer, TiledRender};
use crate::scene::Scene;
use crate::terrain::grid::Grid;

/// Number of pixels read back from the driver in one step.
const READ_AT_ONCE: u32 = 1 << 20;

/// Pixels of an image in sRGB, top row first.
pub struct Pixels {
    /// Size, samples per pixel, and whether the alpha channel is used.
    pub request: PictureRequest,
    /// Consecutive bands of rows.
    pub bands: Vec<Grid<[u8; 4]>>,
}

/// Finished image for a file.
pub struct Taken {
    /// Pixels of the image.
    pub pixels: Pixels,
    /// Scene of the image.
    pub scene: Scene,
}

/// Image being rendered or read back; the window stays responsive meanwhile.
pub struct Taking {
    source: Source,
    size: (u32, u32),
    bands: Vec<Grid<[u8; 4]>>,
    scene: Scene,
}

/// Source of the pixels.
enum Source {
    /// Rendering.
    TiledRender(Box<TiledRender>),
    /// Readback of the image on screen, with the number of rows read so far.
    Reading(u32),
}

impl Taking {
    /// Begin to render an image with the settings of `shot`, in steps of about `limit`.
    pub(super) fn exposure(shot: RenderRequest, scene: Scene, limit: Duration) -> Self {
        Self {
            source: Source::TiledRender(Box::new(TiledRender::new(shot).in_steps_of(limit))),
            size: shot.size,
            bands: Vec::new(),
            scene,
        }
    }

    /// Begin to read back the image on screen, which must not be replaced meanwhile.
    pub(super) fn reading(size: (u32, u32), scene: Scene) -> Self {
        Self {
            source: Source::Reading(0),
            size,
            bands: Vec::new(),
            scene,
        }
    }

    /// Completed part, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        match &self.source {
            Source::TiledRender(exposure) => exposure.progress(),
            Source::Reading(rows) => *rows as f32 / self.size.1 as f32,
        }
    }

    /// True if the image on screen must not be replaced.
    #[must_use]
    pub fn holds_screen(&self) -> bool {
        matches!(self.source, Source::Reading(_))
    }

    /// Do the next step. Returns the image once it is complete.
    pub(super) fn go_on(
        &mut self,
        facade: &impl Facade,
        renderer: &mut Renderer,
    ) -> Result<Option<Taken>, RenderError> {
        let (done, samples, transparent) = match &mut self.source {
            Source::TiledRender(exposure) => {
                let band = exposure.step(renderer, facade, &self.scene)?;
                self.bands.extend(band);
                let shot = exposure.shot();
                (exposure.is_done(), shot.samples, shot.transparent)
            }
            Source::Reading(rows) => {
                let (width, height) = self.size;
                let count = (READ_AT_ONCE / width).clamp(1, height - *rows);
                self.bands.push(renderer.read_rows(*rows, count)?);
                *rows += count;
                (*rows >= height, 1, false)
            }
        };
        Ok(done.then(|| Taken {
            pixels: Pixels {
                request: PictureRequest {
                    size: self.size,
                    samples,
                    transparent,
                },
                bands: std::mem::take(&mut self.bands),
            },
            scene: self.scene.clone(),
        }))
    }
}
