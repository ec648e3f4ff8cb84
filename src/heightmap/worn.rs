//! What erosion has done to each sample of a map.

use super::Heights;

/// What erosion took from each sample and left on it, in the unit of the heights and in the order of
/// the samples. Of a map that eroded more than once it is the sum, though sediment may have worn away
/// again.
///
/// Right after erosion, height before + uplift + sediment − wear is the height.
#[derive(Clone, Debug, PartialEq)]
pub struct Worn {
    /// How much rock is gone, 0 and up.
    pub wear: Heights,
    /// How much loose ground lies on the rock, 0 and up.
    pub sediment: Heights,
}
