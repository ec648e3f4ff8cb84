//! Output files of a piece, open for writing.

use super::format::Format;
use super::request::MapRequest;
use super::target::Target;

/// An output file that is being written.
#[derive(Debug)]
pub struct OpenFile {
    /// Destination.
    pub target: Target,
    /// Format of the file.
    pub format: &'static Format,
    /// Request that it fulfils.
    pub request: MapRequest,
}
