//! The lakes of a map: the hollows that a river flows through, up to the height at which they
//! overflow.

use super::DRY;
use crate::drainage::Drainage;
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::job::{Cancelled, Job};
use crate::parallel;

/// How deep the lake is at each sample, in half tiles: below 0 on land beside one, [`DRY`] elsewhere.
/// A lake is a hollow that at least `least_area` cells drain through, and all land below `ends`, the
/// height where the rivers end.
pub(super) fn depths(
    map: &Heightmap,
    drainage: &Drainage,
    ends: Option<f32>,
    least_area: u32,
    job: &Job,
) -> Result<Grid<f32>, Cancelled> {
    let drains = drains(drainage, job)?;
    let ends = ends.unwrap_or(f32::NEG_INFINITY);
    let depth = |cell: usize| {
        let ground = drainage.height(map, cell);
        let through = drains[cell];
        match drainage.depth(cell) {
            _ if ground < ends => Some(ends - ground),
            deep if deep > 0.0 && through >= least_area => Some(deep),
            _ => None,
        }
    };
    let (rows, columns) = (map.rows(), map.columns());
    let mut depths = Grid::filled(rows, columns, DRY);
    let out = parallel::over(depths.as_mut_slice().chunks_mut(columns));
    out.at_least(8).try_each(|row, out| {
        job.check()?;
        for (column, out) in out.iter_mut().enumerate() {
            let cell = drainage.cell(row, column);
            if let Some(deep) = depth(cell) {
                *out = deep;
                continue;
            }
            // The highest lake beside it.
            drainage.each_beside(cell, |beside| {
                if let Some(deep) = depth(beside) {
                    let level = drainage.height(map, beside) + deep;
                    *out = out.max((level - map.at(row, column)).min(0.0)).max(DRY);
                }
            });
        }
        Ok(())
    })?;
    Ok(depths)
}

/// How many cells drain through the lake on each cell of one.
fn drains(drainage: &Drainage, job: &Job) -> Result<Vec<u32>, Cancelled> {
    drainage.upstream(job, |cell, below| {
        match below {
            // The same lake goes on upstream.
            Some(below) if below > 0 && drainage.depth(cell) > 0.0 => below,
            _ if drainage.depth(cell) > 0.0 => drainage.area(cell),
            _ => 0,
        }
    })
}
