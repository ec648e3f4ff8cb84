//! Start, end and slopes of slices in map coordinates.

use super::field::Field;
use super::viewpoint::Sight;
use super::{LANES, Lanes};

/// Distance ahead where the traversal begins, in half tiles.
const NEAREST: f32 = 1e-4;
/// Slope along an axis below which a slice never crosses one of its lines.
const LEVEL: f32 = 1e-12;
/// Maximum number of parts of the way between two lines that are processed separately.
const MOST_PARTS: f32 = 4.0;

/// Sixteen slices on the map, in tiles: first the axis whose lines they cross one by one, then the other.
#[derive(Clone)]
pub(super) struct Ways {
    pub(super) start: [f32; 2],
    /// Advance in tiles per unit ahead; and distance ahead per tile along the first axis.
    pub(super) by: [Lanes; 2],
    pub(super) ahead: Lanes,
    /// Distance ahead where the slices begin.
    pub(super) nearest: f32,
    /// Distances ahead where each slice enters and leaves the ground.
    pub(super) from: Lanes,
    pub(super) until: Lanes,
    /// True if the first axis is x.
    pub(super) along_x: bool,
}

/// Origin of slices, and the tiles they cross.
pub(super) struct Begin {
    /// Origin in tiles, along x and z.
    pub(super) start: [f32; 2],
    /// Distance ahead where the slices begin.
    pub(super) nearest: f32,
    pub(super) tiles: f32,
    /// Sides of a tile along x and z.
    pub(super) side: [f32; 2],
}

impl Ways {
    pub(super) fn new(field: &Field, sight: &Sight, slants: &Lanes) -> Self {
        let tiles = sight.tiles;
        let [width, depth] = field.side;
        let begin = Begin {
            start: [
                sight.eye.x / width + 0.5 * tiles,
                sight.eye.z / depth + 0.5 * tiles,
            ],
            nearest: NEAREST,
            tiles,
            side: field.side,
        };
        Self::from(&begin, sight, slants)
    }

    pub(super) fn from(begin: &Begin, sight: &Sight, slants: &Lanes) -> Self {
        let middle = sight.ahead + sight.right * slants[LANES / 2];
        let along_x = middle.x.abs() >= middle.z.abs();
        let order = |[x, z]: [f32; 2]| if along_x { [x, z] } else { [z, x] };
        let Begin { tiles, nearest, .. } = *begin;
        let [width, depth] = begin.side;
        let mut ways = Self {
            start: order(begin.start),
            by: [[0.0; LANES]; 2],
            ahead: [0.0; LANES],
            nearest,
            from: [nearest; LANES],
            until: [f32::MAX; LANES],
            along_x,
        };
        for (lane, slant) in slants.iter().enumerate() {
            let way = sight.ahead + sight.right * slant;
            let by = order([way.x / width, way.z / depth]);
            let (mut from, mut until) = (nearest, f32::MAX);
            for (axis, by) in by.into_iter().enumerate() {
                ways.by[axis][lane] = by;
                let borders = [0.0, tiles].map(|border| border - ways.start[axis]);
                if by.abs() > LEVEL {
                    let [one, other] = borders.map(|border| border / by);
                    from = from.max(one.min(other));
                    until = until.min(one.max(other));
                } else if borders[0] > 0.0 || borders[1] < 0.0 {
                    until = 0.0;
                }
            }
            ways.ahead[lane] = by[0].recip();
            (ways.from[lane], ways.until[lane]) = (from, until);
        }
        ways
    }

    /// True if a slice crosses the ground.
    pub(super) fn meets(&self, lane: usize) -> bool {
        self.from[lane] < self.until[lane]
    }

    /// True if all slices rise along both axes or fall along both; and the number of parts into which the way
    /// between two lines is split, so that no slice crosses two lines of the other axis in one part.
    pub(super) fn turns(&self) -> (bool, usize) {
        let [along, across] = &self.by;
        let lanes = || along.iter().zip(across);
        let rises = lanes().all(|(along, across)| along * across >= 0.0);
        let steepest = lanes().fold(0.0_f32, |most, (along, across)| {
            most.max((across / along).abs())
        });
        (rises, steepest.ceil().clamp(1.0, MOST_PARTS) as usize)
    }

    /// The last line, at `cells` lines per tile, that no slice has passed yet.
    pub(super) fn line_before(&self, ahead: &Lanes, cells: f32, forwards: bool) -> i64 {
        let meeting = (0..LANES).filter(|lane| self.meets(*lane));
        let lines = meeting.map(|lane| (self.start[0] + self.by[0][lane] * ahead[lane]) * cells);
        if forwards {
            lines.fold(f32::INFINITY, f32::min).floor() as i64
        } else {
            lines.fold(f32::NEG_INFINITY, f32::max).ceil() as i64
        }
    }
}
