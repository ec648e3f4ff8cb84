//! Plants section of the panel: the layers of plants and stones, each with its rules and its mask, and ready sets of
//! them.

use egui::{RichText, Ui};

use super::finder::{note_ui, shows_all};
use super::list::{Head, list_ui, scroll_to_added};
use super::param_ui::param_row;
use super::steps::{mask_ui, spacing_m};
use super::{Facts, fold_ui};
use crate::app::controls::button;
use crate::app::state::{Folds, MaskOverlay};
use crate::generate::Generator;
use crate::pipeline::MaskOf;
use crate::scene::relevance::Inactive;
use crate::scene::{Ecosystem, MOST_PLANT_LAYERS, PlantKind, PlantLayer, Scene};
use crate::util::language::tr;
use crate::util::param::Params;

/// Settings that are always shown; the switch is in the heading, and all others are under "More options".
const FIRST: [&str; 5] = ["kind", "density", "age", "highest", "slope"];

/// Draw the section.
pub fn plants_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    inactive: &Inactive,
    facts: &Facts<'_>,
) {
    let help = tr(
        "Plants and stones that grow by rules. Tall ones come first, the others where light is left.",
    );
    note_ui(ui, help);
    let profile = scene.surface.generator == Generator::Midpoint1d;
    let spacing = spacing_m(scene, facts);
    ui.add_enabled_ui(!profile, |ui| {
        list_ui(
            ui,
            ("Plants", MOST_PLANT_LAYERS),
            &mut scene.plants,
            folds,
            |index, layer| Head {
                switch: tr("Layer on/off."),
                kind: tr(layer.kind.name()),
                help: tr(PlantKind::HELPS[layer.kind as usize]),
                differs: facts.baseline.plants.get(index).is_none_or(|was| {
                    (was.on, was.kind, &was.name) != (layer.on, layer.kind, &layer.name)
                }),
                name: &mut layer.name,
                on: &mut layer.on,
                acts: true,
                solo: None,
                time: None,
            },
            |ui, folds, index, layer| {
                let was = facts.baseline.plants.get(index).cloned();
                let was = was.unwrap_or_default();
                ui.add_enabled_ui(layer.on, |ui| {
                    let place = format!("plants.{index}");
                    let row = |ui: &mut Ui, layer: &mut PlantLayer, key: &str| {
                        let unused = inactive.reason(&place, key);
                        param_row(ui, PlantLayer::param(key), layer, &was, unused);
                    };
                    for key in FIRST {
                        row(ui, layer, key);
                    }
                    let of = MaskOf::Plants(index);
                    let masked = (&mut layer.mask, &was.mask);
                    mask_ui(ui, folds, sight, of, masked, inactive, spacing);
                    let title = RichText::new(tr("More options")).small();
                    let id = format!("plants-{}-options", index + 1);
                    fold_ui(ui, folds, &id, title, false, |ui, _| {
                        let keys = PlantLayer::PARAMS.iter().map(|param| param.key);
                        for key in keys.filter(|key| *key != "on" && !FIRST.contains(key)) {
                            row(ui, layer, key);
                        }
                    });
                });
            },
        );
        if shows_all(ui) {
            ui.horizontal(|ui| menus_ui(ui, &mut scene.plants));
        }
    });
}

/// Draw the menus that add a layer, and a ready set of them.
fn menus_ui(ui: &mut Ui, plants: &mut Vec<PlantLayer>) {
    let room = plants.len() < MOST_PLANT_LAYERS;
    let menu = ui.add_enabled_ui(room, |ui| {
        ui.menu_button(tr("Add plants…"), |ui| {
            for (kind, help) in PlantKind::ALL.iter().zip(PlantKind::HELPS) {
                if button(ui, tr(kind.name()), tr(help)) {
                    plants.push(PlantLayer {
                        kind: *kind,
                        ..PlantLayer::default()
                    });
                    scroll_to_added(ui.ctx(), "Plants", plants.len() - 1);
                }
            }
        })
        .response
    });
    menu.inner
        .on_hover_text(tr("Adds a layer of plants or stones."))
        .on_disabled_hover_text(tr("At most four layers."));
    let menu = ui.menu_button(tr("Ecosystem…"), |ui| {
        for (ecosystem, help) in Ecosystem::ALL.iter().zip(Ecosystem::HELPS) {
            if button(ui, tr(ecosystem.name()), tr(help)) {
                *plants = ecosystem.layers();
            }
        }
        if !plants.is_empty() {
            ui.separator();
            if button(ui, tr("No plants"), tr("Removes all layers of plants.")) {
                plants.clear();
            }
        }
    });
    menu.response
        .on_hover_text(tr("Replaces all plants by a ready set that suits any map."));
}
