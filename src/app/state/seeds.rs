//! History of seeds, with back and forward.

use serde::{Deserialize, Serialize};

/// Maximum number of seeds in the history.
const MOST_SEEDS: usize = 100;
/// Seeds in the order they were shown, with the current position.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedHistory {
    /// Seeds, oldest first. They are stored as text because TOML integers end at 2^63.
    seeds: Vec<String>,
    /// Index of the current seed.
    shown: usize,
}

impl SeedHistory {
    /// Record the seed on screen. A seed that is not at or next to the current position goes to the
    /// end, so going back first loses nothing.
    pub fn watch(&mut self, seed: u64) {
        self.shown = self.shown.min(self.seeds.len().saturating_sub(1));
        // Undo moves to a neighbour in the history, which is not a new seed.
        let here = self.shown;
        for index in [here, here.wrapping_sub(1), here + 1] {
            if self.seed(index) == Some(seed) {
                self.shown = index;
                return;
            }
        }
        self.seeds.push(seed.to_string());
        if self.seeds.len() > MOST_SEEDS {
            self.seeds.remove(0);
        }
        self.shown = self.seeds.len() - 1;
    }

    /// Go back to the previous seed.
    pub fn back(&mut self) -> Option<u64> {
        self.shown = self.shown.checked_sub(1)?;
        self.seed(self.shown)
    }

    /// Go forward to the next seed.
    pub fn forward(&mut self) -> Option<u64> {
        self.can_go_forward().then(|| self.shown += 1)?;
        self.seed(self.shown)
    }

    /// True if there is an earlier seed.
    #[must_use]
    pub fn can_go_back(&self) -> bool {
        self.shown > 0
    }

    /// True if there is a later seed.
    #[must_use]
    pub fn can_go_forward(&self) -> bool {
        self.shown + 1 < self.seeds.len()
    }

    fn seed(&self, index: usize) -> Option<u64> {
        self.seeds.get(index)?.parse().ok()
    }
}
