//! Rivers and lakes as pictures show them: where water is, finer than the samples of the map, and how
//! high its surface lies.
//!
//! Rivers are the ways of water through which enough land drains. Their middles are smooth curves
//! through the cells (`course`). What is near one knows the nearest point of it (`nearest`), so a
//! picture of any size draws sharp banks ([`Rivers::part`], and `shaders/common/rivers.glsl`, which
//! does the same). Lakes stand in hollows that a river flows through, as high as they overflow.
//!
//! The same map gives the same bytes on any number of threads.

use std::borrow::Cow;
use std::sync::Arc;

use crate::drainage::Drainage;
use crate::grid::Grid;
use crate::heightmap::{Heightmap, Heights};
use crate::job::{Cancelled, Job};
use crate::numbers::{smoothstep, thinning};
use crate::parallel;

mod course;
mod lakes;
mod nearest;
pub(crate) mod part;

use course::Courses;
use nearest::Near;

/// The most samples a side: of larger maps rivers are made on every second, fourth … sample.
pub const MOST_SAMPLES: usize = 4097;

/// The bytes of memory that [`Rivers::of`] takes for a sample, beside the map, the larger part of them
/// while it runs.
pub const BYTES_A_SAMPLE: u64 = 48;

/// The rows that a thread takes together.
const ROWS: usize = 16;

/// How far beyond its banks a river is known, in cells.
const BESIDE: f32 = 1.75;

/// The tangent of the slope of banks, where a river has cut into its valley.
const BANK: f32 = 0.7;

/// The lakes' depth where there is none near, in half tiles.
const DRY: f32 = -1.0;

/// Which waters are rivers, and how wide they are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The part of the land that must drain through a place for a river to begin there, 0…1.
    pub springs: f32,
    /// The width of a river that the whole land drains through, in half tiles, 0 and up. Other rivers
    /// are as wide as the root of their part of the land.
    pub width: f32,
}

/// The rivers and lakes of one map. Grids have a cell for each sample of the map, or of the map as it
/// is thinned to [`MOST_SAMPLES`].
#[derive(Clone, Debug, PartialEq)]
pub struct Rivers {
    /// The heights of the ground and of the water that stands or flows on it, in half tiles: wide rivers
    /// are level from bank to bank, and lakes are level.
    pub surface: Arc<Heightmap>,
    /// The part of a tile's side that a cell covers, eastwards and southwards.
    pub cell: [f32; 2],
    /// The river near each sample: the way to the nearest point of its middle, east and south, and there
    /// its direction downstream times half its width. Numbers count 1 / 32767 of [`Rivers::reach`];
    /// without a river near, all are 0.
    pub nearest: Grid<[i16; 4]>,
    /// The unit of [`Rivers::nearest`], in cells.
    pub reach: f32,
    /// How deep the lake is at each sample, in half tiles. Beside a lake it is how high the ground
    /// lies above it, below 0; elsewhere it is −1.
    pub lakes: Grid<f32>,
    /// The part of each sample's cell that is water, from 0 to 255; and 255 if there is water within a cell
    /// or two, else 0.
    pub part: Grid<[u8; 2]>,
}

impl Rivers {
    /// The rivers and lakes of `map`, which flow to the height `sea` if there is one; see
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

    /// The same of a map of which it is known where its water flows: `drainage` is that of
    /// [`shown`] of `map`, and `sea`. It is let go of as soon as the ways of water are found. Cost:
    /// that of [`Rivers::of`] without a drainage.
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
        // Without a sea they end in lakes.
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
        parallel::over(bands).try_each(|band, (heights, nearest)| {
            job.check()?;
            let first = band * ROWS;
            let count = heights.len() / columns;
            // The last row of a map that wraps is its first.
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

/// The samples of a map whose rivers are shown: all of them, or those of the map as it is thinned to
/// [`MOST_SAMPLES`] a side.
#[must_use]
pub fn shown(map: &Heightmap) -> Cow<'_, Heightmap> {
    if map.rows().max(map.columns()) > MOST_SAMPLES {
        Cow::Owned(map.thinned(MOST_SAMPLES))
    } else {
        Cow::Borrowed(map)
    }
}

/// The number of cells that must drain through a place for a river to begin there.
fn least_area(drainage: &Drainage, rule: &Rule) -> u32 {
    const FEWEST: f32 = 4.0;
    (rule.springs * drainage.cells() as f32).max(FEWEST) as u32
}

/// The height of the water on ground of that height or, without, of the ground: lakes are level, and
/// so are rivers, whose banks go up to the ground beside them.
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
