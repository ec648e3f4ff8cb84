//! Piece of a map for export, and the meaning of its numbers: range, unit, and original metres.
//!
//! Imported heights are exported bit by bit. Scenes keep 32-bit heights in half tiles, so metres come back
//! slightly rounded: 926.99994 for 927. If no step of the scene changes the heights of a file, its
//! original numbers are written.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::ExportError;
use super::file::{Complete, Together, commit};
use super::heights::Location;
use super::memory::check_free;
use crate::files::formats::metres::in_half_tiles;
use crate::files::formats::sidecar::{HALF_TILES, METRES, ONE};
use crate::files::import;
use crate::fractal::region::Region;
use crate::generate::Generator;
use crate::pipeline;
use crate::plants::CanopyMap;
use crate::scene::Scene;
use crate::shading::covers::CoverMap;
use crate::shading::maps::Map;
use crate::shading::material::MaterialNormals;
use crate::shading::snow::SnowCover;
use crate::shading::texture::Palette;
use crate::terrain::geo::Georeference;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Validity};
use crate::terrain::mesh::Detail;
use crate::terrain::rivers::Rivers;
use crate::terrain::weights::WeightMap;
use crate::util::job::Job;
use crate::util::numbers::metres_per_unit;

/// Properties of an exported piece that are the same in all of its files. A piece is the whole map, a
/// rectangle or a tile.
#[derive(Debug)]
pub struct Piece<'a> {
    /// Scene of the map.
    pub scene: &'a Scene,
    /// Colours by height.
    pub palette: &'a Palette,
    /// Map that the rows belong to.
    pub map: &'static Map,
    /// Location of the rows in the map.
    pub location: Location,
    /// Base height in half tiles that is subtracted from the rows: 0, unless the level is too deep for
    /// absolute 32-bit heights.
    pub above: f64,
    /// Heights of such levels with 64 bits, in row order.
    pub exact: Option<Arc<Grid<f64>>>,
    /// Original metres of an imported file, if nothing has changed its heights.
    pub stored: Option<Stored>,
    /// Georeference of the map, if known.
    pub earth: Option<Georeference>,
    /// Range and unit of the numbers.
    pub span: Span,
    /// Range of the whole map, if the rows are a part of it and the range is needed.
    pub range_of_map: Option<(f32, f32)>,
    /// Samples without data, for heights of a map that has such samples.
    pub holes: Option<Holes>,
    /// True if the southern row comes first.
    pub flipped: bool,
    /// Options for meshes.
    pub mesh: MeshOptions,
    /// Finer map for the texture of a mesh, if there is one.
    pub finer: Option<&'a Heightmap>,
    /// Covers of the whole map and of the finer one, where colours are written.
    pub covers: [Option<&'a CoverMap>; 2],
    /// Normals by which materials lie, if they are written.
    pub normals: Option<&'a MaterialNormals>,
    /// Snow on the map, if it is shown and colours are written.
    pub snow: Option<&'a SnowCover>,
    /// Canopy of the plants, where colours are written.
    pub canopy: Option<&'a CanopyMap>,
    /// Rivers and lakes, where materials are written.
    pub rivers: Option<&'a Rivers>,
    /// Wetness of the ground, where materials are written.
    pub wetness: Option<&'a WeightMap>,
    /// True if the heights are those of the surface of the snow.
    pub is_raised: bool,
    /// Whole map, if a mesh shows a part of it: positions and normals are taken from there.
    pub whole: Option<&'a Heightmap>,
    /// Export whose files are renamed together with those of this one.
    pub together: Option<&'a Together>,
    /// Job for cancellation and progress.
    pub job: &'a Job,
}

/// Samples of a piece without data.
#[derive(Clone, Debug)]
pub struct Holes {
    /// Validity mask in row order. A part of a map with holes may have none.
    pub valid: Arc<Validity>,
    /// Lowest and highest height of the data, in the whole map if a part uses its range.
    pub range: (f32, f32),
}

impl<'a> Piece<'a> {
    /// Piece of a map without a place on earth, in plain 32-bit heights.
    pub fn new(
        scene: &'a Scene,
        palette: &'a Palette,
        map: &'static Map,
        location: Location,
        job: &'a Job,
    ) -> Self {
        Self {
            scene,
            palette,
            map,
            location,
            above: 0.0,
            exact: None,
            stored: None,
            earth: None,
            span: Span::Own,
            range_of_map: None,
            holes: None,
            flipped: false,
            mesh: MeshOptions::default(),
            finer: None,
            covers: [None; 2],
            normals: None,
            snow: None,
            canopy: None,
            rivers: None,
            wetness: None,
            is_raised: false,
            whole: None,
            together: None,
            job,
        }
    }

    /// Base height of the rows, in half tiles; 0 for maps other than heights.
    pub fn passed_above(&self) -> f64 {
        match self.map.is_heights() {
            true => self.above,
            false => 0.0,
        }
    }

    /// Rename complete files into place, or keep them until all of an export are complete.
    pub fn commit(&self, files: Vec<Complete>) -> Result<(), ExportError> {
        match self.together {
            Some(together) => {
                together.add(files);
                Ok(())
            }
            None => commit(files, self.job),
        }
    }

    /// Metres of one half tile, the unit of heights and coordinates.
    pub fn metres_per_unit(&self) -> f64 {
        metres_per_unit(self.scene.surface.tile_size_m)
    }
}

/// Range and unit of the numbers in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Span {
    /// Whole numbers span the map's heights, which takes an extra pass. Floats are the heights (GeoTIFF
    /// and ASC: in metres).
    #[default]
    Own,
    /// Whole numbers span a range of heights; in a map with holes, 0 marks a hole and heights start at 1.
    /// Floats are as with [`Span::Own`].
    Heights(f32, f32),
    /// Whole numbers span a range in metres. Floats are metres.
    MetresBetween(f32, f32),
    /// Whole numbers are metres, with 0 at the whole metre below the lowest height. Floats are metres.
    Metres,
    /// Whole numbers are as with [`Span::Own`]. Floats are 0 at the map's lowest height and 1 at its
    /// highest.
    Unit,
}

impl Span {
    /// Given lowest and highest number, if not in metres.
    pub(super) fn heights(self) -> Option<(f32, f32)> {
        match self {
            Self::Heights(low, high) => Some((low, high)),
            _ => None,
        }
    }

    /// True if the map's range must be known before a file with these `levels` can be begun.
    pub(super) fn needs_range(self, levels: Option<u32>) -> bool {
        match self {
            Self::Own | Self::Metres => levels.is_some(),
            Self::Unit => true,
            Self::Heights(..) | Self::MetresBetween(..) => false,
        }
    }

    /// Heights of the lowest and the highest whole number, or of the floats 0 and 1. `own` is the range
    /// of the map. Both ranges are relative to the height `above`. In a map with `holes` the number 0 marks
    /// them, so the lowest height becomes 1: a range that is not given begins one step lower.
    ///
    /// # Errors
    /// The heights exceed the steps of one metre each.
    pub(super) fn range(
        self,
        own: (f32, f32),
        levels: Option<u32>,
        holes: bool,
        metres_per_unit: f64,
        above: f64,
    ) -> Result<(f32, f32), ExportError> {
        let mut own = own;
        if let Some(steps) = levels.filter(|_| holes) {
            let (low, high) = (f64::from(own.0), f64::from(own.1));
            own.0 = match self {
                Self::Own | Self::Unit => low - (high - low) / f64::from(steps.max(2) - 1),
                Self::Metres => low - 1.0 / metres_per_unit,
                Self::Heights(..) | Self::MetresBetween(..) => low,
            } as f32;
        }
        let given = |height: f64| (height - above) as f32;
        let of_metres = |metres: f64| given(metres / metres_per_unit);
        Ok(match self {
            Self::Own | Self::Unit => own,
            Self::Heights(low, high) => (given(low.into()), given(high.into())),
            Self::MetresBetween(low, high) => (of_metres(low.into()), of_metres(high.into())),
            Self::Metres => {
                let Some(levels) = levels else {
                    return Ok(own);
                };
                let metres = |height: f32| (above + f64::from(height)) * metres_per_unit;
                let lowest = metres(own.0).floor();
                let highest = metres(own.1);
                if highest - lowest > f64::from(levels) {
                    return Err(ExportError::Steps {
                        metres: (highest - lowest).ceil() as u64,
                        levels,
                    });
                }
                (of_metres(lowest), of_metres(lowest + f64::from(levels)))
            }
        })
    }
}

/// Unit of floats in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeightUnit {
    /// Half tiles, as in the scene.
    HalfTiles,
    /// Metres.
    Metres,
    /// Normalized: 0 is the lowest height, 1 the highest.
    One,
}

impl HeightUnit {
    /// Unit for a span, in a format whose default unit is `usual`.
    pub(super) fn of(usual: Self, span: Span) -> Self {
        match span {
            Span::Own | Span::Heights(..) => usual,
            Span::MetresBetween(..) | Span::Metres => Self::Metres,
            Span::Unit => Self::One,
        }
    }

    /// Name in a sidecar.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::HalfTiles => HALF_TILES,
            Self::Metres => METRES,
            Self::One => ONE,
        }
    }
}

/// Linear conversion from heights to floats in a file.
#[derive(Clone, Copy, Debug)]
pub struct Scale {
    low: f64,
    factor: f64,
}

impl Scale {
    /// Conversion to a `unit`, for a map with this range.
    pub fn new(unit: HeightUnit, range: (f32, f32), metres_per_unit: f64) -> Self {
        let (low, high) = (f64::from(range.0), f64::from(range.1));
        let (low, factor) = match unit {
            HeightUnit::HalfTiles => (0.0, 1.0),
            HeightUnit::Metres => (0.0, metres_per_unit),
            HeightUnit::One if high > low => (low, 1.0 / (high - low)),
            HeightUnit::One => (low, 0.0),
        };
        Self { low, factor }
    }

    /// Number for a height. With the unit half tiles it is the height itself, bit for bit.
    pub fn value(self, height: f32) -> f32 {
        ((f64::from(height) - self.low) * self.factor) as f32
    }

    /// Height for a number. A flat map with the unit one has only one height.
    pub fn height(self, number: f64) -> f64 {
        if self.factor == 0.0 {
            return self.low;
        }
        self.low + number / self.factor
    }

    /// True if numbers are equal to heights.
    pub fn is_identity(self) -> bool {
        self.low == 0.0 && self.factor == 1.0
    }
}

/// Options for mesh export.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeshOptions {
    /// Level of detail; by default all triangles.
    pub detail: Detail,
    /// Longer side of a block for printing, in millimetres, above 0; default 100.
    pub print_size_mm: f32,
    /// Unit of coordinates.
    pub unit: MeshUnit,
}

/// Unit of coordinates in a mesh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeshUnit {
    /// Unit of the format: half tiles, metres or millimetres.
    #[default]
    Own,
    /// Metres, in formats that leave the unit open.
    Metres,
}

impl Default for MeshOptions {
    fn default() -> Self {
        Self {
            detail: Detail::All,
            print_size_mm: 100.0,
            unit: MeshUnit::Own,
        }
    }
}

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
pub fn stored_metres(scene: &Scene, map: &Heightmap, job: &Job) -> Option<Grid<f64>> {
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
