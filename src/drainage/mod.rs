//! Where water flows on land: from each sample to one of its neighbours, over the lowest pass out of
//! every hollow, down to the sea or to the border.
//!
//! The numbers that follow from it are those of hydrology: the area that drains through a sample,
//! how deep a lake would stand on it, and how wet its ground is. They are the same on any number of
//! threads.

use std::sync::atomic::{AtomicU32, Ordering};

use bytemuck::zeroed_vec;

use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::parallel;
use crate::rng::{Stage, Stream};

pub(crate) mod flow;
pub(crate) mod pits;
pub(crate) mod shape;
pub(crate) mod steepest;

use flow::Flow;
use shape::Shape;

/// The bytes of memory that [`Drainage::of`] takes for a sample, beside the map.
pub const BYTES_A_SAMPLE: u64 = 24;

/// The cells that a thread takes together, where rows do not matter.
const PART: usize = 1 << 12;

/// The slope below which ground counts as level when its wetness is told.
const LEVEL_GROUND: f32 = 1e-3;

/// The network of the rivers of a map. The samples of a map that wraps are there once: its cells.
pub struct Drainage {
    flow: Flow,
    area: Vec<u32>,
    /// The depth of the lake on each cell.
    depth: Vec<f32>,
    /// The slope of each way downstream: a drop over a length in the same unit.
    slope: Vec<f32>,
    /// The number of hollows.
    pits: usize,
    rows: usize,
    columns: usize,
    spacing: f32,
}

impl Drainage {
    /// The rivers of `map`. They end at or below the height `sea`, without a sea where those that have
    /// made the map end, at a free border, and if there is none of all that, in the lowest sample.
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
        let rows = parallel::over(heights.chunks_mut(shape.columns));
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
        parallel::over(reach.chunks_mut(PART)).each(|part, reach| {
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

    /// The number of cells: all samples, but of a map that wraps each is counted once.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.area.len()
    }

    /// The distance of neighbouring cells, in the unit of the heights.
    #[must_use]
    pub fn spacing(&self) -> f32 {
        self.spacing
    }

    /// The cell of a sample.
    ///
    /// # Panics
    /// There is no such sample.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize) -> usize {
        assert!(row < self.rows && column < self.columns, "no such sample");
        let shape = self.flow.shape;
        row % shape.rows * shape.columns + column % shape.columns
    }

    /// The cell that the water of a cell flows to; `None` where it leaves the land.
    #[must_use]
    pub fn receiver(&self, cell: usize) -> Option<usize> {
        self.flow.receiver(cell)
    }

    /// How the cells lie beside each other.
    pub(crate) fn shape(&self) -> Shape {
        self.flow.shape
    }

    /// The way to a cell's receiver, in rows and columns; `None` where the water leaves the land.
    pub(crate) fn way(&self, cell: usize) -> Option<(isize, isize)> {
        let link = self.flow.links[cell];
        (!self.flow.is_root(cell)).then(|| shape::STEPS[shape::direction(link)])
    }

    /// Calls `each` with every cell that gives water to this one, always in the same order.
    pub(crate) fn each_donor(&self, cell: usize, each: impl FnMut(usize)) {
        self.flow.each_donor(cell, each);
    }

    /// Calls `each` with every neighbour of a cell.
    pub(crate) fn each_beside(&self, cell: usize, mut each: impl FnMut(usize)) {
        let shape = self.flow.shape;
        let (row, column) = (cell / shape.columns, cell % shape.columns);
        for direction in 0..8 {
            if let Some(link) = shape.link(row, column, direction) {
                each(self.flow.end(cell, link));
            }
        }
    }

    /// A number for each cell: what `visit` returns for it, from the number of its receiver. The
    /// number `u32::MAX` means that there is none and may not be returned.
    pub(crate) fn upstream(
        &self,
        job: &Job,
        visit: impl Fn(usize, Option<u32>) -> u32 + Sync,
    ) -> Result<Vec<u32>, Cancelled> {
        let numbers: Vec<AtomicU32> = zeroed_vec(self.cells());
        self.flow.upstream(&numbers, job, visit)?;
        Ok(numbers.into_iter().map(AtomicU32::into_inner).collect())
    }

    /// The height of a cell of `map`.
    pub(crate) fn height(&self, map: &Heightmap, cell: usize) -> f32 {
        let columns = self.flow.shape.columns;
        map.at(cell / columns, cell % columns)
    }

    /// The number of hollows that water had to be led out of.
    #[must_use]
    pub fn pits(&self) -> usize {
        self.pits
    }

    /// The length of a cell's way to its receiver, in cells: 1 or √2.
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

    /// The length of the longest river, in cells.
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

    /// The number of cells whose water flows through a cell, itself included.
    #[must_use]
    pub fn area(&self, cell: usize) -> u32 {
        self.area[cell]
    }

    /// Whether the water of each cell flows through `cell`: its watershed, itself included, as many
    /// cells as [`Drainage::area`] says. Cost: a byte for each cell of the map, and a walk over the
    /// watershed.
    ///
    /// # Panics
    /// There is no such cell.
    #[must_use]
    pub fn watershed(&self, cell: usize) -> Vec<bool> {
        let mut belongs = vec![false; self.cells()];
        self.each_upstream(cell, |cell, _| belongs[cell] = true);
        belongs
    }

    /// Calls `visit` with a cell and every cell whose water flows through it, each after its receiver,
    /// and with the length of the way between, in cells; always in the same order.
    pub(crate) fn each_upstream(&self, cell: usize, mut visit: impl FnMut(usize, f64)) {
        let mut open = vec![(cell, 0.0)];
        while let Some((cell, length)) = open.pop() {
            visit(cell, length);
            self.flow.each_donor(cell, |donor| {
                open.push((donor, length + self.step(donor).map_or(0.0, f64::from)));
            });
        }
    }

    /// How deep the lake is that would stand on a cell; 0 elsewhere.
    #[must_use]
    pub fn depth(&self, cell: usize) -> f32 {
        self.depth[cell]
    }

    /// The slope of a cell's way downstream, as a tangent; 0 in a hollow and where there is no way.
    #[must_use]
    pub fn slope(&self, cell: usize) -> f32 {
        self.slope[cell]
    }

    /// The wetness of the ground after Beven and Kirkby (1979): ln(a / tan β), with the area a that
    /// drains through a metre of contour, in metres, and the slope β. `metres` is the length of the
    /// unit of the heights.
    #[must_use]
    pub fn wetness(&self, cell: usize, metres: f32) -> f32 {
        let width = self.spacing * metres;
        libm::logf(self.area[cell] as f32 * width / self.slope[cell].max(LEVEL_GROUND))
    }

    /// A map of a number for each sample, `number` of its cell, made on all threads.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn map(
        &self,
        job: &Job,
        number: impl Fn(usize) -> f32 + Sync,
    ) -> Result<Heightmap, Cancelled> {
        let mut numbers = vec![0.0; self.rows * self.columns];
        let rows = parallel::over(numbers.chunks_mut(self.columns));
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
