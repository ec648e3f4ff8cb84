//! Camera section of the panel.

use egui::{Ui, vec2};

use super::finder::shows_all;
use super::param_ui::table_ui;
use super::row::Row;
use crate::app::commands::Action;
use crate::app::controls::number::{add_sized, number_box};
use crate::scene::Camera;
use crate::scene::relevance::Inactive;
use crate::util::language::tr;

/// Draw the section.
pub fn camera_ui(
    ui: &mut Ui,
    camera: &mut Camera,
    was: &Camera,
    inactive: &Inactive,
    actions: &mut Vec<Action>,
) {
    let mode = camera.mode;
    table_ui(ui, camera, was, |key| inactive.reason("camera", key));
    if camera.mode != mode {
        // The mode is changed elsewhere, because keeping the eye in place needs the ground.
        let wanted = std::mem::replace(&mut camera.mode, mode);
        actions.push(Action::CameraMode(wanted));
    }
    target_ui(ui, camera, was.target, inactive.reason("camera", "fov"));
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
