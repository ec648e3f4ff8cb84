//! What the thread reads and writes, and how that ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::app::commands::{Part, PictureFile};
use crate::app::own_preset::OwnPreset;
use crate::app::picture::taking::Pixels;
use crate::app::settings::{self, Store, own_presets};
use crate::app::state::Persisted;
use crate::app::state::document::file_stem;
use crate::generate::Reading;
use crate::job::Job;
use crate::language::{mark, tr};
use crate::photographer::{FilmOrder, PhotoError, Photographer};
use crate::scene::Scene;
use crate::words::named;
use crate::{export, import};

/// What writing a picture is called.
pub const SAVING_PICTURE: &str = mark("Saving the picture");

/// The sort of work that reading the user's own presets is; no bar shows it.
pub const READING_PRESETS: &str = "presets";

/// Something to be read or written.
pub enum Chore {
    /// Read a scene, or an image as a scene.
    Open(PathBuf),
    /// Read the user's own presets in that folder.
    ReadPresets(PathBuf),
    /// Read how high and how wide an image is, if it is read so, to become the input of a part.
    Measure(Part, PathBuf, Reading),
    /// Write a scene, over another only as [`Over`] says.
    SaveScene(PathBuf, Scene, Over),
    /// Make the scene's heights afresh and write them.
    Export(PathBuf, Scene, export::Options),
    /// Write a picture.
    SavePicture(PictureFile, Pixels, Scene),
    /// Make a film and write it.
    Film(Box<FilmOrder>),
    /// Write the settings.
    SaveSettings(Arc<Store>, Box<Persisted>),
}

/// Which file a scene may take the place of.
pub enum Over {
    /// Any: the user was asked.
    Any,
    /// One with that length and checksum alone.
    Only(Option<String>),
}

impl Over {
    /// Whether the file at `path` may be written. One that is gone may.
    fn allows(&self, path: &Path) -> bool {
        match self {
            Self::Only(held) => !path.exists() || import::sum_of_text(path) == *held,
            Self::Any => true,
        }
    }
}

/// How a piece of work ended. Cancelled ones and written settings need no words.
pub enum Done {
    /// The scene that the file was opened as, and the file's length and checksum.
    Opened(PathBuf, Box<import::Opened>, Option<String>),
    /// An image that is to be the input of a part, read so, is so high and wide.
    Measured(Part, PathBuf, Reading, import::Extent),
    /// The user's own presets, and why other files in their folder are none.
    Presets(Vec<OwnPreset>, Vec<String>),
    /// All is well, and nothing to say.
    Quiet,
    /// That file could not be opened, and why.
    NotOpened(PathBuf, String),
    /// The scene is in that file, which has that length and checksum.
    SavedScene(PathBuf, Box<Scene>, Option<String>),
    /// The scene is not saved: that file is not as the document knows it.
    Changed(PathBuf),
    /// The scene could not be saved, and why.
    NotSavedScene(String),
    /// Something else was saved: the words for the user.
    Saved(String),
    /// What went wrong.
    Failed(String),
}

impl Chore {
    /// The sort of work that it is.
    #[must_use]
    pub fn title(&self) -> &'static str {
        match self {
            Self::Open(_) | Self::Measure(..) => tr("Opening"),
            Self::ReadPresets(_) => READING_PRESETS,
            Self::SaveScene(..) => tr("Saving the scene"),
            Self::Export(..) => tr("Exporting"),
            Self::SavePicture(..) => SAVING_PICTURE,
            Self::Film(_) => tr("Exporting the film"),
            Self::SaveSettings(..) => tr("Saving the settings"),
        }
    }

    /// Does the work. Returns all that is to be told of it.
    ///
    /// # Errors
    /// Words for the user.
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

fn save_scene(path: PathBuf, scene: Scene, over: &Over) -> Done {
    if !over.allows(&path) {
        return Done::Changed(path);
    }
    match export::scene(&path, &scene) {
        Ok(()) => {
            let held = import::sum_of_text(&path);
            Done::SavedScene(path, Box::new(scene), held)
        }
        Err(error) => Done::NotSavedScene(error.to_string()),
    }
}

fn export(path: &Path, scene: &Scene, options: export::Options, job: &Job) -> Result<Done, String> {
    let inputs = import::inputs_by(scene, job).map_err(|error| error.to_string())?;
    let outputs = export::outputs(&[path], scene, &inputs, &options);
    let outputs = outputs.map_err(|error| error.to_string())?;
    // Whether to replace the file itself was asked when its name was chosen; nobody asked about
    // those beside it.
    export::check_outputs(&outputs, &import::reads(scene), &|file| file == path)
        .map_err(|error| error.to_string())?;
    let written =
        export::heightmap(path, scene, &inputs, options, job).map_err(|error| error.to_string())?;
    let saved = tr!("Saved {}", named(path));
    let notices: Vec<_> = written.notices().collect();
    Ok(Done::Saved(if notices.is_empty() {
        saved
    } else {
        format!("{saved}: {}", notices.join("; "))
    }))
}

fn film(order: &FilmOrder, job: &Job) -> Result<Done, String> {
    order.prepare().map_err(|error| error.to_string())?;
    // Whether to replace the file itself was asked when its name was chosen; nobody asked about
    // pictures whose numbers were not in it.
    export::check_outputs(&order.outputs(), &import::reads(&order.scene), &|file| {
        file == order.output
    })
    .map_err(|error| error.to_string())?;
    // The window has said what is to be known of the scene.
    let mut camera = Photographer::new(|_| ());
    let filmed = camera.film(order, job, |_| Ok::<(), PhotoError>(()));
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
    // Whether to replace it was asked when its name was chosen.
    let output = [export::Output::picture(&path, pixels.request)];
    export::check_outputs(&output, &import::reads(scene), &|_| true)
        .map_err(|error| error.to_string())?;
    export::picture_in_bands(&path, pixels.request, scene, job, |put| {
        pixels.bands.iter().try_for_each(put)
    })
    .map_err(|error| error.to_string())?;
    Ok(Done::Saved(tr!("Saved {}", named(&path))))
}

/// Opens a file as the command does.
fn open(path: PathBuf, job: &Job) -> Done {
    // Before it is read: what is written in between is another program's.
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
    // The user is told the whole path.
    let folder = std::path::absolute(&folder).map_err(|source| error(source, &folder))?;
    Ok(export::free_name(&folder, &file_stem(scene), "png"))
}
