//! The window without the window: the interface's state, the threads, the settings files, and
//! what commands do with them.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::app::beside;
use crate::app::commands::{Action, Command, PictureFile};
use crate::app::files::priority::Going;
use crate::app::files::{Chore, Files, Over};
use crate::app::picture::taking::Taken;
use crate::app::stale;
use crate::app::state::document::Document;
use crate::app::state::notices::{Cause, Severity};
use crate::app::state::{Persisted, UiState};
use crate::app::worker::{Lent, MadeSmall, SeenMask, SmallWorker, Worker};
use crate::generate::Surface;
use crate::language::{self, tr};
use crate::render::Shot;
use crate::scene::Scene;

mod keeper;
pub mod news;
mod own;

use keeper::Keeper;

/// All of the running program that needs no OpenGL.
pub struct Session {
    /// What the interface reads and writes.
    pub state: UiState,
    worker: Worker,
    /// What makes the landscape of the scene that the present one is compared with.
    other: Option<Other>,
    start_worker: Box<dyn Fn() -> Worker>,
    small: SmallWorker,
    files: Files,
    /// A thread for films alone, which take long.
    films: Files,
    /// A thread for reading presets, which are shown while a file is written as well.
    presets: Files,
    keeper: Keeper,
    /// What the worker was asked for last.
    asked: Asked,
    /// The surface on screen, which is what H is measured of.
    shown_surface: Option<Surface>,
    /// The weights of a mask that are not yet shown.
    mask: Option<SeenMask>,
    /// A picture to be saved as soon as it shows the scene as it is.
    picture: Option<WantedPicture>,
    quit: bool,
}

/// What the worker was asked for.
struct Asked {
    scene: Scene,
    /// The number of that request.
    number: u64,
    at: Instant,
}

/// The worker for another scene, and what it was asked for.
struct Other {
    worker: Worker,
    asked: Scene,
}

/// A picture to be saved.
struct WantedPicture {
    file: PictureFile,
    /// How much of it is taken, if that takes more than one frame.
    taking: Option<TakingProgress>,
}

/// How much of a picture is taken, 0…1, and since when.
#[derive(Clone, Copy)]
struct TakingProgress {
    done: f32,
    since: Instant,
}

impl Session {
    /// Reads the settings, starts the threads and asks for the first landscape. `wake` is called
    /// from the threads whenever there is something to collect, `wake_small` when there is a landscape
    /// for a small picture.
    #[must_use]
    pub fn start(
        given: Option<(Document, Scene)>,
        wake: impl Fn() + Send + Clone + 'static,
        wake_small: impl Fn() + Send + 'static,
    ) -> Self {
        let (keeper, mut persisted, complaint) = Keeper::open(given.is_some());
        if let Some((document, scene)) = given {
            if let Some(file) = &document.file {
                persisted.recent.note(file);
            }
            (persisted.document, persisted.scene) = (document, scene);
        }
        let theirs = wake.clone();
        let start_worker = Box::new(move || Worker::start(theirs.clone()));
        let worker = start_worker();
        let mut session = Self {
            asked: ask(&worker, &persisted.scene, false),
            state: UiState::new(persisted),
            worker,
            other: None,
            start_worker,
            small: SmallWorker::start(wake_small, wake.clone()),
            films: Files::start(wake.clone()),
            presets: Files::start(wake.clone()),
            files: Files::start(wake),
            keeper,
            shown_surface: None,
            mask: None,
            picture: None,
            quit: false,
        };
        session.state.transient.system_language = language::of_system();
        if let Some(complaint) = complaint {
            session.state.transient.notices.error(complaint);
        }
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

    /// Whether a thread is at work, so that progress should be shown.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        self.is_taking()
            || self.worker.is_busy()
            || self.files.progress().is_some()
            || self.films.progress().is_some()
    }

    /// Does what had to wait, or asks about it again.
    fn go_on(&mut self, action: Action) {
        if let Some(command) = self.state.apply(action) {
            self.execute(command);
        }
    }

    /// Closes the window, as the user wants; or asks first.
    pub fn close(&mut self) {
        self.go_on(Command::Quit.into());
    }

    /// Carries out a command of the interface.
    pub fn execute(&mut self, command: Command) {
        match command {
            Command::Open(path) => self.hand(Chore::Open(absolute(path))),
            Command::UseInput(_, path) if path.to_str().is_none() => {
                let notices = &mut self.state.transient.notices;
                notices.error(tr("the image's path is not UTF-8, so no scene can name it"));
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
            Command::OpenBeside(scene) => {
                if let Err(error) = beside::open(&scene) {
                    let words = tr!("cannot open another window: {error}", error);
                    self.state.transient.notices.error(words);
                }
            }
            Command::ReadPresets => self.read_presets(),
            Command::KeepPreset(preset, old) => self.keep_preset(&preset, old.as_deref()),
            Command::RemovePreset(name) => self.remove_preset(&name),
            Command::PutPresetBack(name) => self.put_preset_back(&name),
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

    /// Asks for the landscape of the scene as it is now, unless that is what was asked for last,
    /// for its statistics while they are shown, for a mask while that is looked at, and for a forecast
    /// while one may be exported.
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
        let mut wished =
            (exporting.shown && exporting.map().is_heights()).then(|| exporting.clone());
        if let Some(wished) = &mut wished {
            // A picture for a file shows the landscape, not the steps of another file.
            wished.preview &= self.picture.is_none();
        }
        // The last one stands until the next is there.
        if wished.is_none() {
            self.state.derived.forecast = None;
        }
        let forecast_changed = self.worker.want_forecast(wished);
        let same = stale::is_made(&self.asked.scene, &self.state.persisted.scene);
        // While a film plays, what takes long is shown as fast as it comes.
        let waits = self.state.transient.timeline.is_playing() && self.worker.is_busy();
        if (forecast_changed || !same) && !waits {
            self.request(false);
        }
    }

    /// Whether the landscape waits for small pictures: they cover it, and all that are missing are made
    /// first. For a picture to be saved it is made at once.
    fn small_go_first(&self) -> bool {
        let transient = &self.state.transient;
        transient.covers_scene() && self.picture.is_none() && transient.gallery.missing() > 0
    }

    /// Asks for the small pictures that the gallery wants.
    pub fn want_small(&mut self) {
        self.small.want(&self.state.transient.gallery);
        for (scene, words) in self.small.take_failed() {
            self.state.transient.gallery.fail(scene, words);
        }
    }

    /// Whether there is a landscape for a small picture to be taken.
    #[must_use]
    pub fn has_small(&self) -> bool {
        self.small.has_made()
    }

    /// Takes a landscape for a small picture.
    #[must_use]
    pub fn take_small(&self) -> Option<MadeSmall> {
        self.small.take()
    }

    /// Asks for the landscape of the scene as it is now; `reread` says that the files that it
    /// names may have changed.
    fn request(&mut self, reread: bool) {
        self.asked = ask(&self.worker, &self.state.persisted.scene, reread);
    }

    /// Has the landscape of the scene that the present one is compared with made anew.
    pub fn forget_other(&mut self) {
        self.other = None;
    }

    /// Asks for the landscape of the scene that the present one is compared with, if there is one, and takes
    /// what was made of it.
    pub fn collect_other(&mut self) -> Option<Lent> {
        let Some(compared) = &self.state.transient.compared else {
            self.other = None;
            return None;
        };
        let scene = &compared.scene;
        let other = self.other.get_or_insert_with(|| {
            let worker = (self.start_worker)();
            worker.request(scene.clone(), false);
            let asked = scene.clone();
            Other { worker, asked }
        });
        if !stale::is_made(&other.asked, scene) {
            other.worker.request(scene.clone(), false);
            other.asked = scene.clone();
        }
        let outbox = other.worker.take();
        if let Some((_, words)) = outbox.failed {
            self.state.transient.notices.error(format!("A: {words}"));
        }
        outbox.made.map(|made| made.landscape)
    }

    /// Takes the weights of a mask, if there are others than were taken last.
    pub fn take_mask(&mut self) -> Option<SeenMask> {
        self.mask.take()
    }

    /// Time since the worker was asked for another landscape, for the log.
    #[must_use]
    pub fn since_request(&self) -> Duration {
        self.asked.at.elapsed()
    }

    /// Whether a picture is to be saved and the one on screen shows the scene as it is.
    #[must_use]
    pub fn wants_picture(&self) -> bool {
        let is_asked = stale::is_made(&self.asked.scene, &self.state.persisted.scene);
        let is_made = !self.worker.is_busy() && !self.worker.has_made();
        self.picture.is_some() && is_asked && is_made
    }

    /// How the picture that is wanted is to be taken, of a scene that fills `window` pixels;
    /// `None` as it is on screen.
    #[must_use]
    pub fn shot(&self, window: (u32, u32)) -> Option<Shot> {
        let is_named = |picture: &WantedPicture| matches!(picture.file, PictureFile::Named(_));
        let named = self.picture.as_ref().is_some_and(is_named);
        let shot = self.state.persisted.photo.shot(window);
        (named && shot != Shot::new(window)).then_some(shot)
    }

    /// Notes how much of the picture wanted is taken.
    pub fn note_taking(&mut self, done: f32) {
        if let Some(picture) = &mut self.picture {
            let since = picture
                .taking
                .map_or_else(Instant::now, |taking| taking.since);
            picture.taking = Some(TakingProgress { done, since });
        }
        self.state.derived.progress = self.progress();
    }

    /// Whether a picture is being taken.
    #[must_use]
    pub fn is_taking(&self) -> bool {
        let picture = self.picture.as_ref();
        picture.is_some_and(|picture| picture.taking.is_some())
    }

    /// Forgets the picture that was wanted: it is taken, or nobody wants it any more.
    fn end_picture(&mut self) {
        self.picture = None;
        self.state.derived.progress = self.progress();
    }

    /// Hands over the picture that was wanted.
    pub fn save_picture(&mut self, taken: Taken) {
        if let Some(picture) = self.picture.take() {
            self.hand(Chore::SavePicture(picture.file, taken.pixels, taken.scene));
        }
        self.end_picture();
    }

    /// Tells the user what went wrong about that, and forgets a picture that hung on it.
    pub fn complain(&mut self, about: Cause, error: &dyn std::error::Error) {
        self.end_picture();
        let notices = &mut self.state.transient.notices;
        notices.say(about, Severity::Error, error.to_string());
    }

    /// Writes the film of the scene as it is, one film at a time.
    fn export_film(&mut self, path: &std::path::Path) {
        let Persisted { filming, scene, .. } = &self.state.persisted;
        let order = filming.order(scene, path);
        let is_free = self.films.progress().is_none();
        let handed = order.and_then(|order| match is_free {
            true => self.films.hand(Chore::Film(Box::new(order))),
            false => Err(tr("another film is being exported").to_owned()),
        });
        if let Err(words) = handed {
            self.state.transient.notices.error(words);
        }
    }

    fn save_scene(&mut self, path: PathBuf, over: Over) {
        let scene = self.state.persisted.scene.clone();
        self.hand(Chore::SaveScene(absolute(path), scene, over));
    }

    /// Files wait for the frame that is drawn as long as what is returned is there.
    #[must_use]
    pub fn go_first(&self) -> [Going; 2] {
        [self.files.go_first(), self.films.go_first()]
    }

    fn hand(&mut self, chore: Chore) {
        if let Err(words) = self.files.hand(chore) {
            self.state.transient.notices.error(words);
        }
    }

    /// Writes the settings once they have settled; returns when to look again. Called when a frame
    /// is drawn.
    pub fn keep_settings(&mut self) -> Option<Instant> {
        if let Some(chore) = self.keeper.keep(&self.state.persisted) {
            self.hand(chore);
        }
        self.keeper.next()
    }

    /// Writes the settings before the window closes.
    pub fn end(&self) {
        // A film takes minutes, in which nobody would know why the program goes on.
        self.films.abandon();
        self.keeper.close(&self.state.persisted);
    }
}

fn ask(worker: &Worker, scene: &Scene, reread: bool) -> Asked {
    Asked {
        number: worker.request(scene.clone(), reread),
        scene: scene.clone(),
        at: Instant::now(),
    }
}

/// A path that means the same at the next start, from another folder.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
