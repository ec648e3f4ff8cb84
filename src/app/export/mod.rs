//! The window "Export": format, size and range of a height map or mesh, what the file will be
//! like, and the numbers for an engine. It edits its settings; the worker makes the forecast, and
//! shows the steps of whole numbers on the terrain.

use egui::{Align2, Button, Context, RichText, ScrollArea, Ui, Window, pos2, vec2};
use serde::{Deserialize, Serialize};

use crate::app::commands::Command;
use crate::app::dialogs::Purpose;
use crate::app::state::Derived;
use crate::export::{
    ENGINES, Engine, Format, MeshOptions, MeshUnit, Options, Resolution, Span, USUAL,
    formats_of_map,
};
use crate::maps::{HEIGHTS, Kind, Map};
use crate::mesh::Detail;
use crate::scene::Scene;

mod choices;
mod forecast;
pub mod preview;

use choices::choices_ui;
use forecast::forecast_ui;

/// What is chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Exporting {
    /// Whether the window is open.
    pub shown: bool,
    /// Name of the map: heights, slope …
    pub map: String,
    /// Name of the format.
    pub format: String,
    /// Resolution a side.
    pub samples: Resolution,
    /// What the numbers mean.
    pub span: Span,
    /// Southern row first.
    pub flip: bool,
    /// The engine that the file is for; empty for any program.
    pub engine: String,
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
    /// Two a cell.
    #[default]
    All,
    /// At most so many.
    AtMost(u64),
    /// As few as keep every sample so near, in metres.
    Within(f32),
}

impl Default for Exporting {
    fn default() -> Self {
        Self {
            shown: false,
            map: HEIGHTS.name.to_owned(),
            format: USUAL.name.to_owned(),
            samples: Resolution::default(),
            span: Span::default(),
            flip: false,
            engine: String::new(),
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

    /// As the exporter wants it.
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
            options.samples = self.samples;
        }
        if map.is_heights() {
            options.span = self.span;
            options.flip = self.flip && !format.says_north;
        }
        options
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

    fn engine(&self) -> Option<&'static Engine> {
        ENGINES.iter().find(|engine| engine.name == self.engine)
    }
}

/// Width of the window's contents, in points.
const WIDTH: f32 = 300.0;
/// Space to the edges of the scene.
const GAP: f32 = 8.0;
/// Title bar and margins.
const FRAME: f32 = 50.0;
/// Narrower scenes, beside a panel that is open in a narrow window, show no window.
const NARROWEST: f32 = 160.0;

/// Draws the window over the scene.
pub fn export_ui(
    ctx: &Context,
    exporting: &mut Exporting,
    derived: &Derived,
    commands: &mut Vec<Command>,
) {
    let scene = derived.scene_rect;
    if !exporting.shown || scene.width() < NARROWEST {
        return;
    }
    let width = WIDTH.min(scene.width() - 2.0 * GAP - 16.0);
    let height = (scene.height() - 2.0 * GAP - FRAME).max(40.0);
    let mut open = true;
    Window::new("Export")
        .open(&mut open)
        .pivot(Align2::RIGHT_TOP)
        .default_pos(pos2(scene.right() - GAP, scene.top() + GAP))
        .default_height(height)
        .resizable(false)
        .constrain_to(scene)
        .show(ctx, |ui| {
            ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, |ui| {
                    ui.set_width(width - 8.0);
                    contents_ui(ui, exporting, derived, commands);
                });
        });
    exporting.shown &= open;
}

fn contents_ui(
    ui: &mut Ui,
    exporting: &mut Exporting,
    derived: &Derived,
    commands: &mut Vec<Command>,
) {
    choices_ui(ui, exporting, derived);
    ui.separator();
    match &derived.forecast {
        _ if !exporting.map().is_heights() => {}
        Some(Ok(forecast)) => forecast_ui(ui, exporting, forecast),
        Some(Err(words)) => {
            ui.colored_label(ui.visuals().error_fg_color, words);
        }
        None => {
            ui.weak("measuring …");
        }
    }
    ui.add_space(6.0);
    ui.vertical_centered_justified(|ui| {
        let button = Button::new(RichText::new("Export…").strong());
        if ui.add(button.min_size(vec2(0.0, 26.0))).clicked() {
            commands.push(Command::Ask(Purpose::Export));
        }
    });
}
