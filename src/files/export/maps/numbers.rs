//! Rows of a scalar map, such as slope, for the heightfield formats.

use std::io;

use super::relief::each_band;
use crate::files::export::excerpt::Excerpt;
use crate::files::export::row_source::RowSource;
use crate::fractal::rows::StreamError;
use crate::generate::GenerateError;
use crate::scene::Scene;
use crate::shading::maps::{Map, Relief};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};

/// Rows of a scalar map, derived from the heights as often as they are read.
#[derive(Clone, Copy, Debug)]
pub struct MapRows<'a> {
    excerpt: Excerpt<'a>,
    map: &'static Map,
    scene: &'a Scene,
}

impl<'a> MapRows<'a> {
    /// Rows of `map` for these heights, in the scene's light.
    pub fn new(excerpt: Excerpt<'a>, map: &'static Map, scene: &'a Scene) -> Self {
        Self {
            excerpt,
            map,
            scene,
        }
    }
}

impl RowSource for MapRows<'_> {
    fn rows(&self) -> usize {
        self.excerpt.rows()
    }

    fn columns(&self) -> usize {
        self.excerpt.columns()
    }

    fn each_row(
        &self,
        job: &Job,
        sink: &mut dyn FnMut(&[f32]) -> io::Result<()>,
    ) -> Result<(), StreamError> {
        let Scene { light, surface, .. } = self.scene;
        let mut each = |relief: &Relief<'_>| -> Result<(), Failed> {
            // The caller takes only scalar maps here.
            let Some(band) = self.map.numbers(relief, light, job) else {
                return Ok(());
            };
            let band: Heightmap = band.map_err(GenerateError::from)?;
            (0..band.rows()).try_for_each(|row| {
                job.check().map_err(GenerateError::from)?;
                Ok(sink(band.row(row))?)
            })
        };
        let rows = each_band(&self.excerpt, surface.tile_size_m, job, &mut each);
        rows.map_err(|Failed(error)| error)
    }
}

/// Error that ended a stream of rows.
struct Failed(StreamError);

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self(error.into())
    }
}

impl From<GenerateError> for Failed {
    fn from(_: GenerateError) -> Self {
        // A valid scene can fail here only by cancellation.
        Self(Cancelled.into())
    }
}
