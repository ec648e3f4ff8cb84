//! Presets: whole scenes that come with the program, each a file in `assets/presets`.

use std::sync::OnceLock;

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
    "alpine", "Snow-capped ranges under summer clouds: where the program starts.";
    "desert", "Low red hills in the afternoon, the first passes weakened by hand.";
    "rolling-hills", "Autumn woods on smooth Gaussian hills, the range shrinking at every half step.";
    "crags", "Rough and steep: H 0.66 over glowing depths.";
    "jacksboro", "A real valley in Tennessee, diamond-square adding the detail that it lacks.";
    "atlas", "A height map from above in the colours of a school atlas.";
    "wireframe", "Sixty-four cells a side as lines.";
    "ridge", "Midpoint displacement in one dimension, twice around.";
    "sky", "Fractal clouds.";
    "passes", "Two passes of diamond-square, stopped in the middle: new points in orange.";
    "martz-1997", "Martz's example program as it started: two iterations, drawn as lines.";
    "quick-start", "The quick start of Martz's article: a fractal surface under a fractal sky.";
}

/// The scene of a first start and of "Reset all": the first preset.
#[must_use]
pub fn start() -> &'static Scene {
    static START: OnceLock<Scene> = OnceLock::new();
    START.get_or_init(|| PRESETS[0].scene())
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
