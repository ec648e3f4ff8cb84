//! What a writer is told before the first row.

use glam::Vec3;

use super::MeshOptions;
use crate::geo::{Georeference, Unit as Coordinates};
use crate::heightmap::Heightmap;
use crate::job::Job;
use crate::maps::Map;
use crate::mesh::Vertex;
use crate::scene::Scene;
use crate::texture::Palette;

use super::Unit;
use super::values::Scale;

/// What is known before the first row.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Where in the map these rows lie.
    pub place: Place,
    /// Where on earth the map lies, if that is known.
    pub earth: Option<&'a Georeference>,
    /// The heights that become the lowest and the highest number of formats with whole numbers,
    /// and 0 and 1 in those of floats with the unit one.
    pub range: (f32, f32),
    /// Lowest and highest height of the whole map, if these rows are a part of it.
    pub own: Option<(f32, f32)>,
    /// The unit of formats with floats.
    pub unit: Unit,
    /// Whether the southern row comes first.
    pub flipped: bool,
    /// What the rows hold.
    pub map: &'static Map,
    /// The scene that the map is of.
    pub scene: &'a Scene,
    /// Its colours by height.
    pub palette: &'a Palette,
    /// The map that its texture shows, if that is not its own.
    pub finer: Option<&'a Heightmap>,
    /// The whole map, if a mesh is a part of it: its vertices lie where they do in the whole.
    pub whole: Option<&'a Heightmap>,
    /// Choices for meshes.
    pub mesh: MeshOptions,
    /// To be checked and advanced by writers of whole maps.
    pub job: &'a Job,
}

/// Where a rectangle of samples lies in its map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Its first row.
    pub row: u64,
    /// Its first column.
    pub column: u64,
    /// Rows of the map.
    pub rows: u64,
    /// Columns of the map.
    pub columns: u64,
    /// Cells along the map's longer side.
    pub cells: u64,
}

impl Place {
    /// The whole of a map.
    pub(super) fn whole(rows: u64, columns: u64) -> Self {
        Self {
            row: 0,
            column: 0,
            rows,
            columns,
            cells: rows.max(columns) - 1,
        }
    }
}

impl Header<'_> {
    /// Metres of one half tile, the unit of heights and places.
    pub(super) fn metres_per_unit(&self) -> f64 {
        f64::from(self.scene.surface.tile_size_m) / 2.0
    }

    /// Whether a format with floats holds heights in metres.
    pub(super) fn is_in_metres(&self) -> bool {
        self.map.is_heights() && self.unit == Unit::Metres
    }

    /// The vertex of a sample of the map that these rows are. Of a part of a map it has the place
    /// and the normal that it has in the whole, so that neighbours join without a seam.
    pub(super) fn vertex(&self, map: &Heightmap, row: usize, column: usize) -> Vertex {
        let vertex = Vertex::of(map, row, column);
        let Some(whole) = self.whole else {
            return vertex;
        };
        let row = self.place.row as usize + row;
        let column = self.place.column as usize + column;
        let place = Vec3::new(whole.x(column), vertex.position.y, whole.z(row));
        Vertex {
            position: place,
            normal: whole.normal(row, column),
            ..vertex
        }
    }

    /// From heights to the numbers of a format with floats.
    pub(super) fn scale(&self) -> Scale {
        Scale::new(self.unit, self.range, self.metres_per_unit())
    }

    /// Metres from one sample to the next.
    pub(super) fn metres_per_sample(&self) -> f64 {
        f64::from(self.scene.surface.tile_size_m) / self.place.cells.max(1) as f64
    }

    /// The place of the north-western of these samples on earth, and the ways to the next sample
    /// eastwards and southwards; `None` if it is not known.
    pub(super) fn on_earth(&self) -> Option<([f64; 2], [f64; 2], [f64; 2])> {
        let Place {
            row, column, cells, ..
        } = self.place;
        self.earth.map(|earth| earth.at(row, column, cells))
    }

    /// Metres from one sample to the next as a reader of the file finds them; `None` where it has
    /// to work them out from the latitude.
    pub(super) fn metres_as_read(&self) -> Option<f64> {
        match (self.earth, self.on_earth()) {
            (Some(earth), Some((_, east, _))) => match earth.keys.unit() {
                Coordinates::Metres(unit) if earth.keys.is_true_to_scale() => {
                    Some(east[0].hypot(east[1]) * unit)
                }
                _ => None,
            },
            _ => Some(self.metres_per_sample()),
        }
    }

    /// Metres from the map's south-west sample to that of these rows, eastwards and northwards.
    pub(super) fn origin_m(&self) -> [f64; 2] {
        let step = self.metres_per_sample();
        let below = self.place.rows - self.place.row - self.rows as u64;
        [self.place.column as f64 * step, below as f64 * step]
    }
}
