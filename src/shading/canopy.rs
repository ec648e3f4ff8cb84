//! Colours of a canopy seen from far away, and of the ground under it (Bruneton and Neyret 2012).
//!
//! `shaders/common/canopy.glsl` has the same colours in pictures, and adds crowns, gaps and shade by the direction of
//! view, whose mean from above is that of this file.

use crate::plants::autumn::Leaves;
use crate::plants::{CanopyLayer, CanopyMap};
use crate::scene::{PlantKind, Scene};
use crate::util::numbers::mix_colors;

/// Look of the plants of one kind as a canopy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrownLook {
    /// Albedo of the crowns in summer, in linear light.
    pub albedo: [f32; 3],
    /// Albedo of the ground under them, and how much of the ground it takes.
    pub floor: ([f32; 3], f32),
    /// Strength of light and dark between crowns, 0…1: that of trees is 1.
    pub rough: f32,
    /// Share of the crowns that snow hides under the most that they hold, 0…1: the mean of impostors seen from above
    /// and from the side.
    pub holds: f32,
}

impl CrownLook {
    /// Albedo of the crowns where the share `autumn` of the leaves has turned: the mean over all plants.
    #[must_use]
    pub fn albedo_in(&self, kind: PlantKind, autumn: f32) -> [f32; 3] {
        Leaves::mean(kind, autumn).albedo(self.albedo)
    }

    /// Look of a kind.
    #[must_use]
    pub fn of(kind: PlantKind) -> Self {
        const NEEDLES: [f32; 3] = [0.042, 0.033, 0.022];
        const MEADOW: [f32; 3] = [0.06, 0.08, 0.03];
        let look = |albedo, floor, rough, holds| Self {
            albedo,
            floor,
            rough,
            holds,
        };
        match kind {
            PlantKind::Spruce => look([0.02, 0.04, 0.017], (NEEDLES, 0.9), 1.0, 0.51),
            PlantKind::Birch => look([0.05, 0.09, 0.03], (MEADOW, 0.8), 0.9, 0.29),
            PlantKind::Palm => look([0.045, 0.075, 0.025], (MEADOW, 0.5), 1.0, 0.325),
            PlantKind::Shrub => look([0.06, 0.08, 0.03], (MEADOW, 0.5), 0.5, 0.38),
            PlantKind::Grass => look([0.09, 0.12, 0.045], (MEADOW, 0.3), 0.25, 0.335),
            PlantKind::Boulder => look([0.2, 0.19, 0.18], (MEADOW, 0.0), 0.4, 0.4),
        }
    }
}

/// Canopy of a map with the colours that it has in a scene.
#[derive(Clone, Debug)]
pub struct Crowns<'a> {
    map: &'a CanopyMap,
    /// Albedo of the crowns of each layer in linear light, and the share of them that snow hides at most.
    looks: Vec<([f32; 3], f32)>,
}

impl<'a> Crowns<'a> {
    /// Colours of the layers of `map` in a scene.
    #[must_use]
    pub fn of(map: &'a CanopyMap, scene: &Scene) -> Self {
        let look = |layer: &CanopyLayer| {
            let (look, autumn) = (CrownLook::of(layer.kind), scene.autumn_of(layer.layer));
            (look.albedo_in(layer.kind, autumn), look.holds)
        };
        Self {
            map,
            looks: map.layers.iter().map(look).collect(),
        }
    }

    /// Colour of the ground under the crowns at a position as for `WeightMap::at`, seen from above; `of` makes the
    /// colour from an albedo in linear light and the share of it that snow hides at most.
    #[must_use]
    pub fn over(
        &self,
        [east, south]: [f32; 2],
        color: [f32; 3],
        of: impl Fn([f32; 3], f32) -> [f32; 3],
    ) -> [f32; 3] {
        let layers = self.looks.iter().zip(self.map.weights.at(east, south));
        layers.fold(color, |below, ((albedo, holds), share)| {
            mix_colors(below, of(*albedo, *holds), share)
        })
    }
}
