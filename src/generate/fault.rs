//! `fault`: fault formation. Repeatedly cut the map by a random line and raise one side (Martz 1996;
//! "Poisson faulting": Voss 1985).
//!
//! ```text
//!      free                     wrapped: a band between two parallel closed cuts
//! 0 0 0/1 1 1                  1 0 0/1 1\0      p·x + q·z mod 1 within [c, c + w),
//! 0 0/1 1 1 1                  0 0/1 1\0 0      p, q small whole numbers: the cuts
//! 0/1 1 1 1 1                  0/1 1\0 0 1      close on the torus
//! ```
//! The raise falls linearly from the first cut to the last. The edge of a cut is a step, or
//! rises over a width as a cosine or a ramp. Heights are sums of whole units, exact in any
//! order, less their expectation, scaled so that the standard deviation is about A/4. Range:
//! unbounded in principle, mostly ±0.8·A. Cost: one sweep, and wrapped O(1) a cut, free
//! O(rows); a width costs its samples too. Lines are in
//! fractions of the map, so another resolution shows the same cuts. Known artefact: straight
//! scarps.

use crate::fractal::Edges;
use crate::generate::rows::{fill_rows, try_fill_rows};
use crate::generate::{Generate, GenerateError, Request};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::language::mark;
use crate::util::parallel;
use crate::util::param::{Param, Params, choice, choice_param, float_param, int_param, options};
use crate::util::rng::{Jump, Stage, Stream, unit};

choice! {
    /// Profile of the ground across a cut.
    pub enum Profile: "profile" {
        #[default]
        Step = "step", "All at once: a cliff.";
        Cosine = "cosine", "Across the width, easing in and out at both ends.";
        Ramp = "ramp", "Evenly across the width.";
    }
}

options! {
    /// Options of `fault`.
    #[derive(Copy)]
    pub struct FaultOptions {
        /// Number of cuts, 1…100,000; default 400.
        pub count: u32 = 400,
        /// Profile of the ground across a cut; default step.
        pub profile: Profile = Profile::Step,
        /// Width over which the ground rises, as a fraction of the map, 0…0.5; default 0.05.
        pub width: f32 = 0.05,
        /// Raise of the last cut relative to that of the first, 0…1; default 0.
        pub last: f32 = 0.0,
        /// Border handling; default wrap.
        pub edges: Edges = Edges::Wrap,
    }
}

impl Params for FaultOptions {
    const KEPT: &'static [&'static str] = &["edges"];

    const PARAMS: &'static [Param<Self>] = &[
        int_param!(count, "Cuts", "", 1, 100_000, slider 5_000, "How many cuts are made."),
        choice_param!(profile: Profile, "Profile", "How the ground rises across a cut."),
        float_param!(width, "Width", "of the map", 0.0, 0.5, slider: (0.0, 0.5),
            "Width across which the ground rises."),
        float_param!(last, "Last height", "of the first", 0.0, 1.0, slider: (0.0, 1.0),
            "Height of the last cut relative to the first; those in between change evenly."),
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        let step = key == "width" && self.profile == Profile::Step;
        step.then_some(mark("works only with the profiles `cosine` and `ramp`"))
    }
}

impl Generate for FaultOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let (surface, job) = (request.surface, request.job);
        let cells = 1usize << surface.iterations;
        let side = cells + 1;
        let draws = draw(self, surface.seed, job)?;
        let mut heights = request.buffer(side * side)?;
        let wraps = self.edges == Edges::Wrap;
        if wraps {
            let torus = Torus::new(&draws, self, cells, job)?;
            let scale = torus.moments.scale(surface.height_scale);
            fill_rows(
                &mut heights,
                side,
                job,
                || (),
                |(), row, out| torus.write(row, scale, out),
            )?;
        } else {
            let lines = Lines::new(&draws, self, cells);
            let scale = lines.moments.scale(surface.height_scale);
            let start = || Row::new(&lines);
            let write =
                |state: &mut Row<'_>, row, out: &mut [f32]| state.write(row, scale, job, out);
            try_fill_rows(&mut heights, side, job, start, write)?;
        }
        Ok(Heightmap::new(side, side, wraps, heights))
    }

    fn has_hurst(&self) -> bool {
        false
    }
}

/// Random numbers of one cut: its raise in units, and three numbers in [0, 1) for its position.
struct Draw {
    raise: i32,
    numbers: [f64; 3],
}

/// Sum of all raises in units: few enough for an `i32`, enough to represent each of 100,000 raises to
/// within 1e-4.
const TOTAL: f64 = 1_000_000_000.0;

fn draw(options: &FaultOptions, seed: u64, job: &Job) -> Result<Vec<Draw>, Cancelled> {
    let stream = Stream::new(seed, Stage::Fault, 0);
    let count = f64::from(options.count);
    let weight = |index: u32| {
        let age = f64::from(index) / (count - 1.0).max(1.0);
        // Without this bound the last of many cuts would be 0 and have no effect.
        (1.0 + (f64::from(options.last) - 1.0) * age).max(0.5 / count)
    };
    let total: f64 = (0..options.count).map(weight).sum();
    let draw = |index: u32| {
        if index.is_multiple_of(1024) {
            job.check()?;
        }
        let number =
            |column: u64| f64::from(unit(stream.number(u64::from(index), Jump::over(column))));
        Ok(Draw {
            raise: (weight(index) / total * TOTAL).round() as i32,
            numbers: [number(0), number(1), number(2)],
        })
    };
    (0..options.count).map(draw).collect()
}

/// Expectation and variance of the sum of all raises at a point.
#[derive(Clone, Copy, Default)]
struct Moments {
    mean: f64,
    variance: f64,
}

impl Moments {
    /// Add a cut that raises `share` of the map.
    fn add(&mut self, raise: i32, share: f64) {
        let raise = f64::from(raise);
        self.mean += raise * share;
        self.variance += raise * raise * share * (1.0 - share);
    }

    fn scale(self, height_scale: f32) -> Scale {
        let unit = (0.25 / self.variance.sqrt().max(1.0)) as f32;
        Scale {
            mean: self.mean,
            unit: height_scale * unit,
        }
    }
}

/// Linear map from a sum of raises to a height: (sum − mean) · unit.
#[derive(Clone, Copy)]
struct Scale {
    mean: f64,
    unit: f32,
}

impl Scale {
    #[inline(always)]
    fn height(self, sum: i32) -> f32 {
        (f64::from(sum) - self.mean) as f32 * self.unit
    }
}

impl FaultOptions {
    /// Width over which the ground rises, 0 for a step.
    fn width(&self) -> f64 {
        match self.profile {
            Profile::Step => 0.0,
            Profile::Cosine | Profile::Ramp => f64::from(self.width),
        }
    }
}

// Faults with free borders: each raises one side of a straight line in any direction.
//
// Along a row a cut is one step up or down, so a row is the prefix sum of as many differences as
// there are cuts. The intersections of lines with the row are computed for many lines at once.

/// Cuts in structure-of-arrays layout. A cut raises the ground where `across · x + along · z` ≥ `from`;
/// x and z are in fractions of the map.
#[derive(Default)]
struct Cuts {
    across: Vec<f64>,
    along: Vec<f64>,
    from: Vec<f64>,
    raise: Vec<i32>,
}

impl Cuts {
    fn push(&mut self, [across, along]: [f64; 2], from: f64, raise: i32) {
        self.across.push(across);
        self.along.push(along);
        self.from.push(from);
        self.raise.push(raise);
    }
}

/// Set of all cuts.
struct Lines {
    cells: usize,
    profile: Profile,
    width: f64,
    /// Cuts that rise towards the east or the west. A rise towards the west is stored as a negative
    /// raise, and `west` compensates for it.
    slanted: Cuts,
    /// Sum of the raises of the westernmost sample from cuts that rise towards the west.
    west: i32,
    /// Cuts along the rows.
    level: Cuts,
    pub moments: Moments,
}

/// Slope below which a cut counts as parallel to the rows.
const FLAT: f64 = 1e-12;

impl Lines {
    pub fn new(draws: &[Draw], options: &FaultOptions, cells: usize) -> Self {
        let mut lines = Self {
            cells,
            profile: options.profile,
            width: options.width(),
            slanted: Cuts::default(),
            west: 0,
            level: Cuts::default(),
            moments: Moments::default(),
        };
        for Draw { raise, numbers } in draws {
            // The cut passes through a random point in a random direction.
            let [direction, x, z] = numbers;
            let angle = direction * std::f64::consts::TAU;
            let (across, along) = (libm::cos(angle), libm::sin(angle));
            let from = across * x + along * z;
            lines.moments.add(*raise, 0.5);
            if across.abs() < FLAT {
                lines.level.push([across, along], from, *raise);
            } else if across > 0.0 {
                lines.slanted.push([across, along], from, *raise);
            } else {
                lines.slanted.push([across, along], from, -raise);
                lines.west = lines.west.wrapping_add(*raise);
            }
        }
        lines
    }

    /// Raise that a cut along the rows gives to the row at `z`.
    fn level_raise(&self, index: usize, z: f64) -> i32 {
        let level = self.level.from[index] - self.level.along[index] * z;
        let t = if self.width > 0.0 {
            0.5 - level / self.width
        } else {
            step(-level)
        };
        (f64::from(self.level.raise[index]) * rise(self.profile, t)).round() as i32
    }
}

/// Number of cuts processed at once: their intersections stay in the first-level cache.
const CHUNK: usize = 256;
/// Number of wide cuts between checks for cancelling: each may change all samples of a row.
const CHECK: usize = 32;

/// Writer of rows of the map.
struct Row<'a> {
    lines: &'a Lines,
    sums: Sums,
    places: [f64; CHUNK],
    columns: [u32; CHUNK],
}

impl<'a> Row<'a> {
    pub fn new(lines: &'a Lines) -> Self {
        Self {
            lines,
            sums: Sums::new(lines.cells + 1),
            places: [0.0; CHUNK],
            columns: [0; CHUNK],
        }
    }

    /// Write a row.
    ///
    /// # Errors
    /// The job was cancelled; the row is then incomplete.
    pub fn write(
        &mut self,
        row: usize,
        scale: Scale,
        job: &Job,
        out: &mut [f32],
    ) -> Result<(), Cancelled> {
        let lines = self.lines;
        let z = row as f64 / lines.cells as f64;
        self.sums.clear();
        let level = (0..lines.level.raise.len()).map(|index| lines.level_raise(index, z));
        self.sums.differences[0] = level.fold(lines.west, i32::wrapping_add);
        for first in (0..lines.slanted.raise.len()).step_by(CHUNK) {
            job.check()?;
            let count = CHUNK.min(lines.slanted.raise.len() - first);
            self.add(first, count, z, job)?;
        }
        for (height, sum) in out.iter_mut().zip(self.sums.values()) {
            *height = scale.height(sum);
        }
        Ok(())
    }

    /// Add `count` cuts, from the cut `first` on, to the row at `z`.
    fn add(&mut self, first: usize, count: usize, z: f64, job: &Job) -> Result<(), Cancelled> {
        let Lines {
            slanted,
            width,
            cells,
            profile,
            ..
        } = self.lines;
        let (across, along) = (&slanted.across[first..], &slanted.along[first..]);
        let (from, raise) = (&slanted.from[first..], &slanted.raise[first..]);
        let (cells, places) = (*cells as f64, &mut self.places[..count]);
        meet([from, along, across], z, cells, places);
        if *width == 0.0 {
            let columns = &mut self.columns[..count];
            next_columns(places, cells + 1.0, columns);
            for (column, raise) in columns.iter().zip(raise) {
                let difference = &mut self.sums.differences[*column as usize];
                *difference = difference.wrapping_add(*raise);
            }
            return Ok(());
        }
        let cuts = places.iter().zip(across).zip(raise);
        for (index, ((middle, across), raise)) in cuts.enumerate() {
            if index.is_multiple_of(CHECK) {
                job.check()?;
            }
            let reach = (width / across * cells / 2.0).abs();
            self.sums.add_rise(*profile, *middle, reach, *raise);
        }
        Ok(())
    }
}

vectorized! {
    /// Compute the intersections of lines with the row at `z`, in samples.
    fn meet(lines: [&[f64]; 3], z: f64, cells: f64, places: &mut [f64]) {
        let count = places.len();
        let [from, along, across] = lines.map(|values| &values[..count]);
        for index in 0..count {
            places[index] = (from[index] - along[index] * z) / across[index] * cells;
        }
    }

    /// Compute the first sample at or beyond each place, at most `end`.
    fn next_columns(places: &[f64], end: f64, columns: &mut [u32]) {
        let places = &places[..columns.len()];
        for (column, place) in columns.iter_mut().zip(places) {
            // Adding 2^52 to a whole number puts it into the lowest bits of the mantissa.
            const BITS: f64 = 4_503_599_627_370_496.0;
            *column = (place.ceil().clamp(0.0, end) + BITS).to_bits() as u32;
        }
    }
}

// Faults on a torus: bands between two parallel closed lines, for wrapped maps.
//
// The contribution of a band of direction (p, q) to a sample depends only on its phase
// (p·column + q·row) mod N, and there are few directions. So the bands of one direction are summed
// once, by phase, and a row of the map is a sum of eight rows read at different offsets:
//
// ```text
// h(row, column) = Σ over (p, q) of raises[(p·column + q·row) mod N]
// ```
// Cost: O(1) a band, O(N) a direction, eight additions a sample.

/// Directions (p, q) of closed cuts whose lines cross the map at most twice. [`ALONG_ROWS`] is the
/// index of the one whose phase is constant in a row.
const DIRECTIONS: [(usize, isize); 8] = [
    (1, 0),
    (0, 1),
    (1, 1),
    (1, -1),
    (1, 2),
    (2, 1),
    (1, -2),
    (2, -1),
];
/// Index of the direction whose bands lie along the rows.
const ALONG_ROWS: usize = 1;

/// Sums of all bands.
struct Torus {
    cells: usize,
    directions: Vec<Direction>,
    pub moments: Moments,
}

/// Sums of all bands of one direction, by phase.
struct Direction {
    across: usize,
    along: isize,
    /// Table of sums: part s holds the phases s, s + p, s + 2p …, continued beyond N by one row length.
    parts: Vec<Vec<i32>>,
}

/// Raised band: phases from `from` to `to`, in fractions of the map.
struct Band {
    direction: usize,
    from: f64,
    to: f64,
    raise: i32,
}

impl Band {
    /// Create a band that covers a quarter to three quarters of the torus.
    fn new(draw: &Draw) -> Self {
        let [direction, place, share] = draw.numbers;
        Self {
            direction: (direction * DIRECTIONS.len() as f64) as usize,
            from: place,
            to: place + 0.25 + 0.5 * share,
            raise: draw.raise,
        }
    }
}

impl Torus {
    pub fn new(
        draws: &[Draw],
        options: &FaultOptions,
        cells: usize,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let bands: Vec<Band> = draws.iter().map(Band::new).collect();
        let mut moments = Moments::default();
        for band in &bands {
            moments.add(band.raise, band.to - band.from);
        }
        let directions = parallel::par_items(DIRECTIONS).try_map(|direction, ways| {
            let mut sums = Sums::new(cells);
            for band in bands.iter().filter(|band| band.direction == direction) {
                job.check()?;
                add_band(band, options, cells, &mut sums);
            }
            let by_phase: Vec<i32> = sums.values().collect();
            Ok(Direction::new(ways, &by_phase))
        })?;
        Ok(Self {
            cells,
            directions,
            moments,
        })
    }

    /// Write a row of the map; the last row repeats the first.
    pub fn write(&self, row: usize, scale: Scale, out: &mut [f32]) {
        let rows = |index: usize| {
            // The direction along the rows is constant in a row and added once, as `level`.
            let index = index + usize::from(index >= ALONG_ROWS);
            self.directions[index].row(row, self.cells)
        };
        let level = self.directions[ALONG_ROWS].parts[0][row % self.cells];
        let (last, heights) = out.split_last_mut().expect("a row has samples");
        sum(&std::array::from_fn(rows), level, scale, heights);
        *last = heights[0];
    }
}

impl Direction {
    fn new((across, along): (usize, isize), by_phase: &[i32]) -> Self {
        let cells = by_phase.len();
        let step = across.max(1);
        let part = |first: usize| {
            let phases = (first..).step_by(step).map(|phase| by_phase[phase % cells]);
            phases.take(cells / step + cells).collect()
        };
        Self {
            across: step,
            along,
            parts: (0..step).map(part).collect(),
        }
    }

    /// Sums for the samples of a row.
    fn row(&self, row: usize, cells: usize) -> &[i32] {
        let phase = (row as isize * self.along).rem_euclid(cells as isize) as usize;
        &self.parts[phase % self.across][phase / self.across..][..cells]
    }
}

/// Add a band to the sums by phase.
fn add_band(band: &Band, options: &FaultOptions, cells: usize, sums: &mut Sums) {
    let width = options.width();
    let cells = cells as f64;
    let mut edge = |phase: f64, raise: i32| {
        sums.add_rise(options.profile, phase * cells, width * cells / 2.0, raise);
    };
    // The band repeats on every turn around the torus, so all turns with edges at phases 0…1 count.
    let first = (-band.to - width).floor() as i64;
    let last = (1.0 - band.from + width).ceil() as i64;
    for turn in first..=last {
        edge(band.from + turn as f64, band.raise);
        edge(band.to + turn as f64, -band.raise);
    }
}

vectorized! {
    fn sum(rows: &[&[i32]; DIRECTIONS.len() - 1], level: i32, scale: Scale, out: &mut [f32]) {
        let count = out.len();
        let rows = rows.map(|row| &row[..count]);
        for (column, out) in out.iter_mut().enumerate() {
            let mut sum = level;
            for row in rows {
                sum = sum.wrapping_add(row[column]);
            }
            *out = scale.height(sum);
        }
    }
}

// Profile of the ground across a fault: step, ramp or cosine, for many samples at once.

/// Step function: 0 before t = 0, and 1 from there on.
fn step(t: f64) -> f64 {
    if t >= 0.0 { 1.0 } else { 0.0 }
}

/// Share of the raise reached at `t`, which is 0 at the foot and 1 at the top.
#[inline(always)]
fn rise(profile: Profile, t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    match profile {
        Profile::Step => step(t - 0.5),
        Profile::Ramp => t,
        Profile::Cosine => 0.5 - 0.5 * cos(t * std::f64::consts::PI),
    }
}

/// Row of sums of raises, in whole units, so that they are exact in any order.
struct Sums {
    /// Differences from sample to sample, and one more for rises that begin beyond the last sample.
    pub differences: Vec<i32>,
    /// Extra values of single samples within a rise.
    besides: Vec<i32>,
}

impl Sums {
    pub fn new(count: usize) -> Self {
        Self {
            differences: vec![0; count + 1],
            besides: vec![0; count],
        }
    }

    pub fn clear(&mut self) {
        self.differences.fill(0);
        self.besides.fill(0);
    }

    /// Index of the first sample at or beyond `x`, or the number of samples if there is none.
    fn place(&self, x: f64) -> usize {
        x.ceil().clamp(0.0, self.besides.len() as f64) as usize
    }

    /// Raise every sample from `middle` on, with a transition over `reach` samples to both sides.
    pub fn add_rise(&mut self, profile: Profile, middle: f64, reach: f64, raise: i32) {
        let (first, end) = (self.place(middle - reach), self.place(middle + reach));
        if first < end {
            let samples = &mut self.besides[first..end];
            let foot = first as f64 - middle;
            match profile {
                Profile::Step => (),
                Profile::Ramp => add_ramp(samples, foot, reach, raise),
                Profile::Cosine => add_cosine(samples, foot, reach, raise),
            }
        }
        let after = &mut self.differences[end];
        *after = after.wrapping_add(raise);
    }

    /// Sums of the samples in order.
    pub fn values(&self) -> impl Iterator<Item = i32> {
        let mut sum = 0i32;
        let samples = self.differences.iter().zip(&self.besides);
        samples.map(move |(difference, besides)| {
            sum = sum.wrapping_add(*difference);
            sum.wrapping_add(*besides)
        })
    }
}

vectorized! {
    fn add_ramp(samples: &mut [i32], foot: f64, reach: f64, raise: i32) {
        add(Profile::Ramp, samples, foot, reach, raise);
    }

    fn add_cosine(samples: &mut [i32], foot: f64, reach: f64, raise: i32) {
        add(Profile::Cosine, samples, foot, reach, raise);
    }
}

/// Add the share of the raise reached at each sample; the first sample lies `foot` from the middle.
#[inline(always)]
fn add(profile: Profile, samples: &mut [i32], foot: f64, reach: f64, raise: i32) {
    let raise = f64::from(raise);
    for (index, sample) in samples.iter_mut().enumerate() {
        let t = 0.5 + (foot + f64::from(index as i32)) / (2.0 * reach);
        *sample = sample.wrapping_add(round(raise * rise(profile, t)));
    }
}

/// Round to the nearest whole number, halves away from 0; |x| < 2³¹.
#[inline(always)]
fn round(x: f64) -> i32 {
    // Largest number below a half: with a half itself, 0.49999999999999994 would become 1.
    const NEARLY_HALF: f64 = 0.499_999_999_999_999_94;
    let whole = (x + NEARLY_HALF.copysign(x)).trunc();
    // Adding 1.5·2^52 to a whole number, even a negative one, puts it into the lowest bits.
    const BITS: f64 = 6_755_399_441_055_744.0;
    (whole + BITS).to_bits() as i32
}

/// Cosine of x in 0…π: that of fdlibm (Sun Microsystems 1993) without branches, and with fewer digits
/// where the cosine is almost 0; a rise computed with it has the same bits.
#[inline(always)]
fn cos(x: f64) -> f64 {
    // π/2 in two parts, and the bounds between the multiples of π/2 nearest to x.
    const HALF_PI_HIGH: f64 = 1.570_796_326_734_125_6;
    const HALF_PI_LOW: f64 = 6.077_100_506_506_192e-11;
    const ONE_FROM: f64 = f64::from_bits(0x3FE9_21FC << 32);
    const TWO_FROM: f64 = f64::from_bits(0x4002_D97D << 32);
    let beyond_one = if x >= ONE_FROM { 1.0 } else { 0.0 };
    let turns = if x >= TWO_FROM { 2.0 } else { beyond_one };
    let rough = x - turns * HALF_PI_HIGH;
    let rest = turns * HALF_PI_LOW;
    let y = rough - rest;
    let error = (rough - y) - rest;
    let (sine, cosine) = (sin_near(y, error), cos_near(y, error));
    if turns == 1.0 {
        -sine
    } else if turns == 0.0 {
        cosine
    } else {
        -cosine
    }
}

/// Cosine of x + error, for |x| ≤ π/4.
#[inline(always)]
fn cos_near(x: f64, error: f64) -> f64 {
    const C: [f64; 6] = [
        4.166_666_666_666_66e-2,
        -1.388_888_888_887_411e-3,
        2.480_158_728_947_673e-5,
        -2.755_731_435_139_066_3e-7,
        2.087_572_321_298_175e-9,
        -1.135_964_755_778_819_5e-11,
    ];
    let z = x * x;
    let w = z * z;
    let series = z * (C[0] + z * (C[1] + z * C[2])) + w * w * (C[3] + z * (C[4] + z * C[5]));
    let half = 0.5 * z;
    let near = 1.0 - half;
    near + (((1.0 - near) - half) + (z * series - x * error))
}

/// Sine of x + error, for |x| ≤ π/4.
#[inline(always)]
fn sin_near(x: f64, error: f64) -> f64 {
    const S: [f64; 6] = [
        -1.666_666_666_666_663_2e-1,
        8.333_333_333_322_49e-3,
        -1.984_126_982_985_795e-4,
        2.755_731_370_707_006_8e-6,
        -2.505_076_025_340_686_3e-8,
        1.589_690_995_211_55e-10,
    ];
    let z = x * x;
    let w = z * z;
    let series = S[1] + z * (S[2] + z * S[3]) + z * w * (S[4] + z * S[5]);
    let v = z * x;
    x - ((z * (0.5 * error - v * series) - error) - v * S[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cosine_rise_is_bit_identical_to_library_cosine() {
        let steps = 400_000;
        for step in 0..=steps {
            let t = f64::from(step) / f64::from(steps);
            let expected = 0.5 - 0.5 * libm::cos(t * std::f64::consts::PI);
            let found = rise(Profile::Cosine, t);
            assert_eq!(found.to_bits(), expected.to_bits(), "{t}");
        }
    }

    #[test]
    fn halves_round_away_from_zero() {
        let near = [
            0.0,
            0.499_999_999_999_999_94,
            0.5,
            1.5,
            2.5,
            3.49,
            999_999_999.5,
        ];
        for x in near.into_iter().flat_map(|x| [x, -x]) {
            assert_eq!(round(x), x.round() as i32, "{x}");
        }
    }
}
