//! `.ply`: the scene in the comments of a mesh's header.

use super::{Format, comments, format};

/// The format.
pub const FORMAT: Format = Format {
    name: "PLY",
    extensions: &["ply"],
    mark: Some(|bytes| bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r\n")),
    read: format::mesh,
    scene: |source| comments::scene(source, "comment "),
    is_heights: false,
    is_mesh: true,
};
