//! Slope angle of the ground (Horn 1981).

use super::{Kind, Map};

/// Map `slope`.
pub(super) const MAP: Map = Map {
    name: "slope",
    help: "How steep the ground is: 0 level, 90 upright, after Horn.",
    unit: "degrees",
    range: Some((0.0, 90.0)),
    kind: Kind::Relief(|window, _, out| window.slope(out)),
};
