//! Mean curvature of the ground: positive on ridges, negative in valleys.

use super::{Kind, Map};

/// Map `curvature`.
pub(super) const MAP: Map = Map {
    name: "curvature",
    help: "Mean curvature: 1 / radius, above 0 on ridges, below 0 in valleys; 0 is middle grey.",
    unit: "1/m",
    range: None,
    kind: Kind::Relief(|window, _, out| window.curvature(out)),
};
