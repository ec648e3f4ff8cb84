//! From a surface to its heights: the whole map, a decimated map for pictures, or row by row.

use std::sync::atomic::{AtomicU64, Ordering};

use super::diamond_square::Own;
use super::request::buffer;
use super::{
    Detail, GenerateError, Generator, Images, MAX_ITERATIONS, MAX_ITERATIONS_IN_MEMORY,
    MAX_ITERATIONS_STREAMED, MOST_SHOWN, Request, Surface, diamond_square,
};
use crate::fractal::function::Function;
use crate::fractal::refinement::Refinement;
use crate::fractal::{Edges, Subdivision};
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Number of rows of a decimated map that a thread makes in one go.
const BAND_ROWS: usize = 64;

impl Surface {
    /// Generate the height map, in half tiles. The result depends on `self` and the images alone, not
    /// on the number of threads of the current rayon pool. `reuse` is a buffer whose memory may be used.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, there is not enough memory, or the job was
    /// cancelled.
    pub fn generate(
        &self,
        images: &Images,
        job: &Job,
        reuse: Option<Heights>,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(MAX_ITERATIONS_IN_MEMORY)?;
        let map = self
            .chosen()
            .generate(&Request::new(self, images, job, reuse))?;
        Ok(map.checked()?)
    }

    /// Generate the map for pictures. It equals [`Surface::generate`], except for a map with more than
    /// [`MOST_SHOWN`] samples a side whose rows can stream: of it only every second, fourth … sample is
    /// made, so that the whole map is never in memory.
    ///
    /// # Errors
    /// The same as those of [`Surface::generate`].
    pub fn generate_shown(
        &self,
        images: &Images,
        job: &Job,
        reuse: Option<Heights>,
    ) -> Result<Heightmap, GenerateError> {
        self.validate(MAX_ITERATIONS_IN_MEMORY)?;
        match self.subdivision(images, job)? {
            Some(subdivision) if self.shown_stride() > 1 => {
                thinned(&subdivision, self.shown_stride(), job, reuse)
            }
            _ => self.generate(images, job, reuse),
        }
    }

    /// Decimation of [`Surface::generate_shown`]: the distance between its samples along each side, in
    /// samples of the full map: 1, 2, 4 …
    #[must_use]
    pub fn shown_stride(&self) -> usize {
        if self.generator == Generator::DiamondSquare {
            ((1usize << self.iterations) / (MOST_SHOWN - 1)).max(1)
        } else {
            1
        }
    }

    /// Surface as a [`Subdivision`], whose rows can be made one by one without the whole map in memory;
    /// `None` for generators that need the whole map.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, or the job was cancelled.
    pub fn subdivision(
        &self,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        self.subdivision_below(&Detail::default(), 0, images, job)
    }

    /// Surface as in [`Surface::subdivision`], with `levels` finer levels. With default detail settings
    /// this is the map with as many more iterations.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, or the job was cancelled.
    pub fn subdivision_below(
        &self,
        detail: &Detail,
        levels: u32,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        self.deeper(detail, levels, MAX_ITERATIONS_STREAMED, images, job)
    }

    /// Surface as in [`Surface::subdivision_below`], for a map of up to [`MAX_ITERATIONS`] iterations that
    /// is evaluated in rectangles.
    ///
    /// # Errors
    /// A setting is out of range, an input is missing, or the job was cancelled.
    pub fn refinement(
        &self,
        detail: &Detail,
        levels: u32,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Refinement>, GenerateError> {
        let subdivision = self.deeper(detail, levels, MAX_ITERATIONS, images, job)?;
        let single_to = detail.single_to(self.iterations, levels);
        Ok(subdivision.map(|subdivision| Refinement::of(subdivision, single_to)))
    }

    /// Continuous function behind the samples, for generators that have one; it is defined at every
    /// depth.
    ///
    /// # Errors
    /// The expression is not a formula.
    ///
    /// # Panics
    /// A setting of the generator is out of range.
    pub fn function(&self, detail: &Detail) -> Result<Option<Function>, GenerateError> {
        self.chosen().function(self, detail)
    }

    fn deeper(
        &self,
        detail: &Detail,
        levels: u32,
        most: u32,
        images: &Images,
        job: &Job,
    ) -> Result<Option<Subdivision>, GenerateError> {
        let deeper = Self {
            iterations: self.iterations.saturating_add(levels),
            ..self.clone()
        };
        deeper.validate(most)?;
        if self.generator != Generator::DiamondSquare {
            return Ok(None);
        }
        let hurst = detail.hurst.unwrap_or(self.hurst);
        let goes_on = (hurst, detail.strength) == (self.hurst, 1.0);
        let own = Own {
            from: self.iterations,
            hurst,
            strength: detail.strength,
        };
        let own = (!goes_on && levels > 0).then_some(own);
        let request = Request::new(&deeper, images, job, None);
        diamond_square::subdivision(&self.diamond_square, &request, own).map(Some)
    }
}

/// Evaluate every `stride`-th sample of every `stride`-th row.
fn thinned(
    subdivision: &Subdivision,
    stride: usize,
    job: &Job,
    reuse: Option<Heights>,
) -> Result<Heightmap, GenerateError> {
    let side = (subdivision.side() - 1) / stride + 1;
    let mut heights = buffer(reuse, side * side)?;
    let done = AtomicU64::new(0);
    parallel::par_items(heights.chunks_mut(BAND_ROWS * side)).try_each(|band, thin| {
        let first = band * BAND_ROWS * stride;
        let last = first + (thin.len() / side - 1) * stride;
        let mut rows = subdivision.rows(first..last + 1);
        for thin_row in thin.chunks_exact_mut(side) {
            job.check()?;
            if let Some(row) = rows.next_row() {
                for (height, source) in thin_row.iter_mut().zip(row.iter().step_by(stride)) {
                    *height = *source;
                }
            }
            for _ in 1..stride {
                rows.next_row();
            }
            job.advance(done.fetch_add(1, Ordering::Relaxed) + 1, side as u64);
        }
        Ok::<(), Cancelled>(())
    })?;
    let wraps = subdivision.rule.edges == Edges::Wrap;
    Ok(Heightmap::new(side, side, wraps, heights).checked()?)
}
