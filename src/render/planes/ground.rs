//! Heights that single rays meet: the map, or a window of finer ground around the eye.

use super::field::Field;
use super::near::Near;
use super::ray::Ray;
use super::roofs::{Roofs, SQUARE};
use super::sight::Sight;

/// One lattice of heights.
pub(super) struct Ground<'a> {
    heights: &'a [f32],
    columns: usize,
    roofs: &'a Roofs,
    /// Cells of a tile along x and z, and tiles along each side.
    cells: [usize; 2],
    tiles: usize,
    /// Where the eye is, in cells from the first sample of all tiles, and how high above heights of 0.
    eye: [f32; 2],
    above: f32,
    /// Cells in a half tile.
    per: f32,
    /// How high the eye is above the ground below it; and up to how far from the eye these cells are used.
    height: f32,
    pub(super) farthest: f32,
}

/// How a ray goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meeting {
    /// It meets the ground that far away; and how fast it comes nearer to the ground there, a negative
    /// number.
    At(f32, f32),
    /// It has met none up to there, where these cells are no longer used.
    NoneBefore(f32),
}

/// A ray counted in cells.
#[derive(Clone, Copy)]
struct Way {
    start: [f32; 2],
    by: [f32; 2],
    /// How high it begins above the eye, and how far it rises.
    high: f32,
    rise: f32,
}

/// Cells along an axis, over all tiles, of which one tile has so many.
#[derive(Clone, Copy)]
struct Span {
    low: i32,
    high: i32,
}

impl Way {
    fn place(&self, axis: usize, away: f32) -> f32 {
        self.start[axis] + self.by[axis] * away
    }

    /// Where it leaves a rectangle, no farther than that, and across which axis.
    fn leave(&self, spans: [Span; 2], until: f32) -> (f32, Option<usize>) {
        let mut first = (until, None);
        for (axis, span) in spans.into_iter().enumerate() {
            let by = self.by[axis];
            if by == 0.0 {
                continue;
            }
            let border = if by > 0.0 { span.high } else { span.low };
            let there = (border as f32 - self.start[axis]) / by;
            if there < first.0 {
                first = (there, Some(axis));
            }
        }
        first
    }

    /// The next cell beyond a span.
    fn beyond(&self, axis: usize, span: Span) -> i32 {
        if self.by[axis] > 0.0 {
            span.high
        } else {
            span.low - 1
        }
    }
}

impl<'a> Ground<'a> {
    /// A window of finer ground.
    pub(super) fn window(near: &Near<'a>) -> Self {
        Self {
            heights: near.heights,
            columns: near.samples[0],
            roofs: near.roofs,
            cells: near.samples.map(|count| count - 1),
            tiles: 1,
            eye: near.eye.map(|cells| cells as f32),
            above: near.above as f32,
            per: near.spacing.recip() as f32,
            height: near.height as f32,
            farthest: near.farthest as f32,
        }
    }

    /// The map itself.
    pub(super) fn map(field: &'a Field, sight: &Sight) -> Self {
        let samples = field.level(0);
        let cells = samples.samples.map(|count| count - 1);
        let (eye, per) = (sight.eye, field.spacing.recip());
        let middle = cells.map(|cells| 0.5 * sight.tiles * cells as f32);
        Self {
            heights: samples.heights,
            columns: samples.samples[0],
            roofs: field.roofs(),
            cells,
            tiles: sight.tiles as usize,
            eye: [eye.x * per + middle[0], eye.z * per + middle[1]],
            above: eye.y,
            per,
            height: 0.0,
            farthest: f32::INFINITY,
        }
    }

    fn way(&self, ray: &Ray) -> Way {
        let [x, z] = self.eye;
        let (from, way) = (ray.from * self.per, ray.way * self.per);
        Way {
            start: [x + from.x, z + from.z],
            by: [way.x, way.z],
            high: ray.from.y,
            rise: ray.way.y,
        }
    }

    /// How far away, as a part of as far as its cells are used, a place of a ray is.
    pub(super) fn part(&self, ray: &Ray, away: f32) -> f32 {
        let place = ray.from + ray.way * away;
        place.x.hypot(place.z).hypot(self.height) / self.farthest
    }

    /// Where a ray meets it, from that far away on.
    pub(super) fn meet(&self, ray: &Ray, from: f32) -> Meeting {
        if self.part(ray, from) >= 1.0 {
            return Meeting::NoneBefore(from);
        }
        let way = self.way(ray);
        let ends = self.cells.map(|cells| (cells * self.tiles) as i32);
        let mut at = [0, 1].map(|axis| way.place(axis, from).floor() as i32);
        for (at, end) in at.iter_mut().zip(ends) {
            *at = (*at).clamp(0, end - 1);
        }
        let until = self.until(ray, &way);
        let mut away = from;
        loop {
            let squares = [0, 1].map(|axis| self.square(axis, at[axis]));
            let [across, down] = squares;
            let spans = [across.1, down.1];
            let (leave, axis) = way.leave(spans, until);
            let leave = leave.max(away);
            let lowest = way.high + (way.rise * away).min(way.rise * leave);
            if lowest <= self.roofs.of([across.0, down.0]) - self.above {
                let met = self.meet_in(&way, spans, away, leave);
                if let Some((away, rate)) = met {
                    return Meeting::At(away, rate);
                }
            }
            let Some(axis) = axis else {
                return Meeting::NoneBefore(leave);
            };
            at[axis] = way.beyond(axis, spans[axis]);
            if !(0..ends[axis]).contains(&at[axis]) {
                return Meeting::NoneBefore(leave);
            }
            away = leave;
        }
    }

    /// Up to where a ray may meet these cells: as far as they are used, or until it is below all of them.
    fn until(&self, ray: &Ray, way: &Way) -> f32 {
        let level = ray.way.x.hypot(ray.way.z);
        let used = (self.farthest * self.farthest - self.height * self.height).sqrt();
        let used = if self.farthest < f32::INFINITY && level > 0.0 {
            used / level
        } else {
            f32::INFINITY
        };
        let down = self.roofs.lowest - self.above - way.high;
        let below = if way.rise < 0.0 {
            down / way.rise * 1.000_01 + f32::MIN_POSITIVE
        } else {
            f32::INFINITY
        };
        used.min(below)
    }

    /// The square, and the cells along an axis, that a cell is in.
    fn square(&self, axis: usize, cell: i32) -> (usize, Span) {
        let cells = self.cells[axis] as i32;
        let first = cell / cells * cells;
        let square = (cell - first) / SQUARE as i32;
        let low = first + square * SQUARE as i32;
        let high = (low + SQUARE as i32).min(first + cells);
        (square as usize, Span { low, high })
    }

    /// Where a ray meets the cells of some spans between two distances.
    fn meet_in(&self, way: &Way, spans: [Span; 2], from: f32, until: f32) -> Option<(f32, f32)> {
        let mut at = [0, 1].map(|axis| {
            let Span { low, high } = spans[axis];
            (way.place(axis, from).floor() as i32).clamp(low, high - 1)
        });
        let mut away = from;
        loop {
            let cell = at.map(|at| Span {
                low: at,
                high: at + 1,
            });
            let (leave, axis) = way.leave(cell, until);
            let leave = leave.max(away);
            let met = self.meet_cell(way, at, away, leave);
            if met.is_some() {
                return met;
            }
            let axis = axis?;
            at[axis] = way.beyond(axis, cell[axis]);
            if !(spans[axis].low..spans[axis].high).contains(&at[axis]) {
                return None;
            }
            away = leave;
        }
    }

    /// Where a ray meets one of the two triangles of a cell.
    fn meet_cell(&self, way: &Way, at: [i32; 2], from: f32, until: f32) -> Option<(f32, f32)> {
        let corners = self.corners(at);
        // The triangles meet where both parts of the cell are equal.
        let before = way.start[0] - at[0] as f32 - (way.start[1] - at[1] as f32);
        let diagonal = before / (way.by[1] - way.by[0]);
        let middle = if diagonal > from && diagonal < until {
            diagonal
        } else {
            until
        };
        let over = |away: f32, is_above: bool| {
            let parts = [0, 1].map(|axis| way.place(axis, away) - at[axis] as f32);
            way.high + way.rise * away - (on(&corners, parts, is_above) - self.above)
        };
        for (from, until) in [(from, middle), (middle, until)] {
            let between = 0.5 * (from + until);
            let parts = [0, 1].map(|axis| way.place(axis, between) - at[axis] as f32);
            let is_above = parts[1] > parts[0];
            let (one, other) = (over(from, is_above), over(until, is_above));
            if other <= 0.0 {
                let part = if one > 0.0 { one / (one - other) } else { 0.0 };
                let rate = (other - one) / (until - from);
                return Some((from + part * (until - from), rate));
            }
            if middle == until {
                break;
            }
        }
        None
    }

    /// Heights at the corners of a cell, row by row.
    fn corners(&self, at: [i32; 2]) -> [f32; 4] {
        let [column, row] = [0, 1].map(|axis| at[axis] as usize % self.cells[axis]);
        let first = row * self.columns + column;
        let (north, south) = (
            &self.heights[first..],
            &self.heights[first + self.columns..],
        );
        [north[0], north[1], south[0], south[1]]
    }

    /// The height above the eye that far along a ray.
    pub(super) fn height(&self, ray: &Ray, away: f32) -> f32 {
        let way = self.way(ray);
        let places = [0, 1].map(|axis| {
            let end = (self.cells[axis] * self.tiles) as f32;
            let place = way.place(axis, away).clamp(0.0, end);
            let cell = place.floor().min(end - 1.0);
            (cell as i32, place - cell)
        });
        let parts = places.map(|(_, part)| part);
        let corners = self.corners(places.map(|(cell, _)| cell));
        on(&corners, parts, parts[1] > parts[0]) - self.above
    }
}

/// The height of one of the triangles of a cell, of which `parts` are before the place.
fn on([a, east, south, c]: &[f32; 4], [u, v]: [f32; 2], is_above: bool) -> f32 {
    let (middle, most, least) = if is_above {
        (south, v, u)
    } else {
        (east, u, v)
    };
    a + most * (middle - a) + least * (c - middle)
}
