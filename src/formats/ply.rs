//! The words of `.ply`, the polygon file format.

/// The first line.
pub const MARK: &str = "ply";
/// Begins a comment line.
pub const COMMENT: &str = "comment ";
/// The last line of the head.
pub const END_OF_HEAD: &str = "end_header";
