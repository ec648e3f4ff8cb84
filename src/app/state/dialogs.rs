//! What is open above the scene, and what waits there for an answer.

use std::path::PathBuf;

use egui_file_dialog::FileDialog;

use crate::app::commands::{Action, Purpose};

/// What is open above the scene.
#[derive(Default)]
pub struct Dialogs {
    /// The list of keys.
    pub keys: bool,
    /// What the program is.
    pub about: bool,
    /// What waits for an answer about changes that are not saved.
    pub unsaved: Option<Box<Action>>,
    /// The file of the document that was not written, since it is not as it was.
    pub changed: Option<PathBuf>,
    /// What goes on once the changes are saved.
    pub after_saving: Option<Box<Action>>,
    /// The file that is asked for.
    pub file: Option<FileQuestion>,
}

/// A file that is asked for.
pub struct FileQuestion {
    /// What it is wanted for.
    pub purpose: Purpose,
    /// The extension of an export.
    pub extension: &'static str,
    /// The dialog that asks.
    pub dialog: FileDialog,
    /// Whether it has yet to be drawn, and its box for the name to get the keyboard.
    pub is_new: bool,
}

impl Dialogs {
    /// Whether an answer is asked for, so that all keys are the dialog's.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.file.is_some() || self.unsaved.is_some() || self.changed.is_some()
    }
}
