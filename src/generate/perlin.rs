//! `perlin`: gradient noise (Perlin 1985; fade of Perlin 2002), summed over octaves: fBm, ridged
//! multifractal and billow.
//!
//! Every lattice point has height 0 and a random unit gradient g, from a shuffled table of 256 around
//! the circle. In a cell each corner defines the plane g·d, where d is the offset from that corner, and
//! the four planes are blended with the fade s(t) = 6t⁵ − 15t⁴ + 10t³:
//!
//! ```text
//! g₀₀ ────── g₁₀        noise(u, v) = √2 · lerp(s(v), lerp(s(u), g₀₀·(u, v),     g₁₀·(u−1, v)),
//!  │   u        │                                     lerp(s(u), g₀₁·(u, v−1),   g₁₁·(u−1, v−1)))
//!  │ v •        │
//! g₀₁ ────── g₁₁        fbm     Σ A·2^(−H·o) · noise_o
//!                       billow  Σ A·2^(−H·o) · (2·|noise_o| − ½)
//!                       ridged  Σ A·2^(−H·o) · (signal_o − ½),  signal_o = w_o·(1 − |noise_o|)²
//! ```
//! Octave o has `cells`·2^o cells across the map. In `ridged` (Musgrave 1998) w_0 = 1 and
//! w_{o+1} = min(1, 2·signal_o), so that valleys stay smooth.
//!
//! **Range.** Noise is in [−1, 1]; so with S = A·Σ 2^(−H·o), fbm lies in [−S, S], billow in [−S/2,
//! 3S/2] and ridged in [−S/2, S/2]. The standard deviation at the default settings is about 0.35·A,
//! 0.4·A and 0.4·A.
//! **Resolution.** A height depends on its place in the tile alone, so more iterations keep all existing
//! samples. Octaves finer than the samples are added, too, and act as white noise.
//! Finer levels of detail evaluate the noise itself, down to its last octave (`function`).
//! **Edges.** With `wrap` the lattice is periodic and opposite borders are equal bit for bit.
//! **Cost.** Six operations a sample and octave: about 0.13 ns each octave while its cells have
//! 16 samples or more, 0.3 ns down to two samples, 1.3 ns at one, more beyond.
//!
//! Differences from Perlin's program: a lattice point's own random number selects its gradient, so
//! that nothing repeats after 256 cells; and octaves after the first are shifted by half a cell each,
//! because otherwise all of them are 0 at the points of the coarsest lattice, where ridges would meet
//! in a grid.
//! **Known artefacts.** A single octave shows its lattice: heights are 0 at its points and slopes
//! favour its axes and diagonals. The third derivative of the fade jumps at cell borders.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::bands::fill_rows;
use super::{Detail, Generate, GenerateError, Request, Surface};
use crate::fractal::Edges;
use crate::fractal::amplitude;
use crate::fractal::function::Function;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::param::{OutOfRange, Param, Params, choice, choice_param, int_param};
use crate::util::rng::{Jump, Stage, Stream};

mod function;
pub(crate) mod kernel;
pub(crate) mod lattice;
mod rows;

use kernel::{Table, circle};

choice! {
    /// Kind of octaves that are summed.
    pub enum Variant: "variant" {
        #[default]
        Fbm = "fbm", "The noise itself: rolling hills.";
        Ridged = "ridged", "Sharp crests between smooth valleys.";
        Billow = "billow", "Round hills between sharp valleys.";
    }
}

/// Largest number of cells of the finest octave along one side.
const MOST_CELLS: u32 = 1 << 16;

/// Options of `perlin`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// Border handling; default wrap.
    pub edges: Edges,
    /// Kind of octaves that are summed; default fbm.
    pub variant: Variant,
    /// Number of cells of the first octave along one side, 1 (clouds) … 256 (static); default 4.
    /// Powers of two are fastest.
    pub cells: u32,
    /// Number of octaves, each with twice the cells of the one before, 1…16; default 8. The last
    /// may have 65536 cells.
    pub octaves: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            edges: Edges::default(),
            variant: Variant::default(),
            cells: 4,
            octaves: 8,
        }
    }
}

impl Params for Options {
    const KEPT: &'static [&'static str] = &["edges"];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(variant: Variant, "Variant", "What kind of noise is summed."),
        int_param!(cells, "Cells", "", 1, 256, slider 32,
            "Cells of the first octave along one side: few give broad shapes, many give fine grain."),
        int_param!(octaves, "Octaves", "", 1, 16, slider 12,
            "How many octaves are summed, each twice as fine and 2^−H times as high as the one before."),
        choice_param!(edges: Edges, "Edges", "What happens at the border of the map."),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        Self::PARAMS
            .iter()
            .try_for_each(|param| param.check(self, table))?;
        let most = (MOST_CELLS / self.cells).ilog2() + 1;
        if self.octaves > most {
            return Err(OutOfRange {
                key: format!("{table}.octaves"),
                value: self.octaves.to_string(),
                allowed: format!("1 to {most} while cells = {}", self.cells),
            });
        }
        Ok(())
    }
}

fn of_surface(options: &Options, surface: &Surface) -> Perlin {
    Perlin::new(
        options,
        surface.seed,
        surface.iterations,
        surface.hurst,
        surface.height_scale,
    )
}

impl Generate for Options {
    fn generate(&self, request: &Request<'_>) -> Result<Heightmap, GenerateError> {
        let perlin = of_surface(self, request.surface);
        let side = perlin.side();
        let mut heights = request.buffer(side * side)?;
        perlin.fill(&mut heights, request.job)?;
        let wraps = self.edges == Edges::Wrap;
        Ok(Heightmap::new(side, side, wraps, heights))
    }

    /// Noise as a function of position, defined down to the level of its last octave.
    fn function(&self, surface: &Surface, _: &Detail) -> Result<Option<Function>, GenerateError> {
        let finest = self.cells << (self.octaves - 1);
        Ok(Some(Function {
            heights: Arc::new(of_surface(self, surface)),
            own_to: finest.ilog2(),
        }))
    }
}

/// Map of Perlin noise, with all settings resolved to numbers.
#[derive(Clone, Debug)]
pub struct Perlin {
    iterations: u32,
    edges: Edges,
    variant: Variant,
    octaves: Vec<Octave>,
    gradients: Box<Table>,
}

impl Perlin {
    /// Resolve the options; the height scale is in half tiles.
    ///
    /// # Panics
    /// The options are out of range.
    #[must_use]
    pub fn new(
        options: &Options,
        seed: u64,
        iterations: u32,
        hurst: f32,
        height_scale: f32,
    ) -> Self {
        options.check("perlin").expect("options in range");
        let octave = |index| Octave {
            stream: Stream::new(seed, Stage::PerlinLattice, index),
            cells: u64::from(options.cells) << index,
            half_cells: u64::from(index > 0),
            iterations,
            amplitude: amplitude(height_scale, 1.0, hurst, f64::from(index)),
        };
        Self {
            iterations,
            edges: options.edges,
            variant: options.variant,
            octaves: (0..options.octaves).map(octave).collect(),
            gradients: Box::new(shuffled_circle(seed)),
        }
    }

    /// Number of samples along one side: 2^n + 1.
    #[must_use]
    pub fn side(&self) -> usize {
        (1 << self.iterations) + 1
    }

    /// Fill `heights`, (2^n + 1)² samples, with the map in half tiles, on all threads of the current
    /// rayon pool.
    ///
    /// # Errors
    /// The job was cancelled; `heights` then has unspecified contents.
    ///
    /// # Panics
    /// The number of heights is not (2^n + 1)².
    pub fn fill(&self, heights: &mut [f32], job: &Job) -> Result<(), Cancelled> {
        let side = self.side();
        assert_eq!(heights.len(), side * side, "{side} × {side} heights");
        let writer = rows::Writer::new(self);
        fill_rows(heights, side, job, || writer.clone(), rows::Writer::write)
    }

    /// Lowest and highest height that the map may have, in half tiles.
    #[must_use]
    pub fn range(&self) -> (f32, f32) {
        let sum = self.sum();
        match self.variant {
            Variant::Fbm => (-sum, sum),
            Variant::Billow => (-0.5 * sum, 1.5 * sum),
            Variant::Ridged => (-0.5 * sum, 0.5 * sum),
        }
    }

    /// Sum A·Σ 2^(−H·o) over all octaves.
    fn sum(&self) -> f32 {
        self.octaves.iter().map(|octave| octave.amplitude).sum()
    }

    /// Reference height of one sample in half tiles, by the formula above and in `f64`. [`Perlin::fill`]
    /// computes the same faster in `f32`.
    #[must_use]
    pub fn height_at(&self, row: usize, column: usize) -> f64 {
        let (mut height, mut weight) = (0.0, 1.0);
        for octave in &self.octaves {
            let noise = self.noise_at(octave, row as u64, column as u64);
            let value = match self.variant {
                Variant::Fbm => noise,
                Variant::Billow => 2.0 * noise.abs() - 0.5,
                Variant::Ridged => {
                    let signal = weight * (1.0 - noise.abs()).powi(2);
                    weight = (2.0 * signal).min(1.0);
                    signal - 0.5
                }
            };
            height += f64::from(octave.amplitude) * value;
        }
        height
    }

    fn noise_at(&self, octave: &Octave, row: u64, column: u64) -> f64 {
        let fade = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
        let lerp = |t: f64, from: f64, to: f64| from + t * (to - from);
        let (north, v) = octave.place(row);
        let (west, u) = octave.place(column);
        let (u, v) = (f64::from(u), f64::from(v));
        let plane = |right: u64, down: u64| {
            let [x, y] = self.gradient(octave, north + down, west + right);
            f64::from(x) * (u - right as f64) + f64::from(y) * (v - down as f64)
        };
        let north = lerp(fade(u), plane(0, 0), plane(1, 0));
        let south = lerp(fade(u), plane(0, 1), plane(1, 1));
        std::f64::consts::SQRT_2 * lerp(fade(v), north, south)
    }

    /// Unit gradient of a lattice point.
    fn gradient(&self, octave: &Octave, row: u64, column: u64) -> [f32; 2] {
        let (row, column) = (self.around(octave, row), self.around(octave, column));
        let number = octave.stream.number(row, Jump::over(column));
        self.gradients[(number >> 24) as usize]
    }

    /// Lattice index, reduced to the period if there is one.
    fn around(&self, octave: &Octave, index: u64) -> u64 {
        match self.edges {
            Edges::Wrap => index % octave.cells,
            Edges::Free => index,
        }
    }
}

/// Octave of a map of 2^n cells a side.
#[derive(Clone, Debug)]
struct Octave {
    stream: Stream,
    /// Number of lattice cells along one side of the map.
    cells: u64,
    /// Shift of the lattice, in half cells.
    half_cells: u64,
    iterations: u32,
    amplitude: f32,
}

impl Octave {
    /// Lattice cell of a row or column of the map, and the position in the cell. This is exact, since
    /// samples lie at multiples of 2^(−n−1) of a cell.
    fn place(&self, index: u64) -> (u64, f32) {
        let bits = self.iterations + 1;
        let place = 2 * index * self.cells + (self.half_cells << self.iterations);
        let fraction = place & ((1 << bits) - 1);
        (place >> bits, fraction as f32 / (1u64 << bits) as f32)
    }
}

/// Unit vectors at 256 equal angles around the circle, shuffled by the seed (Fisher and Yates 1938).
fn shuffled_circle(seed: u64) -> Table {
    let mut table = circle();
    let stream = Stream::new(seed, Stage::PerlinTable, 0);
    for last in (1..table.len()).rev() {
        let number = u64::from(stream.number(0, Jump::over(last as u64)));
        table.swap(last, ((number * (last as u64 + 1)) >> 32) as usize);
    }
    table
}
