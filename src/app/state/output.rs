//! Options of the dialogs that write files: "Export", "Film", "Picture" and "Plants".

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::document::file_stem;
use crate::batch_renderer::{FilmKind, FilmOrder};
use crate::camera::InView;
use crate::camera::film::{self, MOST_PICTURES};
use crate::files::export::{
    ENGINES, Engine, EngineSize, ExportError, FILM_FORMATS, FilmFormat, Format, MeshOptions,
    MeshUnit, Numbered, Options, PlantForm, PlantFormat, PlantRequest, Resolution, Span, USUAL,
    formats_of_map,
};
use crate::fractal::refinement::Refinement;
use crate::fractal::region::Region;
use crate::render::{MOST_SAMPLES, RenderRequest};
use crate::scene::Scene;
use crate::shading::maps::{HEIGHTS, Kind, Map};
use crate::shading::snow;
use crate::terrain::mesh::Detail;
use crate::util::language::{mark, tr};

/// Options of an export, as stored in the settings file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Exporting {
    /// True if the dialog is open.
    pub shown: bool,
    /// Name of the map, such as heights or slope.
    pub map: String,
    /// Name of the format.
    pub format: String,
    /// Number of samples along each side.
    pub samples: Resolution,
    /// Levels of detail added to the map's finest level; 0 exports the map itself.
    pub levels: u32,
    /// Part of that level to export; `None` for all of it. It is not stored, since the next
    /// landscape is another.
    #[serde(skip)]
    pub region: Option<Region>,
    /// Range of heights that the numbers of the file span.
    pub span: Span,
    /// True to write the southern row first.
    pub flip: bool,
    /// True to write the heights of the snow's surface, where the scene has snow.
    pub snow: bool,
    /// Name of the target engine; `None` for any program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// True to export everything for the engine in one folder.
    pub folder: bool,
    /// Samples along the longer side of the heights in the folder; `None` for the nearest that the engine takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder_samples: Option<usize>,
    /// Number of triangles of a mesh.
    pub triangles: Triangles,
    /// Longer side of a solid for 3D printing, in millimetres.
    pub print_size_mm: f32,
    /// Unit of a mesh whose format does not define one.
    pub mesh_unit: MeshUnit,
    /// True to preview the terrain as the file will store it.
    pub preview: bool,
}

/// Number of triangles of a mesh, or the error that sets it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Triangles {
    /// All triangles: two in every cell.
    #[default]
    All,
    /// Simplified, to at most this many triangles.
    AtMost(u64),
    /// Simplified, with every sample within this error, in metres.
    Within(f32),
}

impl Default for Exporting {
    fn default() -> Self {
        Self {
            shown: false,
            map: HEIGHTS.name.to_owned(),
            format: USUAL.name.to_owned(),
            samples: Resolution::default(),
            levels: 0,
            region: None,
            span: Span::default(),
            flip: false,
            snow: false,
            engine: None,
            folder: false,
            folder_samples: None,
            triangles: Triangles::All,
            print_size_mm: MeshOptions::default().print_size_mm,
            mesh_unit: MeshUnit::default(),
            preview: false,
        }
    }
}

impl Exporting {
    /// Chosen map; heights if the name in the settings file is unknown.
    #[must_use]
    pub fn map(&self) -> &'static Map {
        Map::named(&self.map).unwrap_or(&HEIGHTS)
    }

    /// Chosen format, or the first one that suits the map.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        let formats = formats_of_map(self.map());
        let chosen = formats.iter().find(|format| format.name == self.format);
        chosen.copied().unwrap_or(formats[0])
    }

    /// Convert to the options of the exporter.
    #[must_use]
    pub fn options(&self, scene: &Scene) -> Options {
        let (map, format) = (self.map(), self.format());
        let mesh = MeshOptions {
            detail: match self.triangles {
                _ if !format.is_mesh() => Detail::All,
                Triangles::All => Detail::All,
                Triangles::AtMost(count) => Detail::Triangles(count),
                Triangles::Within(metres) => {
                    Detail::within(metres.into(), scene.surface.tile_size_m)
                }
            },
            print_size_mm: self.print_size_mm,
            unit: self.mesh_unit,
        };
        let mut options = Options {
            format: Some(format),
            map: Some(map),
            mesh,
            ..Options::default()
        };
        if map.is_of_the_ground() {
            options.region = self.region;
            options.samples = match self.region {
                Some(_) => Resolution::AsIs,
                None => self.samples,
            };
            options.levels = self.levels.min(Refinement::MOST_LEVELS);
        }
        if map.holds_heights() {
            options.span = self.span;
            options.flip = self.flip && !format.says_north;
        }
        options.snow = map.is_heights() && self.snow && snow::is_shown(scene);
        options
    }

    /// Open the dialog for the heights of a visible part of the ground, at its resolution.
    pub fn open_for(&mut self, InView { levels, region }: InView) {
        self.shown = true;
        self.map = HEIGHTS.name.to_owned();
        (self.levels, self.region, self.folder) = (levels, Some(region), false);
    }

    /// Set the number of added levels. A selected part keeps its place on the map.
    pub fn set_levels(&mut self, levels: u32) {
        let before = std::mem::replace(&mut self.levels, levels);
        let Some(region) = &mut self.region else {
            return;
        };
        let scale = f64::from(levels) - f64::from(before);
        let first = |at: u64| (at as f64 * scale.exp2()).round() as u64;
        let count = |count: usize| ((count - 1) as f64 * scale.exp2()).round() as usize + 1;
        (region.row, region.column) = (first(region.row), first(region.column));
        (region.rows, region.columns) = (count(region.rows), count(region.columns));
    }

    /// Suffix of the file name, before its extension.
    #[must_use]
    pub fn suffix(&self) -> String {
        let map = self.map();
        match map.kind {
            Kind::Heights => String::new(),
            Kind::Bands(_) | Kind::Materials => format!("-{}-{{band}}", map.name),
            _ => format!("-{}", map.name),
        }
    }

    /// Engine for which everything is exported in one folder; `None` to export a file.
    #[must_use]
    pub fn folder_for(&self) -> Option<&'static Engine> {
        self.engine().filter(|_| self.folder)
    }

    /// True if a forecast is worth its time: for a file of heights, and for a folder, which has one.
    #[must_use]
    pub fn is_measured(&self) -> bool {
        self.map().is_heights() || self.folder_for().is_some()
    }

    /// Options of the file to forecast: the file itself, or the heights in the folder. `map` has the rows and
    /// columns of the landscape's map.
    ///
    /// # Errors
    /// The engine does not take the size or the shape of the map.
    pub fn measured(&self, map: [usize; 2]) -> Result<Self, ExportError> {
        let Some(engine) = self.folder_for() else {
            return Ok(self.clone());
        };
        let size = EngineSize::new(engine, self.samples_for(engine), map)?;
        Ok(Self {
            map: HEIGHTS.name.to_owned(),
            format: engine.formats[0].name.to_owned(),
            samples: Resolution::Exactly(size.size[0].max(size.size[1])),
            levels: size.levels,
            region: None,
            span: Span::Own,
            flip: engine.south_first,
            snow: false,
            ..self.clone()
        })
    }

    /// Name of the folder for the engine.
    #[must_use]
    pub fn folder_name(&self, scene: &Scene) -> String {
        let engine = self.engine().map_or("", |engine| engine.name);
        format!("{}-{}", file_stem(scene), engine.to_lowercase())
    }

    /// Number of samples in the folder, if the engine takes it; `None` for the nearest.
    #[must_use]
    pub fn samples_for(&self, engine: &Engine) -> Option<usize> {
        self.folder_samples
            .filter(|samples| engine.sizes.contains(samples))
    }

    /// Target engine of the file, if its name is known.
    #[must_use]
    pub fn engine(&self) -> Option<&'static Engine> {
        let name = self.engine.as_deref()?;
        ENGINES.iter().find(|engine| engine.name == name)
    }
}

// Options of the dialog "Film": format, size and samples.

/// Name of the format that writes one image file per frame.
pub const PICTURES: &str = "pictures";

/// Options of a film export.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Filming {
    /// True if the dialog is open.
    pub shown: bool,
    /// Name of the format, or [`PICTURES`].
    pub format: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
    /// True if width and height keep their proportions.
    pub linked: bool,
    /// Width and height as they were when they had been linked or set apart last: the proportions to keep.
    pub proportions: [u32; 2],
    /// Samples per pixel, 1…16.
    pub samples: u32,
}

impl Default for Filming {
    fn default() -> Self {
        Self {
            shown: false,
            format: "mp4".to_owned(),
            size: [1280, 720],
            linked: true,
            proportions: [1280, 720],
            samples: 1,
        }
    }
}

impl Filming {
    /// Set the width, `side` 0, or the height, 1, to an even number: video needs that. The other side follows
    /// if both are linked.
    pub fn set_side(&mut self, side: usize, pixels: u32) {
        let even =
            |pixels: f64| (pixels / 2.0).round().clamp(1.0, f64::from(MOST_SIDE / 2)) as u32 * 2;
        let [own, other] = [side, 1 - side].map(|side| f64::from(self.proportions[side].max(1)));
        self.size[side] = even(pixels.into());
        if self.linked {
            self.size[1 - side] = even(f64::from(pixels) * other / own);
        } else {
            self.proportions = self.size;
        }
    }

    /// Link width and height in their present proportions, or release them.
    pub fn set_linked(&mut self, linked: bool) {
        self.linked = linked;
        self.proportions = self.size;
    }

    /// Names of all formats, with a line of description each.
    pub fn formats() -> impl Iterator<Item = (&'static str, &'static str)> {
        let pictures = (PICTURES, tr("a PNG file for each picture"));
        let films = FILM_FORMATS
            .iter()
            .map(|format| (format.name, tr(format.help)));
        films.chain([pictures])
    }

    /// Extension of the file name.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        FilmFormat::named(&self.format).map_or("png", |format| format.extensions[0])
    }

    /// Suffix of the file name, before its extension.
    #[must_use]
    pub fn suffix(&self) -> &'static str {
        match FilmFormat::named(&self.format) {
            Some(_) => "-film",
            None => "-film-####",
        }
    }

    /// Create the request to write the film of a scene to `output`.
    ///
    /// # Errors
    /// Message for the user: the film has too many frames, or the file name has no place for their
    /// numbers.
    pub fn order(&self, scene: &Scene, output: &Path) -> Result<FilmOrder, String> {
        let count = film::pictures(scene);
        if count > MOST_PICTURES {
            return Err(tr!(
                "the film has {count} pictures; allowed: up to {MOST_PICTURES}",
                count,
                MOST_PICTURES
            ));
        }
        let kind = match FilmFormat::named(&self.format) {
            Some(format) => FilmKind::Film(format),
            None => FilmKind::Pictures(Numbered::of(output, count).ok_or(tr(
                "pictures need #### for their numbers in their name, such as film-####.png",
            ))?),
        };
        let size = (self.size[0].max(1), self.size[1].max(1));
        Ok(FilmOrder {
            scene: scene.clone(),
            output: output.to_owned(),
            kind,
            shot: RenderRequest {
                samples: self.samples.clamp(1, MOST_SAMPLES),
                ..RenderRequest::new(size)
            },
            numbers: (1, count),
            resume: false,
        })
    }
}

// Options of the dialog "Picture": size, samples and background of an image file.

/// Maximum side of an image taken in the window, which holds it in memory. `landform render` allows
/// up to 16,384.
pub const MOST_SIDE: u32 = 8192;

/// Options for saving an image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Photo {
    /// True if the dialog is open.
    pub shown: bool,
    /// Unit of the image's width and height.
    pub scale: PhotoScale,
    /// Width and height in pixels, with [`PhotoScale::Pixels`].
    pub size: [u32; 2],
    /// Samples per pixel, 1…16.
    pub samples: u32,
    /// True for a transparent background without sky.
    pub transparent: bool,
}

/// Unit of the width and height of an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PhotoScale {
    /// A multiple of the scene's size in the window.
    Times(u32),
    /// One of [`PhotoScale::NAMED`], as width and height in pixels.
    Fixed([u32; 2]),
    /// Pixels, chosen freely.
    Pixels,
}

impl PhotoScale {
    /// Sizes with a name, each with its width and height in pixels.
    pub const NAMED: [(&'static str, [u32; 2]); 4] = [
        (mark("HD"), [1920, 1080]),
        (mark("4K"), [3840, 2160]),
        (mark("Square"), [2048, 2048]),
        (mark("Portrait"), [1080, 1350]),
    ];
}

impl Default for Photo {
    fn default() -> Self {
        Self {
            shown: false,
            scale: PhotoScale::Times(1),
            size: [3840, 2160],
            samples: 1,
            transparent: false,
        }
    }
}

impl Photo {
    /// Convert to a request for the renderer, where the scene fills `window` pixels. An image that
    /// is too large is scaled down to [`MOST_SIDE`], with the same aspect ratio.
    #[must_use]
    pub fn shot(&self, window: (u32, u32)) -> RenderRequest {
        let (width, height) = match self.scale {
            PhotoScale::Pixels => (self.size[0], self.size[1]),
            PhotoScale::Fixed([width, height]) => (width, height),
            PhotoScale::Times(times) => (
                window.0.saturating_mul(times),
                window.1.saturating_mul(times),
            ),
        };
        let longest = u64::from(width.max(height).max(MOST_SIDE));
        let fit = |side: u32| (u64::from(side) * u64::from(MOST_SIDE) / longest) as u32;
        RenderRequest {
            samples: self.samples.clamp(1, MOST_SAMPLES),
            transparent: self.transparent,
            ..RenderRequest::new((fit(width).max(1), fit(height).max(1)))
        }
    }
}

// Options of the dialog "Plants": format, and form of plants in a glTF.

/// Reason why no plants can be exported.
pub const NO_PLANTS: &str = mark("The scene has no plants.");

/// Options for exporting the plants of the whole map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PlantExport {
    /// True if the dialog is open.
    pub shown: bool,
    /// Extension of the format.
    pub format: String,
    /// True if each plant is a node of a glTF of its own.
    pub nodes: bool,
}

impl PlantExport {
    /// Chosen format, or the first one, with its extension and description.
    #[must_use]
    pub fn format(&self) -> (&'static str, PlantFormat, &'static str) {
        let mut formats = PlantFormat::ALL.into_iter();
        let chosen = formats.find(|(name, ..)| *name == self.format);
        chosen.unwrap_or(PlantFormat::ALL[0])
    }

    /// Extension of the file name.
    #[must_use]
    pub fn extension(&self) -> &'static str {
        self.format().0
    }

    /// True if the format has a choice between instances and nodes.
    #[must_use]
    pub fn has_forms(&self) -> bool {
        self.format().1 == PlantFormat::Glb
    }

    /// Convert to the request for the exporter.
    #[must_use]
    pub fn request(&self) -> PlantRequest {
        PlantRequest {
            form: (self.has_forms() && self.nodes).then_some(PlantForm::Nodes),
            ..PlantRequest::default()
        }
    }
}
