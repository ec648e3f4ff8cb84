//! Export options that are not part of the scene, such as the tiling of a map, one file a tile.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::ExportError;
use super::format::Format;
use super::names::{filled, has_word};
use super::piece::{MeshOptions, Span};
use super::registry::{Resolution, format_of_map, mesh_names};
use crate::fractal::region::Region;
use crate::shading::maps::{HEIGHTS, Kind, Map};
use crate::terrain::mesh::Detail;

/// Export options that are not part of the scene. Their names are stored in files.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Options {
    /// File format; `None` to derive it from the file name.
    pub format: Option<&'static Format>,
    /// Range and unit of the numbers in the file.
    pub span: Span,
    /// Samples a side of the whole map, or of each tile.
    pub samples: Resolution,
    /// True to write the southern row first, for programs that read images bottom-up.
    pub flip: bool,
    /// True to write the heights of the snow's surface instead of those of the ground below it.
    pub snow: bool,
    /// Map to write; `None` for the heights.
    pub map: Option<&'static Map>,
    /// Levels below the scene's last iteration, 0…60. Each level halves the sample spacing.
    /// Diamond-square without layers, modifiers and rock continues with the same noise; any other ground is
    /// refined, see [`crate::fractal::refinement`]. Existing heights do not change.
    pub levels: u32,
    /// Rectangle to write, in samples of the last level; `None` for the whole map. For diamond-square
    /// without layers, modifiers and rock, and below any ground, only the rectangle is generated, from a map of
    /// up to 2^60 cells a side. Its range is that of the map, so that rectangles join. At levels too deep
    /// for 32 bits the range is its own, and heights are relative to a base that is in the sidecar.
    pub region: Option<Region>,
    /// Tiling of the map, one file a tile. `{row}` and `{column}` in a file name become the tile's
    /// position, from 0 in the north-west. In formats with whole numbers all tiles have one range, that
    /// of the map or the given one, so that they join without a step. Tiles of meshes keep their position
    /// in the map, its light and colours, and every sample of their border. Each tile is renamed into
    /// place when it is complete; after an error the earlier tiles stay.
    pub tiles: Option<Tiles>,
    /// Options for meshes.
    pub mesh: MeshOptions,
}

impl Options {
    /// Map to write.
    #[must_use]
    pub fn map(&self) -> &'static Map {
        self.map.unwrap_or(&HEIGHTS)
    }

    /// True if each file holds a part of the map.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.region.is_some() || self.tiles.is_some()
    }

    /// Format of a file.
    ///
    /// # Errors
    /// There is no such format, or the map is not available in it.
    pub fn format_of(&self, path: &Path) -> Result<&'static Format, ExportError> {
        format_of_map(path, self.map(), self.format)
    }

    /// Check the options against the map.
    ///
    /// # Errors
    /// A part or levels of a map that does not follow the ground, a range for a map without numbers, or a
    /// flipped map, or one with snow, that does not hold heights.
    pub fn check_map(&self) -> Result<(), ExportError> {
        let map = self.map();
        if map.is_heights() {
            return Ok(());
        }
        if self.snow {
            return Err(ExportError::MapSnow { map: map.name });
        }
        // Baked colours are available at any size.
        let other_size = self.samples != Resolution::AsIs && !matches!(map.kind, Kind::Colors);
        let is_other = self.is_part() || other_size || self.levels > 0;
        if is_other && !map.is_of_the_ground() {
            return Err(ExportError::MapWhole { map: map.name });
        }
        let ranged = map.is_scalar()
            || matches!(map.kind, Kind::Bands(_) | Kind::Paint(_) | Kind::Materials);
        match self.span {
            Span::Own => {}
            _ if map.holds_heights() => {}
            Span::Heights(..) if ranged => {}
            Span::Heights(..) => return Err(ExportError::MapRange { map: map.name }),
            _ => return Err(ExportError::MapSpan { map: map.name }),
        }
        if self.flip && !map.holds_heights() {
            return Err(ExportError::MapFlip { map: map.name });
        }
        Ok(())
    }

    /// Check the options against a format.
    ///
    /// # Errors
    /// Simplification in a format that is not a mesh, a cropped mesh, or a flipped map in a format with a
    /// fixed row order.
    pub fn check_format(&self, format: &Format) -> Result<(), ExportError> {
        let name = format.name;
        if !format.is_mesh() && self.mesh.detail != Detail::All {
            return Err(ExportError::DetailOfHeights {
                format: name,
                allowed: either(&mesh_names()),
            });
        }
        if format.is_mesh() && self.samples == Resolution::PowerOfTwo && self.tiles.is_none() {
            return Err(ExportError::CropOfMesh { format: name });
        }
        if self.flip && format.says_north {
            return Err(ExportError::Flip { format: name });
        }
        Ok(())
    }
}

/// Part of a map whose plants are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PlantRequest {
    /// Levels below the scene's last iteration in which the region is counted.
    pub levels: u32,
    /// Rectangle in samples of the last level: plants from its first sample up to its last; `None` for the whole map.
    pub region: Option<Region>,
    /// Form of plants in a glTF; `None` for the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub form: Option<PlantForm>,
}

/// Form of plants in a glTF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PlantForm {
    /// Instances of a mesh, by the extension `EXT_mesh_gpu_instancing`.
    #[default]
    Instances,
    /// Nodes, one for each plant.
    Nodes,
}

/// List of names for messages: `obj, ply or glb`.
fn either(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => names.concat(),
    }
}

/// Grid of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Tiles {
    /// Number of tiles from north to south.
    pub rows: u32,
    /// Number of tiles from west to east.
    pub columns: u32,
    /// True if neighbours share the samples on their border. Without overlap, a map that does not wrap is
    /// cut by samples if their number can be divided. Otherwise the map's last row and column are in no
    /// tile; in a map that wraps they repeat the first.
    pub overlap: bool,
}

/// Unit in which a map is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// By cells, the intervals between samples.
    Cells,
    /// By samples.
    Samples,
}

impl Tiles {
    /// File name of a tile.
    pub(super) fn file(self, pattern: &Path, (row, column): (u32, u32)) -> PathBuf {
        let (row, column) = (row.to_string(), column.to_string());
        filled(pattern, &[("row", &row), ("column", &column)])
    }

    /// Refuse a pattern that gives several tiles the same name.
    pub(super) fn check_name(self, pattern: &Path) -> Result<(), ExportError> {
        let is_missing = |tiles: u32, word: &str| tiles > 1 && !has_word(pattern, word);
        if is_missing(self.rows, "row") || is_missing(self.columns, "column") {
            let path = pattern.to_owned();
            return Err(ExportError::TileName { path });
        }
        Ok(())
    }

    /// Row and column of every tile.
    pub(super) fn places(self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.rows).flat_map(move |row| (0..self.columns).map(move |column| (row, column)))
    }

    /// Rectangle of a tile in a map of this size.
    pub(super) fn region(self, (row, column): (u32, u32), size: [usize; 2], cut: Cut) -> Region {
        let [rows, columns] = size.map(|side| match cut {
            Cut::Cells => side as u64 - 1,
            Cut::Samples => side as u64,
        });
        let steps = [
            rows / u64::from(self.rows),
            columns / u64::from(self.columns),
        ];
        let side = steps.map(|steps| (steps + u64::from(self.overlap)) as usize);
        Region {
            row: u64::from(row) * steps[0],
            column: u64::from(column) * steps[1],
            rows: side[0],
            columns: side[1],
        }
    }

    /// Rows and columns of the resampled map, so that each tile has the number of samples that
    /// `resolution` gives for an even share of the map. Also returns the unit of division.
    ///
    /// # Errors
    /// The tiles do not divide the unchanged map.
    pub(super) fn fitted(
        self,
        size: [usize; 2],
        resolution: Resolution,
        wraps: bool,
    ) -> Result<([usize; 2], Cut), ExportError> {
        if resolution == Resolution::AsIs {
            return Ok((size, self.cut(size.map(|side| side as u64), wraps)?));
        }
        let (tiles, overlap) = ([self.rows, self.columns], usize::from(self.overlap));
        let share = |axis: usize| {
            let cells = (size[axis] - 1) as f64 / f64::from(tiles[axis]);
            (cells.round() as usize).max(1) + overlap
        };
        let of_tile = resolution.of(share(0), share(1));
        let size = [0, 1].map(|axis| {
            let cells = of_tile[axis].saturating_sub(overlap).max(1);
            cells.saturating_mul(tiles[axis] as usize).saturating_add(1)
        });
        Ok((size, Cut::Cells))
    }

    /// Unit of division for a map that is not resampled.
    fn cut(self, samples: [u64; 2], wraps: bool) -> Result<Cut, ExportError> {
        let divides = |tiles: u32, steps: u64| {
            tiles > 0 && u64::from(tiles) <= steps && steps.is_multiple_of(u64::from(tiles))
        };
        let divide =
            |[rows, columns]: [u64; 2]| divides(self.rows, rows) && divides(self.columns, columns);
        let cells = samples.map(|side| side - 1);
        if !wraps && !self.overlap && divide(samples) {
            return Ok(Cut::Samples);
        }
        if divide(cells) {
            return Ok(Cut::Cells);
        }
        Err(ExportError::Tiles {
            tiles: format!("{}x{}", self.rows, self.columns),
            cells,
            samples: (!wraps).then_some(samples),
        })
    }
}
