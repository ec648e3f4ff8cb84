//! Header of an output file: all that a writer needs before the first row.

use glam::Vec3;

use super::location::Location;
use super::piece::Piece;
use super::stored::Stored;
use super::values::{HeightUnit, Scale};
use crate::scene::Scene;
use crate::shading::covers::CoverMap;
use crate::shading::texture::ByHeight;
use crate::terrain::geo::{Unit as Coordinates, known_unit};
use crate::terrain::heightmap::Heightmap;
use crate::terrain::mesh::Vertex;

/// Properties of an output file, known before the first row.
#[derive(Clone, Copy, Debug)]
pub struct Header<'a> {
    /// The piece of a map that is written.
    pub piece: &'a Piece<'a>,
    /// The scene as stored in the file, with input paths relative to the file.
    pub scene: &'a Scene,
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Heights of the lowest and the highest number in formats with whole numbers, and of 0 and 1 in
    /// floats with the unit one.
    pub range: (f32, f32),
    /// Unit of floats.
    pub unit: HeightUnit,
    /// Base height in half tiles that is subtracted from all heights, at levels where absolute 32-bit
    /// heights are too coarse.
    pub base: Option<f64>,
    /// True if the format can store the metres of an imported file unchanged.
    pub takes_stored: bool,
}

impl Header<'_> {
    /// Metres of one half tile, the unit of heights and coordinates.
    pub(super) fn metres_per_unit(&self) -> f64 {
        self.piece.metres_per_unit()
    }

    /// True if some samples hold no data. Formats with whole numbers write them as 0, formats with floats
    /// as NaN, text as a number below all heights.
    pub(super) fn has_no_data(&self) -> bool {
        self.piece.holes.is_some()
    }

    /// True if a format with floats holds heights in metres.
    pub(super) fn is_in_metres(&self) -> bool {
        self.piece.map.is_heights() && self.unit == HeightUnit::Metres
    }

    /// Metres of an imported file, if they are written unchanged.
    pub(super) fn stored(&self) -> Option<&Stored> {
        let stored = self.piece.stored.as_ref();
        stored.filter(|_| self.is_in_metres() && self.takes_stored)
    }

    /// Vertex of a sample. In a part of a map it has the position and normal of the whole map, so that
    /// parts join without a seam.
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

    /// Colour map by height for a mesh of `map`. A part uses the range of the whole map.
    pub(super) fn colors(&self, map: &Heightmap) -> ByHeight {
        let of_whole = self.piece.whole.and(self.piece.range_of_map);
        let range = of_whole.unwrap_or_else(|| map.range());
        ByHeight::over(range, self.piece.palette)
    }

    /// Blend the covers over a colour by height. The sample is a row and column of `map`, which is the
    /// covered map or a part of it.
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

    /// Base height of the file's numbers, in half tiles.
    pub(super) fn above(&self) -> f64 {
        self.base.unwrap_or_default()
    }

    /// Conversion from the rows to the numbers of a format with floats.
    pub(super) fn scale(&self) -> Scale {
        if self.stored().is_some() {
            // The rows are already metres.
            return Scale::new(HeightUnit::HalfTiles, self.range, 1.0);
        }
        self.scale_of_heights()
    }

    /// Conversion from heights in half tiles to the numbers of a format with floats.
    pub(super) fn scale_of_heights(&self) -> Scale {
        Scale::new(self.unit, self.range, self.metres_per_unit())
    }

    /// Distance between neighbouring samples, in metres.
    pub(super) fn metres_per_sample(&self) -> f64 {
        f64::from(self.scene.surface.tile_size_m) / self.piece.location.cells.max(1) as f64
    }

    /// Coordinates on earth of the north-western sample, and the steps to the next sample eastwards and
    /// southwards; `None` if unknown.
    pub(super) fn on_earth(&self) -> Option<([f64; 2], [f64; 2], [f64; 2])> {
        let Location {
            row, column, cells, ..
        } = self.piece.location;
        let earth = self.piece.earth.as_ref();
        earth.map(|earth| earth.at(row, column, cells))
    }

    /// Sample spacing in metres as a reader of the file derives it; `None` if it depends on the latitude.
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

    /// Offset from the map's south-western sample to that of these rows, in metres eastwards and
    /// northwards.
    pub(super) fn origin_m(&self) -> [f64; 2] {
        let step = self.metres_per_sample();
        let Location {
            row, column, rows, ..
        } = self.piece.location;
        let below = rows - row - self.rows as u64;
        [column as f64 * step, below as f64 * step]
    }
}
