//! Single octave of gradient noise over a map of any shape, row by row, with the kernels of the
//! generator `perlin`.

use super::Variant;
use super::kernel::{Cells, Gradients, Layout, Run, Table, add_octave, blend, circle};
use crate::util::rng::{Jump, Stream};

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
