//! Scenes as TOML.

use std::io::{self, Write};
use std::path::{Path, PathBuf, absolute};

use super::ExportError;
use super::target::write_all;
use crate::import::{is_builtin, recipe_text, sum_of};
use crate::scene::Scene;

/// Writes a scene, every key spelt out. Files that it names are written relative to its folder
/// if they lie below it, else in full, so that it opens from anywhere.
///
/// # Errors
/// The file cannot be written.
pub fn scene(path: &Path, scene: &Scene) -> Result<(), ExportError> {
    write_all(path, portable(scene, path).to_toml().as_bytes())
}

/// A scene as a file holds it: the files that it names are relative to that file's folder if they
/// lie below it, else named in full, and images have a checksum.
#[must_use]
pub fn portable(scene: &Scene, file: &Path) -> Scene {
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut scene = scene.clone();
    for surface in scene.surfaces_mut() {
        if let Some(input) = &mut surface.input {
            let is_file = !is_builtin(input);
            let sum = is_file.then(|| sum_of(input)).flatten();
            surface.input_checksum = sum.unwrap_or_default();
            *input = seen_from(folder, input);
        }
    }
    let palette = Path::new(&scene.view.palette);
    if palette
        .extension()
        .is_some_and(|extension| extension == "toml")
        && let Some(named) = seen_from(folder, palette).to_str()
    {
        scene.view.palette = named.to_owned();
    }
    scene
}

fn seen_from(folder: &Path, file: &Path) -> PathBuf {
    if is_builtin(file) {
        return file.to_owned();
    }
    // `absolute` fails for an empty path only, which is the current folder.
    let here = || absolute(".").unwrap_or_default();
    let folder = absolute(folder).unwrap_or_else(|_| here());
    let file = absolute(file).unwrap_or_else(|_| file.to_owned());
    match file.strip_prefix(folder) {
        Ok(below) => below.to_owned(),
        Err(_) => file,
    }
}

/// Writes a recipe as comment lines, each after `prefix`.
pub(super) fn comment_recipe(
    sink: &mut impl Write,
    prefix: &str,
    scene: &Scene,
    sum: &str,
) -> io::Result<()> {
    writeln!(sink, "{prefix}landform scene begin")?;
    for line in recipe_text(scene, sum).lines() {
        writeln!(sink, "{prefix}{line}")?;
    }
    writeln!(sink, "{prefix}landform scene end")
}
