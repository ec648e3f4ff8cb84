//! Cubic resampling of a map to a grid of another size over the same ground.

use std::sync::Arc;

use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Resample the map to another number of samples, at least 2 a side of a surface, with the cubic of Catmull
/// and Rom (1974). Its corners stay in place. If the map is not square, samples have the same spacing down
/// and across, that of the longer side, and beyond the end of the shorter side the border is repeated. A
/// position on a sample has that sample's bits. The result wraps if the map did. With fewer samples the
/// result is decimated without averaging, as with fewer iterations. Where the nearest sample holds no data,
/// the new one does not, though its height is interpolated. Cost: a pass over the new map.
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
    let longer = [map.rows().max(map.columns()), rows.max(columns)];
    let axis = |samples, over| {
        if map.rows() == map.columns() {
            Axis::new(samples, over, 1, map.wraps())
        } else {
            Axis::of_shape(samples, longer)
        }
    };
    let axes = [axis(map.rows(), rows), axis(map.columns(), columns)];
    let valid = map.valid().map(|valid| {
        let [down, across] = &axes;
        let rows: Vec<_> = (0..rows).map(|row| down.place(row).nearest()).collect();
        let columns: Vec<_> = (0..columns).map(|at| across.place(at).nearest()).collect();
        Arc::new(valid.picked(&rows, &columns))
    });
    meet_all(map, axes, &mut heights, columns, job, |_, height| height)?;
    Ok(Heightmap::new(rows, columns, map.wraps(), heights).with_valid(valid))
}

/// Replace each of `values`, in rows of `columns`, by the result of `meet` for it and the height of `map`
/// at its position. The map is repeated `repeat` times across all of the values.
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
    let axes = [
        Axis::new(map.rows(), rows, repeat, map.wraps()),
        Axis::new(map.columns(), columns, repeat, map.wraps()),
    ];
    meet_all(map, axes, values, columns, job, meet)
}

/// Implementation of [`onto`] for given positions of samples down and across.
fn meet_all(
    map: &Heightmap,
    [down, across]: [Axis; 2],
    values: &mut [f32],
    columns: usize,
    job: &Job,
    meet: impl Fn(f32, f32) -> f32 + Sync,
) -> Result<(), Cancelled> {
    let across: Vec<SamplePlace> = (0..columns).map(|column| across.place(column)).collect();
    let rows = parallel::par_items(values.chunks_mut(columns)).at_least(16);
    rows.for_each_in(job, |row, values| {
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
    })
}

/// Positions of the samples along one side of a grid between those of the map.
pub(crate) struct Axis {
    /// Number of cells of the map along the side, at least 0.
    cells: usize,
    /// Number of cells of the grid that are as wide as `under` cells of the map.
    over: usize,
    under: usize,
    wraps: bool,
    /// True if the grid may reach beyond the map, which ends there.
    ends: bool,
}

/// Position of a sample of the grid, between the middle two of four samples of the map.
pub(crate) struct SamplePlace {
    samples: [usize; 4],
    /// Fraction of the distance from the second to the third.
    t: f32,
    /// True if the position is exactly on the second.
    exact: bool,
}

impl SamplePlace {
    /// Nearest sample of the map.
    fn nearest(&self) -> usize {
        self.samples[if self.t < 0.5 { 1 } else { 2 }]
    }

    /// Interpolated value from the map's samples; on a sample it has that sample's bits.
    #[inline(always)]
    pub fn value(&self, sample: impl Fn(usize) -> f32) -> f32 {
        if self.exact {
            sample(self.samples[1])
        } else {
            cubic(self.samples.map(sample), self.t)
        }
    }
}

impl Axis {
    /// Create the axis of a side of `over` samples, across which a map of `samples` is repeated `repeat`
    /// times.
    pub fn new(samples: usize, over: usize, repeat: u32, wraps: bool) -> Self {
        Self {
            cells: samples - 1,
            over: (over - 1).max(1),
            under: (samples - 1) * repeat as usize,
            wraps,
            ends: false,
        }
    }

    /// Create the axis of a side of `samples` samples, if the longer side has `longer` samples and is to
    /// have `over`.
    fn of_shape(samples: usize, [longer, over]: [usize; 2]) -> Self {
        Self {
            cells: samples - 1,
            over: (over - 1).max(1),
            under: longer - 1,
            wraps: false,
            ends: true,
        }
    }

    /// Position of a sample of the grid.
    pub fn place(&self, index: usize) -> SamplePlace {
        // Integer arithmetic, so that a position is exactly the same in a finer grid.
        let scaled = if self.ends {
            (index * self.under).min(self.cells * self.over)
        } else {
            index * self.under
        };
        let (whole, rest) = (scaled / self.over, scaled % self.over);
        let sample = |by: isize| {
            let at = whole as isize + by;
            match self.cells {
                0 => 0,
                cells if self.wraps => at.rem_euclid(cells as isize) as usize,
                cells => at.clamp(0, cells as isize) as usize,
            }
        };
        SamplePlace {
            samples: [sample(-1), sample(0), sample(1), sample(2)],
            t: (rest as f64 / self.over as f64) as f32,
            exact: rest == 0,
        }
    }
}

/// Catmull-Rom cubic at `t`, 0…1, between the middle two of four evenly spaced samples.
pub(crate) fn cubic([a, b, c, d]: [f32; 4], t: f32) -> f32 {
    let slope = 0.5 * (c - a);
    let second = a - 2.5 * b + 2.0 * c - 0.5 * d;
    let third = 0.5 * (d - a) + 1.5 * (b - c);
    b + t * (slope + t * (second + t * third))
}
