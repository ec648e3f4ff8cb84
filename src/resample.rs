//! A map at other places than its samples: on a grid of another size, over the same ground.

use rayon::prelude::*;

use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};

/// The map with another number of samples, at least 2 a side of a surface: its corners stay where
/// they are, heights between samples follow Catmull and Rom's cubic (1974), and where a place is
/// a sample's its height has that sample's bits. It wraps if the map did. Fewer samples are
/// samples of the map too, not averages, as fewer iterations are. Cost: a pass over the new map.
///
/// # Errors
/// The job was cancelled.
pub fn resample(
    map: &Heightmap,
    rows: usize,
    columns: usize,
    job: &Job,
) -> Result<Heightmap, Cancelled> {
    let mut heights = vec![0.0; rows * columns];
    onto(map, 1, &mut heights, columns, job, |_, height| height)?;
    Ok(Heightmap::new(rows, columns, map.wraps(), heights))
}

/// Hands each of `values`, rows of `columns`, and the height of `map` under it to `meet`, whose
/// answer takes its place; the map lies `repeat` times across the whole of them.
///
/// # Errors
/// The job was cancelled.
pub fn onto(
    map: &Heightmap,
    repeat: u32,
    values: &mut [f32],
    columns: usize,
    job: &Job,
    meet: impl Fn(f32, f32) -> f32 + Sync,
) -> Result<(), Cancelled> {
    let rows = values.len() / columns;
    let down = Axis::new(map.rows(), rows, repeat, map.wraps());
    let across: Vec<Place> = {
        let axis = Axis::new(map.columns(), columns, repeat, map.wraps());
        (0..columns).map(|column| axis.place(column)).collect()
    };
    values
        .par_chunks_mut(columns)
        .enumerate()
        .with_min_len(16)
        .try_for_each(|(row, values)| {
            job.check()?;
            let place = down.place(row);
            let lines = place.samples.map(|index| map.row(index));
            for (value, across) in values.iter_mut().zip(&across) {
                let height = if place.exact && across.exact {
                    lines[1][across.samples[1]]
                } else {
                    let along = lines.map(|line| cubic(across.samples.map(|i| line[i]), across.t));
                    cubic(along, place.t)
                };
                *value = meet(*value, height);
            }
            Ok(())
        })
}

/// How samples along one side of a grid fall between those of the map.
struct Axis {
    /// Cells of the map along the side, at least 0.
    cells: usize,
    /// Cells of the grid.
    over: usize,
    repeat: usize,
    wraps: bool,
}

/// Where a sample of the grid falls: between the middle two of four samples of the map.
struct Place {
    samples: [usize; 4],
    /// Share of the way from the second to the third.
    t: f32,
    /// Whether it is exactly on the second.
    exact: bool,
}

impl Axis {
    fn new(samples: usize, over: usize, repeat: u32, wraps: bool) -> Self {
        Self {
            cells: samples - 1,
            over: (over - 1).max(1),
            repeat: repeat as usize,
            wraps,
        }
    }

    fn place(&self, index: usize) -> Place {
        // In whole numbers, so that the same spot is the same place in a finer grid.
        let scaled = index * self.cells * self.repeat;
        let (whole, rest) = (scaled / self.over, scaled % self.over);
        let sample = |by: isize| {
            let at = whole as isize + by;
            match self.cells {
                0 => 0,
                cells if self.wraps => at.rem_euclid(cells as isize) as usize,
                cells => at.clamp(0, cells as isize) as usize,
            }
        };
        Place {
            samples: [sample(-1), sample(0), sample(1), sample(2)],
            t: (rest as f64 / self.over as f64) as f32,
            exact: rest == 0,
        }
    }
}

/// Catmull and Rom's cubic through the middle two of four evenly spaced samples.
fn cubic([a, b, c, d]: [f32; 4], t: f32) -> f32 {
    let slope = 0.5 * (c - a);
    let second = a - 2.5 * b + 2.0 * c - 0.5 * d;
    let third = 0.5 * (d - a) + 1.5 * (b - c);
    b + t * (slope + t * (second + t * third))
}
