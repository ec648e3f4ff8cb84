//! Height maps, meshes, pictures and scenes into files: one format a file.
//!
//! A height map goes through row by row, so its size is limited by the disk and not by the
//! memory, unless a format needs the whole map ([`Content::Whole`]). A format is one file and
//! one line in [`FORMATS`].
//!
//! Every file is written beside its place and renamed when it is complete: after an error,
//! whatever was there before is still there, and nothing else.

use std::io;
use std::path::Path;

use serde::Serialize;

use crate::fractal::region::Region;
use crate::generate::Generator;
use crate::heightmap::Heightmap;
use crate::import::reads;
use crate::inputs::Inputs;
use crate::job::Job;
use crate::maps::{HEIGHTS, Map};
use crate::mesh::Detail;
use crate::pipeline;
use crate::scene::Scene;

mod asc;
mod commit;
mod earth;
mod engines;
mod error;
mod exact;
mod exr;
mod forecast;
mod glb;
mod grey;
mod header;
mod lattice;
pub mod maps;
mod memory;
mod mesh;
mod names;
mod npy;
mod obj;
mod outputs;
mod own;
mod part;
mod picture;
mod ply;
mod raw;
mod request;
mod rows;
mod samples;
mod scene;
mod seal;
mod sidecar;
mod skin;
mod source;
mod space;
mod stl;
mod target;
mod tiff;
mod tiles;
mod values;

pub use earth::notice_of_place;
pub use engines::{ENGINES, Engine, Scaling, notice_of_size};
pub use error::ExportError;
pub use forecast::{Forecast, Steps, forecast, stepped};
pub use header::{Header, Place};
pub use memory::{check_memory, check_picture};
pub use mesh::{Beside, MeshContent, MeshOptions, MeshUnit};
pub use names::filled;
pub use outputs::{Output, check_outputs, outputs};
pub(crate) use part::replace;
pub use part::{abandon, abandon_at_once};
pub use picture::{PICTURE_CHUNK, picture, picture_in_bands, picture_unless_cancelled};
pub use request::PictureRequest;
pub use samples::{Samples, UNREAL};
pub use scene::{portable, scene};
pub use source::{RowSource, Rows, notice_of_search};
pub use target::{Sink, free_name, is_standard_output};
pub use tiles::{Tiles, tiles};
pub use values::{Span, Unit};

use request::Request;

/// Every format of height maps, in the order shown.
pub const FORMATS: &[Format] = &[
    npy::FORMAT,
    grey::PNG,
    grey::PNG8,
    raw::R16,
    raw::R32,
    tiff::F32,
    tiff::U16,
    exr::FORMAT,
    asc::FORMAT,
    obj::FORMAT,
    ply::FORMAT,
    stl::FORMAT,
    glb::FORMAT,
];

/// One format of height maps.
#[derive(Debug)]
pub struct Format {
    /// What the command line calls it.
    pub name: &'static str,
    /// The end of the file's name, without the dot. Of several formats with the same one the
    /// first is taken, unless another is named.
    pub extension: &'static str,
    /// Of formats with whole numbers the number of the highest height; the lowest is 0.
    pub levels: Option<u32>,
    /// One line about it.
    pub help: &'static str,
    /// Whether it is a mesh rather than heights.
    pub mesh: bool,
    /// The unit of its floats, if nothing else is asked for.
    pub unit: Unit,
    /// Whether the file itself says where north is, so that its rows have one order.
    pub says_north: bool,
    /// Bytes that a sample takes in a large file, at least; 0 where that depends on the heights.
    pub least_bytes: u64,
    /// How it is written.
    pub content: Content,
}

/// How a format is written.
#[derive(Debug)]
pub enum Content {
    /// A row at a time: the map need not be in memory.
    Rows {
        /// Writes what comes before the first row.
        begin: fn(&Header<'_>, Sink) -> io::Result<Box<dyn RowWriter>>,
    },
    /// From the whole map.
    Whole(fn(&Heightmap, &Header<'_>, Sink) -> io::Result<()>),
    /// From the whole map as triangles.
    Mesh(MeshContent),
}

/// A file that takes one row after the other, north first.
pub trait RowWriter {
    /// Writes the next row.
    fn row(&mut self, heights: &[f32]) -> io::Result<()>;
    /// Writes what comes after the last row, and everything that is still in a buffer.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Choices that the scene does not hold.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Options {
    /// The format; by the file's name if `None`.
    pub format: Option<&'static Format>,
    /// What the numbers in the file mean.
    pub span: Span,
    /// How many samples a side: of the whole map, or of each of its tiles.
    pub samples: Samples,
    /// Southern row first, for programs that read images upwards.
    pub flip: bool,
    /// Which map is written; the heights if `None`.
    pub map: Option<&'static Map>,
    /// The rectangle to write; the whole map if `None`. Of diamond-square without layers and
    /// modifiers it is made alone, of up to 2^31 cells a side. Its range is that of the map, so
    /// that rectangles join.
    pub region: Option<Region>,
    /// Choices for meshes.
    pub mesh: MeshOptions,
}

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Written {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Lowest and highest number: of heights in half tiles; none of colours.
    pub range: Option<(f32, f32)>,
    /// Samples beyond the range asked for, which became its ends in formats with whole numbers.
    /// Of tiles those of all files together.
    pub clipped: u64,
}

impl Written {
    /// What the user is to know about it.
    #[must_use]
    pub fn notice(&self) -> Option<String> {
        let samples = if self.clipped == 1 {
            "sample lies"
        } else {
            "samples lie"
        };
        let clipped = self.clipped;
        (clipped > 0).then(|| format!("{clipped} {samples} beyond the range and became its ends"))
    }
}

/// Writes the height map of a scene in the format that the file's name or `options` say.
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

/// Writes the height map of a scene into several files, made once for all of them. Either all
/// files are there afterwards, or none is changed.
///
/// # Errors
/// A setting of the scene, an unknown format, too little memory, or a file cannot be written.
pub fn heightmaps(
    paths: &[impl AsRef<Path>],
    scene: &Scene,
    inputs: &Inputs,
    options: Options,
    job: &Job,
) -> Result<Written, ExportError> {
    if let Some(map) = maps::other_than_heights(&options) {
        let paths: Vec<&Path> = paths.iter().map(AsRef::as_ref).collect();
        return maps::export(&paths, map, scene, inputs, options, job);
    }
    let formats = paths
        .iter()
        .map(|path| options.format.map_or_else(|| format_of(path.as_ref()), Ok))
        .collect::<Result<Vec<_>, _>>()?;
    let whole = formats.iter().any(|format| format.needs_the_whole_map());
    let whole = whole || !options.samples.streams();
    check_detail(&options, &formats)?;
    check_paths(paths, scene, inputs, &options, None)?;
    let targets = paths
        .iter()
        .map(|path| target::Target::create(path.as_ref()))
        .collect::<Result<Vec<_>, _>>()?;
    let mesh = formats.iter().find(|format| format.mesh);
    if let (Samples::PowerOfTwo, Some(mesh)) = (options.samples, mesh) {
        return Err(ExportError::CropOfMesh { format: mesh.name });
    }
    if let (true, Some(format)) = (options.flip, formats.iter().find(|f| f.says_north)) {
        return Err(ExportError::Flip {
            format: format.name,
        });
    }
    let span = span_of(&options, scene, inputs);
    let (mut own, mut all) = (None, None);
    let (source, place) = match options.region {
        Some(region) => {
            // Light and colours of a part need its neighbours.
            let all = all.insert(match mesh {
                Some(_) => RowSource::new(scene, inputs, true, job)?,
                None => RowSource::of_any_size(scene, inputs, job)?,
            });
            let part = all.part(region, job)?;
            if mesh.is_some() || formats.iter().any(|f| span.needs_range(f.levels)) {
                own = Some(all.range_of_all(job)?);
            }
            part
        }
        None => {
            let whole = RowSource::new(scene, inputs, whole, job)?;
            options.samples.apply(whole, job)?
        }
    };
    let source = if options.flip {
        source.flipped()
    } else {
        source
    };
    let palette = inputs.palette(&scene.view.palette)?;
    let palette = palette.as_ref();
    let is_coloured = mesh.is_some() && options.region.is_none();
    let finer = match is_coloured && finer_colors(scene) {
        true => Some(pipeline::teximage(scene, inputs, job)?),
        false => None,
    };
    let work = rows::Work {
        scene,
        palette,
        span,
        own,
        flipped: options.flip,
        finer: finer.as_ref(),
        whole: all.as_ref().and_then(RowSource::map),
        mesh: options.mesh,
        earth: earth::of(scene, inputs, place),
        place,
        map: &HEIGHTS,
        request: Request::new(options),
        job,
    };
    rows::write(&source, &formats, targets, &work)
}

/// What the numbers mean: an image that nothing touches keeps its steps.
fn span_of(options: &Options, scene: &Scene, inputs: &Inputs) -> Span {
    match (options.span, pipeline::steps_range(scene, inputs)) {
        (Span::Own, Some((low, high))) => Span::Heights(low, high),
        (span, _) => span,
    }
}

/// Checks the places of all files, whoever wrote what is there.
fn check_paths(
    paths: &[impl AsRef<Path>],
    scene: &Scene,
    inputs: &Inputs,
    options: &Options,
    tiles: Option<Tiles>,
) -> Result<(), ExportError> {
    let outputs = paths
        .iter()
        .map(|path| outputs(path.as_ref(), scene, inputs, options, tiles))
        .collect::<Result<Vec<_>, _>>()?;
    check_outputs(outputs.iter().flatten(), &reads(scene), &|_| true)
}

/// The format of a file by the end of its name.
///
/// # Errors
/// [`ExportError::UnknownFormat`], [`ExportError::NoFormat`] of standard output.
pub fn format_of(path: &Path) -> Result<&'static Format, ExportError> {
    let extension = path.extension().unwrap_or_default();
    let extension = extension.to_string_lossy().to_lowercase();
    if is_standard_output(path) {
        return Err(ExportError::NoFormat);
    }
    let known = usual(&extension);
    let found = FORMATS.iter().find(|format| format.extension == known);
    found.ok_or_else(|| ExportError::UnknownFormat {
        extension,
        allowed: extensions(),
        path: path.to_owned(),
    })
}

/// Refuses fewer triangles for formats without any.
fn check_detail(options: &Options, formats: &[&'static Format]) -> Result<(), ExportError> {
    match formats.iter().find(|format| !format.mesh) {
        Some(format) if options.mesh.detail != Detail::All => Err(ExportError::DetailOfHeights {
            format: format.name,
        }),
        _ => Ok(()),
    }
}

/// Whether the scene asks for colours from a finer map than its own.
fn finer_colors(scene: &Scene) -> bool {
    let surface = pipeline::surface_of(scene);
    let is_made = !matches!(surface.generator, Generator::Image | Generator::Midpoint1d);
    is_made && scene.teximage.iterations > surface.iterations
}

impl Format {
    /// Whether it is written from the whole map, not row by row.
    #[must_use]
    pub fn needs_the_whole_map(&self) -> bool {
        !matches!(self.content, Content::Rows { .. })
    }

    /// The format of that name; a usual extension is one too.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        let by_extension = |format: &&Self| format.extension == usual(name);
        let by_name = FORMATS.iter().find(|format| format.name == name);
        by_name.or_else(|| FORMATS.iter().find(by_extension))
    }
}

/// Other ends of names that are in use, and the one that we write.
const ALSO: &[(&str, &str)] = &[("tiff", "tif"), ("raw", "r16")];

/// The extension that we write for one in use.
fn usual(extension: &str) -> &str {
    let found = ALSO.iter().find(|(also, _)| *also == extension);
    found.map_or(extension, |(_, usual)| usual)
}

/// The formats' extensions, for a sentence: `npy, png, …`.
#[must_use]
pub fn extensions() -> String {
    let mut names: Vec<_> = FORMATS.iter().map(|format| format.extension).collect();
    names.dedup();
    names.extend(ALSO.iter().map(|(also, _)| also));
    names.join(", ")
}
