//! Panel sections that consist of plain parameter tables.

use egui::Ui;

use super::landscape::VIEW_KEYS;
use super::palette::palette_ui;
use super::param_ui::{param_row, table_ui};
use crate::scene::relevance::Inactive;
use crate::scene::{Scene, View};
use crate::util::param::Params;

/// Draw the settings of palette, texture map and cloud map.
pub fn textures_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, inactive: &Inactive) {
    palette_ui(
        ui,
        &mut scene.view,
        &was.view,
        inactive.reason("view", "palette"),
    );
    let (teximage, clouds) = (&mut scene.teximage, &mut scene.clouds);
    table_ui(ui, teximage, &was.teximage, |key| {
        inactive.reason("teximage", key)
    });
    table_ui(ui, clouds, &was.clouds, |key| {
        inactive.reason("clouds", key)
    });
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
