//! What the sheet of variations shows, and what varies on it.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::family::Family;
use crate::scene::Scene;
use crate::vary::{SEEDS, Setting, Vary, on_sheet, settings};

/// How many scenes a sheet may have along its sides.
pub const SIDES: RangeInclusive<usize> = 3..=6;

/// What varies, as it is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Varying {
    /// What varies, in the words of [`Vary`].
    pub names: Vec<String>,
    /// What stays of that.
    pub locks: Vec<String>,
    /// How far settings go.
    pub strength: f32,
    /// Scenes along the sides of the sheet.
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
    /// Scenes along the sides of the sheet, whatever a settings file says.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side.clamp(*SIDES.start(), *SIDES.end())
    }

    /// The same as [`Vary`], of that set. What a file says wrongly is mended.
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

    /// Whether a word is among the names.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.names.iter().any(|known| known == name)
    }

    /// Lets a word vary, or no longer.
    pub fn toggle(&mut self, name: &str) {
        if self.has(name) {
            self.names.retain(|known| known != name);
        } else {
            self.names.push(name.to_owned());
        }
    }

    /// Lets one setting vary, or stay, whatever the tables that it is in do.
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
    /// The number of the variation; 0 is the scene itself.
    pub number: u32,
    /// The scene.
    pub scene: Arc<Scene>,
}

/// The sheet of variations.
#[derive(Clone, Debug, Default)]
pub struct Variations {
    /// Whether it is shown.
    pub shown: bool,
    /// Which of all sets of variations is shown.
    pub set: u64,
    /// What is looked for among the settings.
    pub search: String,
    /// Whether the box for that has yet to get the keyboard.
    pub search_asks: bool,
    /// What was made from what.
    pub family: Family,
    /// Whether the scene that is shown has yet to come in sight in its family tree.
    pub comes_in_sight: bool,
    cells: Vec<Cell>,
    /// What the cells, and the settings, were made from.
    of: Option<(Scene, Vary, usize)>,
    settings: Vec<Setting>,
}

impl Variations {
    /// Makes the cells anew if they are others by now.
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

    /// Takes note that a scene of the sheet was taken over in place of the one that it is a variation
    /// of. Around it there will be others: seeds have no place from which they go on.
    pub fn note_taken(&mut self, shown: &Arc<Scene>, taken: &Arc<Scene>) {
        self.family.note(shown, taken);
        self.comes_in_sight = true;
        self.set = self.set.wrapping_add(1);
    }

    /// The scenes on the sheet, row after row.
    #[must_use]
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// What can vary.
    #[must_use]
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The cell of the scene itself.
    #[must_use]
    pub fn own(&self) -> Option<&Cell> {
        self.cells.iter().find(|cell| cell.number == 0)
    }
}
