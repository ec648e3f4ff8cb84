//! Snow on models: where it holds on a plant.

use crate::scene::PlantKind;
use crate::util::numbers::smoothstep;

/// Heights of a unit normal from which snow holds, and from which as much as can.
const HOLDS: [f32; 2] = [0.38, 0.68];
/// Difference between one twig and the next.
const UNEVEN: f32 = 0.5;

/// Share of a plant's faces that snow hides where their unit normal has this height, by a random number.
pub fn held(kind: PlantKind, up: f32, dice: f32) -> f32 {
    let uneven = UNEVEN * (dice - 0.5);
    most(kind) * smoothstep((up + uneven - HOLDS[0]) / (HOLDS[1] - HOLDS[0]))
}

/// Most of it: flat boughs hold snow, and leaves that hang or stand let it slide.
fn most(kind: PlantKind) -> f32 {
    match kind {
        PlantKind::Spruce | PlantKind::Boulder => 1.0,
        PlantKind::Shrub => 0.8,
        PlantKind::Birch => 0.65,
        PlantKind::Palm => 0.5,
        PlantKind::Grass => 0.4,
    }
}
