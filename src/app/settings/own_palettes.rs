//! Palettes of the user's own: one file each in the settings folder, in the format of the built-in ones.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::app::own_preset::palette_objection;
use crate::files::{export, import};
use crate::scene::palette::Palette;
use crate::util::words::named;

/// Folder of the user's palettes in the settings folder.
#[must_use]
pub fn folder(settings: &Path) -> PathBuf {
    settings.join("palettes")
}

/// Read all palettes of a folder, sorted by name, with messages about files that could not be read. A missing
/// folder has no palettes. Each palette has the name of its file.
#[must_use]
pub fn read_all(folder: &Path) -> (Vec<Palette>, Vec<String>) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Default::default(),
        Err(error) => return (Vec::new(), vec![format!("{error}: {}", named(folder))]),
    };
    let (mut found, mut complaints) = (Vec::new(), Vec::new());
    for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
        let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else {
            continue;
        };
        if path.extension().is_none_or(|end| end != "toml") {
            continue;
        }
        match import::palette(&path) {
            Ok(palette) => found.push(Palette {
                name: name.to_owned(),
                ..palette
            }),
            Err(error) => complaints.push(error.to_string()),
        }
    }
    found.sort_by_key(|palette| palette.name.to_lowercase());
    (found, complaints)
}

/// Write a palette. It replaces another one with the same name.
///
/// # Errors
/// The name is not valid, or the folder cannot be written.
pub fn keep(folder: &Path, palette: &Palette) -> Result<(), String> {
    if let Some(words) = palette_objection(&palette.name) {
        return Err(words.to_owned());
    }
    let failed = |error: io::Error| format!("{error}: {}", named(folder));
    fs::create_dir_all(folder).map_err(failed)?;
    let path = folder.join(format!("{}.toml", palette.name));
    export::replace(&path, palette.to_toml().as_bytes()).map_err(failed)
}

/// Remove the palette with that name. Its file is only renamed.
///
/// # Errors
/// There is no such palette, or the folder cannot be written.
pub fn remove(folder: &Path, name: &str) -> Result<(), String> {
    let path = folder.join(format!("{name}.toml"));
    let removed = folder.join(format!("{name}.toml.removed"));
    fs::rename(&path, &removed).map_err(|error| format!("{error}: {}", named(&path)))
}
