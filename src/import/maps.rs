//! Height maps from files, and scenes over them.

use std::io::Cursor;
use std::path::Path;

use super::companions::Companions;
use super::error::{ImportError, reason};
use super::extent::Extent;
#[cfg(feature = "formats")]
use super::file::unreadable;
use super::file::{broken, needs_gdal, with_source};
#[cfg(feature = "formats")]
use super::foreign::{self, NotDecoded};
use super::raster::Raster;
use super::samples::Samples;
use super::source::{Beside, Broken, Source};
use super::{builtin, list, rule};
use crate::formats::sidecar;
use crate::generate::{Reading, Surface};
use crate::grid::Grid;
use crate::heightmap::Heightmap;
use crate::job::Job;
#[cfg(feature = "formats")]
use crate::language::tr;
use crate::scene::{RenderType, Scene};

/// The plain scene over a height map: the default one, seen as a map with north up, as high and as
/// wide as the file says it is; whatever scene the file may hold. A file that does not say its unit
/// becomes 0…0.4 half tiles high, but floats within ±10 are taken as half tiles, others that could
/// be heights on earth as metres.
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
    open_image_by(path, reading, &Job::new())
}

/// As [`open_image_as`], as part of a computation that may be cancelled.
pub(super) fn open_image_by(
    path: &Path,
    reading: &Reading,
    job: &Job,
) -> Result<Scene, ImportError> {
    let mut scene = Scene::default();
    scene.surface.reading = reading.clone();
    extent_by(path, reading, job)?.show(path, &mut scene.surface);
    #[cfg(feature = "formats")]
    {
        scene.surface.input_decoder = foreign::decoder_of(path, reading).unwrap_or_default();
    }
    scene.view.render_type = RenderType::Map;
    // North stays up when the camera comes down to the map.
    scene.camera.bearing = 0.0;
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
    extent_by(path, reading, &Job::new())
}

/// As [`extent`], as part of a computation that may be cancelled.
///
/// # Errors
/// As [`extent`], or the job was cancelled.
pub fn extent_by(path: &Path, reading: &Reading, job: &Job) -> Result<Extent, ImportError> {
    if path.to_str().is_none() {
        return Err(broken(
            path,
            "its path is not UTF-8, so no scene can name it",
        ));
    }
    Ok(samples_by(path, reading, job)?.extent())
}

/// The map in a file of heights (see [`holds_heights`](super::holds_heights)) as it is, steps that stand for heights in
/// half tiles as these. It wraps if its opposite edges are equal.
///
/// # Errors
/// As [`image()`].
pub fn heights(path: &Path) -> Result<Heightmap, ImportError> {
    samples(path).map(Samples::into_heightmap)
}

/// The values of a height map, row 0 at the top: brightness and whole numbers from 0 as stored,
/// colours by their luminance (Rec. 709 weights on the stored values), transparency ignored;
/// metres of a file that says how far apart its samples are as half tiles; other numbers as
/// stored. Samples without data are filled from their neighbours, see [`fill`](super::fill()). At most
/// [`MAX_SIDE`](super::MAX_SIDE) samples a side, at least 2 across.
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
    samples_by(path, reading, &Job::new())
}

/// As [`samples_as`], as part of a computation that may be cancelled.
///
/// # Errors
/// As [`image()`], or the job was cancelled.
pub fn samples_by(path: &Path, reading: &Reading, job: &Job) -> Result<Samples, ImportError> {
    with_raster(path, reading, job, |raster, beside| {
        rule::samples(raster, beside)?.finished(beside)
    })
}

/// The heights of a file in metres, with all bits that it has, the northern row first; not a number where it
/// holds no data. `None` where its numbers are no metres, or its samples not those of the map that
/// [`samples_as`] gives: where they are not square, and in files of Landform's own, whose heights are half
/// tiles.
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

/// The samples of a file as stored, and what is known of it beside: read here if it is plain, else by GDAL.
fn with_raster<T>(
    path: &Path,
    reading: &Reading,
    job: &Job,
    use_it: impl FnOnce(Raster, Beside<'_>) -> Result<T, Broken>,
) -> Result<T, ImportError> {
    if let Some(bytes) = builtin::image(path) {
        let used = raster_in("png", bytes, reading)
            .and_then(|raster| use_it(raster, Beside::alone(reading)));
        return used.map_err(|error| broken(path, &words(error)));
    }
    #[cfg(feature = "formats")]
    if let Some(archive) =
        super::zip::unpacked(path, &list::is_map).map_err(|error| broken(path, &words(error)))?
    {
        let read = with_raster(&archive.map, reading, job, use_it);
        // Nobody knows the name that it has for a moment.
        return read.map_err(|error| match error {
            ImportError::Image { message, .. } => broken(path, &message),
            ImportError::Read { source, .. } => unreadable(path)(source),
            error => error,
        });
    }
    let sidecar = sidecar::fitting(path);
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let companions = Companions::of(path);
    let beside = |ignores_unknown| Beside {
        sidecar: sidecar.as_ref(),
        reading,
        stem: &stem,
        ignores_unknown,
    };
    let native = |ignores_unknown| {
        with_source(
            path,
            beside(ignores_unknown),
            |source, extension| match read(extension, source).and_then(|mut raster| {
                companions.say(&mut raster, sidecar.is_some())?;
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
        Err((what, changes)) => match foreign::decode(path, beside(false), job) {
            Ok(raster) => raster,
            Err(NotDecoded::Failed(error)) => {
                let words = words(error);
                // GDAL's own words name the file once more.
                let is_unknown = words.contains("not recognized as a supported file format");
                return Err(broken(
                    path,
                    &match is_unknown {
                        true => tr!("GDAL knows nothing of {what} either", what),
                        false => words,
                    },
                ));
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
    use_it(raster, beside(false)).map_err(|error| broken(path, &words(error)))
}

fn words(broken: Broken) -> String {
    match broken {
        Broken::Io(error) => reason(&error),
        Broken::Wrong(message) => message,
        Broken::Foreign { what, .. } => needs_gdal(&what),
    }
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
    let beside = Beside::alone(reading);
    let samples =
        raster_in(extension, bytes, reading).and_then(|raster| rule::samples(raster, beside));
    samples
        .and_then(|samples| samples.finished(beside))
        .map_err(words)
}

fn raster_in(extension: &str, bytes: &[u8], reading: &Reading) -> Result<Raster, Broken> {
    let mut source = Source {
        bytes: &mut Cursor::new(bytes),
        length: bytes.len() as u64,
        beside: Beside::alone(reading),
    };
    read(extension, &mut source)
}

fn read(end: &str, source: &mut Source<'_>) -> Result<Raster, Broken> {
    if source.length == 0 {
        return Err(Broken::wrong("the file is empty"));
    }
    list::read(end, source)
}
