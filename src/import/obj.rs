//! `.obj`: the scene in the comments of a Wavefront mesh.

use super::recipe::rest;
use super::sum::TextSum;
use super::{Format, comments, format};

/// The format.
pub const FORMAT: Format = Format {
    name: "OBJ",
    extensions: &["obj"],
    mark: None,
    read: format::mesh,
    recipe: |source| comments::recipe(source, "# ", |source| rest(source, TextSum::default())),
    is_heights: false,
    is_mesh: true,
};
