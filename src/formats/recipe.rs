//! The text of a recipe: the scene that a file was made from, and a checksum of the samples.

use std::io::{self, Write};

use serde_json::Value;

use crate::scene::{Scene, SceneError};

/// Begins the line of the checksum, a comment of TOML, after the scene.
const SUM_MARK: &str = "# landform samples ";
/// The comment line before a recipe.
pub const BEGIN: &str = "landform scene begin";
/// The comment line after a recipe.
pub const END: &str = "landform scene end";

/// A recipe with its checksum, as most formats hold it: TOML, the checksum in a comment.
#[must_use]
pub fn recipe_text(scene: &Scene, sum: &str) -> String {
    format!("{}{SUM_MARK}{sum}\n", scene.to_toml())
}

/// Whether a text is a recipe of ours, readable or not, rather than anybody's comment.
#[must_use]
pub fn is_recipe(text: &str) -> bool {
    let ours = |line: &str| line.starts_with(SUM_MARK) || line.trim_end() == "[surface]";
    text.lines().any(ours)
}

/// The checksum that a recipe states.
#[must_use]
pub fn stated_sum(text: &str) -> Option<&str> {
    let mut lines = text.lines().rev();
    lines.find_map(|line| line.trim().strip_prefix(SUM_MARK))
}

/// Writes a recipe as comment lines, each after `mark`.
pub fn write_comments(
    sink: &mut impl Write,
    mark: &str,
    scene: &Scene,
    sum: &str,
) -> io::Result<()> {
    writeln!(sink, "{mark}{BEGIN}")?;
    for line in recipe_text(scene, sum).lines() {
        writeln!(sink, "{mark}{line}")?;
    }
    writeln!(sink, "{mark}{END}")
}

/// A scene as JSON, with numbers as short as in a scene file: 0.7, not 0.699999988.
#[must_use]
pub fn scene_as_json(scene: &Scene) -> Value {
    let table: Option<toml::Table> = scene.to_toml().parse().ok();
    serde_json::to_value(table).unwrap_or_default()
}

/// The scene that was written as JSON; what is wrong with it if it cannot be read.
///
/// # Errors
/// It is no scene.
pub fn scene_of_json(value: &Value) -> Result<Scene, String> {
    let text = toml::to_string(value).map_err(|error| error.to_string())?;
    Scene::parse(&text).map_err(|error| match error {
        // The line is not one of the file.
        SceneError::Syntax { message, .. } => message,
        error => error.to_string(),
    })
}
