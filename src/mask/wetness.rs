//! Mask by the topographic wetness index, ln(specific catchment area / slope) (Beven and Kirkby 1979), as
//! in the map `wetness`; it needs a [`Drainage`].

use super::source::{Quantity, Source};
use super::span::{Span, range_options};
use super::{Context, MaskError};
use crate::drainage::Drainage;
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::numbers::metres_per_unit;

range_options! {
    /// Range of wetness.
    unit "ln m" from -100.0 to 100.0, slider(0.0, 20.0);
    /// Least wetness with full weight, in ln m, −100…100; default 7.
    low = 7.0, "The wetness from which on the mask counts in full.";
    /// Greatest wetness with full weight, in ln m, `low`…100; default 100.
    high = 100.0, "The wetness up to which the mask counts in full.";
    /// Width of the fade at either end, in ln m, 0…100; default 2.
    soft = 2.0, slider(0.0, 20.0);
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
        let metres = metres_per_unit(context.tile_size_m) as f32;
        let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| {
            for (column, out) in out.iter_mut().enumerate() {
                *out = drainage.wetness(drainage.cell(row, column), metres);
            }
        };
        Ok(Box::new(fill))
    }

    fn uses_water(&self) -> bool {
        true
    }
}
