//! Gullies: procedural erosion detail on the slopes between the samples of an eroded map.
//!
//! Three octaves of waves run across the slope, so their crests and troughs run down it. Their height
//! depends on the steepness and the roughness of the ground, so plains and deep sediment have none. Each
//! octave follows the slope left by those before it, so small gullies run into larger ones. A wave is a
//! weighted mean of kernels: each cell of a lattice has a point at a jittered position with a cosine around
//! it, and nearer points have larger weights. The idea is that of Gabor noise (Lagae et al. 2009), oriented
//! by the slope.
//!
//! ```text
//! height between samples = diamond-square of (samples − gullies) + gullies
//! ```
//! So no sample moves, and any part of any level has the same numbers. Gullies cover four levels; finer
//! levels continue with displacements. Cost: about 100 ns a point.

use super::patch::{Patch, Span};
use super::roughness::{Along, along, beside};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel::{self, Tools};
use crate::util::rng::{Jump, Stage, Stream, uniform};

/// Number of finer levels with gullies: at the last one the shortest wave spans eight samples.
pub(super) const LEVELS: u32 = 4;

/// Number of octaves. The wavelength of the first is two samples of the map, which is also the cell size
/// of its lattice.
const OCTAVES: u32 = 3;
/// Largest offset of a lattice point from its regular position, in cells.
const STRAY: f32 = 0.4;
/// Radius of the kernel of a point, in cells.
const REACH: f32 = 1.6;
/// Height of a wave relative to its length times the rise of the ground, where the slope is much less than
/// the roughness.
const HEIGHT: f32 = 0.22;
/// Limit of the steepness of gullies, as a multiple of the roughness.
const STEEPER: f32 = 3.0;

/// Gullies of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Gullies {
    /// Rise of the ground to the next sample southwards and eastwards, and height of a wave as long as the
    /// sample spacing, in half tiles.
    grounds: Grid<[f32; 3]>,
    level: u32,
    seed: u64,
    wraps: bool,
}

impl Gullies {
    /// Create the gullies of a map of a level and a roughness, with all heights multiplied by `strength`. The
    /// roughness is reduced by the share of the gullies, to half of it on steep slopes. `None` for a map that
    /// wraps with an odd number of cells.
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
        parallel::par_items(lines).for_each_in(job, |row, (line, roughness)| {
            let [north, south] = beside(row, 1, rows, wraps).map(|row| map.row(row));
            let here = map.row(row);
            for (column, (ground, rough)) in line.iter_mut().zip(roughness).enumerate() {
                let [west, east] = beside(column, 1, columns, wraps);
                let rises = [south[column] - north[column], here[east] - here[west]];
                let [down, right] = rises.map(|rise| 0.5 * rise);
                let steep = (down * down + right * right).sqrt();
                let most = STEEPER * *rough;
                // Harmonic-like blend: the lesser of both if they differ much, half of it if they are equal.
                let share = most / (steep + most).max(f32::MIN_POSITIVE);
                *ground = [down, right, HEIGHT * strength * steep * share];
                *rough *= 0.5 + 0.5 * share;
            }
        })?;
        Ok(Some(Self {
            grounds,
            level,
            seed,
            wraps,
        }))
    }

    /// Remove the gullies from rock, given its share 0…255 at each sample of the map.
    pub(super) fn fill(&mut self, rock: &Grid<u8>) {
        let grounds = self.grounds.as_mut_slice().iter_mut();
        for ([_, _, height], share) in grounds.zip(rock.as_slice()) {
            *height *= f32::from(u8::MAX - share) / 255.0;
        }
    }

    /// Finest level with gullies of its own.
    pub(super) fn last(&self) -> u32 {
        self.level + LEVELS
    }

    /// Add the gullies times `factor` to the heights of a patch of a level.
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
        let lines = parallel::par_items(patch.heights.chunks_mut(columns.len()));
        lines.at_least(8).for_each_in(job, |index, line| {
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
        })
    }
}

/// Waves of one length over a patch.
struct Octave {
    /// Wavelength, in samples of the map.
    length: f32,
    /// Bits by which positions of the patch are finer than the lattice; negative if coarser.
    finer: i32,
    /// Rows and columns of lattice points around the patch.
    rows: Span,
    columns: Span,
    /// Offset of each point from its regular position, southwards and eastwards, in cells.
    strays: Vec<[f32; 2]>,
    /// First of the lattice columns around each column of the patch, as an index from the first of all, and
    /// the position of that column in its cell.
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
        // Points beyond the northern and the western border of a free map have numbers, too.
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
                // The low half of the bits serves as a second random number.
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

    /// Add the waves to a row of the patch.
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

/// Lattice cell of a position, and the position in it, if positions are `finer` bits finer.
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

/// State of a row of a patch.
struct Row {
    /// Rise of the ground with its gullies so far, southwards and eastwards, per sample.
    rises: Vec<[f32; 2]>,
    /// Height of a wave as long as the sample spacing of the map.
    wave: Vec<f32>,
    /// Heights of the gullies.
    heights: Vec<f32>,
    /// Direction across the slope.
    across: Vec<[f32; 2]>,
    /// Offset from a lattice point, in cells.
    ways: Vec<[f32; 2]>,
    /// Sums of weights, and of weighted cosines and sines.
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

    /// Interpolate the ground of a row.
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

/// Sine of `turns` full turns, approximated by a parabola for each half wave.
#[inline(always)]
fn sine(turns: f32) -> f32 {
    // Adding this number rounds to a whole one.
    const WHOLE: f32 = 12_582_912.0;
    let part = turns - ((turns + WHOLE) - WHOLE);
    8.0 * part - 16.0 * part * part.abs()
}

vectorized! {
    /// Compute the directions across slopes.
    fn across_slopes(rises: &[[f32; 2]], across: &mut [[f32; 2]]) {
        for ([south, east], across) in rises.iter().zip(across) {
            let steep = (south * south + east * east).sqrt().max(f32::MIN_POSITIVE);
            *across = [east / steep, -south / steep];
        }
    }

    /// Add the kernels of the points of one lattice row and column offset.
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

    /// Add waves of a length to the heights of a row, and update its slopes.
    fn raise(length: f32, row: &mut Row) {
        let all = row.heights.iter_mut().zip(&mut row.rises).zip(&row.wave);
        let all = all.zip(&row.across).zip(&row.sums);
        for ((((height, rises), wave), across), [weight, cosine, sine]) in all {
            *height += wave * length * cosine / weight;
            // Slope of the wave across the slope of the ground; a wave of height 1 and length 1 has slope 2π.
            let rise = wave * std::f32::consts::TAU * -sine / weight;
            rises[0] += rise * across[0];
            rises[1] += rise * across[1];
        }
    }
}
