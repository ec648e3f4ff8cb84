//! `hill`: the hill algorithm. Repeatedly add a round hill (real-time landscape articles; B. Nystrom,
//! *Terrain Generation Using the Hill Algorithm*).
//!
//! ```text
//! h += max(0, r² − ((x − x₁)² + (z − z₁)²))      x, z, r in fractions of the map
//! ```
//! Centres lie anywhere on the map or up to a radius outside it. In `island` mode they lie at a
//! random angle and a distance of 0 … ½ − r from the middle, so that no hill crosses the border. On
//! a wrapped map, hills continue across the border. The sum is normalised to 0…1 and its valleys are
//! flattened (h^valley); then it spans 0…A. Cost: proportional to the area of the hills, and O(4^n)
//! for the rest. More iterations keep existing samples before the normalisation, whose range depends
//! on the samples. Known artefact: everything consists of paraboloids, so few and large hills look
//! like bubbles.

use std::ops::Range;

use super::{Generate, GenerateError, Request};
use crate::generate::rows::Progress;
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::job::{Cancelled, Job};
use crate::util::language::mark;
use crate::util::numbers::EMPTY_RANGE;
use crate::util::parallel;
use crate::util::param::{
    OutOfRange, Param, Params, check_all, check_order, choice, choice_param, float_param,
    int_param, options, switch_param,
};
use crate::util::rng::{Jump, Stage, Stream, unit};

choice! {
    /// Placement of hills.
    pub enum Placement: "placement" {
        #[default]
        Wrap = "wrap", "Anywhere; hills continue across the border, so the map tiles.";
        Free = "free", "Anywhere on the map, or up to one radius outside it.";
        Island = "island", "Around the middle, so that no hill crosses the border; it tiles too.";
    }
}

options! {
    /// Options of `hill`.
    #[derive(Copy)]
    pub struct HillOptions {
        /// Number of hills, 1…1,000,000; default 400.
        pub count: u32 = 400,
        /// Smallest radius as a fraction of the map, 0.001…1; default 0.03.
        pub min_radius: f32 = 0.03,
        /// Largest radius as a fraction of the map, 0.001…1; default 0.2.
        pub max_radius: f32 = 0.2,
        /// Placement of hills; default wrap.
        pub placement: Placement = Placement::Wrap,
        /// Normalisation of the sum to 0…A; default on.
        pub normalize: bool = true,
        /// Power of the normalised height, 0.1…10; above 1 it flattens valleys; default 2.
        pub valley: f32 = 2.0,
    }
}

impl Params for HillOptions {
    const PARAMS: &'static [Param<Self>] = &[
        int_param!(count, "Hills", "", 1, 1_000_000, slider 5_000, "How many hills are added."),
        float_param!(min_radius, "Smallest radius", "of the map", 0.001, 1.0, slider: (0.001, 0.5),
            "Radius of the smallest hill, as a fraction of the map."),
        float_param!(max_radius, "Largest radius", "of the map", 0.001, 1.0, slider: (0.001, 0.5),
            "Radius of the largest hill, as a fraction of the map."),
        choice_param!(placement: Placement, "Placement", "Where hills may stand."),
        switch_param!(
            normalize,
            "Normalize",
            "Scales the sum of all hills to 0…height scale."
        ),
        float_param!(valley, "Valley power", "", 0.1, 10.0, slider: (0.5, 4.0),
            "Power of the normalised height: above 1 flattens valleys, below 1 fills them."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        let plain = key == "valley" && !self.normalize;
        plain.then_some(mark("works only with Normalize"))
    }

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(
            table,
            ("min_radius", self.min_radius),
            ("max_radius", self.max_radius),
        )?;
        if self.placement == Placement::Island && self.max_radius > 0.5 {
            return Err(OutOfRange {
                key: format!("{table}.max_radius"),
                value: self.max_radius.to_string(),
                allowed: "at most 0.5 on an island".to_owned(),
            });
        }
        Ok(())
    }
}

impl Generate for HillOptions {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let (surface, job) = (request.surface, request.job);
        let cells = 1usize << surface.iterations;
        let side = cells + 1;
        let wraps = self.placement != Placement::Free;
        let hills = hills(self, surface.seed, job)?;
        let progress = Progress::new(job, (hills.len() * side) as u64);
        let mut heights = request.buffer(side * side)?;
        parallel::par_items(heights.chunks_mut(PART))
            .try_each(|_, part| job.check().map(|()| part.fill(0.0)))?;
        for hills in hills.chunks(HILLS_AT_ONCE) {
            add_all(hills, &mut heights, side, job, &progress)?;
        }
        if wraps {
            close(&mut heights, side);
        }
        if self.normalize {
            normalize(self, surface.height_scale, &mut heights, job)?;
        } else {
            let scale = surface.height_scale;
            parallel::par_items(heights.chunks_mut(PART)).for_each_in(job, |_, part| {
                for height in part {
                    *height *= scale;
                }
            })?;
        }
        progress.finish();
        Ok(Heightmap::new(side, side, wraps, heights))
    }

    fn has_hurst(&self) -> bool {
        false
    }
}

/// Number of rows of a band: few enough to stay in the second-level cache while hills are added.
const BAND_ROWS: usize = 32;
/// Number of hills that are sorted into bands in one go: enough to keep all threads busy, few enough
/// to take little memory.
const HILLS_AT_ONCE: usize = 1 << 16;
/// Number of samples processed at once where no hill is added.
const PART: usize = 1 << 14;

/// Add hills band by band on all threads. Each band gets them in their order, since floating-point
/// sums depend on the order.
fn add_all(
    hills: &[Hill],
    heights: &mut [f32],
    side: usize,
    job: &Job,
    progress: &Progress<'_>,
) -> Result<(), Cancelled> {
    // For each band, the indices of the hills that reach it.
    let mut of_bands = vec![Vec::new(); side.div_ceil(BAND_ROWS)];
    for (index, hill) in hills.iter().enumerate() {
        if index.is_multiple_of(1024) {
            job.check()?;
        }
        let rows = hill.rows(side);
        if !rows.is_empty() {
            for band in &mut of_bands[rows.start / BAND_ROWS..=(rows.end - 1) / BAND_ROWS] {
                band.push(index as u32);
            }
        }
    }
    let bands = heights.chunks_mut(BAND_ROWS * side).zip(of_bands);
    parallel::par_items(bands).try_each(|band, (heights, indices)| {
        for index in indices {
            job.check()?;
            hills[index as usize].add_to(heights, band * BAND_ROWS, side);
        }
        let rows = heights.len() / side;
        progress.advance((rows * hills.len()) as u64)
    })
}

/// Round hill, in fractions of the map.
#[derive(Clone, Copy, Debug)]
struct Hill {
    x: f32,
    z: f32,
    radius: f32,
}

/// Draw all hills; a hill across the border gets a copy on the opposite side.
fn hills(options: &HillOptions, seed: u64, job: &Job) -> Result<Vec<Hill>, Cancelled> {
    let stream = Stream::new(seed, Stage::Hill, 0);
    let mut hills = Vec::new();
    for index in 0..options.count {
        if index.is_multiple_of(1024) {
            job.check()?;
        }
        let number = |column: u64| unit(stream.number(u64::from(index), Jump::over(column)));
        let radius = options.min_radius + (options.max_radius - options.min_radius) * number(0);
        let hill = |x: f32, z: f32| Hill { x, z, radius };
        match options.placement {
            Placement::Free => {
                let place = |number: f32| number * (1.0 + 2.0 * radius) - radius;
                hills.push(hill(place(number(1)), place(number(2))));
            }
            Placement::Island => {
                let angle = number(1) * std::f32::consts::TAU;
                let distance = number(2) * (0.5 - radius).max(0.0);
                let (sin, cos) = (libm::sinf(angle), libm::cosf(angle));
                hills.push(hill(0.5 + distance * cos, 0.5 + distance * sin));
            }
            Placement::Wrap => {
                let (x, z) = (number(1), number(2));
                for dz in [-1.0, 0.0, 1.0] {
                    for dx in [-1.0, 0.0, 1.0] {
                        let copy = hill(x + dx, z + dz);
                        if copy.touches_map() {
                            hills.push(copy);
                        }
                    }
                }
            }
        }
    }
    Ok(hills)
}

impl Hill {
    fn touches_map(&self) -> bool {
        let near = |place: f32| place + self.radius > 0.0 && place - self.radius < 1.0;
        near(self.x) && near(self.z)
    }

    /// Rows that the hill may reach.
    fn rows(&self, side: usize) -> Range<usize> {
        let cells = (side - 1) as f32;
        let (centre, reach) = (self.z * cells, self.radius * cells);
        inside(centre - reach, centre + reach, side)
    }

    /// Add the hill to the rows from `first_row` on.
    fn add_to(&self, heights: &mut [f32], first_row: usize, side: usize) {
        let cells = (side - 1) as f32;
        let end_row = first_row + heights.len() / side;
        let rows = self.rows(side);
        for row in rows.start.max(first_row)..rows.end.min(end_row) {
            let dz = row as f32 / cells - self.z;
            let left = self.radius * self.radius - dz * dz;
            if left <= 0.0 {
                continue;
            }
            let half = left.sqrt() * cells;
            let columns = inside(self.x * cells - half, self.x * cells + half, side);
            let out = &mut heights[(row - first_row) * side..][..side][columns.clone()];
            add_parabola(out, columns.start, 1.0 / cells, self.x, left);
        }
    }
}

/// Sample indices from `low` to `high`, within 0…`count`.
fn inside(low: f32, high: f32, count: usize) -> Range<usize> {
    let first = low.ceil().clamp(0.0, count as f32) as usize;
    let end = (high.floor() + 1.0).clamp(0.0, count as f32) as usize;
    first..end.max(first)
}

vectorized! {
    /// Add max(0, left − (x − centre)²) to `out`, whose first sample is column `first`.
    fn add_parabola(out: &mut [f32], first: usize, spacing: f32, centre: f32, left: f32) {
        for (index, height) in out.iter_mut().enumerate() {
            let dx = (first as i32 + index as i32) as f32 * spacing - centre;
            *height += (left - dx * dx).max(0.0);
        }
    }
}

/// Copy the first row and column over the last ones, whose rounding differs across the border.
fn close(heights: &mut Heights, side: usize) {
    let (first, rest) = heights.split_at_mut(side);
    rest[(side - 2) * side..].copy_from_slice(first);
    for row in heights.chunks_exact_mut(side) {
        row[side - 1] = row[0];
    }
}

/// Normalise the heights to 0…A, with t raised to the power `valley`.
fn normalize(
    options: &HillOptions,
    height_scale: f32,
    heights: &mut [f32],
    job: &Job,
) -> Result<(), Cancelled> {
    let ranges = parallel::par_items(heights.chunks(PART))
        .try_map(|_, part| job.check().map(|()| range(part)))?;
    let wider = |a: (f32, f32), b: (f32, f32)| (a.0.min(b.0), a.1.max(b.1));
    let (low, high) = ranges.into_iter().fold(EMPTY_RANGE, wider);
    let span = if high > low { high - low } else { 1.0 };
    parallel::par_items(heights.chunks_mut(PART)).for_each_in(job, |_, part| match options.valley {
        1.0 => bend(part, low, span, height_scale, |t| t),
        2.0 => bend(part, low, span, height_scale, |t| t * t),
        power => bend(part, low, span, height_scale, |t| libm::powf(t, power)),
    })
}

#[inline(always)]
fn bend(heights: &mut [f32], low: f32, span: f32, scale: f32, of: impl Fn(f32) -> f32) {
    for height in heights {
        *height = of((*height - low) / span) * scale;
    }
}

vectorized! {
    /// Lowest and highest height.
    fn range(heights: &[f32]) -> (f32, f32) {
        const LANES: usize = 64;
        let (mut lows, mut highs) = ([f32::INFINITY; LANES], [f32::NEG_INFINITY; LANES]);
        let (blocks, rest) = heights.as_chunks::<LANES>();
        for block in blocks {
            for lane in 0..LANES {
                lows[lane] = lows[lane].min(block[lane]);
                highs[lane] = highs[lane].max(block[lane]);
            }
        }
        let lowest = |low: f32, height: &f32| low.min(*height);
        let highest = |high: f32, height: &f32| high.max(*height);
        (
            lows.iter().chain(rest).fold(f32::INFINITY, lowest),
            highs.iter().chain(rest).fold(f32::NEG_INFINITY, highest),
        )
    }
}
