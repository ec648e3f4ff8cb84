//! Mask by height, in half tiles.

use super::source::{Quantity, Source};
use super::span::{Span, range_options};
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;

range_options! {
    /// Range of heights.
    unit "half tiles" from -1000.0 to 1000.0, slider(-1.0, 1.0);
    /// Lowest height with full weight, in half tiles, −1000…1000; default 0.
    low = 0.0, "The height from which on the mask counts in full.";
    /// Highest height with full weight, in half tiles, `low`…1000; default 1000, which is unlimited.
    high = 1000.0, "The height up to which the mask counts in full.";
    /// Width of the fade at either end, in half tiles, 0…1000; default 0.1.
    soft = 0.1, slider(0.0, 0.5);
}

impl Source for Options {
    fn span(&self) -> Span {
        self.range()
    }

    fn quantity<'a>(
        &'a self,
        _: &'a Heightmap,
        _: &Context<'a>,
    ) -> Result<Box<dyn Quantity + 'a>, MaskError> {
        let fill = |_: usize, window: &Window<'_>, out: &mut [f32]| {
            out.copy_from_slice(&window.here[1..=out.len()]);
        };
        Ok(Box::new(fill))
    }
}
