//! `domain-warp`: domain warping (Perlin and Hoffert 1989; Quilez 2002). Each height is read from a place
//! that gradient noise has displaced, so that straight ridges and valleys become winding:
//!
//! ```text
//! h'(p) = h(p + distance · (n₁(p), n₂(p)))      n(p) = Σ 2⁻ᵏ · noiseₖ(p) / Σ 2⁻ᵏ
//! ```
//!
//! n₁ and n₂, within −1…1, are Perlin noise on `grids` grids with `cells`, 2·`cells`, 4·`cells` … cells along
//! the longer side, each with half the weight of the one before. The height between samples is the cubic of
//! Catmull and Rom (1974), clamped to the map's range. Marks of erosion stay in place.
//!
//! Lengths are shares of the map's longer side, so that the noise is the same at any number of iterations.
//! Across the border of a map that wraps the heights go on, and it stays wrapped, bit for bit, since the
//! noise is periodic; otherwise border heights are repeated. Cost: a copy of the map, and three passes.

use crate::generate::perlin::kernel::Aligned;
use crate::generate::perlin::{Lattice, LatticeRows};
use crate::terrain::resample::cubic;
use crate::util::param::{Param, Params, float_param, int_param, options};
use crate::util::rng::{Stage, Stream};

use super::ModifyError;
use super::canvas::{Canvas, Modify};

options! {
    /// Options of `domain-warp`.
    pub struct DomainWarpOptions {
        /// Largest displacement east and south as a share of the map's longer side, 0 (changes nothing) … 1;
        /// default 0.08.
        pub distance: f32 = 0.08,
        /// Number of cells of the coarsest grid along the map's longer side, 1…256; default 4.
        pub cells: u32 = 4,
        /// Number of grids, each with twice the cells and half the weight of the one before, 1…6; default 3.
        pub grids: u32 = 3,
        /// Variation of the noise, 0…999: each number gives other noise; default 0.
        pub variation: u32 = 0,
    }
}

impl Params for DomainWarpOptions {
    const SEEDS: &'static [&'static str] = &["variation"];

    const PARAMS: &'static [Param<Self>] = &[
        float_param!(distance, "Warp", "× side", 0.0, 1.0, slider: (0.0, 0.3),
            "How far heights are displaced at most, as a share of the map's side: 0 changes nothing."),
        int_param!(cells, "Cells", "", 1, 256, slider 64,
            "Cells of the coarsest grid along the map: few make wide bends."),
        int_param!(grids, "Grids", "", 1, 6, slider 6,
            "Number of grids, each with twice the cells and half the effect of the one before."),
        int_param!(variation, "Variation", "", 0, 999, slider 99,
            "Seed of the noise: each number gives different noise on the same landscape."),
    ];
}

impl Modify for DomainWarpOptions {
    fn modify(&self, canvas: &mut Canvas<'_>) -> Result<(), ModifyError> {
        if self.distance == 0.0 {
            return Ok(());
        }
        canvas.check_memory(4)?;
        let range = canvas.range()?;
        let source = canvas.heights.clone();
        let (rows, columns, wraps) = (canvas.rows, canvas.columns, canvas.wraps);
        let lattices = [0, 1].map(|axis| -> Vec<Lattice> {
            let lattice = |grid: u32| {
                let pass = (self.variation * 2 + axis) * 8 + grid;
                let stream = Stream::new(canvas.context.seed, Stage::DomainWarp, pass);
                Lattice::new(stream, (self.cells << grid) as usize, rows, columns)
            };
            (0..self.grids).map(lattice).collect()
        });
        // The noise of a grid is within −√½…√½; the weights of n grids add up to 2 − 2¹⁻ⁿ.
        let side = (rows.max(columns) - 1) as f32;
        let sum = 2.0 - 2.0 / (1 << self.grids) as f32;
        let scale = self.distance * side * std::f32::consts::SQRT_2 / sum;
        let (period, last) = ((rows - 1).max(1), columns - 1);
        let axes = [rows, columns].map(|count| Axis { count, wraps });
        let start = || {
            let grids = lattices
                .each_ref()
                .map(|lattices| -> Vec<_> { lattices.iter().map(LatticeRows::new).collect() });
            (
                grids,
                Aligned::new(columns),
                [0, 1].map(|_| vec![0.0; columns]),
            )
        };
        canvas.each_band_with(start, |(grids, noise, offsets), first, band| {
            for (offset, heights) in band.chunks_exact_mut(columns).enumerate() {
                let row = first + offset;
                for (grids, offsets) in grids.iter_mut().zip(offsets.iter_mut()) {
                    offsets.fill(0.0);
                    let mut weight = scale;
                    for grid in grids {
                        let noise = noise.row_mut();
                        noise.fill(0.0);
                        grid.add_row(row % period, noise);
                        noise[last] = noise[0];
                        for (offset, noise) in offsets.iter_mut().zip(&*noise) {
                            *offset += weight * noise;
                        }
                        weight *= 0.5;
                    }
                }
                let [south, east] = &*offsets;
                for (column, height) in heights.iter_mut().enumerate() {
                    let (rows, down) = axes[0].place(row, south[column]);
                    let (places, across) = axes[1].place(column, east[column]);
                    let lines = rows.map(|row| {
                        cubic(places.map(|column| source[row * columns + column]), across)
                    });
                    *height = cubic(lines, down).clamp(range.0, range.1);
                }
            }
        })?;
        Ok(())
    }
}

/// Samples along one side of the map.
struct Axis {
    count: usize,
    wraps: bool,
}

impl Axis {
    /// Four samples around the place `offset` samples from one, and the fraction of the distance from the second
    /// to the third.
    fn place(&self, index: usize, offset: f32) -> ([usize; 4], f32) {
        let last = self.count as isize - 1;
        // The last sample of a side that wraps repeats the first, and must find the same place.
        let index = match self.wraps {
            true => index % (self.count - 1).max(1),
            false => index,
        };
        let place = index as f64 + f64::from(offset);
        let whole = place.floor();
        let sample = |by: isize| match whole as isize + by {
            at if self.wraps => at.rem_euclid(last.max(1)) as usize,
            at => at.clamp(0, last) as usize,
        };
        ([-1, 0, 1, 2].map(sample), (place - whole) as f32)
    }
}
