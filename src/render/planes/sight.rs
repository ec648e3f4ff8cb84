//! What an eye sees: the rows of its picture, and the planes through it.

use glam::Vec3;

use super::LANES;
use crate::render::view::camera::Eye;

/// Rays that come ahead by less than this for each step along the view are too steep: there planes
/// crowd together, and there would be many more of them than columns.
const STEEPEST: f32 = 0.2;

/// An eye on a picture of known size, over so many tiles.
pub(in crate::render) struct Sight {
    pub(super) eye: Vec3,
    /// Where it looks, along the level; and to the right of that. Unit vectors.
    pub(super) ahead: Vec3,
    pub(super) right: Vec3,
    /// The lowest first.
    pub(super) rows: Vec<Row>,
    /// Pixels of a row.
    pub(super) width: usize,
    /// Half the width of the picture at distance 1 along the view, and what it is shifted by, as a
    /// part of that.
    pub(super) half_width: f32,
    pub(super) shift: f32,
    /// How far to the right the first plane goes for each step ahead, and by how much more each next
    /// one does.
    pub(super) first: f32,
    pub(super) step: f32,
    /// How many times sixteen planes there are.
    pub(super) blocks: usize,
    /// Tiles along each side.
    pub(super) tiles: f32,
}

/// A row of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// How far its rays rise for each step ahead.
    pub(super) rise: f32,
    /// How far its rays come ahead for each step along the view.
    pub(super) ahead: f32,
}

impl Sight {
    /// The sight of `eye`; `None` if it sees in parallel, or some of the picture too steeply.
    pub(in crate::render) fn new(
        eye: &Eye,
        (width, height): (u32, u32),
        tiles: u32,
    ) -> Option<Self> {
        if eye.is_parallel() {
            return None;
        }
        let (right, up) = eye.half_sides();
        let (forward, jitter) = (eye.forward, eye.jitter());
        let (level, down) = (forward.x.hypot(forward.z), -forward.y);
        let half_height = up.length();
        let rows: Vec<Row> = (0..height)
            .map(|row| {
                let place = (row as f32 + 0.5) / height as f32 * 2.0 - 1.0 - jitter.y;
                let y = place * half_height;
                let ahead = level + y * down;
                Row {
                    rise: (y * level - down) / ahead,
                    ahead,
                }
            })
            .collect();
        let aheads = rows.iter().map(|row| row.ahead);
        let (least, most) = aheads.fold((f32::INFINITY, 0.0f32), |(least, most), ahead| {
            (least.min(ahead), most.max(ahead))
        });
        if least < STEEPEST {
            return None;
        }
        let half_width = right.length();
        let step = 2.0 * half_width / width as f32 / most;
        let widest = half_width * (1.0 + jitter.x.abs()) / least;
        let blocks = ((2.0 * widest / step) as usize + 3).div_ceil(LANES);
        Some(Self {
            eye: eye.position,
            ahead: Vec3::new(forward.x, 0.0, forward.z) / level,
            right: right / half_width,
            rows,
            width: width as usize,
            half_width,
            shift: jitter.x,
            first: -0.5 * step * (blocks * LANES - 1) as f32,
            step,
            blocks,
            tiles: tiles.max(1) as f32,
        })
    }

    /// How far to the right the planes of a block go for each step ahead.
    pub(super) fn slants(&self, block: usize) -> [f32; LANES] {
        std::array::from_fn(|lane| self.first + self.step * (block * LANES + lane) as f32)
    }

    /// The height of a pixel at distance 1 ahead.
    pub(super) fn pixel(&self) -> f32 {
        let [first, .., last] = &self.rows[..] else {
            return 2.0 * self.half_width / self.width as f32;
        };
        (last.rise - first.rise) / (self.rows.len() - 1) as f32
    }

    /// Up to which row a plane of that slant lies within the picture, looking down or straight on.
    pub(super) fn rows_within(&self, slant: f32) -> usize {
        let widest = self.half_width * (1.0 + self.shift.abs()) + self.step;
        let within = |row: &Row| row.ahead * slant.abs() <= widest;
        match (self.rows.first(), self.rows.last()) {
            (Some(first), Some(last)) if first.ahead <= last.ahead => {
                self.rows.partition_point(within)
            }
            _ => self.rows.len(),
        }
    }
}
