//! How steep the ground is: atan √(east² + south²), with slopes after Horn (1981).

use super::angle::degrees;
use super::{Kind, Map, Window};
use crate::scene::Light;

/// The map `slope`.
pub(super) const MAP: Map = Map {
    name: "slope",
    help: "How steep the ground is: 0 level, 90 upright, after Horn.",
    unit: "degrees",
    range: Some((0.0, 90.0)),
    kind: Kind::Relief(row),
};

fn row(window: &Window<'_>, _: &Light, out: &mut [f32]) {
    window.horn(out, |east, south| {
        degrees((east * east + south * south).sqrt(), 1.0)
    });
}
