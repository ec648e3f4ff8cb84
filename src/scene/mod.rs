//! Scene description: every setting of a picture in one document. Undo, presets, sharing and export
//! work on copies of it.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;

mod camera;
pub mod cover;
mod document;
mod ecosystems;
mod film;
mod light;
mod material;
pub mod palette;
mod plants;
pub mod relevance;
mod rock;
mod settings;
mod snow;
pub mod vary;
mod view;

use crate::generate::{Detail, GenerateError, Generator, MAX_ITERATIONS_IN_MEMORY, Surface};
use crate::modify::layer::{Layer, MOST_LAYERS};
use crate::modify::mask::Mask;
use crate::modify::{Modifier, ModifierKind, Named};
use crate::util::language::tr;
use crate::util::param::{OutOfRange, Params, TableVisitor, Tables, few, tables};
use crate::util::words;

pub use camera::{
    Bookmark, Camera, CameraMode, CameraPath, KeyFrame, LEAST_DISTANCE, LEAST_SPEED,
    MOST_BOOKMARKS, MOST_SECONDS, MOST_TARGET,
};
pub use document::{Difference, Later, VERSION, Version};
pub use ecosystems::Ecosystem;
pub use film::{Film, Settings, SettingsKey};
pub use light::{Fog, Light, Sky, SkyLight, SunBy, angle_from_east};
pub use material::{Clouds, Material, Teximage, Water, WaterColor};
pub use plants::{MOST_PLANT_LAYERS, PlantKind, PlantLayer};
pub use rock::{Rock, RockKind};
pub use settings::{Setting, value_of, written};
pub use snow::Snow;
pub use view::{Analysis, Filter, GroundColor, RenderType, Section, Shading, View};

use camera::check_bookmarks;
use document::read_other_version;
use palette::Palette;

/// Error for a text that is not a scene, with a message of one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SceneError {
    /// The text is not TOML, has an unknown key, or has a value of the wrong type.
    #[error("{}", tr!("{message}, line {line}", message, line))]
    Syntax {
        /// Description of the error.
        message: String,
        /// Line number, counted from 1.
        line: usize,
    },
    /// Value outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Unknown key, or a value that the key does not take.
    #[error("{0}")]
    Set(String),
}

impl Scene {
    /// Parse a scene from TOML. Absent keys take their defaults. Unknown keys of a later version are
    /// kept, see [`Scene::later_words`].
    ///
    /// # Errors
    /// A key is unknown, a value has the wrong type or is out of range, or the version is older than
    /// [`VERSION`]; the error names the line, the key or the version.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let scene: Self = match from_toml(text) {
            Ok(scene) => scene,
            Err(error) => return read_other_version(text).unwrap_or(Err(error)),
        };
        scene.validate()?;
        Ok(scene)
    }

    /// Message for the user if the scene has keys of a later version of the program that this version
    /// does not use.
    #[must_use]
    pub fn later_words(&self) -> Option<String> {
        let names = self.later.names();
        (!names.is_empty()).then(|| {
            tr!(
                "the scene has version {}, this program supports up to {VERSION}: it keeps these \
                 keys but does not use them: {}",
                u32::from(self.version),
                names.join(", "),
                VERSION
            )
        })
    }

    /// Serialize the scene as TOML with every key written out. Modifiers and layers list only the
    /// options that differ from the defaults.
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

    /// Check every value against its range.
    ///
    /// # Errors
    /// A value is outside its range; the error names the first one.
    pub fn validate(&self) -> Result<(), OutOfRange> {
        self.surface.check("surface")?;
        if self.layers.len() > MOST_LAYERS {
            return Err(OutOfRange {
                key: "layers".to_owned(),
                value: tr!("a list of {}", self.layers.len()),
                allowed: tr!("at most {MOST_LAYERS} over the ground", MOST_LAYERS),
            });
        }
        for (index, layer) in self.layers.iter().enumerate() {
            layer.check(&format!("layers.{index}"))?;
        }
        for (index, modifier) in self.modifiers.iter().enumerate() {
            modifier.validate(&format!("modifiers.{index}"))?;
        }
        if self.plants.len() > MOST_PLANT_LAYERS {
            return Err(OutOfRange {
                key: "plants".to_owned(),
                value: tr!("a list of {}", self.plants.len()),
                allowed: tr!(
                    "at most {MOST_PLANT_LAYERS} layers of plants",
                    MOST_PLANT_LAYERS
                ),
            });
        }
        for (index, layer) in self.plants.iter().enumerate() {
            layer.check(&format!("plants.{index}"))?;
        }
        self.check_tables("")?;
        self.check_film()?;
        if let Some(palette) = &self.palette {
            palette.check().map_err(|wrong| OutOfRange {
                key: "palette".to_owned(),
                value: tr("one that is not valid").to_owned(),
                allowed: wrong,
            })?;
        }
        check_bookmarks(&self.bookmarks, "bookmarks")
    }

    /// Check everything that can be checked before the scene is rendered: every value against its range,
    /// the size of the map, and the presence of the images and the water that steps depend on.
    ///
    /// # Errors
    /// The first problem that prevents the picture.
    pub fn validate_picture(&self) -> Result<(), GenerateError> {
        self.validate()?;
        self.surface.validate(MAX_ITERATIONS_IN_MEMORY)?;
        self.surface.check_input()?;
        let water = self.water.height();
        for (index, layer) in self.layers_on() {
            let checked = layer.surface.check_input().map_err(Box::new);
            checked.map_err(|source| GenerateError::Layer { index, source })?;
            (layer.mask).check_water(water, &format!("layers.{index}.mask"))?;
        }
        for (index, modifier) in self.modifiers_on() {
            (modifier.mask).check_water(water, &format!("modifiers.{index}.mask"))?;
        }
        Ok(())
    }

    /// True if contours or a cross-section need the heights of the ground.
    #[must_use]
    pub fn needs_relief(&self) -> bool {
        let shows = matches!(self.render_type(), RenderType::Map | RenderType::Triangles);
        shows && (self.analysis.contours || self.section.is_drawn())
    }

    /// Active layers, each with its index in the list; a profile has none.
    pub fn layers_on(&self) -> impl Iterator<Item = (usize, &Layer)> {
        let (profile, solo) = (self.render_type() == RenderType::Ridge, self.is_soloed());
        let layers = self.layers.iter().enumerate();
        layers.filter(move |(_, layer)| layer.acts() && !profile && (!solo || layer.solo))
    }

    /// Active modifiers, each with its index in the list.
    pub fn modifiers_on(&self) -> impl Iterator<Item = (usize, &Modifier)> {
        let solo = self.is_soloed();
        let modifiers = self.modifiers.iter().enumerate();
        modifiers.filter(move |(_, modifier)| modifier.acts() && (!solo || modifier.solo))
    }

    /// True if layers, modifiers or beds of rock change the heights of the generator. A ridge has neither
    /// layers nor rock.
    #[must_use]
    pub fn is_modified(&self) -> bool {
        let has_beds = self.rock.has_beds() && self.render_type() != RenderType::Ridge;
        has_beds || self.layers_on().next().is_some() || self.modifiers_on().next().is_some()
    }

    /// All modifiers at their indices with solo resolved into `on`: those silenced by another's solo are
    /// off.
    #[must_use]
    pub fn modifiers_as_they_act(&self) -> Vec<Modifier> {
        let solo = self.is_soloed();
        let modifiers = self.modifiers.iter().map(|modifier| Modifier {
            on: modifier.on && (!solo || modifier.solo),
            solo: false,
            ..modifier.clone()
        });
        modifiers.collect()
    }

    /// Clear every solo flag, so that all layers and modifiers that are on act.
    pub fn end_solo(&mut self) {
        self.layers.iter_mut().for_each(|layer| layer.solo = false);
        let modifiers = self.modifiers.iter_mut();
        modifiers.for_each(|modifier| modifier.solo = false);
    }

    /// True if a step is soloed, so that only soloed layers and modifiers act. A step that is off does
    /// not count, nor does a layer over a profile.
    #[must_use]
    pub fn is_soloed(&self) -> bool {
        let profile = self.render_type() == RenderType::Ridge;
        let layers = self.layers.iter().any(|layer| layer.on && layer.solo);
        let mut modifiers = self.modifiers.iter();
        (layers && !profile) || modifiers.any(|modifier| modifier.on && modifier.solo)
    }

    /// Copy without the names of layers, modifiers and plants, which change no landscape.
    #[must_use]
    pub fn without_names(&self) -> Self {
        let mut scene = self.clone();
        scene.layers.iter_mut().for_each(|item| item.name.clear());
        (scene.modifiers.iter_mut()).for_each(|item| item.name.clear());
        scene.plants.iter_mut().for_each(|item| item.name.clear());
        scene
    }

    /// Surface of the ground, then those of all layers, on or off.
    pub fn surfaces(&self) -> impl Iterator<Item = &Surface> {
        std::iter::once(&self.surface).chain(self.layers.iter().map(|layer| &layer.surface))
    }

    /// Mutable version of [`Scene::surfaces`].
    pub fn surfaces_mut(&mut self) -> impl Iterator<Item = &mut Surface> {
        let layers = self.layers.iter_mut().map(|layer| &mut layer.surface);
        std::iter::once(&mut self.surface).chain(layers)
    }

    /// Layers of plants that are on, each with its index in the list; a profile has none.
    pub fn plants_on(&self) -> impl Iterator<Item = (usize, &PlantLayer)> {
        let profile = self.render_type() == RenderType::Ridge;
        let plants = self.plants.iter().enumerate();
        plants.filter(move |(_, layer)| layer.acts() && !profile)
    }

    /// Share of the leaves of a layer of plants that have turned, by its index; 0 without such a layer.
    #[must_use]
    pub fn autumn_of(&self, layer: usize) -> f32 {
        self.plants.get(layer).map_or(0.0, |layer| layer.autumn)
    }

    /// Masks of all layers, modifiers and plants, on or off.
    pub fn masks(&self) -> impl Iterator<Item = &Mask> {
        let layers = self.layers.iter().map(|layer| &layer.mask);
        let plants = self.plants.iter().map(|layer| &layer.mask);
        let modifiers = self.modifiers.iter().map(|modifier| &modifier.mask);
        layers.chain(modifiers).chain(plants)
    }

    /// Mutable paths of all images that the scene uses, each with its checksum. The image of a mask is
    /// included only if the mask is based on it.
    pub fn images_mut(&mut self) -> impl Iterator<Item = (&mut PathBuf, &mut String)> {
        let surfaces = std::iter::once(&mut self.surface);
        let (layers, masks): (Vec<_>, Vec<_>) = (self.layers.iter_mut())
            .map(|layer| (&mut layer.surface, &mut layer.mask))
            .unzip();
        let inputs = surfaces.chain(layers).filter_map(|surface| {
            let checksum = &mut surface.input_checksum;
            surface.input.as_mut().map(|input| (input, checksum))
        });
        let modifiers = self.modifiers.iter_mut();
        let masks = masks.into_iter().chain(modifiers.map(|m| &mut m.mask));
        let masks = masks.chain(self.plants.iter_mut().map(|layer| &mut layer.mask));
        inputs.chain(masks.flat_map(Mask::images_mut))
    }

    /// Image paths of all masks that are based on an image.
    pub fn mask_images(&self) -> impl Iterator<Item = &Path> {
        self.masks().flat_map(Mask::images)
    }

    /// Height of the water that is drawn, in half tiles; `None` if no water is drawn.
    #[must_use]
    pub fn water_level(&self) -> Option<f32> {
        let height = self.water.height();
        height.filter(|_| self.render_type() == RenderType::Landscape)
    }

    /// Water for render types that show the sea as a map does, coloured by depth. `None` if there is no
    /// water, or in render type `landscape`, which draws a sea to the horizon.
    #[must_use]
    pub fn charted_water(&self) -> Option<&Water> {
        use RenderType::{Clouds, Landscape, Sky};
        let shows = !matches!(self.render_type(), Clouds | Landscape | Sky);
        (self.water.enabled && shows).then_some(&self.water)
    }

    /// Messages for the user about settings without effect: erosion of a ridge, key frames for items that
    /// do not exist, and steps silenced by the solo of others.
    #[must_use]
    pub fn notices(&self) -> Vec<String> {
        let erodes = |step: &Modifier| step.kind == ModifierKind::Erosion;
        let idle = (self.modifiers_on())
            .filter(|(_, step)| self.render_type() == RenderType::Ridge && erodes(step))
            .map(|(index, _)| {
                tr!("modifiers.{index}: a ridge has nothing to erode, so erosion leaves it as it is", index)
            });
        let of_film = self.idle_film_keys().into_iter().map(|key| {
            tr!(
                "film: {key} belongs to an item that the scene does not have, so it has no effect",
                key
            )
        });
        let solo = self.solo_words().into_iter();
        solo.chain(idle).chain(of_film).collect()
    }

    /// Message that lists the soloed steps, if they silence others.
    fn solo_words(&self) -> Option<String> {
        let layers = self.layers_on();
        let layers = layers.map(|(index, layer)| format!("layers.{index} ({})", layer.label()));
        let modifiers = self.modifiers_on();
        let modifiers =
            modifiers.map(|(index, step)| format!("modifiers.{index} ({})", step.label()));
        let act: Vec<_> = layers.chain(modifiers).collect();
        let mut whole = self.clone();
        whole.end_solo();
        let all = whole.layers_on().count() + whole.modifiers_on().count();
        (act.len() < all).then(|| {
            let act = match act.is_empty() {
                true => tr("none that is active").to_owned(),
                false => act.join(", "),
            };
            tr!(
                "other layers and modifiers are inactive while these are soloed: {act}",
                act
            )
        })
    }

    /// Copy light and colours from another scene: sun, sky, fog, material and palette.
    pub fn take_light_and_colors(&mut self, other: &Self) {
        self.light.clone_from(&other.light);
        self.sky.clone_from(&other.sky);
        self.fog.clone_from(&other.fog);
        self.material.clone_from(&other.material);
        self.view.palette.clone_from(&other.view.palette);
        self.palette.clone_from(&other.palette);
        self.view.invert = other.view.invert;
    }

    /// True if the ground is made in passes that can be shown alone: by diamond-square, or as a ridge.
    #[must_use]
    pub fn has_passes(&self) -> bool {
        let is_ridge = self.render_type() == RenderType::Ridge;
        is_ridge || self.surface.generator == Generator::DiamondSquare
    }

    /// True if a single pass is shown instead of the finished map.
    #[must_use]
    pub fn shows_pass(&self) -> bool {
        self.view.pass.is_some() && self.has_passes()
    }

    /// Effective render type: a profile is always drawn as a ridge.
    #[must_use]
    pub fn render_type(&self) -> RenderType {
        match self.surface.generator {
            Generator::Midpoint1d => RenderType::Ridge,
            _ => self.view.render_type,
        }
    }

    /// True if the picture adds finer levels of detail than the map's samples close to the camera.
    #[must_use]
    pub fn shows_below(&self) -> bool {
        let shown = self.render_type();
        let are_facets = shown == RenderType::Triangles && self.view.shading == Shading::Flat;
        self.view.endless && shown.goes_on_below() && !are_facets && !self.is_flat()
    }

    /// Camera for drawing the sky. In render type `sky` an orbiting camera looks up, not down.
    #[must_use]
    pub fn sky_camera(&self) -> Camera {
        let looks_up = self.render_type() == RenderType::Sky;
        let mut camera = self.camera.clone();
        if looks_up && camera.mode == CameraMode::Orbit {
            camera.pitch = -camera.pitch;
        }
        camera
    }

    /// True if the picture is a flat plan: all tiles as large as fit, north up, without a camera. This
    /// holds for a map unless its camera looks straight down, which shows the part seen by the camera.
    #[must_use]
    pub fn is_flat(&self) -> bool {
        let shown = self.render_type();
        let from_above = shown == RenderType::Map && self.camera.mode == CameraMode::Top;
        shown.is_flat() && !from_above
    }
}

/// Parse TOML; the error names the line.
pub(crate) fn from_toml<T: DeserializeOwned>(text: &str) -> Result<T, SceneError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        SceneError::Syntax {
            message: plain(error.message()),
            line: text[..start.min(text.len())].matches('\n').count() + 1,
        }
    })
}

/// Rewrite a parser message as one line that describes values in words, not as Rust types.
fn plain(message: &str) -> String {
    let mut line = words::one_line(message);
    // The key `later`, which holds keys of later versions, must not be suggested as a key.
    line = line.replace(", `later`", "");
    for (type_, words) in [
        ("u32", tr("a whole number from 0 to 4294967295")),
        ("u64", tr("a whole number from 0 to 18446744073709551615")),
        ("f32", tr("a number")),
        ("f64", tr("a number")),
    ] {
        if let Some(start) = line.strip_suffix(&format!("expected {type_}")) {
            line = format!("{start}expected {words}");
        }
    }
    line
}

// The scene struct and the list of its tables of settings.
//
// The order of the list is that of the sections of the panel and of the tables in a scene file.
//
// A table is a struct with `Params` and one line in the list below. The scene file, range checks,
// undo labels, the panel and the tests of all settings are derived from it.

tables! {
    /// One landscape and the way it is looked at.
    pub struct Scene {
        /// The version of the scene; default the one of this program.
        pub version: Version,
        /// Source of the ground's heights.
        pub surface: Surface,
        /// Further maps laid over the ground, in this order, up to three; default none. A
        /// profile has none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub layers: Vec<Layer>,
        /// Modifiers of the ground and of its finer map, in order of application; default none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub modifiers: Vec<Modifier>,
        /// Layers of plants and stones, up to four; default none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub plants: Vec<PlantLayer>,
        tables {
            /// Finer map that is baked into the ground's texture.
            teximage: Teximage;
            /// Map from which clouds are made.
            clouds: Clouds;
            /// Beds of rock on steep ground.
            rock: Rock, "Rock" in Rock;
            /// Snow as a depth on the ground.
            snow: Snow, "Snow" in Water;
            /// Levels of detail finer than the map's samples.
            detail: Detail, "Detail" in Shape;
            /// Render type and drawing options.
            view: View;
            /// Position and brightness of the sun.
            light: Light, "Light" in Light;
            /// Material of the ground in render type `landscape`.
            material: Material, "Material" in Rock;
            /// Sea, rivers and lakes.
            water: Water, "Water" in Water;
            /// Analysis overlays.
            analysis: Analysis, "Analysis" in Analysis;
            /// Cross-section; default none.
            #[serde(skip_serializing_if = "Section::is_absent")]
            section: Section;
            /// Sky of render types `landscape` and `sky`.
            sky: Sky, "Sky" in Light;
            /// Fog towards the horizon.
            fog: Fog, "Fog" in Light;
            /// Camera of the picture.
            camera: Camera;
            /// Camera path through the landscape; default none.
            #[serde(skip_serializing_if = "CameraPath::is_default")]
            path: CameraPath;
            /// Key frames of settings, and length of the film.
            #[serde(skip_serializing_if = "Film::is_default")]
            film: Film, "Film" in View;
        }
        /// Palette of the scene's own, which replaces the one that `view.palette` names; default none.
        #[serde(skip_serializing_if = "Option::is_none")]
        pub palette: Option<Palette>,
        /// Cameras with names, up to 100; default none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub bookmarks: Vec<Bookmark>,
        /// Keys of a later version that this program does not know. In a scene's own text each
        /// of them stands in its place.
        #[serde(skip_serializing_if = "Later::is_empty")]
        pub later: Later,
    }
}

impl Scene {
    /// Visit every table of settings, including those within lists and those of all generators and
    /// modifiers, chosen or not.
    pub fn visit_tables(&mut self, visitor: &mut impl TableVisitor) {
        self.surface.visit_tables("surface", visitor);
        for (index, layer) in self.layers.iter_mut().enumerate() {
            let place = format!("layers.{index}");
            visitor.visit(&place, layer);
            layer.mask.visit_tables(&format!("{place}.mask"), visitor);
            let place = format!("{place}.surface");
            layer.surface.visit_tables(&place, visitor);
        }
        for (index, modifier) in self.modifiers.iter_mut().enumerate() {
            modifier.visit_tables(&format!("modifiers.{index}"), visitor);
        }
        for (index, layer) in self.plants.iter_mut().enumerate() {
            layer.visit_tables(&format!("plants.{index}"), visitor);
        }
        self.visit_listed("", visitor);
        for (index, bookmark) in self.bookmarks.iter_mut().enumerate() {
            let Bookmark { name: _, camera } = bookmark;
            visitor.visit(&format!("bookmarks.{index}.camera"), camera);
        }
        for (index, frame) in self.path.frames.iter_mut().enumerate() {
            let KeyFrame { time: _, camera } = frame;
            visitor.visit(&format!("path.frames.{index}.camera"), camera);
        }
    }
}
