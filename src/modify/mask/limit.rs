//! Blending of a step's result with the map before it, by mask and strength.

use std::sync::Arc;

use super::MaskError;
use super::source::{FillRow, Quantity};
use super::span::{Share, Span};
use crate::terrain::heightmap::{Heightmap, Heights, Worn};
use crate::terrain::means::{Filter, filter};
use crate::terrain::neighbours::Relief;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::metres_per_unit;
use crate::util::parallel;

/// Mask over the land before a step, with the strength of the step.
pub struct Limit<'a> {
    pub(super) before: &'a Heightmap,
    pub(super) quantity: Box<dyn Quantity + 'a>,
    pub(super) span: Span,
    pub(super) share: Share,
    pub(super) tile_size_m: f32,
    pub(super) job: Job,
}

/// Precomputed weights of all samples.
struct Weights {
    weights: Heights,
    columns: usize,
}

impl Quantity for Weights {
    fn rows(&self) -> FillRow<'_> {
        Box::new(|row, _, out| {
            out.copy_from_slice(&self.weights[row * self.columns..][..self.columns]);
        })
    }
}

impl Limit<'_> {
    /// Smooth the weights of the mask by a Gaussian of a radius in metres, so that no sample is isolated.
    /// Weights of 0 and 1 stay exact if all around are the same. Cost: two passes over the map, and 4 bytes a
    /// sample.
    ///
    /// # Errors
    /// There is not enough memory, or the job was cancelled.
    pub fn smoothed(mut self, radius_m: f32) -> Result<Self, MaskError> {
        let map = self.before;
        let spacing = f64::from(map.spacing()) * metres_per_unit(self.tile_size_m);
        // A radius beyond the whole map changes nothing more.
        let radius = (f64::from(radius_m) / spacing).min(map.rows().max(map.columns()) as f64);
        if radius <= 0.0 {
            return Ok(self);
        }
        let share = std::mem::replace(&mut self.share, Share::WHOLE);
        let mut weights = self.weights()?;
        let (columns, wraps) = (map.columns(), map.wraps());
        filter(
            Filter::Bell,
            &mut weights,
            columns,
            wraps,
            radius,
            &self.job,
        )?;
        Ok(Self {
            quantity: Box::new(Weights { weights, columns }),
            span: Span::weights(),
            share,
            ..self
        })
    }

    /// Blend the result of a step with the map before it, by the weights of the mask. The result wraps if
    /// `after` does and the edges still match. Cost: a pass over both maps.
    ///
    /// # Errors
    /// The job was cancelled.
    ///
    /// # Panics
    /// The step has changed the number of rows or columns.
    pub fn apply(&self, after: Heightmap) -> Result<Heightmap, Cancelled> {
        let (rows, columns) = (after.rows(), after.columns());
        let before = self.before;
        assert_eq!((rows, columns), (before.rows(), before.columns()));
        let wraps = after.wraps();
        let (worn, base) = (self.worn(&after)?, after.base());
        let valid = after.valid().cloned();
        let mut heights = after.into_heights();
        self.each_row(&mut heights, |quantities, before, after| {
            self.span.mix(self.share, quantities, before, after);
        })?;
        let mut limited = Heightmap::new(rows, columns, wraps, heights);
        if wraps && !before.wraps() && !meets(&limited) {
            limited = Heightmap::new(rows, columns, false, limited.into_heights());
        }
        Ok(limited.with_worn(worn).with_valid(valid).with_base(base))
    }

    /// Blend the eroded and deposited depths of the step in the same way.
    fn worn(&self, after: &Heightmap) -> Result<Option<Arc<Worn>>, Cancelled> {
        let (Some(new), old) = (after.worn(), self.before.worn()) else {
            return Ok(None);
        };
        if old.is_some_and(|old| Arc::ptr_eq(old, new)) {
            return Ok(Some(Arc::clone(new)));
        }
        let zeros = vec![0.0; self.before.columns()];
        let limited = |part: fn(&Worn) -> &Heights| {
            let (mut numbers, old) = (part(new).clone(), old.map(|old| part(old)));
            let pairs = |old: &Heights, numbers: &mut Heights, sign: f32| {
                let pairs = numbers.iter_mut().zip(old.iter());
                pairs.for_each(|(number, old)| *number = (*number + sign * old).max(0.0));
            };
            if let Some(old) = old {
                pairs(old, &mut numbers, -1.0);
            }
            self.each_row(&mut numbers, |quantities, _, numbers| {
                self.span.mix(self.share, quantities, &zeros, numbers);
            })?;
            if let Some(old) = old {
                pairs(old, &mut numbers, 1.0);
            }
            Ok(numbers)
        };
        Ok(Some(Arc::new(Worn {
            wear: limited(|worn| &worn.wear)?,
            sediment: limited(|worn| &worn.sediment)?,
        })))
    }

    /// Weight of every sample.
    pub(super) fn weights(&self) -> Result<Heights, MaskError> {
        // Blending from 0 to 1 gives the weight itself.
        let zeros = vec![0.0; self.before.columns()];
        let mut weights = room(self.before)?;
        weights.fill(1.0);
        self.each_row(&mut weights, |quantities, _, out| {
            self.span.mix(self.share, quantities, &zeros, out);
        })?;
        Ok(weights)
    }

    /// Call `finish` with the quantities of each row, the land and the row of `out`.
    fn each_row(
        &self,
        out: &mut [f32],
        finish: impl Fn(&[f32], &[f32], &mut [f32]) + Sync,
    ) -> Result<(), Cancelled> {
        let relief = Relief::of(self.before, self.tile_size_m);
        let columns = self.before.columns();
        let start = || (self.quantity.rows(), vec![0.0; columns]);
        relief.each_row_with(
            out,
            &self.job,
            start,
            |(fill, quantities), row, window, out| {
                fill(row, window, quantities);
                finish(quantities, &window.here[1..=columns], out);
            },
        )
    }
}

/// Allocate a number for each sample of `map`.
pub(super) fn room(map: &Heightmap) -> Result<Heights, MaskError> {
    let bytes = size_of_val(map.heights()) as u64;
    Heights::zeros(map.heights().len()).ok_or(MaskError::OutOfMemory { bytes })
}

/// True if opposite edges are equal, bit for bit.
fn meets(map: &Heightmap) -> bool {
    let same = |a: &f32, b: &f32| a.to_bits() == b.to_bits();
    let last = map.columns() - 1;
    let mut rows = (0..map.rows()).map(|row| map.row(row));
    let sides = rows.all(|row| same(&row[0], &row[last]));
    let (north, south) = (map.row(0), map.row(map.rows() - 1));
    sides && north.iter().zip(south).all(|(a, b)| same(a, b))
}

/// Copy `map`, into the memory of `spare` if it fits.
///
/// # Errors
/// There is not enough memory, or the job was cancelled.
pub(crate) fn copy(
    map: &Heightmap,
    spare: Option<Heights>,
    job: &Job,
) -> Result<Heightmap, MaskError> {
    let heights = map.heights();
    let fitting = spare.filter(|spare| spare.len() == heights.len());
    let mut to = match fitting {
        Some(to) => to,
        None => room(map)?,
    };
    const BAND: usize = 1 << 16;
    let bands = to.chunks_mut(BAND).zip(heights.chunks(BAND));
    parallel::par_items(bands)
        .try_each(|_, (to, from)| job.check().map(|()| to.copy_from_slice(from)))?;
    let copy = Heightmap::new(map.rows(), map.columns(), map.wraps(), to);
    let copy = copy.with_worn(map.worn().cloned());
    Ok(copy.with_valid(map.valid().cloned()).with_base(map.base()))
}
