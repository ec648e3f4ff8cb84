//! Export options that are not part of the scene.

use std::path::Path;

use serde::Serialize;

use super::error::ExportError;
use super::format::Format;
use super::list::{format_of_map, mesh_names};
use super::mesh_options::MeshOptions;
use super::resolution::Resolution;
use super::tiles::Tiles;
use super::values::Span;
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
    /// Map to write; `None` for the heights.
    pub map: Option<&'static Map>,
    /// Levels below the scene's last iteration, 0…60. Each level halves the sample spacing.
    /// Diamond-square without layers and modifiers continues with the same noise; any other ground is
    /// refined, see [`crate::fractal::refinement`]. Existing heights do not change.
    pub levels: u32,
    /// Rectangle to write, in samples of the last level; `None` for the whole map. For diamond-square
    /// without layers and modifiers, and below any ground, only the rectangle is generated, from a map of
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
    /// flipped map that does not hold heights.
    pub fn check_map(&self) -> Result<(), ExportError> {
        let map = self.map();
        if map.is_heights() {
            return Ok(());
        }
        // Baked colours are available at any size.
        let other_size = self.samples != Resolution::AsIs && !matches!(map.kind, Kind::Colors);
        let is_other = self.is_part() || other_size || self.levels > 0;
        if is_other && !map.is_of_the_ground() {
            return Err(ExportError::MapWhole { map: map.name });
        }
        let ranged = map.is_scalar() || matches!(map.kind, Kind::Bands(_) | Kind::Paint(_));
        match self.span {
            Span::Own => {}
            Span::Heights(..) if ranged => {}
            Span::Heights(..) => return Err(ExportError::MapRange { map: map.name }),
            _ => return Err(ExportError::MapSpan { map: map.name }),
        }
        if self.flip {
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

/// List of names for messages: `obj, ply or glb`.
fn either(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => names.concat(),
    }
}
