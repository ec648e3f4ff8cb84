//! Rays of a block of pixels, which go through the same air for most of their way: how far all of them
//! go before any of them may meet the ground.

use glam::Vec3;

use super::ground::Ground;
use super::ray::Ray;
use super::sight::Sight;

/// Steps after which a bundle is as far as it gets: rays along the ground would take many.
const MOST_STEPS: usize = 96;
/// The last step, in cells of the finest ground there.
const LAST: f32 = 1.0;
/// By which part a border between two grounds may be nearer or farther for a single ray.
const MARGIN: f32 = 1e-3;

/// The rays through a rectangle of pixels.
pub(super) struct Bundle {
    /// Those through its corners. Each other ray is a mean of them, and so is each of its places.
    corners: [Ray; 4],
}

impl Bundle {
    /// The rays through a rectangle of the piece, in pixels.
    pub(super) fn new(sight: &Sight, columns: [f32; 2], rows: [f32; 2]) -> Self {
        let [left, right] = columns;
        let [low, high] = rows;
        let corners = [[left, low], [right, low], [left, high], [right, high]];
        Self {
            corners: corners.map(|[column, row]| sight.ray(column, row)),
        }
    }

    /// Up to where none of its rays has met any of the grounds, the finest first and the map last.
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

    /// Places that all rays are between from one distance to another, from the eye, in half tiles.
    fn ends(&self, from: f32, until: f32) -> [Vec3; 8] {
        let [near, far] =
            [from, until].map(|away| self.corners.map(|ray| ray.from + ray.way * away));
        std::array::from_fn(|at| if at < 4 { near[at] } else { far[at - 4] })
    }
}

/// The side of a cell of the finest ground that may be met between some places, if any may.
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

/// The least and the greatest distance from the eye along the level of what is between some places.
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
