//! Undo and redo by snapshots: every setting is in the scene, so a step is a copy of the scene.
//!
//! The history looks at the scene once a frame, so no control has to report its edits. It waits until
//! a change has settled (mouse button up, typing done, camera at rest): a drag is one step, and so
//! are consecutive camera moves. Undoing the replacement of a document restores the old document.
//! Cost: a comparison of pointers a frame, of scenes after an edit; memory for up to 500 scenes.

use std::sync::{Arc, LazyLock};

use crate::app::state::document::Document;
use crate::files::import::{Preset, presets};
use crate::scene::{Camera, Scene};
use crate::util::language::tr;
use crate::util::lengths::{Lengths, scaled};
use crate::util::param::{Kind, Params, TableVisitor, Value};

/// Maximum number of undo steps; beyond it the oldest is dropped.
const MOST_STEPS: usize = 500;

/// Undo step: a scene with a description of the change.
#[derive(Clone, Debug, PartialEq)]
struct UndoStep {
    scene: Arc<Scene>,
    what: String,
    /// True if only the camera was moved.
    moved: bool,
    /// Document on the far side of the step, if the step replaces the document.
    document: Option<Document>,
}

/// State in the list of all states reachable by undo and redo.
#[derive(Clone, Debug)]
pub struct State {
    /// Scene of the state.
    pub scene: Arc<Scene>,
    /// Description of the change that led to the state; empty for the first state.
    pub what: String,
}

/// Strip that shows the list of states.
#[derive(Clone, Debug, Default)]
pub struct Strip {
    /// State under the pointer, previewed in place of the scene.
    pub looked_at: Option<Arc<Scene>>,
    /// State that the strip has scrolled to.
    pub in_sight: Option<Arc<Scene>>,
}

/// Undo stack and redo stack.
#[derive(Clone, Debug, Default)]
pub struct History {
    settled: Arc<Scene>,
    undone: Vec<UndoStep>,
    done: Vec<UndoStep>,
    /// True if the next camera move must be a step of its own.
    apart: bool,
}

impl History {
    /// Create a history that starts at `scene`.
    #[must_use]
    pub fn new(scene: Arc<Scene>) -> Self {
        Self {
            settled: scene,
            ..Self::default()
        }
    }

    /// Compare the scene with the last step, and record a step if the change has settled. Returns
    /// true if a change is still unsettled.
    pub fn watch(&mut self, scene: &Arc<Scene>, settled: bool) -> bool {
        if Arc::ptr_eq(scene, &self.settled) {
            return false;
        }
        if **scene == *self.settled {
            self.settled = Arc::clone(scene);
            return false;
        }
        if settled {
            self.commit(scene);
        }
        !settled
    }

    /// True if only the camera changed since the last step.
    #[must_use]
    pub fn only_camera_moved(&self, scene: &Scene) -> bool {
        let mut still = scene.clone();
        still.camera = self.settled.camera.clone();
        still == *self.settled
    }

    /// Follow a camera move that the ground caused, not the user: it is not a step.
    pub fn follow(&mut self, before: &Camera, after: &Camera) {
        if self.settled.camera == *before {
            Arc::make_mut(&mut self.settled).camera = after.clone();
        }
    }

    /// Apply the film's values to the scene of the last step as well: playback is not a step.
    pub fn follow_film(&mut self, follow: &dyn Fn(&mut Scene)) {
        follow(Arc::make_mut(&mut self.settled));
    }

    /// Add an automatic consequence of the last step to that step.
    pub fn complete(&mut self, before: &Scene, after: &Scene) {
        if *self.settled == *before {
            self.settled = Arc::new(after.clone());
        }
    }

    /// Record a step with everything that changed since the last one.
    pub fn commit(&mut self, scene: &Scene) {
        self.step(scene, None, None);
    }

    /// Record a step to a scene of another document. `old` is the document of the last step, `name`
    /// the name of the new one, if it has one.
    pub fn replace(&mut self, scene: &Scene, old: Document, name: Option<String>) {
        self.step(scene, Some(old), name);
    }

    /// Record a step that the next camera move does not join. Before a jump of the camera this
    /// keeps the view that was found by hand.
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

    /// True if only the viewpoint changed since the last step.
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

    /// List the last `most` states, oldest first, including those that redo leads to, with the
    /// index of the current one.
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

    /// Go to a state of the list, by undo or redo. An unsettled edit counts as a step.
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

    /// Description of the change that undo takes back.
    #[must_use]
    pub fn undo_what(&self) -> Option<&str> {
        self.done.last().map(|step| step.what.as_str())
    }

    /// Description of the change that redo restores.
    #[must_use]
    pub fn redo_what(&self) -> Option<&str> {
        self.undone.last().map(|step| step.what.as_str())
    }

    /// Undo the last step. An unsettled edit counts as a step.
    pub fn undo(&mut self, scene: &mut Scene, document: &mut Document) {
        self.commit(scene);
        if let Some(step) = self.done.pop() {
            let step = self.taken(step, scene, document);
            self.undone.push(step);
        }
    }

    /// Redo the last undone step.
    pub fn redo(&mut self, scene: &mut Scene, document: &mut Document) {
        self.commit(scene);
        if let Some(step) = self.undone.pop() {
            let step = self.taken(step, scene, document);
            self.done.push(step);
        }
    }

    /// Apply a step in either direction. Returns its inverse.
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

// Descriptions of the change between two scenes: "H", "camera", "H and 3 more", "alpine".

/// Describe the difference between two scenes with the panel's labels.
#[must_use]
pub fn difference(before: &Scene, after: &Scene) -> String {
    let differences = before.differences(after);
    let keys: Vec<_> = differences
        .iter()
        .map(|difference| &*difference.key)
        .collect();
    if keys.len() > 2
        && let Some(name) = preset(after)
    {
        return name.to_owned();
    }
    if let [key] = keys.as_slice()
        && let Some(words) = rename_words(key)
    {
        return words.to_owned();
    }
    let is_in = |place: &str, key: &str| key == place || key.starts_with(&format!("{place}."));
    let all_in = |place: &str| keys.iter().all(|key| is_in(place, key));
    match keys.as_slice() {
        [key]
            if !["palette", "path", "section", "film.keys"]
                .into_iter()
                .any(all_in) =>
        {
            setting_label(key, after)
        }
        _ if all_in("camera") => tr("camera").to_owned(),
        _ if all_in("path") => tr("film").to_owned(),
        keys if keys.iter().any(|key| key.starts_with("film.")) => tr("film").to_owned(),
        keys if keys
            .iter()
            .all(|key| *key == "view.palette" || is_in("palette", key)) =>
        {
            tr("Palette").to_owned()
        }
        _ if all_in("section") => tr("cross-section").to_owned(),
        [one, other] => format!(
            "{}, {}",
            setting_label(one, after),
            setting_label(other, after)
        ),
        keys => tr!(
            "{} and {} more",
            setting_label(keys[0], after),
            keys.len() - 1
        ),
    }
}

/// Description of the change of a name in a list.
fn rename_words(key: &str) -> Option<&'static str> {
    let (list, _) = key.strip_suffix(".name")?.split_once('.')?;
    match list {
        "layers" => Some(tr("Rename layer")),
        "modifiers" => Some(tr("Rename modifier")),
        "plants" => Some(tr("Rename plants")),
        _ => None,
    }
}

/// Name of the preset with exactly this scene.
fn preset(scene: &Scene) -> Option<&'static str> {
    static SCENES: LazyLock<Vec<Scene>> =
        LazyLock::new(|| presets().iter().map(Preset::scene).collect());
    let place = SCENES.iter().position(|preset| preset == scene)?;
    Some(tr(presets()[place].name))
}

/// Label of a key of `scene` in the panel, with the name of its list if it is in one. An unknown
/// key is its own label.
#[must_use]
pub fn setting_label(key: &str, scene: &Scene) -> String {
    let row = Row::of(key, scene);
    let steps: Vec<_> = key.split('.').collect();
    let name = steps.last().copied().unwrap_or_default();
    let words = row.map_or_else(|| name.replace('_', " "), |row| tr(row.label).to_owned());
    let is_number = |step: &&str| step.parse::<usize>().is_ok();
    match steps.iter().position(is_number) {
        Some(number) if number > 0 => format!("{words} ({})", steps[number - 1]),
        _ => words,
    }
}

/// Value of a setting as it stands in the file of `scene`, in the unit of the window.
#[must_use]
pub fn value_in_window(key: &str, value: &str, scene: &Scene) -> String {
    let lengths = Lengths::of(scene.surface.tile_size_m);
    let number = value.parse::<f32>().ok();
    let in_unit = number.zip(Row::of(key, scene)).and_then(|(number, row)| {
        let (unit, scale) = lengths.unit_of(&row.kind, row.unit);
        let Value::Float(shown) = scaled(&Value::Float(number), scale) else {
            return None;
        };
        (scale != 1.0).then(|| format!("{shown} {}", tr(unit)))
    });
    in_unit.unwrap_or_else(|| value.to_owned())
}

/// Row of a table of settings.
struct Row {
    label: &'static str,
    unit: &'static str,
    kind: Kind,
}

impl Row {
    /// Row of the setting `key` of `scene`.
    fn of(key: &str, scene: &Scene) -> Option<Self> {
        let mut finder = Finder { key, row: None };
        scene.clone().visit_tables(&mut finder);
        finder.row
    }
}

/// Visitor that finds the row of a key in the tables of a scene.
struct Finder<'a> {
    key: &'a str,
    row: Option<Row>,
}

impl TableVisitor for Finder<'_> {
    fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
        let key = self.key.strip_prefix(place);
        if let Some(key) = key.and_then(|rest| rest.strip_prefix('.')) {
            let param = T::PARAMS.iter().find(|param| param.key == key);
            self.row = self.row.take().or(param.map(|param| Row {
                label: param.label,
                unit: param.unit,
                kind: param.kind(),
            }));
        }
    }
}
