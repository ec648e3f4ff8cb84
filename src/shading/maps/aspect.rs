//! Aspect: compass direction in which the ground falls (Horn 1981).

use super::{Kind, Map};

/// Map `aspect`.
pub(super) const MAP: Map = Map {
    name: "aspect",
    help: "Which way the ground falls: clockwise from north, east is 90; level ground is -1.",
    unit: "degrees",
    range: Some((0.0, 360.0)),
    kind: Kind::Relief(|window, _, out| window.aspect(out)),
};
