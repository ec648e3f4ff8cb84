//! The sections that are tables of settings and nothing else.

use egui::Ui;

use super::landscape::VIEW_KEYS;
use super::palette::palette_ui;
use super::param_ui::{param_row, table_ui};
use super::relevance::Relevance;
use crate::param::Params;
use crate::scene::{Scene, View};

/// Draws the palette, the finer map and the cloud map.
pub fn textures_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, relevance: Relevance) {
    palette_ui(ui, &mut scene.view, &was.view, relevance.palette);
    let (teximage, clouds) = (&mut scene.teximage, &mut scene.clouds);
    table_ui(ui, teximage, &was.teximage, |_| relevance.teximage);
    table_ui(ui, clouds, &was.clouds, |_| relevance.clouds);
}

/// Draws how the landscape is drawn.
pub fn drawing_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, relevance: Relevance) {
    for param in View::PARAMS {
        if !VIEW_KEYS.contains(&param.key) {
            let unused = relevance.drawing(param.key);
            param_row(ui, param, &mut scene.view, &was.view, unused);
        }
    }
}

/// Draws the sun and its shadows.
pub fn light_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, relevance: Relevance) {
    table_ui(ui, &mut scene.light, &was.light, |key| match key {
        "shadows" | "occlusion" => relevance.shadows,
        "ambient" => relevance.light.or(relevance.ambient),
        _ => relevance.light,
    });
}

/// Draws what the land is made of.
pub fn material_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, relevance: Relevance) {
    let unused = relevance.material;
    table_ui(ui, &mut scene.material, &was.material, |_| unused);
}

/// Draws the sea.
pub fn water_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, relevance: Relevance) {
    let dry = (!scene.water.enabled).then_some("the water is off");
    table_ui(ui, &mut scene.water, &was.water, |key| match key {
        "enabled" => relevance.water,
        _ => relevance.water.or(dry),
    });
}

/// Draws the physical sky.
pub fn sky_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, relevance: Relevance) {
    table_ui(ui, &mut scene.sky, &was.sky, |_| relevance.sky);
}

/// Draws the mist.
pub fn fog_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, relevance: Relevance) {
    let clear = (!scene.fog.enabled).then_some("the fog is off");
    table_ui(ui, &mut scene.fog, &was.fog, |key| match key {
        "enabled" => relevance.fog,
        "start" | "end" => relevance.fog_distance.or(clear),
        _ => relevance.fog_height.or(clear),
    });
}
