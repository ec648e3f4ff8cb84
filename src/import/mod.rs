//! Files into scenes, heights and palettes: one format a file, and a list of them.
//!
//! ```text
//! .toml                       a scene; or, where a scene names a palette, a palette
//! PNG, JPEG, BMP, PGM         brightness as heights
//! TIFF, OpenEXR, NumPy, ASC,
//! netCDF                      heights; all of these are known by their content, not their name
//! .r16 .r32 .hgt              heights without a mark, known by their name
//! .zip                        one of these in a ZIP archive
//! .obj .ply .stl .glb         meshes, for the scene that they were made from
//! builtin:NAME                an image that comes with the program
//! ```
//!
//! Every file that Landform writes gives its scene back, from inside it or from the `.json`
//! beside it, see [`open`]; as heights it gives them back to the last bit. If an image that the scene names is
//! gone or another, the heights in the file count.
//!
//! No file makes the program take more memory than it can hold: of packed formats at most what
//! its packing can reach (a 1032nd for deflate, a 3000th for LZW, a 512th for JPEG, a
//! 65,536th for LERC), and a side of
//! at most [`MAX_SIDE`].

use std::fs::{self, File};
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use crate::generate::{Image, Reading, Surface};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::inputs::Inputs;
use crate::scene::{RenderType, Scene};
use crate::texture::Palette;

mod asc;
mod bmp;
mod builtin;
mod chunks;
mod comments;
mod error;
mod exr;
mod extent;
mod fill;
mod format;
mod geotiff;
mod glb;
mod hgt;
mod jpeg;
mod lerc;
mod netcdf;
mod numpy;
mod obj;
mod opening;
mod pgm;
mod picture;
mod ply;
mod png;
mod presets;
mod prj;
mod raw;
mod recipe;
mod rule;
mod samples;
mod sidecar;
mod source;
mod stl;
mod sum;
mod tiff;
mod zip;

use format::Format;
use source::{Beside, Broken, Bytes, Source};

pub(crate) use asc::SYSTEM_LINE;
pub use error::ImportError;
pub(crate) use error::reason;
pub use extent::Extent;
pub use fill::fill;
pub use opening::{Found, Opened, find, open, open_as, recipe_fits, scene, scene_in, sum_of};
pub(crate) use png::sum_of_rows;
pub use png::{RANGE_CHUNK, SCENE_CHUNK, SUM_CHUNK};
pub use presets::{Group, Preset, presets, start};
pub(crate) use recipe::recipe_text;
pub use samples::{Ends, Meaning, Samples};
pub(crate) use samples::{in_half_tiles, tile_size_m};
pub use sidecar::{checksum, fitting_sidecar, has_sidecar, sidecar_of};
pub(crate) use sum::{Adds, ByteSum, Sum, Summing, TextSum};
pub(crate) use tiff::{FINE_TAG, METADATA_TAG};

/// Most samples a side of an image.
pub const MAX_SIDE: usize = 32_768;

/// A scene or palette file of more bytes is not one.
const MAX_TEXT_BYTES: u64 = 1 << 20;

/// The default scene over a height map, drawn as triangles, as high and as wide as the file says
/// it is; whatever scene the file may hold. A file that does not say its unit becomes 0…0.4
/// half tiles high, but floats within ±10 are taken as half tiles, others that could be heights
/// on earth as metres.
///
/// # Errors
/// As [`image()`].
pub fn open_image(path: &Path) -> Result<Scene, ImportError> {
    open_image_as(path, &Reading::default())
}

/// As [`open_image`], read as the user says.
///
/// # Errors
/// As [`image()`].
pub fn open_image_as(path: &Path, reading: &Reading) -> Result<Scene, ImportError> {
    let mut scene = Scene::default();
    scene.surface.reading = reading.clone();
    show_image(path, &mut scene.surface)?;
    scene.view.render_type = RenderType::Triangles;
    Ok(scene)
}

/// Makes a surface show a height map, read as the surface says: generator, input, lowest and
/// highest height, and the size of the tile where the file says it. Everything else stays.
///
/// # Errors
/// As [`image()`].
pub fn show_image(path: &Path, surface: &mut Surface) -> Result<(), ImportError> {
    extent(path, &surface.reading)?.show(path, surface);
    Ok(())
}

/// Gives a surface a height map as its input, whatever its generator, see [`Extent::hand`].
///
/// # Errors
/// As [`image()`].
pub fn hand_image(path: &Path, surface: &mut Surface) -> Result<(), ImportError> {
    extent(path, &surface.reading)?.hand(path, surface);
    Ok(())
}

/// Makes a surface as high and as wide as its input says, read as the surface says.
///
/// # Errors
/// As [`image()`].
pub fn fit_input(surface: &mut Surface) -> Result<(), ImportError> {
    if let Some(path) = &surface.input {
        extent(path, &surface.reading)?.fit(surface);
    }
    Ok(())
}

/// How high and how wide a height map is, if it is read so.
///
/// # Errors
/// As [`image()`]; no scene can name the file since its path is not UTF-8.
pub fn extent(path: &Path, reading: &Reading) -> Result<Extent, ImportError> {
    if path.to_str().is_none() {
        return Err(broken(
            path,
            "its path is not UTF-8, so no scene can name it",
        ));
    }
    Ok(samples_as(path, reading)?.extent())
}

/// The map in a file of heights (see [`holds_heights`]) as it is, steps that stand for heights in
/// half tiles as these. It wraps if its opposite edges are equal.
///
/// # Errors
/// As [`image()`].
pub fn heights(path: &Path) -> Result<Heightmap, ImportError> {
    samples(path).map(Samples::into_heightmap)
}

/// Reads every image and palette file that the scene names. Notices say where samples held no
/// data and were filled, were not square, and what was assumed of them.
///
/// # Errors
/// One of them cannot be read or is broken.
pub fn inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    let mut inputs = Inputs::default();
    for surface in scene.surfaces() {
        let Some(path) = &surface.input else {
            continue;
        };
        let samples = samples_as(path, &surface.reading)?;
        if !is_builtin(path) {
            let notices = samples.notices(path, Some(surface));
            notices.into_iter().for_each(|notice| inputs.notify(notice));
        }
        let image = Image {
            top: samples.top(),
            place: samples.place,
            grid: Arc::new(samples.grid),
        };
        inputs
            .images
            .insert_read(path.clone(), surface.reading.clone(), image);
    }
    let palette = &scene.view.palette;
    if is_palette_file(palette) {
        inputs.insert_palette(
            palette.clone(),
            Arc::new(self::palette(Path::new(palette))?),
        );
    }
    Ok(inputs)
}

/// The files that a scene reads, besides those that come with the program.
#[must_use]
pub fn reads(scene: &Scene) -> Vec<PathBuf> {
    let images = scene.surfaces().filter_map(|surface| surface.input.clone());
    let palette = Some(&scene.view.palette).filter(|name| is_palette_file(name));
    let mut files: Vec<_> = images.chain(palette.map(PathBuf::from)).collect();
    files.retain(|file| !is_builtin(file));
    files
}

/// What the user is told of a scene that `path` holds: the files that it reads. Of a scene file,
/// which can be looked into, only those that do not lie beside or below it. One that is not there
/// is an error of its own.
#[must_use]
pub fn notice_of_reads(path: &Path, scene: &Scene) -> Option<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let is_beside = |file: &Path| {
        let below = file.strip_prefix(folder);
        below.is_ok_and(|below| {
            below
                .components()
                .all(|part| matches!(part, Component::Normal(_)))
        })
    };
    let mut files = reads(scene);
    let is_told = |file: &PathBuf| !(has_extension(path, "toml") && is_beside(file));
    files.retain(|file| file != path && file.exists() && is_told(file));
    let names: Vec<_> = files
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    (!names.is_empty()).then(|| format!("the scene reads {}", names.join(", ")))
}

/// Whether a palette's name is a path.
fn is_palette_file(name: &str) -> bool {
    has_extension(Path::new(name), "toml")
}

/// As [`inputs`], without the images: the palette alone, if it is a file.
///
/// # Errors
/// As [`palette`].
pub fn palette_inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    let mut inputs = Inputs::default();
    let name = &scene.view.palette;
    if is_palette_file(name) {
        inputs.insert_palette(name.clone(), Arc::new(palette(Path::new(name))?));
    }
    Ok(inputs)
}

/// Reads a palette; without a name of its own it takes the file's.
///
/// # Errors
/// The file cannot be read or is no palette.
pub fn palette(path: &Path) -> Result<Palette, ImportError> {
    let mut palette = Palette::parse(&text(path)?).map_err(|message| ImportError::Palette {
        message,
        path: path.to_owned(),
    })?;
    if palette.name.is_empty() {
        let stem = path.file_stem().unwrap_or_default();
        palette.name = stem.to_string_lossy().into_owned();
    }
    Ok(palette)
}

/// The values of a height map, row 0 at the top: brightness and whole numbers from 0 as stored,
/// colours by their luminance (Rec. 709 weights on the stored values), transparency ignored;
/// metres of a file that says how far apart its samples are as half tiles; other numbers as
/// stored. Samples without data are filled from their neighbours, see [`fill`]. At most
/// [`MAX_SIDE`] samples a side, at least 2 across.
///
/// # Errors
/// The file cannot be read, is cut short, lies about its size, is too large, of another type, or
/// holds no data at all.
pub fn image(path: &Path) -> Result<Grid<f32>, ImportError> {
    Ok(samples(path)?.grid)
}

/// As [`image()`], with what the file says about the values.
///
/// # Errors
/// As [`image()`].
pub fn samples(path: &Path) -> Result<Samples, ImportError> {
    samples_as(path, &Reading::default())
}

/// As [`samples`], read as the user says.
///
/// # Errors
/// As [`image()`].
pub fn samples_as(path: &Path, reading: &Reading) -> Result<Samples, ImportError> {
    if let Some(bytes) = builtin::image(path) {
        return read_bytes("png", bytes, reading).map_err(|message| broken(path, &message));
    }
    let sidecar = sidecar::beside(path);
    let system = text(&path.with_extension("prj")).ok();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let beside = Beside {
        sidecar: sidecar.as_ref(),
        reading,
        stem: &stem,
        system: system.as_deref(),
    };
    with_source(path, beside, |source, extension| read(extension, source))
}

/// As [`samples()`], of bytes in memory; `extension` is the end of the name that the file would
/// have, small, without the dot.
///
/// # Errors
/// What is wrong, on one line.
pub fn samples_in(extension: &str, bytes: &[u8]) -> Result<Samples, String> {
    read_bytes(extension, bytes, &Reading::default())
}

fn read_bytes(extension: &str, bytes: &[u8], reading: &Reading) -> Result<Samples, String> {
    let mut source = Source {
        bytes: &mut Cursor::new(bytes),
        length: bytes.len() as u64,
        beside: alone(reading),
    };
    read(extension, &mut source).map_err(|broken| match broken {
        Broken::Io(error) => reason(&error),
        Broken::Wrong(message) => message,
    })
}

/// Nothing but what the user says.
fn alone(reading: &Reading) -> Beside<'_> {
    Beside {
        sidecar: None,
        reading,
        stem: "",
        system: None,
    }
}

fn read(extension: &str, source: &mut Source<'_>) -> Result<Samples, Broken> {
    if source.length == 0 {
        return Err(Broken::wrong("the file is empty"));
    }
    let format = format::of(extension, source)?;
    let samples = (format.read)(source)?;
    rule::applied(samples, source.beside)?.finished(source.beside)
}

/// Opens a file and hands it on, with the end of its name.
fn with_source<T>(
    path: &Path,
    beside: Beside<'_>,
    use_it: impl FnOnce(&mut Source<'_>, &str) -> Result<T, Broken>,
) -> Result<T, ImportError> {
    let length = length(path)?;
    let file = File::open(path).map_err(unreadable(path))?;
    let mut file = BufReader::with_capacity(length.clamp(1 << 10, 1 << 18) as usize, file);
    let bytes: &mut dyn Bytes = &mut file;
    let mut source = Source {
        bytes,
        length,
        beside,
    };
    use_it(&mut source, &extension(path)).map_err(|error| match error {
        Broken::Io(source) => unreadable(path)(source),
        Broken::Wrong(message) => broken(path, &message),
    })
}

/// Whether a path names an image that comes with the program.
#[must_use]
pub fn is_builtin(path: &Path) -> bool {
    builtin::image(path).is_some()
}

/// Whether a file's numbers are heights as they are, not brightness, by the end of its name.
#[must_use]
pub fn holds_heights(path: &Path) -> bool {
    format::named(&extension(path)).is_some_and(|format| format.is_heights)
}

/// The ends of the names of files that can be opened: scenes, height maps, meshes.
#[must_use]
pub fn extensions() -> Vec<&'static str> {
    let formats = format::FORMATS.iter().flat_map(|format| format.extensions);
    std::iter::once("toml").chain(formats.copied()).collect()
}

/// The ends of the names of files that hold a grid of brightness or heights.
#[must_use]
pub fn map_extensions() -> Vec<&'static str> {
    let formats = format::FORMATS.iter().filter(|format| !format.is_mesh);
    formats
        .flat_map(|format| format.extensions)
        .copied()
        .collect()
}

fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    extension(path) == wanted
}

fn broken(path: &Path, message: &str) -> ImportError {
    ImportError::Image {
        message: message.lines().map(str::trim).collect::<Vec<_>>().join(" "),
        path: path.to_owned(),
    }
}

fn unreadable(path: &Path) -> impl Fn(io::Error) -> ImportError {
    move |source| ImportError::Read {
        source,
        path: path.to_owned(),
    }
}

/// The length of a regular file; devices, pipes and folders are refused.
fn length(path: &Path) -> Result<u64, ImportError> {
    let metadata = fs::metadata(path).map_err(unreadable(path))?;
    if metadata.is_file() {
        Ok(metadata.len())
    } else {
        let what = if metadata.is_dir() {
            "a folder"
        } else {
            "not a file"
        };
        Err(unreadable(path)(io::Error::other(what)))
    }
}

fn text(path: &Path) -> Result<String, ImportError> {
    let length = length(path)?;
    if length > MAX_TEXT_BYTES {
        let message = format!("{length} bytes, allowed is up to {MAX_TEXT_BYTES}");
        return Err(unreadable(path)(io::Error::other(message)));
    }
    let mut text = String::new();
    File::open(path)
        .and_then(|file| file.take(MAX_TEXT_BYTES).read_to_string(&mut text))
        .map_err(unreadable(path))?;
    Ok(text)
}
