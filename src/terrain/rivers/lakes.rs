//! Lakes of a map: depressions with a river, filled up to their outlets.

use super::DRY;
use crate::terrain::drainage::Drainage;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::{Cancelled, Job};
use crate::util::parallel;

/// Depth of the lake at each sample, in half tiles: negative on land next to a lake, [`DRY`] elsewhere. A
/// lake is a depression with a drainage area of at least `least_area` cells, and all land below `ends`, the
/// base level of the rivers.
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
    let out = parallel::par_items(depths.as_mut_slice().chunks_mut(columns));
    out.at_least(8).try_each(|row, out| {
        job.check()?;
        for (column, out) in out.iter_mut().enumerate() {
            let cell = drainage.cell(row, column);
            if let Some(deep) = depth(cell) {
                *out = deep;
                continue;
            }
            // Next to several lakes the highest one counts.
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

/// Drainage area of the lake at each cell, 0 outside lakes.
fn drains(drainage: &Drainage, job: &Job) -> Result<Vec<u32>, Cancelled> {
    drainage.upstream(job, |cell, below| {
        match below {
            // The same lake continues upstream.
            Some(below) if below > 0 && drainage.depth(cell) > 0.0 => below,
            _ if drainage.depth(cell) > 0.0 => drainage.area(cell),
            _ => 0,
        }
    })
}
