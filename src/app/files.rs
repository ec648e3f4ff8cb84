//! The thread that reads and writes files, so that neither the window nor the next landscape
//! waits for a disk.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::app::commands::{Part, file_stem};
use crate::app::picture::Pixels;
use crate::app::settings;
use crate::app::state::Persisted;
use crate::generate::Reading;
use crate::job::Job;
use crate::scene::Scene;
use crate::{export, import};

/// Pieces of work that may wait; more at once is refused.
const MOST_WAITING: usize = 16;

/// Something to be read or written.
pub enum Chore {
    /// Read a scene, or an image as a scene.
    Open(PathBuf),
    /// Read how high and how wide an image is, if it is read so, to become the input of a part.
    Measure(Part, PathBuf, Reading),
    /// Write a scene.
    SaveScene(PathBuf, Scene),
    /// Make the scene's heights afresh and write them.
    Export(PathBuf, Scene, export::Options),
    /// Write a picture under that name, or under a free one in the pictures folder.
    SavePicture(Option<PathBuf>, Pixels, Scene),
    /// Write the settings into that folder.
    SaveSettings(PathBuf, Box<Persisted>),
}

/// How a piece of work ended. Cancelled ones and written settings need no words.
pub enum Done {
    /// The scene read from that file.
    Opened(PathBuf, Box<Scene>),
    /// That file is a height map, so high and wide.
    OpenedMap(PathBuf, import::Extent),
    /// An image that is to be the input of a part, read so, is so high and wide.
    Measured(Part, PathBuf, Reading, import::Extent),
    /// Something was saved: the words for the user.
    Saved(String),
    /// What went wrong.
    Failed(String),
    /// What should be known of a file that was opened.
    Noted(String),
}

#[derive(Default)]
struct State {
    done: Vec<Done>,
    running: Option<(String, Job, Instant)>,
}

/// A handle on the thread; dropping it lets the work finish.
pub struct Files {
    inbox: Option<SyncSender<Chore>>,
    state: Arc<Mutex<State>>,
    thread: Option<JoinHandle<()>>,
}

impl Files {
    /// Starts the thread. It calls `wake` whenever something is done.
    #[must_use]
    pub fn start(wake: impl Fn() + Send + 'static) -> Self {
        let (inbox, chores) = sync_channel(MOST_WAITING);
        let state = Arc::new(Mutex::new(State::default()));
        let theirs = Arc::clone(&state);
        let thread = std::thread::spawn(move || work(&chores, &theirs, &wake));
        Self {
            inbox: Some(inbox),
            state,
            thread: Some(thread),
        }
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

    /// Takes what is done.
    #[must_use]
    pub fn take(&self) -> Vec<Done> {
        std::mem::take(&mut lock(&self.state).done)
    }

    /// What is under way, how much of it is done, and how long it has taken.
    #[must_use]
    pub fn progress(&self) -> Option<(String, f32, Duration)> {
        let state = lock(&self.state);
        let (what, job, since) = state.running.as_ref()?;
        Some((what.clone(), job.progress(), since.elapsed()))
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

fn work(chores: &Receiver<Chore>, state: &Mutex<State>, wake: &dyn Fn()) {
    while let Ok(chore) = chores.recv() {
        let job = Job::new();
        lock(state).running = Some((title(&chore), job.clone(), Instant::now()));
        // A bug in a format must cost one file, not every later one.
        let outcome = catch_unwind(AssertUnwindSafe(|| carry_out(chore, &job)))
            .unwrap_or_else(|_| Err("internal error while reading or writing a file".to_owned()));
        let mut state = lock(state);
        state.running = None;
        match outcome {
            Ok(done) => state.done.extend(done),
            Err(_) if job.is_cancelled() => {}
            Err(error) => state.done.push(Done::Failed(error)),
        }
        drop(state);
        wake();
    }
}

fn title(chore: &Chore) -> String {
    let words = match chore {
        Chore::Open(_) | Chore::Measure(..) => "Opening",
        Chore::SaveScene(..) => "Saving the scene",
        Chore::Export(..) => "Exporting",
        Chore::SavePicture(..) => "Saving the picture",
        Chore::SaveSettings(..) => "Saving the settings",
    };
    words.to_owned()
}

fn carry_out(chore: Chore, job: &Job) -> Result<Vec<Done>, String> {
    let saved = |path: &Path| vec![Done::Saved(format!("Saved {}", crate::words::named(path)))];
    match chore {
        Chore::Open(path) => {
            let found = import::find(&path).map_err(|error| error.to_string())?;
            let mut done: Vec<_> = found.notices.into_iter().map(Done::Noted).collect();
            done.push(match found.scene {
                Some(scene) => Done::Opened(path, Box::new(scene)),
                None => {
                    let extent = import::extent(&path, &Reading::default())
                        .map_err(|error| error.to_string())?;
                    Done::OpenedMap(path, extent)
                }
            });
            Ok(done)
        }
        Chore::Measure(part, path, reading) => {
            let extent = import::extent(&path, &reading).map_err(|error| error.to_string())?;
            Ok(vec![Done::Measured(part, path, reading, extent)])
        }
        Chore::SaveScene(path, scene) => {
            export::scene(&path, &scene).map_err(|error| error.to_string())?;
            Ok(saved(&path))
        }
        Chore::Export(path, scene, options) => {
            let inputs = import::inputs(&scene).map_err(|error| error.to_string())?;
            export::heightmap(&path, &scene, &inputs, options, job)
                .map_err(|error| error.to_string())?;
            Ok(saved(&path))
        }
        Chore::SavePicture(path, picture, scene) => {
            let path = match path {
                Some(path) => path,
                None => free_picture_name(&scene)?,
            };
            let written = match picture {
                Pixels::Opaque(pixels) => export::picture(&path, &pixels, &scene),
                Pixels::Taken(pixels, transparent) => {
                    let size = (pixels.columns() as u32, pixels.rows() as u32);
                    export::picture_in_bands(&path, size, transparent, &scene, |put| put(&pixels))
                }
            };
            written.map_err(|error| error.to_string())?;
            Ok(saved(&path))
        }
        Chore::SaveSettings(folder, persisted) => {
            let error = |error| {
                format!(
                    "could not save the settings: {error}: {}",
                    crate::words::named(&folder)
                )
            };
            settings::save(&folder, &persisted).map_err(error)?;
            Ok(Vec::new())
        }
    }
}

fn free_picture_name(scene: &Scene) -> Result<PathBuf, String> {
    let folder = settings::pictures_folder();
    std::fs::create_dir_all(&folder)
        .map_err(|error| format!("{error}: {}", crate::words::named(&folder)))?;
    Ok(export::free_name(&folder, &file_stem(scene), "png"))
}
