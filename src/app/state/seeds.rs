//! The seeds that were seen, to go back and forward through.

use serde::{Deserialize, Serialize};

/// How many seeds are kept.
const MOST_SEEDS: usize = 100;
/// Seeds in the order they were seen, and which of them is shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SeedHistory {
    /// The seeds, oldest first: texts, since TOML's whole numbers end at 2^63 and seeds do not.
    seeds: Vec<String>,
    /// Index of the one shown.
    shown: usize,
}

impl SeedHistory {
    /// Takes note of the seed shown. A seed that is not where we are goes to the end, so that
    /// nothing seen is lost by going back first.
    pub fn watch(&mut self, seed: u64) {
        self.shown = self.shown.min(self.seeds.len().saturating_sub(1));
        // Undo goes to a neighbour; then we are there again and nothing new was seen.
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

    /// The seed before this one, which becomes the one shown.
    pub fn back(&mut self) -> Option<u64> {
        self.shown = self.shown.checked_sub(1)?;
        self.seed(self.shown)
    }

    /// The seed after this one, which becomes the one shown.
    pub fn forward(&mut self) -> Option<u64> {
        self.can_go_forward().then(|| self.shown += 1)?;
        self.seed(self.shown)
    }

    /// Whether there is an earlier seed.
    #[must_use]
    pub fn can_go_back(&self) -> bool {
        self.shown > 0
    }

    /// Whether there is a later seed.
    #[must_use]
    pub fn can_go_forward(&self) -> bool {
        self.shown + 1 < self.seeds.len()
    }

    fn seed(&self, index: usize) -> Option<u64> {
        self.seeds.get(index)?.parse().ok()
    }
}
