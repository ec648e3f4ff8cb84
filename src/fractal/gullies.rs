//! Gullies: what water does to the slopes between the samples of an eroded map.
//!
//! Three octaves of waves run across the slope, so their crests and troughs run down it; they are as
//! high as the ground is steep and rough, so plains and deep sediment have none. Each octave follows
//! the slope that those before it leave: small gullies run into larger ones. A wave is mixed of many:
//! each cell of a lattice has a point at a random place, from which a cosine spreads, and the nearer
//! a point the more it counts. The idea is that of Gabor noise (Lagae et al. 2009), with the slope for
//! its direction.
//!
//! ```text
//! height between samples = diamond-square below (samples − gullies) + gullies
//! ```
//! So no sample moves, and any part of any level has the same numbers. They are made for four
//! levels; what is below goes on from there. Cost: about 100 ns a point.

use super::patch::{Patch, Span};
use super::roughness::{Along, along, beside};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::parallel::{self, Tools};
use crate::rng::{Jump, Stage, Stream, uniform};

/// The levels below a map that have gullies: of the last one eight samples are the finest wave.
pub(super) const LEVELS: u32 = 4;

/// The octaves of waves. A wave of the first is as long as two samples of the map are apart, which is
/// also the cell of its lattice.
const OCTAVES: u32 = 3;
/// How far a lattice point may be from its place, in cells.
const STRAY: f32 = 0.4;
/// How far the wave of a point reaches, in cells.
const REACH: f32 = 1.6;
/// Height of a wave as a share of its length times the rise of the ground, where that is far less steep than
/// it is rough.
const HEIGHT: f32 = 0.22;
/// By how much gullies may be steeper than the ground is rough.
const STEEPER: f32 = 3.0;

/// The gullies of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Gullies {
    /// By how much the ground rises from each sample to the next one in the south and in the east, and
    /// the height of a wave as long as they are apart, in half tiles.
    grounds: Grid<[f32; 3]>,
    level: u32,
    seed: u64,
    wraps: bool,
}

impl Gullies {
    /// The gullies of a map of that level, which is as rough as `roughness` says, with all heights
    /// multiplied by `strength`. Of the roughness what is not theirs stays: half of it on steep
    /// slopes. None, where an odd number of cells goes round.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn of(
        map: &Heightmap,
        level: u32,
        roughness: &mut Grid<f32>,
        strength: f32,
        seed: u64,
        job: &Job,
    ) -> Result<Option<Self>, Cancelled> {
        let (rows, columns, wraps) = (map.rows(), map.columns(), map.wraps());
        let is_even = |side: usize| side % 2 == 1;
        if wraps && !(is_even(rows) && is_even(columns)) {
            return Ok(None);
        }
        let mut grounds = Grid::filled(rows, columns, [0.0; 3]);
        let lines = grounds.as_mut_slice().chunks_mut(columns);
        let lines = lines.zip(roughness.as_mut_slice().chunks_mut(columns));
        parallel::over(lines).try_each(|row, (line, roughness)| {
            job.check()?;
            let [north, south] = beside(row, 1, rows, wraps).map(|row| map.row(row));
            let here = map.row(row);
            for (column, (ground, rough)) in line.iter_mut().zip(roughness).enumerate() {
                let [west, east] = beside(column, 1, columns, wraps);
                let rises = [south[column] - north[column], here[east] - here[west]];
                let [down, right] = rises.map(|rise| 0.5 * rise);
                let steep = (down * down + right * right).sqrt();
                let most = STEEPER * *rough;
                // The lesser of both where they are far apart, half of it where they are alike.
                let share = most / (steep + most).max(f32::MIN_POSITIVE);
                *ground = [down, right, HEIGHT * strength * steep * share];
                *rough *= 0.5 + 0.5 * share;
            }
            Ok::<(), Cancelled>(())
        })?;
        Ok(Some(Self {
            grounds,
            level,
            seed,
            wraps,
        }))
    }

    /// The deepest level that has gullies of its own.
    pub(super) fn last(&self) -> u32 {
        self.level + LEVELS
    }

    /// Adds the gullies times `factor` to the heights of a patch of that level.
    ///
    /// # Errors
    /// The job was cancelled.
    pub(super) fn add(
        &self,
        level: u32,
        factor: f32,
        patch: &mut Patch<f32>,
        job: &Job,
    ) -> Result<(), Cancelled> {
        let (rows, columns) = (patch.rows, patch.columns);
        let octaves: Vec<_> = (0..OCTAVES)
            .map(|octave| Octave::new(self, octave, level, rows, columns))
            .collect();
        let across: Vec<_> = (columns.first..=columns.last)
            .map(|column| along(column, level - self.level, self.grounds.columns()))
            .collect();
        let scratch = Tools::new(|| Row::new(columns.len()));
        let lines = parallel::over(patch.heights.chunks_mut(columns.len()));
        lines.at_least(8).try_each(|index, line| {
            job.check()?;
            let at = rows.first + index as i64;
            let down = along(at, level - self.level, self.grounds.rows());
            scratch.with(|row| {
                row.start(&self.grounds, down, &across);
                for octave in &octaves {
                    octave.add(at, row);
                }
                for (height, gully) in line.iter_mut().zip(&row.heights) {
                    *height += factor * gully;
                }
            });
            Ok(())
        })
    }
}

/// The waves of one length over a patch.
struct Octave {
    /// The length of a wave, in samples of the map.
    length: f32,
    /// By how many bits the places of the patch are finer than the lattice; below 0, coarser.
    finer: i32,
    /// The rows and columns of lattice points around the patch.
    rows: Span,
    columns: Span,
    /// How far each point is from its place, southwards and eastwards, in cells.
    strays: Vec<[f32; 2]>,
    /// The first of the lattice columns around each column of the patch, counted from the first of
    /// all, and where in its cell that column is.
    cells: Vec<(usize, f32)>,
}

impl Octave {
    fn new(gullies: &Gullies, octave: u32, level: u32, rows: Span, columns: Span) -> Self {
        let finer = (level - gullies.level) as i32 + 1 - octave as i32;
        let around = |span: Span| Span {
            first: cell(span.first, finer).0 - 1,
            last: cell(span.last, finer).0 + 2,
        };
        let (lattice_rows, lattice_columns) = (around(rows), around(columns));
        let stream = Stream::new(gullies.seed, Stage::Gullies, octave);
        // Points beyond the north and the west of a free map are there too.
        let number = |index: i64, side: usize| {
            let cells = ((side as i64 - 1) << octave) / 2;
            (if gullies.wraps {
                index.rem_euclid(cells)
            } else {
                index + 1
            }) as u64
        };
        let columns_of_points = lattice_columns.first..=lattice_columns.last;
        let jumps: Vec<_> = columns_of_points
            .map(|column| Jump::over(number(column, gullies.grounds.columns())))
            .collect();
        let mut strays = Vec::with_capacity(lattice_rows.len() * jumps.len());
        for row in lattice_rows.first..=lattice_rows.last {
            let row = number(row, gullies.grounds.rows());
            strays.extend(jumps.iter().map(|jump| {
                let bits = stream.number(row, *jump);
                // Each half of the bits is a number.
                [bits, bits << 16].map(|bits| STRAY * uniform(bits))
            }));
        }
        let cells = (columns.first..=columns.last).map(|column| {
            let (cell, part) = cell(column, finer);
            ((cell - 1 - lattice_columns.first) as usize, part)
        });
        Self {
            length: libm::ldexpf(2.0, -(octave as i32)),
            finer,
            rows: lattice_rows,
            columns: lattice_columns,
            strays,
            cells: cells.collect(),
        }
    }

    /// Adds the waves to a row of the patch.
    fn add(&self, at: i64, row: &mut Row) {
        let (cell, down) = cell(at, self.finer);
        across_slopes(&row.rises, &mut row.across);
        row.sums.fill([0.0; 3]);
        for lattice in 0..4 {
            let first = (cell - 1 + lattice - self.rows.first) as usize * self.columns.len();
            let strays = &self.strays[first..][..self.columns.len()];
            for beside in 0..4 {
                for ((first, part), way) in self.cells.iter().zip(&mut row.ways) {
                    let [south, east] = strays[first + beside];
                    *way = [
                        down - (lattice - 1) as f32 - south,
                        part - (beside as f32 - 1.0) - east,
                    ];
                }
                spread(&row.ways, &row.across, &mut row.sums);
            }
        }
        raise(self.length, row);
    }
}

/// The lattice cell that a place lies in, and where in it, if places are so many bits finer.
fn cell(place: i64, finer: i32) -> (i64, f32) {
    match u32::try_from(finer) {
        Ok(finer) => {
            let cell = place >> finer;
            let part = (place - (cell << finer)) as f32;
            (cell, part / (1_u32 << finer) as f32)
        }
        Err(_) => (place << -finer, 0.0),
    }
}

/// A row of a patch in the making.
struct Row {
    /// By how much the ground with its gullies rises, southwards and eastwards, from sample to sample.
    rises: Vec<[f32; 2]>,
    /// The height of a wave as long as samples of the map are apart.
    wave: Vec<f32>,
    /// The gullies.
    heights: Vec<f32>,
    /// The direction across the slope.
    across: Vec<[f32; 2]>,
    /// The way from a lattice point, in cells.
    ways: Vec<[f32; 2]>,
    /// The sums of weights, and of weighted cosines and sines.
    sums: Vec<[f32; 3]>,
}

impl Row {
    fn new(columns: usize) -> Self {
        Self {
            rises: vec![[0.0; 2]; columns],
            wave: vec![0.0; columns],
            heights: vec![0.0; columns],
            across: vec![[0.0; 2]; columns],
            ways: vec![[0.0; 2]; columns],
            sums: vec![[0.0; 3]; columns],
        }
    }

    /// Takes up the ground of a row.
    fn start(&mut self, grounds: &Grid<[f32; 3]>, down: Along, across: &[Along]) {
        let (north, south) = (grounds.row(down.first), grounds.row(down.second));
        for (index, along) in across.iter().enumerate() {
            let corners = [
                north[along.first],
                north[along.second],
                south[along.first],
                south[along.second],
            ];
            let [rise_south, rise_east, wave] = std::array::from_fn(|part| {
                let [a, b, c, d] = corners.map(|corner| corner[part]);
                let mix = |a: f32, b: f32, part: f32| a + (b - a) * part;
                mix(mix(a, b, along.part), mix(c, d, along.part), down.part)
            });
            self.rises[index] = [rise_south, rise_east];
            self.wave[index] = wave;
        }
        self.heights.fill(0.0);
    }
}

/// A wave of length 1: a parabola in place of each half of a sine.
#[inline(always)]
fn sine(turns: f32) -> f32 {
    // Adding this number rounds to a whole one.
    const WHOLE: f32 = 12_582_912.0;
    let part = turns - ((turns + WHOLE) - WHOLE);
    8.0 * part - 16.0 * part * part.abs()
}

vectorized! {
    /// The directions across slopes.
    fn across_slopes(rises: &[[f32; 2]], across: &mut [[f32; 2]]) {
        for ([south, east], across) in rises.iter().zip(across) {
            let steep = (south * south + east * east).sqrt().max(f32::MIN_POSITIVE);
            *across = [east / steep, -south / steep];
        }
    }

    /// Adds what spreads from a point of the lattice.
    fn spread(ways: &[[f32; 2]], across: &[[f32; 2]], sums: &mut [[f32; 3]]) {
        for ((way, across), sums) in ways.iter().zip(across).zip(sums) {
            let far = (way[0] * way[0] + way[1] * way[1]) * (1.0 / (REACH * REACH));
            let near = (1.0 - far).max(0.0);
            let weight = near * near;
            let turns = way[0] * across[0] + way[1] * across[1];
            sums[0] += weight;
            sums[1] += weight * sine(turns + 0.25);
            sums[2] += weight * sine(turns);
        }
    }

    /// Raises a row by waves of that length, and turns its slopes.
    fn raise(length: f32, row: &mut Row) {
        let all = row.heights.iter_mut().zip(&mut row.rises).zip(&row.wave);
        let all = all.zip(&row.across).zip(&row.sums);
        for ((((height, rises), wave), across), [weight, cosine, sine]) in all {
            *height += wave * length * cosine / weight;
            // What the height rises by across the slope; 2π is how steep a wave is.
            let rise = wave * std::f32::consts::TAU * -sine / weight;
            rises[0] += rise * across[0];
            rises[1] += rise * across[1];
        }
    }
}
