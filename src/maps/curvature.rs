//! Mean curvature of the ground: the mean of its two principal curvatures, each one over a radius.
//! It is positive on ridges and peaks and negative in valleys.
//!
//! It follows from the first derivatives p, q and the second derivatives r, s, t eastwards and
//! southwards, taken from the 3 × 3 samples around (Zevenbergen & Thorne 1987):
//!
//! H = −((1 + q²)·r − 2·p·q·s + (1 + p²)·t) / (2·(1 + p² + q²)^(3/2))
//!
//! At a free border the second derivative across it is 0.

use super::{Kind, Map, Window};
use crate::scene::Light;

/// The map `curvature`.
pub(super) const MAP: Map = Map {
    name: "curvature",
    help: "Mean curvature: 1 / radius, above 0 on ridges, below 0 in valleys; 0 is middle grey.",
    unit: "1/m",
    range: None,
    kind: Kind::Relief(row),
};

fn row(window: &Window<'_>, _: &Light, out: &mut [f32]) {
    let [north, here, south] = window.lines(out.len());
    let first = 0.5 / window.spacing;
    let second = 1.0 / (window.spacing * window.spacing);
    let scale = -0.5 / window.metres;
    for (i, out) in out.iter_mut().enumerate() {
        let centre = here[i + 1];
        let p = (here[i + 2] - here[i]) * first;
        let q = (south[i + 1] - north[i + 1]) * first;
        let r = ((here[i + 2] - centre) + (here[i] - centre)) * second;
        let t = ((south[i + 1] - centre) + (north[i + 1] - centre)) * second;
        let s = ((south[i + 2] - south[i]) - (north[i + 2] - north[i])) * (0.25 * second);
        let bend = (1.0 + q * q) * r - 2.0 * p * q * s + (1.0 + p * p) * t;
        let length2 = 1.0 + p * p + q * q;
        *out = scale * bend / (length2 * length2.sqrt());
    }
}
