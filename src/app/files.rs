//! The thread that reads and writes files, so that neither the window nor the next landscape
//! waits for a disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::app::commands::{Part, file_stem};
use crate::app::settings::{self, Store};
use crate::app::state::Persisted;
use crate::app::taking::Pixels;
use crate::app::way::{Going, Way};
use crate::generate::Reading;
use crate::job::Job;
use crate::scene::Scene;
use crate::words::named;
use crate::{export, import};

/// Pieces of work that may wait; more at once is refused.
const MOST_WAITING: usize = 16;
/// What writing a picture is called.
pub const SAVING_PICTURE: &str = "Saving the picture";

/// Something to be read or written.
pub enum Chore {
    /// Read a scene, or an image as a scene.
    Open(PathBuf),
    /// Read how high and how wide an image is, if it is read so, to become the input of a part.
    Measure(Part, PathBuf, Reading),
    /// Write a scene, over another only as [`Over`] says.
    SaveScene(PathBuf, Scene, Over),
    /// Make the scene's heights afresh and write them.
    Export(PathBuf, Scene, export::Options),
    /// Write a picture under that name, or under a free one in the pictures folder.
    SavePicture(Option<PathBuf>, Pixels, Scene),
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
            Self::Only(held) => !path.exists() || import::sum_of(path) == *held,
            Self::Any => true,
        }
    }
}

/// How a piece of work ended. Cancelled ones and written settings need no words.
pub enum Done {
    /// The scene read from that file, and the file's length and checksum.
    Opened(PathBuf, Box<Scene>, Option<String>),
    /// That file is a height map, so high and wide.
    OpenedMap(PathBuf, import::Extent),
    /// An image that is to be the input of a part, read so, is so high and wide.
    Measured(Part, PathBuf, Reading, import::Extent),
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
    /// What should be known of a file that was opened.
    Noted(String),
}

#[derive(Default)]
struct State {
    done: Vec<(&'static str, Done)>,
    running: Option<(&'static str, Job, Instant)>,
}

/// A handle on the thread; dropping it lets the work finish.
pub struct Files {
    inbox: Option<SyncSender<Chore>>,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
    /// Whom it lets go first.
    way: Way,
}

impl Files {
    /// Starts the thread. It calls `wake` whenever something is done.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let (inbox, chores) = sync_channel(MOST_WAITING);
        let state = Arc::new(Mutex::new(State::default()));
        let theirs = Arc::clone(&state);
        let way = Way::default();
        let ours = way.clone();
        let thread = std::thread::spawn(move || work(&chores, &theirs, &ours, &wake));
        Self {
            way,
            inbox: Some(inbox),
            state,
            thread: Some(thread),
        }
    }

    /// Files are written on only when what is returned is dropped, if that is soon.
    #[must_use]
    pub fn give_way(&self) -> Going {
        self.way.go()
    }

    /// Hands a piece of work over.
    ///
    /// # Errors
    /// Words for the user, if too much is waiting already.
    pub fn hand(&self, chore: Chore) -> Result<(), String> {
        let Some(inbox) = &self.inbox else {
            return Ok(());
        };
        inbox.try_send(chore).map_err(|error| match error {
            TrySendError::Full(_) => "too many files are waiting to be written".to_owned(),
            TrySendError::Disconnected(_) => "files cannot be written any more".to_owned(),
        })
    }

    /// Takes what is done, each with the sort of work that it was.
    #[must_use]
    pub fn take(&self) -> Vec<(&'static str, Done)> {
        std::mem::take(&mut lock(&self.state).done)
    }

    /// What is under way, how much of it is done, and how long it has taken.
    #[must_use]
    pub fn progress(&self) -> Option<(String, f32, Duration)> {
        let state = lock(&self.state);
        let (what, job, since) = state.running.as_ref()?;
        Some(((*what).to_owned(), job.progress(), since.elapsed()))
    }

    /// Stops what is under way.
    pub fn cancel(&self) {
        if let Some((_, job, _)) = &lock(&self.state).running {
            job.cancel();
        }
    }
}

impl Drop for Files {
    fn drop(&mut self) {
        drop(self.inbox.take());
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn work(chores: &Receiver<Chore>, state: &Mutex<State>, way: &Way, wake: &dyn Fn()) {
    while let Ok(chore) = chores.recv() {
        let job = way.job();
        let what = title(&chore);
        lock(state).running = Some((what, job.clone(), Instant::now()));
        // A bug in a format must cost one file, not every later one.
        let outcome = catch_unwind(AssertUnwindSafe(|| carry_out(chore, &job)))
            .unwrap_or_else(|_| Err("internal error while reading or writing a file".to_owned()));
        let mut state = lock(state);
        state.running = None;
        match outcome {
            Ok(done) if done.is_empty() => state.done.push((what, Done::Quiet)),
            Ok(done) => state.done.extend(done.into_iter().map(|done| (what, done))),
            Err(_) if job.is_cancelled() => {}
            Err(error) => state.done.push((what, Done::Failed(error))),
        }
        drop(state);
        wake();
    }
}

fn title(chore: &Chore) -> &'static str {
    match chore {
        Chore::Open(_) | Chore::Measure(..) => "Opening",
        Chore::SaveScene(..) => "Saving the scene",
        Chore::Export(..) => "Exporting",
        Chore::SavePicture(..) => SAVING_PICTURE,
        Chore::SaveSettings(..) => "Saving the settings",
    }
}

fn carry_out(chore: Chore, job: &Job) -> Result<Vec<Done>, String> {
    let saved = |path: &Path| vec![Done::Saved(format!("Saved {}", named(path)))];
    match chore {
        Chore::Open(path) => Ok(opened(&path).unwrap_or_else(|error| {
            let words = error.to_string();
            vec![Done::NotOpened(path, words)]
        })),
        Chore::Measure(part, path, reading) => {
            let extent = import::extent(&path, &reading).map_err(|error| error.to_string())?;
            Ok(vec![Done::Measured(part, path, reading, extent)])
        }
        Chore::SaveScene(path, _, over) if !over.allows(&path) => Ok(vec![Done::Changed(path)]),
        Chore::SaveScene(path, scene, _) => {
            let written = export::scene(&path, &scene);
            Ok(vec![match written {
                Ok(()) => {
                    let held = import::sum_of(&path);
                    Done::SavedScene(path, Box::new(scene), held)
                }
                Err(error) => Done::NotSavedScene(error.to_string()),
            }])
        }
        Chore::Export(path, scene, options) => {
            let inputs = import::inputs(&scene).map_err(|error| error.to_string())?;
            let outputs = export::outputs(&[&path], &scene, &inputs, &options);
            let outputs = outputs.map_err(|error| error.to_string())?;
            // Whether to replace the file itself was asked when its name was chosen; nobody
            // asked about those beside it.
            export::check_outputs(&outputs, &import::reads(&scene), &|file| file == path)
                .map_err(|error| error.to_string())?;
            let written = export::heightmap(&path, &scene, &inputs, options, job)
                .map_err(|error| error.to_string())?;
            let saved = format!("Saved {}", named(&path));
            Ok(vec![Done::Saved(match written.notice() {
                Some(notice) => format!("{saved}: {notice}"),
                None => saved,
            })])
        }
        Chore::SavePicture(path, picture, scene) => {
            let path = match path {
                Some(path) => path,
                None => free_picture_name(&scene)?,
            };
            let Pixels { request, bands } = picture;
            let written = export::picture_in_bands(&path, request, &scene, job, |put| {
                bands.iter().try_for_each(put)
            });
            written.map_err(|error| error.to_string())?;
            Ok(saved(&path))
        }
        Chore::SaveSettings(store, persisted) => {
            let folder = named(store.folder());
            let error = |error| format!("could not save the settings: {error}: {folder}");
            store.save(&persisted).map_err(error)?;
            Ok(Vec::new())
        }
    }
}

/// The file that was opened, then what should be known of it.
fn opened(path: &Path) -> Result<Vec<Done>, import::ImportError> {
    // Before it is read: what is written in between is another program's.
    let held = import::sum_of(path);
    let found = import::find(path)?;
    let file = path.to_owned();
    let mut done = vec![match found.scene {
        Some(scene) => Done::Opened(file, Box::new(scene), held),
        None => Done::OpenedMap(file, import::extent(path, &Reading::default())?),
    }];
    done.extend(found.notices.into_iter().map(Done::Noted));
    Ok(done)
}

fn free_picture_name(scene: &Scene) -> Result<PathBuf, String> {
    let error = |error, folder: &Path| format!("{error}: {}", named(folder));
    let folder = settings::pictures_folder();
    std::fs::create_dir_all(&folder).map_err(|source| error(source, &folder))?;
    // The user is told the whole path.
    let folder = std::path::absolute(&folder).map_err(|source| error(source, &folder))?;
    Ok(export::free_name(&folder, &file_stem(scene), "png"))
}
