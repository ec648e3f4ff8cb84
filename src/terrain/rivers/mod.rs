//! Rivers and lakes for rendering, at a finer resolution than the samples of the map.
//!
//! Rivers are the flow paths with a large enough drainage area. Their centrelines are smooth curves through
//! the cells (`course`). A nearest-river field stores the nearest point of a centreline for each sample near
//! one (`nearest`), so that banks are sharp at any size of the picture ([`Rivers::part`], and
//! `shaders/common/rivers.glsl`, which does the same). Lakes stand in depressions with a river, up to their
//! outlets.
//! The same map gives the same bytes on any number of threads.

use std::borrow::Cow;
use std::sync::Arc;

use crate::terrain::drainage::Drainage;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Heights};
use crate::util::job::{Cancelled, Job};
use crate::util::numbers::{smoothstep, thinning};
use crate::util::parallel;

mod course;
mod lakes;
mod nearest;
pub(crate) mod part;

use course::Courses;
use nearest::Near;

/// Largest number of samples a side; rivers of larger maps are computed on every second, fourth … sample.
pub const MOST_SAMPLES: usize = 4097;

/// Memory of [`Rivers::of`] in bytes a sample, besides the map, most of it only while it runs.
pub const BYTES_A_SAMPLE: u64 = 48;

/// Number of rows per parallel task.
const ROWS: usize = 16;

/// Distance beyond its banks up to which a river is stored, in cells.
const BESIDE: f32 = 1.75;

/// Tangent of the slope of banks, where a river has cut into its valley.
const BANK: f32 = 0.7;

/// Lake depth far from any lake, in half tiles.
const DRY: f32 = -1.0;

/// Parameters of rivers: where they start, and their width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Drainage area from which a river starts, as a share of the land, 0…1.
    pub springs: f32,
    /// Width of a river that drains the whole land, in half tiles, 0 and up. The width of a river is
    /// proportional to the square root of its drainage area.
    pub width: f32,
}

/// Rivers and lakes of one map. Grids have a cell for each sample of the map, or of the map decimated to
/// [`MOST_SAMPLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// Heights of the ground with the water on it, in half tiles: wide rivers are level from bank to bank,
    /// and lakes are level.
    pub surface: Arc<Heightmap>,
    /// Size of a cell relative to the tile's side, eastwards and southwards.
    pub cell: [f32; 2],
    /// Nearest-river field: the offset to the nearest point of a centreline, east and south, and the
    /// direction downstream there times half the width. The unit is 1 / 32767 of [`Rivers::reach`]; without
    /// a river nearby all are 0.
    pub nearest: Grid<[i16; 4]>,
    /// Full scale of [`Rivers::nearest`], in cells.
    pub reach: f32,
    /// Depth of the lake at each sample, in half tiles. Next to a lake it is negative, the height of the
    /// water relative to the ground; elsewhere it is −1.
    pub lakes: Grid<f32>,
    /// Water coverage of each sample's cell, from 0 to 255; and 255 if there is water within a cell or two,
    /// else 0.
    pub part: Grid<[u8; 2]>,
}

impl Rivers {
    /// Compute the rivers and lakes of `map`, which flow to the height `sea` if there is one; see
    /// [`Drainage::of`].
    ///
    /// Cost: that of [`Drainage::of`] and about 30 ns a sample on one thread; 45 bytes a sample while it
    /// is made, 17 afterwards.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn of(
        map: &Heightmap,
        sea: Option<f32>,
        rule: &Rule,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let drainage = Arc::new(Drainage::of(&shown(map), sea, job)?);
        Self::drained(map, drainage, sea, rule, job)
    }

    /// Compute the rivers and lakes from an existing drainage of [`shown`] of `map`, and `sea`. `drainage` is
    /// dropped as soon as the flow paths are traced. Cost: that of [`Rivers::of`] without the drainage.
    ///
    /// # Errors
    /// The job was cancelled.
    pub fn drained(
        map: &Heightmap,
        drainage: Arc<Drainage>,
        sea: Option<f32>,
        rule: &Rule,
        job: &Job,
    ) -> Result<Self, Cancelled> {
        let step = thinning(map.rows().max(map.columns()), MOST_SAMPLES);
        let cell = [map.columns(), map.rows()];
        let cell = cell.map(|count| step as f32 / (count - 1).max(1) as f32);
        let map = &*shown(map);
        let least_area = least_area(&drainage, rule);
        // Without a sea, land below the base level of erosion counts as lake.
        let ends = map.base().filter(|_| sea.is_none());
        let lakes = lakes::depths(map, &drainage, ends, least_area, job)?;
        let courses = Courses::of(map, &drainage, rule, least_area, job)?;
        let shape = drainage.shape();
        drop(drainage);
        let reach = courses.widest() + BESIDE;
        let (rows, columns) = (map.rows(), map.columns());
        let mut heights = Heights::from(map.heights().to_vec());
        let mut nearest = Grid::filled(rows, columns, [0; 4]);
        let bands = heights.chunks_mut(ROWS * columns);
        let bands = bands.zip(nearest.as_mut_slice().chunks_mut(ROWS * columns));
        parallel::par_items(bands).try_each(|band, (heights, nearest)| {
            job.check()?;
            let first = band * ROWS;
            let count = heights.len() / columns;
            // The last row of a map that wraps repeats its first.
            let known = first..(first + count).min(shape.rows);
            let mut near = nearest::of_rows(&courses, shape, known.clone(), BESIDE);
            if known.len() < count {
                near.extend(nearest::of_rows(&courses, shape, 0..1, BESIDE));
            }
            for (index, (height, packed)) in heights.iter_mut().zip(nearest).enumerate() {
                let (row, column) = (index / columns, index % columns);
                let near = &near[row * shape.columns + column % shape.columns];
                let lake = lakes.at(first + row, column);
                *height = surface(*height, map.spacing(), near, lake);
                *packed = near.packed(reach);
            }
            Ok(())
        })?;
        let mut rivers = Self {
            surface: Arc::new(Heightmap::new(rows, columns, map.wraps(), heights)),
            cell,
            nearest,
            reach,
            lakes,
            part: Grid::filled(rows, columns, [0; 2]),
        };
        rivers.part = rivers.parts(job)?;
        Ok(rivers)
    }
}

/// Map whose rivers are shown: the map itself, or decimated to [`MOST_SAMPLES`] a side.
#[must_use]
pub fn shown(map: &Heightmap) -> Cow<'_, Heightmap> {
    if map.rows().max(map.columns()) > MOST_SAMPLES {
        Cow::Owned(map.thinned(MOST_SAMPLES))
    } else {
        Cow::Borrowed(map)
    }
}

/// Drainage area in cells from which a river starts.
fn least_area(drainage: &Drainage, rule: &Rule) -> u32 {
    const FEWEST: f32 = 4.0;
    (rule.springs * drainage.cells() as f32).max(FEWEST) as u32
}

/// Height of the water at a sample or, without water, of the ground: lakes are level, and so are rivers,
/// whose banks rise to the ground around.
fn surface(ground: f32, spacing: f32, near: &Near, lake: f32) -> f32 {
    if lake > 0.0 {
        return ground + lake;
    }
    if near.beside > BESIDE {
        return ground;
    }
    let bank = near.level + near.beside.max(0.0) * spacing * BANK;
    let part = 1.0 - smoothstep(near.beside / BESIDE);
    ground + (bank.min(ground) - ground) * part
}
