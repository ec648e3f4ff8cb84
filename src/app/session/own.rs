//! Saving, removing and restoring the user's presets.

use super::Session;
use crate::app::files::{FileJob, READING_PRESETS};
use crate::app::own_preset::OwnPreset;
use crate::app::settings::own_presets::{self, folder};
use crate::app::state::notices::{Cause, Severity};
use crate::util::language::tr;

const CAUSE: Cause = Cause::Files(READING_PRESETS);

impl Session {
    /// Start reading all of the user's presets. Files that cannot be read are reported in a
    /// message.
    pub(super) fn read_presets(&mut self) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        let handed = self.presets.hand(FileJob::ReadPresets(folder));
        if let Err(words) = handed {
            self.complain_of_presets(&words);
        }
    }

    /// Save a preset and remove the file of its `old` name.
    pub(super) fn keep_preset(&mut self, preset: &OwnPreset, old: Option<&str>) {
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
                let words = tr!("Kept “{}” with your presets (P)", preset.name);
                self.state.transient.notices.done(words);
            }
            Err(words) => self.complain_of_presets(&words),
        }
    }

    /// Remove a preset; it can be restored.
    pub(super) fn remove_preset(&mut self, name: &str) {
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
    pub(super) fn put_preset_back(&mut self, name: &str) {
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
