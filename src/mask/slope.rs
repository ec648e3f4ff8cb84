//! Mask by slope of the ground at a scale, in degrees (Horn 1981).

use super::shape::{SCALE_M, quantity};
use super::source::{Quantity, Source};
use super::span::{Span, range_options};
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Measure;

range_options! {
    /// Range of slopes.
    unit "°" from 0.0 to 90.0, slider(0.0, 90.0);
    /// Gentlest slope with full weight, in degrees, 0…90; default 30.
    low = 30.0, "The slope from which on the mask counts in full.";
    /// Steepest slope with full weight, in degrees, `low`…90; default 90.
    high = 90.0, "The slope up to which the mask counts in full.";
    /// Width of the fade at either end, in degrees, 0…90; default 10.
    soft = 10.0, slider(0.0, 45.0);
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
        quantity(Measure::Slope, self.scale, map, context)
    }

    fn scale_m(&self) -> Option<f32> {
        Some(self.scale)
    }
}
