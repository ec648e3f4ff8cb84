//! What can be asked for: [`Action`]s by menu, keys and buttons of the interface, [`Command`]s by
//! the interface of the window around it. One way to do a thing: whoever asks makes the same one.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::own_preset::OwnPreset;
use crate::film::Ready;
use crate::generate::Surface;
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

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open a scene, or an image as the landscape.
    Open,
    /// To be the input image of a generator.
    Input(Part),
    /// To hold the scene.
    SaveScene,
    /// To hold the heights or the mesh.
    Export,
    /// To hold the picture.
    SavePicture,
    /// To hold the film.
    Film,
}

/// What is to be done about changes that are not saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Keep them in a file, then go on.
    Save,
    /// Let them go.
    Discard,
    /// Do not go on.
    Cancel,
}

/// The file that a picture is saved in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureFile {
    /// One with a free name in the pictures folder: the picture as it is on screen.
    Free,
    /// The one that the user named: the picture as the dialog "Picture" says.
    Named(PathBuf),
}

/// Something that the user asks for, other than a new value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Take the last step back.
    Undo,
    /// Do it again.
    Redo,
    /// Begin a new document with the landscape that the program starts with.
    New,
    /// Begin a new document with that scene.
    Load(Box<Scene>),
    /// Begin a new document with the scene that a text from the clipboard is.
    Paste(String),
    /// Set every setting to what the document had.
    Revert,
    /// Set every setting to what that scene has.
    Become(Box<Scene>),
    /// Take the light and the colours of that scene.
    TakeLightAndColors(Box<Scene>),
    /// Go to a state of the list of the last ones.
    GoToState(Arc<Scene>),
    /// Do something with the user's own presets.
    Own(Own),
    /// Put the camera where the document had it.
    ResetCamera,
    /// Move the camera in another way, from where it is.
    CameraMode(CameraMode),
    /// Fly the camera to that one.
    GoTo(Box<Camera>),
    /// Compare the scene with one that was kept.
    Compare(Compare),
    /// Play the film, or stop that.
    PlayFilm,
    /// Show the film at that time, in seconds.
    ShowTime(f32),
    /// Set a key frame where the playhead is.
    SetKey,
    /// Take the key frames away where the playhead is.
    RemoveKeys,
    /// Make a ready-made film the scene's.
    UseReady(Ready),
    /// Show or hide the timeline.
    ToggleTimeline,
    /// Show or hide the dialog for exporting the film.
    ToggleFilming,
    /// Take a seed from the dice.
    RandomSeed,
    /// Take the seed before.
    SeedBack,
    /// Take the seed after.
    SeedForward,
    /// Show the passes one after the other, or stop that.
    PlayPasses,
    /// Take away the input image.
    ClearInput(Part),
    /// Edit pins on the map with the mouse, or stop that.
    EditPins(bool),
    /// Draw the cross-section on the map with the mouse, or stop that.
    DrawSection(bool),
    /// Pick the point of the watershed with the mouse, or stop that.
    ToggleWatershed,
    /// Show or hide the profile of the cross-section.
    ToggleProfile,
    /// Show or hide the panel.
    TogglePanel,
    /// Search for a setting in the panel.
    FindSetting,
    /// Let the scene fill the screen, or no more.
    ToggleFullScreen,
    /// Show or hide the statistics.
    ToggleStatistics,
    /// Show or hide the dialog for exporting.
    ToggleExport,
    /// Show the dialog for exporting, for the samples that the picture shows.
    ExportView,
    /// Show or hide the dialog for saving a picture.
    TogglePhoto,
    /// Show or hide the sheet of variations.
    ToggleVariations,
    /// Show or hide the sheet of presets.
    ToggleBrowser,
    /// Show or hide the strip of the last states.
    ToggleHistory,
    /// Take the tour, or a step of it.
    Tour(TourAction),
    /// Show or hide the list of keys.
    ToggleKeys,
    /// Show or hide what the program is.
    ToggleAbout,
    /// Forget which files were opened.
    ForgetRecent,
    /// Ask for a file.
    Ask(Purpose),
    /// Write the scene into its file, or ask for one.
    Save,
    /// Go on with what waits for an answer, or not.
    Answer(Answer),
    /// Have the window do something.
    Window(Command),
}

/// Something that the window does, with files, the worker or itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Open a scene, or an image as the landscape.
    Open(PathBuf),
    /// Take an image as input of the generator of that part.
    UseInput(Part, PathBuf),
    /// Write the scene, if the file is still as the document knows it.
    SaveScene(PathBuf),
    /// Write the scene, whatever the file holds: the user was asked.
    ReplaceScene(PathBuf),
    /// Write the heights or the mesh as the dialog "Export" says.
    Export(PathBuf),
    /// Open a window of its own with that scene.
    OpenBeside(Box<Scene>),
    /// Read the user's own presets.
    ReadPresets,
    /// Keep a preset of the user's own, in place of one of that name and of the one with its old name.
    KeepPreset(Box<OwnPreset>, Option<String>),
    /// Remove the preset of that name.
    RemovePreset(String),
    /// Put the preset of that name back as it was removed.
    PutPresetBack(String),
    /// Write the picture.
    SavePicture(PictureFile),
    /// Write the film as the dialog "Film" says.
    ExportFilm(PathBuf),
    /// Stop making the landscape.
    CancelLandscape,
    /// Stop writing the file.
    CancelFile,
    /// Stop writing the film.
    CancelFilm,
    /// Close the window.
    Quit,
}

/// What is done with the scene that was kept, A, and the present one, B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Keep the scene as A, to go on with B.
    Keep,
    /// Show the whole of A, or of B, in turns.
    Flick,
    /// Show both, a divider between them.
    Both,
    /// Put each in the place of the other.
    Swap,
    /// Show or hide the list of what differs.
    List,
    /// Take a setting back to what it is in A: a key, the name of a table, or nothing for all of them.
    TakeBack(String),
    /// Compare no longer.
    End,
}

/// A step of the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourAction {
    /// Take it from its first step.
    Begin,
    /// Go to the next step.
    Next,
    /// Go to the step before.
    Back,
    /// End it: the scene of before comes back.
    End,
}

/// What is done with the user's own presets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// Ask for a name for the scene.
    BeginToKeep,
    /// Ask for another name and other tags.
    BeginToRename(String),
    /// Keep what was asked for.
    Keep,
    /// Keep nothing.
    KeepNot,
    /// Remove the one of that name.
    Remove(String),
    /// Put the one that was removed last back.
    PutBack,
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Window(command)
    }
}

impl Action {
    /// Whether the camera is where this says, and does not go on from there.
    #[must_use]
    pub fn puts_the_camera(&self) -> bool {
        matches!(
            self,
            Self::Undo
                | Self::Redo
                | Self::GoToState(_)
                | Self::Revert
                | Self::Become(_)
                | Self::ResetCamera
        )
    }

    /// Whether another document, or none, takes the place of the one there is.
    #[must_use]
    pub fn takes_the_document(&self) -> bool {
        matches!(
            self,
            Self::New | Self::Load(_) | Self::Window(Command::Open(_) | Command::Quit)
        )
    }
}
