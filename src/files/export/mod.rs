//! Export of heightfields, meshes, pictures and scenes: one format a file.
//!
//! Heightfields are streamed row by row, so their size is limited by the disk and not by the memory,
//! unless a format needs the whole map. A format is one file and one line in [`FORMATS`]. The files build
//! on each other in this order, from the format registry at the top down:
//!
//! ```text
//! Options ─► Plan ─► pieces ─► rows, or pictures ─► format ─► file
//!            what,   all of    a header and the       bytes     temporary files,
//!            checked it, tiles rows to every writer             synced and renamed
//! ```
//!
//! Every file is written under a temporary name and renamed when it is complete (`file`). After an
//! error the older files are unchanged and nothing else is left. Files that are not from Landform are
//! replaced only if the user allows it (`overwrite_guard`).

use std::path::Path;

use crate::files::import::reads;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::util::job::Job;
use file::{OutputFile, commit};
use names::in_full;
use plan::Plan;

mod asc;
mod error;
#[cfg(feature = "formats")]
mod exr;
mod file;
mod film;
mod for_engine;
mod forecast;
mod format;
mod georeference;
mod glb;
mod heights;
mod memory;
mod mesh;
mod names;
mod npy;
mod obj;
mod options;
mod overwrite_guard;
mod pictures;
mod piece;
mod pieces;
mod plan;
mod plants;
mod ply;
mod png;
mod raw;
mod registry;
mod row_source;
mod rows;
mod sidecar;
mod stl;
#[cfg(feature = "formats")]
mod tiff;
mod written;

pub use crate::files::formats::png::PICTURE_CHUNK;
pub use error::ExportError;
pub use file::abandon;
#[cfg(any(feature = "window", feature = "cli"))]
pub(crate) use file::exit;
#[cfg(feature = "window")]
pub(crate) use file::replace;
pub use film::{FILM_FORMATS, FilmFile, FilmFormat, FilmRequest, Numbered};
pub use for_engine::{EngineFolder, EngineSize, map_size};
pub use forecast::{Forecast, Steps, forecast, stepped};
pub use format::Format;
pub use georeference::place_on_earth;
pub use heights::Location;
pub use memory::{check_drainage, check_memory, check_picture, check_snow, check_space_of_film};
pub use names::{filled, free_name, is_standard_output, portable};
pub use options::{Options, PlantForm, PlantRequest, Tiles};
pub use pictures::{picture, picture_in_bands, picture_unless_cancelled};
pub use piece::{MeshOptions, MeshUnit, Span};
pub use plan::{Output, PictureRequest, check_outputs, outputs, pictures_of};
pub use plants::{MOST_NODES, MOST_PLANTS, PlantFormat, check_plants, plants};
pub use registry::{
    Axes, ENGINES, Engine, FORMATS, Resolution, Scaling, UNREAL, USUAL, extensions, format_of,
    formats_of_map, mesh_names,
};
pub use written::{Written, notice_of_place, notice_of_search, notice_of_size};

/// Write the heightfield of a scene, or another map of it. The format is in `options` or follows from the
/// file name.
///
/// # Errors
/// As [`heightmaps`].
pub fn heightmap(
    path: &Path,
    scene: &Scene,
    inputs: &Inputs,
    options: Options,
    job: &Job,
) -> Result<Written, ExportError> {
    heightmaps(&[path], scene, inputs, options, job)
}

/// Write the heightfield of a scene, or another map of it, into several files; the map is made once.
/// Either all files are written or none is changed. Of tiles this is true for each tile alone.
///
/// # Errors
/// A setting is invalid, a format is unknown, there is too little memory, tiles do not divide the map, or
/// a file cannot be written.
pub fn heightmaps(
    paths: &[impl AsRef<Path>],
    scene: &Scene,
    inputs: &Inputs,
    options: Options,
    job: &Job,
) -> Result<Written, ExportError> {
    let palette = inputs.palette_of(scene)?;
    georeference::check_system(scene)?;
    let plan = Plan::new(paths, scene, &palette, &options)?;
    check_outputs(&plan.outputs(), &reads(scene), &|_| false)?;
    pieces::write(&plan, inputs, job)
}

/// Write a scene with every key spelt out. Input paths are written relative to the scene's folder if they
/// lie below it, else as absolute paths, so that the scene can be opened from anywhere.
///
/// # Errors
/// The file cannot be written.
pub fn scene(path: &Path, scene: &Scene) -> Result<(), ExportError> {
    scene_with_comment(path, scene, "")
}

/// As [`scene`], after a comment of one or several lines, given without comment marks.
///
/// # Errors
/// The file cannot be written.
pub fn scene_with_comment(path: &Path, scene: &Scene, comment: &str) -> Result<(), ExportError> {
    check_outputs(&[Output::plain(path)], &reads(scene), &|_| true)?;
    let target = OutputFile::create(path)?;
    let scene = in_full(scene, path)?;
    let comment: String = comment.lines().map(|line| format!("# {line}\n")).collect();
    target.fill((comment + &scene.to_toml()).as_bytes())?;
    commit(vec![target.into()], &Job::new())
}
