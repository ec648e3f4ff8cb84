//! What a format of height maps or meshes is.

use std::io;

use serde::{Serialize, Serializer};

use super::ExportError;
use super::header::Header;
use super::lattice::Lattice;
use super::mesh::MeshContent;
use super::piece::Piece;
use super::target::Sink;
use super::values::HeightUnit;
use crate::heightmap::Heightmap;
use crate::scene::Scene;

/// One format of height maps or meshes.
#[derive(Debug)]
pub struct Format {
    /// What the command line calls it.
    pub name: &'static str,
    /// The end of the file's name, without the dot. Of several formats with the same one the
    /// first is taken, unless another is named.
    pub extension: &'static str,
    /// Other ends of names that are in use for it.
    pub also: &'static [&'static str],
    /// The number of the highest height in a format with whole numbers; the lowest is 0.
    pub levels: Option<u32>,
    /// One line about it.
    pub help: &'static str,
    /// The unit of its floats, if nothing else is asked for.
    pub unit: HeightUnit,
    /// Whether the file itself says where it lies and where north is, so that its rows have one
    /// order.
    pub says_north: bool,
    /// Whether it knows no cells but those that are as high as wide, in degrees too.
    pub square_degrees: bool,
    /// Ends of the names of the files beside it that say where it lies, where it cannot itself.
    pub placed_by: &'static [&'static str],
    /// Bytes that a sample takes in a large file, at least; 0 where that depends on the heights.
    pub least_bytes: u64,
    /// Whether it holds heights of 64 bits as they are, and not above a base of their own.
    pub exact: bool,
    /// How it is written.
    pub content: Content,
}

/// How a format is written.
#[derive(Debug)]
pub enum Content {
    /// A row at a time, so that the map need not be in memory: writes what comes before the first.
    Rows(fn(&Header<'_>, Sink) -> io::Result<Box<dyn RowWriter>>),
    /// From the whole map.
    Whole(fn(&Heightmap, &Header<'_>, Sink) -> io::Result<()>),
    /// From the whole map as triangles.
    Mesh(MeshContent),
}

/// A file that takes one row after the other.
pub trait RowWriter {
    /// Writes the next row.
    ///
    /// # Errors
    /// The system would not write.
    fn row(&mut self, numbers: &[f32]) -> io::Result<()>;
    /// Writes what comes after the last row, and everything that is still in a buffer.
    ///
    /// # Errors
    /// The system would not write.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Format {
    /// The mesh, if that is what it is rather than heights.
    #[must_use]
    pub fn mesh(&self) -> Option<&MeshContent> {
        match &self.content {
            Content::Mesh(mesh) => Some(mesh),
            Content::Rows(_) | Content::Whole(_) => None,
        }
    }

    /// Whether it is a mesh rather than heights.
    #[must_use]
    pub fn is_mesh(&self) -> bool {
        self.mesh().is_some()
    }

    /// Whether it is written from the whole map, not row by row.
    #[must_use]
    pub fn needs_the_whole_map(&self) -> bool {
        !matches!(self.content, Content::Rows(_))
    }

    /// The lattice of a file in this format; `None` if its rows are those of the map.
    pub(super) fn lattice(&self, header: &Header<'_>) -> Option<Lattice> {
        Lattice::of(header).filter(|_| self.square_degrees)
    }

    /// What a file in this format is told that has so many rows and columns of a map which
    /// reaches over `range`.
    pub(super) fn header<'a>(
        &self,
        piece: &'a Piece<'a>,
        scene: &'a Scene,
        [rows, columns]: [usize; 2],
        range: (f32, f32),
    ) -> Result<Header<'a>, ExportError> {
        let levels = self.levels;
        let holes = piece.holes.as_ref().filter(|_| !self.is_mesh());
        let range = holes.map_or(range, |holes| holes.range);
        let unit = if piece.map.is_heights() {
            HeightUnit::of(self.unit, piece.span)
        } else {
            // Other numbers stay as they are.
            HeightUnit::HalfTiles
        };
        let is_rounded = !self.exact || unit == HeightUnit::One;
        let is_above = piece.exact.is_some() && is_rounded;
        Ok(Header {
            piece,
            scene,
            rows,
            columns,
            range: match holes {
                Some(_) => piece.span.range_above_holes(
                    range,
                    levels,
                    piece.metres_per_unit(),
                    piece.above,
                )?,
                None => piece
                    .span
                    .range(range, levels, piece.metres_per_unit(), piece.above)?,
            },
            unit,
            base: is_above.then_some(piece.above),
            takes_stored: false,
        })
        .map(|header| Header {
            takes_stored: self.levels.is_none()
                && !self.is_mesh()
                && self.lattice(&header).is_none(),
            ..header
        })
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}
