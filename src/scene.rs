//! The scene: every setting of a picture in one document. Undo, presets, sharing and export are
//! copies of it.

use serde::{Deserialize, Serialize};

use crate::generate::{Generator, Surface};
use crate::layer::{Layer, MOST_LAYERS};
use crate::modify::Modifier;
use crate::param::{OutOfRange, Params, few};
use crate::{choice, choice_param, float_param, int_param, switch_param};

mod analysis;
mod camera;
mod journey;
mod light;
mod material;
mod names;
mod set;
mod sky;
mod tables;
mod version;
mod water;

pub use analysis::{Analysis, GroundColor, Section};
pub use camera::{Camera, CameraMode, MOST_TARGET};
pub use journey::{Bookmark, CameraPath, KeyFrame, MOST_BOOKMARKS, MOST_SECONDS};
pub use light::{Fog, Light, angle_from_east};
pub use material::Material;
pub(crate) use names::read as read_with_scenes;
pub use sky::{Sky, SkyLight};
pub use version::{Later, VERSION, Version};
pub use water::{Water, WaterColor};

/// One landscape and the way it is looked at.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scene {
    /// The version of the scene; default the one of this program.
    pub version: Version,
    /// The ground.
    pub surface: Surface,
    /// Further maps laid over the ground, in this order, up to three; default none. A profile
    /// has none.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
    pub layers: Vec<Layer>,
    /// What is done to the ground and to its finer map, in this order; default nothing.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
    pub modifiers: Vec<Modifier>,
    /// The finer map that is baked into the ground's texture.
    pub teximage: Teximage,
    /// The map that clouds are made of.
    pub clouds: Clouds,
    /// How it is drawn.
    pub view: View,
    /// What the ground is examined for.
    pub analysis: Analysis,
    /// The cross-section; default none.
    #[serde(skip_serializing_if = "Section::is_absent")]
    pub section: Section,
    /// Where the sun stands.
    pub light: Light,
    /// What the ground of render type `landscape` is made of.
    pub material: Material,
    /// A sea or lakes.
    pub water: Water,
    /// The sky of render types `landscape` and `sky`.
    pub sky: Sky,
    /// Mist towards the horizon.
    pub fog: Fog,
    /// Where it is seen from.
    pub camera: Camera,
    /// Cameras with names, up to 100; default none.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
    pub bookmarks: Vec<Bookmark>,
    /// The way that a camera takes through the landscape; default none.
    #[serde(skip_serializing_if = "CameraPath::is_default")]
    pub path: CameraPath,
    /// Keys of a later version that this program does not know. In a scene's own text each stands
    /// in its place.
    #[serde(skip_serializing_if = "Later::is_empty")]
    pub later: Later,
}

choice! {
    /// What is drawn.
    pub enum RenderType: "render type" {
        Ridge = "1d", "A ridge line, made by midpoint displacement and repeated.";
        Lines = "lines", "Lines between all neighbouring samples.";
        Triangles = "triangles", "The surface as lit triangles, coloured by height.";
        Teximage = "teximage", "The finer map seen from straight above: the texture of `rendered`.";
        Clouds = "clouds", "The cloud texture.";
        #[default]
        Landscape = "landscape", "The landscape like a photograph: rock, snow, shadows, haze, a real sky.";
        Rendered = "rendered", "The surface under its baked texture, in fog, below a cloudy sky.";
        Sky = "sky", "The sky alone, with sun or moon and clouds; in camera mode `orbit` the pitch looks up, not down.";
        Map = "map", "The height map seen from above, from low to high along the palette.";
    }
}

choice! {
    /// How a texture is enlarged.
    pub enum Filter: "filter" {
        #[default]
        Linear = "linear", "Smooth transitions between texels.";
        Nearest = "nearest", "Each texel is a square.";
    }
}

choice! {
    /// How triangles are lit.
    pub enum Shading: "shading" {
        #[default]
        Smooth = "smooth", "Normals vary over the surface: no edges show.";
        Flat = "flat", "Each triangle has one normal: its edges show.";
    }
}

/// The finer map whose picture from above becomes the ground's texture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Teximage {
    /// Iterations of that map, 1…12; default 8.
    pub iterations: u32,
    /// Its H, 0…1; default 0.7.
    pub hurst: f32,
}

impl Default for Teximage {
    fn default() -> Self {
        Self {
            iterations: 8,
            hurst: 0.7,
        }
    }
}

impl Params for Teximage {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        int_param!(iterations, "Texture iterations", "", 1, 12, slider 12,
            "Iterations of the finer map that is baked into the ground's texture."),
        float_param!(
            hurst,
            "Texture H",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Hurst exponent of the finer map: 0 is rough, 1 is smooth."
        ),
    ];
}

/// The map that clouds are made of.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clouds {
    /// Iterations, 1…12; default 5.
    pub iterations: u32,
    /// H, 0…1; default 0.7.
    pub hurst: f32,
}

impl Default for Clouds {
    fn default() -> Self {
        Self {
            iterations: 5,
            hurst: 0.7,
        }
    }
}

impl Params for Clouds {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        int_param!(iterations, "Cloud iterations", "", 1, 12, slider 12,
            "Iterations of the cloud map: more iterations give finer clouds."),
        float_param!(
            hurst,
            "Cloud H",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Hurst exponent of the cloud map: 0 is ragged, 1 is soft."
        ),
    ];
}

/// How the landscape is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct View {
    /// What is drawn; default `landscape`.
    pub render_type: RenderType,
    /// The tile is repeated tile × tile times, 1…16; default 1.
    pub tile: u32,
    /// Name of the palette that colours by height, or the path of a palette file; default
    /// `alpine`.
    pub palette: String,
    /// Colours inverted; default off.
    pub invert: bool,
    /// Smooth lines and edges (4 samples a pixel); default on.
    pub antialias: bool,
    /// How textures are enlarged; default linear.
    pub filter: Filter,
    /// How triangles are lit; default smooth.
    pub shading: Shading,
    /// Error in pixels that the ground may have from being drawn coarser with distance, 0.25…8;
    /// default 1.
    pub detail: f32,
    /// Show diamond-square as it stands after this many passes, in steps of a half (0.5 is
    /// after the first diamond step), with its points marked; default none, the finished map.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass: Option<f32>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            render_type: RenderType::default(),
            tile: 1,
            palette: "alpine".to_owned(),
            invert: false,
            antialias: true,
            filter: Filter::default(),
            shading: Shading::default(),
            detail: 1.0,
            pass: None,
        }
    }
}

impl Params for View {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        choice_param!(render_type: RenderType, "Render type", "What is drawn."),
        int_param!(tile, "Tile", "tiles", 1, 16, slider 16,
            "How many times the tile is repeated along each side."),
        switch_param!(invert, "Invert colours", "Swap light and dark (for print)."),
        switch_param!(
            antialias,
            "Antialias",
            "Smooth lines and edges: four samples per pixel."
        ),
        choice_param!(filter: Filter, "Texture filter", "How textures are enlarged."),
        choice_param!(shading: Shading, "Shading", "How triangles are lit."),
        float_param!(
            detail,
            "Max. error",
            "px",
            0.25,
            8.0,
            slider(0.25, 4.0),
            "Largest drawing error in pixels: more is coarser in the distance, and faster."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::param::check_all(self, table)?;
        match self.pass {
            Some(pass) if !(0.0..=10.0).contains(&pass) || (pass * 2.0).fract() != 0.0 => {
                Err(OutOfRange {
                    key: format!("{table}.pass"),
                    value: pass.to_string(),
                    allowed: "0 to 10 in steps of 0.5".to_owned(),
                })
            }
            _ => Ok(()),
        }
    }
}

/// Why a text is not a scene, on one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// Not TOML, an unknown key, or a value of the wrong type.
    #[error("{message}, line {line}")]
    Syntax {
        /// What is wrong.
        message: String,
        /// The line, from 1.
        line: usize,
    },
    /// A value outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// No such key, or a value that the key does not take.
    #[error("{0}")]
    Set(String),
}

impl Scene {
    /// Reads a scene from TOML. Keys that are absent take their defaults.
    ///
    /// # Errors
    /// Unknown keys, wrong types and values out of range, with the line or the key. Unknown keys
    /// of a later version are kept, see [`Scene::later_words`].
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let scene: Self = match names::read(text, &[&[]]) {
            Ok(scene) => scene,
            Err(error) => {
                let later = version::read_later(text);
                return later.unwrap_or(Err(error));
            }
        };
        scene.validate()?;
        Ok(scene)
    }

    /// Words for the user where a later version of the program wrote keys that this one does not
    /// know.
    #[must_use]
    pub fn later_words(&self) -> Option<String> {
        let names = self.later.names();
        (!names.is_empty()).then(|| {
            format!(
                "scene version {} has keys that this program, which knows up to {VERSION}, keeps \
                 but does not use: {}",
                u32::from(self.version),
                names.join(", ")
            )
        })
    }

    /// The scene as TOML, every key written out, but of modifiers and layers only the options
    /// that are not as by default.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let text = |scene: &Self| toml::to_string_pretty(scene).expect("a scene is plain data");
        if self.later.is_empty() {
            return text(self);
        }
        let known = Self {
            later: Later::default(),
            ..self.clone()
        };
        self.later.restored(text(&known))
    }

    /// Checks every value against its range.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        self.surface.check("surface")?;
        self.surface.check_options("surface")?;
        if self.layers.len() > MOST_LAYERS {
            return Err(OutOfRange {
                key: "layers".to_owned(),
                value: format!("a list of {}", self.layers.len()),
                allowed: format!("at most {MOST_LAYERS} over the ground"),
            });
        }
        for (index, layer) in self.layers.iter().enumerate() {
            layer.check(&format!("layers.{index}"))?;
        }
        for (index, modifier) in self.modifiers.iter().enumerate() {
            modifier.validate(&format!("modifiers.{index}"))?;
        }
        self.teximage.check("teximage")?;
        self.clouds.check("clouds")?;
        self.view.check("view")?;
        self.analysis.check("analysis")?;
        self.section.check("section")?;
        self.light.check("light")?;
        self.material.check("material")?;
        self.water.check("water")?;
        self.sky.check("sky")?;
        self.fog.check("fog")?;
        self.camera.check("camera")?;
        journey::check_bookmarks(&self.bookmarks, "bookmarks")?;
        self.path.check("path")
    }

    /// Whether contours or a cross-section need the heights of the ground.
    #[must_use]
    pub fn needs_relief(&self) -> bool {
        let shows = matches!(self.render_type(), RenderType::Map | RenderType::Triangles);
        shows && (self.analysis.contours || self.section.is_drawn())
    }

    /// The layers that are there, each with its place in the list; none over a profile.
    pub fn layers_on(&self) -> impl Iterator<Item = (usize, &Layer)> {
        let profile = self.render_type() == RenderType::Ridge;
        let layers = self.layers.iter().enumerate();
        layers.filter(move |(_, layer)| layer.on && !profile)
    }

    /// The ground and the maps of all layers, on or off.
    pub fn surfaces(&self) -> impl Iterator<Item = &Surface> {
        std::iter::once(&self.surface).chain(self.layers.iter().map(|layer| &layer.surface))
    }

    /// As [`Scene::surfaces`], to be changed.
    pub fn surfaces_mut(&mut self) -> impl Iterator<Item = &mut Surface> {
        let layers = self.layers.iter_mut().map(|layer| &mut layer.surface);
        std::iter::once(&mut self.surface).chain(layers)
    }

    /// Height of the water where there is any, half tiles.
    #[must_use]
    pub fn water_level(&self) -> Option<f32> {
        let wet = self.water.enabled && self.render_type() == RenderType::Landscape;
        wet.then_some(self.water.level)
    }

    /// What is drawn: a profile is always drawn as a ridge.
    #[must_use]
    pub fn render_type(&self) -> RenderType {
        match self.surface.generator {
            Generator::Midpoint1d => RenderType::Ridge,
            _ => self.view.render_type,
        }
    }
}

fn syntax(text: &str, error: &toml::de::Error) -> SceneError {
    let start = error.span().map_or(0, |span| span.start);
    SceneError::Syntax {
        message: one_line(error.message()),
        line: text[..start.min(text.len())].matches('\n').count() + 1,
    }
}

/// A message of the parser's in one line, in words rather than in types.
fn one_line(message: &str) -> String {
    let mut line = message.split_whitespace().collect::<Vec<_>>().join(" ");
    // Where keys of later versions are kept: it is none.
    line = line.replace(", `later`", "");
    for (type_, words) in [
        ("u32", "a whole number from 0 to 4294967295"),
        ("u64", "a whole number from 0 to 18446744073709551615"),
        ("f32", "a number"),
        ("f64", "a number"),
    ] {
        if let Some(start) = line.strip_suffix(&format!("expected {type_}")) {
            line = format!("{start}expected {words}");
        }
    }
    line
}
