//! Zooming and panning between views of very different scale (van Wijk and Nuij, "Smooth and efficient
//! zooming and panning", 2003).
//!
//! A flight from a whole landscape to a pebble should change the picture at a constant rate. Moving the eye
//! at a constant speed would put all of the change into the last instant. So the distance between two looks
//! is measured by the change of the picture: du² + dw² over w², for a target u and a distance w. This is the
//! metric of the hyperbolic half-space. Its geodesics change the picture least: a zoom keeps its rate, and a
//! move far aside first goes up.

use glam::DVec3;

use crate::scene::Camera;

/// Ratio of distances from which two looks differ in scale.
const SCALES: f64 = 100.0;
/// Distance between targets, as a multiple of the viewing distance, from which the path rises in between.
const ASIDE: f64 = 1000.0;

/// A target and the viewing distance to it, both in half tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Look {
    pub(super) target: DVec3,
    /// Viewing distance, more than 0.
    pub(super) distance: f64,
}

impl Look {
    pub(super) fn of(camera: &Camera) -> Self {
        Self {
            target: camera.target.into(),
            distance: camera.distance.max(f32::MIN_POSITIVE).into(),
        }
    }

    /// Hyperbolic distance to another look: for a pure zoom, the logarithm of its factor.
    pub(super) fn apart(self, other: Self) -> f64 {
        Line::new(self, other).length
    }

    /// The look at the fraction `part` of the geodesic to another one; extrapolated below 0 and above 1.
    pub(super) fn towards(self, other: Self, part: f64) -> Self {
        let line = Line::new(self, other);
        // Measured from the nearer look, where rounding errors are most visible.
        let part = if self.distance <= other.distance {
            part
        } else {
            1.0 - part
        };
        line.at(part * line.length)
    }
}

/// True if a path through these cameras spans scales.
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

/// Geodesic between two looks: a vertical half circle, or a vertical line.
struct Line {
    nearer: Look,
    /// Unit vector from the nearer look's target to the farther one's; zero for a pure zoom.
    aside: DVec3,
    /// Arc length of the start, measured from the top of the circle.
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
        // Distance of the circle's centre from each end, as a multiple of the viewing distance there.
        let ends = [
            (most * most - least * least + width * width) / (2.0 * least * width),
            (most * most - least * least - width * width) / (2.0 * most * width),
        ];
        // A pure zoom: the circle degenerates to a vertical line.
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

    /// The look at an arc length from the nearer end.
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
