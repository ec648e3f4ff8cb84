//! One way to do a thing: menu, keys and buttons all make commands.

use std::path::{Path, PathBuf};

use crate::app::dialogs::Purpose;
use crate::app::document::Document;
use crate::app::notices::Cause;
use crate::app::passes;
use crate::app::state::{Persisted, UiState};
use crate::app::steer;
use crate::app::unsaved::Answer;
use crate::generate::Surface;
use crate::import;
use crate::rng::random_seed;
use crate::scene::{Camera, CameraMode, Scene};

/// A part of the landscape that has a generator of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The ground.
    Ground,
    /// The layer of that index.
    Layer(usize),
}

impl Part {
    /// A name for something of it: `ground-reading`, `layer-1-options`.
    #[must_use]
    pub fn named(self, what: &str) -> String {
        match self {
            Self::Ground => format!("ground-{what}"),
            Self::Layer(index) => format!("layer-{}-{what}", index + 1),
        }
    }

    /// Its settings; `None` for a layer that is no more.
    pub fn surface(self, scene: &mut Scene) -> Option<&mut Surface> {
        match self {
            Self::Ground => Some(&mut scene.surface),
            Self::Layer(index) => scene.layers.get_mut(index).map(|layer| &mut layer.surface),
        }
    }
}

/// Something the user asked for, other than a new value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Take the last step back.
    Undo,
    /// Do it again.
    Redo,
    /// A new document with the landscape that the program starts with.
    New,
    /// Every setting to what the document had.
    Revert,
    /// The camera to what the document had.
    ResetCamera,
    /// Another way to move the camera, from where it is.
    CameraMode(CameraMode),
    /// The camera flies to that one.
    GoTo(Box<Camera>),
    /// Fly along the camera path, or stop that.
    PlayPath,
    /// A seed from the dice.
    RandomSeed,
    /// The seed before.
    SeedBack,
    /// The seed after.
    SeedForward,
    /// Show the passes one after the other, or stop that.
    PlayPasses,
    /// Show or hide the panel.
    TogglePanel,
    /// Show or hide the statistics.
    ToggleStatistics,
    /// Show or hide the window for exporting.
    ToggleExport,
    /// Show or hide the window for saving a picture.
    TogglePhoto,
    /// Show or hide the list of keys.
    ToggleKeys,
    /// Show or hide what the program is.
    ToggleAbout,
    /// Ask for a file.
    Ask(Purpose),
    /// A new document with that scene.
    Load(Box<Scene>),
    /// What to do about changes that are not saved.
    Answer(Answer),
    /// Write the scene into its file, or ask for one.
    Save,
    /// Forget which files were opened.
    ForgetRecent,
    /// No input image any more.
    ClearInput(Part),
    /// Open a scene, or an image as the landscape.
    Open(PathBuf),
    /// Take an image as input of the generator chosen.
    UseInput(Part, PathBuf),
    /// Write the scene, if the file is still as the document knows it.
    SaveScene(PathBuf),
    /// Write the scene, whatever the file holds: the user was asked.
    ReplaceScene(PathBuf),
    /// Write the heights or the mesh as the window "Export" says.
    Export(PathBuf),
    /// Write the picture under that name, or under a free one in the pictures folder.
    SavePicture(Option<PathBuf>),
    /// Stop making the landscape.
    CancelLandscape,
    /// Stop writing the file.
    CancelFile,
    /// Close the window.
    Quit,
}

impl Command {
    /// Whether the camera is where this says, and does not go on from there.
    fn puts_the_camera(&self) -> bool {
        matches!(
            self,
            Self::Undo | Self::Redo | Self::Revert | Self::ResetCamera
        )
    }

    /// Whether another document, or none, takes the place of the one there is.
    #[must_use]
    pub fn takes_the_document(&self) -> bool {
        matches!(self, Self::New | Self::Load(_) | Self::Open(_) | Self::Quit)
    }
}

impl UiState {
    /// Carries out a command that concerns the state alone; gives back one that needs files,
    /// the worker or the window. One that takes the document away asks first about changes that
    /// are not saved.
    pub fn apply(&mut self, command: Command) -> Option<Command> {
        if command.takes_the_document() && self.holds_work() {
            self.transient.dialogs.unsaved = Some(Box::new(command));
            return None;
        }
        self.carry_out(command)
    }

    /// As [`UiState::apply`], without a question.
    fn carry_out(&mut self, command: Command) -> Option<Command> {
        if command.puts_the_camera() {
            steer::halt(&mut self.transient);
        }
        let document = &mut self.persisted.document;
        let scene = &mut self.persisted.scene;
        match command {
            Command::Undo => self.transient.history.undo(scene, document),
            Command::Redo => self.transient.history.redo(scene, document),
            Command::New => self.load(import::start().clone()),
            Command::Revert => {
                self.transient.history.commit(scene);
                scene.clone_from(&document.baseline);
            }
            Command::ResetCamera => {
                self.transient.history.part(scene);
                scene.camera = document.baseline.camera.clone();
            }
            Command::CameraMode(mode) => {
                self.transient.history.part(scene);
                steer::set_mode(self, mode);
            }
            Command::GoTo(to) => {
                let transient = &mut self.transient;
                transient.history.part(scene);
                transient.journey = None;
                transient.steering.fly_to(&scene.camera, *to);
            }
            Command::PlayPath => steer::toggle(self),
            Command::RandomSeed => {
                self.persisted.seeds.watch(scene.surface.seed);
                scene.surface.seed = random_seed();
                self.persisted.seeds.watch(scene.surface.seed);
            }
            Command::SeedBack => {
                self.persisted.seeds.watch(scene.surface.seed);
                scene.surface.seed = self.persisted.seeds.back().unwrap_or(scene.surface.seed);
            }
            Command::SeedForward => {
                self.persisted.seeds.watch(scene.surface.seed);
                let next = self.persisted.seeds.forward();
                scene.surface.seed = next.unwrap_or(scene.surface.seed);
            }
            Command::PlayPasses => passes::toggle(self),
            Command::TogglePanel => self.toggle_panel(),
            Command::ToggleStatistics => self.persisted.statistics ^= true,
            Command::ToggleExport => self.persisted.exporting.shown ^= true,
            Command::TogglePhoto => self.persisted.photo.shown ^= true,
            Command::ToggleKeys => self.transient.dialogs.keys ^= true,
            Command::ToggleAbout => self.transient.dialogs.about ^= true,
            Command::Answer(answer) => return self.answer(answer),
            Command::Save => match document.scene_file() {
                Some(file) => return Some(Command::SaveScene(file.to_owned())),
                None => return self.carry_out(Command::Ask(Purpose::SaveScene)),
            },
            Command::ForgetRecent => self.persisted.recent.clear(),
            Command::Ask(purpose) => {
                let mut stem = file_stem(scene);
                let exporting = &self.persisted.exporting;
                if purpose == Purpose::Export {
                    stem += &exporting.suffix();
                }
                let beside = document.file.as_deref().and_then(Path::parent);
                let mut folder = self.persisted.folder.as_deref().or(beside);
                if purpose == Purpose::SaveScene
                    && let Some(file) = &document.file
                {
                    folder = beside.or(folder);
                    stem = file
                        .file_stem()
                        .unwrap_or_default()
                        .to_string_lossy()
                        .into();
                }
                let format = exporting.format();
                self.transient.dialogs.ask(purpose, folder, &stem, format);
            }
            Command::Load(scene) => self.load(*scene),
            Command::ClearInput(part) => {
                if let Some(surface) = part.surface(scene) {
                    surface.input = None;
                }
            }
            Command::Open(_)
            | Command::UseInput(..)
            | Command::SaveScene(_)
            | Command::ReplaceScene(_)
            | Command::Export(_)
            | Command::SavePicture(_)
            | Command::CancelLandscape
            | Command::CancelFile
            | Command::Quit => return Some(command),
        }
        None
    }

    /// A new document with that scene.
    fn load(&mut self, scene: Scene) {
        self.replace_document(Document::unnamed(scene.clone()), scene);
    }

    /// Another document, as one step of its own.
    pub fn replace_document(&mut self, document: Document, scene: Scene) {
        let Persisted {
            scene: shown,
            document: before,
            seeds,
            ..
        } = &mut self.persisted;
        self.transient.notices.settle(&Cause::Opened);
        steer::halt(&mut self.transient);
        self.transient.history.commit(shown);
        *shown = scene;
        let before = std::mem::replace(before, document);
        self.transient.history.replace(shown, before);
        seeds.watch(shown.surface.seed);
    }

    /// Whether changes would be lost that the user may want to keep.
    #[must_use]
    pub fn holds_work(&self) -> bool {
        let Persisted {
            document, scene, ..
        } = &self.persisted;
        document.holds_work(scene)
    }

    /// What was asked for goes on once the changes are saved, goes on without them, or not at all.
    fn answer(&mut self, answer: Answer) -> Option<Command> {
        let command = *self.transient.dialogs.unsaved.take()?;
        match answer {
            Answer::Cancel => None,
            Answer::Save => {
                self.transient.dialogs.after_saving = Some(Box::new(command));
                self.carry_out(Command::Save)
            }
            Answer::Discard => {
                if command == Command::Quit {
                    // The next start must not bring them back.
                    let Persisted {
                        document, scene, ..
                    } = &mut self.persisted;
                    scene.clone_from(&document.baseline);
                }
                self.carry_out(command)
            }
        }
    }

    /// Whether the panel is on screen.
    #[must_use]
    pub fn shows_panel(&self) -> bool {
        match self.derived.narrow {
            true => self.transient.panel_over_scene,
            false => self.persisted.panel,
        }
    }

    /// A window too narrow for both shows the panel only on request, and forgets that request.
    fn toggle_panel(&mut self) {
        if self.derived.narrow {
            self.transient.panel_over_scene ^= true;
        } else {
            self.persisted.panel ^= true;
        }
    }
}

/// The name, without extension, that a file about this scene gets unless told otherwise.
#[must_use]
pub fn file_stem(scene: &Scene) -> String {
    let surface = &scene.surface;
    format!("landform-{}-seed-{}", surface.generator, surface.seed)
}
