//! `fault`: again and again cut the map by a random line and raise one side, as earthquakes do
//! (Martz 1996; "Poisson faulting": Voss 1985).
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
//! unbounded in principle, mostly ±0.8·A. Cost: O(rows) a cut, plus one sweep, for a step; a
//! width costs its samples too. Lines are in fractions of the map, so another resolution shows
//! the same cuts. Known artefact: straight scarps.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::diamond_square::Edges;
use super::{GenerateError, Request};
use crate::heightmap::Heightmap;
use crate::param::{Param, Params};
use crate::rng::{Jump, Stage, Stream, unit};
use crate::{choice, choice_param, float_param, int_param};

choice! {
    /// How the ground rises across a cut.
    pub enum Profile: "profile" {
        #[default]
        Step = "step", "At once: a scarp.";
        Cosine = "cosine", "Over the width, gently at both ends.";
        Ramp = "ramp", "Over the width, evenly.";
    }
}

/// Options of `fault`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many cuts, 1…100,000; default 400.
    pub count: u32,
    /// How the ground rises across a cut; default step.
    pub profile: Profile,
    /// Over which width it rises, as a fraction of the map, 0…0.5; default 0.05.
    pub width: f32,
    /// Raise of the last cut over that of the first, 0…1; default 0.
    pub last: f32,
    /// What happens at the border; default wrap.
    pub edges: Edges,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            count: 400,
            profile: Profile::Step,
            width: 0.05,
            last: 0.0,
            edges: Edges::Wrap,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        int_param!(count, "Cuts", "", 1, 100_000, slider 5_000, "How many cuts are made."),
        choice_param!(profile: Profile, "Profile", "How the ground rises across a cut."),
        float_param!(
            width,
            "Width",
            "of the map",
            0.0,
            0.5,
            slider(0.0, 0.5),
            "Over which width the ground rises, unless the profile is a step."
        ),
        float_param!(
            last,
            "Last raise",
            "of the first",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Raise of the last cut over that of the first; those between fall evenly."
        ),
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
    ];
}

/// The map of (2^n + 1)² heights.
pub fn generate(options: &Options, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
    let surface = request.surface;
    let cells = 1usize << surface.iterations;
    let side = cells + 1;
    let wraps = options.edges == Edges::Wrap;
    let cuts = Cuts::draw(options, surface.seed, wraps);
    let mut heights = request.buffer(side * side)?;
    let scale = surface.height_scale * cuts.scale;
    heights
        .par_chunks_mut(side)
        .enumerate()
        .with_min_len(8)
        .try_for_each_init(
            || vec![0i32; side + 1],
            |sums, (row, out)| {
                request.job.check()?;
                // Wrapped, the last row is the first again.
                let z = if wraps { row % cells } else { row } as f64 / cells as f64;
                sums.fill(0);
                for cut in &cuts.cuts {
                    cut.add_to_row(z, cells, options, sums);
                }
                let mut sum = 0i32;
                for (height, difference) in out.iter_mut().zip(&*sums) {
                    sum = sum.wrapping_add(*difference);
                    *height = (f64::from(sum) - cuts.mean) as f32 * scale;
                }
                if wraps {
                    out[side - 1] = out[0];
                }
                Ok::<(), GenerateError>(())
            },
        )?;
    Ok(Heightmap::new(side, side, wraps, heights))
}

/// All cuts, and what turns their sum into heights.
struct Cuts {
    cuts: Vec<Cut>,
    /// Expected sum at a point.
    mean: f64,
    /// Height of one unit at A = 1.
    scale: f32,
}

/// One raise: where `across · x + along · z`, taken modulo 1 if wrapped, lies in [from, to).
struct Cut {
    across: f64,
    along: f64,
    from: f64,
    to: f64,
    raise: i32,
    wraps: bool,
}

/// Sum of all raises: few enough for an `i32`, enough to make each of 100,000 exact to 1e-4.
const TOTAL: f64 = 1_000_000_000.0;

/// Directions (p, q) of closed cuts, in which no line crosses the map more than twice.
const DIRECTIONS: [(f64, f64); 8] = [
    (1.0, 0.0),
    (0.0, 1.0),
    (1.0, 1.0),
    (1.0, -1.0),
    (1.0, 2.0),
    (2.0, 1.0),
    (1.0, -2.0),
    (2.0, -1.0),
];

impl Cuts {
    fn draw(options: &Options, seed: u64, wraps: bool) -> Self {
        let stream = Stream::new(seed, Stage::Fault, 0);
        let count = f64::from(options.count);
        let weight = |index: u32| {
            let age = f64::from(index) / (count - 1.0).max(1.0);
            // The last of many would be 0 and for nothing.
            (1.0 + (f64::from(options.last) - 1.0) * age).max(0.5 / count)
        };
        let total: f64 = (0..options.count).map(weight).sum();
        let (mut mean, mut variance) = (0.0, 0.0);
        let cuts = (0..options.count).map(|index| {
            let number =
                |column: u64| f64::from(unit(stream.number(u64::from(index), Jump::over(column))));
            let raise = (weight(index) / total * TOTAL).round();
            let mut cut = if wraps {
                Cut::closed(number(0), number(1), number(2))
            } else {
                Cut::open(number(0), number(1), number(2))
            };
            cut.raise = raise as i32;
            let share = if wraps { cut.to - cut.from } else { 0.5 };
            mean += raise * share;
            variance += raise * raise * share * (1.0 - share);
            cut
        });
        let cuts = cuts.collect();
        let scale = (0.25 / variance.sqrt().max(1.0)) as f32;
        Self { cuts, mean, scale }
    }
}

impl Cut {
    /// The band between two closed cuts of the torus, a quarter to three quarters of it.
    fn closed(direction: f64, place: f64, share: f64) -> Self {
        let (across, along) = DIRECTIONS[(direction * DIRECTIONS.len() as f64) as usize];
        Self {
            across,
            along,
            from: place,
            to: place + 0.25 + 0.5 * share,
            raise: 0,
            wraps: true,
        }
    }

    /// One side of a line through a random point of the map, in a random direction.
    fn open(direction: f64, x: f64, z: f64) -> Self {
        let angle = direction * std::f64::consts::TAU;
        let (across, along) = (libm::cos(angle), libm::sin(angle));
        Self {
            across,
            along,
            from: across * x + along * z,
            to: f64::INFINITY,
            raise: 0,
            wraps: false,
        }
    }

    /// Adds what this cut raises in the row at `z` to `sums`, as differences from sample to
    /// sample.
    fn add_to_row(&self, z: f64, cells: usize, options: &Options, sums: &mut [i32]) {
        let width = match options.profile {
            Profile::Step => 0.0,
            Profile::Cosine | Profile::Ramp => f64::from(options.width),
        };
        let at_west = self.along * z;
        let edge = |level: f64, raise: i32, sums: &mut [i32]| {
            self.add_edge(level - at_west, width, cells, raise, options.profile, sums);
        };
        if !self.wraps {
            return edge(self.from, self.raise, sums);
        }
        // On the covering plane the bands repeat: all whose edges the row can meet.
        let (low, high) = (
            at_west.min(at_west + self.across),
            at_west.max(at_west + self.across),
        );
        let first = (low - self.to - width).floor() as i64;
        let last = (high - self.from + width).ceil() as i64;
        for turn in first..=last {
            edge(self.from + turn as f64, self.raise, sums);
            edge(self.to + turn as f64, -self.raise, sums);
        }
    }

    /// Adds `raise` to every sample where across · x ≥ `level`, rising over `width`.
    fn add_edge(
        &self,
        level: f64,
        width: f64,
        cells: usize,
        raise: i32,
        profile: Profile,
        sums: &mut [i32],
    ) {
        if self.across.abs() < 1e-12 {
            let t = if width > 0.0 {
                0.5 - level / width
            } else {
                step(-level)
            };
            let share = rise(profile, t);
            sums[0] = sums[0].wrapping_add((f64::from(raise) * share).round() as i32);
            return;
        }
        let side = cells + 1;
        let sample = |level: f64| level / self.across * cells as f64;
        let (middle, reach) = (
            sample(level),
            (width / self.across * cells as f64 / 2.0).abs(),
        );
        // Towards the east the ground rises, or falls if the line's raised side is the west.
        let (raise, start) = if self.across > 0.0 {
            (raise, 0)
        } else {
            (-raise, raise)
        };
        sums[0] = sums[0].wrapping_add(start);
        let place = |x: f64| x.ceil().clamp(0.0, side as f64) as usize;
        if width == 0.0 {
            let column = place(middle);
            sums[column] = sums[column].wrapping_add(raise);
            return;
        }
        let mut before = 0;
        let (first, end) = (place(middle - reach), place(middle + reach));
        for (column, sum) in (first..end).zip(&mut sums[first..end]) {
            let t = 0.5 + (column as f64 - middle) / (2.0 * reach);
            let now = (f64::from(raise) * rise(profile, t)).round() as i32;
            *sum = sum.wrapping_add(now - before);
            before = now;
        }
        sums[end] = sums[end].wrapping_add(raise - before);
    }
}

fn step(t: f64) -> f64 {
    if t >= 0.0 { 1.0 } else { 0.0 }
}

/// How much of the raise is reached at `t`, 0 at the foot and 1 at the top.
fn rise(profile: Profile, t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    match profile {
        Profile::Step => step(t - 0.5),
        Profile::Ramp => t,
        Profile::Cosine => 0.5 - 0.5 * libm::cos(t * std::f64::consts::PI),
    }
}
