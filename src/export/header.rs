//! What a writer is told before the first row.

use glam::Vec3;

use super::location::Location;
use super::piece::Piece;
use super::stored::Stored;
use super::values::{HeightUnit, Scale};
use crate::covers::CoverMap;
use crate::geo::{Unit as Coordinates, known_unit};
use crate::heightmap::Heightmap;
use crate::mesh::Vertex;
use crate::scene::Scene;
use crate::texture::colors::ByHeight;

/// What is known of a file before the first row.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The piece of a map that goes into the file.
    pub piece: &'a Piece<'a>,
    /// The scene as the file holds it: files that it names are seen from there.
    pub scene: &'a Scene,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The heights that become the lowest and the highest number of formats with whole numbers,
    /// and 0 and 1 in those of floats with the unit one.
    pub range: (f32, f32),
    /// The unit of formats with floats.
    pub unit: HeightUnit,
    /// The height in half tiles that the numbers are above, in a file of a depth where 32 bits
    /// cannot tell heights apart.
    pub base: Option<f64>,
    /// Whether the format takes metres of an imported file as they are.
    pub takes_stored: bool,
}

impl Header<'_> {
    /// Metres of one half tile, the unit of heights and places.
    pub(super) fn metres_per_unit(&self) -> f64 {
        self.piece.metres_per_unit()
    }

    /// Whether some samples of the map hold no data. A format with whole numbers writes 0 for them,
    /// one with floats NaN, text a number of its own.
    pub(super) fn has_no_data(&self) -> bool {
        self.piece.holes.is_some()
    }

    /// Whether a format with floats holds heights in metres.
    pub(super) fn is_in_metres(&self) -> bool {
        self.piece.map.is_heights() && self.unit == HeightUnit::Metres
    }

    /// The metres of an imported file, if these are what a format with floats holds.
    pub(super) fn stored(&self) -> Option<&Stored> {
        let stored = self.piece.stored.as_ref();
        stored.filter(|_| self.is_in_metres() && self.takes_stored)
    }

    /// The vertex of a sample of the map that these rows are. Of a part of a map it has the place
    /// and the normal that it has in the whole, so that neighbours join without a seam.
    pub(super) fn vertex(&self, map: &Heightmap, row: usize, column: usize) -> Vertex {
        let vertex = Vertex::of(map, row, column);
        let Some(whole) = self.piece.whole else {
            return vertex;
        };
        let row = self.piece.location.row as usize + row;
        let column = self.piece.location.column as usize + column;
        let place = Vec3::new(whole.x(column), vertex.position.y, whole.z(row));
        Vertex {
            position: place,
            normal: whole.normal(row, column),
            ..vertex
        }
    }

    /// The colours by height of a mesh of `map`. Those of a part are those of the whole.
    pub(super) fn colors(&self, map: &Heightmap) -> ByHeight {
        let of_whole = self.piece.whole.and(self.piece.range_of_map);
        let range = of_whole.unwrap_or_else(|| map.range());
        ByHeight::over(range, self.piece.palette)
    }

    /// The colour of a sample of `map`, a map under these covers or a part of one, whose colour by
    /// height is `color`.
    pub(super) fn under(
        &self,
        covers: Option<&CoverMap>,
        map: &Heightmap,
        [row, column]: [usize; 2],
        color: [u8; 3],
    ) -> [u8; 3] {
        let Some(covers) = covers else {
            return color;
        };
        let Location {
            row: first_row,
            column: first_column,
            ..
        } = self.piece.location;
        let (first, all) = match self.piece.whole {
            Some(whole) => ([first_row as usize, first_column as usize], whole),
            None => ([0; 2], map),
        };
        let part = |at: usize, count: usize| at as f32 / (count - 1).max(1) as f32;
        let east = part(first[1] + column, all.columns());
        let south = part(first[0] + row, all.rows());
        let color = covers.over(color.map(f32::from), east, south);
        color.map(|c| (c + 0.5) as u8)
    }

    /// The height in half tiles that the file's numbers are above.
    pub(super) fn above(&self) -> f64 {
        self.base.unwrap_or_default()
    }

    /// From heights to the numbers of a format with floats.
    pub(super) fn scale(&self) -> Scale {
        if self.stored().is_some() {
            // The writer is handed metres.
            return Scale::new(HeightUnit::HalfTiles, self.range, 1.0);
        }
        self.scale_of_heights()
    }

    /// From heights in half tiles to the numbers of a format with floats, whatever a writer is handed.
    pub(super) fn scale_of_heights(&self) -> Scale {
        Scale::new(self.unit, self.range, self.metres_per_unit())
    }

    /// Metres from one sample to the next.
    pub(super) fn metres_per_sample(&self) -> f64 {
        f64::from(self.scene.surface.tile_size_m) / self.piece.location.cells.max(1) as f64
    }

    /// The place of the north-western of these samples on earth, and the ways to the next sample
    /// eastwards and southwards; `None` if it is not known.
    pub(super) fn on_earth(&self) -> Option<([f64; 2], [f64; 2], [f64; 2])> {
        let Location {
            row, column, cells, ..
        } = self.piece.location;
        let earth = self.piece.earth.as_ref();
        earth.map(|earth| earth.at(row, column, cells))
    }

    /// Metres from one sample to the next as a reader of the file finds them; `None` where it has
    /// to work them out from the latitude.
    pub(super) fn metres_as_read(&self) -> Option<f64> {
        match (&self.piece.earth, self.on_earth()) {
            (Some(earth), Some((_, east, _))) => match earth.keys.epsg().map(known_unit) {
                Some(Some(Coordinates::Metres(unit))) => Some(east[0] * unit),
                None if earth.keys.is_empty() && earth.unit == Coordinates::Metres(1.0) => {
                    Some(east[0])
                }
                _ => None,
            },
            _ => Some(self.metres_per_sample()),
        }
    }

    /// Metres from the map's south-west sample to that of these rows, eastwards and northwards.
    pub(super) fn origin_m(&self) -> [f64; 2] {
        let step = self.metres_per_sample();
        let Location {
            row, column, rows, ..
        } = self.piece.location;
        let below = rows - row - self.rows as u64;
        [column as f64 * step, below as f64 * step]
    }
}
