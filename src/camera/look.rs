//! What a camera looks at, and from how far: ways between looks of very different scale.
//!
//! Whoever flies from a whole landscape to a pebble wants the picture to change evenly, and not the
//! eye to move evenly: that would be there in the last instant. How much a picture changes is a
//! length. Going ahead by a part of the distance counts as that part, and so does moving what is
//! looked at aside. In this measure, du² + dw² over w² for a target u and a distance w, the space of
//! all looks is the half-space of hyperbolic geometry, and its straight lines are the ways along
//! which the picture changes least: a zoom keeps its rate, and a way far aside first goes up (van
//! Wijk and Nuij, "Smooth and efficient zooming and panning", 2003).

use glam::DVec3;

use crate::scene::Camera;

/// Distances that differ by more than this factor are of different scale.
const SCALES: f64 = 100.0;
/// Targets farther apart than so many distances are looked at one by one, from up high in between.
const ASIDE: f64 = 1000.0;

/// A place that is looked at, from so far away. Both are in half tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) target: DVec3,
    /// More than 0.
    pub(super) distance: f64,
}

impl Look {
    pub(super) fn of(camera: &Camera) -> Self {
        Self {
            target: camera.target.into(),
            distance: camera.distance.max(f32::MIN_POSITIVE).into(),
        }
    }

    /// How much the picture changes on the straight way to another look: for a zoom, the logarithm
    /// of its factor.
    pub(super) fn apart(self, other: Self) -> f64 {
        Line::new(self, other).length
    }

    /// The look at a part of the straight way to another one. Before 0 and after 1 the way goes on.
    pub(super) fn towards(self, other: Self, part: f64) -> Self {
        let line = Line::new(self, other);
        // Beginning at the nearer one, where a rounding is seen most.
        let part = if self.distance <= other.distance {
            part
        } else {
            1.0 - part
        };
        line.at(part * line.length)
    }
}

/// Whether a way through these cameras is one through scales.
pub(super) fn changes_scale(cameras: &[Camera]) -> bool {
    let looks: Vec<_> = cameras.iter().map(Look::of).collect();
    let distances = looks.iter().map(|look| look.distance);
    let least = distances.clone().fold(f64::INFINITY, f64::min);
    let most = distances.fold(0.0, f64::max);
    let goes_aside = |pair: &[Look]| {
        let distance = pair[0].distance.max(pair[1].distance);
        pair[0].target.distance(pair[1].target) > ASIDE * distance
    };
    most > SCALES * least || looks.windows(2).any(goes_aside)
}

/// The straight way between two looks: an upright half circle, or an upright line.
struct Line {
    nearer: Look,
    /// From the nearer look's target to the other's, of length 1; or nothing.
    aside: DVec3,
    /// Where the way begins, counted from the top of the circle.
    start: f64,
    length: f64,
}

impl Line {
    fn new(a: Look, b: Look) -> Self {
        let (nearer, other) = if a.distance <= b.distance {
            (a, b)
        } else {
            (b, a)
        };
        let (least, most) = (nearer.distance, other.distance);
        let aside = other.target - nearer.target;
        let width = aside.length();
        // How far the circle's middle lies from each end, in distances there.
        let ends = [
            (most * most - least * least + width * width) / (2.0 * least * width),
            (most * most - least * least - width * width) / (2.0 * most * width),
        ];
        if ends.iter().any(|end| !end.is_finite()) {
            return Self {
                nearer,
                aside: DVec3::ZERO,
                start: f64::NEG_INFINITY,
                length: (most / least).ln(),
            };
        }
        let [start, end] = ends.map(|end| -end.asinh());
        Self {
            nearer,
            aside: aside / width,
            start,
            length: end - start,
        }
    }

    /// The look so far along the way from the nearer one.
    fn at(&self, along: f64) -> Look {
        let Look { target, distance } = self.nearer;
        if self.aside == DVec3::ZERO {
            return Look {
                target,
                distance: distance * along.exp(),
            };
        }
        let width = (self.start + along).cosh();
        Look {
            target: target + self.aside * (distance * along.sinh() / width),
            distance: distance * (self.start.cosh() / width),
        }
    }
}
