//! Palettes: colour gradients by height with stops. A built-in palette is a file in `assets/palettes`; a scene
//! can have one of its own.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::cover::{self, Cover, Snow};
use crate::util::param::UnknownName;

/// Largest number of stops of a gradient.
pub const MOST_STOPS: usize = 256;

/// Gradient from the lowest height (0) to the highest (1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Palette {
    /// Name of the palette in the scene; if absent, that of its file.
    #[serde(default)]
    pub name: String,
    /// Description in one line.
    #[serde(default)]
    pub help: String,
    /// Colour stops, at least one, with rising positions; equal positions make a hard step.
    pub stops: Vec<Stop>,
    /// Colours of steep faces by height, where render type `landscape` shows bare rock; if absent, a grey
    /// made from the other colours.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steep: Vec<Stop>,
    /// Position of snow; if absent, render type `landscape` colours by height alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snow: Option<Snow>,
    /// Covers of eroded ground, up to four, later ones over earlier ones; if absent, none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<Cover>,
}

/// Colour stop of a gradient.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stop {
    /// Position between the lowest height, 0, and the highest, 1.
    pub at: f32,
    /// Red, green and blue as shown on the screen (sRGB), each 0…1.
    pub color: [f32; 3],
}

/// Built-in palettes; to add one, add a file and a line here.
const BUILTIN: &[&str] = &[
    include_str!("../../assets/palettes/martz.toml"),
    include_str!("../../assets/palettes/alpine.toml"),
    include_str!("../../assets/palettes/summits.toml"),
    include_str!("../../assets/palettes/moor.toml"),
    include_str!("../../assets/palettes/desert.toml"),
    include_str!("../../assets/palettes/badlands.toml"),
    include_str!("../../assets/palettes/ash.toml"),
    include_str!("../../assets/palettes/volcanic.toml"),
    include_str!("../../assets/palettes/arctic.toml"),
    include_str!("../../assets/palettes/atlas.toml"),
    include_str!("../../assets/palettes/autumn.toml"),
    include_str!("../../assets/palettes/island.toml"),
    include_str!("../../assets/palettes/grey.toml"),
];

impl Palette {
    /// All built-in palettes, in display order.
    pub fn builtin() -> &'static [Self] {
        static PALETTES: OnceLock<Vec<Palette>> = OnceLock::new();
        PALETTES.get_or_init(|| {
            let parse = |text: &&str| Self::parse(text).expect("a built-in palette is valid");
            BUILTIN.iter().map(parse).collect()
        })
    }

    /// Look up a built-in palette by name.
    ///
    /// # Errors
    /// There is no palette of that name.
    pub fn named(name: &str) -> Result<&'static Self, UnknownName> {
        let all = Self::builtin();
        let found = all.iter().find(|palette| palette.name == name);
        found.ok_or_else(|| {
            let names: Vec<_> = all.iter().map(|p| p.name.as_str()).collect();
            UnknownName {
                what: "palette",
                value: name.to_owned(),
                allowed: format!("{}, or the path of a .toml file", names.join(", ")),
            }
        })
    }

    /// Parse a palette from TOML.
    ///
    /// # Errors
    /// The text is not TOML, has no stops, has positions or colours outside 0…1 or out of order, more
    /// than four covers, or a number of snow or a cover that is not allowed; the message is one line.
    pub fn parse(text: &str) -> Result<Self, String> {
        let palette: Self = toml::from_str(text).map_err(|error| {
            let line = error
                .span()
                .map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            format!("{}, line {line}", error.message().replace('\n', " "))
        })?;
        palette.check()?;
        Ok(palette)
    }

    /// Check the stops and the numbers of snow and covers.
    ///
    /// # Errors
    /// The same as those of [`Palette::parse`] for a text that is TOML.
    pub fn check(&self) -> Result<(), String> {
        let unit = |v: f32| (0.0..=1.0).contains(&v);
        if self.stops.is_empty() {
            return Err("a palette needs at least one stop".to_owned());
        }
        if self.stops.len().max(self.steep.len()) > MOST_STOPS {
            return Err(format!("more than {MOST_STOPS} stops"));
        }
        for stop in self.stops.iter().chain(&self.steep) {
            if !unit(stop.at) || !stop.color.iter().all(|v| unit(*v)) {
                return Err(format!(
                    "stop at {} with colour {:?}; allowed: 0 to 1",
                    stop.at, stop.color
                ));
            }
        }
        if ![&self.stops, &self.steep]
            .iter()
            .all(|stops| stops.is_sorted_by_key(|stop| stop.at))
        {
            return Err("the stops' positions must rise".to_owned());
        }
        if self.covers.len() > cover::MOST {
            return Err(format!(
                "{} covers; allowed: up to {}",
                self.covers.len(),
                cover::MOST
            ));
        }
        self.covers.iter().try_for_each(Cover::check)?;
        self.snow.iter().try_for_each(Snow::check)
    }

    /// Serialize the palette as TOML; [`Palette::parse`] restores it.
    ///
    /// # Panics
    /// Never: a palette is plain data.
    #[must_use]
    pub fn to_toml(&self) -> String {
        toml::to_string_pretty(self).expect("a palette is plain data")
    }

    /// Colour (sRGB, 0…1) at a position; 0 is the lowest height and 1 the highest.
    #[must_use]
    pub fn color(&self, at: f32) -> [f32; 3] {
        color(&self.stops, at)
    }

    /// Colour (sRGB, 0…1) of a steep face at a position, as for [`Palette::color`].
    #[must_use]
    pub fn steep_color(&self, at: f32) -> [f32; 3] {
        if !self.steep.is_empty() {
            return color(&self.steep, at);
        }
        let [r, g, b] = self.color(at);
        let grey = 0.3 * r + 0.6 * g + 0.1 * b;
        // Rock is neither as dark as woods nor as bright as snow.
        let bare = 0.32 + 0.28 * grey;
        [r, g, b].map(|v| bare * (0.7 + 0.3 * v / grey.max(0.05)).min(1.2))
    }

    /// Covers with their opacity scaled by `strength`, 0…1; empty at 0.
    #[must_use]
    pub fn covers_of(&self, strength: f32) -> Vec<Cover> {
        let covers = self.covers.iter().filter(|_| strength > 0.0);
        let weaker = |cover: &Cover| Cover {
            strength: cover.strength * strength,
            ..*cover
        };
        covers.map(weaker).collect()
    }

    /// Sample the gradient as `count` 8-bit colours, evenly spaced from 0 to 1.
    #[must_use]
    pub fn table(&self, count: usize) -> Vec<[u8; 3]> {
        (0..count)
            .map(|i| {
                self.color((i as f32 + 0.5) / count as f32)
                    .map(|v| (v * 255.0).round() as u8)
            })
            .collect()
    }
}

/// Interpolate the colour at a position between rising stops, of which there is at least one.
fn color(stops: &[Stop], at: f32) -> [f32; 3] {
    let after = stops.partition_point(|stop| stop.at <= at);
    let Some(next) = stops.get(after) else {
        return stops[stops.len() - 1].color;
    };
    let Some(before) = after.checked_sub(1).map(|i| stops[i]) else {
        return next.color;
    };
    let t = (at - before.at) / (next.at - before.at);
    std::array::from_fn(|i| before.color[i] + (next.color[i] - before.color[i]) * t)
}
