//! Mask by gradient noise, 0…1, for random patches of land.
//!
//! The noise is the mean of Perlin noise on `grids` grids with `cells`, 2·`cells`, 4·`cells` … cells
//! along the longer side, as in the modifier `perlin-blend`, but with a random stream of its own. Half
//! of it lies below 0.5. It is periodic with the map.

use super::Context;
use crate::generate::perlin::kernel::Aligned;
use crate::generate::perlin::{Lattice, LatticeRows};
use crate::modify::mask::{FillRow, MadeQuantity, Quantity, Source, Span, SpanKind};
use crate::terrain::heightmap::Heightmap;
use crate::util::param::{
    OutOfRange, Param, Params, check_all, check_order, float_param, int_param, options,
};
use crate::util::rng::{Stage, Stream};

options! {
    /// Noise, and its range.
    pub struct NoiseMaskOptions {
        /// Number of cells of the coarsest grid along the map's longer side, 1…256; default 8.
        pub cells: u32 = 8,
        /// Number of grids, each with twice the cells of the one before, 1…6; default 2.
        pub grids: u32 = 2,
        /// Variation of the noise, 0…999: each number gives other noise; default 0.
        pub variation: u32 = 0,
        /// Lowest noise with full weight, 0…1; default 0.5.
        pub low: f32 = 0.5,
        /// Highest noise with full weight, `low`…1; default 1.
        pub high: f32 = 1.0,
        /// Width of the fade at either end, in noise, 0…1; default 0.1.
        pub soft: f32 = 0.1,
    }
}

impl Params for NoiseMaskOptions {
    const SEEDS: &'static [&'static str] = &["variation"];

    const PARAMS: &'static [Param<Self>] = &[
        int_param!(cells, "Mask cells", "", 1, 256, slider 64,
            "Cells of the coarsest grid along the map: few make wide patches."),
        int_param!(grids, "Mask grids", "", 1, 6, slider 6,
            "Number of grids, each with twice the cells of the one before: more make ragged patches."),
        int_param!(variation, "Mask variation", "", 0, 999, slider 99,
            "Seed of the noise: each number gives different noise on the same landscape."),
        float_param!(low, "Mask low", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Lowest noise at which the mask acts in full."),
        float_param!(high, "Mask high", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Highest noise at which the mask acts in full."),
        float_param!(soft, "Soft ends", "", 0.0, 1.0, slider: (0.0, 0.5),
            "Width over which the mask fades out beyond either end of the range."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_order(table, ("low", self.low), ("high", self.high))
    }
}

impl Source for NoiseMaskOptions {
    fn span(&self) -> Span {
        Span {
            low: self.low,
            high: self.high,
            soft: self.soft,
            kind: SpanKind::Linear,
        }
    }

    fn quantity<'a>(&'a self, map: &'a Heightmap, context: &Context<'a>) -> MadeQuantity<'a> {
        let (rows, columns) = (map.rows(), map.columns());
        let lattice = |grid| {
            let stream = Stream::new(context.seed, Stage::MaskNoise, self.variation * 8 + grid);
            Lattice::new(stream, (self.cells << grid) as usize, rows, columns)
        };
        Ok(Box::new(Noise {
            lattices: (0..self.grids).map(lattice).collect(),
            period: (rows - 1).max(1),
            columns,
        }))
    }
}

struct Noise {
    lattices: Vec<Lattice>,
    /// Number of rows after which the noise repeats.
    period: usize,
    columns: usize,
}

impl Quantity for Noise {
    fn rows(&self) -> FillRow<'_> {
        let mut grids: Vec<_> = self.lattices.iter().map(LatticeRows::new).collect();
        let mut noise = Aligned::new(self.columns);
        // The noise of a grid is within −√½…√½.
        let scale = std::f32::consts::FRAC_1_SQRT_2 / grids.len() as f32;
        Box::new(move |row, _, out| {
            let noise = noise.row_mut();
            noise.fill(0.0);
            for grid in &mut grids {
                grid.add_row(row % self.period, noise);
            }
            noise[self.columns - 1] = noise[0];
            for (out, noise) in out.iter_mut().zip(&*noise) {
                // Only rounding can exceed the range.
                *out = (noise * scale + 0.5).clamp(0.0, 1.0);
            }
        })
    }
}
