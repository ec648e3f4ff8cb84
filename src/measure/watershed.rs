//! The watershed of a point: the land whose water flows through it.

use crate::drainage::{BYTES_A_SAMPLE, Drainage};
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::memory;

/// The land that drains through one sample of a map.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watershed {
    /// The row of the sample.
    pub row: usize,
    /// The column of the sample.
    pub column: usize,
    /// The area in squares of half tiles. A sample in the sea has that of the land whose water
    /// enters the sea there.
    pub area: f64,
    /// The area as a share of the land, 0…1: of all samples above the sea, each of a map that wraps
    /// counted once.
    pub share: f64,
}

/// The watershed of the sample nearest to a place `[x, z]`, east and south of the map's middle in half
/// tiles, with rivers that end at the height `sea` or as [`Drainage::of`] says; `None` beyond the map,
/// of a ridge, and where there is not the memory for it. Cost: that of [`Drainage::of`], and a pass.
///
/// # Errors
/// The job was cancelled.
pub fn watershed(
    map: &Heightmap,
    sea: Option<f32>,
    place: [f32; 2],
    job: &Job,
) -> Result<Option<Watershed>, Cancelled> {
    let bytes = map.heights().len() as u64 * (BYTES_A_SAMPLE + 1);
    let sample = nearest(map, place).filter(|_| !map.is_profile() && memory::check(bytes).is_ok());
    let Some((row, column)) = sample else {
        return Ok(None);
    };
    let drainage = Drainage::of(map, sea, job)?;
    job.check()?;
    let belongs = drainage.watershed(drainage.cell(row, column));
    let across = map.columns() - usize::from(drainage.cells() < map.heights().len());
    let is_land = |cell: usize| sea.is_none_or(|sea| map.at(cell / across, cell % across) > sea);
    let (mut land, mut drained) = (0u64, 0u64);
    for (cell, belongs) in belongs.into_iter().enumerate() {
        if is_land(cell) {
            land += 1;
            drained += u64::from(belongs);
        }
    }
    let spacing = f64::from(drainage.spacing());
    Ok(Some(Watershed {
        row,
        column,
        area: drained as f64 * spacing * spacing,
        share: drained as f64 / land.max(1) as f64,
    }))
}

/// The row and the column of the sample nearest to a place, which is on the map or half a sample
/// beside it.
fn nearest(map: &Heightmap, [x, z]: [f32; 2]) -> Option<(usize, usize)> {
    let index = |at: f32, count: usize| {
        let index = f64::from(at) / f64::from(map.spacing()) + (count as f64 - 1.0) / 2.0;
        let near = (index + 0.5).floor();
        (0.0..count as f64).contains(&near).then_some(near as usize)
    };
    index(z, map.rows()).zip(index(x, map.columns()))
}
