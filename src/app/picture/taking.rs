//! A picture for a file, taken a step at a time between events.

use std::time::Duration;

use glium::backend::Facade;

use crate::export::PictureRequest;
use crate::grid::Grid;
use crate::render::{Exposure, RenderError, Renderer, Shot};
use crate::scene::Scene;

/// Pixels read from the driver at once.
const READ_AT_ONCE: u32 = 1 << 20;

/// Pixels, top row first, sRGB.
pub struct Pixels {
    /// Size, samples a pixel, and whether alpha counts.
    pub request: PictureRequest,
    /// Bands of rows.
    pub bands: Vec<Grid<[u8; 4]>>,
}

/// A picture that is taken, as it is saved.
pub struct Taken {
    /// Its pixels.
    pub pixels: Pixels,
    /// The scene that it shows.
    pub scene: Scene,
}

/// A picture being taken, so that the window goes on.
pub struct Taking {
    source: Source,
    size: (u32, u32),
    bands: Vec<Grid<[u8; 4]>>,
    scene: Scene,
}

/// Where its pixels come from.
enum Source {
    /// They are drawn.
    Exposure(Box<Exposure>),
    /// They are read from the picture on screen, of which so many rows are there.
    Reading(u32),
}

impl Taking {
    /// A picture drawn as `shot` says, in steps of about `limit`.
    pub(super) fn exposure(shot: Shot, scene: Scene, limit: Duration) -> Self {
        Self {
            source: Source::Exposure(Box::new(Exposure::new(shot).in_steps_of(limit))),
            size: shot.size,
            bands: Vec::new(),
            scene,
        }
    }

    /// The picture on screen, which must stay there until it is taken.
    pub(super) fn reading(size: (u32, u32), scene: Scene) -> Self {
        Self {
            source: Source::Reading(0),
            size,
            bands: Vec::new(),
            scene,
        }
    }

    /// The part of it that is done, 0…1.
    #[must_use]
    pub fn progress(&self) -> f32 {
        match &self.source {
            Source::Exposure(exposure) => exposure.progress(),
            Source::Reading(rows) => *rows as f32 / self.size.1 as f32,
        }
    }

    /// Whether the picture on screen must stay as it is.
    #[must_use]
    pub fn holds_screen(&self) -> bool {
        matches!(self.source, Source::Reading(_))
    }

    /// Takes the next step; returns the picture once all of it is there.
    pub(super) fn go_on(
        &mut self,
        facade: &impl Facade,
        renderer: &mut Renderer,
    ) -> Result<Option<Taken>, RenderError> {
        let (done, samples, transparent) = match &mut self.source {
            Source::Exposure(exposure) => {
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
