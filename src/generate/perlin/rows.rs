//! Perlin noise row by row. Along a row the blend of two lattice rows depends on the lattice column
//! alone, so it is computed once a cell, and a sample costs a linear function and a fade.

use super::kernel::{Aligned, Cells, Gradients, Layout, Run, add_octave, blend};
use super::{Octave, Perlin, Variant};
use crate::fractal::Edges;
use crate::util::rng::Jump;

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
