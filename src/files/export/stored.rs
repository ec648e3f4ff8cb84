//! Bit-exact export of imported heights. Scenes keep 32-bit heights in half tiles, so metres come back
//! slightly rounded: 926.99994 for 927. If no step of the scene changes the heights of a file, its
//! original numbers are written.

use super::error::ExportError;
use super::memory::check_free;
use crate::files::formats::metres::in_half_tiles;
use crate::files::import;
use crate::fractal::region::Region;
use crate::generate::Generator;
use crate::pipeline;
use crate::scene::Scene;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;

/// Tolerance for unchanged heights, as a fraction of the largest height: a few rounding errors.
const ROUNDING: f64 = 1.0 / (1 << 21) as f64;

/// Original metres of a piece of an imported file; NaN where there is no data.
#[derive(Debug)]
pub struct Stored {
    /// Metres as 64-bit floats.
    pub metres: Grid<f64>,
    /// Metres rounded to 32-bit floats.
    pub rounded: Heightmap,
    /// True if 32-bit floats hold all metres exactly.
    pub is_single: bool,
}

impl Stored {
    /// Original metres of a rectangle of a map, the southern row first if `flipped`.
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

/// Original metres of the scene's input file, if `map` has the same heights. The file is read again,
/// since its metres are not kept in memory.
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
            // Filled holes have nothing to compare with.
            metres.is_nan() || (stored - f64::from(*height)).abs() <= most
        });
    is_same.then_some(metres)
}
