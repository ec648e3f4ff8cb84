//! The settings that make the landscape, and how often it is repeated.

use egui::{Button, Ui};

use super::Facts;
use super::param_ui::{help_text, param_row};
use super::row::Row;
use super::seed_box::seed_box;
use crate::app::commands::Action;
use crate::app::state::seeds::SeedHistory;
use crate::generate::Surface;
use crate::language::tr;
use crate::param::{Field, Param, Params};
use crate::scene::relevance::Inactive;
use crate::scene::{Scene, View};

/// Most iterations that the panel offers: more take long to draw, not only to make.
const MOST_ITERATIONS: u32 = 13;

/// The settings of the view that are here and not under "Drawing".
pub const VIEW_KEYS: &[&str] = &["render_type", "tile"];
/// The settings of the surface that are here and not under "Generator".
pub const SURFACE_KEYS: &[&str] = &["generator", "seed", "iterations", "hurst", "height_scale"];

/// The row of the iterations, with the most that the panel offers.
pub fn iterations() -> Param<Surface> {
    let mut param = Surface::param("iterations").clone();
    if let Field::Int { max, .. } = &mut param.field {
        *max = MOST_ITERATIONS;
    }
    param
}

const BUTTON: [f32; 2] = [24.0, 20.0];

/// Draws the section.
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

/// The seed: a box, the dice, and the way back and forward through seeds seen.
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
        // The usual padding would make buttons of one letter wide.
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
