//! Sheet of variations: its cells, and the selection of the settings that vary.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::scene::Scene;
use crate::scene::vary::{SEEDS, Setting, Vary, on_sheet, settings};

/// Allowed number of scenes along each side of the sheet.
pub const SIDES: RangeInclusive<usize> = 3..=6;

/// Selection of the settings that vary, as stored in the settings file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Varying {
    /// Names of varying settings and tables, as in [`Vary`].
    pub names: Vec<String>,
    /// Names of settings and tables that are locked.
    pub locks: Vec<String>,
    /// Strength of the variation, 0…1.
    pub strength: f32,
    /// Number of scenes along each side of the sheet.
    pub side: usize,
}

impl Default for Varying {
    fn default() -> Self {
        Self {
            names: vec![SEEDS.to_owned()],
            locks: Vec::new(),
            strength: Vary::default().strength,
            side: *SIDES.start(),
        }
    }
}

impl Varying {
    /// Number of scenes along each side, clamped to [`SIDES`].
    #[must_use]
    pub fn side(&self) -> usize {
        self.side.clamp(*SIDES.start(), *SIDES.end())
    }

    /// Convert to [`Vary`] for a set of variations. An invalid strength is clamped.
    #[must_use]
    pub fn vary(&self, set: u64) -> Vary {
        let strength = self.strength;
        Vary {
            names: self.names.clone(),
            locks: self.locks.clone(),
            strength: if strength.is_finite() {
                strength.clamp(0.0, 1.0)
            } else {
                0.0
            },
            set,
        }
    }

    /// True if `name` is among the varying names.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Add a name to the varying names, or remove it.
    pub fn toggle(&mut self, name: &str) {
        if self.has(name) {
            self.names.retain(|known| known != name);
        } else {
            self.names.push(name.to_owned());
        }
    }

    /// Let one setting vary or lock it, regardless of the tables that contain it.
    pub fn set(&mut self, setting: &Setting, varies: bool) {
        let key = setting.key();
        self.names.retain(|name| *name != key);
        self.locks.retain(|name| *name != key);
        if self.vary(0).varies(setting) != varies {
            let list = if varies {
                &mut self.names
            } else {
                &mut self.locks
            };
            list.push(key);
        }
    }
}

/// One scene on the sheet.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Number of the variation; 0 is the present scene.
    pub number: u32,
    /// Scene of the cell.
    pub scene: Arc<Scene>,
}

/// State of the sheet of variations.
#[derive(Clone, Debug, Default)]
pub struct Variations {
    /// True if the sheet is shown.
    pub shown: bool,
    /// Number of the set of variations.
    pub set: u64,
    /// Search text for the list of settings.
    pub search: String,
    /// True until the search box has received the keyboard focus.
    pub search_asks: bool,
    /// Family tree of the scenes taken from sheets.
    pub family: Family,
    /// True until the family tree has scrolled to the present scene.
    pub comes_in_sight: bool,
    cells: Vec<Cell>,
    /// Scene, variation and side length from which `cells` and `settings` were computed.
    of: Option<(Scene, Vary, usize)>,
    settings: Vec<Setting>,
}

impl Variations {
    /// Recompute the cells if the scene or the selection has changed.
    pub fn update(&mut self, scene: &Scene, varying: &Varying) {
        let (vary, side) = (varying.vary(self.set), varying.side());
        let is_same =
            |(of, by, sides): &(Scene, Vary, usize)| of == scene && *by == vary && *sides == side;
        if self.of.as_ref().is_some_and(is_same) {
            return;
        }
        let numbers = on_sheet(side, side).into_iter();
        let cells = numbers.map(|number| Cell {
            number,
            scene: Arc::new(vary.variation(scene, number)),
        });
        self.cells = cells.collect();
        self.settings = settings(scene);
        self.of = Some((scene.clone(), vary, side));
    }

    /// Record that `taken`, a variation of `shown`, replaced it. The next set of variations is
    /// shown: the old seeds would give the same neighbours again.
    pub fn note_taken(&mut self, shown: &Arc<Scene>, taken: &Arc<Scene>) {
        self.family.note(shown, taken);
        self.comes_in_sight = true;
        self.set = self.set.wrapping_add(1);
    }

    /// Scenes on the sheet, row by row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Settings that can vary.
    #[must_use]
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// Cell of the present scene.
    #[must_use]
    pub fn own(&self) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.number == 0)
    }
}

// Family tree of variations: the scene that each scene was derived from.

/// Maximum number of scenes; beyond it the oldest leaf is dropped.
const MOST: usize = 200;

/// Scene that was taken over from a sheet, or varied.
#[derive(Clone, Debug)]
struct Member {
    scene: Arc<Scene>,
    /// Index of the parent scene.
    parent: Option<usize>,
}

/// Node of the tree with its place in the drawing.
#[derive(Clone, Debug)]
pub struct Placed {
    /// Scene of the node.
    pub scene: Arc<Scene>,
    /// Column: the generation, from 0.
    pub column: usize,
    /// Row, from 0.
    pub row: usize,
    /// Column and row of the parent.
    pub parent: Option<(usize, usize)>,
}

/// Tree of scenes with their parents.
#[derive(Clone, Debug, Default)]
pub struct Family {
    members: Vec<Member>,
    /// Index of the scene taken over last.
    last: Option<usize>,
}

impl Family {
    /// Record that `taken`, a variation of `shown`, replaced it.
    pub fn note(&mut self, shown: &Arc<Scene>, taken: &Arc<Scene>) {
        let parent = self.find_or_add(shown, self.last);
        self.last = Some(self.find_or_add(taken, Some(parent)));
        self.forget();
    }

    /// Record that the user went back to a scene of the tree.
    pub fn go_back(&mut self, scene: &Scene) {
        self.last = self.find(scene).or(self.last);
    }

    /// Clear the tree, for another document.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn find(&self, scene: &Scene) -> Option<usize> {
        let mut members = self.members.iter();
        members.position(|member| *member.scene == *scene)
    }

    fn find_or_add(&mut self, scene: &Arc<Scene>, parent: Option<usize>) -> usize {
        self.find(scene).unwrap_or_else(|| {
            self.members.push(Member {
                scene: Arc::clone(scene),
                parent,
            });
            self.members.len() - 1
        })
    }

    /// Drop the oldest leaf if there are too many scenes.
    fn forget(&mut self) {
        if self.members.len() <= MOST {
            return;
        }
        let is_parent = |index: usize| self.members.iter().any(|m| m.parent == Some(index));
        let leaf =
            (0..self.members.len()).find(|index| !is_parent(*index) && self.last != Some(*index));
        // Without a leaf to drop, as in a tree without branches, the oldest scene goes.
        let gone = leaf.unwrap_or(0);
        self.members.remove(gone);
        let moved = |index: usize| match index {
            index if index == gone => None,
            index => Some(index - usize::from(index > gone)),
        };
        for member in &mut self.members {
            member.parent = member.parent.and_then(moved);
        }
        self.last = self.last.and_then(moved);
    }

    /// Lay out the tree, depth first: children are right of their parents, the first child in the
    /// same row. Cost: quadratic in the number of scenes, which is at most 200.
    #[must_use]
    pub fn placed(&self) -> Vec<Placed> {
        let mut placed = Vec::new();
        let mut rows = 0;
        let roots = (0..self.members.len()).filter(|index| self.members[*index].parent.is_none());
        let mut open: Vec<_> = roots.rev().map(|root| (root, None)).collect();
        let mut places: Vec<Option<(usize, usize)>> = vec![None; self.members.len()];
        let mut taken: Vec<bool> = vec![false; self.members.len()];
        while let Some((index, parent)) = open.pop() {
            let parent: Option<usize> = parent;
            let place = match parent.and_then(|parent| Some((parent, places[parent]?))) {
                Some((parent, (column, row))) if !std::mem::replace(&mut taken[parent], true) => {
                    (column + 1, row)
                }
                Some((_, (column, _))) => {
                    rows += 1;
                    (column + 1, rows - 1)
                }
                None => {
                    rows += 1;
                    (0, rows - 1)
                }
            };
            places[index] = Some(place);
            placed.push(Placed {
                scene: Arc::clone(&self.members[index].scene),
                column: place.0,
                row: place.1,
                parent: parent.and_then(|parent| places[parent]),
            });
            let children = (0..self.members.len()).rev();
            let children = children.filter(|child| self.members[*child].parent == Some(index));
            open.extend(children.map(|child| (child, Some(index))));
        }
        placed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(seed: u64) -> Arc<Scene> {
        let mut scene = Scene::default();
        scene.surface.seed = seed;
        Arc::new(scene)
    }

    /// Seed, column and row of a node, and column and row of its parent.
    type Place = (u64, usize, usize, Option<(usize, usize)>);

    fn places(family: &Family) -> Vec<Place> {
        let placed = family.placed().into_iter();
        placed
            .map(|one| (one.scene.surface.seed, one.column, one.row, one.parent))
            .collect()
    }

    #[test]
    fn children_stand_right_of_their_parents() {
        let [a, b, c, d] = [1, 2, 3, 4].map(scene);
        let mut family = Family::default();
        family.note(&a, &b);
        family.note(&b, &c);
        family.go_back(&a);
        family.note(&a, &d);
        let expected = [
            (1, 0, 0, None),
            (2, 1, 0, Some((0, 0))),
            (3, 2, 0, Some((1, 0))),
            (4, 1, 1, Some((0, 0))),
        ];
        assert_eq!(places(&family), expected);
    }

    #[test]
    fn edits_in_between_descend_from_the_taken_scene() {
        let [a, b, edited, c] = [1, 2, 3, 4].map(scene);
        let mut family = Family::default();
        family.note(&a, &b);
        family.note(&edited, &c);
        assert_eq!(
            places(&family)[2..],
            [(3, 2, 0, Some((1, 0))), (4, 3, 0, Some((2, 0)))]
        );
    }

    #[test]
    fn a_family_has_an_end() {
        let mut family = Family::default();
        for seed in 0..1000 {
            family.note(&scene(seed), &scene(seed + 1));
        }
        let places = places(&family);
        assert_eq!(places.len(), MOST);
        assert_eq!(places.last().unwrap().0, 1000);
        assert_eq!(places[0].3, None);
    }
}
