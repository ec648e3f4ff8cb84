//! Piece of a map for export.

use std::sync::Arc;

use super::location::Location;
use super::mesh_options::MeshOptions;
use super::stored::Stored;
use super::values::Span;
use crate::scene::Scene;
use crate::shading::covers::CoverMap;
use crate::shading::maps::Map;
use crate::shading::texture::Palette;
use crate::terrain::geo::Georeference;
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::{Heightmap, Validity};
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
    /// Whole map, if a mesh shows a part of it: positions and normals are taken from there.
    pub whole: Option<&'a Heightmap>,
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
            whole: None,
            job,
        }
    }

    /// Base height of the rows, in half tiles; 0 for maps other than heights.
    pub fn passed_above(&self) -> f64 {
        if self.map.is_heights() {
            self.above
        } else {
            0.0
        }
    }

    /// Metres of one half tile, the unit of heights and coordinates.
    pub fn metres_per_unit(&self) -> f64 {
        metres_per_unit(self.scene.surface.tile_size_m)
    }
}
