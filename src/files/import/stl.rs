//! `.stl`: meshes without an embedded scene, which is in the sidecar.

use super::reader::{Holding, Reader};
use super::recipe::Recipe;

/// Reader of STL meshes.
pub const READER: Reader = Reader {
    name: "STL",
    extensions: &["stl"],
    mark: None,
    holds: Holding::Mesh,
    recipe: |_| Ok(Recipe::None),
};
