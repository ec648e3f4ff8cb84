//! `image`: a grey image as a heightfield. Its lowest value becomes `input_low`, its highest
//! `input_high`, both times the height scale. Resampling is bilinear.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Generate, GenerateError, Request, Surface};
use crate::generate::rows::{Progress, each_row};
use crate::terrain::grid::Edge;
use crate::terrain::heightmap::Heightmap;
use crate::util::param::{Param, Params, choice, choice_param};

choice! {
    /// Number of samples of the image's map.
    pub enum Size: "image size" {
        #[default]
        Native = "native", "One sample per pixel: the image as it is.";
        Resampled = "resampled", "(2^iterations + 1)² samples, bilinear; for a model in metres that many along its longer side.";
    }
}

/// Options of `image`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ImageOptions {
    /// Number of samples of the map; default `native`.
    pub size: Size,
}

impl Params for ImageOptions {
    const KEPT: &'static [&'static str] = &["size"];

    const PARAMS: &'static [Param<Self>] =
        &[choice_param!(size: Size, "Size", "How many samples the map has.")];
}

impl ImageOptions {
    /// Rows and columns of the map of an image with so many.
    #[must_use]
    pub fn map_size(&self, surface: &Surface, [rows, columns]: [usize; 2]) -> [usize; 2] {
        let side = (1usize << surface.iterations) + 1;
        match self.size {
            Size::Native => [rows, columns],
            Size::Resampled if surface.keeps_its_metres() => {
                let longer = rows.max(columns).max(2) - 1;
                let part = |count: usize| (count.max(1) - 1) as f64 / longer as f64;
                [rows, columns].map(|count| (part(count) * (side - 1) as f64).round() as usize + 1)
            }
            Size::Resampled => [side; 2],
        }
    }
}

impl Generate for ImageOptions {
    /// Resample the image. Edges are free, since images seldom tile. Samples without data stay marked.
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let (image, job) = (request.input_heights()?, request.job);
        let [rows, columns] = self.map_size(request.surface, [image.rows(), image.columns()]);
        let mut heights = request.buffer(rows * columns)?;
        // Steps are exact fractions, so an image of the same size keeps its bits.
        let step = |from: usize, to: usize| {
            from.saturating_sub(1) as f64 / to.saturating_sub(1).max(1) as f64
        };
        let longer = step(image.rows().max(image.columns()), rows.max(columns));
        let (down, across) = if request.surface.keeps_its_metres() {
            (longer, longer)
        } else {
            (step(image.rows(), rows), step(image.columns(), columns))
        };
        let valid = request.images.of(request.surface)?.valid.as_ref();
        let valid = valid.map(|valid| {
            if self.size == Size::Native {
                return Arc::clone(valid);
            }
            let nearest = |count: usize, step: f64, of: usize| -> Vec<usize> {
                let at = |index: usize| ((index as f64 * step).round() as usize).min(of - 1);
                (0..count).map(at).collect()
            };
            let rows = nearest(rows, down, image.rows());
            let columns = nearest(columns, across, image.columns());
            Arc::new(valid.picked(&rows, &columns))
        });
        let progress = Progress::new(job, rows as u64);
        let (width, start) = (columns.max(1), || ());
        each_row(&mut heights, width, 16, start, |(), row, heights| {
            progress.advance(1)?;
            if self.size == Size::Native {
                heights.copy_from_slice(image.row(row));
                return Ok(());
            }
            for (column, height) in heights.iter_mut().enumerate() {
                *height = image.bilinear(row as f64 * down, column as f64 * across, Edge::Clamp);
            }
            Ok(())
        })?;
        progress.finish();
        Ok(Heightmap::new(rows, columns, false, heights).with_valid(valid))
    }

    fn has_hurst(&self) -> bool {
        false
    }

    fn takes_image(&self) -> bool {
        true
    }
}
