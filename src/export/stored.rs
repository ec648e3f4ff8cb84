//! Heights of an imported file on their way out again, bit for bit. A scene has heights in half tiles, of 32
//! bits, so that metres come back a little rounded: 926.99994 for 927. Where no step changes the heights of a
//! file, its own numbers are written.

use super::ExportError;
use super::memory::check_free;
use crate::formats::metres::in_half_tiles;
use crate::fractal::region::Region;
use crate::generate::Generator;
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::import;
use crate::job::Job;
use crate::pipeline;
use crate::scene::Scene;

/// Heights that differ by no more than a few roundings are the file's, as a part of the largest.
const ROUNDING: f64 = 1.0 / (1 << 21) as f64;

/// Metres as a file has them, of a piece of a map; not a number where there is no data.
#[derive(Debug)]
pub struct Stored {
    /// With all their bits.
    pub metres: Grid<f64>,
    /// The same in 32 bits.
    pub rounded: Heightmap,
    /// Whether 32 bits hold each of them.
    pub is_single: bool,
}

impl Stored {
    /// Those of a rectangle of a map, the southern row first if it is flipped.
    ///
    /// # Errors
    /// There is too little memory.
    pub fn part(all: &Grid<f64>, region: Region, flipped: bool) -> Result<Self, ExportError> {
        let (rows, columns) = (region.rows, region.columns);
        check_free((rows * columns) as u64 * 12)?;
        let mut metres = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            let row = if flipped { rows - 1 - row } else { row };
            let row = all.row(region.row as usize + row);
            metres.extend_from_slice(&row[region.column as usize..][..columns]);
        }
        let rounded: Vec<f32> = metres.iter().map(|metres| *metres as f32).collect();
        let is_single = metres
            .iter()
            .zip(&rounded)
            .all(|(metres, rounded)| metres.is_nan() || f64::from(*rounded) == *metres);
        Ok(Self {
            rounded: Heightmap::new(rows, columns, false, rounded),
            metres: Grid::from_vec(rows, columns, metres)
                .ok_or(ExportError::Memory { needed: 0, free: 0 })?,
            is_single,
        })
    }
}

/// The metres of the file that a scene shows, if its `map` has the heights of that file; read again, since
/// nobody keeps them.
pub fn of(scene: &Scene, map: &Heightmap, job: &Job) -> Option<Grid<f64>> {
    let surface = pipeline::surface_of(scene);
    let path = surface
        .input
        .as_deref()
        .filter(|_| surface.generator == Generator::Image)?;
    let metres = import::stored_metres(path, &surface.reading, job).ok()??;
    if (metres.rows(), metres.columns()) != (map.rows(), map.columns()) {
        return None;
    }
    let (low, high) = map.range();
    let most = f64::from(low.abs().max(high.abs())) * ROUNDING;
    let is_same = metres
        .as_slice()
        .iter()
        .zip(map.heights())
        .all(|(metres, height)| {
            let stored = f64::from(in_half_tiles(*metres, surface.tile_size_m));
            // Where the file holds no data there is nothing to compare.
            metres.is_nan() || (stored - f64::from(*height)).abs() <= most
        });
    is_same.then_some(metres)
}
