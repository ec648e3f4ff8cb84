//! Autumn: leaves turn from green to the colours of their kind, one plant after the other.
//!
//! Of a plant with a random number h the share t = clamp((c − h) / W, 0, 1) has turned: plants differ by W in when they
//! turn. The mean of t over all h is that of the layer if
//!
//! ```text
//! c = √(2 W a)  for a < W/2      c = a + W/2  between      c = 1 + W − √(2 W (1 − a))  for a > 1 − W/2
//! ```
//!
//! so models, impostors and the canopy seen from far away have the same colours on average. Bark and dry blades keep
//! theirs: a colour turns as far as its green exceeds its red and its blue. `shaders/common/plant_leaves.glsl` has the
//! same colours.

use crate::scene::PlantKind;
use crate::util::numbers::mix_colors;
use crate::util::rng::{mix, unit};

/// Difference between plants in when they turn, as a share of the season.
const APART: f32 = 0.5;
/// Steps in a file from green leaves to leaves that have all turned.
const TURNED: u32 = 2;
/// Number of different leaves in a file: green ones, and two colours at each further step.
pub const STEPS: u32 = 1 + 2 * TURNED;
/// Sharpness of the border between leaves and what is not green.
const GREEN: f32 = 5.0;

/// Leaves of a plant, or the mean of many.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leaves {
    /// Colour of leaves that have turned, over the green of green ones.
    pub turned: [f32; 3],
    /// Share of the leaves that have turned, 0…1.
    pub share: f32,
}

impl Leaves {
    /// Leaves of the plant with this hash in a layer of which the share `autumn` has turned.
    #[must_use]
    pub fn of_plant(kind: PlantKind, autumn: f32, hash: u32) -> Self {
        Self::at(kind, autumn, numbers(hash))
    }

    /// Leaves of the plant with these random numbers: when it turns, and to which of its kind's colours.
    #[must_use]
    pub fn at(kind: PlantKind, autumn: f32, [late, own]: [f32; 2]) -> Self {
        // Most plants have the first colour.
        Self::new(kind, Self::share(autumn, late), own * own)
    }

    /// Share of the leaves that have turned of a plant with this random number.
    fn share(autumn: f32, late: f32) -> f32 {
        let half = 0.5 * APART;
        let season = match autumn {
            early if early < half => (2.0 * APART * early.max(0.0)).sqrt(),
            late if late > 1.0 - half => 1.0 + APART - (2.0 * APART * (1.0 - late).max(0.0)).sqrt(),
            middle => middle + half,
        };
        ((season - late) / APART).clamp(0.0, 1.0)
    }

    /// Step to which the leaves of the plant with this hash have turned, 0…[`STEPS`] − 1, for files that hold a model for
    /// each step: 0 is green, and of evergreens and stones all are.
    #[must_use]
    pub fn step_of(kind: PlantKind, autumn: f32, hash: u32) -> u32 {
        let [late, own] = numbers(hash);
        let turned = (Self::share(autumn, late) * TURNED as f32 + 0.5) as u32;
        match turned {
            0 => 0,
            _ if hues(kind).is_none() => 0,
            _ => 2 * turned - u32::from(own < 0.5),
        }
    }

    /// Leaves of a step.
    #[must_use]
    pub fn of_step(kind: PlantKind, step: u32) -> Self {
        let turned = step.div_ceil(2);
        // The mean of own² below ½, or above.
        let own = if step % 2 == 1 { 1.0 } else { 7.0 } / 12.0;
        Self::new(kind, turned as f32 / TURNED as f32, own)
    }

    /// Mean of all leaves of a layer of which the share `autumn` has turned.
    #[must_use]
    pub fn mean(kind: PlantKind, autumn: f32) -> Self {
        Self::new(kind, autumn, 1.0 / 3.0)
    }

    fn new(kind: PlantKind, share: f32, own: f32) -> Self {
        hues(kind).map_or_else(Self::default, |[first, last]| Self {
            turned: mix_colors(first, last, own),
            share,
        })
    }

    /// Albedo of a part of the plant in autumn, by that in summer; both in linear light.
    #[must_use]
    pub fn albedo(&self, summer: [f32; 3]) -> [f32; 3] {
        let [red, green, blue] = summer;
        let leaf = (GREEN * (1.0 - red.max(blue) / green.max(1e-6))).clamp(0.0, 1.0);
        mix_colors(
            summer,
            self.turned.map(|hue| hue * green),
            self.share * leaf,
        )
    }
}

/// Random numbers of the plant with this hash: when it turns, and to which of its kind's colours.
fn numbers(hash: u32) -> [f32; 2] {
    let hash = mix(hash.into());
    [unit((hash >> 32) as u32), unit(hash as u32)]
}

/// Colours of a kind between which plants differ, over the green of green leaves; `None` for evergreens and stones.
fn hues(kind: PlantKind) -> Option<[[f32; 3]; 2]> {
    match kind {
        PlantKind::Birch => Some([[3.3, 2.2, 0.22], [2.6, 0.85, 0.16]]),
        PlantKind::Shrub => Some([[2.1, 0.75, 0.25], [1.25, 0.5, 0.3]]),
        PlantKind::Grass => Some([[2.1, 1.65, 0.8], [1.6, 1.2, 0.6]]),
        PlantKind::Spruce | PlantKind::Palm | PlantKind::Boulder => None,
    }
}
