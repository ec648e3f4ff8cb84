//! Description of a heightfield or mesh format.

use std::io;

use serde::{Serialize, Serializer};

use super::error::ExportError;
use super::file::Sink;
use super::header::Header;
use super::lattice::Lattice;
use super::mesh::MeshContent;
use super::piece::Piece;
use super::values::HeightUnit;
use crate::scene::Scene;
use crate::terrain::heightmap::Heightmap;

/// A heightfield or mesh format.
#[derive(Debug)]
pub struct Format {
    /// Name on the command line.
    pub name: &'static str,
    /// File name extension, without the dot. If several formats share it, the first is the default.
    pub extension: &'static str,
    /// Alternative extensions.
    pub also: &'static [&'static str],
    /// Highest number in a format with whole numbers; the lowest is 0.
    pub levels: Option<u32>,
    /// Description in one line.
    pub help: &'static str,
    /// Default unit of floats.
    pub unit: HeightUnit,
    /// True if the file holds its own georeference and orientation, so that its row order is fixed.
    pub says_north: bool,
    /// True if cells must be square, in degrees too.
    pub square_degrees: bool,
    /// Extensions of the companion files with the georeference, if the format cannot hold it.
    pub placed_by: &'static [&'static str],
    /// Minimum bytes per sample in a large file; 0 if that depends on the heights.
    pub least_bytes: u64,
    /// True if the format stores 64-bit heights directly, not relative to a base.
    pub exact: bool,
    /// Writer.
    pub content: Content,
}

/// Writer of a format, by the kind of data that it needs.
#[derive(Debug)]
pub enum Content {
    /// Row by row, so that the map need not be in memory. The function writes the file header.
    Rows(fn(&Header<'_>, Sink) -> io::Result<Box<dyn RowWriter>>),
    /// Whole map at once.
    Whole(fn(&Heightmap, &Header<'_>, Sink) -> io::Result<()>),
    /// Whole map as triangles.
    Mesh(MeshContent),
}

/// Writer of a file that takes one row after the other.
pub trait RowWriter {
    /// Write the next row.
    ///
    /// # Errors
    /// A write failed.
    fn row(&mut self, numbers: &[f32]) -> io::Result<()>;
    /// Write what follows the last row, and flush all buffers.
    ///
    /// # Errors
    /// A write failed.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl Format {
    /// Format with its name as extension: floats in half tiles, or a mesh, without a georeference.
    pub(super) const fn new(name: &'static str, help: &'static str, content: Content) -> Self {
        Self {
            name,
            extension: name,
            also: &[],
            levels: None,
            help,
            unit: HeightUnit::HalfTiles,
            says_north: false,
            square_degrees: false,
            placed_by: &[],
            least_bytes: 0,
            exact: false,
            content,
        }
    }

    /// The mesh writer; `None` for a heightfield format.
    #[must_use]
    pub fn mesh(&self) -> Option<&MeshContent> {
        match &self.content {
            Content::Mesh(mesh) => Some(mesh),
            Content::Rows(_) | Content::Whole(_) => None,
        }
    }

    /// True for a mesh format.
    #[must_use]
    pub fn is_mesh(&self) -> bool {
        self.mesh().is_some()
    }

    /// True if the writer needs the whole map in memory.
    #[must_use]
    pub fn needs_the_whole_map(&self) -> bool {
        !matches!(self.content, Content::Rows(_))
    }

    /// Lattice of a file in this format; `None` if its rows are those of the map.
    pub(super) fn lattice(&self, header: &Header<'_>) -> Option<Lattice> {
        Lattice::of(header).filter(|_| self.square_degrees)
    }

    /// Header of a file in this format, for a map of this size whose numbers span `range`.
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
            // Numbers that are no heights have no unit to convert.
            HeightUnit::HalfTiles
        };
        let is_rounded = !self.exact || unit == HeightUnit::One;
        let is_above = piece.exact.is_some() && is_rounded;
        let (metres, above) = (piece.metres_per_unit(), piece.above);
        let mut header = Header {
            piece,
            scene,
            rows,
            columns,
            range: match holes {
                Some(_) => piece.span.range_above_holes(range, levels, metres, above)?,
                None => piece.span.range(range, levels, metres, above)?,
            },
            unit,
            base: is_above.then_some(above),
            takes_stored: false,
        };
        header.takes_stored =
            levels.is_none() && !self.is_mesh() && self.lattice(&header).is_none();
        Ok(header)
    }
}

impl Serialize for Format {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}
