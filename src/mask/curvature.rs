//! Mask by mean curvature of the ground at a scale, in 1/m: positive on ridges, negative in valleys.

use super::shape::{SCALE_M, quantity};
use super::source::{Quantity, Source};
use super::span::{Span, range_options};
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Measure;

range_options! {
    /// Range of curvatures.
    unit "1/m" from -1000.0 to 1000.0, slider(-0.02, 0.02);
    /// Least curvature with full weight, in 1/m, −1000…1000; default 0.
    low = 0.0, "The curvature from which on the mask counts in full: above 0 are ridges, below 0 valleys.";
    /// Highest curvature with full weight, in 1/m, `low`…1000; default 1000, which is unlimited.
    high = 1000.0, "The curvature up to which the mask counts in full.";
    /// Width of the fade at either end, in 1/m, 0…1000; default 0.002.
    soft = 0.002, slider(0.0, 0.02);
    /// Scale in metres at which the terrain's shape is measured, 0 (sample spacing) … 100,000; default 20.
    scale = SCALE_M;
}

impl Source for Options {
    fn span(&self) -> Span {
        self.range()
    }

    fn quantity<'a>(
        &'a self,
        map: &'a Heightmap,
        context: &Context<'a>,
    ) -> Result<Box<dyn Quantity + 'a>, MaskError> {
        quantity(Measure::Curvature, self.scale, map, context)
    }

    fn scale_m(&self) -> Option<f32> {
        Some(self.scale)
    }
}
