//! Undo: every setting is in the scene, so a step is a copy of the scene.
//!
//! The history watches the scene instead of being told of edits, so no control can forget to
//! take part. It waits until a change has settled (the mouse is up, the typing is over, the
//! camera stands still), so a drag is one step.

use crate::app::describe::difference;
use crate::scene::{Camera, Scene};

/// Steps kept; beyond that the oldest is forgotten.
const MOST_STEPS: usize = 500;

/// What was, and what was changed about it.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    scene: Scene,
    what: String,
}

/// Scenes that were and scenes that were undone.
#[derive(Clone, Debug, Default)]
pub struct History {
    settled: Scene,
    undone: Vec<Step>,
    done: Vec<Step>,
}

impl History {
    /// A history that starts at `scene`.
    #[must_use]
    pub fn new(scene: &Scene) -> Self {
        Self {
            settled: scene.clone(),
            ..Self::default()
        }
    }

    /// Takes note of the scene as it is now. Returns whether a change still waits to settle.
    pub fn watch(&mut self, scene: &Scene, settled: bool) -> bool {
        if *scene == self.settled {
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
        still == self.settled
    }

    /// The ground, not the user, has moved the camera: that is no step.
    pub fn follow(&mut self, before: &Camera, after: &Camera) {
        if self.settled.camera == *before {
            self.settled.camera = after.clone();
        }
    }

    /// Makes one step of everything since the last one.
    pub fn commit(&mut self, scene: &Scene) {
        if *scene == self.settled {
            return;
        }
        let what = difference(&self.settled, scene);
        let before = std::mem::replace(&mut self.settled, scene.clone());
        self.done.push(Step {
            scene: before,
            what,
        });
        if self.done.len() > MOST_STEPS {
            self.done.remove(0);
        }
        self.undone.clear();
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
    pub fn undo(&mut self, scene: &mut Scene) {
        self.commit(scene);
        if let Some(step) = self.done.pop() {
            self.undone.push(Step {
                scene: std::mem::replace(&mut self.settled, step.scene.clone()),
                what: step.what,
            });
            *scene = step.scene;
        }
    }

    /// Does again what was undone last.
    pub fn redo(&mut self, scene: &mut Scene) {
        self.commit(scene);
        if let Some(step) = self.undone.pop() {
            self.done.push(Step {
                scene: std::mem::replace(&mut self.settled, step.scene.clone()),
                what: step.what,
            });
            *scene = step.scene;
        }
    }
}
