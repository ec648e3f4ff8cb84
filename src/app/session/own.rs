//! The user's own presets on the disk.

use super::Session;
use crate::app::own_preset::OwnPreset;
use crate::app::settings::own_presets::{self, folder};
use crate::app::state::notices::{Cause, Severity};

const CAUSE: Cause = Cause::Files("presets");

impl Session {
    /// Reads them all. What is no scene is told.
    pub(super) fn read_presets(&mut self) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return;
        };
        let (own, complaints) = own_presets::read_all(&folder);
        self.state.transient.browser.own = own;
        let notices = &mut self.state.transient.notices;
        notices.settle(&CAUSE);
        if let Some(first) = complaints.first() {
            let more = match complaints.len() {
                1 => String::new(),
                count => format!(" (and {} more)", count - 1),
            };
            let words = format!("this preset cannot be shown: {first}{more}");
            notices.say(CAUSE, Severity::Warning, words);
        }
    }

    /// Writes one; that of its old name goes.
    pub(super) fn keep_preset(&mut self, preset: &OwnPreset, old: Option<&str>) {
        let Some(folder) = self.keeper.folder().map(folder) else {
            return self.complain_of_presets("there is no folder for settings");
        };
        let old = old.filter(|old| *old != preset.name);
        let kept = own_presets::keep(&folder, preset)
            .and_then(|()| old.map_or(Ok(()), |old| own_presets::remove(&folder, old)));
        match kept {
            Ok(()) => {
                self.read_presets();
                let words = format!("Kept “{}” with your presets (P)", preset.name);
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
        let browser = &mut self.state.transient.browser;
        let removed = browser.own.iter().find(|preset| preset.name == name);
        let removed = removed.cloned();
        match own_presets::remove(&folder, name) {
            Ok(()) => {
                browser.removed = removed;
                self.read_presets();
            }
            Err(words) => self.complain_of_presets(&words),
        }
    }

    fn complain_of_presets(&mut self, words: &str) {
        let words = format!("presets: {words}");
        let notices = &mut self.state.transient.notices;
        notices.say(CAUSE, Severity::Error, words);
    }
}
