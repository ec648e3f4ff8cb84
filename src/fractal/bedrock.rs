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
//! Basalt has columns (`columns.rs`) instead of joints and finer beds.
//!
//! On a map that wraps, folds and joints are periodic; tilted beds level out and rise again towards its border.
//! Cost: some 10 ns for each size and sample on one thread.

use std::ops::Range;

use super::columns::{Columns, Lattice, Sites};
use super::interpolated::{Interpolated, split};
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
/// The same where there are columns, whose faces are the walls: the edges of beds follow them, and are no teeth.
const SAMPLES_OF_COLUMNS: f64 = 2.0;
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
    /// Width of the columns that the rock is cut into, 0 if there are none. They take the place of joints, and of all
    /// beds but the thickest, whose unevenness is theirs.
    pub columns: f64,
    /// Seed of all random numbers.
    pub seed: u64,
}

impl Bedding {
    /// True if a map whose samples are so far apart, in half tiles, resolves the thickest beds.
    #[must_use]
    pub fn is_resolved(&self, spacing: f32) -> bool {
        f64::from(spacing) * self.samples() <= self.thickness
    }

    /// Least number of samples in the thickness of a bed.
    fn samples(&self) -> f64 {
        if self.has_columns() {
            SAMPLES_OF_COLUMNS
        } else {
            SAMPLES
        }
    }

    pub(super) fn has_columns(&self) -> bool {
        self.columns > 0.0
    }
}

/// Bedrock of a map: what its beds look like, and how much of the ground is rock.
#[derive(Clone, Debug, PartialEq)]
pub struct Bedrock {
    folds: Folds,
    beds: Box<Beds>,
    sizes: Vec<Size>,
    columns: Option<Columns>,
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
    pub(super) fn new(bedding: &Bedding, sides: [f64; 2], wraps: bool) -> Self {
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
pub(super) fn entry(number: f64) -> usize {
    (number + WHOLE).to_bits() as usize % BEDS
}

/// Table of the beds, as arrays, so that a loop over samples is vectorized.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Beds {
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
    pub(super) fn new(bedding: &Bedding) -> Self {
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
    pub(super) fn at(&self, t: f64) -> (f64, f64) {
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
    /// b − h of each sample, in half tiles; only where there is rock.
    bend: Vec<f64>,
    /// Share of rock of each sample, 0…1.
    rock: Vec<f64>,
    /// Ranges of samples with rock.
    rocky: Vec<Range<usize>>,
}

/// Part of a row.
struct Run<'a> {
    south: f64,
    east: &'a [f64],
    bend: &'a [f64],
    rock: &'a [f64],
}

vectorized! {
    /// Compute the places of beds in a row.
    fn bend(folds: &Folds, east: &[f64], south: f64, bends: &mut [f64]) {
        for (bend, east) in bends.iter_mut().zip(east) {
            *bend = folds.at(*east, south);
        }
    }

    /// Add D of one size of beds to `moved`.
    fn step(size: &Size, beds: &Beds, row: &Run<'_>, heights: &[f64], moved: &mut [f64]) {
        let [first, second] = size.joints;
        let (first_south, second_south) = (first[1] * row.south, second[1] * row.south + 0.37);
        let samples = heights.iter().zip(moved).zip(row.bend).zip(row.rock).zip(row.east);
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

/// Number of the first bed of a size.
pub(super) fn first_bed(bedding: &Bedding, size: usize) -> f64 {
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
                spacing * bedding.samples() > thickness
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
        let lattice = Lattice {
            level,
            cells,
            spacing,
            wraps: map.wraps(),
        };
        let columns = bedding.has_columns().then(|| {
            let Bedding { columns, seed, .. } = bedding;
            Columns::new(lattice, columns, bedding.joints[0], bedding.roughness, seed)
        });
        let mut sizes = Vec::from(sizes);
        let mut beds = bedding;
        if columns.is_some() {
            sizes.truncate(1);
            beds.joints = [0.0; 2];
        }
        Self {
            folds: Folds::new(&bedding, sides, map.wraps()),
            beds: Box::new(Beds::new(&beds)),
            sizes,
            columns,
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
        })?;
        let columns = self
            .columns
            .as_ref()
            .filter(|found| found.level <= self.level);
        let Some(columns) = columns else {
            return Ok(());
        };
        let exact = heights.iter().map(|height| f64::from(*height)).collect();
        let exact = Grid::from_vec(all.rows, all.columns, exact).expect("all heights");
        let by = self.level - columns.level;
        let thinned = |around: Window| {
            let at = |at: i64, side: usize| wrapped(at << by, side);
            let rows = (around.row..).take(around.rows);
            let heights = rows.flat_map(|row| {
                let line = exact.row(at(row, all.rows));
                let columns = (around.column..).take(around.columns);
                columns.map(move |column| line[at(column, all.columns)])
            });
            let heights = Grid::from_vec(around.rows, around.columns, heights.collect());
            Ok(heights.expect("all samples"))
        };
        let rock = |place| self.rock_at(columns.level, place);
        let sites = Sites::new(columns, by, all, true, thinned, rock)?;
        let moved = sites.moved(by, all, &exact, job)?;
        for (height, (exact, by)) in heights
            .iter_mut()
            .zip(exact.as_slice().iter().zip(moved.as_slice()))
        {
            *height = (exact + by) as f32;
        }
        Ok(())
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
        self.add_beds(level, window, heights, &ground, job)?;
        let columns = self.columns.as_ref().filter(|_| level > self.level);
        let Some(columns) = columns.filter(|columns| columns.level <= level) else {
            return Ok(());
        };
        let by = level - columns.level;
        // On the map itself their heights are there already.
        let is_new = columns.level > self.level;
        let of_columns = |around: Window| {
            let mut heights = ground(columns.level, around)?;
            self.add_beds(columns.level, around, &mut heights, &ground, job)?;
            Ok(heights)
        };
        let rock = |place| self.rock_at(columns.level, place);
        let sites = Sites::new(columns, by, window, is_new, of_columns, rock)?;
        let mut moved = sites.moved(by, window, heights, job)?;
        // Where each sample of the map has a column of its own, none moves it.
        if columns.level < self.level {
            // The samples of the map stay, like those of the level before a size of beds.
            let by = level - self.level;
            let around = self.around(self.level, by, window);
            let of_map = ground(self.level, around)?;
            let known = Sites::new(
                columns,
                self.level - columns.level,
                around,
                false,
                of_columns,
                rock,
            )?;
            let known = known.moved(self.level - columns.level, around, &of_map, job)?;
            let known = Interpolated::new(known, around, by, window);
            each_row(moved.as_mut_slice(), window.columns, |index, line| {
                known.subtract_from(window.row + index as i64, line);
                job.check()
            })?;
        }
        for (height, by) in heights.as_mut_slice().iter_mut().zip(moved.as_slice()) {
            *height += by;
        }
        Ok(())
    }

    /// Share of rock at a sample of a level, 0…1.
    fn rock_at(&self, level: u32, [row, column]: [i64; 2]) -> f64 {
        let sides = (self.rock.rows(), self.rock.columns());
        let share = |row: usize, column: usize| f64::from(self.rock.at(row, column));
        let share = match level.checked_sub(self.level) {
            Some(0) => share(wrapped(row, sides.0), wrapped(column, sides.1)),
            Some(finer) => {
                let (north, south, down) = among(row, finer, sides.0);
                let (west, east, across) = among(column, finer, sides.1);
                let mix =
                    |at: usize| share(north, at) + down * (share(south, at) - share(north, at));
                mix(west) + across * (mix(east) - mix(west))
            }
            None => {
                let by = self.level - level;
                share(wrapped(row << by, sides.0), wrapped(column << by, sides.1))
            }
        };
        share * (1.0 / 255.0)
    }

    /// Add the beds to the heights of a window of a finer level, see [`Bedrock::add`].
    fn add_beds(
        &self,
        level: u32,
        window: Window,
        heights: &mut Grid<f64>,
        ground: &impl Fn(u32, Window) -> Result<Grid<f64>, Cancelled>,
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
            known.push((size, Interpolated::new(coarse, around, by, window)));
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
            for (size, coarse) in &known {
                moved.fill(0.0);
                lines.step(&row, size, line, &mut moved);
                coarse.subtract_from(window.row + index as i64, &mut moved);
                for (all, moved) in all.iter_mut().zip(&moved) {
                    *all += moved;
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

/// The rows of a window of a level.
struct Lines<'a> {
    bedrock: &'a Bedrock,
    cells: [i64; 2],
    first: i64,
    /// Levels from the map to this one.
    finer: u32,
    /// Place of each column in the tile, and between the samples of the map.
    east: Vec<f64>,
    across: Vec<(usize, f64)>,
    /// Columns of the map around them.
    of_map: Range<i64>,
}

impl<'a> Lines<'a> {
    fn new(bedrock: &'a Bedrock, level: u32, window: Window) -> Self {
        let (cells, finer) = (bedrock.cells_at(level), level - bedrock.level);
        let columns = window.column..window.column + window.columns as i64;
        let first = columns.start >> finer;
        Self {
            east: (columns.clone())
                .map(|column| place(column, cells[1], bedrock.wraps))
                .collect(),
            of_map: first..((columns.end - 1) >> finer) + 2,
            across: columns
                .map(|column| {
                    (
                        (split(column, finer).0 - first) as usize,
                        split(column, finer).1,
                    )
                })
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
        let shares = self.of_map.clone().map(|column| {
            let column = wrapped(column, bedrock.rock.columns());
            let (north, south) = (f64::from(north[column]), f64::from(south[column]));
            north + down * (south - north)
        });
        let shares: Vec<f64> = shares.collect();
        if shares.iter().all(|share| *share == 0.0) {
            return None;
        }
        let across = self.across.iter().map(|(before, across)| {
            let (west, east) = (shares[*before], shares[*before + 1]);
            (west + across * (east - west)) * (1.0 / 255.0)
        });
        let rock: Vec<f64> = across.collect();
        let rocky = rocky(&rock);
        let south = place(row, self.cells[0], bedrock.wraps);
        let mut bends = vec![0.0; rock.len()];
        for run in &rocky {
            let (east, bends) = (&self.east[run.clone()], &mut bends[run.clone()]);
            bend(&bedrock.folds, east, south, bends);
        }
        Some(Row {
            south,
            east: &self.east,
            bend: bends,
            rock,
            rocky,
        })
    }

    /// Add D of a size of beds to `moved`, for ground of these heights.
    fn step(&self, row: &Row<'_>, size: &Size, heights: &[f64], moved: &mut [f64]) {
        for run in &row.rocky {
            let at = || run.clone();
            let part = Run {
                south: row.south,
                east: &row.east[at()],
                bend: &row.bend[at()],
                rock: &row.rock[at()],
            };
            let (heights, moved) = (&heights[at()], &mut moved[at()]);
            step(size, &self.bedrock.beds, &part, heights, moved);
        }
    }
}

/// Samples that are skipped together where there is no rock.
const SKIPPED: usize = 64;

/// Ranges of samples that have all the rock.
fn rocky(rock: &[f64]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (index, part) in rock.chunks(SKIPPED).enumerate() {
        if part.iter().all(|share| *share == 0.0) {
            continue;
        }
        let first = index * SKIPPED;
        match runs.last_mut() {
            Some(run) if run.end == first => run.end = first + part.len(),
            _ => runs.push(first..first + part.len()),
        }
    }
    runs
}

/// Place in the tile of a row or column of so many cells, 0…1.
fn place(at: i64, cells: i64, wraps: bool) -> f64 {
    let at = if wraps { at.rem_euclid(cells) } else { at };
    at as f64 / cells as f64
}

/// The two samples of a map of a number of rows or columns around one `finer` levels finer, and the weight of the
/// second.
fn among(at: i64, finer: u32, side: usize) -> (usize, usize, f64) {
    let (whole, part) = split(at, finer);
    (wrapped(whole, side), wrapped(whole + 1, side), part)
}
