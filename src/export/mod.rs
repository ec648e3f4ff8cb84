//! Export of heightfields, meshes, pictures and scenes: one format a file.
//!
//! Heightfields are streamed row by row, so their size is limited by the disk and not by the memory,
//! unless a format needs the whole map ([`Content::Whole`]). A format is one file and one line in
//! [`FORMATS`].
//!
//! ```text
//! Options ─► Plan ─► pieces ─► rows, or maps::pictures ─► commit ─► files
//!            what,   all of    a header and the rows      names for complete
//!            checked it, tiles into every writer          files and sidecars
//! ```
//!
//! Every file is written under a temporary name and renamed when it is complete. After an error the older
//! files are unchanged and nothing else is left.

use std::path::Path;

use crate::import::reads;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::scene::Scene;

mod asc;
mod commit;
mod earth;
mod engines;
mod error;
mod exact;
mod excerpt;
#[cfg(feature = "formats")]
mod exr;
mod files;
mod film;
mod fine;
mod finished;
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
mod notices;
mod npy;
mod obj;
mod options;
mod outputs;
mod own;
mod pattern;
mod permission;
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
mod seal;
mod sidecar;
mod skin;
mod space;
mod stl;
mod stored;
mod target;
#[cfg(feature = "formats")]
mod tiff;
mod tiles;
mod unfinished;
mod values;
mod written;

pub use crate::formats::png::PICTURE_CHUNK;
pub use earth::of as place_on_earth;
pub use engines::{ENGINES, Engine, Scaling};
pub use error::ExportError;
pub use film::{FILM_FORMATS, FilmFile, FilmFormat, FilmRequest, Numbered};
pub use forecast::{Forecast, Steps, forecast, stepped};
pub use format::{Content, Format, RowWriter};
pub use header::Header;
pub use list::{FORMATS, USUAL, extensions, format_of, formats_of_map, mesh_names};
pub use location::Location;
pub use memory::{check_drainage, check_memory, check_picture};
pub use mesh::{MeshCompanion, MeshContent};
pub use mesh_options::{MeshOptions, MeshUnit};
pub use notices::{notice_of_place, notice_of_search, notice_of_size};
pub use options::Options;
pub use outputs::{Output, check_outputs};
pub use pattern::filled;
pub use picture::{picture, picture_in_bands, picture_unless_cancelled};
pub use piece::Piece;
pub use plan::outputs;
pub use portable::portable;
pub use request::PictureRequest;
pub use resolution::{Resolution, UNREAL};
pub use scene::{scene, scene_with_comment};
pub use space::check_space_of_film;
pub use target::{Sink, free_name, is_standard_output};
pub use tiles::Tiles;
pub use unfinished::abandon;
#[cfg(any(feature = "window", feature = "cli"))]
pub(crate) use unfinished::exit;
#[cfg(feature = "window")]
pub(crate) use unfinished::replace;
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
