//! Where planes begin, which lines they cross, and how far ahead.

use super::field::Field;
use super::sight::Sight;
use super::{LANES, Lanes};

/// How far ahead the walk begins, half tiles.
const NEAREST: f32 = 1e-4;
/// Planes that differ by less along an axis never cross one of its lines.
const LEVEL: f32 = 1e-12;
/// The most parts of the way between two lines that are crossed one by one.
const MOST_PARTS: f32 = 4.0;

/// Where sixteen planes lie on the map: in tiles, first along the axis whose lines they cross one by
/// one, then along the other.
#[derive(Clone)]
pub(super) struct Ways {
    pub(super) start: [f32; 2],
    /// How far they come for each step ahead; and how far ahead they go for each tile along the first
    /// axis.
    pub(super) by: [Lanes; 2],
    pub(super) ahead: Lanes,
    /// How far ahead they begin.
    pub(super) nearest: f32,
    /// How far ahead each enters the ground and leaves it.
    pub(super) from: Lanes,
    pub(super) until: Lanes,
    /// Whether the lines are those that x crosses.
    pub(super) along_x: bool,
}

/// Where planes begin, and what they cross.
pub(super) struct Begin {
    /// In tiles, along x and z.
    pub(super) start: [f32; 2],
    /// How far ahead they begin.
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

    /// Whether a plane crosses the ground.
    pub(super) fn meets(&self, lane: usize) -> bool {
        self.from[lane] < self.until[lane]
    }

    /// True if all planes go up both axes or down both; and the number of parts in which the way between
    /// two lines has to be crossed, so that no plane crosses two lines of the other axis in one part.
    pub(super) fn turns(&self) -> (bool, usize) {
        let [along, across] = &self.by;
        let lanes = || along.iter().zip(across);
        let rises = lanes().all(|(along, across)| along * across >= 0.0);
        let steepest = lanes().fold(0.0_f32, |most, (along, across)| {
            most.max((across / along).abs())
        });
        (rises, steepest.ceil().clamp(1.0, MOST_PARTS) as usize)
    }

    /// The last line, of so many in a tile, before any plane comes to where it goes on.
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
