//! Application without window and OpenGL: interface state, worker threads, settings files and the
//! execution of commands.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::{self, Child, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use autosave::Autosave;

use crate::app::commands::{Action, Command, PictureFile};
use crate::app::files::{FileJob, Files, FramesInProgress, Over, READING_PRESETS, free_folder};
use crate::app::invalidation;
use crate::app::own_preset::OwnPreset;
use crate::app::picture::taking::Taken;
use crate::app::settings::own_presets::{self, folder};
use crate::app::state::document::Document;
use crate::app::state::notices::{Cause, Severity};
use crate::app::state::{Persisted, UiState};
use crate::app::worker::{
    LandscapeGuard, OverlayWeights, ThumbnailLandscape, ThumbnailWorker, Worker,
};
use crate::generate::Surface;
use crate::render::RenderRequest;
use crate::scene::Scene;
use crate::util::language::{self, tr};

mod autosave;
pub mod news;
mod palettes;

/// All parts of the running program that do not need OpenGL.
pub struct Session {
    /// State of the user interface.
    pub state: UiState,
    worker: Worker,
    /// Worker for the reference scene of an A/B comparison.
    other: Option<Other>,
    start_worker: Box<dyn Fn() -> Worker>,
    small: ThumbnailWorker,
    files: Files,
    /// Separate thread for exporting films, which take long.
    films: Files,
    /// Separate thread for reading presets, so that they appear while a file is being written.
    presets: Files,
    keeper: Autosave,
    /// Last request to the worker.
    asked: Asked,
    /// Surface on screen, on which the Hurst exponent is measured.
    shown_surface: Option<Surface>,
    /// Weights of a mask that the renderer has not taken yet.
    mask: Option<OverlayWeights>,
    /// Image to be saved as soon as the frame shows the scene as it is.
    picture: Option<WantedPicture>,
    quit: bool,
}

/// Request to the worker for a landscape.
struct Asked {
    scene: Arc<Scene>,
    /// Number of the request.
    number: u64,
    at: Instant,
}

/// Worker for the reference scene, with the scene requested last.
struct Other {
    worker: Worker,
    asked: Arc<Scene>,
}

/// Image to be saved.
struct WantedPicture {
    file: PictureFile,
    /// Progress, if it takes more than one frame.
    taking: Option<TakingProgress>,
}

/// Completed part of an image, 0…1, and the time when it was begun.
#[derive(Clone, Copy)]
struct TakingProgress {
    done: f32,
    since: Instant,
}

impl Session {
    /// Read the settings, start the threads and request the first landscape. The threads call
    /// `wake` when there are results to collect, and `wake_small` when a landscape for a thumbnail
    /// is ready.
    #[must_use]
    pub fn start(
        given: Option<(Document, Scene)>,
        wake: impl Fn() + Send + Clone + 'static,
        wake_small: impl Fn() + Send + 'static,
    ) -> Self {
        let (keeper, mut persisted, complaint) = Autosave::open(given.is_some());
        if let Some((document, scene)) = given {
            if let Some(file) = &document.file {
                persisted.recent.note(file);
            }
            (persisted.document, persisted.scene) = (document, scene);
        }
        let theirs = wake.clone();
        let start_worker = Box::new(move || Worker::start(theirs.clone()));
        let worker = start_worker();
        let state = UiState::new(persisted);
        let mut session = Self {
            asked: ask(&worker, Arc::clone(&state.transient.snapshot), false),
            state,
            worker,
            other: None,
            start_worker,
            small: ThumbnailWorker::start(wake_small, wake.clone()),
            films: Files::start(wake.clone()),
            presets: Files::start(wake.clone()),
            files: Files::start(wake),
            keeper,
            shown_surface: None,
            mask: None,
            picture: None,
            quit: false,
        };
        session.read_palettes();
        session.state.transient.system_language = language::of_system();
        if let Some(complaint) = complaint {
            session.state.transient.notices.error(complaint);
        }
        session
    }

    /// True if the user has asked to quit.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.quit
    }

    /// Title of the window.
    #[must_use]
    pub fn title(&self) -> String {
        let Persisted {
            document, scene, ..
        } = &self.state.persisted;
        document.title(scene)
    }

    /// True if a thread is working, so that progress should be shown.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.is_taking()
            || self.worker.is_busy()
            || self.files.progress().is_some()
            || self.films.progress().is_some()
    }

    /// Continue with an action that had to wait. It may open another question to the user.
    fn go_on(&mut self, action: Action) {
        if let Some(command) = self.state.apply(action) {
            self.execute(command);
        }
    }

    /// Close the window at the user's request; ask first if there are unsaved changes.
    pub fn close(&mut self) {
        self.go_on(Command::Quit.into());
    }

    /// Execute a command of the interface.
    pub fn execute(&mut self, command: Command) {
        match command {
            Command::Open(path) => self.hand(FileJob::Open(absolute(path))),
            Command::UseInput(_, path) if path.to_str().is_none() => {
                let notices = &mut self.state.transient.notices;
                notices.error(tr(
                    "the image's path is not UTF-8, so a scene cannot refer to it",
                ));
            }
            Command::UseInput(part, path) => {
                if let Some(surface) = part.surface(&mut self.state.persisted.scene) {
                    let reading = surface.reading.clone();
                    self.hand(FileJob::Measure(part, path, reading));
                }
            }
            Command::SaveScene(path) => {
                let held = self.state.persisted.document.held.clone();
                self.save_scene(path, Over::Only(held));
            }
            Command::ReplaceScene(path) => self.save_scene(path, Over::Any),
            Command::Export(path) => {
                let scene = self.state.snapshot();
                let options = self.state.persisted.exporting.options(&scene);
                self.hand(FileJob::Export(path, scene, options));
            }
            Command::ExportFolder(place) => {
                let scene = self.state.snapshot();
                let exporting = &self.state.persisted.exporting;
                if let Some(engine) = exporting.folder_for() {
                    let path = free_folder(&place, &exporting.folder_name(&scene));
                    let samples = exporting.samples_for(engine);
                    self.hand(FileJob::Folder(path, scene, engine, samples));
                }
            }
            Command::ExportPlants(path) => {
                let request = self.state.persisted.plant_export.request();
                let scene = self.state.snapshot();
                self.hand(FileJob::Plants(path, scene, request));
            }
            Command::OpenBeside(scene) => {
                if let Err(error) = open_window(&scene) {
                    let words = tr!("cannot open another window: {error}", error);
                    self.state.transient.notices.error(words);
                }
            }
            Command::ReadPresets => self.read_presets(),
            Command::KeepPreset(preset, old) => self.keep_preset(&preset, old.as_deref()),
            Command::RemovePreset(name) => self.remove_preset(&name),
            Command::PutPresetBack(name) => self.put_preset_back(&name),
            Command::EditPalette => self.edit_palette(),
            Command::KeepPalette(palette) => self.keep_palette(&palette),
            Command::RemovePalette(name) => self.remove_palette(&name),
            Command::SavePicture(file) => {
                let taking = self.picture.take().and_then(|picture| picture.taking);
                self.picture = Some(WantedPicture { file, taking });
            }
            Command::ExportFilm(path) => self.export_film(&path),
            Command::CancelFilm => self.films.cancel(),
            Command::CancelLandscape => self.worker.cancel(),
            Command::CancelFile if self.is_taking() => self.end_picture(),
            Command::CancelFile => self.files.cancel(),
            Command::Quit => self.quit = true,
        }
    }

    /// Request the landscape of the present scene, unless it was requested last. Statistics, the
    /// mask overlay and the export forecast are requested only while they are shown.
    pub fn request_if_changed(&mut self) {
        let statistics = self.state.persisted.statistics;
        self.worker.want_statistics(statistics);
        if !statistics {
            self.state.derived.measured = None;
        }
        self.worker
            .want_mask(self.state.transient.mask_sight.seen());
        if self.small_go_first() {
            return;
        }
        let exporting = &self.state.persisted.exporting;
        let mut wished = (exporting.shown && exporting.is_measured()).then(|| exporting.clone());
        if let Some(wished) = &mut wished {
            // A saved image must show the landscape, not the preview of an export; and the dialog offers
            // no preview of a folder.
            wished.preview &= self.picture.is_none() && wished.folder_for().is_none();
        }
        // The last forecast is kept until the next one is ready.
        if wished.is_none() {
            self.state.derived.forecast = None;
        }
        let forecast_changed = self.worker.want_forecast(wished);
        let same = invalidation::is_made(&self.asked.scene, &self.state.snapshot());
        // During film playback every landscape is finished, so that slow ones are shown as well.
        let waits = self.state.transient.timeline.is_playing() && self.worker.is_busy();
        if (forecast_changed || !same) && !waits {
            self.request(false);
        }
    }

    /// True if the landscape waits for thumbnails: a sheet covers it and some thumbnails are
    /// missing. It does not wait if an image is to be saved.
    fn small_go_first(&self) -> bool {
        let transient = &self.state.transient;
        transient.covers_scene() && self.picture.is_none() && transient.gallery.missing() > 0
    }

    /// Request the thumbnails that the gallery needs.
    pub fn want_small(&mut self) {
        self.small.want(&self.state.transient.gallery);
        for (scene, words) in self.small.take_failed() {
            self.state.transient.gallery.fail(scene, words);
        }
    }

    /// True if a landscape for a thumbnail is ready.
    #[must_use]
    pub fn has_small(&self) -> bool {
        self.small.has_made()
    }

    /// Take a landscape for a thumbnail.
    #[must_use]
    pub fn take_small(&self) -> Option<ThumbnailLandscape> {
        self.small.take()
    }

    /// Request the landscape of the present scene. `reread` is true if the files that the scene
    /// names may have changed.
    fn request(&mut self, reread: bool) {
        self.asked = ask(&self.worker, self.state.snapshot(), reread);
    }

    /// Discard the reference landscape, so that it is computed again.
    pub fn forget_other(&mut self) {
        self.other = None;
    }

    /// Request the landscape of the reference scene, if there is one, and take the finished one.
    pub fn collect_other(&mut self) -> Option<LandscapeGuard> {
        let Some(compared) = &self.state.transient.compared else {
            self.other = None;
            return None;
        };
        let scene = &compared.scene;
        let other = self.other.get_or_insert_with(|| {
            let worker = (self.start_worker)();
            worker.request(Arc::clone(scene), false);
            let asked = Arc::clone(scene);
            Other { worker, asked }
        });
        if !invalidation::is_made(&other.asked, scene) {
            other.worker.request(Arc::clone(scene), false);
            other.asked = Arc::clone(scene);
        }
        let outbox = other.worker.take();
        if let Some((_, words)) = outbox.failed {
            self.state.transient.notices.error(format!("A: {words}"));
        }
        outbox.made.map(|made| made.landscape)
    }

    /// Take the weights of the mask overlay, if they have changed.
    pub fn take_mask(&mut self) -> Option<OverlayWeights> {
        self.mask.take()
    }

    /// Time since the last request to the worker, for the log.
    #[must_use]
    pub fn since_request(&self) -> Duration {
        self.asked.at.elapsed()
    }

    /// True if an image is to be saved and the landscape of the present scene is complete.
    #[must_use]
    pub fn wants_picture(&self) -> bool {
        let scene = &self.state.persisted.scene;
        let is_asked = invalidation::is_made(&self.asked.scene, scene);
        let is_made = !self.worker.is_busy() && !self.worker.has_made();
        self.picture.is_some() && is_asked && is_made
    }

    /// Render request for the image to be saved, where the scene fills `window` pixels; `None` to
    /// save the frame on screen.
    #[must_use]
    pub fn shot(&self, window: (u32, u32)) -> Option<RenderRequest> {
        let is_named = |picture: &WantedPicture| matches!(picture.file, PictureFile::Named(_));
        let named = self.picture.as_ref().is_some_and(is_named);
        let shot = self.state.persisted.photo.shot(window);
        (named && shot != RenderRequest::new(window)).then_some(shot)
    }

    /// Record the progress of the image to be saved.
    pub fn note_taking(&mut self, done: f32) {
        if let Some(picture) = &mut self.picture {
            let since = picture
                .taking
                .map_or_else(Instant::now, |taking| taking.since);
            picture.taking = Some(TakingProgress { done, since });
        }
        self.state.derived.progress = self.progress();
    }

    /// True if an image is being rendered or read for saving.
    #[must_use]
    pub fn is_taking(&self) -> bool {
        let picture = self.picture.as_ref();
        picture.is_some_and(|picture| picture.taking.is_some())
    }

    /// Drop the image to be saved: it is done or cancelled.
    fn end_picture(&mut self) {
        self.picture = None;
        self.state.derived.progress = self.progress();
    }

    /// Pass the finished image to the file thread.
    pub fn save_picture(&mut self, taken: Taken) {
        if let Some(picture) = self.picture.take() {
            self.hand(FileJob::SavePicture(
                picture.file,
                taken.pixels,
                Arc::new(taken.scene),
            ));
        }
        self.end_picture();
    }

    /// Show an error and drop the image to be saved.
    pub fn complain(&mut self, about: Cause, error: &dyn std::error::Error) {
        self.end_picture();
        let notices = &mut self.state.transient.notices;
        notices.say(about, Severity::Error, error.to_string());
    }

    /// Start the export of the scene's film. Only one film is exported at a time.
    fn export_film(&mut self, path: &std::path::Path) {
        let Persisted { filming, scene, .. } = &self.state.persisted;
        let order = filming.order(scene, path);
        let is_free = self.films.progress().is_none();
        let handed = order.and_then(|order| match is_free {
            true => self.films.hand(FileJob::Film(Box::new(order))),
            false => Err(tr("another film is being exported").to_owned()),
        });
        if let Err(words) = handed {
            self.state.transient.notices.error(words);
        }
    }

    fn save_scene(&mut self, path: PathBuf, over: Over) {
        let scene = self.state.snapshot();
        self.hand(FileJob::SaveScene(absolute(path), scene, over));
    }

    /// Let file work pause for drawing: it resumes when the returned guards are dropped.
    #[must_use]
    pub fn go_first(&self) -> [FramesInProgress; 2] {
        [self.files.go_first(), self.films.go_first()]
    }

    fn hand(&mut self, chore: FileJob) {
        if let Err(words) = self.files.hand(chore) {
            self.state.transient.notices.error(words);
        }
    }

    /// Write the settings once they have settled; called when a frame is drawn. Returns the time of
    /// the next call.
    pub fn keep_settings(&mut self) -> Option<Instant> {
        if let Some(chore) = self.keeper.keep(&self.state.persisted) {
            self.hand(chore);
        }
        self.keeper.next()
    }

    /// Write the settings before the window closes.
    pub fn end(&self) {
        // A film takes minutes; the program must not keep running for it without a window.
        self.films.abandon();
        self.keeper.close(&self.state.persisted);
    }
}

fn ask(worker: &Worker, scene: Arc<Scene>, reread: bool) -> Asked {
    Asked {
        number: worker.request(Arc::clone(&scene), reread),
        scene,
        at: Instant::now(),
    }
}

/// Make a path absolute, so that it is valid at the next start from another folder.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

// Saving, removing and restoring the user's presets.

const CAUSE: Cause = Cause::Files(READING_PRESETS);

impl Session {
    /// Start reading all of the user's presets. Files that cannot be read are reported in a
    /// message.
    fn read_presets(&mut self) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        let handed = self.presets.hand(FileJob::ReadPresets(folder));
        if let Err(words) = handed {
            self.complain_of_presets(&words);
        }
    }

    /// Save a preset and remove the file of its `old` name.
    fn keep_preset(&mut self, preset: &OwnPreset, old: Option<&str>) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return self.complain_of_presets(tr("there is no folder for settings"));
        };
        match own_presets::keep(&folder, preset, old) {
            Ok(()) => {
                self.read_presets();
                let document = &mut self.state.persisted.document;
                if document.file.is_none() && old.is_none() {
                    // An unnamed scene saved as a preset counts as unmodified: nothing of it can be
                    // lost.
                    document.baseline.clone_from(&preset.scene);
                }
                let words = tr!("Saved “{}” to your presets (P)", preset.name);
                self.state.transient.notices.done(words);
            }
            Err(words) => self.complain_of_presets(&words),
        }
    }

    /// Remove a preset; it can be restored.
    fn remove_preset(&mut self, name: &str) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        match own_presets::remove(&folder, name) {
            Ok(()) => {
                self.state.transient.browser.removed = Some(name.to_owned());
                self.read_presets();
            }
            Err(words) => self.complain_of_presets(&words),
        }
    }

    /// Restore the preset that was removed last.
    fn put_preset_back(&mut self, name: &str) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        match own_presets::put_back(&folder, name) {
            Ok(()) => {
                self.state.transient.browser.removed = None;
                self.read_presets();
            }
            Err(words) => self.complain_of_presets(&words),
        }
    }

    fn complain_of_presets(&mut self, words: &str) {
        let words = tr!("presets: {words}", words);
        let notices = &mut self.state.transient.notices;
        notices.say(CAUSE, Severity::Error, words);
    }
}

// Another window, as a separate process that receives a scene through its standard input.

/// Open a window with a new document of this scene. It stays open when this one is closed.
///
/// # Errors
/// Fails if the program cannot be started again.
fn open_window(scene: &Scene) -> io::Result<()> {
    let program = std::env::current_exe()?;
    let child = process::Command::new(program)
        .args(["view", "-"])
        .stdin(Stdio::piped())
        .spawn()?;
    let text = scene.to_toml();
    // Waiting for the child avoids a zombie process.
    std::thread::spawn(move || hand_over(child, &text));
    Ok(())
}

fn hand_over(mut child: Child, text: &str) {
    if let Some(mut input) = child.stdin.take()
        && let Err(error) = input.write_all(text.as_bytes())
    {
        log::error!("the scene did not reach the other window: {error}");
    }
    if let Err(error) = child.wait() {
        log::error!("the other window: {error}");
    }
}
