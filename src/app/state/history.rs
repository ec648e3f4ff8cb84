//! Undo: every setting is in the scene, so a step is a copy of the scene.
//!
//! The history watches the scene instead of being told of edits, so no control can forget to
//! take part. It waits until a change has settled (the mouse is up, the typing is over, the
//! camera stands still), so a drag is one step, and so are camera moves that follow each other.
//! Where another document took the scene's place, undo brings the old document back.

use std::sync::Arc;

use crate::app::state::describe::difference;
use crate::app::state::document::Document;
use crate::scene::{Camera, Scene};

/// Steps kept; beyond that the oldest is forgotten.
const MOST_STEPS: usize = 500;

/// What was, and what was changed about it.
#[derive(Clone, Debug, PartialEq)]
struct UndoStep {
    scene: Arc<Scene>,
    what: String,
    /// Whether the camera was moved, and nothing else done.
    moved: bool,
    /// The document on the other side, if it is another.
    document: Option<Document>,
}

/// A state of the list of all that can be gone back to.
#[derive(Clone, Debug)]
pub struct State {
    /// The scene.
    pub scene: Arc<Scene>,
    /// What was changed to come to it; nothing of the first.
    pub what: String,
}

/// The list of states as it is shown.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    /// The state under the mouse, which the scene's place shows.
    pub looked_at: Option<Arc<Scene>>,
    /// The state that has come in sight.
    pub in_sight: Option<Arc<Scene>>,
}

/// Scenes that were and scenes that were undone.
#[derive(Clone, Debug, Default)]
pub struct History {
    settled: Arc<Scene>,
    undone: Vec<UndoStep>,
    done: Vec<UndoStep>,
    /// Whether the next camera move is a step of its own.
    apart: bool,
}

impl History {
    /// A history that starts at `scene`.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        Self {
            settled: Arc::new(scene.clone()),
            ..Self::default()
        }
    }

    /// Takes note of the scene as it is now. Returns whether a change still waits to settle.
    pub fn watch(&mut self, scene: &Scene, settled: bool) -> bool {
        if *scene == *self.settled {
            return false;
        }
        if settled {
            self.commit(scene);
        }
        !settled
    }

    /// Whether all that changed since the last step is where the scene is seen from.
    #[must_use]
    pub fn only_camera_moved(&self, scene: &Scene) -> bool {
        let mut still = scene.clone();
        still.camera = self.settled.camera.clone();
        still == *self.settled
    }

    /// Takes note that the ground, not the user, has moved the camera: that is no step.
    pub fn follow(&mut self, before: &Camera, after: &Camera) {
        if self.settled.camera == *before {
            Arc::make_mut(&mut self.settled).camera = after.clone();
        }
    }

    /// Lets the film put its values into the scene of the last step, too: that is no step.
    pub fn follow_film(&mut self, follow: &dyn Fn(&mut Scene)) {
        follow(Arc::make_mut(&mut self.settled));
    }

    /// Makes what followed from the last step by itself a part of that step.
    pub fn complete(&mut self, before: &Scene, after: &Scene) {
        if *self.settled == *before {
            self.settled = Arc::new(after.clone());
        }
    }

    /// Makes one step of everything since the last one.
    pub fn commit(&mut self, scene: &Scene) {
        self.step(scene, None, None);
    }

    /// Makes one step of a scene that belongs to another document than `old`, which had the scene
    /// of the last step; `name` is that of the new one, if it has one.
    pub fn replace(&mut self, scene: &Scene, old: Document, name: Option<String>) {
        self.step(scene, Some(old), name);
    }

    /// Makes one step of everything so far, which the camera's next move does not join: it will
    /// be a jump, and undo must bring back the view that was found by hand.
    pub fn part(&mut self, scene: &Scene) {
        self.commit(scene);
        self.apart = true;
    }

    fn step(&mut self, scene: &Scene, document: Option<Document>, name: Option<String>) {
        if *scene == *self.settled {
            return;
        }
        let moved = document.is_none() && self.is_move(scene);
        let joins = moved && !std::mem::take(&mut self.apart);
        let before = std::mem::replace(&mut self.settled, Arc::new(scene.clone()));
        self.undone.clear();
        if let Some(last) = self.done.last_mut().filter(|last| joins && last.moved) {
            last.what = difference(&last.scene, scene);
            if *last.scene == *scene {
                self.done.pop();
            }
            return;
        }
        self.done.push(UndoStep {
            what: name.unwrap_or_else(|| difference(&before, scene)),
            scene: before,
            moved,
            document,
        });
        if self.done.len() > MOST_STEPS {
            self.done.remove(0);
        }
    }

    /// Whether all that changed since the last step is where the eye is.
    fn is_move(&self, scene: &Scene) -> bool {
        let Camera {
            mode: _,
            target,
            bearing,
            pitch,
            distance,
            fov: _,
            eye_height: _,
            speed,
        } = &self.settled.camera;
        let mut still = scene.clone();
        still.camera = Camera {
            target: *target,
            bearing: *bearing,
            pitch: *pitch,
            distance: *distance,
            speed: *speed,
            ..still.camera
        };
        still == *self.settled
    }

    /// The last `most` states, the oldest first, what was done again among them, and the place of the
    /// one that the scene is in.
    #[must_use]
    pub fn states(&self, most: usize) -> (Vec<State>, usize) {
        let before = self.done.iter();
        let scenes = before.map(|step| &step.scene).chain([&self.settled]);
        let scenes = scenes.chain(self.undone.iter().rev().map(|step| &step.scene));
        let steps = self.done.iter().chain(self.undone.iter().rev());
        let whats = [None].into_iter().chain(steps.map(|step| Some(&step.what)));
        let all = self.done.len() + 1 + self.undone.len();
        let first = all.saturating_sub(most).min(self.done.len());
        let states = scenes.zip(whats).map(|(scene, what)| State {
            scene: Arc::clone(scene),
            what: what.cloned().unwrap_or_default(),
        });
        let states = states.skip(first).take(most).collect();
        (states, self.done.len() - first)
    }

    /// Goes to a state of the list, by undo or redo; an edit under way counts as a step.
    pub fn go_to(&mut self, state: &Arc<Scene>, scene: &mut Scene, document: &mut Document) {
        self.commit(scene);
        let is_it = |step: &UndoStep| Arc::ptr_eq(&step.scene, state);
        if let Some(place) = self.done.iter().rposition(is_it) {
            while self.done.len() > place {
                self.undo(scene, document);
            }
        } else if let Some(place) = self.undone.iter().rposition(is_it) {
            while self.undone.len() > place {
                self.redo(scene, document);
            }
        }
    }

    /// What undo would take back.
    #[must_use]
    pub fn undo_what(&self) -> Option<&str> {
        self.done.last().map(|step| step.what.as_str())
    }

    /// What redo would bring again.
    #[must_use]
    pub fn redo_what(&self) -> Option<&str> {
        self.undone.last().map(|step| step.what.as_str())
    }

    /// Takes the last step back; an edit under way counts as one.
    pub fn undo(&mut self, scene: &mut Scene, document: &mut Document) {
        self.commit(scene);
        if let Some(step) = self.done.pop() {
            let step = self.taken(step, scene, document);
            self.undone.push(step);
        }
    }

    /// Does again what was undone last.
    pub fn redo(&mut self, scene: &mut Scene, document: &mut Document) {
        self.commit(scene);
        if let Some(step) = self.undone.pop() {
            let step = self.taken(step, scene, document);
            self.done.push(step);
        }
    }

    /// Goes to the other side of a step; returns the step back.
    fn taken(&mut self, step: UndoStep, scene: &mut Scene, document: &mut Document) -> UndoStep {
        scene.clone_from(&step.scene);
        UndoStep {
            scene: std::mem::replace(&mut self.settled, step.scene),
            document: step
                .document
                .map(|other| std::mem::replace(document, other)),
            ..step
        }
    }
}
