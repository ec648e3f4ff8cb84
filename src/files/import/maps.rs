//! Import of height maps, plain scenes that show them, and the registry of readers.

use std::io::{Cursor, Read};
use std::path::Path;

#[cfg(feature = "formats")]
use super::file::unreadable;
use super::file::{ImportError, broken, extension, needs_gdal, reason, with_source};
#[cfg(feature = "formats")]
use super::foreign::{self, NotDecoded};
use super::place::Companions;
use super::reader::{Broken, FileContext, Holding, Raster, Reader, Source};
use super::rule;
use super::samples::{Extent, Samples};
use crate::files::formats::sidecar;
use crate::generate::{Reading, Surface};
use crate::scene::{RenderType, Scene};
use crate::terrain::grid::Grid;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Job;
use crate::util::language::tr;

/// Open a height map as a plain scene: the default scene in map view with north up.
///
/// Height range and width come from the file; a scene stored in it is ignored. Without a stated unit, heights
/// range from 0 to 0.4 half tiles. However, floats within ±10 are taken as half tiles, and other numbers
/// within the range of heights on earth as metres. The map of an elevation model, see
/// [`Extent::is_elevation`], has hillshade, contours and a scale bar, and no detail between its samples.
///
/// # Errors
/// As [`image()`].
pub fn open_image(path: &Path) -> Result<Scene, ImportError> {
    open_image_as(path, &Reading::default())
}

/// Open a height map as [`open_image`] does, with the user's import options.
///
/// # Errors
/// As [`image()`].
pub fn open_image_as(path: &Path, reading: &Reading) -> Result<Scene, ImportError> {
    open_image_by(path, reading, &Job::new())
}

/// Open a height map as [`open_image_as`] does, within a job that may be cancelled.
pub(super) fn open_image_by(
    path: &Path,
    reading: &Reading,
    job: &Job,
) -> Result<Scene, ImportError> {
    let mut scene = Scene::default();
    scene.surface.reading = reading.clone();
    let extent = extent_by(path, reading, job)?;
    extent.show(path, &mut scene.surface);
    #[cfg(feature = "formats")]
    {
        scene.surface.input_decoder = foreign::decoder_of(path, reading).unwrap_or_default();
    }
    scene.view.render_type = RenderType::Map;
    scene.analysis.hillshade = extent.is_elevation();
    scene.analysis.contours = extent.is_elevation();
    scene.view.scale_bar = extent.is_elevation();
    if extent.is_elevation() {
        // Ground that nobody has measured is not made up.
        scene.detail.strength = 0.0;
    }
    // A bearing of 0 keeps north up when the view changes from the map to the camera.
    scene.camera.bearing = 0.0;
    Ok(scene)
}

/// Make a surface show a height map, read with the surface's import options.
///
/// Sets the generator, the input and the height range, and the tile size if the file states it.
///
/// # Errors
/// As [`image()`].
pub fn show_image(path: &Path, surface: &mut Surface) -> Result<(), ImportError> {
    extent(path, &surface.reading)?.show(path, surface);
    Ok(())
}

/// Set a height map as input of a surface, whatever its generator; see [`Extent::hand`].
///
/// # Errors
/// As [`image()`].
pub fn hand_image(path: &Path, surface: &mut Surface) -> Result<(), ImportError> {
    extent(path, &surface.reading)?.hand(path, surface);
    Ok(())
}

/// Set height range and width of a surface to those of its input, read with its import options.
///
/// # Errors
/// As [`image()`].
pub fn fit_input(surface: &mut Surface) -> Result<(), ImportError> {
    if let Some(path) = &surface.input {
        extent(path, &surface.reading)?.fit(surface);
    }
    Ok(())
}

/// Read height range and width of a height map with the given import options.
///
/// # Errors
/// As [`image()`]; or the path is not UTF-8, so no scene can refer to it.
pub fn extent(path: &Path, reading: &Reading) -> Result<Extent, ImportError> {
    extent_by(path, reading, &Job::new())
}

/// Read the extent as [`extent`] does, within a job that may be cancelled.
///
/// # Errors
/// As [`extent`], or the job was cancelled.
pub fn extent_by(path: &Path, reading: &Reading, job: &Job) -> Result<Extent, ImportError> {
    if path.to_str().is_none() {
        return Err(broken(
            path,
            "its path is not UTF-8, so a scene cannot refer to it",
        ));
    }
    Ok(samples_by(path, reading, job)?.extent())
}

/// Read a file of heights (see [`holds_heights`](super::holds_heights)) as a heightmap, in half tiles where
/// the unit is known.
///
/// The map wraps if opposite edges are equal.
///
/// # Errors
/// As [`image()`].
pub fn heights(path: &Path) -> Result<Heightmap, ImportError> {
    samples(path).map(Samples::into_heightmap)
}

/// Read the values of a height map, row 0 at the top.
///
/// Brightness and unsigned integers are returned as stored, colours as luminance (Rec. 709 weights on the
/// stored values). Fully transparent pixels hold no data; other alpha values are ignored. Metres become half
/// tiles if the file states its sample spacing; other numbers are returned as stored. Voids are filled from
/// their neighbours, see [`fill`](super::fill()). The size is at most [`MAX_SIDE`](super::MAX_SIDE) samples a
/// side, and at least 2 across.
///
/// # Errors
/// The file cannot be read, is truncated, has a wrong size, is too large, has another type, or holds no data
/// at all.
pub fn image(path: &Path) -> Result<Grid<f32>, ImportError> {
    Ok(samples(path)?.grid)
}

/// Read the samples of a height map as [`image()`] does, with their metadata.
///
/// # Errors
/// As [`image()`].
pub fn samples(path: &Path) -> Result<Samples, ImportError> {
    samples_as(path, &Reading::default())
}

/// Read the samples as [`samples`] does, with the user's import options.
///
/// # Errors
/// As [`image()`].
pub fn samples_as(path: &Path, reading: &Reading) -> Result<Samples, ImportError> {
    samples_by(path, reading, &Job::new())
}

/// Read the samples as [`samples_as`] does, within a job that may be cancelled.
///
/// # Errors
/// As [`image()`], or the job was cancelled.
pub fn samples_by(path: &Path, reading: &Reading, job: &Job) -> Result<Samples, ImportError> {
    with_raster(path, reading, job, |raster, context| {
        rule::samples(raster, context)?.finished(context)
    })
}

/// Read the heights in metres at full precision, the northern row first; NaN means no data.
///
/// `None` if the numbers are not metres, or if the grid differs from that of [`samples_as`]: if cells are not
/// square, and in Landform's own files, whose heights are half tiles.
///
/// # Errors
/// As [`image()`].
pub fn stored_metres(
    path: &Path,
    reading: &Reading,
    job: &Job,
) -> Result<Option<Grid<f64>>, ImportError> {
    with_raster(path, reading, job, rule::metres)
}

/// Read a file's raster with the built-in readers, else with GDAL, and pass it to `use_it`.
fn with_raster<T>(
    path: &Path,
    reading: &Reading,
    job: &Job,
    use_it: impl FnOnce(Raster, FileContext<'_>) -> Result<T, Broken>,
) -> Result<T, ImportError> {
    if let Some(bytes) = builtin_bytes(path) {
        let used = raster_in("png", bytes, reading)
            .and_then(|raster| use_it(raster, FileContext::alone(reading)));
        return used.map_err(|error| broken(path, &words(error)));
    }
    #[cfg(feature = "formats")]
    if let Some(archive) =
        super::zip::unpacked(path, &is_map).map_err(|error| broken(path, &words(error)))?
    {
        let read = with_raster(&archive.map, reading, job, use_it);
        // The temporary path means nothing to the user, so errors get the path of the archive.
        return read.map_err(|error| match error {
            ImportError::Image { message, .. } => broken(path, &message),
            ImportError::Read { source, .. } => unreadable(path)(source),
            error => error,
        });
    }
    let sidecar = sidecar::fitting(path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let companions = Companions::of(path);
    let context = |ignores_unknown| FileContext {
        sidecar: sidecar.as_ref(),
        reading,
        stem: &stem,
        ignores_unknown,
    };
    let native = |ignores_unknown| {
        with_source(
            path,
            context(ignores_unknown),
            |source, extension| match read(extension, source).and_then(|mut raster| {
                companions.add_to(&mut raster, sidecar.is_some())?;
                Ok(raster)
            }) {
                Err(Broken::Foreign { what, changes }) => Ok(Err((what, changes))),
                other => other.map(Ok),
            },
        )
    };
    let raster = match native(false)? {
        Ok(raster) => raster,
        #[cfg(not(feature = "formats"))]
        Err((what, _)) => {
            let _ = job;
            return Err(broken(path, &needs_gdal(&what)));
        }
        #[cfg(feature = "formats")]
        Err((what, changes)) => match foreign::decode(path, context(false), job) {
            Ok(raster) => raster,
            Err(NotDecoded::Failed(error)) => {
                let words = words(error);
                // GDAL's own message would repeat the file name.
                let is_unknown = words.contains("not recognized as a supported file format");
                let unknown =
                    is_unknown.then(|| tr!("GDAL does not understand {what} either", what));
                return Err(broken(path, &unknown.unwrap_or(words)));
            }
            Err(NotDecoded::NoGdal(error)) => {
                let without = || broken(path, &format!("{}: {error}", needs_gdal(&what)));
                match native(true)? {
                    Ok(raster) if !changes => raster,
                    _ => return Err(without()),
                }
            }
        },
    };
    use_it(raster, context(false)).map_err(|error| broken(path, &words(error)))
}

fn words(broken: Broken) -> String {
    match broken {
        Broken::Io(error) => reason(&error),
        Broken::Wrong(message) => message,
        Broken::Foreign { what, .. } => needs_gdal(&what),
    }
}

/// Read samples as [`samples()`] does, from bytes in memory. `extension` is the file's extension in lower
/// case, without the dot.
///
/// # Errors
/// The problem, on one line.
pub fn samples_in(extension: &str, bytes: &[u8]) -> Result<Samples, String> {
    let reading = Reading::default();
    let context = FileContext::alone(&reading);
    raster_in(extension, bytes, &reading)
        .and_then(|raster| rule::samples(raster, context)?.finished(context))
        .map_err(words)
}

fn raster_in(extension: &str, bytes: &[u8], reading: &Reading) -> Result<Raster, Broken> {
    let mut source = Source {
        bytes: &mut Cursor::new(bytes),
        length: bytes.len() as u64,
        context: FileContext::alone(reading),
    };
    read(extension, &mut source)
}

fn read(end: &str, source: &mut Source<'_>) -> Result<Raster, Broken> {
    if source.length == 0 {
        return Err(Broken::wrong("the file is empty"));
    }
    reader_of(end, source)?.read(source)
}

// Registry of readers, and the choice of a reader by content or extension.

/// All readers, in display order.
pub const READERS: &[Reader] = &[
    super::png::READER,
    #[cfg(feature = "formats")]
    super::pictures::JPEG,
    #[cfg(feature = "formats")]
    super::pictures::BMP,
    #[cfg(feature = "formats")]
    super::pictures::PGM,
    #[cfg(feature = "formats")]
    super::tiff::READER,
    #[cfg(feature = "formats")]
    super::exr::READER,
    super::npy::READER,
    super::raw::R16,
    super::raw::R32,
    super::asc::READER,
    super::raw::HGT,
    #[cfg(feature = "formats")]
    super::zip::READER,
    #[cfg(feature = "formats")]
    super::zip::GZIP,
    super::meshes::OBJ,
    super::meshes::PLY,
    super::meshes::STL,
    super::meshes::GLB,
];

/// The number of leading bytes that identify a format.
const MARK: u64 = 64;

/// Extensions of height formats that are read through GDAL, a selection of some two hundred formats.
pub const BY_GDAL: &[&str] = &[
    "adf", "bag", "bil", "bip", "bsq", "bt", "dem", "dt0", "dt1", "dt2", "flt", "gpkg", "grb",
    "grb2", "grd", "h5", "hdf", "img", "jp2", "kap", "lrc", "mrf", "nc", "ntf", "rst", "sdat",
    "ter", "vrt", "webp", "xyz",
];

/// Find the reader of a file. A format without a magic number is chosen by the extension, all others by their
/// content.
pub fn reader_of(end: &str, source: &mut Source<'_>) -> Result<&'static Reader, Broken> {
    let mut head = Vec::new();
    source.rewind()?;
    (&mut *source.bytes).take(MARK).read_to_end(&mut head)?;
    source.rewind()?;
    let is_marked = |reader: &&Reader| reader.mark.is_some_and(|is| is(&head));
    let by_name = reader_named(end).filter(|reader| reader.mark.is_none());
    let found = by_name.or_else(|| READERS.iter().find(is_marked));
    found.ok_or_else(|| {
        let names = READERS.iter().filter(|reader| reader.mark.is_some());
        let names: Vec<_> = names.map(|reader| reader.name).collect();
        Broken::foreign(tr!("its content, which is not one of {}", names.join(", ")))
    })
}

/// Find a reader by extension.
fn reader_named(end: &str) -> Option<&'static Reader> {
    let found = |reader: &&Reader| reader.extensions.contains(&end);
    READERS.iter().find(found)
}

/// True if files with this extension are maps themselves, not meshes or archives.
pub fn is_map(end: &str) -> bool {
    BY_GDAL.contains(&end) || reader_named(end).is_some_and(Reader::is_map)
}

/// True if the extension stands for heights, not brightness.
#[must_use]
pub fn holds_heights(path: &Path) -> bool {
    let end = extension(path);
    let is_heights =
        |reader: &Reader| matches!(reader.holds, Holding::Heights(_) | Holding::Archive);
    reader_named(&end).map_or_else(|| BY_GDAL.contains(&end.as_str()), is_heights)
}

/// True if files with this extension (lower case, without the dot) are read through GDAL.
#[must_use]
pub fn is_read_by_gdal(end: &str) -> bool {
    BY_GDAL.contains(&end)
}

/// Extensions of all files that can be opened: scenes, height maps, archives and meshes.
#[must_use]
pub fn extensions() -> Vec<&'static str> {
    let extensions = READERS.iter().flat_map(|reader| reader.extensions);
    let extensions = extensions.chain(BY_GDAL).copied();
    std::iter::once("toml").chain(extensions).collect()
}

/// Extensions of all files that hold a grid of brightness or heights.
#[must_use]
pub fn map_extensions() -> Vec<&'static str> {
    let maps = READERS.iter().filter(|reader| !reader.is_mesh());
    let maps = maps.flat_map(|reader| reader.extensions);
    maps.chain(BY_GDAL).copied().collect()
}

// Built-in height maps, named `builtin:NAME` in place of a path.

/// A part of Tennessee from SRTM (public domain): 403 × 344 samples of about 90 m, 16-bit grey in metres.
const JACKSBORO: &[u8] = include_bytes!("../../../assets/heightmaps/jacksboro.png");

const IMAGES: &[(&str, &[u8])] = &[("jacksboro", JACKSBORO)];

/// The bytes of a built-in image; `None` for any other path.
pub fn builtin_bytes(path: &Path) -> Option<&'static [u8]> {
    let name = path.to_str()?.strip_prefix("builtin:")?;
    let found = IMAGES.iter().find(|(known, _)| *known == name);
    found.map(|(_, bytes)| *bytes)
}

/// True if the path names a built-in image.
#[must_use]
pub fn is_builtin(path: &Path) -> bool {
    builtin_bytes(path).is_some()
}
