//! `.obj`: the scene stored in the comments of a Wavefront mesh.

use super::comments;
use super::reader::{Holding, Reader};
use super::recipe::rest;
use crate::files::formats::checksum::TextSum;
use crate::files::formats::obj::COMMENT;

/// Reader of Wavefront meshes.
pub const READER: Reader = Reader {
    name: "OBJ",
    extensions: &["obj"],
    mark: None,
    holds: Holding::Mesh,
    recipe: |source| comments::recipe(source, COMMENT, |source| rest(source, TextSum::default())),
};
