//! The recipe in a file: the scene that the file was made from, and a checksum of the samples (of
//! a mesh: of its vertices, triangles and texture), so that it is believed only as long as they
//! are those that it made.

use super::source::{Broken, Source};
use crate::formats::checksum::{Adds, Sum};
use crate::formats::recipe::stated_sum;
use crate::scene::Scene;

/// What was found of a recipe.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// There is none.
    None,
    /// It made what the file holds.
    Fits(Box<Scene>),
    /// Not to be believed, and why: `its recipe …`.
    Useless(String),
}

impl Recipe {
    /// From the scene, if it could be read, the checksum beside it, and that of the file, which
    /// takes a pass over it.
    pub fn of(
        scene: Result<Scene, String>,
        stated: Option<&str>,
        found: impl FnOnce() -> Result<Sum, Broken>,
    ) -> Self {
        let scene = match scene {
            Ok(scene) => scene,
            Err(reason) => return Self::Useless(format!("its recipe cannot be read ({reason})")),
        };
        let Some(stated) = stated else {
            return Self::Useless("its recipe has no checksum of its samples".to_owned());
        };
        match found() {
            Ok(found) if found.text() == stated.trim() => Self::Fits(Box::new(scene)),
            _ => Self::Useless("it was changed after its recipe was written".to_owned()),
        }
    }

    /// The recipe of a text, see [`recipe_text`](crate::formats::recipe::recipe_text).
    pub fn of_text(text: &str, found: impl FnOnce() -> Result<Sum, Broken>) -> Self {
        let scene = Scene::parse(text).map_err(|error| error.to_string());
        Self::of(scene, stated_sum(text), found)
    }
}

/// The sum of the rest of a file.
pub fn rest(source: &mut Source<'_>, mut sum: impl Adds) -> Result<Sum, Broken> {
    loop {
        let bytes = source.bytes.fill_buf()?;
        if bytes.is_empty() {
            return Ok(sum.sum());
        }
        let count = bytes.len();
        sum.add(bytes);
        source.bytes.consume(count);
    }
}
