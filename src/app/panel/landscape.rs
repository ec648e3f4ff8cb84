//! Sections of the panel for the terrain as a whole: its main settings and tiling, colours,
//! drawing.

use egui::{Button, Sense, Ui, Vec2, vec2};

use super::param_ui::{help_text, param_row, seed_box, synonyms, table_ui};
use super::row::Row;
use super::{Facts, finder};
use crate::app::commands::{Action, Command};
use crate::app::controls::drop_down;
use crate::app::controls::ramp::paint_ramp;
use crate::app::state::SeedHistory;
use crate::generate::Surface;
use crate::scene::palette::Palette;
use crate::scene::relevance::Inactive;
use crate::scene::{RenderType, Scene, View};
use crate::util::language::{tr, translated};
use crate::util::param::{Field, Param, Params};

/// Maximum number of iterations in the panel; more would be slow to draw, not only to generate.
const MOST_ITERATIONS: u32 = 13;

/// View settings shown here instead of under "Drawing".
const VIEW_KEYS: &[&str] = &["render_type", "tile"];
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
    let render_type = scene.render_type();
    let (surface, was) = (&mut scene.surface, &facts.baseline.surface);
    let unused = |key| inactive.reason("surface", key);
    let (view, was_view) = (&mut scene.view, &facts.baseline.view);
    let mut of_view = |ui: &mut Ui, key| {
        param_row(
            ui,
            View::param(key),
            view,
            was_view,
            inactive.reason("view", key),
        );
    };
    of_view(ui, "render_type");
    if matches!(render_type, RenderType::Clouds | RenderType::Sky) {
        finder::note_ui(
            ui,
            tr(
                "This render type shows no ground: settings of the land act only on exported files.",
            ),
        );
    }
    param_row(
        ui,
        Surface::param("generator"),
        surface,
        was,
        unused("generator"),
    );
    seed_ui(ui, surface, was.seed, unused("seed"), facts.seeds, actions);
    param_row(ui, &iterations(), surface, was, unused("iterations"));
    for key in ["hurst", "height_scale"] {
        param_row(ui, Surface::param(key), surface, was, unused(key));
    }
    of_view(ui, "tile");
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
    let others = synonyms(param);
    let row = Row {
        label: tr(param.label),
        help: &help_text(param),
        differs: surface.seed != was,
        unused,
        words: &[param.key, param.label, others, tr(others)],
        ..Row::default()
    };
    let shown = row.show(ui, |ui, label| {
        let gap = ui.spacing().item_spacing.x;
        let width = ui.available_width() - 3.0 * (BUTTON[0] + gap);
        let seed = seed_box(ui, surface.seed, width, label, &row);
        // The default padding would widen buttons of one letter.
        ui.spacing_mut().button_padding.x = 2.0;
        let mut button = |ui: &mut Ui, text, help, enabled, action| {
            let button = ui.add_enabled_ui(enabled, |ui| ui.add_sized(BUTTON, Button::new(text)));
            let button = button.inner.on_hover_text(help);
            if button.on_disabled_hover_text(help).clicked() {
                actions.push(action);
            }
        };
        let (back, forward) = (seeds.can_go_back(), seeds.can_go_forward());
        let help = tr("A random seed (key R).");
        button(ui, "🎲", help, true, Action::RandomSeed);
        button(ui, "⏴", tr("The previous seed."), back, Action::SeedBack);
        button(ui, "⏵", tr("The next seed."), forward, Action::SeedForward);
        seed
    });
    if let Some((reset, seed)) = shown {
        surface.seed = if reset { was } else { seed };
    }
}

/// Draw the settings of palette, texture map and cloud map.
pub fn textures_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    inactive: &Inactive,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = facts.baseline;
    let unused = inactive.reason("view", "palette");
    palette_ui(ui, scene, unused, facts, actions);
    let unused = |key: &str| inactive.reason("teximage", key);
    table_ui(ui, &mut scene.teximage, &was.teximage, unused);
    let unused = |key: &str| inactive.reason("clouds", key);
    table_ui(ui, &mut scene.clouds, &was.clouds, unused);
}

/// Draw the settings of the view that control drawing.
pub fn drawing_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, inactive: &Inactive) {
    for param in View::PARAMS {
        if !VIEW_KEYS.contains(&param.key) {
            let unused = inactive.reason("view", param.key);
            param_row(ui, param, &mut scene.view, &was.view, unused);
        }
    }
}

/// Draw the row. The scene's own palette comes before the one that it names.
fn palette_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    unused: Option<&str>,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = facts.baseline;
    let default = View::default().palette;
    let builtin = Palette::builtin();
    let all: Vec<&Palette> = builtin.iter().chain(facts.palettes).collect();
    let names = all.iter().map(|palette| &*palette.name);
    let names: Vec<_> = names
        .chain([tr("gradient, colour ramp, colour map")])
        .collect();
    let row = Row {
        label: tr("Palette"),
        help: &tr!(
            "Colours from the lowest height to the highest.\n\n\
             Default: {default}. Double-click to reset.",
            default
        ),
        differs: (&scene.view.palette, &scene.palette) != (&was.view.palette, &was.palette),
        unused,
        words: &names,
        ..Row::default()
    };
    let (own, named) = (&mut scene.palette, &mut scene.view.palette);
    let shown = row.show(ui, |ui, label| {
        let now = own.as_ref().or_else(|| Palette::named(named).ok());
        if let Some(now) = now {
            swatch_ui(ui, now, vec2(44.0, 14.0));
        }
        let edit = ui.add(Button::new("✏").small());
        let help = tr("Opens the editor for the stops and colours of the palette.");
        if edit.on_hover_text(help).clicked() {
            actions.push(Command::EditPalette.into());
        }
        let (own_now, named_now) = (own.clone(), named.clone());
        let is_chosen = |index: usize| match &own_now {
            Some(own) => index >= builtin.len() && *all[index] == *own,
            None => index < builtin.len() && all[index].name == named_now,
        };
        let choice = |ui: &mut Ui, index: usize| {
            let choice = all[index];
            let line = ui.horizontal(|ui| {
                swatch_ui(ui, choice, vec2(72.0, 14.0));
                let chosen = ui.selectable_label(is_chosen(index), translated(&choice.name));
                if index >= builtin.len() {
                    let remove = ui.add(Button::new("✖").small());
                    let help = tr("Removes this palette of yours; scenes keep their colours.");
                    if remove.on_hover_text(help).clicked() {
                        actions.push(Command::RemovePalette(choice.name.clone()).into());
                    }
                }
                chosen
            });
            line.inner.on_hover_text(translated(&choice.help)).clicked()
        };
        // A palette from a file, or an edited one, is not in the list.
        let place = ((0..all.len()).find(|index| is_chosen(*index)), all.len());
        let words = own_now.as_ref().map_or(&named_now, |own| &own.name);
        let words = translated(words);
        let (combo, chosen) = drop_down(ui, label, 0.0, &words, place, choice);
        row.explain(combo);
        match chosen.filter(|chosen| Some(*chosen) != place.0) {
            Some(chosen) if chosen < builtin.len() => {
                *own = None;
                named.clone_from(&all[chosen].name);
            }
            Some(chosen) => *own = Some(all[chosen].clone()),
            None => {}
        }
    });
    if let Some((true, ())) = shown {
        named.clone_from(&was.view.palette);
        own.clone_from(&was.palette);
    }
}

/// Draw a strip with the colours of a palette.
fn swatch_ui(ui: &mut Ui, palette: &Palette, size: Vec2) {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    paint_ramp(ui, palette, rect);
}
