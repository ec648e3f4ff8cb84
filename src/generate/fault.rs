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

use serde::{Deserialize, Serialize};

use super::bands::{fill_rows, try_fill_rows};
use super::{Generate, GenerateError, Request};
use crate::fractal::Edges;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::language::mark;
use crate::util::param::{Param, Params, choice, choice_param, float_param, int_param};
use crate::util::rng::{Jump, Stage, Stream, unit};

mod closed;
mod open;
mod rise;

choice! {
    /// Profile of the ground across a cut.
    pub enum Profile: "profile" {
        #[default]
        Step = "step", "All at once: a cliff.";
        Cosine = "cosine", "Across the width, gently at both ends.";
        Ramp = "ramp", "Across the width, evenly.";
    }
}

/// Options of `fault`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Number of cuts, 1…100,000; default 400.
    pub count: u32,
    /// Profile of the ground across a cut; default step.
    pub profile: Profile,
    /// Width over which the ground rises, as a fraction of the map, 0…0.5; default 0.05.
    pub width: f32,
    /// Raise of the last cut relative to that of the first, 0…1; default 0.
    pub last: f32,
    /// Border handling; default wrap.
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
    const KEPT: &'static [&'static str] = &["edges"];

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
            "Width across which the ground rises."
        ),
        float_param!(
            last,
            "Last height",
            "of the first",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Height of the last cut relative to the first; those in between change evenly."
        ),
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        let step = key == "width" && self.profile == Profile::Step;
        step.then_some(mark("works only with the profiles `cosine` and `ramp`"))
    }
}

impl Generate for Options {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let (surface, job) = (request.surface, request.job);
        let cells = 1usize << surface.iterations;
        let side = cells + 1;
        let draws = draw(self, surface.seed, job)?;
        let mut heights = request.buffer(side * side)?;
        let wraps = self.edges == Edges::Wrap;
        if wraps {
            let torus = closed::Torus::new(&draws, self, cells, job)?;
            let scale = torus.moments.scale(surface.height_scale);
            fill_rows(
                &mut heights,
                side,
                job,
                || (),
                |(), row, out| torus.write(row, scale, out),
            )?;
        } else {
            let lines = open::Lines::new(&draws, self, cells);
            let scale = lines.moments.scale(surface.height_scale);
            let start = || open::Row::new(&lines);
            let write =
                |state: &mut open::Row<'_>, row, out: &mut [f32]| state.write(row, scale, job, out);
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

fn draw(options: &Options, seed: u64, job: &Job) -> Result<Vec<Draw>, Cancelled> {
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

impl Options {
    /// Width over which the ground rises, 0 for a step.
    fn width(&self) -> f64 {
        match self.profile {
            Profile::Step => 0.0,
            Profile::Cosine | Profile::Ramp => f64::from(self.width),
        }
    }
}
