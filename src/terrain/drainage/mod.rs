//! Flow routing on a heightfield: D8 receivers, depression routing, flow accumulation, watersheds and the
//! topographic wetness index.
//!
//! Water flows from each sample to one of its neighbours, over the lowest pass out of every depression, down
//! to the sea or to the border. All results are the same on any number of threads.

use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::zeroed_vec;

use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;
use crate::util::rng::{Stage, Stream};

pub(crate) mod flow;
pub(crate) mod pits;
pub(crate) mod shape;
pub(crate) mod steepest;

use flow::Flow;
use shape::Shape;

/// Memory of [`Drainage::of`] in bytes a sample, besides the map.
pub const BYTES_A_SAMPLE: u64 = 24;

/// Number of cells per parallel task, where rows do not matter.
const PART: usize = 1 << 12;

/// Least slope in the wetness index, which would be infinite on level ground.
const LEVEL_GROUND: f32 = 1e-3;

/// Drainage network of a map. The repeated samples of a map that wraps count once; the rest are its cells.
pub struct Drainage {
    flow: Flow,
    area: Vec<u32>,
    /// Depth of the lake on each cell.
    depth: Vec<f32>,
    /// Slope from each cell to its receiver: a drop over a length in the same unit.
    slope: Vec<f32>,
    /// Number of depressions.
    pits: usize,
    rows: usize,
    columns: usize,
    spacing: f32,
}

impl Drainage {
    /// Compute the drainage of `map`. Rivers end at or below the height `sea`. Without a sea they end at the
    /// base level of the map's erosion, at a free border, or else in the lowest sample.
    ///
    /// Cost: about as much as one step of erosion, 100 ns a sample on one thread; [`BYTES_A_SAMPLE`]
    /// while it is made, 15 bytes a sample afterwards.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(map: &Heightmap, sea: Option<f32>, job: &Job) -> Result<Self, Cancelled> {
        let wraps = map.wraps() && map.rows() > 1 && map.columns() > 1;
        let repeated = usize::from(wraps);
        let shape = Shape {
            rows: map.rows() - repeated,
            columns: map.columns() - repeated,
            wraps,
        };
        let cells = shape.cells();
        let mut heights = vec![0.0; cells];
        let rows = parallel::par_items(heights.chunks_mut(shape.columns));
        let lowest = rows.map(|row, out| {
            out.copy_from_slice(&map.row(row)[..shape.columns]);
            out.iter().copied().fold(f32::INFINITY, f32::min)
        });
        let lowest = lowest.into_iter().fold(f32::INFINITY, f32::min);
        let base = match sea.or(map.base()) {
            Some(sea) if sea >= lowest || !shape.wraps => sea,
            _ if shape.wraps => lowest,
            _ => f32::NEG_INFINITY,
        };
        let mut flow = Flow::new(cells);
        flow.set_shape(shape);
        let mut reach = zeroed_vec(cells);
        let stream = Stream::new(0, Stage::Erosion, u32::MAX);
        steepest::find(&mut flow, &heights, base, &stream, &mut reach, job)?;
        flow.find_donors(job)?;
        let labels: Vec<AtomicU32> = zeroed_vec(cells);
        let pits = pits::drain(&mut flow, &heights, base, &mut reach, &labels, job)?;
        let area = labels;
        flow.accumulate(&area, job)?;
        let spacing = map.spacing();
        let levels: Vec<AtomicU32> = zeroed_vec(cells);
        flow.upstream(&levels, job, |cell, below| {
            let height = heights[cell];
            let level = below.map_or(height, |below| height.max(f32::from_bits(below)));
            level.to_bits()
        })?;
        parallel::par_items(reach.chunks_mut(PART)).for_each(|part, reach| {
            for (cell, reach) in (part * PART..).zip(reach) {
                let drop = flow
                    .receiver(cell)
                    .map_or(0.0, |to| heights[cell] - heights[to]);
                *reach = drop.max(0.0) / (*reach * spacing);
            }
        });
        let levels = levels.into_iter().zip(&heights);
        let depth = levels.map(|(level, height)| f32::from_bits(level.into_inner()) - height);
        Ok(Self {
            area: area.into_iter().map(AtomicU32::into_inner).collect(),
            depth: depth.collect(),
            flow,
            slope: reach,
            pits,
            rows: map.rows(),
            columns: map.columns(),
            spacing,
        })
    }

    /// Number of cells: all samples, without the repeated ones of a map that wraps.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.area.len()
    }

    /// Distance of neighbouring cells, in the unit of the heights.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// Cell of a sample.
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> usize {
        assert!(row < self.rows && column < self.columns, "no such sample");
        let shape = self.flow.shape;
        row % shape.rows * shape.columns + column % shape.columns
    }

    /// Receiver of a cell; `None` where the water leaves the land.
    #[must_use]
    pub fn receiver(&self, cell: usize) -> Option<usize> {
        self.flow.receiver(cell)
    }

    /// Grid of the cells.
    pub(crate) fn shape(&self) -> Shape {
        self.flow.shape
    }

    /// Offset from a cell to its receiver, in rows and columns; `None` where the water leaves the land.
    pub(crate) fn way(&self, cell: usize) -> Option<(isize, isize)> {
        let link = self.flow.links[cell];
        (!self.flow.is_root(cell)).then(|| shape::STEPS[shape::direction(link)])
    }

    /// Call `each` with every donor of a cell, always in the same order.
    pub(crate) fn each_donor(&self, cell: usize, each: impl FnMut(usize)) {
        self.flow.each_donor(cell, each);
    }

    /// Call `each` with every neighbour of a cell.
    pub(crate) fn each_beside(&self, cell: usize, mut each: impl FnMut(usize)) {
        let shape = self.flow.shape;
        let (row, column) = (cell / shape.columns, cell % shape.columns);
        for direction in 0..8 {
            if let Some(link) = shape.link(row, column, direction) {
                each(self.flow.end(cell, link));
            }
        }
    }

    /// Compute a number for each cell with `visit`, from the number of its receiver. The number `u32::MAX` is
    /// reserved.
    pub(crate) fn upstream(
        &self,
        job: &Job,
        visit: impl Fn(usize, Option<u32>) -> u32 + Sync,
    ) -> Result<Vec<u32>, Cancelled> {
        let numbers: Vec<AtomicU32> = zeroed_vec(self.cells());
        self.flow.upstream(&numbers, job, visit)?;
        Ok(numbers.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// Height of a cell of `map`.
    pub(crate) fn height(&self, map: &Heightmap, cell: usize) -> f32 {
        let columns = self.flow.shape.columns;
        map.at(cell / columns, cell % columns)
    }

    /// Number of depressions that needed an outlet.
    #[must_use]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// Distance from a cell to its receiver, in cells: 1 or √2.
    #[must_use]
    pub fn step(&self, cell: usize) -> Option<f32> {
        let link = self.flow.links[cell];
        let diagonal = shape::is_diagonal(shape::direction(link));
        let step = if diagonal {
            std::f32::consts::SQRT_2
        } else {
            1.0
        };
        self.receiver(cell).map(|_| step)
    }

    /// Length of the longest flow path, in cells.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn longest(&self, job: &Job) -> Result<f32, Cancelled> {
        let length: Vec<AtomicU32> = zeroed_vec(self.cells());
        let bits = |cell: usize| f32::from_bits(length[cell].load(Ordering::Relaxed));
        self.flow.downstream(job, |cell| {
            let mut most = 0.0f32;
            self.flow.each_donor(cell, |donor| {
                most = most.max(bits(donor) + self.step(donor).unwrap_or(0.0));
            });
            length[cell].store(most.to_bits(), Ordering::Relaxed);
        })?;
        Ok((0..self.cells()).map(bits).fold(0.0, f32::max))
    }

    /// Flow accumulation: the number of cells that drain through a cell, itself included.
    #[must_use]
    pub fn area(&self, cell: usize) -> u32 {
        self.area[cell]
    }

    /// Watershed of a cell as a mask of all cells, the cell itself included; its size is [`Drainage::area`].
    /// Cost: a byte for each cell of the map, and a walk over the watershed.
    ///
    /// # Panics
    /// There is no such cell.
    #[must_use]
    pub fn watershed(&self, cell: usize) -> Vec<bool> {
        let mut belongs = vec![false; self.cells()];
        self.each_upstream(cell, |cell, _| belongs[cell] = true);
        belongs
    }

    /// Call `visit` with a cell and every cell upstream of it, each after its receiver, and with the length
    /// of the flow path between, in cells; always in the same order.
    pub(crate) fn each_upstream(&self, cell: usize, mut visit: impl FnMut(usize, f64)) {
        let mut open = vec![(cell, 0.0)];
        while let Some((cell, length)) = open.pop() {
            visit(cell, length);
            self.flow.each_donor(cell, |donor| {
                open.push((donor, length + self.step(donor).map_or(0.0, f64::from)));
            });
        }
    }

    /// Depth of the lake that would stand on a cell; 0 elsewhere.
    #[must_use]
    pub fn depth(&self, cell: usize) -> f32 {
        self.depth[cell]
    }

    /// Slope from a cell to its receiver, as a tangent; 0 in a depression and without a receiver.
    #[must_use]
    pub fn slope(&self, cell: usize) -> f32 {
        self.slope[cell]
    }

    /// Topographic wetness index (Beven and Kirkby 1979): ln(a / tan β), with the specific catchment area a
    /// per metre of contour, in metres, and the slope β. `metres` is the length of the unit of the heights.
    #[must_use]
    pub fn wetness(&self, cell: usize, metres: f32) -> f32 {
        let width = self.spacing * metres;
        libm::logf(self.area[cell] as f32 * width / self.slope[cell].max(LEVEL_GROUND))
    }

    /// Map of a number for each sample, the `number` of its cell, computed on all threads.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn map(
        &self,
        job: &Job,
        number: impl Fn(usize) -> f32 + Sync,
    ) -> Result<Heightmap, Cancelled> {
        let mut numbers = vec![0.0; self.rows * self.columns];
        let rows = parallel::par_items(numbers.chunks_mut(self.columns));
        rows.at_least(8).try_each(|row, out| {
            job.check()?;
            for (column, out) in out.iter_mut().enumerate() {
                *out = number(self.cell(row, column));
            }
            Ok(())
        })?;
        let wraps = self.flow.shape.wraps;
        Ok(Heightmap::new(self.rows, self.columns, wraps, numbers))
    }
}

impl std::fmt::Debug for Drainage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { rows, columns, .. } = self;
        write!(f, "Drainage of {rows} × {columns}")
    }
}
