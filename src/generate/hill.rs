//! `hill`: again and again add a round hill (the hill algorithm of the real-time landscape
//! articles; B. Nystrom, *Terrain Generation Using the Hill Algorithm*).
//!
//! ```text
//! h += max(0, r² − ((x − x₁)² + (z − z₁)²))      x, z, r in fractions of the map
//! ```
//! Centres lie anywhere on the map or up to a radius outside it; in `island` mode at a random
//! angle and a distance of 0 … ½ − r from the middle, so that no hill crosses the border.
//! Wrapped, hills go round the border. The sum is normalised to 0…1 and its valleys are
//! flattened (h^valley); then it spans 0…A. Cost: proportional to the area of the hills, O(4^n)
//! for the rest. Nests up to the normalisation, whose range depends on the samples. Known
//! artefact: everything is made of paraboloids, so few and large hills look like bubbles.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{GenerateError, Request};
use crate::heightmap::{Heightmap, Heights};
use crate::job::Cancelled;
use crate::param::{OutOfRange, Param, Params};
use crate::rng::{Jump, Stage, Stream, unit};
use crate::{choice, choice_param, float_param, int_param, switch_param};

choice! {
    /// Where hills may stand.
    pub enum Placement: "placement" {
        #[default]
        Wrap = "wrap", "Anywhere; hills go round the border, so the map tiles.";
        Free = "free", "On the map or up to a radius outside it.";
        Island = "island", "Round the middle, so that no hill crosses the border; it tiles too.";
    }
}

/// Options of `hill`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How many hills, 1…1,000,000; default 400.
    pub count: u32,
    /// Smallest radius as a fraction of the map, 0.001…1; default 0.03.
    pub min_radius: f32,
    /// Largest radius, likewise; default 0.2.
    pub max_radius: f32,
    /// Where hills may stand; default wrap.
    pub placement: Placement,
    /// Whether the sum is brought to 0…A; default on.
    pub normalize: bool,
    /// Power of the normalised height, 0.1…10: above 1 flattens valleys; default 2.
    pub valley: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            count: 400,
            min_radius: 0.03,
            max_radius: 0.2,
            placement: Placement::Wrap,
            normalize: true,
            valley: 2.0,
        }
    }
}

impl Params for Options {
    const PARAMS: &'static [Param<Self>] = &[
        int_param!(count, "Hills", "", 1, 1_000_000, slider 5_000, "How many hills are added."),
        float_param!(
            min_radius,
            "Smallest radius",
            "of the map",
            0.001,
            1.0,
            slider(0.001, 0.5),
            "Radius of the smallest hill, as a fraction of the map."
        ),
        float_param!(
            max_radius,
            "Largest radius",
            "of the map",
            0.001,
            1.0,
            slider(0.001, 0.5),
            "Radius of the largest hill, as a fraction of the map."
        ),
        choice_param!(placement: Placement, "Placement", "Where hills may stand."),
        switch_param!(
            normalize,
            "Normalize",
            "Brings the sum of all hills to 0…height scale."
        ),
        float_param!(
            valley,
            "Valley power",
            "",
            0.1,
            10.0,
            slider(0.5, 4.0),
            "Power of the normalised height: above 1 flattens valleys, below 1 fills them."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::param::check_all(self, table)?;
        crate::param::check_order(
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

/// The map of (2^n + 1)² heights.
pub fn generate(options: &Options, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
    let surface = request.surface;
    let cells = 1usize << surface.iterations;
    let side = cells + 1;
    let wraps = options.placement != Placement::Free;
    let hills = hills(options, surface.seed);
    let mut heights = request.buffer(side * side)?;
    let band_rows = 32;
    heights
        .par_chunks_mut(band_rows * side)
        .enumerate()
        .try_for_each(|(band, heights)| {
            heights.fill(0.0);
            for hill in &hills {
                request.job.check()?;
                hill.add_to(heights, band * band_rows, side);
            }
            Ok::<(), Cancelled>(())
        })?;
    if wraps {
        close(&mut heights, side);
    }
    if options.normalize {
        normalize(options, surface.height_scale, &mut heights, request)?;
    } else {
        let scale = surface.height_scale;
        heights
            .par_iter_mut()
            .with_min_len(1 << 16)
            .for_each(|h| *h *= scale);
    }
    Ok(Heightmap::new(side, side, wraps, heights))
}

/// A round hill in fractions of the map.
#[derive(Clone, Copy, Debug)]
struct Hill {
    x: f32,
    z: f32,
    radius: f32,
}

/// All hills, those across the border as copies of their own.
fn hills(options: &Options, seed: u64) -> Vec<Hill> {
    let stream = Stream::new(seed, Stage::Hill, 0);
    let mut hills = Vec::new();
    for index in 0..options.count {
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
    hills
}

impl Hill {
    fn touches_map(&self) -> bool {
        let near = |place: f32| place + self.radius > 0.0 && place - self.radius < 1.0;
        near(self.x) && near(self.z)
    }

    /// Adds the hill to the rows from `first_row` on.
    fn add_to(&self, heights: &mut [f32], first_row: usize, side: usize) {
        let cells = (side - 1) as f32;
        let inside = |low: f32, high: f32, count: usize| {
            let first = low.ceil().clamp(0.0, count as f32) as usize;
            let end = (high.floor() + 1.0).clamp(0.0, count as f32) as usize;
            first..end.max(first)
        };
        let (centre, reach) = (self.z * cells, self.radius * cells);
        let end_row = first_row + heights.len() / side;
        let rows = inside(centre - reach, centre + reach, side);
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

/// Adds max(0, left − (x − centre)²) to `out`, whose first sample is column `first`.
#[multiversion::multiversion(targets("x86_64+avx512f+avx512bw+avx512dq+avx512vl", "x86_64+avx2"))]
fn add_parabola(out: &mut [f32], first: usize, spacing: f32, centre: f32, left: f32) {
    for (index, height) in out.iter_mut().enumerate() {
        let dx = (first as i32 + index as i32) as f32 * spacing - centre;
        *height += (left - dx * dx).max(0.0);
    }
}

/// Copies the first row and column over the last, which round differently across the border.
fn close(heights: &mut Heights, side: usize) {
    let (first, rest) = heights.split_at_mut(side);
    rest[(side - 2) * side..].copy_from_slice(first);
    for row in heights.chunks_exact_mut(side) {
        row[side - 1] = row[0];
    }
}

/// Brings the heights to 0…A along h^valley.
fn normalize(
    options: &Options,
    height_scale: f32,
    heights: &mut [f32],
    request: &Request<'_>,
) -> Result<(), Cancelled> {
    let (low, high) = heights
        .par_chunks(1 << 16)
        .map(|part| {
            part.iter()
                .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), h| {
                    (low.min(*h), high.max(*h))
                })
        })
        .reduce(
            || (f32::INFINITY, f32::NEG_INFINITY),
            |a, b| (a.0.min(b.0), a.1.max(b.1)),
        );
    let span = if high > low { high - low } else { 1.0 };
    heights.par_chunks_mut(1 << 14).try_for_each(|part| {
        request.job.check()?;
        for height in part {
            let t = (*height - low) / span;
            let bent = match options.valley {
                1.0 => t,
                2.0 => t * t,
                power => libm::powf(t, power),
            };
            *height = bent * height_scale;
        }
        Ok(())
    })
}
