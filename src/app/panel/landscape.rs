//! Landscape section of the panel: the main settings of the terrain, and its tiling.

use egui::{Button, Ui};

use super::Facts;
use super::param_ui::{help_text, param_row};
use super::row::Row;
use super::seed_box::seed_box;
use crate::app::commands::Action;
use crate::app::state::seeds::SeedHistory;
use crate::generate::Surface;
use crate::scene::relevance::Inactive;
use crate::scene::{Scene, View};
use crate::util::language::tr;
use crate::util::param::{Field, Param, Params};

/// Maximum number of iterations in the panel; more would be slow to draw, not only to generate.
const MOST_ITERATIONS: u32 = 13;

/// View settings shown here instead of under "Drawing".
pub const VIEW_KEYS: &[&str] = &["render_type", "tile"];
/// Surface settings shown here instead of under "Generator".
pub const SURFACE_KEYS: &[&str] = &["generator", "seed", "iterations", "hurst", "height_scale"];

/// Parameter row of the iterations, limited to the panel's maximum.
pub fn iterations() -> Param<Surface> {
    let mut param = Surface::param("iterations").clone();
    if let Field::Int { max, .. } = &mut param.field {
        *max = MOST_ITERATIONS;
    }
    param
}

const BUTTON: [f32; 2] = [24.0, 20.0];

/// Draw the section.
pub fn landscape_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    inactive: &Inactive,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = &facts.baseline.surface;
    let of_surface = |key| inactive.reason("surface", key);
    let (view, was_view) = (&mut scene.view, &facts.baseline.view);
    let type_unused = inactive.reason("view", "render_type");
    param_row(ui, View::param("render_type"), view, was_view, type_unused);
    let surface = &mut scene.surface;
    let unused = of_surface("generator");
    param_row(ui, Surface::param("generator"), surface, was, unused);
    let unused = of_surface("seed");
    seed_ui(ui, surface, was.seed, unused, facts.seeds, actions);
    param_row(ui, &iterations(), surface, was, of_surface("iterations"));
    for key in ["hurst", "height_scale"] {
        param_row(ui, Surface::param(key), surface, was, of_surface(key));
    }
    let unused = inactive.reason("view", "tile");
    param_row(ui, View::param("tile"), view, was_view, unused);
}

/// Draw the seed row: a box, the dice, and buttons for the previous and next seed of the history.
fn seed_ui(
    ui: &mut Ui,
    surface: &mut Surface,
    was: u64,
    unused: Option<&str>,
    seeds: &SeedHistory,
    actions: &mut Vec<Action>,
) {
    let param = Surface::param("seed");
    let row = Row {
        label: tr(param.label),
        help: &help_text(param),
        differs: surface.seed != was,
        unused,
        words: &[param.key, param.label],
    };
    let shown = row.show(ui, |ui, label| {
        let gap = ui.spacing().item_spacing.x;
        let width = ui.available_width() - 3.0 * (BUTTON[0] + gap);
        let seed = seed_box(ui, surface.seed, width, label, &row);
        // The default padding would widen buttons of one letter.
        ui.spacing_mut().button_padding.x = 2.0;
        let mut button = |ui: &mut Ui, text, help, enabled, command| {
            let button = ui.add_enabled_ui(enabled, |ui| ui.add_sized(BUTTON, Button::new(text)));
            let response = button
                .inner
                .on_hover_text(help)
                .on_disabled_hover_text(help);
            if response.clicked() {
                actions.push(command);
            }
        };
        let (back, forward) = (seeds.can_go_back(), seeds.can_go_forward());
        button(
            ui,
            "🎲",
            tr("A random seed (key R)."),
            true,
            Action::RandomSeed,
        );
        button(ui, "⏴", tr("The previous seed."), back, Action::SeedBack);
        button(ui, "⏵", tr("The next seed."), forward, Action::SeedForward);
        seed
    });
    if let Some((reset, seed)) = shown {
        surface.seed = if reset { was } else { seed };
    }
}
