//! Bedrock: layers of rock that stand out from steep ground as ledges and walls, at every level of detail.
//!
//! A point at the height h has the bed coordinate b = h + tilt(x, z) + folds(x, z). Beds of the thickness p cut
//! b into steps: the fraction f from the bottom of a bed to its top becomes S(f), a ledge, a wall and a ledge.
//!
//! ```text
//! D(x, h) = weight(x) · thickness of the bed · (S(f) − f)         1 ┤      ,────
//!                                                                   │      │
//! which is 0 at the bottom and at the top of every bed              │     ╱
//!                                                                 0 ┼────'
//! ```
//! Hardness, thickness and the place of the wall are random for each bed. Two sets of joints across the beds cut
//! walls into blocks, which stand forward and back. There are several sizes of beds, each [`FINER`] times as thick as
//! the one before. A size is drawn from the first level on that has [`SAMPLES`] samples in a bed:
//!
//! ```text
//! H(x) = h(x) + Σ [D(x, h(x)) − I(x)]
//! ```
//! where h is the ground without beds and I interpolates D from the samples of the level before. For sizes that the
//! map itself resolves there is no I: the map is moved. So no sample moves that a coarser level has, no
//! sample sticks out, and every part of every level has the same numbers. Nothing but + − × ÷ is used, and random
//! numbers come from tables.
//!
//! On a map that wraps, folds and joints are periodic; tilted beds level out and rise again towards its border.
//! Cost: some 10 ns for each size and sample on one thread.

use super::patch::{Window, each_row};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::wrapped;
use crate::util::rng::{Rng, Stage, Stream, uniform, unit};

/// Number of beds after which thicknesses and hardnesses repeat.
pub const BEDS: usize = 256;
/// Thickness of the next finer size of beds.
pub const FINER: f64 = 0.38;
/// Heights of the steps of each size of beds, relative to their thickness.
const WEIGHTS: [f64; 6] = [0.75, 0.75, 0.7, 0.6, 0.5, 0.4];
/// Least number of samples in the thickness of a bed. On a slope of 72° the ground rises by three times the spacing
/// from sample to sample, so a bed has four; with fewer its edges would be teeth.
pub const SAMPLES: f64 = 12.0;
/// Largest shift of a wall by each set of joints, as a fraction of its bed.
const SHIFT: f64 = 0.1;
/// Share of a block next to a joint, on which its shift fades to none.
const JOINT: f64 = 0.12;
/// Most by which the border between beds is off its regular place, in mean thicknesses.
const UNEVEN: f64 = 0.4;
/// Number of waves of the folds.
pub const WAVES: usize = 3;

/// Options of bedrock. Lengths are in half tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bedding {
    /// Mean thickness of the thickest beds.
    pub thickness: f64,
    /// Variation of beds in thickness and place, 0…1.
    pub variety: f64,
    /// Steepness of the walls: 0 leaves slopes as they are, 1 makes cliffs of most of them.
    pub contrast: f64,
    /// Strength of all sizes of beds but the thickest, as a multiple of what is usual.
    pub roughness: f64,
    /// Strength of each set of joints, which cut walls into blocks, 0…1; without the first there is no second.
    pub joints: [f64; 2],
    /// Mean length of a block of each set of joints, in thicknesses.
    pub blocks: [f64; 2],
    /// Mean angle from the first set of joints to the second, in turns.
    pub angle: f64,
    /// Rise of the beds per half tile, eastwards and southwards.
    pub tilt: [f64; 2],
    /// Strength of the folds, 0…1.
    pub folds: f64,
    /// Seed of all random numbers.
    pub seed: u64,
}

impl Bedding {
    /// True if a map whose samples are so far apart, in half tiles, resolves the thickest beds.
    #[must_use]
    pub fn is_resolved(&self, spacing: f32) -> bool {
        f64::from(spacing) * SAMPLES <= self.thickness
    }
}

/// Bedrock of a map: what its beds look like, and how much of the ground is rock.
#[derive(Clone, Debug, PartialEq)]
pub struct Bedrock {
    folds: Folds,
    beds: Box<Beds>,
    sizes: Vec<Size>,
    /// Share of rock at each sample of the map, 0…255.
    rock: Grid<u8>,
    /// Level of the map, and number of its cells southwards and eastwards.
    level: u32,
    cells: [i64; 2],
    wraps: bool,
}

/// One size of beds.
#[derive(Clone, Debug, PartialEq)]
struct Size {
    /// Number of mean thicknesses in a half tile.
    per: f64,
    /// Number of the first bed.
    offset: f64,
    /// First level with these beds; 0 for those of the map.
    level: u32,
    /// Height of a step of a bed of thickness 1, in half tiles.
    weight: f64,
    /// Blocks of each set of joints across the tile eastwards and southwards.
    joints: [[f64; 2]; 2],
}

/// Tilt and folds of the beds: b − h in half tiles, as a function of the place in the tile.
#[derive(Clone, Debug, PartialEq)]
pub struct Folds {
    /// Rise from one side of the tile to the other, eastwards and southwards; a wave's amplitude on a map that wraps.
    pub tilt: [f64; 2],
    /// True if the tilt is a wave.
    pub wraps: bool,
    /// Waves, the longest first: periods per tile eastwards and southwards, phase, and height. Each is shifted by
    /// half of the sum of those before it.
    pub waves: [[f64; 4]; WAVES],
}

impl Folds {
    fn new(bedding: &Bedding, sides: [f64; 2], wraps: bool) -> Self {
        let stream = Stream::new(bedding.seed, Stage::Bedrock, 1);
        let tilt = [0, 1].map(|axis| {
            // The steepest slope of a wave of height 1 is 8 a period.
            let rise = bedding.tilt[axis] * sides[axis];
            if wraps { rise / 8.0 } else { rise }
        });
        let waves = std::array::from_fn(|wave| {
            let mut numbers = stream.row(wave as u64);
            let mut number = || f64::from(uniform(numbers.next_u32()));
            // In thicknesses.
            let (length, height) = [(30.0, 2.0), (4.0, 0.4), (0.6, 0.08)][wave];
            let thickness = bedding.thickness;
            let turn = 0.5 * number() + 0.3 * wave as f64;
            let direction = [sine(turn + 0.25), sine(turn)];
            let periods = [0, 1].map(|axis| {
                let most = sides[axis] / (length * thickness);
                // At least one, or two waves would be the same.
                (direction[axis] * most.max(1.0)).round()
            });
            let height = height * bedding.folds * thickness;
            [periods[0], periods[1], number(), height]
        });
        Self { tilt, wraps, waves }
    }

    /// b − h in half tiles at a place in the tile, 0…1 eastwards and southwards.
    #[inline(always)]
    #[must_use]
    pub fn at(&self, east: f64, south: f64) -> f64 {
        let [x, z] = [east - 0.5, south - 0.5];
        let tilt = if self.wraps {
            self.tilt[0] * sine(x) + self.tilt[1] * sine(z)
        } else {
            self.tilt[0] * x + self.tilt[1] * z
        };
        let (mut sum, mut bend) = (0.0, 0.0);
        for [across, down, phase, height] in self.waves {
            let wave = sine(across * east + down * south + phase + 0.5 * sum);
            sum += wave;
            bend += height * wave;
        }
        tilt + bend
    }
}

/// Sine of so many turns, approximated by a parabola for each half wave.
#[inline(always)]
fn sine(turns: f64) -> f64 {
    let part = turns - ((turns + WHOLE) - WHOLE);
    8.0 * part - 16.0 * part * part.abs()
}

/// Adding this number rounds to a whole one, which then is in the lowest bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// Entry of a table for a whole number.
#[inline(always)]
fn entry(number: f64) -> usize {
    (number + WHOLE).to_bits() as usize % BEDS
}

/// Table of the beds, as arrays, so that a loop over samples is vectorized.
#[derive(Clone, Debug, PartialEq)]
struct Beds {
    /// Offset of the bottom of a bed from its number, and its thickness, in mean thicknesses.
    shift: [f64; BEDS],
    thickness: [f64; BEDS],
    /// Height of the step: the thickness, and less in soft beds.
    height: [f64; BEDS],
    /// Middle of the wall, as a fraction of the bed, and the reciprocal of its height.
    middle: [f64; BEDS],
    steep: [f64; BEDS],
    /// Shift of the walls of a block by the first set of joints, as a fraction of the bed, and the strength of the
    /// second set as a multiple of that.
    block: [f64; BEDS],
    second: f64,
}

impl Beds {
    fn new(bedding: &Bedding) -> Self {
        let stream = Stream::new(bedding.seed, Stage::Bedrock, 0);
        let numbers = |row: u64| -> [f64; BEDS] {
            let mut numbers = stream.row(row);
            std::array::from_fn(|_| f64::from(unit(numbers.next_u32())))
        };
        let variety = bedding.variety;
        let shift = numbers(0).map(|number| UNEVEN * variety * (2.0 * number - 1.0));
        let thickness: [f64; BEDS] =
            std::array::from_fn(|bed| 1.0 + shift[(bed + 1) % BEDS] - shift[bed]);
        let middle = numbers(1).map(|number| 0.5 + variety * (0.3 * number - 0.15));
        let hardness = numbers(2).map(|number| bedding.contrast * (1.0 - variety * number));
        let joints = SHIFT * bedding.joints[0];
        let second = match bedding.joints {
            [0.0, _] => 0.0,
            [first, second] => second / first,
        };
        Self {
            height: std::array::from_fn(|bed| thickness[bed] * (3.0 * hardness[bed]).min(1.0)),
            steep: std::array::from_fn(|bed| {
                // No wall is so low that samples would show as teeth, and joints keep it within its bed.
                let half = 0.5 - 0.4 * hardness[bed].min(1.0);
                let room = middle[bed].min(1.0 - middle[bed]) - (1.0 + second) * joints;
                0.5 / half.min(room)
            }),
            block: numbers(3).map(|number| joints * (2.0 * number - 1.0)),
            second,
            shift,
            thickness,
            middle,
        }
    }

    /// Number of the bed at a place counted in mean thicknesses, and the fraction from its bottom to its top.
    #[inline(always)]
    fn at(&self, t: f64) -> (f64, f64) {
        // A bed begins within half a thickness of its number.
        let near = (t + WHOLE) - WHOLE;
        let is_below = t < near + self.shift[entry(near)];
        let number = near - if is_below { 1.0 } else { 0.0 };
        let bed = entry(number);
        (number, (t - number - self.shift[bed]) / self.thickness[bed])
    }
}

/// Places of the samples of a row.
struct Row<'a> {
    /// Place in the tile southwards, 0…1, and that of each sample eastwards.
    south: f64,
    east: &'a [f64],
    /// b − h of each sample, in half tiles.
    bend: Vec<f64>,
    /// Share of rock of each sample, 0…1.
    rock: Vec<f64>,
}

vectorized! {
    /// Compute the places of beds in a row.
    fn bend(folds: &Folds, east: &[f64], south: f64, bends: &mut [f64]) {
        for (bend, east) in bends.iter_mut().zip(east) {
            *bend = folds.at(*east, south);
        }
    }

    /// Add D of one size of beds to `moved`.
    fn step(size: &Size, beds: &Beds, row: &Row<'_>, heights: &[f64], moved: &mut [f64]) {
        let [first, second] = size.joints;
        let (first_south, second_south) = (first[1] * row.south, second[1] * row.south + 0.37);
        let samples = heights.iter().zip(moved).zip(&row.bend).zip(&row.rock).zip(row.east);
        for ((((height, moved), bend), rock), east) in samples {
            let (number, f) = beds.at((*height + *bend) * size.per + size.offset);
            let shifted = |q: f64| {
                let whole = (q + WHOLE) - WHOLE;
                let within = ((0.5 - (q - whole).abs()) * (1.0 / JOINT)).min(1.0);
                beds.block[entry(whole + 31.0 * number)] * within
            };
            let joints = shifted(first[0] * *east + first_south)
                + beds.second * shifted(second[0] * *east + second_south);
            let bed = entry(number);
            let wall = ((f - beds.middle[bed] - joints) * beds.steep[bed] + 0.5).clamp(0.0, 1.0);
            let wall = wall * wall * (3.0 - 2.0 * wall);
            *moved += *rock * size.weight * beds.height[bed] * (wall - f);
        }
    }
}

/// Bands of colour on the rock: the places of the thickest beds, and their tones.
#[derive(Clone, Debug, PartialEq)]
pub struct Bands {
    /// Tilt and folds of the beds.
    pub folds: Folds,
    /// For each size, number of mean thicknesses in a half tile, and number of the first bed.
    pub sizes: [[f64; 2]; BANDS],
    /// Brightness along [`BEDS`] beds, [`TEXELS`] for each, and how much walls lean there, forwards if positive: 128
    /// is the mean, and 1…255 is −1…1.
    pub tones: Vec<[u8; 2]>,
}

/// Number of sizes of beds that show as bands.
pub const BANDS: usize = 2;
/// Number of tones along a bed.
pub const TEXELS: usize = 16;
/// Share of a bed at its bottom that is a dark joint.
const SEAM: f64 = 0.1;
/// Strength of the faintest seams, of 1.
const FAINTEST: f64 = 0.15;

impl Bands {
    /// Create the bands of beds on a map with these sides, in half tiles eastwards and southwards.
    #[must_use]
    pub fn new(bedding: &Bedding, sides: [f64; 2], wraps: bool) -> Self {
        let beds = Beds::new(bedding);
        let mut numbers = Stream::new(bedding.seed, Stage::Bedrock, 3).row(0);
        let tones: Vec<_> = (0..BEDS)
            .map(|_| f64::from(uniform(numbers.next_u32())))
            .collect();
        let mean = tones.iter().sum::<f64>() / BEDS as f64;
        // Few seams are strong, or walls look ruled.
        let seams: Vec<_> = (0..BEDS)
            .map(|_| f64::from(unit(numbers.next_u32())))
            .map(|number| FAINTEST + (1.0 - FAINTEST) * number * number * number)
            .collect();
        let texel = |index: usize| {
            let t = (index as f64 + 0.5) / TEXELS as f64;
            let (number, f) = beds.at(t);
            // The seam is dark, and below an overhang.
            let rest = SEAM / (1.0 - SEAM);
            let [dark, lean] = if f < SEAM {
                [-0.5, 0.9]
            } else {
                [0.5 * rest, -0.9 * rest]
            };
            let [dark, lean] = [dark, lean].map(|part| part * seams[entry(number)]);
            let tone = 0.6 * (tones[entry(number)] - mean) + dark;
            [tone, lean].map(|part| (128.5 + 127.0 * part.clamp(-1.0, 1.0)) as u8)
        };
        Self {
            folds: Folds::new(bedding, sides, wraps),
            sizes: std::array::from_fn(|size| {
                let finer = (0..size).fold(1.0, |finer, _| finer * FINER);
                let thickness = bedding.thickness * finer;
                [thickness.recip(), first_bed(bedding, size)]
            }),
            tones: (0..BEDS * TEXELS).map(texel).collect(),
        }
    }
}

/// Number of the first bed of a size.
fn first_bed(bedding: &Bedding, size: usize) -> f64 {
    let mut numbers = Stream::new(bedding.seed, Stage::Bedrock, 4).row(size as u64);
    (128.0 * f64::from(unit(numbers.next_u32()))).floor()
}

impl Bedrock {
    /// Create the bedrock of a map of a level, with a share of rock 0…255 for each of its samples.
    #[must_use]
    pub fn new(map: &Heightmap, level: u32, bedding: Bedding, rock: Grid<u8>) -> Self {
        let cells = [map.rows(), map.columns()].map(|side| side as i64 - 1);
        let spacing = f64::from(map.spacing());
        let sides = [cells[1] as f64 * spacing, cells[0] as f64 * spacing];
        let mut numbers = Stream::new(bedding.seed, Stage::Bedrock, 2).row(0);
        let mut number = || f64::from(uniform(numbers.next_u32()));
        let mut thickness = bedding.thickness;
        let mut count = 0;
        let sizes = WEIGHTS.map(|weight| {
            let finer = |level: &u32| {
                let spacing = spacing * libm::exp2(-f64::from(*level));
                spacing * SAMPLES > thickness
            };
            let level = match (0..64).take_while(finer).count() as u32 {
                0 => 0,
                finer => level + finer,
            };
            let turn = 0.5 * number();
            let turns = [turn, turn + bedding.angle + 0.06 * number()];
            let joints = [0, 1].map(|set| {
                let blocks = sides.map(|side| side / (bedding.blocks[set] * thickness));
                [
                    (sine(turns[set] + 0.25) * blocks[0]).round(),
                    (sine(turns[set]) * blocks[1]).round(),
                ]
            });
            let size = Size {
                per: thickness.recip(),
                offset: first_bed(&bedding, count),
                level,
                weight: match count {
                    0 => weight,
                    // A step higher than its bed would fall against the slope.
                    _ => (weight * bedding.roughness).min(1.0),
                } * thickness,
                joints,
            };
            thickness *= FINER;
            count += 1;
            size
        });
        Self {
            folds: Folds::new(&bedding, sides, map.wraps()),
            beds: Box::new(Beds::new(&bedding)),
            sizes: sizes.into(),
            rock,
            level,
            cells,
            wraps: map.wraps(),
        }
    }

    /// Share of rock at each sample of the map, 0…255.
    #[must_use]
    pub fn rock(&self) -> &Grid<u8> {
        &self.rock
    }

    /// Move the samples of the map itself by the beds that it resolves.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn move_map(&self, heights: &mut [f32], job: &Job) -> Result<(), Cancelled> {
        let columns = self.cells[1] as usize + 1;
        let all = Window {
            row: 0,
            column: 0,
            rows: self.cells[0] as usize + 1,
            columns,
        };
        let lines = Lines::new(self, self.level, all);
        each_row(heights, columns, |index, line| {
            job.check()?;
            let exact: Vec<_> = line.iter().map(|height| f64::from(*height)).collect();
            let mut moved = vec![0.0; columns];
            if let Some(row) = lines.row(index) {
                for size in self.sizes.iter().filter(|size| size.level == 0) {
                    lines.step(&row, size, &exact, &mut moved);
                }
            }
            for (height, by) in line.iter_mut().zip(moved) {
                *height = (f64::from(*height) + by) as f32;
            }
            Ok(())
        })
    }

    /// Add the beds to the heights of a window of a finer level. `ground` computes a window of a coarser level
    /// without beds.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn add(
        &self,
        level: u32,
        window: Window,
        heights: &mut Grid<f64>,
        ground: impl Fn(u32, Window) -> Result<Grid<f64>, Cancelled>,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let sizes = self.sizes.iter();
        let sizes = sizes.filter(|size| size.level > 0 && size.level <= level);
        let mut known = Vec::new();
        for size in sizes {
            let by = level - (size.level - 1);
            let around = self.around(size.level - 1, by, window);
            let mut coarse = ground(size.level - 1, around)?;
            let lines = Lines::new(self, size.level - 1, around);
            each_row(coarse.as_mut_slice(), around.columns, |index, line| {
                job.check()?;
                let mut moved = vec![0.0; line.len()];
                if let Some(row) = lines.row(index) {
                    lines.step(&row, size, line, &mut moved);
                }
                line.copy_from_slice(&moved);
                Ok(())
            })?;
            known.push((size, by, around, coarse));
        }
        if known.is_empty() {
            return Ok(());
        }
        let lines = Lines::new(self, level, window);
        each_row(heights.as_mut_slice(), window.columns, |index, line| {
            job.check()?;
            let Some(row) = lines.row(index) else {
                return Ok(());
            };
            let mut all = vec![0.0; line.len()];
            let mut moved = all.clone();
            // Each size by itself: at a sample of the level before, D − I is 0 to the last bit.
            for (size, by, around, coarse) in &known {
                moved.fill(0.0);
                lines.step(&row, size, line, &mut moved);
                let at = window.row + index as i64;
                let (north, south, down) = between(at, *by, around.row, around.rows);
                let (north, south) = (coarse.row(north), coarse.row(south));
                let mix = |at: usize| north[at] + down * (south[at] - north[at]);
                for (column, (all, moved)) in (window.column..).zip(all.iter_mut().zip(&moved)) {
                    let (west, east, across) = between(column, *by, around.column, around.columns);
                    let (west, east) = (mix(west), mix(east));
                    *all += moved - (west + across * (east - west));
                }
            }
            line.iter_mut()
                .zip(all)
                .for_each(|(height, by)| *height += by);
            Ok(())
        })
    }

    /// The window of a level that encloses one of a level `by` levels finer.
    fn around(&self, level: u32, by: u32, window: Window) -> Window {
        let cells = self.cells_at(level);
        let span = |first: i64, count: usize, cells: i64| {
            let last = ((first + count as i64 - 1) >> by) + 1;
            let first = first >> by;
            let last = if self.wraps { last } else { last.min(cells) };
            (first, (last - first + 1) as usize)
        };
        let (row, rows) = span(window.row, window.rows, cells[0]);
        let (column, columns) = span(window.column, window.columns, cells[1]);
        Window {
            row,
            column,
            rows,
            columns,
        }
    }

    fn cells_at(&self, level: u32) -> [i64; 2] {
        self.cells.map(|cells| cells << (level - self.level))
    }
}

/// The two samples of a coarser window around a row or column `by` levels finer, and the weight of the second.
fn between(at: i64, by: u32, first: i64, count: usize) -> (usize, usize, f64) {
    let whole = at >> by;
    let before = (whole - first) as usize;
    let part = libm::ldexp((at - (whole << by)) as f64, -(by as i32));
    (before, (before + 1).min(count - 1), part)
}

/// The rows of a window of a level.
struct Lines<'a> {
    bedrock: &'a Bedrock,
    cells: [i64; 2],
    first: i64,
    /// Levels from the map to this one.
    finer: u32,
    /// Place of each column in the tile, and between the samples of the map.
    east: Vec<f64>,
    across: Vec<(usize, usize, f64)>,
}

impl<'a> Lines<'a> {
    fn new(bedrock: &'a Bedrock, level: u32, window: Window) -> Self {
        let (cells, finer) = (bedrock.cells_at(level), level - bedrock.level);
        let columns = window.column..window.column + window.columns as i64;
        Self {
            east: (columns.clone())
                .map(|column| place(column, cells[1], bedrock.wraps))
                .collect(),
            across: columns
                .map(|column| among(column, finer, bedrock.rock.columns()))
                .collect(),
            bedrock,
            cells,
            first: window.row,
            finer,
        }
    }

    /// The places of a row; `None` if there is no rock.
    fn row(&self, index: usize) -> Option<Row<'_>> {
        let bedrock = self.bedrock;
        let row = self.first + index as i64;
        let (north, south, down) = among(row, self.finer, bedrock.rock.rows());
        let (north, south) = (bedrock.rock.row(north), bedrock.rock.row(south));
        let mix = |a: u8, b: u8, part: f64| {
            let (a, b) = (f64::from(a), f64::from(b));
            a + part * (b - a)
        };
        let share = |(west, east, across): &(usize, usize, f64)| {
            let west = mix(north[*west], south[*west], down);
            let east = mix(north[*east], south[*east], down);
            (west + across * (east - west)) * (1.0 / 255.0)
        };
        let rock: Vec<_> = self.across.iter().map(share).collect();
        if rock.iter().all(|rock| *rock == 0.0) {
            return None;
        }
        let south = place(row, self.cells[0], bedrock.wraps);
        let mut bends = vec![0.0; rock.len()];
        bend(&bedrock.folds, &self.east, south, &mut bends);
        Some(Row {
            south,
            east: &self.east,
            bend: bends,
            rock,
        })
    }

    /// Add D of a size of beds to `moved`, for ground of these heights.
    fn step(&self, row: &Row<'_>, size: &Size, heights: &[f64], moved: &mut [f64]) {
        step(size, &self.bedrock.beds, row, heights, moved);
    }
}

/// Place in the tile of a row or column of so many cells, 0…1.
fn place(at: i64, cells: i64, wraps: bool) -> f64 {
    let at = if wraps { at.rem_euclid(cells) } else { at };
    at as f64 / cells as f64
}

/// The two samples of a map of a number of rows or columns around one `finer` levels finer, and the weight of the
/// second.
fn among(at: i64, finer: u32, side: usize) -> (usize, usize, f64) {
    let whole = at >> finer;
    let part = libm::ldexp((at - (whole << finer)) as f64, -(finer as i32));
    (wrapped(whole, side), wrapped(whole + 1, side), part)
}
