//! A piece of a map on its way into files.

use std::sync::Arc;

use super::location::Location;
use super::mesh_options::MeshOptions;
use super::stored::Stored;
use super::values::Span;
use crate::covers::CoverMap;
use crate::geo::Georeference;
use crate::grid::Grid;
use crate::heightmap::{Heightmap, Validity};
use crate::job::Job;
use crate::maps::Map;
use crate::numbers::metres_per_unit;
use crate::scene::Scene;
use crate::texture::Palette;

/// What is the same for all files that a piece of a map is written into: all of it, a rectangle
/// or a tile.
#[derive(Debug)]
pub struct Piece<'a> {
    /// The scene that the map is of.
    pub scene: &'a Scene,
    /// Its colours by height.
    pub palette: &'a Palette,
    /// What the rows hold.
    pub map: &'static Map,
    /// Where in the map the rows lie.
    pub location: Location,
    /// The height in half tiles that the numbers of the rows are above: 0, unless they are heights
    /// of a depth where 32 bits cannot tell them apart.
    pub above: f64,
    /// Such heights with all their bits, in the order of the rows.
    pub exact: Option<Arc<Grid<f64>>>,
    /// Metres of these rows as an imported file has them, if nothing has changed its heights.
    pub stored: Option<Stored>,
    /// Where on earth the map lies, if that is known.
    pub earth: Option<Georeference>,
    /// What the numbers mean.
    pub span: Span,
    /// Lowest and highest number of the whole map, if these rows are a part of it and its range
    /// is needed.
    pub range_of_map: Option<(f32, f32)>,
    /// The samples without data, if heights are written of a map that has such.
    pub holes: Option<Holes>,
    /// Whether the southern row comes first.
    pub flipped: bool,
    /// Choices for meshes.
    pub mesh: MeshOptions,
    /// The map that the texture of a mesh shows, if that is not the map itself.
    pub finer: Option<&'a Heightmap>,
    /// What lies on the whole map, and on the finer one, where colours are written.
    pub covers: [Option<&'a CoverMap>; 2],
    /// The whole map, if a mesh is of a part of it: its vertices lie where they do in the whole.
    pub whole: Option<&'a Heightmap>,
    /// To be checked and advanced.
    pub job: &'a Job,
}

/// The samples of a piece that hold no data.
#[derive(Clone, Debug)]
pub struct Holes {
    /// The mask, in the order of the rows. A part of a map that has holes need not have any.
    pub valid: Arc<Validity>,
    /// Lowest and highest height of the data: of the whole map where the range of a part is its.
    pub range: (f32, f32),
}

impl Piece<'_> {
    /// The height in half tiles that the numbers on their way are above, whatever a file holds: 0
    /// of other maps than heights.
    pub fn passed_above(&self) -> f64 {
        if self.map.is_heights() {
            self.above
        } else {
            0.0
        }
    }

    /// Metres of one half tile, the unit of heights and places.
    pub fn metres_per_unit(&self) -> f64 {
        metres_per_unit(self.scene.surface.tile_size_m)
    }
}
