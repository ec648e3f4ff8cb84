//! File jobs of the background thread and their results.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::commands::{Part, PictureFile};
use crate::app::own_preset::OwnPreset;
use crate::app::picture::taking::Pixels;
use crate::app::settings::{self, Store, own_presets};
use crate::app::state::Persisted;
use crate::app::state::document::file_stem;
use crate::batch_renderer::{BatchError, BatchRenderer, FilmOrder};
use crate::files::{export, import};
use crate::generate::Reading;
use crate::scene::Scene;
use crate::util::job::Job;
use crate::util::language::{mark, tr};
use crate::util::words::named;

/// Title of the job that saves an image.
pub const SAVING_PICTURE: &str = mark("Saving the picture");

/// Title of the job that reads the user's own presets; it shows no progress bar.
pub const READING_PRESETS: &str = "presets";

/// Job that reads or writes a file.
pub enum FileJob {
    /// Open a scene, or an image as a scene.
    Open(PathBuf),
    /// Read the user's own presets in this folder.
    ReadPresets(PathBuf),
    /// Read the extent of an image, with these reading options, before it becomes the input of a
    /// part.
    Measure(Part, PathBuf, Reading),
    /// Save a scene; [`Over`] decides if an existing file may be replaced.
    SaveScene(PathBuf, Arc<Scene>, Over),
    /// Generate the scene's heights anew and write them.
    Export(PathBuf, Arc<Scene>, export::Options),
    /// Generate the scene anew and write everything for an engine into a folder, with so many samples a side or the
    /// nearest number that it takes.
    Folder(PathBuf, Arc<Scene>, &'static export::Engine, Option<usize>),
    /// Generate the scene's plants anew and write them.
    Plants(PathBuf, Arc<Scene>, export::PlantRequest),
    /// Write an image.
    SavePicture(PictureFile, Pixels, Arc<Scene>),
    /// Render an animation and write it.
    Film(Box<FilmOrder>),
    /// Save the settings.
    SaveSettings(Arc<Store>, Box<Persisted>),
}

/// Condition for replacing an existing scene file.
pub enum Over {
    /// Always replace; the user has confirmed it.
    Any,
    /// Replace only a file with this length and checksum.
    Only(Option<String>),
}

impl Over {
    /// True if the file at `path` may be written. A missing file may.
    fn allows(&self, path: &Path) -> bool {
        match self {
            Self::Only(held) => !path.exists() || import::sum_of_text(path) == *held,
            Self::Any => true,
        }
    }
}

/// Result of a file job. Cancelled jobs and saved settings report nothing.
pub enum Done {
    /// Opened scene, with the file's path, length and checksum.
    Opened(PathBuf, Box<import::Opened>, Option<String>),
    /// Extent of an image that is to become the input of a part, with its reading options.
    Measured(Part, PathBuf, Reading, import::Extent),
    /// The user's own presets, and reasons why other files in their folder were rejected.
    Presets(Vec<OwnPreset>, Vec<String>),
    /// Success without a message.
    Quiet,
    /// File that could not be opened, and the reason.
    NotOpened(PathBuf, String),
    /// Saved scene, with the file's path, length and checksum.
    SavedScene(PathBuf, Arc<Scene>, Option<String>),
    /// File that was changed by another program; the scene was not saved.
    Changed(PathBuf),
    /// Reason why the scene could not be saved.
    NotSavedScene(String),
    /// Message that a file other than a scene was saved.
    Saved(String),
    /// Error message.
    Failed(String),
}

impl FileJob {
    /// Title of the job, also its kind.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self {
            Self::Open(_) | Self::Measure(..) => tr("Opening"),
            Self::ReadPresets(_) => READING_PRESETS,
            Self::SaveScene(..) => tr("Saving the scene"),
            Self::Export(..) | Self::Folder(..) => tr("Exporting"),
            Self::Plants(..) => tr("Exporting the plants"),
            Self::SavePicture(..) => SAVING_PICTURE,
            Self::Film(_) => tr("Exporting the film"),
            Self::SaveSettings(..) => tr("Saving the settings"),
        }
    }

    /// Run the job and return its results.
    ///
    /// # Errors
    /// Returns a message for the user.
    pub fn carry_out(self, job: &Job) -> Result<Vec<Done>, String> {
        Ok(match self {
            Self::Open(path) => vec![open(path, job)],
            Self::ReadPresets(folder) => {
                let (own, complaints) = own_presets::read_all(&folder);
                vec![Done::Presets(own, complaints)]
            }
            Self::Measure(part, path, reading) => {
                let extent = import::extent_by(&path, &reading, job);
                let extent = extent.map_err(|error| error.to_string())?;
                vec![Done::Measured(part, path, reading, extent)]
            }
            Self::SaveScene(path, scene, over) => vec![save_scene(path, scene, &over)],
            Self::Export(path, scene, options) => vec![export(&path, &scene, options, job)?],
            Self::Folder(path, scene, engine, samples) => {
                vec![folder(&path, &scene, engine, samples, job)?]
            }
            Self::Plants(path, scene, request) => vec![plants(&path, &scene, request, job)?],
            Self::SavePicture(file, pixels, scene) => {
                vec![save_picture(file, &pixels, &scene, job)?]
            }
            Self::Film(order) => vec![film(&order, job)?],
            Self::SaveSettings(store, persisted) => {
                let folder = named(store.folder());
                let error = |error| {
                    tr!(
                        "could not save the settings: {error}: {folder}",
                        error,
                        folder
                    )
                };
                store.save(&persisted).map_err(error)?;
                Vec::new()
            }
        })
    }
}

fn save_scene(path: PathBuf, scene: Arc<Scene>, over: &Over) -> Done {
    if !over.allows(&path) {
        return Done::Changed(path);
    }
    match export::scene(&path, &scene) {
        Ok(()) => {
            let held = import::sum_of_text(&path);
            Done::SavedScene(path, scene, held)
        }
        Err(error) => Done::NotSavedScene(error.to_string()),
    }
}

fn export(path: &Path, scene: &Scene, options: export::Options, job: &Job) -> Result<Done, String> {
    let inputs = import::inputs_by(scene, job).map_err(|error| error.to_string())?;
    let outputs = export::outputs(&[path], scene, &inputs, &options);
    let outputs = outputs.map_err(|error| error.to_string())?;
    // The file dialog has confirmed replacing this file; companion files were not confirmed.
    export::check_outputs(&outputs, &import::reads(scene), &|file| file == path)
        .map_err(|error| error.to_string())?;
    let written =
        export::heightmap(path, scene, &inputs, options, job).map_err(|error| error.to_string())?;
    let saved = match &outputs[..] {
        [first, .., last] => tr!(
            "Saved {count} files, {} to {}",
            named(first.path()),
            named(last.path()),
            count = outputs.len()
        ),
        _ => tr!("Saved {}", named(path)),
    };
    let notices: Vec<_> = written.notices().collect();
    Ok(Done::Saved(if notices.is_empty() {
        saved
    } else {
        format!("{saved}: {}", notices.join("; "))
    }))
}

fn folder(
    path: &Path,
    scene: &Scene,
    engine: &'static export::Engine,
    samples: Option<usize>,
    job: &Job,
) -> Result<Done, String> {
    let inputs = import::inputs_by(scene, job).map_err(|error| error.to_string())?;
    let folder = export::EngineFolder::new(path, engine, samples, scene, &inputs);
    let mut folder = folder.map_err(|error| error.to_string())?;
    // Only the place of the folder was asked, not whether anything in it may be replaced.
    folder
        .prepare(&|_| false)
        .map_err(|error| error.to_string())?;
    let count = folder.names().len();
    let written = folder.write(&inputs, job);
    written.map_err(|error| error.to_string())?;
    Ok(Done::Saved(tr!(
        "Saved {count} files in {}",
        named(path),
        count
    )))
}

fn plants(
    path: &Path,
    scene: &Scene,
    request: export::PlantRequest,
    job: &Job,
) -> Result<Done, String> {
    // The file dialog has confirmed replacing this file; its sidecar was not confirmed.
    let output = [export::Output::plants(path, request)];
    export::check_outputs(&output, &import::reads(scene), &|file| file == path)
        .map_err(|error| error.to_string())?;
    let inputs = import::inputs_by(scene, job).map_err(|error| error.to_string())?;
    let count = export::plants(path, scene, &inputs, request, job);
    let count = count.map_err(|error| error.to_string())?;
    let named = named(path);
    Ok(Done::Saved(match count {
        0 => {
            let none = tr("no plant grows here: the rules of all layers exclude this ground");
            format!("{}: {none}", tr!("Saved {}", named))
        }
        _ => tr!("Saved {}: 1 plant" | "Saved {}: {n} plants" % count, named),
    }))
}

fn film(order: &FilmOrder, job: &Job) -> Result<Done, String> {
    order.prepare().map_err(|error| error.to_string())?;
    // The file dialog has confirmed replacing this file; other numbered frames were not confirmed.
    export::check_outputs(&order.outputs(), &import::reads(&order.scene), &|file| {
        file == order.output
    })
    .map_err(|error| error.to_string())?;
    // The window has already shown the scene's notices.
    let mut camera = BatchRenderer::new(|_| ());
    let filmed = camera.film(order, job, |_| Ok::<(), BatchError>(()));
    filmed.map_err(|error| error.to_string())?;
    Ok(Done::Saved(tr!("Saved {}", named(&order.output))))
}

fn save_picture(
    file: PictureFile,
    pixels: &Pixels,
    scene: &Scene,
    job: &Job,
) -> Result<Done, String> {
    let path = match file {
        PictureFile::Named(path) => path,
        PictureFile::Free => free_picture_name(scene)?,
    };
    // The file dialog has confirmed replacing this file.
    let output = [export::Output::picture(&path, pixels.request)];
    export::check_outputs(&output, &import::reads(scene), &|_| true)
        .map_err(|error| error.to_string())?;
    export::picture_in_bands(&path, pixels.request, scene, job, |put| {
        pixels.bands.iter().try_for_each(put)
    })
    .map_err(|error| error.to_string())?;
    Ok(Done::Saved(tr!("Saved {}", named(&path))))
}

/// Open a file, like the command line.
fn open(path: PathBuf, job: &Job) -> Done {
    // Read before the file: later changes by another program must be detected.
    let held = import::sum_of_text(&path);
    match import::open_by(&path, &Reading::default(), job) {
        Ok(opened) => Done::Opened(path, Box::new(opened), held),
        Err(error) => Done::NotOpened(path, error.to_string()),
    }
}

fn free_picture_name(scene: &Scene) -> Result<PathBuf, String> {
    let error = |error, folder: &Path| format!("{error}: {}", named(folder));
    let folder = settings::pictures_folder();
    std::fs::create_dir_all(&folder).map_err(|source| error(source, &folder))?;
    // The message shows the absolute path.
    let folder = std::path::absolute(&folder).map_err(|source| error(source, &folder))?;
    Ok(export::free_name(&folder, &file_stem(scene), "png"))
}
