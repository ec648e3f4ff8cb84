//! Georeference files for formats that cannot hold one: a world file with the affine transform of the
//! samples, and a `.prj` file with the coordinate reference system as well-known text.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::ExportError;
use super::file::OutputFile;
use super::format::Format;
use super::header::Header;
use super::list::FORMATS;
use super::overwrite_guard::is_listed;
use crate::scene::Scene;

/// Extension of files with well-known text.
const SYSTEM: &str = "prj";

/// Possible georeference files of a map; empty if the scene has no place on earth.
pub fn files_beside(format: &Format, scene: &Scene, path: &Path) -> Vec<PathBuf> {
    let surface = &scene.surface;
    let may_have_place =
        surface.input.is_some() || !surface.crs.is_empty() || !surface.origin.is_empty();
    let ends = format.placed_by.iter().filter(|_| may_have_place);
    let files = ends.map(|end| path.with_extension(end));
    files.filter(|file| !is_of_input(scene, file)).collect()
}

/// True if the file is the georeference of the scene's input, which then serves the map as well.
fn is_of_input(scene: &Scene, file: &Path) -> bool {
    let end = file.extension().unwrap_or_default();
    let of_input = scene
        .surface
        .input
        .as_ref()
        .map(|input| input.with_extension(end));
    of_input.is_some_and(|of_input| {
        let real = of_input.canonicalize();
        real.is_ok_and(|real| file.canonicalize().is_ok_and(|file| file == real))
    })
}

/// Write the georeference files of a map, if its place is known and the format cannot hold it. Files in
/// `others`, written in the same run, are not written again.
///
/// # Errors
/// A file cannot be written.
pub fn write(
    map: &OutputFile,
    format: &Format,
    header: &Header<'_>,
    others: &[Vec<OutputFile>],
) -> Result<Vec<OutputFile>, ExportError> {
    if map.is_standard_output() {
        return Ok(Vec::new());
    }
    let path = |end: &str| map.path().with_extension(end);
    let (Some(earth), Some(([x, y], east, south))) = (&header.piece.earth, header.on_earth())
    else {
        // Files of an older map of this name would misplace the new one.
        let old = format.placed_by.iter().map(|end| path(end));
        old.filter(|path| is_listed(path, maps_placed_by(path)) == Some(true))
            .for_each(|path| drop(fs::remove_file(path)));
        return Ok(Vec::new());
    };
    // Maps that differ only in their extension share these files.
    let is_there = |path: &Path| others.iter().flatten().any(|file| file.path() == path);
    let mut written = Vec::new();
    let is_taken =
        |end: &&&str| is_there(&path(end)) || is_of_input(header.piece.scene, &path(end));
    for end in format.placed_by.iter().filter(|end| !is_taken(end)) {
        let text = if *end == SYSTEM {
            earth.well_known_text()
        } else {
            // Centre of the first sample that is written, and the step to the next one.
            let (first, down) = if header.piece.flipped {
                (y + (header.rows - 1) as f64 * south[1], -south[1])
            } else {
                (y, south[1])
            };
            Some(format!("{}\n0\n0\n{down}\n{x}\n{first}\n", east[0]))
        };
        if let Some(text) = text {
            let target = OutputFile::companion(&path(end))?;
            target.fill(text.as_bytes())?;
            written.push(target);
        }
    }
    Ok(written)
}

/// Possible maps of a georeference file.
pub fn maps_placed_by(path: &Path) -> impl Iterator<Item = PathBuf> {
    let end = path.extension().unwrap_or_default();
    let formats = FORMATS.iter();
    let formats = formats.filter(move |format| format.placed_by.iter().any(|by| end == *by));
    formats.map(|format| path.with_extension(format.extension))
}
