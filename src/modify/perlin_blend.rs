//! `perlin-blend`: blend of the heights with gradient noise, the "Perlin smoothing" of article 002 on
//! real-time landscapes, 0.8 heights and 0.2 noise, with the noise summed over several grids.
//!
//! ```text
//! h' = (1 − weight) · h + weight · (l + (L − l) · (noise + 1)/2)
//! ```
//!
//! l…L is the map's own range, which the result never leaves. The noise, within −1…1, is the mean of
//! Perlin noise on `grids` grids with `cells`, 2·`cells`, 4·`cells` … cells along the longer side; the
//! article uses 8, 16 and 32. A lattice point has one of 256 unit gradients; the fade is
//! 6t⁵ − 15t⁴ + 10t³ (Perlin 2002).
//!
//! The noise is periodic, bit for bit, so a wrapped map stays wrapped. Cost: two passes, one that
//! reads and one that writes.

use crate::generate::perlin::kernel::Aligned;
use crate::generate::perlin::{Lattice, LatticeRows};
use crate::util::param::{Param, Params, float_param, int_param, options};
use crate::util::rng::{Stage, Stream};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

options! {
    /// Options of `perlin-blend`.
    pub struct PerlinBlendOptions {
        /// Share of the noise in the result, 0…1; default 0.2.
        pub weight: f32 = 0.2,
        /// Number of cells of the coarsest grid along the map's longer side, 1…256; default 8.
        pub cells: u32 = 8,
        /// Number of grids, each with twice the cells of the one before, 1…6; default 3.
        pub grids: u32 = 3,
        /// Variation of the noise, 0…999: each number gives other noise; default 0.
        pub variation: u32 = 0,
    }
}

impl Params for PerlinBlendOptions {
    const SEEDS: &'static [&'static str] = &["variation"];

    const PARAMS: &'static [Param<Self>] = &[
        float_param!(weight, "Weight", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Share of the noise: 0 changes nothing, at 1 only noise is left."),
        int_param!(cells, "Cells", "", 1, 256, slider 64,
            "Cells of the coarsest grid along the map: few make wide bumps."),
        int_param!(grids, "Grids", "", 1, 6, slider 6,
            "Number of grids, each with twice the cells of the one before."),
        int_param!(variation, "Variation", "", 0, 999, slider 99,
            "Seed of the noise: each number gives different noise on the same landscape."),
    ];
}

impl Modify for PerlinBlendOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.weight == 0.0 {
            return Ok(());
        }
        let (low, high) = canvas.range()?;
        let lattices: Vec<Lattice> = (0..self.grids)
            .map(|grid| {
                let stage = Stage::PerlinBlend;
                let stream = Stream::new(canvas.context.seed, stage, self.variation * 8 + grid);
                let cells = (self.cells << grid) as usize;
                Lattice::new(stream, cells, canvas.rows, canvas.columns)
            })
            .collect();
        // Factors of (noise + 1)/2 · (L − l) + l, with the mean of the grids and the range of the noise
        // merged into `scale`.
        let half_range = high * 0.5 - low * 0.5;
        let scale = self.weight * half_range * std::f32::consts::SQRT_2 / self.grids as f32;
        let shift = self.weight * (low * 0.5 + high * 0.5);
        let keep = 1.0 - self.weight;
        let (columns, period) = (canvas.columns, (canvas.rows - 1).max(1));
        let start = || {
            let grids: Vec<_> = lattices.iter().map(LatticeRows::new).collect();
            (grids, Aligned::new(columns))
        };
        canvas.each_band_with(start, |(grids, noise), first, band| {
            let noise = noise.row_mut();
            for (offset, heights) in band.chunks_exact_mut(columns).enumerate() {
                noise.fill(0.0);
                for grid in grids.iter_mut() {
                    grid.add_row((first + offset) % period, noise);
                }
                noise[columns - 1] = noise[0];
                blend(heights, noise, [keep, scale, shift], (low, high));
            }
        })?;
        Ok(())
    }
}

vectorized! {
    fn blend(heights: &mut [f32], noise: &[f32], factors: [f32; 3], range: (f32, f32)) {
        let [keep, scale, shift] = factors;
        for (height, noise) in heights.iter_mut().zip(noise) {
            // Only rounding can exceed the range.
            *height = (*height * keep + (noise * scale + shift)).clamp(range.0, range.1);
        }
    }
}
