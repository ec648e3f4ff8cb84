//! What lies on the ground of a palette where water has worked: one colour for each thing that tells.

use serde::{Deserialize, Serialize};

use crate::numbers::mix_colors;

/// The most covers of a palette: one for each channel of a texture.
pub const MOST: usize = 4;

/// What a cover goes by. All of it is told by what erosion has done, and none of it by how many
/// samples a map has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum By {
    /// How thick the sediment is that erosion has left, as a share of the relief, which is the
    /// height from the lowest to the highest point: 0.01 is a hundredth of it.
    Sediment,
    /// How much rock erosion has taken, as a multiple of the mean around: less than 1 on ridges,
    /// more in gullies.
    Wear,
    /// How near the ground is to flowing water, 0…1: as much as the river that it drains to is
    /// large, and less the higher the ground lies above it and the longer the way there is.
    Wetness,
    /// How steep the ground just above is, in degrees: scree lies at the foot of cliffs.
    Scree,
    /// How well grass grows, 0…1: as well as the ground is wet, where it is gentle or sediment lies
    /// on it.
    Grass,
}

/// A colour that lies over those by height, where erosion has been.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cover {
    /// What it goes by.
    pub by: By,
    /// Red, green and blue as shown on the screen (sRGB), each 0…1.
    pub color: [f32; 3],
    /// Where it begins, in the unit of what it goes by, 0 and up.
    pub from: f32,
    /// From where on it lies in full; between both it fades. If it is less than `from`, the cover
    /// lies where there is little.
    pub to: f32,
    /// How much of the colours below it hides, 0…1; default 1.
    #[serde(default = "one")]
    pub strength: f32,
    /// The steepest slope that it lies on, in degrees, 0…90; default 90. It fades over six degrees
    /// to either side.
    #[serde(default = "upright")]
    pub steepest: f32,
    /// The greatest height that it lies on, from the lowest, 0, to the highest, 1; default 1. It
    /// fades over the twentieth of the relief below.
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
    /// What is wrong with it, and what is allowed.
    pub(super) fn check(&self) -> Result<(), String> {
        let unit = |value: f32| (0.0..=1.0).contains(&value);
        let wrong = |key: &str, value: f32, allowed: &str| {
            Err(format!("{key} of a cover is {value}, allowed is {allowed}"))
        };
        if !self.color.iter().all(|v| unit(*v)) {
            let color = self.color;
            return Err(format!("a cover has colour {color:?}, allowed is 0 to 1"));
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

/// Where snow lies among a palette's colours, so that render type `landscape` moves it as sun and
/// slopes do. Level ground keeps the colours by height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snow {
    /// The height from which on the stops are snow, from the lowest, 0, to the highest, 1.
    pub from: f32,
    /// How much lower it lies on walls that face north, and higher on those that face south, as a
    /// share of the relief, 0…1; default 0.1. On slopes it is less, by the sine of the slope. The
    /// colours below the snow move alike.
    #[serde(default = "side")]
    pub side: f32,
    /// How much higher it begins on walls, from which it slides, as a share of the relief, 0…1;
    /// default 0.3. On slopes it is less, as the square of the sine.
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
    /// What is wrong with it, and what is allowed.
    pub(super) fn check(&self) -> Result<(), String> {
        for (key, value) in [
            ("from", self.from),
            ("side", self.side),
            ("slide", self.slide),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("{key} of snow is {value}, allowed is 0 to 1"));
            }
        }
        Ok(())
    }

    /// The height whose colours ground at `height` has, both 0…1, if its unit normal is (x, up,
    /// south). `shaders/common/material.glsl` does the same.
    #[must_use]
    pub fn seen_at(&self, height: f32, up: f32, south: f32) -> f32 {
        let shaded = height - self.side * south;
        let slid = shaded - self.slide * (1.0 - up * up);
        shaded.min(slid.max(self.from))
    }
}

/// The colour (each channel 0…255) under covers of these weights, each 0…1, in their order: later ones
/// lie on earlier ones.
#[must_use]
pub fn under(covers: &[Cover], weights: [f32; MOST], color: [f32; 3]) -> [f32; 3] {
    let layers = covers.iter().zip(weights);
    layers.fold(color, |below, (cover, weight)| {
        let over = cover.color.map(|v| v * 255.0);
        mix_colors(below, over, weight * cover.strength)
    })
}
