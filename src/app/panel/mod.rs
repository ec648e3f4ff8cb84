//! The panel "View Options": state in, edits out. Panels change the scene or ask for a command;
//! they never make landscapes, touch files or draw the scene.
//!
//! Controls come from the parameter tables, so a new parameter needs no code here.

use egui::collapsing_header::CollapsingState;
use egui::scroll_area::ScrollSource;
use egui::{Align, CollapsingHeader, Layout, RichText, ScrollArea, Ui};

use crate::app::commands::Command;
use crate::app::folds::Folds;
use crate::app::input;
use crate::app::seeds::SeedHistory;
use crate::app::times::StepTimes;
use crate::import;
use crate::param::Params;
use crate::scene::{Scene, View};

mod analysis;
mod camera;
mod generator;
mod journey;
mod landscape;
mod layers;
mod list;
mod modifiers;
mod options;
mod palette;
pub mod param_ui;
mod pins;
mod relevance;
mod row;
mod text_box;

use param_ui::table_ui;
use relevance::Relevance;

/// What the panel shows beside the scene.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    /// The scene as the preset or the file has it: "changed" is what differs from that.
    pub baseline: &'a Scene,
    /// Seeds seen.
    pub seeds: &'a SeedHistory,
    /// How long the steps took.
    pub times: &'a StepTimes,
    /// Whether the passes are being shown one after the other.
    pub playing: bool,
    /// Whether the camera goes along its path.
    pub travelling: bool,
}

/// Draws the panel and edits `scene`; what needs more than a new value goes to `commands`.
pub fn view_options_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    folds: &mut Folds,
    facts: &Facts<'_>,
    commands: &mut Vec<Command>,
) {
    let was = facts.baseline;
    title_ui(ui, scene, commands);
    // Wheel and bar only: a drag that misses a slider must not move the panel.
    let scroll = ScrollArea::vertical()
        .auto_shrink(false)
        .scroll_source(ScrollSource::SCROLL_BAR | ScrollSource::MOUSE_WHEEL);
    scroll.show(ui, |ui| {
        // Room for the scroll bar, so that it never covers a value.
        ui.set_max_width(ui.available_width() - 8.0);
        input::enter_panel(ui);
        let relevance = Relevance::of(scene);
        section(ui, folds, "Landscape", true, |ui| {
            landscape::landscape_ui(ui, scene, facts, commands)
        });
        section(ui, folds, "Textures", true, |ui| {
            palette::palette_ui(ui, &mut scene.view, &was.view, relevance.palette);
            table_ui(ui, &mut scene.teximage, &was.teximage, |_| {
                relevance.teximage
            });
            table_ui(ui, &mut scene.clouds, &was.clouds, |_| relevance.clouds);
        });
        section(ui, folds, "Drawing", true, |ui| {
            for param in View::PARAMS {
                if !landscape::VIEW_KEYS.contains(&param.key) {
                    let unused = relevance.drawing(param.key);
                    param_ui::param_row(ui, param, &mut scene.view, &was.view, unused);
                }
            }
        });
        let title = format!("Generator: {}", scene.surface.generator);
        fold_ui(ui, folds, "generator", strong(&title), true, |ui, folds| {
            generator::generator_ui(ui, scene, folds, facts, commands);
            ui.add_space(5.0);
        });
        fold_ui(ui, folds, "Layers", strong("Layers"), true, |ui, folds| {
            layers::layers_ui(ui, scene, folds, facts, commands);
            ui.add_space(5.0);
        });
        section(ui, folds, "Modifiers", true, |ui| {
            modifiers::modifiers_ui(ui, scene, facts);
        });
        section(ui, folds, "Light", true, |ui| {
            table_ui(ui, &mut scene.light, &was.light, |key| match key {
                "shadows" | "occlusion" => relevance.shadows,
                "ambient" => relevance.light.or(relevance.ambient),
                _ => relevance.light,
            });
        });
        section(ui, folds, "Ground", true, |ui| {
            table_ui(ui, &mut scene.material, &was.material, |_| {
                relevance.material
            });
        });
        section(ui, folds, "Water", true, |ui| {
            let dry = (!scene.water.enabled).then_some("the water is off");
            table_ui(ui, &mut scene.water, &was.water, |key| match key {
                "enabled" => relevance.water,
                _ => relevance.water.or(dry),
            });
        });
        section(ui, folds, "Analysis", false, |ui| {
            analysis::analysis_ui(ui, scene, was);
        });
        section(ui, folds, "Sky", true, |ui| {
            table_ui(ui, &mut scene.sky, &was.sky, |_| relevance.sky);
        });
        section(ui, folds, "Fog", false, |ui| {
            let clear = (!scene.fog.enabled).then_some("the fog is off");
            table_ui(ui, &mut scene.fog, &was.fog, |key| match key {
                "enabled" => relevance.fog,
                "start" | "end" => relevance.fog_distance.or(clear),
                _ => relevance.fog_height.or(clear),
            });
        });
        section(ui, folds, "Camera", false, |ui| {
            camera::camera_ui(
                ui,
                &mut scene.camera,
                &was.camera,
                relevance.camera,
                commands,
            );
            journey::bookmarks_ui(ui, scene, commands);
            journey::path_ui(ui, scene, facts, commands);
        });
        ui.add_space(8.0);
        input::follow_focus(ui);
    });
}

fn title_ui(ui: &mut Ui, scene: &Scene, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.heading("View Options");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let differs = *scene != *import::start();
            let button = ui.add_enabled(differs, egui::Button::new("Reset all"));
            if button
                .on_hover_text("Back to the landscape that the program starts with. Undo brings this one back.")
                .on_disabled_hover_text("This is the landscape that the program starts with.")
                .clicked()
            {
                commands.push(Command::New);
            }
        });
    });
    ui.separator();
}

fn section(ui: &mut Ui, folds: &mut Folds, title: &str, open: bool, add: impl FnOnce(&mut Ui)) {
    fold_ui(ui, folds, title, strong(title), open, |ui, _| {
        add(ui);
        ui.add_space(5.0);
    });
}

fn strong(title: &str) -> RichText {
    RichText::new(title).strong()
}

/// A part of the panel that can be folded away; `id` keeps it folded when the title changes, and
/// at the next start. Returns what `add` returns while it is open.
fn fold_ui<R>(
    ui: &mut Ui,
    folds: &mut Folds,
    id: &str,
    title: RichText,
    open: bool,
    add: impl FnOnce(&mut Ui, &mut Folds) -> R,
) -> Option<R> {
    let shown = CollapsingHeader::new(title)
        .id_salt(id)
        .default_open(folds.is_open(id, open))
        .show_unindented(ui, |ui| add(ui, folds));
    let state = CollapsingState::load(ui.ctx(), shown.header_response.id);
    if let Some(state) = state {
        folds.note(id, open, state.is_open());
    }
    shown.body_returned
}
