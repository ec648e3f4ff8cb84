//! Where the landscape is seen from.

use egui::{Ui, vec2};

use super::finder::shows_all;
use super::param_ui::table_ui;
use super::row::Row;
use crate::app::commands::Action;
use crate::app::controls::number::{add_sized, number_box};
use crate::language::tr;
use crate::scene::relevance::Relevance;
use crate::scene::{Camera, CameraMode};

/// Draws the section.
pub fn camera_ui(
    ui: &mut Ui,
    camera: &mut Camera,
    was: &Camera,
    relevance: Relevance,
    actions: &mut Vec<Action>,
) {
    let mode = camera.mode;
    let from_above = mode == CameraMode::Top;
    let (walks, moves) = (mode == CameraMode::Walk, mode != CameraMode::Orbit);
    table_ui(ui, camera, was, |key| {
        let own = match key {
            "pitch" if from_above => Some(tr("the camera looks straight down")),
            "eye_height" if !walks => Some(tr("used only when walking")),
            "speed" if from_above || !moves => Some(tr("used only when flying or walking")),
            _ => None,
        };
        relevance.camera(key).or(own)
    });
    if camera.mode != mode {
        // The eye stays where it is, which needs the ground.
        let wanted = std::mem::replace(&mut camera.mode, mode);
        actions.push(Action::CameraMode(wanted));
    }
    target_ui(ui, camera, was.target, relevance.camera("target"));
    if !shows_all(ui) {
        return;
    }
    let button = ui.add_enabled(*camera != *was, egui::Button::new(tr("Reset camera")));
    let help = tr("The camera as the preset or the file has it (key Home).");
    if button
        .on_hover_text(help)
        .on_disabled_hover_text(help)
        .clicked()
    {
        actions.push(Action::ResetCamera);
    }
}

fn target_ui(ui: &mut Ui, camera: &mut Camera, was: [f64; 3], unused: Option<&str>) {
    let row = Row {
        label: tr("Target"),
        help: tr(
            "The point that the camera looks at: x (east), y (up), z (south).\n\n\
             Unit: half tiles. -1000 to 1000. Default: 0, 0, 0. Double-click to reset.",
        ),
        differs: camera.target != was,
        unused,
        words: &["target"],
    };
    let shown = row.show(ui, |ui, label| {
        let gap = ui.spacing().item_spacing.x;
        let size = vec2(
            (ui.available_width() - 2.0 * gap) / 3.0,
            ui.spacing().interact_size.y,
        );
        for value in &mut camera.target {
            let number = number_box(ui, value, -1000.0..=1000.0)
                .speed(0.01)
                .min_decimals(2)
                .max_decimals(3);
            row.explain(add_sized(ui, size, number).labelled_by(label));
        }
    });
    if let Some((true, ())) = shown {
        camera.target = was;
    }
}
