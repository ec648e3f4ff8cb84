//! The user's own presets on the disk.

use super::Session;
use crate::app::files::{Chore, READING_PRESETS};
use crate::app::own_preset::OwnPreset;
use crate::app::settings::own_presets::{self, folder};
use crate::app::state::notices::{Cause, Severity};
use crate::language::tr;

const CAUSE: Cause = Cause::Files(READING_PRESETS);

impl Session {
    /// Has them all read. A notice tells which files are none.
    pub(super) fn read_presets(&mut self) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        let handed = self.presets.hand(Chore::ReadPresets(folder));
        if let Err(words) = handed {
            self.complain_of_presets(&words);
        }
    }

    /// Writes one; that of its old name goes.
    pub(super) fn keep_preset(&mut self, preset: &OwnPreset, old: Option<&str>) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return self.complain_of_presets(tr("there is no folder for settings"));
        };
        match own_presets::keep(&folder, preset, old) {
            Ok(()) => {
                self.read_presets();
                let document = &mut self.state.persisted.document;
                if document.file.is_none() && old.is_none() {
                    // It is as if it had been opened now: nothing of it can be lost.
                    document.baseline.clone_from(&preset.scene);
                }
                let words = tr!("Kept “{}” with your presets (P)", preset.name);
                self.state.transient.notices.done(words);
            }
            Err(words) => self.complain_of_presets(&words),
        }
    }

    /// Removes one, which can be put back.
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

    /// Puts the one back that was removed.
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
