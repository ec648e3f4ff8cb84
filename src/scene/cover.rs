//! Cover rules of palettes: colours for ground marked by erosion, and the position of snow.

use serde::{Deserialize, Serialize};

use crate::util::numbers::mix_colors;

/// Largest number of covers of a palette: one for each channel of a texture.
pub const MOST: usize = 4;

/// Quantity that determines a cover. All are derived from erosion, and none depends on the number of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// Thickness of sediment left by erosion, as a share of the relief, which is the height from the lowest
    /// to the highest point: 0.01 is a hundredth of it.
    Sediment,
    /// Eroded depth of rock, as a multiple of the mean around: less than 1 on ridges, more in gullies.
    Wear,
    /// Wetness, 0…1: it depends on the size of the river that the ground drains to, and decreases with the
    /// height above it and the flow distance to it.
    Wetness,
    /// Slope just above the ground, in degrees: scree lies at the foot of cliffs. Thick sediment on a slope, as on debris
    /// cones, counts as lying below a wall.
    Scree,
    /// Suitability for grass, 0…1: wetness, where the ground is gentle or covered by sediment.
    Grass,
}

/// Cover: a colour over those by height, where erosion has been.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// Quantity that determines the cover.
    pub by: By,
    /// Red, green and blue as shown on the screen (sRGB), each 0…1.
    pub color: [f32; 3],
    /// Value of the quantity at which the cover begins, 0 and up.
    pub from: f32,
    /// Value at which the cover has full weight; between both it fades. If it is less than `from`, the
    /// cover lies where the quantity is small.
    pub to: f32,
    /// Opacity of the cover, 0…1; default 1.
    #[serde(default = "one")]
    pub strength: f32,
    /// Steepest slope with the cover, in degrees, 0…90; default 90. It fades over six degrees to either side.
    #[serde(default = "upright")]
    pub steepest: f32,
    /// Greatest height with the cover, from the lowest, 0, to the highest, 1; default 1. It fades over the
    /// twentieth of the relief below.
    #[serde(default = "one")]
    pub highest: f32,
}

fn one() -> f32 {
    1.0
}

fn upright() -> f32 {
    90.0
}

impl Cover {
    /// Check the ranges; the error states what is wrong and what is allowed.
    pub(super) fn check(&self) -> Result<(), String> {
        let unit = |value: f32| (0.0..=1.0).contains(&value);
        let wrong = |key: &str, value: f32, allowed: &str| {
            Err(format!("{key} of a cover is {value}; allowed: {allowed}"))
        };
        if !self.color.iter().all(|v| unit(*v)) {
            let color = self.color;
            return Err(format!("a cover has colour {color:?}; allowed: 0 to 1"));
        }
        for (key, value) in [("from", self.from), ("to", self.to)] {
            if !(0.0..=1e6).contains(&value) {
                return wrong(key, value, "0 to 1000000");
            }
        }
        for (key, value) in [("strength", self.strength), ("highest", self.highest)] {
            if !unit(value) {
                return wrong(key, value, "0 to 1");
            }
        }
        if !(0.0..=90.0).contains(&self.steepest) {
            return wrong("steepest", self.steepest, "0 to 90");
        }
        Ok(())
    }
}

/// Position of snow among a palette's colours, which render type `landscape` adapts to sun and slopes. Level
/// ground keeps the colours by height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snow {
    /// Height from which the stops are snow, from the lowest, 0, to the highest, 1.
    pub from: f32,
    /// Shift of the snow line, lower on walls that face north and higher on those that face south, as a
    /// share of the relief, 0…1; default 0.1. On slopes it is scaled by the sine of the slope. The colours
    /// below the snow shift in the same way.
    #[serde(default = "side")]
    pub side: f32,
    /// Rise of the snow line on walls, from which snow slides, as a share of the relief, 0…1; default 0.3.
    /// On slopes it is scaled by the square of the sine.
    #[serde(default = "slide")]
    pub slide: f32,
}

fn side() -> f32 {
    0.1
}

fn slide() -> f32 {
    0.3
}

impl Snow {
    /// Check the ranges; the error states what is wrong and what is allowed.
    pub(super) fn check(&self) -> Result<(), String> {
        for (key, value) in [
            ("from", self.from),
            ("side", self.side),
            ("slide", self.slide),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("{key} of snow is {value}; allowed: 0 to 1"));
            }
        }
        Ok(())
    }

    /// Effective height for the colour of ground at `height`, both 0…1, if its unit normal is (x, up, south).
    /// `shaders/common/material.glsl` does the same.
    #[must_use]
    pub fn seen_at(&self, height: f32, up: f32, south: f32) -> f32 {
        let shaded = height - self.side * south;
        let slid = shaded - self.slide * (1.0 - up * up);
        shaded.min(slid.max(self.from))
    }
}

/// Blend the colour (each channel 0…255) with covers of these weights, each 0…1, in their order: later ones
/// lie on earlier ones.
#[must_use]
pub fn under(covers: &[Cover], weights: [f32; MOST], color: [f32; 3]) -> [f32; 3] {
    let layers = covers.iter().zip(weights);
    layers.fold(color, |below, (cover, weight)| {
        let over = cover.color.map(|v| v * 255.0);
        mix_colors(below, over, weight * cover.strength)
    })
}
