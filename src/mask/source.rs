//! What every source of a mask offers.

use super::span::Span;
use super::{Context, MaskError};
use crate::heightmap::Heightmap;
use crate::neighbours::Window;

/// Options that say what a mask goes by, and the range in which it counts.
pub trait Source {
    /// The range in which the mask counts in full, and its soft ends.
    fn span(&self) -> Span;

    /// The quantity over `map`.
    ///
    /// # Errors
    /// The scene does not have what it goes by, or the job was cancelled.
    fn quantity<'a>(
        &'a self,
        map: &'a Heightmap,
        context: &Context<'a>,
    ) -> Result<Box<dyn Quantity + 'a>, MaskError>;

    /// The scale in metres of a quantity that goes by the shape of the ground.
    fn scale_m(&self) -> Option<f32> {
        None
    }

    /// Whether the quantity changes with the height of the scene's water.
    fn uses_water(&self) -> bool {
        false
    }
}

/// Fills a row with the quantity of each of its samples, from the row's index and its samples among
/// their neighbours. It is fastest row after row.
pub type FillRow<'a> = Box<dyn FnMut(usize, &Window<'_>, &mut [f32]) + 'a>;

/// A quantity over a map.
pub trait Quantity: Sync {
    /// What fills rows, for one thread.
    fn rows(&self) -> FillRow<'_>;
}

impl<F: Fn(usize, &Window<'_>, &mut [f32]) + Sync> Quantity for F {
    fn rows(&self) -> FillRow<'_> {
        Box::new(self)
    }
}
