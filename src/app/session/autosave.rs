//! Autosave of the settings: written once they have settled, and never with a scene that has not
//! been drawn, since such a scene may crash the program at every start.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::files::FileJob;
use crate::app::invalidation;
use crate::app::settings::{self, Store};
use crate::app::state::Persisted;
use crate::app::state::document::Document;
use crate::scene::Scene;
use crate::util::language::tr;
use crate::util::words::named;

/// Delay from a change until the settings are written.
const SETTLED: Duration = Duration::from_secs(2);

/// Autosave of the settings files.
pub struct Autosave {
    /// Settings files of this window; `None` where the system has no place for them.
    store: Option<Arc<Store>>,
    /// Settings in the files, or about to be written.
    saved: Persisted,
    /// Settings to be written at `save_at`.
    unsaved: Persisted,
    save_at: Option<Instant>,
    /// Scene of the newest landscape, until a frame has drawn it.
    made: Option<Arc<Scene>>,
    /// Scene drawn last.
    drawn: Option<Arc<Scene>>,
    /// Last document and scene that were drawn, or those of the last start.
    lasting: (Document, Scene),
}

impl Autosave {
    /// Read the settings. `given` is true if another scene than the stored one will be shown.
    /// Returns the autosave, the settings, and a message for the user if something went wrong.
    pub fn open(given: bool) -> (Self, Persisted, Option<String>) {
        let opened = settings::folder().map(|folder| match Store::open(&folder, given) {
            Ok((store, persisted, complaint)) => (Some(store), persisted, complaint),
            Err(error) => {
                let words = tr!("settings are not saved: {error}: {}", named(&folder), error);
                (None, settings::load(&folder).0, Some(words))
            }
        });
        let (store, saved, complaint) = opened.unwrap_or_default();
        let keeper = Self {
            store: store.map(Arc::new),
            unsaved: saved.clone(),
            save_at: None,
            made: None,
            drawn: None,
            lasting: (saved.document.clone(), saved.scene.clone()),
            saved: saved.clone(),
        };
        (keeper, saved, complaint)
    }

    /// Folder of the settings, if they can be stored.
    pub fn folder(&self) -> Option<&Path> {
        self.store.as_ref().map(|store| store.folder())
    }

    /// Record that the landscape of `scene` is complete; the next call of `keep` counts
    /// it as drawn.
    pub fn note_made(&mut self, scene: Arc<Scene>) {
        self.made = Some(scene);
    }

    /// Settings to store: with the present scene if its landscape was drawn, else with the last
    /// scene that was. A scene that crashes the program would do so again at the next start.
    fn lasting(&mut self, persisted: &Persisted) -> Persisted {
        let mut lasting = persisted.clone();
        let is_drawn = |drawn: &Arc<Scene>| invalidation::is_made(drawn, &lasting.scene);
        if self.drawn.as_ref().is_some_and(is_drawn) {
            self.lasting = (lasting.document.clone(), lasting.scene.clone());
        } else {
            (lasting.document, lasting.scene) = self.lasting.clone();
        }
        lasting
    }

    /// Check the settings for changes; called when a frame is drawn. Returns the job that writes
    /// them once they have settled.
    pub fn keep(&mut self, persisted: &Persisted) -> Option<FileJob> {
        let store = Arc::clone(self.store.as_ref()?);
        if let Some(scene) = self.made.take() {
            if self.drawn.is_none() {
                store.started();
            }
            self.drawn = Some(scene);
        }
        let now = Instant::now();
        let lasting = self.lasting(persisted);
        if lasting != self.unsaved {
            self.unsaved = lasting;
            // The delay is not extended: a long flight must still be saved now and then.
            self.save_at.get_or_insert(now + SETTLED);
        }
        self.save_at.take_if(|at| *at <= now)?;
        if self.unsaved == self.saved {
            return None;
        }
        self.saved = self.unsaved.clone();
        Some(FileJob::SaveSettings(store, Box::new(self.saved.clone())))
    }

    /// Time of the next call of `keep`; `None` if nothing is to be written.
    pub fn next(&self) -> Option<Instant> {
        self.save_at
    }

    /// Write the settings before the window closes.
    pub fn close(&self, persisted: &Persisted) {
        let Some(store) = &self.store else {
            return;
        };
        // A user who can close the window can also remove the scene: it did not crash the program.
        store.started();
        if let Err(error) = store.close(persisted) {
            let folder = named(store.folder());
            log::error!("could not save the settings: {error}: {folder}");
        }
    }
}
