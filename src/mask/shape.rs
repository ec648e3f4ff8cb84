//! What masks go by that ask for the shape of the ground: slope, direction and curvature at a scale.

use super::source::{FillRow, Quantity};
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::{AtScale, Measure, Window};

/// The scale of a mask in metres, unless it says otherwise: a valley's side rather than a boulder, and
/// some 130 samples a side of a tile of the usual size.
pub(super) const SCALE_M: f32 = 20.0;

impl Quantity for AtScale {
    fn rows(&self) -> FillRow<'_> {
        let mut fill = AtScale::rows(self);
        Box::new(move |row, _, out| fill(row, out))
    }
}

/// A measure of the shape of `map` at that scale or, where samples are further apart, from sample to
/// sample.
///
/// # Errors
/// The job was cancelled.
pub(super) fn quantity<'a>(
    measure: Measure,
    scale_m: f32,
    map: &Heightmap,
    context: &Context<'a>,
) -> Result<Box<dyn Quantity + 'a>, MaskError> {
    let at_scale = AtScale::new(measure, map, context.tile_size_m, scale_m, context.job)?;
    Ok(match at_scale {
        Some(at_scale) => Box::new(at_scale),
        None => Box::new(move |_: usize, window: &Window<'_>, out: &mut [f32]| {
            measure.fill(window, out);
        }),
    })
}
