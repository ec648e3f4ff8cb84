//! The settings on the disk: they are written once they have settled, and never with a scene that
//! could not be drawn.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::app::files::Chore;
use crate::app::settings::{self, Store};
use crate::app::stale;
use crate::app::state::Persisted;
use crate::app::state::document::Document;
use crate::language::tr;
use crate::scene::Scene;
use crate::words::named;

/// Time from a change until the settings are written.
const SETTLED: Duration = Duration::from_secs(2);

/// What is known of the settings on the disk.
pub struct Keeper {
    /// Where settings are kept; `None` where the system has no place for them.
    store: Option<Arc<Store>>,
    /// The settings as they are on the disk, or on their way there.
    saved: Persisted,
    /// The settings as they are to be written, and when.
    unsaved: Persisted,
    save_at: Option<Instant>,
    /// The scene of the newest landscape until a frame has drawn it.
    made: Option<Scene>,
    /// The scene that was drawn last.
    drawn: Option<Scene>,
    /// The last document and scene that were drawn, or those of the last start.
    lasting: (Document, Scene),
}

impl Keeper {
    /// Reads the settings; `given` says that another scene than the one in them will be shown.
    /// Returns them too, and what the user is to know of them.
    pub fn open(given: bool) -> (Self, Persisted, Option<String>) {
        let opened = settings::folder().map(|folder| match Store::open(&folder, given) {
            Ok((store, persisted, complaint)) => (Some(store), persisted, complaint),
            Err(error) => {
                let words = tr!("settings are not kept: {error}: {}", named(&folder), error);
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

    /// The folder of the settings, if they can be kept.
    pub fn folder(&self) -> Option<&Path> {
        self.store.as_ref().map(|store| store.folder())
    }

    /// Takes note that there is a landscape of that scene, which the next frame will have drawn.
    pub fn note_made(&mut self, scene: Scene) {
        self.made = Some(scene);
    }

    /// The settings as they are to be kept: with the scene as it is if its landscape was drawn,
    /// else with the last one that was, since one that ends the program would do so again.
    fn lasting(&mut self, persisted: &Persisted) -> Persisted {
        let mut lasting = persisted.clone();
        let is_drawn = |drawn: &Scene| stale::is_made(drawn, &lasting.scene);
        if self.drawn.as_ref().is_some_and(is_drawn) {
            self.lasting = (lasting.document.clone(), lasting.scene.clone());
        } else {
            (lasting.document, lasting.scene) = self.lasting.clone();
        }
        lasting
    }

    /// Looks at the settings as they are now, when a frame is drawn. Returns the work of writing
    /// them once they have settled.
    pub fn keep(&mut self, persisted: &Persisted) -> Option<Chore> {
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
            // Not later and later: a long flight must not keep all of it from the disk.
            self.save_at.get_or_insert(now + SETTLED);
        }
        self.save_at.take_if(|at| *at <= now)?;
        if self.unsaved == self.saved {
            return None;
        }
        self.saved = self.unsaved.clone();
        Some(Chore::SaveSettings(store, Box::new(self.saved.clone())))
    }

    /// When to look again.
    pub fn next(&self) -> Option<Instant> {
        self.save_at
    }

    /// Writes the settings before the window closes.
    pub fn close(&self, persisted: &Persisted) {
        let Some(store) = &self.store else {
            return;
        };
        // Who can close the window is not kept from it by the scene.
        store.started();
        if let Err(error) = store.close(persisted) {
            let folder = named(store.folder());
            log::error!("could not save the settings: {error}: {folder}");
        }
    }
}
