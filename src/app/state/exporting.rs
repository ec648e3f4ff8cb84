//! Options of the dialog "Export": format, size and range of a height map or mesh.

use serde::{Deserialize, Serialize};

use crate::camera::InView;
use crate::files::export::{
    ENGINES, Engine, Format, MeshOptions, MeshUnit, Options, Resolution, Span, USUAL,
    formats_of_map,
};
use crate::fractal::refinement::Refinement;
use crate::fractal::region::Region;
use crate::scene::Scene;
use crate::shading::maps::{HEIGHTS, Kind, Map};
use crate::terrain::mesh::Detail;

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
    /// Name of the target engine; `None` for any program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
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
            engine: None,
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
        if map.is_heights() {
            options.span = self.span;
            options.flip = self.flip && !format.says_north;
        }
        options
    }

    /// Open the dialog for the heights of a visible part of the ground, at its resolution.
    pub fn open_for(&mut self, InView { levels, region }: InView) {
        self.shown = true;
        self.map = HEIGHTS.name.to_owned();
        (self.levels, self.region) = (levels, Some(region));
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
            Kind::Bands(_) => format!("-{}-{{band}}", map.name),
            _ => format!("-{}", map.name),
        }
    }

    /// Target engine of the file, if its name is known.
    #[must_use]
    pub fn engine(&self) -> Option<&'static Engine> {
        let name = self.engine.as_deref()?;
        ENGINES.iter().find(|engine| engine.name == name)
    }
}
