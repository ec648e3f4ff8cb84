//! Which way the ground falls, after Horn (1981).

use super::{Kind, Map, Window};
use crate::scene::Light;

/// The map.
pub(super) const MAP: Map = Map {
    name: "aspect",
    help: "Which way the ground falls: clockwise from north, east is 90; level ground is -1.",
    unit: "degrees",
    range: Some((0.0, 360.0)),
    kind: Kind::Relief(row),
};

/// What level ground has, which falls nowhere.
const LEVEL: f32 = -1.0;

fn row(window: &Window<'_>, _: &Light, out: &mut [f32]) {
    window.horn(out, |east, south| {
        if east == 0.0 && south == 0.0 {
            return LEVEL;
        }
        // Downhill is −east, and north where it rises to the south.
        let degrees = libm::atan2f(-east, south).to_degrees();
        let turned = if degrees < 0.0 { degrees + 360.0 } else { degrees };
        if turned >= 360.0 { 0.0 } else { turned.abs() }
    });
}
