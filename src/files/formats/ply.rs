//! Keywords of `.ply`, the polygon file format.

/// First line.
pub const MARK: &str = "ply";
/// Prefix of comment lines.
pub const COMMENT: &str = "comment ";
/// Last line of the header.
pub const END_OF_HEAD: &str = "end_header";
