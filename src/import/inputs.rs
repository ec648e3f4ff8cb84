//! The files that a scene names.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::builtin::is_builtin;
use super::error::ImportError;
use super::file::{has_extension, text};
#[cfg(feature = "formats")]
use super::foreign::decoder_of;
use super::maps::samples_by;
use crate::generate::{Image, Reading, Surface};
use crate::inputs::Inputs;
use crate::job::Job;
use crate::language::tr;
use crate::scene::Scene;
use crate::texture::Palette;

/// The files that a scene names, and how they are read: those of equal ones are equal as well, until
/// somebody changes the files.
#[derive(Clone, Debug, PartialEq)]
pub struct FilesNamed {
    images: Vec<(Option<PathBuf>, Reading)>,
    masks: Vec<PathBuf>,
    palette: String,
}

impl FilesNamed {
    /// Those of a scene.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        Self {
            images: scene.surfaces().map(Surface::input_as_read).collect(),
            masks: scene.mask_images().map(Path::to_owned).collect(),
            palette: scene.view.palette.clone(),
        }
    }
}

/// Reads every image and palette file that the scene names. Notices say where samples held no
/// data and were filled, were not square, and what was assumed of them.
///
/// # Errors
/// One of them cannot be read or is broken.
pub fn inputs(scene: &Scene) -> Result<Inputs, ImportError> {
    inputs_by(scene, &Job::new())
}

/// As [`inputs`], as part of a computation that may be cancelled.
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
/// A line where the scene was saved with other numbers of an input than GDAL decodes now.
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
            file = crate::words::named(path)
        )
    })
}

/// The files that a scene reads, besides those that come with the program.
#[must_use]
pub fn reads(scene: &Scene) -> Vec<PathBuf> {
    let images = scene.surfaces().filter_map(|surface| surface.input.clone());
    let images = images.chain(scene.mask_images().map(Path::to_owned));
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
    (!names.is_empty()).then(|| tr!("the scene reads {}", names.join(", ")))
}

/// Whether a palette's name is a path.
pub fn is_palette_file(name: &str) -> bool {
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
