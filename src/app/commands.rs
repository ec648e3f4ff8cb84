//! User actions: [`Action`]s come from menus, keys and buttons; [`Command`]s go from the interface
//! to the window around it. Every way to trigger a function creates the same action.

use std::path::PathBuf;
use std::sync::Arc;

use crate::app::own_preset::OwnPreset;
use crate::camera::film::Ready;
use crate::generate::Surface;
use crate::scene::palette::Palette;
use crate::scene::{Camera, CameraMode, Scene};
use crate::util::language::Language;

/// Part of the landscape that has its own generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The base terrain.
    Ground,
    /// The layer with this index.
    Layer(usize),
}

impl Part {
    /// Identifier for a widget or file of this part, such as `ground-reading` or `layer-1-options`.
    #[must_use]
    pub fn named(self, what: &str) -> String {
        match self {
            Self::Ground => format!("ground-{what}"),
            Self::Layer(index) => format!("layer-{}-{what}", index + 1),
        }
    }

    /// Generator settings of this part; `None` if the layer no longer exists.
    pub fn surface(self, scene: &mut Scene) -> Option<&mut Surface> {
        match self {
            Self::Ground => Some(&mut scene.surface),
            Self::Layer(index) => scene.layers.get_mut(index).map(|layer| &mut layer.surface),
        }
    }
}

/// Purpose of a file dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Open a scene, or an image as the landscape.
    Open,
    /// Choose the input image of a generator.
    Input(Part),
    /// Save the scene.
    SaveScene,
    /// Export the heights or the mesh.
    Export,
    /// Export everything for an engine in a folder.
    Folder,
    /// Save the rendered image.
    SavePicture,
    /// Export the animation.
    Film,
    /// Export the plants.
    Plants,
}

/// Answer to the question about unsaved changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Save the changes, then continue.
    Save,
    /// Discard the changes and continue.
    Discard,
    /// Do not continue.
    Cancel,
}

/// Destination of a saved image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PictureFile {
    /// A new file with an unused name in the pictures folder; the image is saved as on screen.
    Free,
    /// A file named by the user; the image has the options of the dialog "Picture".
    Named(PathBuf),
}

/// User request other than a new value of a setting.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Undo the last step.
    Undo,
    /// Redo the step that was undone last.
    Redo,
    /// Start a new document with the default landscape.
    New,
    /// Start a new document with this scene.
    Load(Box<Scene>),
    /// Start a new document with the scene described by this clipboard text.
    Paste(String),
    /// Reset every setting to the value in the document.
    Revert,
    /// Set every setting to the value in this scene.
    Become(Box<Scene>),
    /// Copy the light and the colours of this scene.
    TakeLightAndColors(Box<Scene>),
    /// Go to a state of the history strip.
    GoToState(Arc<Scene>),
    /// Manage the user's own presets.
    Own(Own),
    /// Reset the camera to the document's.
    ResetCamera,
    /// Change the camera mode, keeping the present viewpoint.
    CameraMode(CameraMode),
    /// Fly to this camera.
    GoTo(Box<Camera>),
    /// Compare the scene with a stored one.
    Compare(Compare),
    /// Play the animation, or stop it.
    PlayFilm,
    /// Show the animation at this time, in seconds.
    ShowTime(f32),
    /// Set a key frame at the playhead.
    SetKey,
    /// Remove the key frames at the playhead.
    RemoveKeys,
    /// Replace the scene's animation by a ready-made one.
    UseReady(Ready),
    /// Show or hide the timeline.
    ToggleTimeline,
    /// Show or hide the dialog for exporting the animation.
    ToggleFilming,
    /// Set a random seed.
    RandomSeed,
    /// Go back to the previous seed.
    SeedBack,
    /// Go forward to the next seed.
    SeedForward,
    /// Step through the passes of the generator, or stop.
    PlayPasses,
    /// Remove the input image.
    ClearInput(Part),
    /// Start or stop editing pins on the map with the mouse.
    EditPins(bool),
    /// Start or stop drawing the cross-section on the map with the mouse.
    DrawSection(bool),
    /// Start or stop picking the watershed's outlet with the mouse.
    ToggleWatershed,
    /// Show or hide the profile of the cross-section.
    ToggleProfile,
    /// Show or hide the panel.
    TogglePanel,
    /// Focus the search box of the panel.
    FindSetting,
    /// Show the setting with this label in the panel.
    ShowSetting(&'static str),
    /// Open the menu of the bar with this index.
    OpenMenu(usize),
    /// Show or hide the command palette.
    ToggleCommandPalette,
    /// Copy the scene to the clipboard as text.
    CopyScene,
    /// Paste what is on the clipboard.
    RequestPaste,
    /// Set the zoom factor of the interface.
    Zoom(f32),
    /// Speak this language, or that of the system.
    Speak(Option<Language>),
    /// Show or hide the compass.
    ToggleCompass,
    /// Show or hide the frame rate in the status line.
    TogglePictureRate,
    /// Switch the automatic detail of moving frames.
    ToggleAutomaticDetail,
    /// Enter or leave full screen.
    ToggleFullScreen,
    /// Show or hide the statistics.
    ToggleStatistics,
    /// Show or hide the export dialog.
    ToggleExport,
    /// Show the export dialog for the samples in view.
    ExportView,
    /// Show or hide the dialog for exporting the plants.
    TogglePlantExport,
    /// Show or hide the dialog for saving the image.
    TogglePhoto,
    /// Show or hide the sheet of variations.
    ToggleVariations,
    /// Show or hide the sheet of presets.
    ToggleBrowser,
    /// Show or hide the history strip.
    ToggleHistory,
    /// Open the chapter of the book about a generator or a modifier, by its name.
    Read(&'static str),
    /// Start the tour, or move to one of its steps.
    Tour(TourAction),
    /// Show or hide the list of keyboard shortcuts.
    ToggleKeys,
    /// Show or hide the About window.
    ToggleAbout,
    /// Clear the list of recent files.
    ForgetRecent,
    /// Open a file dialog.
    Ask(Purpose),
    /// Save the scene to its file, or open a file dialog if it has none.
    Save,
    /// Answer the question about unsaved changes.
    Answer(Answer),
    /// Pass a command to the window.
    Window(Command),
}

/// Request to the window that involves files, the worker or the window itself.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Open a scene, or an image as the landscape.
    Open(PathBuf),
    /// Use an image as the input of this part's generator.
    UseInput(Part, PathBuf),
    /// Save the scene if the file is unchanged since the document last read or wrote it.
    SaveScene(PathBuf),
    /// Save the scene, whatever the file contains; the user has confirmed it.
    ReplaceScene(PathBuf),
    /// Export the heights or the mesh with the options of the dialog "Export".
    Export(PathBuf),
    /// Export everything for the engine of the dialog "Export", in a new folder of this one.
    ExportFolder(PathBuf),
    /// Open this scene in another window.
    OpenBeside(Box<Scene>),
    /// Read the user's own presets.
    ReadPresets,
    /// Save a user preset. It replaces a preset of the same name, and the one with the old name if
    /// given.
    KeepPreset(Box<OwnPreset>, Option<String>),
    /// Remove the preset with this name.
    RemovePreset(String),
    /// Restore the removed preset with this name.
    PutPresetBack(String),
    /// Open the palette editor.
    EditPalette,
    /// Save this palette as one of the user's own. It replaces one of the same name.
    KeepPalette(Box<Palette>),
    /// Remove the user's own palette with this name.
    RemovePalette(String),
    /// Save the rendered image.
    SavePicture(PictureFile),
    /// Export the animation with the options of the dialog "Film".
    ExportFilm(PathBuf),
    /// Export the plants with the options of the dialog "Plants".
    ExportPlants(PathBuf),
    /// Cancel the generation of the landscape.
    CancelLandscape,
    /// Cancel the file being written.
    CancelFile,
    /// Cancel the export of the animation.
    CancelFilm,
    /// Close the window.
    Quit,
}

/// Action on the comparison between the stored scene A and the present scene B.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Store the present scene as A.
    Keep,
    /// Show A alone or B alone, in alternation.
    Flick,
    /// Show both scenes with a divider between them.
    Both,
    /// Swap A and B.
    Swap,
    /// Show or hide the list of differences.
    List,
    /// Reset a setting to its value in A: the key of a setting, the name of a table, or an empty
    /// string for all.
    TakeBack(String),
    /// End the comparison.
    End,
}

/// Action on the tour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourAction {
    /// Start at the first step.
    Begin,
    /// Start at the step at which the tour was left.
    Resume,
    /// Go to the next step.
    Next,
    /// Go to the previous step.
    Back,
    /// End the tour and restore the scene from before it.
    End,
}

/// Action on the user's own presets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Own {
    /// Open the dialog that saves the scene as a preset.
    BeginToKeep,
    /// Open the dialog that changes the name and the tags of this preset.
    BeginToRename(String),
    /// Save the preset of the open dialog.
    Keep,
    /// Close the dialog without saving.
    KeepNot,
    /// Remove the preset with this name.
    Remove(String),
    /// Restore the preset that was removed last.
    PutBack,
}

impl From<Command> for Action {
    fn from(command: Command) -> Self {
        Self::Window(command)
    }
}

impl Action {
    /// True if the action sets the camera, so that any flight under way must stop.
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

    /// True if the action replaces or closes the present document.
    #[must_use]
    pub fn takes_the_document(&self) -> bool {
        matches!(
            self,
            Self::New | Self::Load(_) | Self::Window(Command::Open(_) | Command::Quit)
        )
    }
}
