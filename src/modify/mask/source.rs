//! Interface of mask sources.

use super::span::Span;
use super::{Context, MaskError};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::neighbours::Window;

/// Mask source: a quantity over the map, and its range of full weight.
pub trait Source {
    /// Range of full weight, and its soft ends.
    fn span(&self) -> Span;

    /// Evaluate the quantity over `map`.
    ///
    /// # Errors
    /// The scene lacks something that the quantity needs, or the job was cancelled.
    fn quantity<'a>(&'a self, map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a>;

    /// Scale in metres of a quantity that depends on the shape of the ground.
    fn scale_m(&self) -> Option<f32> {
        None
    }

    /// True if the quantity depends on the height of the scene's water.
    fn uses_water(&self) -> bool {
        false
    }
}

/// Quantity over a map, or the reason why there is none.
pub type MadeQuantity<'a> = Result<Box<dyn Quantity + 'a>, MaskError>;

/// Row function: writes the quantity of each sample of a row, given the row's index and its samples with
/// their neighbours. Consecutive rows are fastest.
pub type FillRow<'a> = Box<dyn FnMut(usize, &Window<'_>, &mut [f32]) + 'a>;

/// Quantity over a map.
pub trait Quantity: Sync {
    /// Create the row function of one thread.
    fn rows(&self) -> FillRow<'_>;
}

impl<F: Fn(usize, &Window<'_>, &mut [f32]) + Sync> Quantity for F {
    fn rows(&self) -> FillRow<'_> {
        Box::new(self)
    }
}
