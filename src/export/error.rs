//! Why there is no file.

use std::io;
use std::path::PathBuf;

use crate::generate::GenerateError;
use crate::import::reason;
use crate::mesh::simplify::SimplifyError;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There is no map to write, or the job was cancelled.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The system would not write.
    #[error("cannot write: {}: {}", reason(source), path.display())]
    Write {
        /// What the system says.
        source: io::Error,
        /// The file.
        path: PathBuf,
    },
    /// A file name of no known format.
    #[error("unknown file type `{extension}`, allowed is {allowed}: {}", path.display())]
    UnknownFormat {
        /// The end of its name.
        extension: String,
        /// The formats there are.
        allowed: String,
        /// The file.
        path: PathBuf,
    },
    /// A region that is not on the map.
    #[error("the region is {region}, allowed is within the map of {columns} × {rows} samples")]
    Region {
        /// X,Y,W,H as asked.
        region: String,
        /// Columns of the map.
        columns: u64,
        /// Rows of the map.
        rows: u64,
    },
    /// Tiles that do not divide the map.
    #[error(
        "tiles are {tiles}, allowed are numbers that divide the map's {rows} × {columns} cells"
    )]
    Tiles {
        /// ROWSxCOLUMNS as asked.
        tiles: String,
        /// Cells of the map from north to south.
        rows: u64,
        /// Cells from west to east.
        columns: u64,
    },
    /// A name that all tiles would have.
    #[error("tiles need {{row}} and {{column}} in their name: {}", path.display())]
    TileName {
        /// The name.
        path: PathBuf,
    },
    /// A mesh of a region.
    #[error("{format} takes whole maps, allowed for regions and tiles is a format of heights")]
    RegionOfMesh {
        /// The format.
        format: &'static str,
    },
    /// Fewer triangles of a format that has none.
    #[error(
        "{format} holds every sample, allowed for a number of triangles or an error is obj, ply, \
         stl or glb"
    )]
    DetailOfHeights {
        /// The format.
        format: &'static str,
    },
    /// The map does not become a mesh of the detail asked for.
    #[error(transparent)]
    Simplify(SimplifyError),
    /// The disk has not got the room.
    #[error("the file needs {} MB, {} MB are free: {}", needed >> 20, free >> 20, path.display())]
    Space {
        /// Bytes needed, at least.
        needed: u64,
        /// Bytes free.
        free: u64,
        /// The file.
        path: PathBuf,
    },
    /// More memory is needed than is free.
    #[error("the map needs {} MB of memory, {} MB are free", needed >> 20, free >> 20)]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes free.
        free: u64,
    },
}

impl From<SimplifyError> for ExportError {
    fn from(error: SimplifyError) -> Self {
        match error {
            SimplifyError::Cancelled(cancelled) => GenerateError::from(cancelled).into(),
            other => Self::Simplify(other),
        }
    }
}
