//! Export of heightfields, meshes, pictures and scenes: one format a file.
//!
//! Heightfields are streamed row by row, so their size is limited by the disk and not by the memory,
//! unless a format needs the whole map ([`Content::Whole`]). A format is one file and one line in
//! [`FORMATS`].
//!
//! ```text
//! Options ─► Plan ─► pieces ─► rows, or maps::pictures ─► format ─► file
//!            what,   all of    a header and the rows      bytes      temporary files,
//!            checked it, tiles into every writer                     synced and renamed
//! ```
//!
//! Every file is written under a temporary name and renamed when it is complete (`temp_file`). After an
//! error the older files are unchanged and nothing else is left. Files that are not from Landform are
//! replaced only if the user allows it (`overwrite_guard`).

use std::path::Path;

use crate::files::import::reads;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::util::job::Job;

mod asc;
mod earth;
mod engines;
mod error;
mod exact;
mod excerpt;
#[cfg(feature = "formats")]
mod exr;
mod file;
mod film;
mod fine;
mod forecast;
mod format;
mod georeference;
mod glb;
mod header;
mod heights;
mod lattice;
mod list;
mod location;
mod maps;
mod memory;
mod mesh;
mod mesh_options;
mod names;
mod notices;
mod npy;
mod obj;
mod options;
mod outputs;
mod overwrite_guard;
mod picture;
mod piece;
mod pieces;
mod plan;
mod ply;
mod png;
mod portable;
mod raw;
mod request;
mod resolution;
mod row_source;
mod rows;
mod scene;
mod sidecar;
mod skin;
mod stl;
mod stored;
mod temp_file;
#[cfg(feature = "formats")]
mod tiff;
mod tiles;
mod values;
mod written;

pub use crate::files::formats::png::PICTURE_CHUNK;
pub use earth::of as place_on_earth;
pub use engines::{ENGINES, Engine, Scaling};
pub use error::ExportError;
pub use file::Sink;
pub use film::{FILM_FORMATS, FilmFile, FilmFormat, FilmRequest, Numbered};
pub use forecast::{Forecast, Steps, forecast, stepped};
pub use format::{Content, Format, RowWriter};
pub use header::Header;
pub use list::{FORMATS, USUAL, extensions, format_of, formats_of_map, mesh_names};
pub use location::Location;
pub use memory::{check_drainage, check_memory, check_picture, check_space_of_film};
pub use mesh::{MeshCompanion, MeshContent};
pub use mesh_options::{MeshOptions, MeshUnit};
pub use names::{filled, free_name, is_standard_output};
pub use notices::{notice_of_place, notice_of_search, notice_of_size};
pub use options::Options;
pub use outputs::{Output, check_outputs};
pub use picture::{picture, picture_in_bands, picture_unless_cancelled};
pub use piece::Piece;
pub use plan::outputs;
pub use portable::portable;
pub use request::PictureRequest;
pub use resolution::{Resolution, UNREAL};
pub use scene::{scene, scene_with_comment};
pub use temp_file::abandon;
#[cfg(any(feature = "window", feature = "cli"))]
pub(crate) use temp_file::exit;
#[cfg(feature = "window")]
pub(crate) use temp_file::replace;
pub use tiles::Tiles;
pub use values::{HeightUnit, Span};
pub use written::Written;

use plan::Plan;

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
    let palette = inputs.palette(&scene.view.palette)?;
    earth::check(scene)?;
    let plan = Plan::new(paths, scene, &palette, &options)?;
    check_outputs(&plan.outputs(), &reads(scene), &|_| false)?;
    pieces::write(&plan, inputs, job)
}
