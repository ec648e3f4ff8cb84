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
//! Finer levels of detail evaluate the noise itself, down to its last octave.
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

use crate::fractal::refinement::{Function, HeightFunction};
use crate::fractal::{Edges, amplitude};
use crate::generate::rows::fill_rows;
use crate::generate::{Detail, Generate, GenerateError, Request, Surface};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::param::{OutOfRange, Param, Params, choice, choice_param, int_param, options};
use crate::util::rng::{Jump, LANES, Lanes, Stage, Stream};
use kernel::{Cells, Gradients, Layout, Run, Table, add_octave, blend, circle};

pub(crate) mod kernel;

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

options! {
    /// Options of `perlin`.
    #[derive(Copy)]
    pub struct PerlinOptions {
        /// Border handling; default wrap.
        pub edges: Edges,
        /// Kind of octaves that are summed; default fbm.
        pub variant: Variant,
        /// Number of cells of the first octave along one side, 1 (clouds) … 256 (static); default 4.
        /// Powers of two are fastest.
        pub cells: u32 = 4,
        /// Number of octaves, each with twice the cells of the one before, 1…16; default 8. The last
        /// may have 65536 cells.
        pub octaves: u32 = 8,
    }
}

impl Params for PerlinOptions {
    const KEPT: &'static [&'static str] = &["edges"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("variant", "ridge, ridged, billow, turbulence, noise"),
        ("cells", "frequency, scale, feature size"),
        ("octaves", "detail, layers of noise"),
    ];

    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(variant: Variant, "Variant", "Kind of noise in each octave."),
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

fn of_surface(options: &PerlinOptions, surface: &Surface) -> Perlin {
    Perlin::new(
        options,
        surface.seed,
        surface.iterations,
        surface.hurst,
        surface.height_scale,
    )
}

impl Generate for PerlinOptions {
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
        options: &PerlinOptions,
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
        let writer = kernel::Writer::new(self);
        fill_rows(heights, side, job, || writer.clone(), kernel::Writer::write)
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

// Perlin noise as a function of position, for levels of detail finer than its map. The cell and the
// position in it are computed in integers, so both are exact at the deepest level.

/// Samples of a row that lie in one cell. At position u in it the noise is (level + slope·u) +
/// s(u)·(rise + twist·u).
#[derive(Clone, Copy)]
struct FunctionRun {
    first: usize,
    count: usize,
    /// Position of the first sample in the cell, in units of 2^−(level + 1) cells.
    fraction: u64,
    level: f64,
    slope: f64,
    rise: f64,
    twist: f64,
}

/// Largest number of cells per sample of a row for which drawing all gradients in sequence is faster
/// than drawing only the needed ones.
const DENSE: u64 = 16;

impl HeightFunction for Perlin {
    /// Evaluate a row. Cost: about 4 ns a sample and octave if many samples lie in a cell, 30 ns if one
    /// does, and up to 200 ns for finer cells.
    fn row(&self, level: u32, row: u64, first: u64, heights: &mut [f64]) {
        let sum = || {
            let amplitudes = self.octaves.iter().map(|octave| octave.amplitude);
            amplitudes.map(f64::from).sum::<f64>()
        };
        heights.fill(match self.variant {
            Variant::Fbm => 0.0,
            Variant::Billow | Variant::Ridged => -0.5 * sum(),
        });
        let mut weights = vec![1.0; heights.len()];
        let mut runs = Vec::new();
        for octave in &self.octaves {
            self.runs(octave, level, row, [first, heights.len() as u64], &mut runs);
            let step = 2 * octave.cells;
            let unit = libm::ldexp(1.0, -(level as i32 + 1));
            let amplitude = f64::from(octave.amplitude);
            let variant = self.variant;
            add_fine_octave(variant, &runs, step, unit, amplitude, heights, &mut weights);
        }
    }
}

impl Perlin {
    /// Find the cells of an octave along `count` samples of a row from the column `first` on.
    fn runs(
        &self,
        octave: &Octave,
        level: u32,
        row: u64,
        [first, count]: [u64; 2],
        runs: &mut Vec<FunctionRun>,
    ) {
        let amplitude = f64::from(octave.amplitude);
        let scale = std::f64::consts::SQRT_2
            * match self.variant {
                Variant::Fbm => amplitude,
                Variant::Billow => 2.0 * amplitude,
                Variant::Ridged => 1.0,
            };
        let (north, v) = octave.place_at(level, row);
        let v = libm::ldexp(v as f64, -(level as i32 + 1));
        let s = v * v * v * (v * (v * 6.0 - 15.0) + 10.0);
        // Height and eastward slope at the west or east end of a cell.
        let blend = |north: [f32; 2], south: [f32; 2]| {
            let [[north_x, north_y], [south_x, south_y]] =
                [north, south].map(|vector| vector.map(f64::from));
            let (up, down) = (north_y * v, south_y * (v - 1.0));
            let height = up + s * (down - up);
            [height, north_x + s * (south_x - north_x)].map(|number| scale * number)
        };

        let (west, mut fraction) = octave.place_at(level, first);
        let (last, _) = octave.place_at(level, first + count - 1);
        let drawn = (last - west < DENSE * count).then(|| {
            let mut vectors =
                [north, north + 1].map(|_| vec![[0.0; 2]; (last - west) as usize + 2]);
            for (row, vectors) in (north..).zip(&mut vectors) {
                self.vectors(octave, row, west, vectors);
            }
            vectors
        });
        let end = |cell: u64| match &drawn {
            Some([north, south]) => {
                let index = (cell - west) as usize;
                blend(north[index], south[index])
            }
            None => {
                let jump = Jump::over(self.around(octave, cell));
                let vector = |row: u64| {
                    let number = octave.stream.number(self.around(octave, row), jump);
                    self.gradients[(number >> 24) as usize]
                };
                blend(vector(north), vector(north + 1))
            }
        };

        runs.clear();
        let (bits, step) = (level + 1, 2 * octave.cells);
        let (mut done, mut cell) = (0, west);
        let mut east: Option<(u64, [f64; 2])> = None;
        while done < count {
            let left = (1 << bits) - 1 - fraction;
            let inside = if left < step { 1 } else { left / step + 1 };
            let inside = inside.min(count - done);
            let [height, slope] = match east {
                Some((at, end)) if at == cell => end,
                _ => end(cell),
            };
            let next = end(cell + 1);
            east = Some((cell + 1, next));
            runs.push(FunctionRun {
                first: done as usize,
                count: inside as usize,
                fraction,
                level: height,
                slope,
                rise: (next[0] - next[1]) - height,
                twist: next[1] - slope,
            });
            fraction += inside * step;
            cell += fraction >> bits;
            fraction &= (1 << bits) - 1;
            done += inside;
        }
    }

    /// Draw the gradients of neighbouring points of a lattice row, from the column `first` on.
    fn vectors(&self, octave: &Octave, row: u64, first: u64, vectors: &mut [[f32; 2]]) {
        let row = self.around(octave, row);
        let mut first = self.around(octave, first);
        let mut rest = vectors;
        while !rest.is_empty() {
            let count = match self.edges {
                Edges::Wrap => rest.len().min((octave.cells - first) as usize),
                Edges::Free => rest.len(),
            };
            let (now, later) = rest.split_at_mut(count);
            let mut numbers = octave.stream.lanes(row, Jump::over(first));
            choose(&mut numbers, &self.gradients, now);
            (rest, first) = (later, 0);
        }
    }
}

impl Octave {
    /// Lattice cell of a row or column of 2^level cells, and the position in it, in units of
    /// 2^−(level + 1) cells.
    fn place_at(&self, level: u32, index: u64) -> (u64, u64) {
        let place =
            2 * u128::from(index) * u128::from(self.cells) + (u128::from(self.half_cells) << level);
        let bits = level + 1;
        ((place >> bits) as u64, place as u64 & ((1 << bits) - 1))
    }
}

vectorized! {
    fn choose(numbers: &mut Lanes, table: &Table, vectors: &mut [[f32; 2]]) {
        let mut indices = [[0u8; LANES]; 1];
        for vectors in vectors.chunks_mut(LANES) {
            numbers.fill(&mut indices, |number| (number >> 24) as u8);
            for (vector, index) in vectors.iter_mut().zip(indices[0]) {
                *vector = table[usize::from(index)];
            }
        }
    }

    /// Add one octave to a row of heights of 64 bits.
    fn add_fine_octave(
        variant: Variant,
        runs: &[FunctionRun],
        step: u64,
        unit: f64,
        amplitude: f64,
        heights: &mut [f64],
        weights: &mut [f64],
    ) {
        match variant {
            Variant::Fbm => add_runs(runs, step, unit, heights, weights, |height, _, noise| {
                *height += noise;
            }),
            Variant::Billow => add_runs(runs, step, unit, heights, weights, |height, _, noise| {
                *height += noise.abs();
            }),
            Variant::Ridged => add_runs(runs, step, unit, heights, weights, |height, weight, noise| {
                let crest = 1.0 - noise.abs();
                let signal = *weight * (crest * crest);
                *weight = if signal < 0.5 { 2.0 * signal } else { 1.0 };
                *height += amplitude * signal;
            }),
        }
    }
}

/// Add the noise of an octave, run by run, with the function `add`.
#[inline(always)]
fn add_runs(
    runs: &[FunctionRun],
    step: u64,
    unit: f64,
    heights: &mut [f64],
    weights: &mut [f64],
    add: impl Fn(&mut f64, &mut f64, f64),
) {
    for run in runs {
        let heights = &mut heights[run.first..][..run.count];
        let weights = &mut weights[run.first..][..run.count];
        let numbers = heights.iter_mut().zip(weights).enumerate();
        for (sample, (height, weight)) in numbers {
            let u = (run.fraction + step * sample as u64) as i64 as f64 * unit;
            let fade = u * u * u * (u * (u * 6.0 - 15.0) + 10.0);
            let noise = (run.level + run.slope * u) + fade * (run.rise + run.twist * u);
            add(height, weight, noise);
        }
    }
}

// Single octave of gradient noise over a map of any shape, row by row, with the kernels of the
// generator `perlin`.

/// Periodic lattice of random gradients over a map.
pub(crate) struct Lattice {
    stream: Stream,
    table: Box<Table>,
    /// Number of cells down and across.
    cells: [usize; 2],
    /// Distance between samples down the map, in cells.
    step: f64,
    /// Positions of the samples of a row, without the last one, which repeats the first.
    layout: Layout,
}

impl Lattice {
    pub fn new(stream: Stream, cells: usize, rows: usize, columns: usize) -> Self {
        let (down, across) = ((rows - 1).max(1), (columns - 1).max(1));
        let longer = down.max(across);
        let cells_along = |samples: usize| (cells * samples).div_ceil(longer).max(1);
        let (cells_down, cells_across) = (cells_along(down), cells_along(across));

        // A column lies at c · cells/across; integer division finds the cell exactly.
        let mut runs: Vec<Run> = Vec::new();
        let mut places = Vec::with_capacity(across);
        for column in 0..across {
            let cell = column * cells_across / across;
            let inside = column * cells_across - cell * across;
            places.push((inside as f64 / across as f64) as f32);
            match runs.last_mut() {
                Some(run) if run.cell == cell => run.count += 1,
                _ => runs.push(Run {
                    cell,
                    first: column,
                    count: 1,
                }),
            }
        }
        Self {
            stream,
            table: Box::new(circle()),
            cells: [cells_down, cells_across],
            step: cells_down as f64 / down as f64,
            layout: Layout::new(runs, places),
        }
    }
}

/// Row generator of one lattice; consecutive rows are fastest.
pub(crate) struct LatticeRows<'a> {
    lattice: &'a Lattice,
    /// Index of the lattice row that `north` holds.
    row: Option<usize>,
    north: Gradients,
    south: Gradients,
    cells: Cells,
    /// Weights required by the kernel, unused by this noise.
    weights: Vec<f32>,
}

impl<'a> LatticeRows<'a> {
    pub fn new(lattice: &'a Lattice) -> Self {
        let cells = lattice.layout.cells;
        Self {
            lattice,
            row: None,
            north: Gradients::new(cells + 1),
            south: Gradients::new(cells + 1),
            cells: Cells::new(cells),
            weights: vec![0.0; lattice.layout.samples()],
        }
    }

    /// Add the noise of one row of the map, within −√½…√½, to `noise`, which has all samples but the
    /// last one.
    pub fn add_row(&mut self, row: usize, noise: &mut [f32]) {
        let lattice = self.lattice;
        let z = row as f64 * lattice.step;
        let cell = (z as usize).min(lattice.cells[0] - 1);
        let v = (z - cell as f64) as f32;
        if self.row != Some(cell) {
            if self.row.is_some_and(|last| last + 1 == cell) {
                std::mem::swap(&mut self.north, &mut self.south);
            } else {
                lattice.fill(cell, &mut self.north);
            }
            lattice.fill(cell + 1, &mut self.south);
            self.row = Some(cell);
        }
        blend(&self.north, &self.south, v, 1.0, &mut self.cells);
        let (layout, weights) = (&lattice.layout, &mut self.weights);
        add_octave(Variant::Fbm, layout, &self.cells, 1.0, noise, weights);
    }
}

impl Lattice {
    /// Draw the gradients of a lattice row, periodically.
    fn fill(&self, row: usize, gradients: &mut Gradients) {
        let [down, across] = self.cells;
        let mut numbers = self.stream.lanes((row % down) as u64, Jump::over(0));
        let count = gradients.len().min(across);
        gradients.fill(count, &mut numbers, &self.table);
    }
}
