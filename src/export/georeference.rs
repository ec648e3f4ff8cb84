//! Files beside a map that say where it lies, of formats that cannot: a world file, with the place of its
//! samples, and a `.prj` file, with its coordinate reference system as well-known text.

use std::path::{Path, PathBuf};

use super::ExportError;
use super::files::OpenFile;
use super::format::Format;
use super::header::Header;
use super::target::Target;
use crate::scene::Scene;

/// The end of the name of files that hold a system's text.
const SYSTEM: &str = "prj";

/// The files that may come to lie beside a map, if the scene may have a place on earth.
pub fn files_beside(format: &Format, scene: &Scene, path: &Path) -> Vec<PathBuf> {
    let surface = &scene.surface;
    let may_have_place = surface.input.is_some() || !surface.crs.is_empty() || !surface.origin.is_empty();
    let ends = format.placed_by.iter().filter(|_| may_have_place);
    ends.map(|end| path.with_extension(end)).collect()
}

/// Writes what says where a map lies, if it is known and the file itself cannot say it.
///
/// # Errors
/// A file cannot be written.
pub fn write(file: &OpenFile, header: &Header<'_>) -> Result<Vec<Target>, ExportError> {
    let (Some(earth), Some(([x, y], east, south))) = (&header.piece.earth, header.on_earth()) else {
        return Ok(Vec::new());
    };
    if file.target.is_standard_output() {
        return Ok(Vec::new());
    }
    let mut written = Vec::new();
    for end in file.format.placed_by {
        let text = if *end == SYSTEM {
            earth.well_known_text()
        } else {
            // The place of the middle of the first sample that is written, and the way to the next ones.
            let (first, down) = if header.piece.flipped {
                (y + (header.rows - 1) as f64 * south[1], -south[1])
            } else {
                (y, south[1])
            };
            Some(format!("{}\n0\n0\n{down}\n{x}\n{first}\n", east[0]))
        };
        if let Some(text) = text {
            let target = Target::companion(&file.target.path().with_extension(end))?;
            target.fill(text.as_bytes())?;
            written.push(target);
        }
    }
    Ok(written)
}
