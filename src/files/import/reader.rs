//! Reader: the description of an input format.

use super::raster::Raster;
use super::recipe::Recipe;
use super::source::{Broken, Source};
use crate::util::language::tr;

/// Function that reads the samples of a file as stored; NaN means no data.
pub type Read = fn(&mut Source<'_>) -> Result<Raster, Broken>;

/// Input format of heights, or of meshes with an embedded scene.
pub struct Reader {
    /// The name in messages.
    pub name: &'static str,
    /// File extensions in lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Test of a file's first bytes for the format's magic number; `None` if only the extension identifies
    /// it.
    pub mark: Option<fn(&[u8]) -> bool>,
    /// The kind of content, with the function that reads it.
    pub holds: Holding,
    /// Function that reads the recipe in a file.
    pub recipe: fn(&mut Source<'_>) -> Result<Recipe, Broken>,
}

/// Kind of content of a format, with the function that reads it.
pub enum Holding {
    /// Brightness, unless the file itself states heights.
    Brightness(Read),
    /// Heights.
    Heights(Read),
    /// A mesh, which has no height grid.
    Mesh,
    /// An archive that contains a map.
    Archive,
}

impl Reader {
    /// True for formats of meshes.
    pub fn is_mesh(&self) -> bool {
        matches!(self.holds, Holding::Mesh)
    }

    /// True for formats of maps, not meshes or archives.
    pub fn is_map(&self) -> bool {
        matches!(self.holds, Holding::Brightness(_) | Holding::Heights(_))
    }

    /// Read the samples of a map file as stored.
    pub fn read(&self, source: &mut Source<'_>) -> Result<Raster, Broken> {
        match self.holds {
            Holding::Brightness(read) | Holding::Heights(read) => read(source),
            Holding::Mesh => Err(Broken::wrong(tr(
                "a mesh has no grid of heights, and this one does not hold the scene it was made \
                 from",
            ))),
            Holding::Archive => Err(Broken::wrong(tr("a .zip in a .zip"))),
        }
    }
}
