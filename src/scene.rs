//! The scene: every setting of a picture in one document. Undo, presets, sharing and export are
//! copies of it.

use crate::generate::{Generator, Surface};
use crate::layer::{Layer, MOST_LAYERS};
use crate::param::{OutOfRange, Params};
use crate::words;

mod analysis;
mod camera;
mod journey;
mod light;
mod material;
mod names;
mod set;
mod sky;
mod tables;
mod textures;
mod version;
mod view;
mod water;

pub use analysis::{Analysis, GroundColor, Section};
pub use camera::{Camera, CameraMode, MOST_TARGET};
pub use journey::{Bookmark, CameraPath, KeyFrame, MOST_BOOKMARKS, MOST_SECONDS};
pub use light::{Fog, Light, angle_from_east};
pub use material::Material;
#[cfg(feature = "window")]
pub(crate) use names::read as read_with_scenes;
pub use sky::{Sky, SkyLight};
pub use tables::{PairVisitor, Scene};
pub use textures::{Clouds, Teximage};
pub use version::{Later, VERSION, Version};
pub use view::{Filter, RenderType, Shading, View};
pub use water::{Water, WaterColor};

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
        journey::check_bookmarks(&self.bookmarks, "bookmarks")?;
        self.check_tables()
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
        message: plain(error.message()),
        line: text[..start.min(text.len())].matches('\n').count() + 1,
    }
}

/// A message of the parser's in one line, in words rather than in types.
fn plain(message: &str) -> String {
    let mut line = words::one_line(message);
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
