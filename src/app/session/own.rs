//! The user's own presets on the disk.

use super::Session;
use crate::app::own_preset::OwnPreset;
use crate::app::settings::own_presets::{self, folder};
use crate::app::state::notices::{Cause, Severity};
use crate::language::tr;

const CAUSE: Cause = Cause::Files("presets");

impl Session {
    /// Reads them all. What is no scene is told.
    pub(super) fn read_presets(&mut self) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        let (own, complaints) = own_presets::read_all(&folder);
        self.state.transient.browser.take_own(own);
        let notices = &mut self.state.transient.notices;
        notices.settle(&CAUSE);
        if let Some(first) = complaints.first() {
            let more = match complaints.len() {
                1 => String::new(),
                count => tr!(" (and {} more)", count - 1),
            };
            let words = tr!("this preset cannot be shown: {first}{more}", first, more);
            notices.say(CAUSE, Severity::Warning, words);
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
