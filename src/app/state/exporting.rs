//! What is exported, and how: format, size and range of a height map or mesh.

use serde::{Deserialize, Serialize};

use crate::camera::InView;
use crate::export::{
    ENGINES, Engine, Format, MeshOptions, MeshUnit, Options, Resolution, Span, USUAL,
    formats_of_map,
};
use crate::fractal::refinement::Refinement;
use crate::fractal::region::Region;
use crate::maps::{HEIGHTS, Kind, Map};
use crate::mesh::Detail;
use crate::scene::Scene;

/// What is exported, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Exporting {
    /// Whether the dialog is open.
    pub shown: bool,
    /// Name of the map: heights, slope …
    pub map: String,
    /// Name of the format.
    pub format: String,
    /// How many samples each side has.
    pub samples: Resolution,
    /// How many levels below the map's last one the file has.
    pub levels: u32,
    /// The samples of that level that the file has; `None` for all. It is not kept: the next
    /// landscape is another.
    #[serde(skip)]
    pub region: Option<Region>,
    /// What the numbers mean.
    pub span: Span,
    /// Whether the southern row comes first.
    pub flip: bool,
    /// Name of the engine that the file is for; `None` for any program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// How many triangles a mesh has.
    pub triangles: Triangles,
    /// Longer side of a block for printing, in millimetres.
    pub print_size_mm: f32,
    /// Unit of a mesh whose format leaves it open.
    pub mesh_unit: MeshUnit,
    /// Whether the terrain is shown as the file will hold it.
    pub preview: bool,
}

/// How many triangles a mesh has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Triangles {
    /// There are two triangles in every cell.
    #[default]
    All,
    /// There are at most so many.
    AtMost(u64),
    /// There are as few as keep every sample so near, in metres.
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
            engine: None,
            triangles: Triangles::All,
            print_size_mm: MeshOptions::default().print_size_mm,
            mesh_unit: MeshUnit::default(),
            preview: false,
        }
    }
}

impl Exporting {
    /// The map chosen; the heights if a settings file names one that there is not.
    #[must_use]
    pub fn map(&self) -> &'static Map {
        Map::named(&self.map).unwrap_or(&HEIGHTS)
    }

    /// The format chosen, or the first one that suits the map.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        let formats = formats_of_map(self.map());
        let chosen = formats.iter().find(|format| format.name == self.format);
        chosen.copied().unwrap_or(formats[0])
    }

    /// The options of the exporter that say the same.
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
        if map.is_heights() {
            options.span = self.span;
            options.flip = self.flip && !format.says_north;
        }
        options
    }

    /// Opens the dialog for the heights of these samples, as they are.
    pub fn open_for(&mut self, InView { levels, region }: InView) {
        self.shown = true;
        self.map = HEIGHTS.name.to_owned();
        (self.levels, self.region) = (levels, Some(region));
    }

    /// Takes another number of levels; a part of the map stays where it is.
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

    /// What a file's name ends with, before its extension.
    #[must_use]
    pub fn suffix(&self) -> String {
        let map = self.map();
        match map.kind {
            Kind::Heights => String::new(),
            Kind::Bands(_) => format!("-{}-{{band}}", map.name),
            _ => format!("-{}", map.name),
        }
    }

    /// The engine that the file is for, if it is for one that there is.
    #[must_use]
    pub fn engine(&self) -> Option<&'static Engine> {
        let name = self.engine.as_deref()?;
        ENGINES.iter().find(|engine| engine.name == name)
    }
}
