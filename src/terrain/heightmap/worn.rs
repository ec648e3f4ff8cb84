//! Eroded and deposited depths of each sample of a map.

use super::Heights;

/// Eroded depth and sediment thickness of each sample, in the unit of the heights and in the order of the
/// samples. For a map that eroded more than once these are sums, though sediment may have been eroded
/// again.
///
/// Right after erosion the height is: height before + uplift + sediment − wear.
#[derive(Clone, Debug, PartialEq)]
pub struct Worn {
    /// Eroded depth of rock, 0 and up.
    pub wear: Heights,
    /// Thickness of sediment on the rock, 0 and up.
    pub sediment: Heights,
}
