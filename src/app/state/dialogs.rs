//! Open dialogs, and actions that wait for their answers.

use std::path::PathBuf;

use egui_file_dialog::FileDialog;

use crate::app::commands::{Action, Purpose};

/// State of all dialogs.
#[derive(Default)]
pub struct Dialogs {
    /// True if the list of keyboard shortcuts is open.
    pub keys: bool,
    /// True if the dialog "About" is open.
    pub about: bool,
    /// Action that waits for an answer about unsaved changes.
    pub unsaved: Option<Box<Action>>,
    /// File of the document that was not saved because another program has changed it.
    pub changed: Option<PathBuf>,
    /// Action to continue with after the changes are saved.
    pub after_saving: Option<Box<Action>>,
    /// Open file dialog.
    pub file: Option<FileQuestion>,
}

/// File dialog with its purpose.
pub struct FileQuestion {
    /// Purpose of the file.
    pub purpose: Purpose,
    /// File extension of an export.
    pub extension: &'static str,
    /// File dialog of egui.
    pub dialog: FileDialog,
    /// True until the dialog was drawn once and its box for the name has the keyboard focus.
    pub is_new: bool,
}

impl Dialogs {
    /// True if a dialog waits for an answer and takes all keys.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.file.is_some() || self.unsaved.is_some() || self.changed.is_some()
    }
}
