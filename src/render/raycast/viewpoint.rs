//! View setup of the ray caster: the rows of the picture, and the vertical slices through the eye.

use std::ops::Range;

use glam::Vec3;

use crate::render::raycast::{LANES, NEXT_STRIP};
use crate::render::view::{Eye, Frame};

/// Minimum advance ahead per unit along the view for which slices are used. Steeper rays would need many more
/// slices than there are columns, since slices crowd together there.
const STEEPEST: f32 = 0.2;
/// The same limit where steeper rows use single rays. From there on a sample needs no slice that is more than
/// two away from those of the pixel's centre.
const STEEPEST_BESIDE_RAYS: f32 = 0.45;
/// Minimum horizontal component of the view direction; below it the view is straight down or up.
const LEVEL: f32 = 1e-3;
/// Rows per pixel and slices per pixel with antialiasing.
const SMOOTH: (u32, f32) = (4, 1.0);
/// Positions of a pixel's samples, lowest row first, to the right of the centre and up; all in different
/// columns (rotated grid).
pub(super) const PLACES: [[f32; 2]; 4] = [
    [-0.125, -0.375],
    [0.375, -0.125],
    [-0.375, 0.125],
    [0.125, 0.375],
];

/// An eye with a picture, or a piece of one, over a number of tiles.
#[derive(Clone, PartialEq)]
pub(in crate::render) struct Sight {
    pub(super) eye: Vec3,
    /// Horizontal view direction and the direction to its right; unit vectors.
    pub(super) ahead: Vec3,
    pub(super) right: Vec3,
    /// Rows of pixels that use slices; the others are too steep.
    pub(in crate::render) by_planes: Range<usize>,
    /// Sample rows of those rows of pixels, the lowest first.
    pub(super) rows: Vec<Row>,
    /// Number of sample rows per row of pixels.
    pub(super) rows_a_pixel: usize,
    /// Size of the piece in pixels.
    pub(in crate::render) size: [usize; 2],
    /// First column of the piece in the whole picture.
    pub(super) column: usize,
    /// Ray through the lower left corner of the piece, and its change per pixel to the right and up.
    rays: [Ray; 3],
    /// Height above the eye of the water surface that hides everything below.
    pub(super) water: Option<f32>,
    /// Width of a pixel in clip coordinates.
    pixel_clip: f32,
    /// Height of a pixel of the whole picture, at distance 1 ahead.
    pub(super) pixel: f32,
    /// Half the width of the picture at distance 1 along the view, and the subpixel offset as a fraction of
    /// it.
    half_width: f32,
    shift: f32,
    /// Slope of the first slice to the right, per unit ahead, and its increment per slice.
    first: f32,
    step: f32,
    /// Strips of slices that the piece needs.
    strips: Range<usize>,
    /// Tiles along each side.
    pub(in crate::render) tiles: f32,
    /// Lower end of the ground's sides.
    pub(in crate::render) floor: f32,
    pub(super) detail: f32,
}

/// A row of samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Row {
    /// Rise of the row's rays per unit ahead.
    pub(super) rise: f32,
    /// Advance ahead of the row's rays per unit along the view.
    pub(super) ahead: f32,
    /// Distance ahead of the water, which hides everything behind.
    pub(super) water: f32,
}

/// Mapping from the picture's columns to slice coordinates, in one row.
#[derive(Clone, Copy)]
pub(super) struct Across {
    /// Slice coordinate of the first column, and its increment per column.
    first: f32,
    by: f32,
    /// Distance along the view per unit ahead.
    pub(super) along: f32,
}

impl Across {
    /// Slice coordinate of a column.
    #[inline(always)]
    pub(super) fn place(&self, column: f32) -> f32 {
        self.first + column * self.by
    }
}

/// The ground to be shown, and options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::render) struct Shown {
    /// Tiles along each side.
    pub(in crate::render) tiles: u32,
    /// Height of the floor below the ground.
    pub(in crate::render) floor: f32,
    /// Height of the water surface that hides everything below.
    pub(in crate::render) water: Option<f32>,
    /// Detail factor, as `view.detail`: 1 allows an error of a pixel, more is finer.
    pub(in crate::render) detail: f32,
    /// True for antialiased edges.
    pub(in crate::render) smooth: bool,
    /// True if rows too steep for slices may use single rays.
    pub(in crate::render) has_rays: bool,
}

impl Sight {
    /// Set up the view of `eye` for a piece of a picture. Without single rays, `None` for a parallel view, or
    /// if some of the picture is too steep.
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
            // Looking straight down, ahead is up in the picture.
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
            // An odd number of steps from side to side, so that slices go through the centres of pixels.
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

    /// True for parallel projection, where all rays go straight down.
    pub(super) fn is_parallel(&self) -> bool {
        self.rays[1].way == Vec3::ZERO
    }

    /// Ray through a position of the piece, in pixels from its lower left corner.
    pub(super) fn ray(&self, column: f32, row: f32) -> Ray {
        let [first, right, up] = &self.rays;
        Ray {
            from: first.from + right.from * column + up.from * row,
            way: first.way + right.way * column + up.way * row,
        }
    }

    /// The strips whose slices enclose all pixels of the piece.
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

    /// Number of strips.
    pub(in crate::render) fn strips(&self) -> usize {
        self.strips.len()
    }

    /// Index of a strip's first slice.
    pub(super) fn first_plane(&self, strip: usize) -> usize {
        (self.strips.start + strip) * NEXT_STRIP
    }

    /// Slopes to the right per unit ahead of sixteen slices, from `first` on.
    pub(super) fn slants(&self, first: usize) -> [f32; LANES] {
        std::array::from_fn(|lane| self.first + self.step * (first + lane) as f32)
    }

    /// Columns of the piece that belong to a strip, in a row of pixels.
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

    /// Mapping of the samples in one of a pixel row's sample rows.
    pub(super) fn across_row(&self, pixels: usize, row: usize) -> Across {
        let place = if self.rows_a_pixel == 1 {
            0.0
        } else {
            PLACES[row][0]
        };
        self.across(&self.rows[pixels * self.rows_a_pixel + row], place)
    }

    /// Mapping of the pixel centres in one of their rows.
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

    /// Upper end of the rows in which a slice of this slope lies within the picture, for views downwards or
    /// level.
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

/// The range of `rows` rows for which `holds` is true; they must be contiguous at one end.
fn consecutive(rows: u32, holds: impl Fn(u32) -> bool) -> Range<u32> {
    // Binary search for the first row that differs from row 0.
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

/// The first slice that pixels in a column may sample.
fn owner(across: &Across, column: usize) -> f32 {
    (across.place(column as f32).floor() - 1.0).max(0.0)
}

/// A ray of a picture, with an origin relative to the eye, in half tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ray {
    pub(super) from: Vec3,
    /// Direction, of length 1 along the view axis.
    pub(super) way: Vec3,
}
