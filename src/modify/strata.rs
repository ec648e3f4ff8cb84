//! `strata`: terraces of layered rock: cliffs in hard rock, gentle slopes in soft rock, as in a canyon.
//! The beds are tilted and folded.
//!
//! A point at the height h has the stratigraphic height s above the lowest bed, measured across the
//! beds, in metres. With the dip δ towards a bearing, d metres along it and the folds' height b there:
//!
//! ```text
//! s = (h + d · tan δ − b) · cos δ
//! ```
//!
//! Every bed is a layer of hard rock between soft ones. The fraction t from its bottom to its top is
//! mapped to g(t), whose slope is σ at the bottom, grows to σ · √c over the talus, is σ · c on the
//! cliff, falls over its brow, and is σ again on the bench above it:
//!
//! ```text
//! 1 ┤            ,──▪   bench
//!   │           ╭'      brow
//!   │           │       cliff
//!   │          ╱
//!   │     __,-'         talus
//! 0 ▪──''────────┤ t
//! ```
//!
//! So c is the ratio of the slopes of hard and soft rock. Without a brow the edge of a cliff would show
//! the samples as teeth. The thickness of a bed, its share of hard rock and its c are random; after
//! [`BEDS`] beds they repeat.
//!
//! The ends of the beds stay, the order of heights above a place stays, and the result at a sample
//! depends on its place and height alone, so more iterations keep existing samples. Folds are gradient
//! noise (Perlin 2002) of two sizes, periodic with the map. A tilted plane is not periodic, so on a map
//! that wraps the beds have the given dip along the middle of the tile, and level out and rise again
//! towards its border as a sine. A wrapped map stays wrapped.
//!
//! Known artefact: on a plain a bed that ends shows as a step, and may close a hollow; a mask by slope
//! excludes plains. Cost: one pass that reads and writes, some 5 ns a sample on one thread.

use std::f64::consts::{PI, SQRT_2};

use crate::generate::perlin::kernel::Aligned;
use crate::generate::perlin::{Lattice, LatticeRows};
use crate::util::language::mark;
use crate::util::numbers::metres_per_unit;
use crate::util::param::{Param, Params, float_param, int_param, options};
use crate::util::power::round;
use crate::util::rng::{Rng, Stage, Stream, unit};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

/// Number of beds after which thicknesses and hardnesses repeat.
pub const BEDS: usize = 256;

options! {
    /// Options of `strata`.
    pub struct StrataOptions {
        /// Mean thickness of a bed in metres, 0.01…10⁶; default 40.
        pub thickness: f32 = 40.0,
        /// Ratio of the slopes of hard and soft rock, 1 (alike) … 100; default 8.
        pub contrast: f32 = 8.0,
        /// Variation of beds in thickness and hardness, 0 (all alike) … 1; default 0.7.
        pub variety: f32 = 0.7,
        /// Dip of the beds in degrees, 0…60; default 2.
        pub dip: f32 = 2.0,
        /// Dip direction as a compass bearing in degrees, 0…360; default 60.
        pub dip_bearing: f32 = 60.0,
        /// Height of the folds from trough to crest, in metres, 0…10⁶; default 40.
        pub fold_height: f32 = 40.0,
        /// Wavelength of the folds in metres, 1…10⁹; default 1000. The map holds at least half a fold, and at
        /// most 128.
        pub fold_length: f32 = 1000.0,
        /// Variation of the rock, 0…999: each number gives other beds and folds; default 0.
        pub variation: u32 = 0,
        /// Strength of the effect, 0 (nothing) … 1; default 1.
        pub strength: f32 = 1.0,
    }
}

impl Params for StrataOptions {
    const SEEDS: &'static [&'static str] = &["variation"];

    const PARAMS: &'static [Param<Self>] = &[
        float_param!(thickness, "Bed thickness", "m", 0.01, 1.0e6, slider: (5.0, 200.0),
            "Mean thickness of a bed: a cliff of hard rock and the soft rock around it."),
        float_param!(contrast, "Hardness contrast", "×", 1.0, 100.0, slider: (1.0, 20.0),
            "How many times steeper hard rock is than soft rock: 1 changes nothing."),
        float_param!(variety, "Variety", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much beds differ in thickness and hardness: at 0 all are alike."),
        float_param!(dip, "Dip", "°", 0.0, 60.0, slider: (0.0, 30.0),
            "Tilt of the beds. On a map that wraps, they have this tilt in the middle and rise \
             again towards the border."),
        float_param!(dip_bearing, "Dip bearing", "°", 0.0, 360.0, slider: (0.0, 360.0),
            "Direction in which the beds slope down: 0 is north, 90 east."),
        float_param!(fold_height, "Fold height", "m", 0.0, 1.0e6, slider: (0.0, 500.0),
            "Height of the folds, from trough to crest."),
        float_param!(fold_length, "Fold length", "m", 1.0, 1.0e9, slider: (100.0, 10_000.0),
            "Approximate distance from one fold to the next."),
        int_param!(variation, "Variation", "", 0, 999, slider 99,
            "Seed of the rock: each number gives different rock in the same landscape."),
        float_param!(strength, "Strength", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Strength of the effect of the beds: 0 changes nothing."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        (key == "dip_bearing" && self.dip == 0.0).then_some(mark("the beds lie level"))
    }
}

impl Modify for StrataOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.contrast == 1.0 || self.strength == 0.0 {
            return Ok(());
        }
        let rock = Rock::of(self, canvas);
        let columns = canvas.columns;
        let start = || {
            let grids: Vec<_> = rock.folds.iter().map(LatticeRows::new).collect();
            (grids, Aligned::new(columns))
        };
        canvas.each_band_with(start, |(grids, bend), first, band| {
            for (offset, heights) in band.chunks_exact_mut(columns).enumerate() {
                rock.bend(first + offset, grids, bend.row_mut());
                cut(heights, bend.row_mut(), &rock.beds, rock.units);
            }
        })?;
        Ok(())
    }
}

/// Layered rock under a map. All lengths are in mean bed thicknesses, measured across the beds.
struct Rock {
    beds: Box<Beds>,
    units: Units,
    /// Contribution of the dip to s in every column and in every row.
    tilt: [Vec<f32>; 2],
    folds: [Lattice; GRIDS],
    /// Factor of the fold noise in s.
    fold: f32,
    /// Number of rows after which the map repeats.
    period: usize,
}

/// Conversion between heights and stratigraphic heights.
#[derive(Clone, Copy)]
struct Units {
    /// Number of mean thicknesses in a half tile.
    into: f32,
    /// Number of half tiles in a mean thickness, times the strength.
    back: f32,
}

/// Number of fold sizes: each is half as long and half as high as the one before.
const GRIDS: usize = 2;

impl Rock {
    fn of(options: &StrataOptions, canvas: &Canvas<'_>) -> Self {
        let (rows, columns, context) = (canvas.rows, canvas.columns, &canvas.context);
        let stream = |part| Stream::new(context.seed, Stage::Strata, options.variation * 8 + part);
        let metres = metres_per_unit(context.tile_size_m);
        let dip = f64::from(options.dip).to_radians();
        let bearing = f64::from(options.dip_bearing).to_radians();
        let thicknesses = libm::cos(dip) / f64::from(options.thickness);
        let steepness = metres * libm::tan(dip) * thicknesses;
        let longer = rows.max(columns);
        let along = |count: usize, steepness: f64| -> Vec<f32> {
            let (last, half) = ((count - 1).max(1) as f64, (longer - 1).max(1) as f64 / 2.0);
            let place = |index: usize| index as f64 - (count - 1) as f64 / 2.0;
            let wave = |index: usize| {
                let round = index % (count - 1).max(1);
                libm::sin(2.0 * PI * place(round) / last) * last / (2.0 * PI)
            };
            let far = |index| {
                if canvas.wraps {
                    wave(index)
                } else {
                    place(index)
                }
            };
            let tilt = |index| (steepness * far(index) / half) as f32;
            (0..count).map(tilt).collect()
        };
        // The crests of gradient noise are about two cells apart.
        let cells = 4.0 * metres / f64::from(options.fold_length);
        let cells = (cells.clamp(1.0, 256.0) + 0.5) as usize;
        let into = metres * thicknesses;
        Self {
            beds: Box::new(Beds::of(stream(0), options)),
            units: Units {
                into: into as f32,
                back: (f64::from(options.strength) / into) as f32,
            },
            tilt: [
                along(columns, steepness * libm::sin(bearing)),
                along(rows, -steepness * libm::cos(bearing)),
            ],
            folds: std::array::from_fn(|grid| {
                Lattice::new(stream(1 + grid as u32), cells << grid, rows, columns)
            }),
            // The noise of a grid is within ±√½.
            fold: (f64::from(options.fold_height) / SQRT_2 * thicknesses) as f32,
            period: (rows - 1).max(1),
        }
    }

    /// Write the contribution of the position to s for a row of the map.
    fn bend(&self, row: usize, grids: &mut [LatticeRows<'_>], bend: &mut [f32]) {
        // The smallest folds come first, since they are halved once for every larger grid.
        bend.fill(0.0);
        for grid in grids.iter_mut().rev() {
            bend.iter_mut().for_each(|bend| *bend *= 0.5);
            grid.add_row(row % self.period, bend);
        }
        let last = bend.len() - 1;
        bend[last] = bend[0];
        let [across, down] = &self.tilt;
        for (bend, across) in bend.iter_mut().zip(across) {
            *bend = across + down[row] - self.fold * *bend;
        }
    }
}

/// Periodic table of the beds, in structure-of-arrays layout, so that a loop over samples is vectorized.
struct Beds {
    shift: [f32; BEDS],
    foot: [f32; BEDS],
    brow: [f32; BEDS],
    rim: [f32; BEDS],
    soft: [f32; BEDS],
    hard: [f32; BEDS],
    growth: [f32; BEDS],
    fall: [f32; BEDS],
}

/// Parameters of one bed: the pieces of g, and the position of the bed.
#[derive(Clone, Copy, Default)]
struct Bed {
    /// Height of its bottom above a whole number of mean thicknesses.
    shift: f32,
    /// Start of its cliff.
    foot: f32,
    /// Start of its brow.
    brow: f32,
    /// Start of its bench.
    rim: f32,
    /// Slope σ of soft rock.
    soft: f32,
    /// Slope c · σ of the cliff.
    hard: f32,
    /// Half the increase of the slope over the talus, divided by the talus's length.
    growth: f32,
    /// Half the decrease of the slope over the brow, divided by the brow's length.
    fall: f32,
}

/// Share of soft rock that is bench, not talus.
const BENCH: f32 = 0.3;
/// Share of hard rock that is brow.
const BROW: f32 = 0.35;

impl Beds {
    fn of(stream: Stream, options: &StrataOptions) -> Self {
        let mut beds = [Bed::default(); BEDS];
        for (row, bed) in beds.iter_mut().enumerate() {
            let mut numbers = stream.row(row as u64);
            let mut number = || unit(numbers.next_u32());
            let shift = options.variety * (0.9 * number() - 0.45);
            let share = 0.5 + options.variety * (0.7 * number() - 0.35);
            let softer = options.variety * number();
            *bed = Bed::new(
                shift,
                share,
                libm::powf(options.contrast, 1.0 - 0.8 * softer),
            );
        }
        let shifts = beds.map(|bed| bed.shift);
        for (index, bed) in beds.iter_mut().enumerate() {
            bed.stretch(1.0 + shifts[(index + 1) % BEDS] - bed.shift);
        }
        Self {
            shift: shifts,
            foot: beds.map(|bed| bed.foot),
            brow: beds.map(|bed| bed.brow),
            rim: beds.map(|bed| bed.rim),
            soft: beds.map(|bed| bed.soft),
            hard: beds.map(|bed| bed.hard),
            growth: beds.map(|bed| bed.growth),
            fall: beds.map(|bed| bed.fall),
        }
    }
}

impl Bed {
    /// Create a bed of the mean thickness with a share of hard rock, which is `contrast` times steeper than
    /// the rest.
    fn new(shift: f32, share: f32, contrast: f32) -> Self {
        let steep = libm::sqrtf(contrast);
        let soft_rock = 1.0 - share;
        // The length of each piece is its rise over its mean slope in σ; the lengths are then scaled to 1.
        let talus = (1.0 - BENCH) * soft_rock * 2.0 / (1.0 + steep);
        let cliff = (1.0 - BROW) * share / contrast;
        let brow = BROW * share * 2.0 / (1.0 + contrast);
        let soft = talus + cliff + brow + BENCH * soft_rock;
        let [talus, cliff, brow] = [talus, cliff, brow].map(|length| length / soft);
        Self {
            shift,
            foot: talus,
            brow: talus + cliff,
            rim: talus + cliff + brow,
            soft,
            hard: soft * contrast,
            growth: soft * (steep - 1.0) * 0.5 / talus,
            fall: soft * (contrast - 1.0) * 0.5 / brow,
        }
    }

    /// Multiply the thickness of the bed by `times`.
    fn stretch(&mut self, times: f32) {
        for length in [&mut self.foot, &mut self.brow, &mut self.rim] {
            *length *= times;
        }
        self.growth /= times;
        self.fall /= times;
    }
}

/// Distance in mean thicknesses beyond which `f32` cannot resolve beds, and heights stay.
const FARTHEST: f32 = 1.0e6;
/// Rounding constant: a whole number up to [`FARTHEST`] added to it appears in the lowest bits.
const WHOLE: f32 = 12_582_912.0;

vectorized! {
    /// Cut the heights of a row into `beds`; `bend` is the contribution of the position to s.
    fn cut(heights: &mut [f32], bend: &[f32], beds: &Beds, units: Units) {
        for (height, bend) in heights.iter_mut().zip(bend) {
            let s = *height * units.into + bend;
            // A bed begins within half a thickness of its number.
            let near = round(s);
            let entry = |number: f32| (number + WHOLE).to_bits() as usize % BEDS;
            let below = if s < near + beds.shift[entry(near)] { 1.0 } else { 0.0 };
            let number = near - below;
            let bed = entry(number);
            let t = s - number - beds.shift[bed];
            let (foot, brow, rim) = (beds.foot[bed], beds.brow[bed], beds.rim[bed]);
            let (soft, hard) = (beds.soft[bed], beds.hard[bed]);
            let talus = t.min(foot);
            let cliff = (t - foot).min(brow - foot).max(0.0);
            let over = (t - brow).min(rim - brow).max(0.0);
            let bench = (t - rim).max(0.0);
            let rise = talus * (soft + beds.growth[bed] * talus) + cliff * hard;
            let rise = rise + over * (hard - beds.fall[bed] * over) + bench * soft;
            let moved = *height + (rise - t) * units.back;
            *height = if s.abs() < FARTHEST { moved } else { *height };
        }
    }
}
