//! The files of a piece that are being written.

use super::format::Format;
use super::request::MapRequest;
use super::target::Target;

/// A file that is being written.
#[derive(Debug)]
pub struct OpenFile {
    /// Where it goes.
    pub target: Target,
    /// Its format.
    pub format: &'static Format,
    /// What is asked of it.
    pub request: MapRequest,
}
