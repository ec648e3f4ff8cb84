//! One way to do a thing: menu, keys and buttons all make commands.

use std::path::PathBuf;

use crate::app::dialogs::Purpose;
use crate::app::passes;
use crate::app::state::UiState;
use crate::app::steer;
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
    /// Every setting to its default.
    ResetAll,
    /// The camera to its default.
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
    /// Close what is open above the scene.
    Escape,
    /// Ask for a file.
    Ask(Purpose),
    /// Another scene in place of this one.
    Load(Box<Scene>),
    /// No input image any more.
    ClearInput(Part),
    /// Open a scene, or an image as the landscape.
    Open(PathBuf),
    /// Take an image as input of the generator chosen.
    UseInput(Part, PathBuf),
    /// Write the scene.
    SaveScene(PathBuf),
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

impl UiState {
    /// Carries out a command that concerns the state alone; gives back one that needs files,
    /// the worker or the window.
    pub fn apply(&mut self, command: Command) -> Option<Command> {
        let scene = &mut self.persisted.scene;
        match command {
            Command::Undo => self.transient.history.undo(scene),
            Command::Redo => self.transient.history.redo(scene),
            Command::ResetAll => self.replace_scene(import::start().clone()),
            Command::ResetCamera => scene.camera = Camera::default(),
            Command::CameraMode(mode) => steer::set_mode(self, mode),
            Command::GoTo(to) => {
                let transient = &mut self.transient;
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
            Command::Escape => self.transient.dialogs.close(),
            Command::Ask(purpose) => {
                let mut stem = file_stem(scene);
                let exporting = &self.persisted.exporting;
                if purpose == Purpose::Export {
                    stem += &exporting.suffix();
                }
                let folder = self.persisted.folder.as_deref();
                let format = exporting.format();
                self.transient.dialogs.ask(purpose, folder, &stem, format);
            }
            Command::Load(scene) => self.replace_scene(*scene),
            Command::ClearInput(part) => {
                if let Some(surface) = part.surface(scene) {
                    surface.input = None;
                }
            }
            Command::Open(_)
            | Command::UseInput(..)
            | Command::SaveScene(_)
            | Command::Export(_)
            | Command::SavePicture(_)
            | Command::CancelLandscape
            | Command::CancelFile
            | Command::Quit => return Some(command),
        }
        None
    }

    /// Another scene, as one step of its own.
    pub fn replace_scene(&mut self, scene: Scene) {
        self.transient.history.commit(&self.persisted.scene);
        self.persisted.scene = scene;
        self.transient.history.commit(&self.persisted.scene);
        self.persisted
            .seeds
            .watch(self.persisted.scene.surface.seed);
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
