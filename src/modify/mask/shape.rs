//! Mask quantities from terrain derivatives: slope, aspect and curvature at a scale.

use super::Context;
use super::source::{FillRow, MadeQuantity, Quantity};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::neighbours::{AtScale, Measure, Window};

/// Default scale of a mask in metres: the side of a valley rather than a boulder, and some 130 samples
/// along a tile of the default size.
pub(super) const SCALE_M: f32 = 20.0;

impl Quantity for AtScale {
    fn rows(&self) -> FillRow<'_> {
        let mut fill = AtScale::rows(self);
        Box::new(move |row, _, out| fill(row, out))
    }
}

/// Terrain derivative of `map` at a scale or, if samples are farther apart, at the sample spacing.
///
/// # Errors
/// The job was cancelled.
pub(super) fn derivative<'a>(
    measure: Measure,
    scale_m: f32,
    map: &Heightmap,
    context: &Context<'a>,
) -> MadeQuantity<'a> {
    let at_scale = AtScale::new(measure, map, context.tile_size_m, scale_m, context.job)?;
    Ok(match at_scale {
        Some(at_scale) => Box::new(at_scale),
        None => Box::new(move |_: usize, window: &Window<'_>, out: &mut [f32]| {
            measure.fill(window, out);
        }),
    })
}
