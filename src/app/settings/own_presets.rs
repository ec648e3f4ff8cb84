//! Files of the user's presets: plain scene files in a folder next to the settings.
//!
//! ```text
//! presets/Old hills at dusk.toml      # tags: hills, evening
//! ```
//!
//! The file name is the name of the preset; the tags are in a comment at the top. Any scene file in
//! the folder is therefore a preset, and a preset can be opened like any scene file.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use crate::app::own_preset::{OwnPreset, is_same, listed, objection};
use crate::files::{export, import};
use crate::util::language::tr;
use crate::util::words::named;

/// Start of the comment that holds the tags.
const TAGS: &str = "tags:";

/// Folder of the user's presets in the settings folder.
#[must_use]
pub fn folder(settings: &Path) -> PathBuf {
    settings.join("presets")
}

/// Read all presets of a folder, sorted by name, with messages about files that could not be read.
/// A missing folder has no presets.
#[must_use]
pub fn read_all(folder: &Path) -> (Vec<OwnPreset>, Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Default::default(),
        Err(error) => return (Vec::new(), vec![format!("{error}: {}", named(folder))]),
    };
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_scene = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml");
    let mut paths: Vec<_> = paths.filter(is_scene).collect();
    paths.sort();
    let (mut found, mut complaints) = (Vec::new(), Vec::new());
    for path in paths {
        match read(&path) {
            Ok(preset) => found.push(preset),
            Err(words) => complaints.push(words),
        }
    }
    found.sort_by_key(|preset| preset.name.to_lowercase());
    (found, complaints)
}

fn read(path: &Path) -> Result<OwnPreset, String> {
    let name = path.file_stem().and_then(|stem| stem.to_str());
    let name = name.ok_or_else(|| tr!("its name is not UTF-8: {}", named(path)))?;
    let text = import::text(path).map_err(|error| error.to_string())?;
    let scene = import::open(path).map_err(|error| error.to_string())?;
    Ok(OwnPreset {
        name: name.to_owned(),
        tags: tags_of(&text),
        scene: Arc::new(scene),
    })
}

/// Tags in the comment at the start of a scene file.
fn tags_of(text: &str) -> Vec<String> {
    let comment = text.lines().map_while(|line| line.strip_prefix('#'));
    let mut tags = comment.filter_map(|line| line.trim().strip_prefix(TAGS));
    tags.next().map(listed).unwrap_or_default()
}

/// Write a preset. It replaces another preset with the same name, and the one with its `old` name.
///
/// # Errors
/// The name is not valid, or the folder cannot be written.
pub fn keep(folder: &Path, preset: &OwnPreset, old: Option<&str>) -> Result<(), String> {
    if let Some(words) = objection(&preset.name) {
        return Err(words.to_owned());
    }
    let failed = |error: io::Error| format!("{error}: {}", named(folder));
    fs::create_dir_all(folder).map_err(failed)?;
    let comment = match preset.tags.is_empty() {
        true => String::new(),
        false => format!("{TAGS} {}", preset.tags.join(", ")),
    };
    let path = file_of(folder, &preset.name);
    let old = old.filter(|old| *old != preset.name);
    if let Some(old) = old.filter(|old| is_same(old, &preset.name)) {
        // On case-insensitive file systems both names are the same file.
        rename(&file_of(folder, old), &path)?;
    }
    let written = export::scene_with_comment(&path, &preset.scene, &comment);
    written.map_err(|error| error.to_string())?;
    match old.filter(|old| !is_same(old, &preset.name)) {
        Some(old) => remove(folder, old),
        None => Ok(()),
    }
}

/// Remove the preset with that name. Its file is only renamed, so it can be restored.
///
/// # Errors
/// There is no such preset, or the folder cannot be written.
pub fn remove(folder: &Path, name: &str) -> Result<(), String> {
    rename(&file_of(folder, name), &removed(folder, name))
}

/// Restore the removed preset with that name.
///
/// # Errors
/// There is no such file, another preset has the name by now, or the folder cannot be written.
pub fn put_back(folder: &Path, name: &str) -> Result<(), String> {
    let path = file_of(folder, name);
    if path.exists() {
        return Err(tr!(
            "another preset already has this name: {}",
            named(&path)
        ));
    }
    rename(&removed(folder, name), &path)
}

fn rename(from: &Path, to: &Path) -> Result<(), String> {
    fs::rename(from, to).map_err(|error| format!("{error}: {}", named(from)))
}

fn removed(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.toml.removed"))
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.toml"))
}
