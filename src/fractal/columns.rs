//! Columns of basalt: prisms across the flows, cells of a Voronoi diagram, each with a level top of its own height.
//!
//! Lava that cools shrinks, and cracks grow into it as a net of polygons, mostly hexagons. The sites of the diagram are
//! jittered points of a hexagonal lattice:
//!
//! ```text
//!   ·    ·    ·       even rows lean to the east by a quarter of a cell, odd ones to the west
//! ·    ·    ·         each site is off its place by up to JITTER
//! ```
//! The lattice is that of a level of the map, and the sample at each of its points lies within the cell of the site that
//! belongs to it. A column has the height of that sample, which therefore stays in place. So columns are nested like
//! all finer levels: the distance between them is that of the samples of a level, the one closest to the width wanted.
//! On walls neighbouring samples differ much, and the faces of columns are as high; on level ground columns stand up
//! and down by chance. Between columns is a groove in the shape of a V, up to which the tops are level.
//!
//! The nearest site is always among six. Cost: some 10 ns for each sample.

use std::ops::Range;

use super::interpolated::split;
use super::patch::{Window, each_row};
use crate::terrain::grid::Grid;
use crate::util::job::{Cancelled, Job};
use crate::util::rng::{Rng, Stage, Stream, uniform, unit};

/// Sites after which they repeat, along each side.
const PERIOD: usize = 64;
/// Distance of a site from its place without jitter eastwards, and most by which the jitter moves it along each axis,
/// in cells. With more, samples could lie in a neighbour's cell.
const LEAN: f64 = 0.25;
const JITTER: f64 = 0.15;
/// Difference of the squares of the distances to the two nearest sites at which a groove begins: next to no sample of
/// the lattice it is less than (1 − LEAN − JITTER)² − (LEAN + JITTER)² − JITTER².
const GROOVE: f64 = 0.16;
/// Depth of the grooves, in cells.
const DEPTH: f64 = 0.16;
/// Most by which a column stands above or below its ground, and by which it may be broken off, in cells.
const UNEVEN: f64 = 0.12;
const BROKEN: f64 = 0.7;
/// Share of rock from which on ground is all columns.
const SHARE: f64 = 0.25;
/// Strength of columns where all is columns: the rest of the ground's own slope is left on their tops.
const LEVEL: f64 = 0.94;

/// The columns of a map.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Columns {
    /// Level whose samples are as far apart as the columns.
    pub(super) level: u32,
    /// Number of cells of that level southwards and eastwards.
    cells: [i64; 2],
    wraps: bool,
    /// True if that level is finer than the map.
    is_finer: bool,
    /// Place of each site, eastwards and southwards from its sample in cells, and its height in half tiles.
    sites: Box<[[f64; 3]]>,
    /// Depth of the grooves in half tiles.
    depth: f64,
    strength: f64,
}

/// The map that has columns: its level, number of cells southwards and eastwards, spacing in half tiles, and true if it
/// wraps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lattice {
    pub(super) level: u32,
    pub(super) cells: [i64; 2],
    pub(super) spacing: f64,
    pub(super) wraps: bool,
}

impl Columns {
    /// Create columns about so wide, in half tiles, on a map. `strength` is 0…1, `roughness` that of their heights.
    pub(super) fn new(map: Lattice, width: f64, strength: f64, roughness: f64, seed: u64) -> Self {
        // Twice as many cells are a level more. Rows of sites come in pairs.
        let pairs = (map.cells[0] | map.cells[1]).trailing_zeros() as i32;
        let finer = (libm::log2(map.spacing / width).round() as i32).max(1 - pairs);
        let cell = libm::ldexp(map.spacing, -finer);
        let stream = Stream::new(seed, Stage::Bedrock, 5);
        let site = |index: usize| {
            let mut numbers = stream.row(index as u64);
            let mut number = || numbers.next_u32();
            let [east, south] = [number(), number()].map(|bits| JITTER * f64::from(uniform(bits)));
            let uneven = UNEVEN * f64::from(uniform(number()));
            let broken = f64::from(unit(number()));
            let broken = BROKEN * broken * broken * broken * broken;
            [east, south, roughness * (uneven - broken) * cell]
        };
        Self {
            level: map.level.saturating_add_signed(finer),
            cells: (map.cells).map(|cells| match finer {
                0.. => cells << finer,
                _ => cells >> -finer,
            }),
            wraps: map.wraps,
            is_finer: finer > 0,
            sites: (0..PERIOD * PERIOD).map(site).collect(),
            depth: DEPTH * cell,
            strength: LEVEL * strength,
        }
    }

    /// Strength of the column of ground with that share of rock, 0…1.
    fn strength(&self, rock: f64) -> f64 {
        self.strength * (rock * (1.0 / SHARE)).min(1.0)
    }

    /// Height by which the column at a sample of the lattice stands out, in half tiles.
    fn height(&self, [row, column]: [i64; 2]) -> f64 {
        // Below the map every second sample is one of the level before, and stays.
        if self.is_finer && (row | column) & 1 == 0 {
            return 0.0;
        }
        self.site([row, column])[2]
    }

    /// Samples of the lattice, rows and columns, around those of a level `by` levels finer.
    fn around(&self, by: u32, rows: Range<i64>, columns: Range<i64>) -> [Range<i64>; 2] {
        let span = |range: Range<i64>, before: i64, after: i64, cells: i64| {
            let (first, last) = (
                (range.start >> by) - before,
                ((range.end - 1) >> by) + after,
            );
            if self.wraps {
                first..last + 1
            } else {
                first.max(0)..last.min(cells) + 1
            }
        };
        [
            span(rows, 0, 1, self.cells[0]),
            span(columns, 1, 2, self.cells[1]),
        ]
    }

    /// Place and height of the site of a sample of the lattice.
    fn site(&self, [row, column]: [i64; 2]) -> [f64; 3] {
        let within = |at: i64, cells: i64| match at {
            // The last row and column of a map that does not wrap are no others.
            at if (0..cells).contains(&at) || !self.wraps => at,
            at => at.rem_euclid(cells),
        };
        let row = within(row, self.cells[0]);
        let column = within(column, self.cells[1]);
        self.sites[row as usize % PERIOD * PERIOD + column as usize % PERIOD]
    }
}

/// A column: the place of its site, eastwards and southwards in cells, its height in half tiles and its strength.
#[derive(Clone, Copy)]
struct Column {
    place: [f64; 2],
    height: f64,
    strength: f64,
}

/// Columns around a window.
pub(super) struct Sites<'a> {
    columns: &'a Columns,
    /// Samples of the lattice.
    around: Window,
    /// Their columns, with places from their own samples.
    sites: Grid<Column>,
}

impl<'a> Sites<'a> {
    /// The columns around a window of a level `by` levels finer than they are. `ground` computes heights of a window of
    /// their own level, and `rock` the share of rock at one of its samples; columns stand out from that ground by chance
    /// if `stand_out`.
    pub(super) fn new(
        columns: &'a Columns,
        by: u32,
        window: Window,
        stand_out: bool,
        ground: impl FnOnce(Window) -> Result<Grid<f64>, Cancelled>,
        rock: impl Fn([i64; 2]) -> f64,
    ) -> Result<Self, Cancelled> {
        let [rows, across] = columns.around(
            by,
            window.row..window.row + window.rows as i64,
            window.column..window.column + window.columns as i64,
        );
        let around = Window {
            row: rows.start,
            column: across.start,
            rows: (rows.end - rows.start) as usize,
            columns: (across.end - across.start) as usize,
        };
        let heights = ground(around)?;
        let places = rows.flat_map(|row| across.clone().map(move |column| [row, column]));
        let sites = heights
            .as_slice()
            .iter()
            .zip(places)
            .map(|(height, place)| {
                let out = if stand_out {
                    columns.height(place)
                } else {
                    0.0
                };
                let [x, z, _] = columns.site(place);
                let lean = if place[0] & 1 == 0 { LEAN } else { -LEAN };
                Column {
                    place: [lean + x, z],
                    height: height + out,
                    strength: columns.strength(rock(place)),
                }
            });
        let sites = Grid::from_vec(around.rows, around.columns, sites.collect());
        Ok(Self {
            columns,
            around,
            sites: sites.expect("all sites"),
        })
    }

    /// By how much columns move ground of these heights, a window of a level `by` levels finer than they are.
    pub(super) fn moved(
        &self,
        by: u32,
        window: Window,
        heights: &Grid<f64>,
        job: &Job,
    ) -> Result<Grid<f64>, Cancelled> {
        let mut moved = Grid::filled(window.rows, window.columns, 0.0);
        let columns = (window.column..).take(window.columns);
        let across: Vec<_> = columns.map(|column| split(column, by)).collect();
        each_row(moved.as_mut_slice(), window.columns, |index, line| {
            job.check()?;
            let (south, z) = split(window.row + index as i64, by);
            let rows = [south, south + 1].map(|row| self.row(row));
            let (mut cell, mut near) = (None, Near::default());
            let samples = line.iter_mut().zip(heights.row(index)).zip(&across);
            for ((moved, ground), (east, x)) in samples {
                if cell != Some(*east) {
                    cell = Some(*east);
                    near = self.near(rows, [south, *east], z);
                }
                if near.is_bare {
                    continue;
                }
                let (column, groove) = near.nearest(*x);
                let groove = self.columns.depth * groove;
                *moved = near.strength[column] * (near.height[column] - ground - groove);
            }
            Ok(())
        })?;
        Ok(moved)
    }

    /// The columns of a row of the lattice; none beyond the border of the map.
    fn row(&self, row: i64) -> &[Column] {
        match usize::try_from(row - self.around.row) {
            Ok(row) if row < self.around.rows => self.sites.row(row),
            _ => &[],
        }
    }

    /// The six columns around a cell of the lattice, in two rows of it, for a row of samples so far south of its northern
    /// border.
    fn near(&self, rows: [&[Column]; 2], [south, east]: [i64; 2], z: f64) -> Near {
        let mut near = Near::default();
        for (half, row) in (0..).zip(rows) {
            // Rows that lean to the east are nearer on the western side.
            let first = ((south + half) & 1) - 1;
            for at in 0..3 {
                let column = first + at;
                let to = 3 * half as usize + at as usize;
                let index = usize::try_from(east + column - self.around.column);
                let Some(found) = index.ok().and_then(|index| row.get(index)) else {
                    near.across[to] = 1e3;
                    continue;
                };
                let pz = found.place[1] + half as f64;
                near.across[to] = found.place[0] + column as f64;
                near.down[to] = (pz - z) * (pz - z);
                near.height[to] = found.height;
                near.strength[to] = found.strength;
            }
        }
        near.is_bare = near.strength.iter().all(|strength| *strength == 0.0);
        near
    }
}

/// Number of sites around a cell of the lattice.
const SITES: usize = 6;

/// The columns around a cell of the lattice.
#[derive(Clone, Copy, Default)]
struct Near {
    /// Places of the sites eastwards, and squares of their distances southwards, in cells.
    across: [f64; SITES],
    down: [f64; SITES],
    height: [f64; SITES],
    strength: [f64; SITES],
    /// True if none acts.
    is_bare: bool,
}

impl Near {
    /// The column at a place, and how deep its groove is there, 0…1.
    #[inline(always)]
    fn nearest(&self, x: f64) -> (usize, f64) {
        let far: [f64; SITES] = std::array::from_fn(|at| {
            let across = self.across[at] - x;
            across * across + self.down[at]
        });
        let (mut nearest, mut first, mut second) = (0, far[0], f64::INFINITY);
        for (at, far) in far.into_iter().enumerate().skip(1) {
            second = second.min(far.max(first));
            nearest = if far < first { at } else { nearest };
            first = first.min(far);
        }
        (nearest, (1.0 - (second - first) * (1.0 / GROOVE)).max(0.0))
    }
}
