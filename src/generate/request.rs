//! Interface of generators, and their inputs besides their own options: shared settings, images, job and
//! buffer.

use super::{Detail, GenerateError, Images, Surface};
use crate::fractal::function::Function;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::{EMPTY_RANGE, range};
use crate::util::parallel;

/// Options of a generator, which make a map.
pub(super) trait Generate {
    /// Generate the height map, in half tiles.
    ///
    /// # Errors
    /// An input is missing, there is not enough memory, or the job was cancelled.
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError>;

    /// Continuous function behind the samples of `surface`; `None` if there is none.
    ///
    /// # Errors
    /// The expression is not a formula.
    fn function(&self, _: &Surface, _: &Detail) -> Result<Option<Function>, GenerateError> {
        Ok(None)
    }

    /// True if the Hurst exponent has an effect.
    fn has_hurst(&self) -> bool {
        true
    }

    /// True if the input image has an effect.
    fn takes_image(&self) -> bool {
        false
    }

    /// True if the map goes through fixed points: pins, and heights from a formula or an image.
    fn takes_known_points(&self) -> bool {
        false
    }
}

/// Inputs of a generator besides its own options.
pub(super) struct Request<'a> {
    /// Settings that all generators share: seed, iterations, H, height scale, input.
    pub(super) surface: &'a Surface,
    /// Loaded images of the scene.
    pub(super) images: &'a Images,
    /// Job for cancelling and progress.
    pub(super) job: &'a Job,
    /// Buffer that can be filled instead of a new one.
    reuse: std::cell::Cell<Option<Heights>>,
}

impl<'a> Request<'a> {
    /// Create a request for `surface`; `reuse` is a buffer that can be filled.
    pub(super) fn new(
        surface: &'a Surface,
        images: &'a Images,
        job: &'a Job,
        reuse: Option<Heights>,
    ) -> Self {
        Self {
            surface,
            images,
            job,
            reuse: reuse.into(),
        }
    }

    /// Buffer of `count` heights with unspecified contents: the reused one if it fits.
    ///
    /// # Errors
    /// There is not enough memory.
    pub(super) fn buffer(&self, count: usize) -> Result<Heights, GenerateError> {
        buffer(self.reuse.take(), count)
    }

    /// Input image in half tiles: scaled to `input_low…input_high` times the height scale.
    ///
    /// # Errors
    /// The surface names no image, or the image was not loaded.
    pub(super) fn input_heights(&self) -> Result<Grid<f32>, GenerateError> {
        let surface = self.surface;
        let image = &self.images.of(surface)?.grid;
        let scale = surface.input_scale();
        const PART: usize = 1 << 16;
        let pixels = image.as_slice();
        let ranges = parallel::par_items(pixels.chunks(PART))
            .try_map(|_, part| self.job.check().map(|()| range(part)))?;
        let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
        let (low, high) = ranges.into_iter().fold(EMPTY_RANGE, wider);
        // Heights that need no scaling keep their last bit.
        let as_it_is = (low, high) == (surface.input_low, surface.input_high);
        let span = if high > low { high - low } else { 1.0 };
        let mut heights = Grid::filled(image.rows(), image.columns(), 0.0);
        let parts = heights.as_mut_slice().chunks_mut(PART);
        parallel::par_items(parts.zip(pixels.chunks(PART))).try_each(|_, (heights, pixels)| {
            self.job.check()?;
            for (height, pixel) in heights.iter_mut().zip(pixels) {
                let scaled = match (*pixel - low) / span {
                    1.0 => surface.input_high,
                    t => surface.input_low + (surface.input_high - surface.input_low) * t,
                };
                *height = if as_it_is { *pixel } else { scaled } * scale;
            }
            Ok::<(), Cancelled>(())
        })?;
        Ok(heights)
    }
}

/// Buffer of `count` heights with unspecified contents: the reused one if it fits.
pub(super) fn buffer(reuse: Option<Heights>, count: usize) -> Result<Heights, GenerateError> {
    match reuse {
        Some(heights) if heights.len() == count => Ok(heights),
        _ => Heights::zeros(count).ok_or(GenerateError::OutOfMemory {
            bytes: count as u64 * 4,
        }),
    }
}
