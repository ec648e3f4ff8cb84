//! Perlin noise as a function of position, for levels of detail finer than its map. The cell and the
//! position in it are computed in integers, so both are exact at the deepest level.

use super::kernel::Table;
use super::{Octave, Perlin, Variant};
use crate::fractal::Edges;
use crate::fractal::function::HeightFunction;
use crate::util::rng::{Jump, LANES, Lanes};

/// Samples of a row that lie in one cell. At position u in it the noise is (level + slope·u) +
/// s(u)·(rise + twist·u).
#[derive(Clone, Copy)]
struct Run {
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
            add_octave(variant, &runs, step, unit, amplitude, heights, &mut weights);
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
        runs: &mut Vec<Run>,
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
            runs.push(Run {
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

    /// Add one octave to a row of heights.
    fn add_octave(
        variant: Variant,
        runs: &[Run],
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
    runs: &[Run],
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
