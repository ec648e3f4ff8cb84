//! Mask by eroded depth of rock, in metres: as in the map `wear`, 0 on a map without erosion.

use super::source::{Quantity, Source};
use super::span::{Span, range_options};
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;
use crate::numbers::metres_per_unit;

range_options! {
    /// Range of depths.
    unit "m" from 0.0 to 1.0e9, slider(0.0, 100.0);
    /// Least eroded depth with full weight, in metres, 0…10⁹; default 5.
    low = 5.0, "The depth of rock that is gone from which on the mask counts in full.";
    /// Greatest eroded depth with full weight, in metres, `low`…10⁹; default 10⁹.
    high = 1.0e9, "The depth of rock that is gone up to which the mask counts in full.";
    /// Width of the fade at either end, in metres, 0…10⁹; default 5.
    soft = 5.0, slider(0.0, 100.0);
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
        let metres = metres_per_unit(context.tile_size_m) as f32;
        let columns = map.columns();
        let fill = move |row: usize, _: &Window<'_>, out: &mut [f32]| match map.worn() {
            Some(worn) => {
                let row = &worn.wear[row * columns..][..columns];
                for (out, depth) in out.iter_mut().zip(row) {
                    *out = depth * metres;
                }
            }
            None => out.fill(0.0),
        };
        Ok(Box::new(fill))
    }
}
