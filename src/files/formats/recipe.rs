//! Recipe text in files: the scene that a file was made from, and a checksum of the samples.

use std::io::{self, Write};

use serde_json::Value;

use crate::scene::{Scene, SceneError};

/// Prefix of the checksum line after the scene, a TOML comment.
const SUM_MARK: &str = "# landform samples ";
/// Comment line before a recipe.
pub const BEGIN: &str = "landform scene begin";
/// Comment line after a recipe.
pub const END: &str = "landform scene end";

/// Recipe as most formats store it: the scene as TOML, the checksum in a comment.
#[must_use]
pub fn recipe_text(scene: &Scene, sum: &str) -> String {
    format!("{}{SUM_MARK}{sum}\n", scene.to_toml())
}

/// True if a text is a recipe, even a damaged one, rather than some other comment.
#[must_use]
pub fn is_recipe(text: &str) -> bool {
    let ours = |line: &str| line.starts_with(SUM_MARK) || line.trim_end() == "[surface]";
    text.lines().any(ours)
}

/// Checksum stated in a recipe.
#[must_use]
pub fn stated_sum(text: &str) -> Option<&str> {
    let mut lines = text.lines().rev();
    lines.find_map(|line| line.trim().strip_prefix(SUM_MARK))
}

/// Write a recipe as comment lines with the prefix `mark`.
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

/// Scene as JSON, with numbers as short as in a scene file: 0.7, not 0.699999988.
#[must_use]
pub fn scene_as_json(scene: &Scene) -> Value {
    let table: Option<toml::Table> = scene.to_toml().parse().ok();
    serde_json::to_value(table).unwrap_or_default()
}

/// Parse a scene from JSON. The error describes the problem.
///
/// # Errors
/// The JSON is not a valid scene.
pub fn scene_of_json(value: &Value) -> Result<Scene, String> {
    let text = toml::to_string(value).map_err(|error| error.to_string())?;
    Scene::parse(&text).map_err(|error| match error {
        // The line number would refer to the intermediate TOML, so it is dropped.
        SceneError::Syntax { message, .. } => message,
        error => error.to_string(),
    })
}
