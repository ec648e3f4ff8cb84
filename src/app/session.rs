//! The window without the window: the interface's state, the threads, the settings file, and
//! what commands do with them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::commands::Command;
use crate::app::document::Document;
use crate::app::files::{Chore, Done, Files, Over};
use crate::app::notices::{Cause, Kind};
use crate::app::settings::{self, Store};
use crate::app::stale;
use crate::app::state::{Measured, Persisted, Progress, Shown, UiState};
use crate::app::taking::Shot;
use crate::app::way::Going;
use crate::app::worker::{Outbox, Worker};
use crate::generate::{Reading, Surface};
use crate::pipeline::{self, Landscape};
use crate::render;
use crate::scene::Scene;
use crate::words;

/// Time from a change until the settings are written.
const SETTLED: Duration = Duration::from_secs(2);

/// All of the running program that needs no OpenGL.
pub struct Session {
    /// What the interface reads and writes.
    pub state: UiState,
    worker: Worker,
    files: Files,
    /// Where settings are kept; `None` where the system has no place for them.
    store: Option<Arc<Store>>,
    /// The scene that the worker was asked for last, and the number of that request.
    requested: Option<(Scene, u64)>,
    requested_at: Instant,
    /// The surface on screen, which is what H is measured of.
    shown_surface: Option<Surface>,
    /// A picture to be saved as soon as it shows the scene as it is.
    picture_wanted: Option<Option<PathBuf>>,
    /// How much of it is taken, if that takes more than one frame, and since when.
    exposing: Option<(f32, Instant)>,
    /// The settings as they are on disk.
    saved: Persisted,
    save_at: Option<Instant>,
    unsaved: Persisted,
    /// The scene of the newest landscape until a frame has drawn it, and the last one that was
    /// drawn.
    made: Option<Scene>,
    drawn: Option<Scene>,
    /// The last document and scene that were drawn, or those of the last start.
    lasting: (Document, Scene),
    quit: bool,
}

impl Session {
    /// Reads the settings, starts the threads and asks for the first landscape. `wake` is called
    /// from the threads whenever there is something to collect.
    #[must_use]
    pub fn start(
        given: Option<(Document, Scene)>,
        wake: impl Fn() + Send + Clone + 'static,
    ) -> Self {
        let opened = settings::folder().map(|folder| match Store::open(&folder, given.is_some()) {
            Ok((store, persisted, complaint)) => (Some(store), persisted, complaint),
            Err(error) => {
                let folder_name = words::named(&folder);
                let words = format!("settings are not kept: {error}: {folder_name}");
                (None, settings::load(&folder).0, Some(words))
            }
        });
        let (store, mut persisted, complaint) = opened.unwrap_or_default();
        let saved = persisted.clone();
        let lasting = (saved.document.clone(), saved.scene.clone());
        if let Some((document, scene)) = given {
            if let Some(file) = &document.file {
                persisted.recent.note(file);
            }
            (persisted.document, persisted.scene) = (document, scene);
        }
        let mut session = Self {
            state: UiState::new(persisted.clone()),
            worker: Worker::start(wake.clone()),
            files: Files::start(wake),
            store: store.map(Arc::new),
            requested: None,
            requested_at: Instant::now(),
            shown_surface: None,
            picture_wanted: None,
            exposing: None,
            saved,
            save_at: None,
            unsaved: persisted,
            made: None,
            drawn: None,
            lasting,
            quit: false,
        };
        if let Some(complaint) = complaint {
            session.state.transient.notices.error(complaint);
        }
        session.request(false);
        session
    }

    /// Whether the user asked to quit.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.quit
    }

    /// The window's title.
    #[must_use]
    pub fn title(&self) -> String {
        let Persisted {
            document, scene, ..
        } = &self.state.persisted;
        document.title(scene)
    }

    /// Takes what the threads have done; returns a landscape to be drawn. Waits up to
    /// `patience` for one.
    pub fn collect(&mut self, patience: Duration) -> Option<Landscape> {
        for (what, done) in self.files.take() {
            self.file_done(what, done);
        }
        let outbox = match patience {
            Duration::ZERO => self.worker.take(),
            patience => self.worker.wait(patience),
        };
        let landscape = self.landscape_done(outbox);
        self.state.derived.progress = self.progress();
        landscape
    }

    fn show_opened(&mut self, path: PathBuf, scene: Scene, held: Option<String>) {
        self.state.persisted.recent.note(&path);
        let document = Document::of(path, scene.clone(), held);
        self.state.replace_document(document, scene);
        self.request(true);
    }

    fn landscape_done(&mut self, mut outbox: Outbox) -> Option<Landscape> {
        let newest = self.requested.as_ref().map_or(0, |(_, number)| *number);
        if let (Some((number, _)), Some((scene, _))) = (&outbox.failed, &self.requested)
            && *number == newest
        {
            // It ends in words, not the program, and what the user does meanwhile is to last.
            self.made = Some(scene.clone());
        }
        let derived = &mut self.state.derived;
        self.state
            .transient
            .notices
            .note_landscape(&mut outbox, newest);
        let mut landscape = None;
        if let Some(made) = outbox.made {
            // An older one is still news while a slider is dragged: it is drawn as well.
            let map = &made.landscape.heights;
            derived.shown = Some(Shown {
                rows: map.rows(),
                columns: map.columns(),
                stride: made.landscape.stride,
                requested_hurst: pipeline::surface_of(&made.landscape.scene).requested_hurst(),
                made_in: made.made_in,
                coarse: made.coarse,
            });
            let surface = &made.landscape.scene.surface;
            if made.coarse || self.shown_surface.as_ref() != Some(surface) {
                derived.measured_hurst = None;
                self.shown_surface = Some(surface.clone());
            }
            derived.times.update(&made.times);
            derived.ground = made.ground;
            derived.relief = made.landscape.relief.clone();
            // Until another comes the last one has to do.
            derived.terrain = made.terrain.or(derived.terrain.take());
            if let Some(measured) = &mut derived.measured {
                measured.outdated = true;
            }
            if !made.coarse {
                self.made = Some(made.landscape.scene.clone());
            }
            landscape = Some(made.landscape);
        }
        if let Some((number, terrain)) = outbox.terrain
            && number == newest
        {
            derived.terrain = terrain;
        }
        if let Some((number, forecast)) = outbox.forecast
            && number == newest
        {
            derived.forecast = Some(forecast);
        }
        if let Some((number, hurst)) = outbox.measured
            && number == newest
        {
            derived.measured_hurst = Some(hurst);
        }
        if let (Some((of, statistics)), Some((scene, _))) = (outbox.statistics, &self.requested)
            && of == newest
        {
            let ground = pipeline::surface_of(scene);
            derived.measured = Some(Measured {
                statistics,
                requested_hurst: ground.requested_hurst(),
                stride: derived.shown.as_ref().map_or(1, |shown| shown.stride),
                outdated: false,
            });
        }
        landscape
    }

    /// `what` is the sort of work that is done.
    fn file_done(&mut self, what: &'static str, done: Done) {
        self.state.transient.notices.note_file(what, &done);
        match done {
            Done::Quiet | Done::Saved(_) | Done::Failed(_) | Done::Noted(_) => {}
            Done::Opened(path, scene, held) => {
                let notice = crate::import::notice_of_reads(&path, &scene);
                self.show_opened(path, *scene, held);
                if let Some(notice) = notice {
                    let notices = &mut self.state.transient.notices;
                    notices.say(Cause::Opened, Kind::Warning, notice);
                }
            }
            Done::NotOpened(path, _) => {
                if !path.exists() && self.state.persisted.recent.forget(&path) {
                    self.state
                        .transient
                        .notices
                        .warn("it is gone, so it is no longer among the recent files");
                }
            }
            Done::Changed(path) => self.state.transient.dialogs.changed = Some(path),
            Done::SavedScene(path, scene, held) => {
                self.state.persisted.recent.note(&path);
                self.state.persisted.document = Document::of(path, *scene, held);
                if let Some(next) = self.state.transient.dialogs.after_saving.take() {
                    self.go_on(*next);
                }
            }
            Done::NotSavedScene(_) => {
                self.state.transient.dialogs.after_saving = None;
            }
            Done::OpenedMap(path, extent) => {
                // Everything else stays as the user has it.
                let mut scene = self.state.persisted.scene.clone();
                // What was said of another image does not count.
                scene.surface.reading = Reading::default();
                extent.show(&path, &mut scene.surface);
                self.show_opened(path, scene, None);
            }
            Done::Measured(part, path, reading, extent) => {
                let scene = &mut self.state.persisted.scene;
                let before = scene.clone();
                // Something else may have been said meanwhile, which is measured as well.
                if let Some(surface) = part.surface(scene).filter(|now| now.reading == reading) {
                    match surface.input.as_ref() == Some(&path) {
                        true => {
                            extent.fit(surface);
                            self.state.transient.history.complete(&before, scene);
                        }
                        false => extent.hand(&path, surface),
                    }
                    self.request(true);
                }
            }
        }
    }

    fn progress(&self) -> Vec<Progress> {
        let landscape = self.worker.progress().map(|(done, elapsed)| Progress {
            what: "Making the landscape".to_owned(),
            done,
            elapsed,
            landscape: true,
        });
        let file = self.files.progress().map(|(what, done, elapsed)| Progress {
            what,
            done,
            elapsed,
            landscape: false,
        });
        let exposure = self.exposing.map(|(done, since)| Progress {
            what: "Taking the picture".to_owned(),
            done,
            elapsed: since.elapsed(),
            landscape: false,
        });
        landscape.into_iter().chain(exposure).chain(file).collect()
    }

    /// Whether a thread is at work, so that progress should be shown.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.exposing.is_some() || self.worker.is_busy() || self.files.progress().is_some()
    }

    /// Does what had to wait, or asks about it again.
    fn go_on(&mut self, command: Command) {
        if let Some(command) = self.state.apply(command) {
            self.execute(command);
        }
    }

    /// The user wants the window closed.
    pub fn close(&mut self) {
        self.go_on(Command::Quit);
    }

    /// Carries out a command that the interface could not.
    pub fn execute(&mut self, command: Command) {
        match command {
            Command::Open(path) => self.hand(Chore::Open(absolute(path))),
            Command::UseInput(_, path) if path.to_str().is_none() => {
                let notices = &mut self.state.transient.notices;
                notices.error("the image's path is not UTF-8, so no scene can name it");
            }
            Command::UseInput(part, path) => {
                if let Some(surface) = part.surface(&mut self.state.persisted.scene) {
                    let reading = surface.reading.clone();
                    self.hand(Chore::Measure(part, path, reading));
                }
            }
            Command::SaveScene(path) => {
                let held = self.state.persisted.document.held.clone();
                self.save_scene(path, Over::Only(held));
            }
            Command::ReplaceScene(path) => self.save_scene(path, Over::Any),
            Command::Export(path) => {
                let scene = self.state.persisted.scene.clone();
                let options = self.state.persisted.exporting.options(&scene);
                self.hand(Chore::Export(path, scene, options));
            }
            Command::SavePicture(path) => self.picture_wanted = Some(path),
            Command::CancelLandscape => self.worker.cancel(),
            Command::CancelFile if self.exposing.is_some() => self.end_exposure(),
            Command::CancelFile => self.files.cancel(),
            Command::Quit => self.quit = true,
            // The interface's own; harmless here.
            command => drop(self.state.apply(command)),
        }
    }

    /// Asks for the landscape of the scene as it is now, unless that is what was asked for last,
    /// for its statistics while they are shown, and for a forecast while one may be exported.
    pub fn request_if_changed(&mut self) {
        let statistics = self.state.persisted.statistics;
        self.worker.want_statistics(statistics);
        if !statistics {
            self.state.derived.measured = None;
        }
        let exporting = &self.state.persisted.exporting;
        let mut wished =
            (exporting.shown && exporting.map().is_heights()).then(|| exporting.clone());
        if let Some(wished) = &mut wished {
            // A picture for a file shows the landscape, not the steps of another file.
            wished.preview &= self.picture_wanted.is_none();
        }
        // The last one stands until the next is there.
        if wished.is_none() {
            self.state.derived.forecast = None;
        }
        let forecast_changed = self.worker.want_forecast(wished);
        let scene = &self.state.persisted.scene;
        let same = |(asked, _): &(Scene, u64)| stale::is_made(asked, scene);
        if forecast_changed || !self.requested.as_ref().is_some_and(same) {
            self.request(false);
        }
    }

    fn request(&mut self, reread: bool) {
        let scene = self.state.persisted.scene.clone();
        let number = self.worker.request(scene.clone(), reread);
        self.requested = Some((scene, number));
        self.requested_at = Instant::now();
    }

    /// Time since the worker was asked for another landscape, for the log.
    #[must_use]
    pub fn since_request(&self) -> Duration {
        self.requested_at.elapsed()
    }

    /// Whether a picture is to be saved and the one on screen shows the scene as it is.
    #[must_use]
    pub fn wants_picture(&self) -> bool {
        self.picture_wanted.is_some() && !self.worker.is_busy() && !self.worker.has_made()
    }

    /// How the picture that is wanted is to be taken, of a scene that fills `window` pixels;
    /// `None` as it is on screen.
    #[must_use]
    pub fn shot(&self, window: (u32, u32)) -> Option<render::Shot> {
        let named = matches!(self.picture_wanted, Some(Some(_)));
        let shot = self.state.persisted.photo.shot(window);
        (named && shot != render::Shot::new(window)).then_some(shot)
    }

    /// Notes how much of the picture wanted is taken.
    pub fn note_exposure(&mut self, done: f32) {
        let since = self.exposing.map_or_else(Instant::now, |(_, since)| since);
        self.exposing = Some((done, since));
        self.state.derived.progress = self.progress();
    }

    /// Whether a picture is being taken.
    #[must_use]
    pub fn is_exposing(&self) -> bool {
        self.exposing.is_some()
    }

    /// The picture is taken, or nobody wants it any more.
    fn end_exposure(&mut self) {
        (self.exposing, self.picture_wanted) = (None, None);
        self.state.derived.progress = self.progress();
    }

    /// Hands over the picture that was wanted.
    pub fn save_picture(&mut self, shot: Shot) {
        if let Some(path) = self.picture_wanted.take() {
            self.hand(Chore::SavePicture(path, shot.pixels, shot.scene));
        }
        self.end_exposure();
    }

    /// Tells the user what went wrong about that, and forgets a picture that hung on it.
    pub fn complain(&mut self, about: Cause, error: &dyn std::error::Error) {
        self.end_exposure();
        let notices = &mut self.state.transient.notices;
        notices.say(about, Kind::Error, error.to_string());
    }

    fn save_scene(&mut self, path: PathBuf, over: Over) {
        let scene = self.state.persisted.scene.clone();
        self.hand(Chore::SaveScene(absolute(path), scene, over));
    }

    /// Files wait for the frame that is drawn as long as what is returned is there.
    #[must_use]
    pub fn frame(&self) -> Going {
        self.files.give_way()
    }

    fn hand(&mut self, chore: Chore) {
        if let Err(words) = self.files.hand(chore) {
            self.state.transient.notices.error(words);
        }
    }

    /// The settings as they are to be kept: with the scene as it is if its landscape was drawn,
    /// else with the last one that was, since one that ends the program would do so again.
    fn lasting(&mut self) -> Persisted {
        let mut lasting = self.state.persisted.clone();
        let is_drawn = |drawn: &Scene| stale::is_made(drawn, &lasting.scene);
        if self.drawn.as_ref().is_some_and(is_drawn) {
            self.lasting = (lasting.document.clone(), lasting.scene.clone());
        } else {
            (lasting.document, lasting.scene) = self.lasting.clone();
        }
        lasting
    }

    /// Writes the settings once they have settled; returns when to look again. Called when a frame
    /// is drawn.
    pub fn keep_settings(&mut self) -> Option<Instant> {
        let store = Arc::clone(self.store.as_ref()?);
        if let Some(scene) = self.made.take() {
            if self.drawn.is_none() {
                store.started();
            }
            self.drawn = Some(scene);
        }
        let now = Instant::now();
        let lasting = self.lasting();
        if lasting != self.unsaved {
            self.unsaved = lasting;
            // Not later and later: a long flight must not keep all of it from the disk.
            self.save_at.get_or_insert(now + SETTLED);
        }
        if self.save_at.is_some_and(|at| at <= now) {
            self.save_at = None;
            if self.unsaved != self.saved {
                self.saved = self.unsaved.clone();
                self.hand(Chore::SaveSettings(store, Box::new(self.saved.clone())));
            }
        }
        self.save_at
    }

    /// Writes the settings before the window closes.
    pub fn end(&mut self) {
        let Some(store) = &self.store else {
            return;
        };
        // Who can close the window is not kept from it by the scene.
        store.started();
        if let Err(error) = store.close(&self.state.persisted) {
            let folder = words::named(store.folder());
            log::error!("could not save the settings: {error}: {folder}");
        }
    }
}

/// A path that means the same at the next start, from another folder.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
