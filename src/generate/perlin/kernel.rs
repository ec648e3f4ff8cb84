//! Perlin noise row by row. Along a row the blend of two lattice rows depends on the lattice column
//! alone, so it is computed once a cell, and a sample costs a linear function and a fade.

use crate::fractal::Edges;
use crate::generate::perlin::{Octave, Perlin, Variant};
use crate::util::rng::{Jump, LANES, Lanes};

/// Writer of rows of a map; consecutive rows are fastest.
#[derive(Clone, Debug)]
pub(super) struct Writer<'a> {
    perlin: &'a Perlin,
    octaves: Vec<OctaveRows<'a>>,
    /// Start value of every sum.
    base: f32,
    /// Row that is being written.
    heights: Aligned,
    /// Weights w of `ridged`.
    weights: Aligned,
}

/// Octave between two rows of its lattice.
#[derive(Clone, Debug)]
struct OctaveRows<'a> {
    octave: &'a Octave,
    layout: Layout,
    /// Index of the lattice row that `north` holds.
    lattice_row: Option<u64>,
    north: Gradients,
    south: Gradients,
    cells: Cells,
}

impl<'a> Writer<'a> {
    pub fn new(perlin: &'a Perlin) -> Self {
        // The last column of a wrapped map repeats the first.
        let columns = perlin.side() - usize::from(perlin.edges == Edges::Wrap);
        let octaves = perlin.octaves.iter().map(|octave| {
            let layout = layout(octave, columns);
            OctaveRows {
                octave,
                north: Gradients::new(layout.cells + 1),
                south: Gradients::new(layout.cells + 1),
                cells: Cells::new(layout.cells),
                layout,
                lattice_row: None,
            }
        });
        Self {
            perlin,
            octaves: octaves.collect(),
            base: match perlin.variant {
                Variant::Fbm => 0.0,
                Variant::Billow | Variant::Ridged => -0.5 * perlin.sum(),
            },
            heights: Aligned::new(columns),
            weights: Aligned::new(columns),
        }
    }

    pub fn write(&mut self, row: usize, out: &mut [f32]) {
        let (heights, weights) = (self.heights.row_mut(), self.weights.row_mut());
        heights.fill(self.base);
        if self.perlin.variant == Variant::Ridged {
            weights.fill(1.0);
        }
        for octave in &mut self.octaves {
            octave.add_row(self.perlin, row as u64, heights, weights);
        }
        let columns = heights.len();
        out[..columns].copy_from_slice(heights);
        if columns < out.len() {
            out[columns] = out[0];
        }
    }
}

impl OctaveRows<'_> {
    fn add_row(&mut self, perlin: &Perlin, row: u64, heights: &mut [f32], weights: &mut [f32]) {
        let (lattice_row, v) = self.octave.place(row);
        if self.lattice_row != Some(lattice_row) {
            if self.lattice_row.is_some_and(|last| last + 1 == lattice_row) {
                std::mem::swap(&mut self.north, &mut self.south);
            } else {
                fill(perlin, self.octave, lattice_row, &mut self.north);
            }
            fill(perlin, self.octave, lattice_row + 1, &mut self.south);
            self.lattice_row = Some(lattice_row);
        }
        let amplitude = self.octave.amplitude;
        let scale = std::f32::consts::SQRT_2
            * match perlin.variant {
                Variant::Fbm => amplitude,
                Variant::Billow => 2.0 * amplitude,
                Variant::Ridged => 1.0,
            };
        blend(&self.north, &self.south, v, scale, &mut self.cells);
        let (layout, cells) = (&self.layout, &self.cells);
        add_octave(perlin.variant, layout, cells, amplitude, heights, weights);
    }
}

/// Draw the gradients of one lattice row.
fn fill(perlin: &Perlin, octave: &Octave, row: u64, gradients: &mut Gradients) {
    let row = perlin.around(octave, row);
    let mut numbers = octave.stream.lanes(row, Jump::over(0));
    let count = match perlin.edges {
        Edges::Wrap => gradients.len().min(octave.cells as usize),
        Edges::Free => gradients.len(),
    };
    gradients.fill(count, &mut numbers, &perlin.gradients);
}

/// Assign the samples of a row to cells, with their positions in them.
fn layout(octave: &Octave, columns: usize) -> Layout {
    let places = (0..columns as u64).map(|column| octave.place(column));
    let mut runs: Vec<Run> = Vec::new();
    for (column, (cell, _)) in places.clone().enumerate() {
        match runs.last_mut() {
            Some(run) if run.cell == cell as usize => run.count += 1,
            _ => runs.push(Run {
                cell: cell as usize,
                first: column,
                count: 1,
            }),
        }
    }
    let fractions: Vec<f32> = places.map(|(_, fraction)| fraction).collect();
    Layout::new(runs, fractions)
}

// SIMD kernels of Perlin noise. Each works on one row in plain slices, is compiled for several
// instruction sets, and is chosen at run time. Multiplications and additions are never fused, so all
// versions give the same bits.

/// Table of 256 unit vectors.
pub(crate) type Table = [[f32; 2]; 256];

/// Unit vectors at 256 equal angles around the circle.
pub(crate) fn circle() -> Table {
    std::array::from_fn(|index| {
        let angle = std::f64::consts::TAU * index as f64 / 256.0;
        [libm::cos(angle) as f32, libm::sin(angle) as f32]
    })
}

/// Row of numbers aligned to a cache line, since a SIMD load across two lines costs twice as much.
#[derive(Debug)]
pub(crate) struct Aligned {
    numbers: Vec<f32>,
    count: usize,
}

impl Aligned {
    const LINE: usize = 64;
    const ROOM: usize = Self::LINE / size_of::<f32>();

    pub fn new(count: usize) -> Self {
        Self {
            numbers: vec![0.0; count + Self::ROOM],
            count,
        }
    }

    fn of(numbers: &[f32]) -> Self {
        let mut row = Self::new(numbers.len());
        row.row_mut().copy_from_slice(numbers);
        row
    }

    pub fn row(&self) -> &[f32] {
        &self.numbers[self.start()..][..self.count]
    }

    pub fn row_mut(&mut self) -> &mut [f32] {
        let start = self.start();
        &mut self.numbers[start..][..self.count]
    }

    fn start(&self) -> usize {
        self.numbers
            .as_ptr()
            .align_offset(Self::LINE)
            .min(Self::ROOM)
    }
}

impl Clone for Aligned {
    fn clone(&self) -> Self {
        // A copy has another address, so its alignment offset differs.
        Self::of(self.row())
    }
}

/// Gradients of one lattice row.
#[derive(Clone, Debug)]
pub(crate) struct Gradients {
    x: Vec<f32>,
    y: Vec<f32>,
}

/// Coefficients of the cells of a row: at position u in a cell the noise is (level + slope·u) +
/// s(u)·(rise + twist·u).
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    level: Vec<f32>,
    slope: Vec<f32>,
    rise: Vec<f32>,
    twist: Vec<f32>,
}

/// Samples of a row that lie in one cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Run {
    pub cell: usize,
    pub first: usize,
    pub count: usize,
}

/// Positions of the samples of a row in the cells of an octave.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// Number of cells.
    pub cells: usize,
    runs: Vec<Run>,
    /// Consecutive runs with identical positions in their cells, which share one table.
    alike: std::ops::Range<usize>,
    u: Aligned,
    fade: Aligned,
}

/// Fade curve 6t⁵ − 15t⁴ + 10t³ (Perlin 2002).
fn fade(t: f32) -> f32 {
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

impl Layout {
    /// Create a layout from runs; `u` is the position of each sample in its cell.
    pub fn new(runs: Vec<Run>, u: Vec<f32>) -> Self {
        let same_places = |a: &Run, b: &Run| {
            a.cell + 1 == b.cell && u[a.first..][..a.count] == u[b.first..][..b.count]
        };
        let start = usize::from(runs.len() > 2);
        let alike = 1 + runs[start..]
            .windows(2)
            .take_while(|w| same_places(&w[0], &w[1]))
            .count();
        Self {
            cells: runs[runs.len() - 1].cell + 1,
            alike: start..start + alike,
            runs,
            fade: Aligned::of(&u.iter().map(|u| fade(*u)).collect::<Vec<_>>()),
            u: Aligned::of(&u),
        }
    }

    /// Number of samples.
    pub fn samples(&self) -> usize {
        self.u.row().len()
    }
}

impl Gradients {
    pub fn new(count: usize) -> Self {
        let row = || vec![0.0; count];
        Self { x: row(), y: row() }
    }

    pub fn len(&self) -> usize {
        self.x.len()
    }

    /// Fill the row with the table entries chosen by the next `count` random numbers, repeated
    /// periodically.
    pub fn fill(&mut self, count: usize, numbers: &mut Lanes, table: &Table) {
        choose(numbers, table, &mut self.x[..count], &mut self.y[..count]);
        for column in count..self.len() {
            self.x[column] = self.x[column - count];
            self.y[column] = self.y[column - count];
        }
    }
}

vectorized! {
    fn choose(numbers: &mut Lanes, table: &Table, x: &mut [f32], y: &mut [f32]) {
        let mut indices = [[0u8; LANES]; 1];
        for (x, y) in x.chunks_mut(LANES).zip(y.chunks_mut(LANES)) {
            numbers.fill(&mut indices, |number| (number >> 24) as u8);
            for ((x, y), index) in x.iter_mut().zip(y).zip(indices[0]) {
                [*x, *y] = table[usize::from(index)];
            }
        }
    }
}

impl Cells {
    pub fn new(count: usize) -> Self {
        let row = |count| vec![0.0; count];
        Self {
            level: row(count + 1),
            slope: row(count + 1),
            rise: row(count),
            twist: row(count),
        }
    }
}

vectorized! {
    /// Blend the lattice rows `north` and `south` at the fraction `v` between them.
    pub(crate) fn blend(north: &Gradients, south: &Gradients, v: f32, scale: f32, cells: &mut Cells) {
        let count = cells.level.len();
        let fade = fade(v);
        let (north_x, north_y) = (&north.x[..count], &north.y[..count]);
        let (south_x, south_y) = (&south.x[..count], &south.y[..count]);
        let (level, slope) = (&mut cells.level[..count], &mut cells.slope[..count]);
        for column in 0..count {
            let (up, down) = (north_y[column] * v, south_y[column] * (v - 1.0));
            level[column] = scale * (up + fade * (down - up));
            slope[column] = scale * (north_x[column] + fade * (south_x[column] - north_x[column]));
        }
        let (rise, twist) = (&mut cells.rise[..count - 1], &mut cells.twist[..count - 1]);
        let (level, slope) = (&level[..count], &slope[..count]);
        for column in 0..count - 1 {
            let east = level[column + 1] - slope[column + 1];
            rise[column] = east - level[column];
            twist[column] = slope[column + 1] - slope[column];
        }
    }
}

/// Accumulation rule of a noise variant.
trait Add {
    fn add(height: &mut f32, weight: &mut f32, noise: f32, amplitude: f32);
}

struct Fbm;
struct Billow;
struct Ridged;

impl Add for Fbm {
    #[inline(always)]
    fn add(height: &mut f32, _weight: &mut f32, noise: f32, _amplitude: f32) {
        *height += noise;
    }
}

impl Add for Billow {
    #[inline(always)]
    fn add(height: &mut f32, _weight: &mut f32, noise: f32, _amplitude: f32) {
        *height += noise.abs();
    }
}

impl Add for Ridged {
    #[inline(always)]
    fn add(height: &mut f32, weight: &mut f32, noise: f32, amplitude: f32) {
        let crest = 1.0 - noise.abs();
        let signal = *weight * (crest * crest);
        *weight = if signal < 0.5 { 2.0 * signal } else { 1.0 };
        *height += amplitude * signal;
    }
}

vectorized! {
    /// Add one octave to a row of heights.
    pub(crate) fn add_octave(
        variant: Variant,
        layout: &Layout,
        cells: &Cells,
        amplitude: f32,
        heights: &mut [f32],
        weights: &mut [f32],
    ) {
        match variant {
            Variant::Fbm => add_cells::<Fbm>(layout, cells, amplitude, heights, weights),
            Variant::Billow => add_cells::<Billow>(layout, cells, amplitude, heights, weights),
            Variant::Ridged => add_cells::<Ridged>(layout, cells, amplitude, heights, weights),
        }
    }
}

#[inline(always)]
fn add_cells<V: Add>(
    layout: &Layout,
    cells: &Cells,
    amplitude: f32,
    heights: &mut [f32],
    weights: &mut [f32],
) {
    let alike = &layout.runs[layout.alike.clone()];
    let (before, after) = (
        &layout.runs[..layout.alike.start],
        &layout.runs[layout.alike.end..],
    );
    add_runs::<V>(before, None, layout, cells, amplitude, heights, weights);
    match alike[0].count {
        1 => add_alike::<V, 1>(alike, layout, cells, amplitude, heights, weights),
        2 => add_alike::<V, 2>(alike, layout, cells, amplitude, heights, weights),
        4 => add_alike::<V, 4>(alike, layout, cells, amplitude, heights, weights),
        8 => add_alike::<V, 8>(alike, layout, cells, amplitude, heights, weights),
        _ => {
            let places = Some(alike[0].first);
            add_runs::<V>(alike, places, layout, cells, amplitude, heights, weights);
        }
    }
    add_runs::<V>(after, None, layout, cells, amplitude, heights, weights);
}

/// Add an octave cell by cell, with any number of samples in each. If `places` is given, all cells
/// use the positions from that sample on, which then stay in the first-level cache.
#[inline(always)]
fn add_runs<V: Add>(
    runs: &[Run],
    places: Option<usize>,
    layout: &Layout,
    cells: &Cells,
    amplitude: f32,
    heights: &mut [f32],
    weights: &mut [f32],
) {
    let (all_u, all_fade) = (layout.u.row(), layout.fade.row());
    for &Run { cell, first, count } in runs {
        let line = Line {
            level: cells.level[cell],
            slope: cells.slope[cell],
            rise: cells.rise[cell],
            twist: cells.twist[cell],
            amplitude,
        };
        let (samples, places) = (first..first + count, places.unwrap_or(first));
        let (u, fade) = (&all_u[places..][..count], &all_fade[places..][..count]);
        let (heights, weights) = (&mut heights[samples.clone()], &mut weights[samples]);
        // The compiler would interchange a loop over chunks of a fixed length and take one sample of
        // each chunk at a time, so only runs too short for a plain loop go in chunks.
        let long = count / LONG * LONG;
        let (u, u_rest) = u.split_at(long);
        let (fade, fade_rest) = fade.split_at(long);
        let (heights, heights_rest) = heights.split_at_mut(long);
        let (weights, weights_rest) = weights.split_at_mut(long);
        line.add::<V>(u, fade, heights, weights);
        let (u, u_rest) = u_rest.as_chunks::<CHUNK>();
        let (fade, fade_rest) = fade_rest.as_chunks::<CHUNK>();
        let (heights, heights_rest) = heights_rest.as_chunks_mut::<CHUNK>();
        let (weights, weights_rest) = weights_rest.as_chunks_mut::<CHUNK>();
        let chunks = heights.iter_mut().zip(weights).zip(u.iter().zip(fade));
        for ((heights, weights), (u, fade)) in chunks {
            line.add::<V>(u, fade, heights, weights);
        }
        line.add::<V>(u_rest, fade_rest, heights_rest, weights_rest);
    }
}

/// Number of samples in one turn of the plain loop.
const LONG: usize = 64;
/// Number of samples in a chunk, so that short runs are vectorized, too.
const CHUNK: usize = 16;

/// Coefficients of one cell.
#[derive(Clone, Copy)]
struct Line {
    level: f32,
    slope: f32,
    rise: f32,
    twist: f32,
    amplitude: f32,
}

impl Line {
    #[inline(always)]
    fn add<V: Add>(self, u: &[f32], fade: &[f32], heights: &mut [f32], weights: &mut [f32]) {
        let count = heights.len();
        let (u, fade, weights) = (&u[..count], &fade[..count], &mut weights[..count]);
        for sample in 0..count {
            let u = u[sample];
            let noise = (self.level + self.slope * u) + fade[sample] * (self.rise + self.twist * u);
            V::add(
                &mut heights[sample],
                &mut weights[sample],
                noise,
                self.amplitude,
            );
        }
    }
}

/// Add cells of S samples each, at the same positions in all of them.
#[inline(always)]
fn add_alike<V: Add, const S: usize>(
    runs: &[Run],
    layout: &Layout,
    cells: &Cells,
    amplitude: f32,
    heights: &mut [f32],
    weights: &mut [f32],
) {
    let (cell, first, count) = (runs[0].cell, runs[0].first, runs.len());
    let (level, slope) = (&cells.level[cell..][..count], &cells.slope[cell..][..count]);
    let (rise, twist) = (&cells.rise[cell..][..count], &cells.twist[cell..][..count]);
    let heights = &mut heights[first..][..count * S].as_chunks_mut::<S>().0[..count];
    let weights = &mut weights[first..][..count * S].as_chunks_mut::<S>().0[..count];
    let u = layout.u.row()[first..]
        .first_chunk::<S>()
        .expect("a whole cell");
    let fade = layout.fade.row()[first..]
        .first_chunk::<S>()
        .expect("a whole cell");
    for cell in 0..count {
        for sample in 0..S {
            let noise = (level[cell] + slope[cell] * u[sample])
                + fade[sample] * (rise[cell] + twist[cell] * u[sample]);
            let (height, weight) = (&mut heights[cell][sample], &mut weights[cell][sample]);
            V::add(height, weight, noise, amplitude);
        }
    }
}
