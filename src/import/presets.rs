//! Presets: whole scenes that come with the program, each a file in `assets/presets`.

use crate::scene::Scene;

/// A scene that comes with the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// What the command line and the window call it.
    pub name: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// The scene, as TOML.
    pub text: &'static str,
}

/// The list: file name without `.toml`, one line of help.
macro_rules! presets {
    ($($name:literal, $help:literal;)+) => {
        const PRESETS: &[Preset] = &[$(Preset {
            name: $name,
            help: $help,
            text: include_str!(concat!("../../assets/presets/", $name, ".toml")),
        },)+];
    };
}

presets! {
    "martz-1997", "Martz's example program as it started: two iterations, drawn as lines.";
    "quick-start", "The quick start of Martz's article: a fractal surface under a fractal sky.";
}

/// Every preset, in the order shown.
#[must_use]
pub fn presets() -> &'static [Preset] {
    PRESETS
}

impl Preset {
    /// The preset of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Its scene.
    #[must_use]
    pub fn scene(&self) -> Scene {
        Scene::parse(self.text).expect("a preset is a valid scene")
    }
}
