//! Terrain lighting: sun visibility (soft shadows) and sky visibility (ambient occlusion) by horizon
//! sweeps.
//!
//! A sweep walks over the map away from the light and carries the height of the shadow: at each step it
//! falls by the slope of the light, but never below the ground just passed. A point below the shadow height
//! is in shadow. Along parallel lines this costs the same for each sample, however long the shadows are. It
//! follows the sheared scan lines of Timonen and Westerholm, "Scalable height field
//! self-shadowing", 2010, but uses a few fixed slopes in place of their convex hull, so that many lines are
//! processed at once.
//!
//! Between two slopes the shadow height is interpolated linearly, which is exact for a single obstacle.
//! [`sun_visibility`] sweeps once, with the slopes of the sun's lower and upper edge; [`sky_visibility`]
//! sweeps in 16 directions, with six slopes from the horizon up.
//!
//! The same map gives the same bytes on any number of threads and any processor.

use std::borrow::Cow;

use crate::scene::{Light, angle_from_east};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::thinning;
use crate::util::parallel;
use kernel::{Kernel, LANES, NONE, SKY, SUN, Shadows, Slopes, disc, no_shadows};

mod kernel;

/// Largest number of samples a side of the sun visibility; edges of shadows are soft.
pub const MOST_SUN: usize = 2049;
/// Largest number of samples a side of the sky visibility, which is smooth.
pub const MOST_SKY: usize = 2049;

/// Visibility of a light at each sample of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Visibility {
    /// Visible share, from 0 for nothing to 255 for all of the light. Rows and columns are those of the map
    /// or, if the map is larger than the requested limit, those of every second, fourth … sample. For a map
    /// that wraps the last row and column, which repeat the first, are left out.
    pub values: Grid<u8>,
    /// Number of columns and rows across a tile, from its first sample to its last.
    pub span: [f32; 2],
}

// Sun visibility: soft shadows of the terrain by one horizon sweep.

/// Radius of the sun in degrees, for the softness of shadows. The real one is 0.27, whose edges would look
/// hard at the size of a landscape; thin haze around the sun softens them anyway.
pub const SUN_RADIUS: f32 = 0.8;

/// Steepest light in degrees, since a slope must be finite.
const STEEPEST: f32 = 89.9;

/// Position of the sun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sun {
    /// Compass bearing of the sun in degrees: 0 is north (−z), 90 east (+x).
    pub bearing: f32,
    /// Elevation of the sun's centre in degrees; negative below the horizon.
    pub elevation: f32,
}

impl Sun {
    /// Horizontal direction to the sun, a unit vector: x and z.
    fn heading(self) -> (f64, f64) {
        let angle = f64::from(angle_from_east(self.bearing)).to_radians();
        (libm::cos(angle), libm::sin(angle))
    }
}

impl From<&Light> for Sun {
    fn from(light: &Light) -> Self {
        let (bearing, elevation) = light.angles();
        Self { bearing, elevation }
    }
}

/// Compute the sun visibility of each sample of `map`, without self-shading by the ground's own slope: 255
/// for all, 0 for nothing, and in between where the disc, with the radius [`SUN_RADIUS`], is partly behind
/// a ridge.
///
/// A map that wraps casts shadows across its borders, as often as the light needs; any other map ends at
/// its border. Edges are soft over about a sample even right behind their casters. If the map is larger
/// than `most` samples a side, every second, fourth … is used. Cost: O(samples), however long the shadows
/// are; about 3 ms for 1025² on two threads.
///
/// # Errors
/// The job was cancelled.
pub fn sun_visibility(
    map: &Heightmap,
    sun: Sun,
    most: usize,
    job: &Job,
) -> Result<Visibility, Cancelled> {
    let field = Field::new(map, most, job)?;
    let span = field.span;
    let risen = disc((sun.elevation + SUN_RADIUS) / (2.0 * SUN_RADIUS)) * 255.0;
    let shape = (field.rows, field.columns);
    if risen <= 0.0 || field.rows == 1 || field.columns == 1 {
        let values = Grid::filled(shape.0, shape.1, (risen + 0.5) as u8);
        return Ok(Visibility { values, span });
    }
    let (east, south) = sun.heading();
    let along_rows = east.abs() > south.abs();
    let (towards, aside) = if along_rows {
        (east, south)
    } else {
        (south, east)
    };
    let field = if along_rows {
        field.turned(job)?
    } else {
        field
    };
    // The sweep starts on the side of the sun, so it runs backwards if the sun is behind the last row.
    let course = Course::new(&field, -aside / towards.abs(), towards > 0.0);
    let slope = |elevation: f32| {
        let elevation = f64::from(elevation.clamp(0.0, STEEPEST));
        libm::tan(elevation.to_radians())
    };
    let edges = [-SUN_RADIUS, SUN_RADIUS].map(|radius| slope(sun.elevation + radius));
    let step = f64::from(field.spacing) * course.step();
    let slopes = Slopes {
        drops: edges.map(|slope| (slope * step) as f32),
        weights: [1.0, 0.0],
        // About a sample: on flat ground across a shadow's edge, on steep ground along it.
        softness: field.spacing * (0.25 + 0.5 * slope(sun.elevation).min(2.0) as f32),
    };
    let mut values = vec![0; field.rows * field.columns];
    sweep(&field, course, (&SUN, slopes, risen), &mut values, job)?;
    if along_rows {
        values = turned(&values, field.columns, field.rows, field.columns, job)?;
    }
    let values = Grid::from_vec(shape.0, shape.1, values).unwrap_or(Grid::filled(0, 0, 0));
    Ok(Visibility { values, span })
}

// Shadow of the land beyond its tiles, on a sea that goes on to the horizon.

/// Largest number of lines of a [`CastShadow`].
const MOST_LINES: usize = 2048;

/// Shadow that land casts on the plain around it: for each line parallel to the light, the ridge that
/// shades farthest.
///
/// A place at `along` half tiles towards the sun from the centre of the land, behind all of it, is in shadow
/// below the height `top + along · slope` of its line, where `slope` is the tangent of the sun's elevation.
#[derive(Clone, Debug, PartialEq)]
pub struct CastShadow {
    /// For each line the largest of height − `along` · `slope` of its samples, in half tiles; −∞ for none.
    pub tops: Vec<f32>,
    /// Distance of the first line from the centre in half tiles, to the right of the sun as one looks at it.
    pub first: f32,
    /// Distance between lines.
    pub step: f32,
    /// Direction to the sun, x and z, and `slope`.
    sun: [f32; 3],
}

impl CastShadow {
    /// No shadow at all.
    #[must_use]
    pub fn none() -> Self {
        Self {
            tops: vec![f32::NEG_INFINITY],
            first: 0.0,
            step: 1.0,
            sun: [1.0, 0.0, 0.0],
        }
    }

    /// Shadow of one tile of `map`. If the map is larger than `most` samples a side, every second, fourth …
    /// is used. Cost: O(samples), about 2 ms for 1025² on two threads.
    #[must_use]
    pub fn of_tile(map: &Heightmap, sun: Sun, most: usize) -> Self {
        let (east, south) = sun.heading();
        let (east, south) = (east as f32, south as f32);
        let elevation = f64::from(sun.elevation.clamp(0.0, STEEPEST));
        let slope = libm::tan(elevation.to_radians()) as f32;
        let thinned = thinning(map.rows().max(map.columns()), most);
        let (width, depth) = (map.x(map.columns() - 1), map.z(map.rows() - 1));
        let reach = width * south.abs() + depth * east.abs();
        let spacing = map.spacing() * thinned as f32;
        let step = spacing.max(2.0 * reach / (MOST_LINES - 1) as f32);
        let count = ((2.0 * reach / step).round() as usize + 1).min(MOST_LINES);
        let across = map.spacing() / step;
        let none = || vec![f32::NEG_INFINITY; count];
        let rows: Vec<usize> = (0..map.rows()).step_by(thinned).collect();
        let bands = parallel::par_items(rows.chunks(64)).map(|_, rows| {
            let mut tops = none();
            for row in rows {
                // Lines and heights of the light are linear along a row.
                let (x, z) = (map.x(0), map.z(*row));
                let (first, by) = ((z * east - x * south + reach) / step + 0.5, -south * across);
                let (along, rise) = ((x * east + z * south) * slope, east * slope * map.spacing());
                for (column, height) in map.row(*row).iter().enumerate().step_by(thinned) {
                    let line = (first + by * column as f32) as u32 as usize;
                    let top = &mut tops[line.min(count - 1)];
                    let height = height - (along + rise * column as f32);
                    *top = if height > *top { height } else { *top };
                }
            }
            tops
        });
        let join = |all: Vec<f32>, more: Vec<f32>| {
            let both = all.into_iter().zip(more);
            both.map(|(top, more)| top.max(more)).collect()
        };
        Self {
            tops: bands.into_iter().reduce(join).unwrap_or_else(none),
            first: -reach,
            step,
            sun: [east, south, slope],
        }
    }

    /// Shadow of `tiles` by `tiles` copies of the tile, whose sides along x and z are `side` half tiles long.
    #[must_use]
    pub fn of_tiles(&self, tiles: u32, side: [f32; 2]) -> Self {
        let [east, south, slope] = self.sun;
        let half = 0.5 * (tiles - 1) as f32;
        let more = half * (side[0] * south.abs() + side[1] * east.abs());
        let first = self.first - more;
        // Lines lie on those of the tile, or farther apart.
        let step = self.step.max(-2.0 * first / (MOST_LINES - 1) as f32);
        let count = ((-2.0 * first / step).round() as usize + 1).min(MOST_LINES);
        let mut tops = vec![f32::NEG_INFINITY; count];
        for tile in 0..tiles * tiles {
            let x = ((tile % tiles) as f32 - half) * side[0];
            let z = ((tile / tiles) as f32 - half) * side[1];
            let (along, aside) = (x * east + z * south, z * east - x * south);
            for (line, top) in self.tops.iter().enumerate() {
                let aside = aside + self.first + line as f32 * self.step;
                let line = ((aside - first) / step + 0.5).max(0.0) as usize;
                let all = &mut tops[line.min(count - 1)];
                *all = all.max(top - along * slope);
            }
        }
        Self {
            tops,
            first,
            step,
            sun: self.sun,
        }
    }
}

// Ambient occlusion: sky visibility of each sample by horizon sweeps in 16 directions.

/// Elevations in degrees of the slopes that bracket the horizon. A horizon below the first hides under 0.4 %
/// of the light.
const ELEVATIONS: [f64; 6] = [3.5, 10.0, 18.0, 28.0, 41.0, 58.0];

/// Shift in columns from row to row of lines along rows, and in rows of lines along columns. Swept from both
/// sides they give 16 directions, 22.5° apart. Diagonals count as lines along rows.
const ALONG_ROWS: &[f64] = &[-1.0, -TAN_22_5, 0.0, TAN_22_5, 1.0];
const ALONG_COLUMNS: &[f64] = &[-TAN_22_5, 0.0, TAN_22_5];
const TAN_22_5: f64 = std::f64::consts::SQRT_2 - 1.0;
/// Number of directions.
const DIRECTIONS: u32 = 16;
/// Value for all of the light from one direction: 16 of them fit into 16 bits.
const WHOLE: f32 = 4095.0;
/// Number of samples per parallel task.
const PART: usize = 1 << 14;

/// Compute the sky visibility (ambient occlusion) of each sample of `map`, weighted for the illumination of
/// level ground: the mean over 16 directions of cos² of the horizon's elevation, with 255 for all and 0 for
/// nothing. On an isolated slope of angle β this is (1 + cos β) / 2.
///
/// On a map that wraps, land across the border occludes the sky, too; any other map ends at its border. If
/// the map is larger than `most` samples a side, every second, fourth … is used. Cost: O(samples), about 25
/// ms for 1025² on two threads. The result does not depend on the sun.
///
/// # Errors
/// The job was cancelled.
pub fn sky_visibility(map: &Heightmap, most: usize, job: &Job) -> Result<Visibility, Cancelled> {
    let field = Field::new(map, most, job)?;
    let (span, rows, columns) = (field.span, field.rows, field.columns);
    if rows == 1 || columns == 1 {
        let values = Grid::filled(rows, columns, 255);
        return Ok(Visibility { values, span });
    }
    let turned_field = field.turned(job)?;
    let other = seen(&turned_field, ALONG_COLUMNS, job)?;
    drop(turned_field);
    let other = turned(&other, rows, columns, rows, job)?;
    let sums = seen(&field, ALONG_ROWS, job)?;
    let scale = 255.0 / (DIRECTIONS as f32 * WHOLE);
    let mut values = Grid::filled(rows, columns, 0);
    let parts = values.as_mut_slice().chunks_mut(PART);
    let parts = parts.zip(sums.chunks(PART)).zip(other.chunks(PART));
    parallel::par_items(parts).for_each(|_, ((values, sums), other)| {
        for (value, (a, b)) in values.iter_mut().zip(sums.iter().zip(other)) {
            *value = (f32::from(a + b) * scale + 0.5) as u8;
        }
    });
    Ok(Visibility { values, span })
}

/// Sum of the light from both ends of each course.
fn seen(field: &Field<'_>, courses: &[f64], job: &Job) -> Result<Vec<u16>, Cancelled> {
    let mut seen = vec![0; field.rows * field.columns];
    for across in courses {
        for backwards in [false, true] {
            let course = Course::new(field, *across, backwards);
            // Integers, so the sum does not depend on the order.
            let light = (&SKY, slopes(field, &course), WHOLE);
            sweep(field, course, light, &mut seen, job)?;
        }
    }
    Ok(seen)
}

/// Slopes of the sweep, and the share of the light between them: the share above elevation e is cos² e.
fn slopes(field: &Field<'_>, course: &Course) -> Slopes<6> {
    let step = f64::from(field.spacing) * course.step();
    let above = ELEVATIONS.map(|elevation| libm::pow(libm::cos(elevation.to_radians()), 2.0));
    let drops = ELEVATIONS.map(|elevation| (libm::tan(elevation.to_radians()) * step) as f32);
    Slopes {
        drops,
        weights: std::array::from_fn(|k| {
            (above[k] - above.get(k + 1).copied().unwrap_or(0.0)) as f32
        }),
        softness: field.spacing * 0.01,
    }
}

// Horizon sweep: one walk over a map away from a light, with the shadow height along parallel lines.
//
// A sweep goes from row to row. Its lines shift by a fixed fraction of a column per row, at most one
// column either way (sheared scan lines). The shadow height stays on its line, so nothing is blurred on
// the way: only heights are interpolated onto lines, and shadows from the two nearest lines onto samples.
//
// Blocks of rows are processed in parallel, as in a parallel prefix scan. First each block is swept alone,
// starting without shadow. The shadow that leaves a block is the maximum of its own and of the incoming
// one after its descent; so a quick pass from block to block computes the shadow that enters each. Then
// each block is swept again and shaded. On a map that wraps the lines go round until their shadows no
// longer change, which costs one pass a round. For this the direction is rounded so that a round shifts
// the lines by whole columns, which moves no shadow by more than half a sample in a tile.

/// Number of rows of a block. The last bits of the result depend on it, so it must not depend on threads.
const BLOCK: usize = 32;
/// Largest number of rounds over a map that wraps: only light at the horizon could need more.
const MOST_ROUNDS: usize = 1000;

/// Direction of a sweep over a field.
#[derive(Clone, Copy, Debug)]
struct Course {
    /// Shift of a line from row to row in columns, −1…1; over a field that wraps, a whole number a round.
    across: f64,
    /// True if the sweep goes from the last row to the first.
    backwards: bool,
}

impl Course {
    /// Create a sweep that shifts by about `across` columns from row to row.
    fn new(field: &Field<'_>, across: f64, backwards: bool) -> Self {
        let rows = field.rows as f64;
        let across = if field.wraps {
            libm::round(across * rows) / rows
        } else {
            across
        };
        Self { across, backwards }
    }

    /// Length of a step from row to row, in columns.
    fn step(&self) -> f64 {
        libm::sqrt(1.0 + self.across * self.across)
    }
}

/// Sweep along a course over a field.
struct Walk<'a, const K: usize, T> {
    field: &'a Field<'a>,
    course: Course,
    kernel: &'a Kernel<K, T>,
    slopes: Slopes<K>,
    brightness: f32,
    /// Number of lines, which are cyclic: one a column, and two more on a field with borders. Those two lie
    /// beyond its borders, where lines leave on one side and enter on the other.
    lines: usize,
    /// Number of lines left of the first column.
    before: usize,
}

impl<const K: usize, T> Walk<'_, K, T> {
    fn blocks(&self) -> usize {
        self.field.rows.div_ceil(BLOCK)
    }

    /// Rows of a block, in the order of the sweep.
    fn rows(&self, block: usize) -> std::ops::Range<usize> {
        block * BLOCK..((block + 1) * BLOCK).min(self.field.rows)
    }

    /// Shift of the lines in a row: whole columns, and the fraction of the next.
    fn moved(&self, row: usize) -> (usize, f32) {
        // For a field that wraps this is exact wherever it is a whole number.
        let rows = self.field.rows as f64;
        let moved = if self.field.wraps {
            libm::round(self.course.across * rows) * row as f64 / rows
        } else {
            self.course.across * row as f64
        };
        let whole = libm::floor(moved);
        let columns = (whole as i64).rem_euclid(self.lines as i64) as usize;
        (columns, (moved - whole) as f32)
    }

    /// Write the heights of a row, each at the line to the right of it, and then the first once more.
    fn heights(&self, row: usize, columns: usize, out: &mut [f32]) {
        let row = if self.course.backwards {
            self.field.rows - 1 - row
        } else {
            row
        };
        let heights = self.field.row(row);
        for (column, line, count) in self.pieces(columns) {
            out[line..line + count].copy_from_slice(&heights[column..column + count]);
        }
        out[self.lines] = out[0];
    }

    /// Columns in at most two pieces with consecutive lines: first column, first line, count.
    fn pieces(&self, moved: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let (lines, before, columns) = (self.lines, self.before, self.field.columns);
        [(moved, lines), (0, moved)]
            .into_iter()
            .filter_map(move |(first, end)| {
                let (from, to) = (first.max(before), end.min(before + columns));
                let line = (from + lines - moved) % lines;
                (from < to).then(|| (from - before, line, to - from))
            })
    }

    /// Lines beyond the borders of a field that has any: their shadows end there.
    fn outside(&self, columns: usize, part: f32) -> impl Iterator<Item = usize> {
        // The columns left of these lines are the one before the first, the one after the last, and, where
        // lines lie right of their columns, the last one.
        let after = self.lines - 1;
        let left = [Some(0), Some(after), (part > 0.0).then_some(after - 1)];
        let left = left.into_iter().flatten().filter(|_| !self.field.wraps);
        left.map(move |column| (column + self.lines - columns) % self.lines)
    }

    /// Shadow that one block alone casts onto the next.
    fn cast(&self, block: usize) -> Shadows<K> {
        let mut shadows = no_shadows(self.lines);
        let mut heights = self.row_of_heights();
        for row in self.rows(block) {
            let (columns, part) = self.moved(row);
            self.heights(row, columns, &mut heights);
            (self.kernel.pass)(&mut shadows, &heights, part, &self.slopes);
            self.finish_row(columns, part, &mut shadows);
        }
        shadows
    }

    /// Sweep a block with the incoming `shadows`, and write its rows.
    fn shade(&self, block: usize, mut shadows: Shadows<K>, out: &mut [T]) {
        let mut heights = self.row_of_heights();
        let mut hidden = vec![0.0; heights.len() - 1];
        let rows = self.rows(block);
        for row in rows.clone() {
            let (columns, part) = self.moved(row);
            self.heights(row, columns, &mut heights);
            (self.kernel.shade)(&mut shadows, &heights, part, &self.slopes, &mut hidden);
            self.finish_row(columns, part, &mut shadows);
            let index = if self.course.backwards {
                rows.end - 1 - row
            } else {
                row - rows.start
            };
            let out = &mut out[index * self.field.columns..][..self.field.columns];
            for (column, line, count) in self.pieces(columns) {
                let (out, hidden) = (&mut out[column..][..count], &hidden[line..][..count]);
                (self.kernel.write)(out, hidden, self.brightness);
            }
        }
    }

    fn row_of_heights(&self) -> Vec<f32> {
        vec![0.0; self.lines.next_multiple_of(LANES) + 1]
    }

    /// Prepare the shadows of a finished row for the next row.
    fn finish_row(&self, columns: usize, part: f32, shadows: &mut Shadows<K>) {
        for shadow in shadows {
            for line in self.outside(columns, part) {
                shadow[line + 1] = NONE;
            }
            shadow[0] = shadow[self.lines];
        }
    }

    /// Convert the shadows that blocks cast alone into the shadows that enter each block.
    fn join(&self, cast: &mut [Shadows<K>]) {
        let mut coming = if self.field.wraps {
            self.gone_round(cast)
        } else {
            no_shadows(self.lines)
        };
        for (block, own) in cast.iter_mut().enumerate() {
            let passed = self.passed(block, own, &coming);
            *own = std::mem::replace(&mut coming, passed);
        }
    }

    /// Shadow that leaves a block, from its `own` and the `coming` one.
    fn passed(&self, block: usize, own: &Shadows<K>, coming: &Shadows<K>) -> Shadows<K> {
        let rows = self.rows(block);
        let fallen = |k: usize| self.slopes.drops[k] * rows.len() as f32;
        let mut out = std::array::from_fn(|k| fell(&coming[k], fallen(k), &own[k]));
        for row in rows.clone() {
            let (columns, part) = self.moved(row);
            for line in self.outside(columns, part) {
                for (out, own) in out.iter_mut().zip(own) {
                    out[line + 1] = own[line + 1];
                }
            }
        }
        for shadow in &mut out {
            shadow[0] = shadow[self.lines];
        }
        out
    }

    /// Shadow that enters the first block of a field that wraps.
    fn gone_round(&self, cast: &[Shadows<K>]) -> Shadows<K> {
        let mut once = no_shadows(self.lines);
        for (block, own) in cast.iter().enumerate() {
            once = self.passed(block, own, &once);
        }
        let rows = self.field.rows as f64;
        let moved = libm::round(self.course.across * rows) as i64;
        let moved = moved.rem_euclid(self.lines as i64) as usize;
        for (k, once) in once.iter_mut().enumerate() {
            let fallen = self.slopes.drops[k] * self.field.rows as f32;
            let lines = &mut once[1..=self.lines];
            lines.rotate_right(moved);
            let mut last = lines.to_vec();
            for _ in 0..MOST_ROUNDS {
                last.rotate_right(moved);
                let next = fell(&last, fallen, lines);
                let changed = next[..] != *lines;
                lines.copy_from_slice(&next);
                last = next;
                if !changed {
                    break;
                }
            }
            once[0] = once[self.lines];
        }
        once
    }
}

/// Maximum of a block's own shadow and of the incoming one after its descent.
fn fell(coming: &[f32], fallen: f32, own: &[f32]) -> Vec<f32> {
    let pairs = coming.iter().zip(own);
    pairs.map(|(come, own)| own.max(come - fallen)).collect()
}

/// Sweep over `field`; `kernel` writes every sample of `out`, which has the field's shape.
fn sweep<const K: usize, T: Send>(
    field: &Field<'_>,
    course: Course,
    (kernel, slopes, brightness): (&Kernel<K, T>, Slopes<K>, f32),
    out: &mut [T],
    job: &Job,
) -> Result<(), Cancelled> {
    let before = usize::from(!field.wraps);
    let walk = Walk {
        field,
        course,
        kernel,
        slopes,
        brightness,
        lines: field.columns + 2 * before,
        before,
    };
    let mut shadows = parallel::par_items(0..walk.blocks()).try_map(|block, _| {
        job.check()?;
        Ok(walk.cast(block))
    })?;
    walk.join(&mut shadows);
    let samples = BLOCK * field.columns;
    let blocks = if course.backwards {
        parallel::par_items(out.rchunks_mut(samples).zip(shadows))
    } else {
        parallel::par_items(out.chunks_mut(samples).zip(shadows))
    };
    blocks.for_each_in(job, |block, (out, shadows)| {
        walk.shade(block, shadows, out);
    })
}

// Height field in the layout of sweeps: decimated, without repeated borders, optionally transposed.

/// Number of rows per parallel task.
const ROWS: usize = 16;

/// Rows of heights with their geometry.
struct Field<'a> {
    heights: Cow<'a, [f32]>,
    /// Distance between rows in the slice.
    stride: usize,
    rows: usize,
    columns: usize,
    /// True if rows and columns are periodic.
    wraps: bool,
    /// Distance between neighbours, in the unit of the heights.
    spacing: f32,
    /// Number of cells across the map along x and z.
    span: [f32; 2],
}

impl<'a> Field<'a> {
    /// Create a field of every sample of `map`, or of every second, fourth … so that no side has more than
    /// `most`.
    fn new(map: &'a Heightmap, most: usize, job: &Job) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), most.max(2));
        let wraps = map.wraps() && map.rows() > 1 && map.columns() > 1;
        let count = |side: usize| (side - 1).div_ceil(step) + usize::from(!wraps);
        let (rows, columns) = (count(map.rows()), count(map.columns()));
        let (heights, stride) = match step {
            1 => (Cow::Borrowed(map.heights()), map.columns()),
            _ => (Cow::Owned(thinned(map, step, rows, columns, job)?), columns),
        };
        let span = |side: usize| ((side - 1) as f32 / step as f32).max(1.0);
        Ok(Self {
            heights,
            stride,
            rows,
            columns,
            wraps,
            spacing: map.spacing() * step as f32,
            span: [span(map.columns()), span(map.rows())],
        })
    }

    /// Transpose the field.
    fn turned(&self, job: &Job) -> Result<Field<'static>, Cancelled> {
        let heights = turned(&self.heights, self.stride, self.rows, self.columns, job)?;
        Ok(Field {
            heights: Cow::Owned(heights),
            stride: self.rows,
            rows: self.columns,
            columns: self.rows,
            wraps: self.wraps,
            spacing: self.spacing,
            span: [self.span[1], self.span[0]],
        })
    }

    fn row(&self, row: usize) -> &[f32] {
        &self.heights[row * self.stride..][..self.columns]
    }
}

fn thinned(
    map: &Heightmap,
    step: usize,
    rows: usize,
    columns: usize,
    job: &Job,
) -> Result<Vec<f32>, Cancelled> {
    let mut heights = vec![0.0; rows * columns];
    let blocks = parallel::par_items(heights.chunks_mut(ROWS * columns));
    blocks.for_each_in(job, |block, out| {
        for (index, out) in out.chunks_mut(columns).enumerate() {
            let row = map.row(((block * ROWS + index) * step).min(map.rows() - 1));
            let kept = (0..columns).map(|column| row[(column * step).min(row.len() - 1)]);
            out.iter_mut().zip(kept).for_each(|(out, h)| *out = h);
        }
    })?;
    Ok(heights)
}

/// Transpose values: the value at (row, column) of `from`, whose rows begin `stride` apart, moves to
/// (column, row) of the result.
fn turned<T: Copy + Default + Send + Sync>(
    from: &[T],
    stride: usize,
    rows: usize,
    columns: usize,
    job: &Job,
) -> Result<Vec<T>, Cancelled> {
    let mut out = vec![T::default(); rows * columns];
    let blocks = parallel::par_items(out.chunks_mut(ROWS * rows));
    blocks.for_each_in(job, |block, out| {
        let first = block * ROWS;
        // Blocked in both directions, so that the parts of source and target stay in the first-level cache.
        for from_row in (0..rows).step_by(ROWS) {
            let across = from_row..(from_row + ROWS).min(rows);
            for (index, out) in out.chunks_mut(rows).enumerate() {
                let column = first + index;
                for (row, out) in across.clone().zip(&mut out[across.clone()]) {
                    *out = from[row * stride + column];
                }
            }
        }
    })?;
    Ok(out)
}
