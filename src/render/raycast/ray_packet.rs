//! Ray packets (bundles): the rays of a block of pixels advance together through empty space.

use glam::Vec3;

use super::ground::Ground;
use super::ray::Ray;
use super::viewpoint::Sight;

/// Maximum number of steps per bundle; rays along the ground would need many.
const MOST_STEPS: usize = 96;
/// Minimum step, in cells of the finest ground at its position.
const LAST: f32 = 1.0;
/// Tolerance of the distance at which single rays switch between two grounds.
const MARGIN: f32 = 1e-3;

/// The rays through a rectangle of pixels.
pub(super) struct RayPacket {
    /// Rays through the rectangle's corners. Every other ray, and each point on it, is a weighted mean of
    /// these.
    corners: [Ray; 4],
}

impl RayPacket {
    /// Build the bundle through a rectangle of the piece, in pixels.
    pub(super) fn new(sight: &Sight, columns: [f32; 2], rows: [f32; 2]) -> Self {
        let [left, right] = columns;
        let [low, high] = rows;
        let corners = [[left, low], [right, low], [left, high], [right, high]];
        Self {
            corners: corners.map(|[column, row]| sight.ray(column, row)),
        }
    }

    /// Distance up to which no ray of the bundle hits any of the grounds, the finest first and the map last.
    pub(super) fn free(&self, grounds: &[Ground<'_>]) -> f32 {
        let longest = |most: f32, ray: &Ray| most.max(ray.way.length());
        let fastest = self.corners.iter().fold(0.0, longest);
        let mut away = 0.0;
        let mut step = grounds.first().map_or(0.0, |ground| ground.height) / fastest;
        let mut passed = false;
        for _ in 0..MOST_STEPS {
            match meets(grounds, &self.ends(away, away + step)) {
                None => {
                    away += step;
                    // Doubled only after two free steps in a row, or it would often be halved again at once.
                    step *= if passed { 2.0 } else { 1.0 };
                    passed = true;
                }
                Some(cell) if step * fastest < LAST * cell => break,
                Some(_) => {
                    step *= 0.5;
                    passed = false;
                }
            }
        }
        away
    }

    /// Corners of the volume that contains all rays between two distances, relative to the eye, in half
    /// tiles.
    fn ends(&self, from: f32, until: f32) -> [Vec3; 8] {
        let [near, far] =
            [from, until].map(|away| self.corners.map(|ray| ray.from + ray.way * away));
        std::array::from_fn(|at| if at < 4 { near[at] } else { far[at - 4] })
    }
}

/// Cell size of the finest ground that may be hit within a volume; `None` if it is empty.
fn meets(grounds: &[Ground<'_>], places: &[Vec3; 8]) -> Option<f32> {
    let [least, most] = distances(places);
    for ground in grounds {
        if ground.is_passed((1.0 - MARGIN) * least) {
            continue;
        }
        if ground.may_hold(places) {
            return Some(ground.cell());
        }
        if !ground.is_passed((1.0 + MARGIN) * most) {
            break;
        }
    }
    None
}

/// Minimum and maximum horizontal distance of a volume from the eye.
fn distances(places: &[Vec3; 8]) -> [f32; 2] {
    let low = places
        .iter()
        .fold(Vec3::INFINITY, |low, place| low.min(*place));
    let high = places
        .iter()
        .fold(Vec3::NEG_INFINITY, |high, place| high.max(*place));
    let least = Vec3::ZERO.clamp(low, high);
    let most = low.abs().max(high.abs());
    [least, most].map(|at| at.x.hypot(at.z))
}
