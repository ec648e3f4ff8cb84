//! What a format that can be read is.

use super::raster::Raster;
use super::recipe::Recipe;
use super::source::{Broken, Source};
use crate::language::tr;

/// Reads the samples of a file as they are stored; not a number where there is no data.
pub type Read = fn(&mut Source<'_>) -> Result<Raster, Broken>;

/// One format of heights, or of meshes that hold a scene.
pub struct Reader {
    /// What it is called in messages.
    pub name: &'static str,
    /// The ends of its files' names, small, without the dot.
    pub extensions: &'static [&'static str],
    /// Whether a file begins like one; none where only the name tells.
    pub mark: Option<fn(&[u8]) -> bool>,
    /// What its files hold.
    pub holds: Holding,
    /// The recipe that a file holds.
    pub recipe: fn(&mut Source<'_>) -> Result<Recipe, Broken>,
}

/// What the files of a format hold, and how it is read.
pub enum Holding {
    /// Brightness, unless a file says that it is heights.
    Brightness(Read),
    /// Heights.
    Heights(Read),
    /// A mesh, which has no grid.
    Mesh,
    /// Other files, one of which is a map.
    Archive,
}

impl Reader {
    /// Whether its files are meshes.
    pub fn is_mesh(&self) -> bool {
        matches!(self.holds, Holding::Mesh)
    }

    /// Whether its files are maps themselves.
    pub fn is_map(&self) -> bool {
        matches!(self.holds, Holding::Brightness(_) | Holding::Heights(_))
    }

    /// The samples of a file that is a map itself, as stored.
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
