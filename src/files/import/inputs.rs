//! Input files of a scene: images, masks and palettes.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::builtin::is_builtin;
use super::error::ImportError;
use super::file::{has_extension, text};
#[cfg(feature = "formats")]
use super::foreign::decoder_of;
use super::maps::samples_by;
use crate::generate::{Image, Reading, Surface};
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::shading::texture::Palette;
use crate::util::job::Job;
use crate::util::language::tr;

/// File names and import options of a scene's inputs.
///
/// Equal values mean equal inputs, unless the files themselves change.
#[derive(Clone, Debug, PartialEq)]
pub struct FilesNamed {
    images: Vec<(Option<PathBuf>, Reading)>,
    masks: Vec<PathBuf>,
    palette: String,
}

impl FilesNamed {
    /// Collect the file names and options of a scene.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        Self {
            images: scene.surfaces().map(Surface::input_as_read).collect(),
            masks: scene.mask_images().map(Path::to_owned).collect(),
            palette: scene.view.palette.clone(),
        }
    }
}

/// Read all images and palette files of a scene.
///
/// Notices report filled voids, resampling to square cells, and assumptions.
///
/// # Errors
/// A file cannot be read or is broken.
pub fn inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    inputs_by(scene, &Job::new())
}

/// Read the inputs as [`inputs`] does, within a job that may be cancelled.
///
/// # Errors
/// As [`inputs`], or the job was cancelled.
pub fn inputs_by(scene: &Scene, job: &Job) -> Result<Inputs, ImportError> {
    let mut inputs = Inputs::default();
    for surface in scene.surfaces() {
        let Some(path) = &surface.input else {
            continue;
        };
        let samples = samples_by(path, &surface.reading, job)?;
        if !is_builtin(path) {
            let notices = samples.notices(path, Some(surface));
            notices.into_iter().for_each(|notice| inputs.notify(notice));
            #[cfg(feature = "formats")]
            notice_of_decoder(path, surface)
                .into_iter()
                .for_each(|notice| inputs.notify(notice));
        }
        let image = Image {
            top: samples.top(),
            place: samples.place,
            valid: samples.valid,
            grid: Arc::new(samples.grid),
        };
        inputs
            .images
            .insert_read(path.clone(), surface.reading.clone(), image);
    }
    for path in scene.mask_images() {
        let samples = samples_by(path, &Reading::default(), job)?;
        let image = Image {
            top: samples.top(),
            place: None,
            valid: None,
            grid: Arc::new(samples.grid),
        };
        inputs
            .images
            .insert_read(path.to_owned(), Reading::default(), image);
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

#[cfg(feature = "formats")]
/// Make a notice if GDAL now decodes other heights than when the scene was saved.
fn notice_of_decoder(path: &Path, surface: &Surface) -> Option<String> {
    let before = Some(&surface.input_decoder).filter(|before| !before.is_empty())?;
    let now = decoder_of(path, &surface.reading)?;
    let sum = |text: &str| text.splitn(3, ' ').nth(2).map(str::to_owned);
    let version = |text: &str| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    (sum(before) != sum(&now)).then(|| {
        tr!(
            "{before} decoded other heights from it when the scene was saved than {now} does now: {file}",
            before = version(before),
            now = version(&now),
            file = crate::util::words::named(path)
        )
    })
}

/// The files that a scene reads, without built-in images.
#[must_use]
pub fn reads(scene: &Scene) -> Vec<PathBuf> {
    let images = scene.surfaces().filter_map(|surface| surface.input.clone());
    let images = images.chain(scene.mask_images().map(Path::to_owned));
    let palette = Some(&scene.view.palette).filter(|name| is_palette_file(name));
    let mut files: Vec<_> = images.chain(palette.map(PathBuf::from)).collect();
    files.retain(|file| !is_builtin(file));
    files
}

/// Make a notice of the files that a scene in the file `path` reads.
///
/// For a scene file, which users can inspect, only files outside its folder are listed. Missing files are
/// left out; they cause an error of their own.
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
    (!names.is_empty()).then(|| tr!("the scene reads {}", names.join(", ")))
}

/// True if a palette's name is a path.
pub fn is_palette_file(name: &str) -> bool {
    has_extension(Path::new(name), "toml")
}

/// Read only the palette of a scene, if it is a file.
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

/// Read a palette file. A palette without a name gets that of the file.
///
/// # Errors
/// The file cannot be read or is not a palette.
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
