//! Rays of a block of pixels, which go through the same air for most of their way: how far all of them
//! go before any of them may meet the ground.

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

/// A box around a part of a bundle, from the eye, in half tiles.
pub(super) struct Reach {
    /// Along x and z.
    pub(super) low: [f32; 2],
    pub(super) high: [f32; 2],
    /// Its lowest height.
    lowest: f32,
}

impl Reach {
    /// The least and the greatest distance from the eye along the level.
    fn away(&self) -> [f32; 2] {
        let least = [0, 1].map(|axis| 0.0_f32.clamp(self.low[axis], self.high[axis]));
        let most = [0, 1].map(|axis| self.low[axis].abs().max(self.high[axis].abs()));
        [least, most].map(|[x, z]| x.hypot(z))
    }
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
            match meets(grounds, &self.reach(away, away + step)) {
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

    fn reach(&self, from: f32, until: f32) -> Reach {
        let ends = self.corners.iter().flat_map(|ray| {
            let place = |away: f32| ray.from + ray.way * away;
            [place(from), place(until)]
        });
        let nothing = Reach {
            low: [f32::INFINITY; 2],
            high: [f32::NEG_INFINITY; 2],
            lowest: f32::INFINITY,
        };
        ends.fold(nothing, |reach, place| Reach {
            low: [reach.low[0].min(place.x), reach.low[1].min(place.z)],
            high: [reach.high[0].max(place.x), reach.high[1].max(place.z)],
            lowest: reach.lowest.min(place.y),
        })
    }
}

/// The side of a cell of the finest ground that may be met within a box, if any may.
fn meets(grounds: &[Ground<'_>], reach: &Reach) -> Option<f32> {
    let [least, most] = reach.away();
    for ground in grounds {
        let part = |away: f32| {
            let (away, height) = (away / ground.farthest, ground.height / ground.farthest);
            (away * away + height * height).sqrt()
        };
        if part(least) >= 1.0 + MARGIN {
            continue;
        }
        if ground.may_reach(reach.low, reach.high, reach.lowest) {
            return Some(ground.cell());
        }
        if part(most) <= 1.0 - MARGIN {
            break;
        }
    }
    None
}
