//! Mask by flow accumulation: the drainage area of a sample, in m², which selects rivers and their banks.
//! It equals the map `flow`, and needs a [`Drainage`].

use super::source::{Quantity, Source};
use super::span::{Span, range_options};
use super::{Context, MaskError};
use crate::drainage::Drainage;
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::numbers::metres_per_unit;

range_options! {
    /// Range of drainage areas.
    unit "m²" from 0.0 to 1.0e15, slider(0.0, 1.0e5);
    /// Smallest area with full weight, in m², 0…10¹⁵; default 10,000.
    low = 10_000.0, "The area that drains from which on the mask counts in full.";
    /// Largest area with full weight, in m², `low`…10¹⁵; default 10¹⁵.
    high = 1.0e15, "The area that drains up to which the mask counts in full.";
    /// Width of the fade at either end, in m², 0…10¹⁵; default 5,000.
    soft = 5_000.0, slider(0.0, 1.0e5);
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
        let drainage = Drainage::of(map, context.water, context.job)?;
        let side = f64::from(drainage.spacing()) * metres_per_unit(context.tile_size_m);
        let sample = (side * side) as f32;
        let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| {
            for (column, out) in out.iter_mut().enumerate() {
                *out = drainage.area(drainage.cell(row, column)) as f32 * sample;
            }
        };
        Ok(Box::new(fill))
    }

    fn uses_water(&self) -> bool {
        true
    }
}
