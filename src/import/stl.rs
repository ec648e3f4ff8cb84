//! `.stl`: a mesh that holds no scene; that is in the sidecar.

use super::recipe::Recipe;
use super::{Format, format};

/// The format.
pub const FORMAT: Format = Format {
    name: "STL",
    extensions: &["stl"],
    mark: None,
    read: format::mesh,
    recipe: |_| Ok(Recipe::None),
    is_heights: false,
    is_mesh: true,
};
