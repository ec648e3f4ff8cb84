//! Which way the ground falls, after Horn (1981).

use super::angle::degrees;
use super::{Kind, Map, Window};
use crate::scene::Light;

/// The map `aspect`.
pub(super) const MAP: Map = Map {
    name: "aspect",
    help: "Which way the ground falls: clockwise from north, east is 90; level ground is -1.",
    unit: "degrees",
    range: Some((0.0, 360.0)),
    kind: Kind::Relief(row),
};

/// The value of level ground, which falls nowhere.
const LEVEL: f32 = -1.0;

fn row(window: &Window<'_>, _: &Light, out: &mut [f32]) {
    // Downhill is −east, and north where it rises to the south.
    window.horn(out, |east, south| compass(-east, south));
}

/// The direction (east, north) in degrees clockwise from north, 0…360.
#[inline]
fn compass(east: f32, north: f32) -> f32 {
    // These are choices rather than branches, so that they become vector instructions.
    let quarter = degrees(east.abs(), north.abs());
    let half = if north < 0.0 {
        180.0 - quarter
    } else {
        quarter
    };
    let round = if east < 0.0 { 360.0 - half } else { half };
    // A direction just west of north may round to a whole turn, which is north.
    let round = if round < 360.0 { round } else { 0.0 };
    let level = (east == 0.0) & (north == 0.0);
    if level { LEVEL } else { round }
}
