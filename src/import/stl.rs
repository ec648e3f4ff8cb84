//! `.stl`: a mesh that holds no scene; that is in the sidecar.

use super::reader::{Holding, Reader};
use super::recipe::Recipe;

/// The format.
pub const READER: Reader = Reader {
    name: "STL",
    extensions: &["stl"],
    mark: None,
    holds: Holding::Mesh,
    recipe: |_| Ok(Recipe::None),
};
