//! Presets: built-in scenes, one file each below `assets/presets`.

use std::sync::OnceLock;

use crate::scene::Scene;

/// Built-in scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Preset {
    /// The name in the command line and in the window.
    pub name: &'static str,
    /// One line of description.
    pub help: &'static str,
    /// The group in which it is listed.
    pub group: Group,
    /// The scene, as TOML.
    pub text: &'static str,
}

/// Group of presets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Landscapes, and figures of the article.
    Landscapes,
    /// One scene per generator, with the generator's name.
    Generators,
    /// One scene per modifier, with the modifier's name.
    Modifiers,
}

/// Table of presets: group and folder; file name without `.toml`, and one line of description.
macro_rules! presets {
    ($($group:ident in $folder:literal { $($name:literal, $help:literal;)+ })+) => {
        const PRESETS: &[Preset] = &[$($(Preset {
            name: $name,
            help: $help,
            group: Group::$group,
            text: include_str!(concat!("../../../assets/presets/", $folder, $name, ".toml")),
        },)+)+];
    };
}

presets! {
    Landscapes in "" {
        "alpine", "A summit of rock and snow over valleys that branch: where the program starts.";
        "river-valley", "Green valleys run together below a snowy range.";
        "canyon", "A river's way down through seven steps of red rock.";
        "fjord", "The sea between mountains, far into the land.";
        "badlands", "Banded clay, cut into ridges by every rain.";
        "volcano", "A cone of ash and cinders rises from the sea, gullied to the shore.";
        "old-hills", "Mountains worn down to heather and grass.";
        "island-noon", "A bay and its islets in a clear blue sea.";
        "alpine-dawn", "The first sun on snowy summits, the valleys still blue.";
        "desert-mesas", "Table mountains and buttes over a sandy plain.";
        "foggy-hills", "Autumn hills rise from the morning's fog.";
        "moonlit-lake", "Snowy mountains around a lake, by the light of the full moon.";
        "powers-of-ten", "An island in the ocean; its camera path goes down ten powers of ten to a pebble.";
        "desert", "Low red hills in the afternoon, the first passes weakened by hand.";
        "rolling-hills", "Autumn woods on smooth Gaussian hills, the range shrinking at every half step.";
        "crags", "Rough and steep: H 0.66 over glowing depths.";
        "jacksboro", "A real valley in Tennessee, diamond-square adding the detail that it lacks.";
        "caldera", "A lake in a ring of pins set by hand; diamond-square goes through each.";
        "craters", "A layer of hills turned upside down, on the moon.";
        "faulted", "A fractal broken by a layer of fourteen earthquakes.";
        "atlas", "A height map from above in the colours of a school atlas.";
        "wireframe", "Sixty-four cells a side as lines.";
        "ridge", "Midpoint displacement in one dimension, twice around.";
        "sky", "Fractal clouds.";
        "passes", "Two passes of diamond-square, stopped in the middle: new points in orange.";
        "martz-1997", "Martz's example program as it started: two iterations, drawn as lines.";
        "quick-start", "The quick start of Martz's article: a fractal surface under a fractal sky.";
    }
    Generators in "generators/" {
        "diamond-square", "Green valleys between snowy shoulders.";
        "midpoint-1d", "A long ridge line, H 0.9.";
        "midpoint", "A sandstone plateau; a crease along its middle lines.";
        "square-square", "Autumn hills without a crease.";
        "successive-random-additions", "A snowy basin, as rough along the first lines as elsewhere.";
        "random-deposition", "Two hundred and fifty rectangles of slate.";
        "fault", "Three hundred cuts, softened.";
        "perlin", "Ridged noise: icy arêtes above blue clefts.";
        "hill", "Round hills, their valleys flattened.";
        "fourier", "A horn and its valleys, made of sine waves.";
        "wavelet", "A volcano of random wavelets.";
        "image", "A valley in Tennessee as it was measured.";
        "formula", "A ripple dying away over dunes, in one line of algebra.";
    }
    Modifiers in "modifiers/" {
        "normalize", "Low hills stretched to a range.";
        "power", "Wide valleys: heights to the power of 2.2.";
        "level", "The land lifted out of the sea.";
        "flatten", "Plains between the mountains.";
        "smooth-detail", "Rough ice, its finest detail smoothed twice.";
        "stitch", "A map that did not tile, four times without a seam.";
        "edge-fade", "A mountain island with a square shore.";
        "island", "Two hills and a lagoon.";
        "perlin-blend", "Smooth hills with the texture of noise.";
        "blur", "Rough land under a heavy Gaussian.";
        "invert", "Ridges upside down: red domes over sharp gorges.";
        "clamp", "Mesas and salt flats: cut off above and below.";
        "terrace", "Rice fields.";
        "strata", "A canyon through tilted beds of hard and soft rock.";
        "quantize", "Heights in twenty-four steps, as from a map of few bits.";
        "erosion", "A fractal that rivers have made into ranges and valleys.";
        "thermal", "A jagged fractal whose cliffs have become slopes of scree.";
    }
}

/// The scene of the first start and of "Reset all": the first preset.
#[must_use]
pub fn start() -> &'static Scene {
    static START: OnceLock<Scene> = OnceLock::new();
    START.get_or_init(|| PRESETS[0].scene())
}

/// All presets, in display order.
#[must_use]
pub fn presets() -> &'static [Preset] {
    PRESETS
}

impl Preset {
    /// Find a preset by name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// Parse the preset's scene.
    #[must_use]
    pub fn scene(&self) -> Scene {
        Scene::parse(self.text).expect("a preset is a valid scene")
    }
}
