//! `.obj`: the scene in the comments of a Wavefront mesh.

use super::{Format, comments, format};

/// The format.
pub const FORMAT: Format = Format {
    name: "OBJ",
    extensions: &["obj"],
    mark: None,
    read: format::mesh,
    scene: |source| comments::scene(source, "# "),
    is_heights: false,
    is_mesh: true,
};
