//! Sheet of variations: its cells, and the selection of the settings that vary.

use std::ops::RangeInclusive;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::family::Family;
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
