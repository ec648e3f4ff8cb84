//! Choices that the scene does not hold.

use std::path::Path;

use serde::Serialize;

use super::ExportError;
use super::format::Format;
use super::list::{format_of_map, mesh_names};
use super::mesh_options::MeshOptions;
use super::resolution::Resolution;
use super::tiles::Tiles;
use super::values::Span;
use crate::fractal::region::Region;
use crate::maps::{HEIGHTS, Kind, Map};
use crate::mesh::Detail;

/// Choices that the scene does not hold. Files state them by these names.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Options {
    /// The format; by the file's name if `None`.
    pub format: Option<&'static Format>,
    /// What the numbers in the file mean.
    pub span: Span,
    /// How many samples a side: of the whole map, or of each of its tiles.
    pub samples: Resolution,
    /// Southern row first, for programs that read images upwards.
    pub flip: bool,
    /// Which map is written; the heights if `None`.
    pub map: Option<&'static Map>,
    /// How many levels below the scene's last iteration are written, 0…60: each halves the
    /// distance between samples. Diamond-square without layers and modifiers goes on as itself, any
    /// other ground is the base that it refines, see [`crate::fractal::refinement`]. Heights of the
    /// base stay as they are.
    pub levels: u32,
    /// The rectangle to write, in samples of the last level; the whole map if `None`. Of
    /// diamond-square without layers and modifiers, and below any ground, it is made alone, of up
    /// to 2^60 cells a side. Its range is that of the map, so that rectangles join; below the
    /// levels of 32 bits it is its own, and heights are above a base that the sidecar says.
    pub region: Option<Region>,
    /// How the map is cut into tiles, each a file of its own. `{row}` and `{column}` in a file's
    /// name become the tile's place, from 0 in the north-west. All tiles of formats with whole
    /// numbers have one range, the map's or the one given, so that they join without a step.
    /// Tiles of meshes lie where they do in the map, with its light and colours, and keep every
    /// sample of their border. A tile is there when it is complete; after an error those before
    /// it stay.
    pub tiles: Option<Tiles>,
    /// Choices for meshes.
    pub mesh: MeshOptions,
}

impl Options {
    /// The map that is written.
    #[must_use]
    pub fn map(&self) -> &'static Map {
        self.map.unwrap_or(&HEIGHTS)
    }

    /// Whether each file holds a part of the map.
    #[must_use]
    pub fn is_part(&self) -> bool {
        self.region.is_some() || self.tiles.is_some()
    }

    /// The format of a file.
    ///
    /// # Errors
    /// There is no such format, or the map is not written in it.
    pub fn format_of(&self, path: &Path) -> Result<&'static Format, ExportError> {
        format_of_map(path, self.map(), self.format)
    }

    /// Checks what can be asked of the map.
    ///
    /// # Errors
    /// A part, or levels, of a map that is not of the ground, a range where there are no numbers, or a map of
    /// anything but heights with the southern row first.
    pub fn check_map(&self) -> Result<(), ExportError> {
        let map = self.map();
        if map.is_heights() {
            return Ok(());
        }
        // Baked colours have as many texels as are asked for.
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

    /// Checks what can be asked of a format.
    ///
    /// # Errors
    /// Fewer triangles of a format without any, a mesh without the last row and column of its
    /// map, or another order of rows where the format has its own.
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

/// Names for a sentence: `obj, ply or glb`.
fn either(names: &[&str]) -> String {
    match names {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => names.concat(),
    }
}
