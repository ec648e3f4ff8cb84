//! Recipe: the scene embedded in an exported file, with a checksum of the file's content.
//!
//! The checksum covers the samples (for a mesh: vertices, triangles and texture). The recipe is valid only if
//! it matches, so a file that was edited later is read as it is.

use super::source::{Broken, Source};
use crate::files::formats::checksum::{Adds, Sum};
use crate::files::formats::recipe::stated_sum;
use crate::scene::Scene;

/// Result of the search for a recipe.
#[derive(Clone, Debug, PartialEq)]
pub enum Recipe {
    /// The file has no recipe.
    None,
    /// The recipe matches the content.
    Fits(Box<Scene>),
    /// The recipe is not valid; the text gives the reason: `its recipe …`.
    Useless(String),
}

impl Recipe {
    /// Compare the stated checksum with that of the file, whose computation reads the whole file.
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

    /// Parse a recipe's text, see [`recipe_text`](crate::files::formats::recipe::recipe_text), and check it against
    /// the content.
    pub fn of_text(text: &str, found: impl FnOnce() -> Result<Sum, Broken>) -> Self {
        let scene = Scene::parse(text).map_err(|error| error.to_string());
        Self::of(scene, stated_sum(text), found)
    }
}

/// The checksum of the rest of a file.
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
