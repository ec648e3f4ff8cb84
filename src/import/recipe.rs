//! The recipe in a file: the scene that the file was made from, and a checksum of the samples (of
//! a mesh: of its vertices, triangles and texture), so that it is believed only as long as they
//! are those that it made.

use serde_json::Value;

use super::source::{Broken, Source};
use super::sum::{Adds, Sum};
use crate::scene::{Scene, SceneError};

/// Begins the line of the checksum, a comment of TOML, after the scene.
const SUM_MARK: &str = "# landform samples ";

/// A recipe with its checksum, as most formats hold it: TOML, the checksum in a comment.
#[must_use]
pub fn recipe_text(scene: &Scene, sum: &str) -> String {
    format!("{}{SUM_MARK}{sum}\n", scene.to_toml())
}

/// Whether a text is a recipe of ours, readable or not, rather than anybody's comment.
pub fn is_recipe(text: &str) -> bool {
    let ours = |line: &str| line.starts_with(SUM_MARK) || line.trim_end() == "[surface]";
    text.lines().any(ours)
}

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

    /// From the text that [`recipe_text`] made.
    pub fn of_text(text: &str, found: impl FnOnce() -> Result<Sum, Broken>) -> Self {
        let scene = Scene::parse(text).map_err(|error| error.to_string());
        let mut lines = text.lines().rev();
        let stated = lines.find_map(|line| line.trim().strip_prefix(SUM_MARK));
        Self::of(scene, stated, found)
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

/// A scene as JSON, as in sidecars and in the extras of a `.glb`.
pub fn scene_of_json(value: &Value) -> Result<Scene, String> {
    let text = toml::to_string(value).map_err(|error| error.to_string())?;
    Scene::parse(&text).map_err(|error| match error {
        // The line is not one of the file.
        SceneError::Syntax { message, .. } => message,
        error => error.to_string(),
    })
}
