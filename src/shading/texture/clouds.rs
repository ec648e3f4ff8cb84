//! Cloud texture: a fractal map read as opacity (Martz 1996). Low heights are blue sky, high ones are white
//! cloud.

use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Colour of clear sky, sRGB.
pub const SKY: [f32; 3] = [0.4, 0.4, 0.9];
/// Colour of the thickest cloud, sRGB.
pub const CLOUD: [f32; 3] = [0.9, 0.9, 0.9];
/// Deviation from the mean, relative to A, at which sky is clear or cloud is full.
pub const CONTRAST: f32 = 0.2;

/// Create the cloud texture (sRGB) of a map whose first pass had the range `amplitude`: heights are clamped
/// to mean ± 0.2·A, and then mapped linearly from sky to cloud. For a map that wraps the last row and
/// column are left out, so that the texture tiles. It is computed on all threads of the current rayon pool,
/// whose number changes no texel.
///
/// # Errors
/// The job was cancelled.
pub fn texture(map: &Heightmap, amplitude: f32, job: &Job) -> Result<Grid<[u8; 3]>, Cancelled> {
    texels(map, amplitude, job, |t| {
        let color = |i: usize| (SKY[i] + (CLOUD[i] - SKY[i]) * t) * 255.0;
        std::array::from_fn(|i| color(i).round() as u8)
    })
}

/// Cloud opacity in each texel of [`texture`]: 0 is clear sky, 1 the thickest cloud.
///
/// # Errors
/// The job was cancelled.
pub fn opacity(map: &Heightmap, amplitude: f32, job: &Job) -> Result<Grid<f32>, Cancelled> {
    texels(map, amplitude, job, |t| t)
}

/// Compute the percentile rank of each texel, 0 for the lowest and 255 for the highest (histogram
/// equalization). Clouds above the rank 1 − c therefore cover the fraction c of the sky, whatever the map.
/// The size is that of [`texture`].
///
/// # Errors
/// The job was cancelled.
pub fn ranks(map: &Heightmap, job: &Job) -> Result<Grid<u8>, Cancelled> {
    const BINS: usize = 1 << 14;
    let (low, high) = map.range();
    let scale = if high > low {
        (BINS - 1) as f32 / (high - low)
    } else {
        0.0
    };
    let bin = |height: f32| ((height - low) * scale) as usize;
    let repeat = usize::from(map.wraps());
    let (rows, columns) = (map.rows() - repeat, map.columns() - repeat);
    let mut below = vec![0_u64; BINS];
    for row in 0..rows {
        job.check()?;
        for height in &map.row(row)[..columns] {
            below[bin(*height).min(BINS - 1)] += 1;
        }
    }
    let mut sum = 0;
    let all = (rows * columns).max(1) as f64;
    let rank: Vec<u8> = below
        .iter()
        .map(|count| {
            let middle = sum as f64 + *count as f64 * 0.5;
            sum += count;
            (middle / all * 255.0 + 0.5) as u8
        })
        .collect();
    let mut ranks = Grid::filled(rows, columns, 0);
    let out = parallel::par_items(ranks.as_mut_slice().chunks_mut(columns));
    out.at_least(16).for_each_in(job, |row, out| {
        for (out, height) in out.iter_mut().zip(map.row(row)) {
            *out = rank[bin(*height).min(BINS - 1)];
        }
    })?;
    Ok(ranks)
}

/// Pack the ranks with their slopes for the sky's shader. Red is the rank; green and blue are its rise over
/// 16 texels along x and z, with 128 for level and the same steps as ranks. The map is periodic.
#[must_use]
pub fn slopes(ranks: &Grid<u8>) -> Grid<[u8; 4]> {
    const REACH: usize = 8;
    let (rows, columns) = (ranks.rows(), ranks.columns());
    let mut texels = Grid::filled(rows, columns, [0; 4]);
    let out = parallel::par_items(texels.as_mut_slice().chunks_mut(columns));
    out.at_least(16).for_each(|row, out| {
        let before = |at: usize, count: usize| (at + count - REACH % count) % count;
        let after = |at: usize, count: usize| (at + REACH) % count;
        let rise = |from: u8, to: u8| (128 + (i32::from(to) - i32::from(from))).clamp(0, 255) as u8;
        let (north, south) = (before(row, rows), after(row, rows));
        for (column, out) in out.iter_mut().enumerate() {
            let (west, east) = (before(column, columns), after(column, columns));
            let at = |row, column| ranks.at(row, column);
            let x = rise(at(row, west), at(row, east));
            *out = [
                at(row, column),
                x,
                rise(at(north, column), at(south, column)),
                255,
            ];
        }
    });
    texels
}

fn texels<T: Copy + Default + Send>(
    map: &Heightmap,
    amplitude: f32,
    job: &Job,
    texel: impl Fn(f32) -> T + Sync,
) -> Result<Grid<T>, Cancelled> {
    let repeat = usize::from(map.wraps());
    let (rows, columns) = (map.rows() - repeat, map.columns() - repeat);
    let mean = {
        let mut sum: f64 = 0.0;
        for row in 0..rows {
            job.check()?;
            // This is not parallel, since a floating-point sum depends on the order.
            sum = map.row(row)[..columns]
                .iter()
                .fold(sum, |sum, h| sum + f64::from(*h));
        }
        (sum / (rows * columns) as f64) as f32
    };
    let reach = CONTRAST * amplitude;
    let cover = |height: &f32| {
        if reach > 0.0 {
            ((height - mean) / reach).clamp(-1.0, 1.0) * 0.5 + 0.5
        } else {
            0.5
        }
    };
    let mut texels = Grid::filled(rows, columns, T::default());
    let texel_rows = parallel::par_items(texels.as_mut_slice().chunks_mut(columns));
    texel_rows.at_least(16).for_each_in(job, |row, texels| {
        for (out, height) in texels.iter_mut().zip(map.row(row)) {
            *out = texel(cover(height));
        }
    })?;
    Ok(texels)
}
