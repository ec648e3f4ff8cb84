//! What an eye sees: the rows of its picture, and the planes through it.

use std::ops::Range;

use glam::Vec3;

use super::ray::Ray;
use super::{LANES, NEXT_STRIP};
use crate::render::view::camera::Eye;
use crate::render::view::frame::Frame;

/// Rays that come ahead by less than this for each step along the view are too steep for planes: there
/// these crowd together, and there would be many more of them than columns.
const STEEPEST: f32 = 0.2;
/// The same where there are rays for what is steeper. From there on no place in a pixel asks a plane that
/// is more than two away from those of the pixel's middle.
const STEEPEST_BESIDE_RAYS: f32 = 0.45;
/// A view that goes along the level by less than this, for each step, has no direction of its own there.
const LEVEL: f32 = 1e-3;
/// Rows in a pixel and planes for each, where edges are smooth.
const SMOOTH: (u32, f32) = (4, 1.0);
/// Where in a pixel each of its rows asks, lowest first, to the right of its middle and up: no two in one
/// column.
pub(super) const PLACES: [[f32; 2]; 4] = [
    [-0.125, -0.375],
    [0.375, -0.125],
    [-0.375, 0.125],
    [0.125, 0.375],
];

/// An eye on a picture, or on a piece of one, over so many tiles.
pub(in crate::render) struct Sight {
    pub(super) eye: Vec3,
    /// Where it looks, along the level; and to the right of that. Unit vectors.
    pub(super) ahead: Vec3,
    pub(super) right: Vec3,
    /// The rows of pixels of the piece that planes are for; the others are looked at too steeply.
    pub(in crate::render) by_planes: Range<usize>,
    /// Several in each of those rows of pixels, the lowest first.
    pub(super) rows: Vec<Row>,
    /// How many of them are in a row of pixels.
    pub(super) rows_a_pixel: usize,
    /// Pixels of the piece.
    pub(in crate::render) size: [usize; 2],
    /// The first column of the piece, in the whole picture.
    pub(super) column: usize,
    /// The ray through the lower left of the piece, and what a pixel to the right and one up add to it.
    rays: [Ray; 3],
    /// How high the water that hides what is below is above the eye.
    pub(super) water: Option<f32>,
    /// The clip coordinates of a pixel's side.
    pixel_clip: f32,
    /// The height of a pixel of the whole picture, at distance 1 ahead.
    pub(super) pixel: f32,
    /// Half the width of the picture at distance 1 along the view, and what it is shifted by, as a
    /// part of that.
    half_width: f32,
    shift: f32,
    /// How far to the right the first plane goes for each step ahead, and by how much more each next
    /// one does.
    first: f32,
    step: f32,
    /// Which strips of planes the piece needs.
    strips: Range<usize>,
    /// Tiles along each side.
    pub(in crate::render) tiles: f32,
    /// How low the sides of the ground reach.
    pub(in crate::render) floor: f32,
    pub(super) detail: f32,
}

/// A row in which pixels are asked for their ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// How far its rays rise for each step ahead.
    pub(super) rise: f32,
    /// How far its rays come ahead for each step along the view.
    pub(super) ahead: f32,
    /// How far ahead there is water, which hides what is behind.
    pub(super) water: f32,
}

/// Where the columns of the whole picture lie among its planes, in a row.
#[derive(Clone, Copy)]
pub(super) struct Across {
    /// The place of the first, and from each to the next.
    first: f32,
    by: f32,
    /// How far along the view each step ahead comes.
    pub(super) along: f32,
}

impl Across {
    /// The place of a column among the planes.
    #[inline(always)]
    pub(super) fn place(&self, column: f32) -> f32 {
        self.first + column * self.by
    }
}

/// The ground that is seen, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Shown {
    /// Tiles along each side.
    pub(in crate::render) tiles: u32,
    /// The height of the floor below it.
    pub(in crate::render) floor: f32,
    /// The height of the water that hides what is below.
    pub(in crate::render) water: Option<f32>,
    /// As `view.detail`: how much finer it is than an error of a pixel asks for.
    pub(in crate::render) detail: f32,
    /// Whether its edges are smooth.
    pub(in crate::render) smooth: bool,
    /// Whether there are rays for what is looked at too steeply for planes.
    pub(in crate::render) has_rays: bool,
}

impl Sight {
    /// The sight of `eye` in that piece of a picture; `None` if it sees in parallel, or some of the
    /// picture too steeply, unless there are rays for that.
    pub(in crate::render) fn new(eye: &Eye, frame: &Frame, shown: Shown) -> Option<Self> {
        if eye.is_parallel() && !shown.has_rays {
            return None;
        }
        let (rows_a_pixel, planes_a_pixel) = if shown.smooth { SMOOTH } else { (1, 1.0) };
        let (right, up) = eye.half_sides();
        let (forward, jitter) = (eye.forward, eye.jitter());
        let (level, down) = (forward.x.hypot(forward.z), -forward.y);
        let half_width = right.length();
        let (ahead, level) = if level > LEVEL {
            (Vec3::new(forward.x, 0.0, forward.z) / level, level)
        } else {
            // Looking straight down, that way is up in the picture.
            let ahead = Vec3::new(right.z, 0.0, -right.x) / half_width;
            (ahead, forward.dot(ahead))
        };
        let half_height = up.length();
        let row_at = |pixels: f32| {
            let place = pixels / frame.whole.1 as f32 * 2.0 - 1.0 - jitter.y;
            let y = place * half_height;
            let ahead = level + y * down;
            let rise = (y * level - down) / ahead;
            let water = shown.water.map(|water| (water - eye.position.y) / rise);
            Row {
                rise,
                ahead,
                water: water.filter(|ahead| *ahead > 0.0).unwrap_or(f32::MAX),
            }
        };
        let steepest = if shown.has_rays {
            STEEPEST_BESIDE_RAYS
        } else {
            STEEPEST
        };
        let is_flat = |row: u32| !eye.is_parallel() && row_at(row as f32 + 0.5).ahead >= steepest;
        let flat = consecutive(frame.whole.1, is_flat);
        if flat.len() < frame.whole.1 as usize && !shown.has_rays {
            return None;
        }
        let ends = [flat.start as f32 + 0.5, flat.end as f32 - 0.5].map(row_at);
        let [least, most] = [f32::min, f32::max].map(|of| of(ends[0].ahead, ends[1].ahead));
        let [least, most] = [least, most].map(|ahead| ahead.max(steepest));
        let (width, height) = (frame.whole.0 as f32, flat.len() as f32);
        let step = 2.0 * half_width / width / most / planes_a_pixel;
        let widest = half_width * (1.0 + jitter.x.abs()) / least;
        let strips = ((2.0 * widest / step) as usize + LANES).div_ceil(NEXT_STRIP);
        let of_pixel = |index: u32| (index as f32 + 0.5) / rows_a_pixel as f32;
        let [low, high] = [frame.origin[1], frame.origin[1] + frame.size.1];
        let piece = flat.start.clamp(low, high)..flat.end.clamp(low, high);
        let by_planes = (piece.start - low) as usize..(piece.end - low) as usize;
        let rows = piece.start * rows_a_pixel..piece.end * rows_a_pixel;
        let mut sight = Self {
            eye: eye.position,
            ahead,
            right: right / half_width,
            by_planes,
            rows: rows.map(of_pixel).map(row_at).collect(),
            rows_a_pixel: rows_a_pixel as usize,
            size: [frame.size.0 as usize, frame.size.1 as usize],
            column: frame.origin[0] as usize,
            rays: eye
                .rays(frame.whole, frame.origin)
                .map(|(from, way)| Ray { from, way }),
            water: shown.water.map(|water| water - eye.position.y),
            pixel_clip: 2.0 / width,
            pixel: if height > 1.0 {
                (ends[1].rise - ends[0].rise) / (height - 1.0)
            } else {
                2.0 * half_width / width
            },
            half_width,
            shift: jitter.x,
            // An odd number of steps from side to side: so planes go through the middles of pixels.
            first: -0.5 * step * (strips * NEXT_STRIP - 1) as f32,
            step,
            strips: 0..strips,
            tiles: shown.tiles.max(1) as f32,
            floor: shown.floor,
            detail: shown.detail,
        };
        sight.strips = sight.strips_needed();
        Some(sight)
    }

    /// Whether all its rays go straight down.
    pub(super) fn is_parallel(&self) -> bool {
        self.rays[1].way == Vec3::ZERO
    }

    /// The ray through a place of the piece, in pixels from its lower left.
    pub(super) fn ray(&self, column: f32, row: f32) -> Ray {
        let [first, right, up] = &self.rays;
        Ray {
            from: first.from + right.from * column + up.from * row,
            way: first.way + right.way * column + up.way * row,
        }
    }

    /// Those between whose planes all pixels of the piece lie.
    fn strips_needed(&self) -> Range<usize> {
        let rows = self.rows.len() / self.rows_a_pixel;
        if rows == 0 {
            return 0..0;
        }
        let ends = [0, rows.saturating_sub(1)].map(|row| self.middle(row));
        let columns = [self.column, self.column + self.size[0]];
        let places = ends.map(|across| columns.map(|column| owner(&across, column)));
        let places = places
            .as_flattened()
            .iter()
            .map(|place| *place as usize / NEXT_STRIP);
        let (low, high) = places.fold((self.strips.end, 0), |(low, high), strip| {
            (low.min(strip), high.max(strip))
        });
        low..(high + 1).min(self.strips.end)
    }

    /// How many strips there are.
    pub(in crate::render) fn strips(&self) -> usize {
        self.strips.len()
    }

    /// The first plane of a strip.
    pub(super) fn first_plane(&self, strip: usize) -> usize {
        (self.strips.start + strip) * NEXT_STRIP
    }

    /// How far to the right sixteen planes go for each step ahead, from that one on.
    pub(super) fn slants(&self, first: usize) -> [f32; LANES] {
        std::array::from_fn(|lane| self.first + self.step * (first + lane) as f32)
    }

    /// The columns of the piece whose pixels a strip has, in a row of pixels.
    pub(super) fn columns(&self, strip: usize, row: usize) -> Range<usize> {
        let across = self.middle(row);
        let [start, end] = [strip, strip + 1].map(|strip| match strip {
            0 => 0,
            _ if strip == self.strips.len() => self.size[0],
            _ => {
                let first = self.first_plane(strip) as f32;
                let about = (first + 1.0 - across.first) / across.by - self.column as f32;
                let mut column = (about.max(0.0) as usize).min(self.size[0]);
                while column > 0 && owner(&across, self.column + column - 1) >= first {
                    column -= 1;
                }
                while column < self.size[0] && owner(&across, self.column + column) < first {
                    column += 1;
                }
                column
            }
        });
        start..end
    }

    /// Where pixels ask in the row of that number within theirs.
    pub(super) fn across_row(&self, pixels: usize, row: usize) -> Across {
        let place = if self.rows_a_pixel == 1 {
            0.0
        } else {
            PLACES[row][0]
        };
        self.across(&self.rows[pixels * self.rows_a_pixel + row], place)
    }

    /// Where the middles of pixels lie in one of their rows.
    fn middle(&self, pixels: usize) -> Across {
        self.across(
            &self.rows[pixels * self.rows_a_pixel + self.rows_a_pixel / 2],
            0.0,
        )
    }

    fn across(&self, row: &Row, place: f32) -> Across {
        let along = row.ahead.recip();
        let by = self.pixel_clip * self.half_width * along;
        let first = (-1.0 - self.shift) * self.half_width * along + (0.5 + place) * by;
        let per = self.step.recip();
        Across {
            first: (first - self.first) * per,
            by: by * per,
            along,
        }
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

/// The rows of so many, all in a row, at one end or another, for which that holds.
fn consecutive(rows: u32, holds: impl Fn(u32) -> bool) -> Range<u32> {
    // Where it changes: the first row that is not as row 0.
    let is_first = rows > 0 && holds(0);
    let (mut low, mut high) = (0, rows);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) == is_first {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if is_first { 0..low } else { low..rows }
}

/// The plane from which on pixels in a column may ask.
fn owner(across: &Across, column: usize) -> f32 {
    (across.place(column as f32).floor() - 1.0).max(0.0)
}
