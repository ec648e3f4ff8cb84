//! Modifier section of the panel: an ordered list of steps applied to the terrain.

use egui::{RichText, Ui};

use super::Facts;
use super::finder::shows_all;
use super::list::{Head, end_solo_ui, list_ui};
use super::masks::{mask_ui, spacing_m};
use super::param_ui::{listed_ui, param_row};
use crate::app::state::folds::Folds;
use crate::app::state::mask_overlay::MaskOverlay;
use crate::generate::Generator;
use crate::modify::{Modifier, ModifierKind};
use crate::pipeline::MaskOf;
use crate::scene::Scene;
use crate::scene::relevance::Inactive;
use crate::util::language::tr;
use crate::util::param::Params;

/// Draw the section.
pub fn modifiers_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    inactive: &Inactive,
    facts: &Facts<'_>,
) {
    let times = facts.times;
    let help = tr(
        "Applied to the ground in this order, after the generator and the layers; files contain the result.",
    );
    if shows_all(ui) {
        ui.label(RichText::new(help).small().weak());
    }
    if shows_all(ui)
        && scene.surface.generator == Generator::DiamondSquare
        && scene.view.pass.is_some()
    {
        ui.label(
            RichText::new(tr(
                "While a single pass is shown, modifiers are not applied.",
            ))
            .small()
            .weak(),
        );
    }
    if !scene.modifiers.is_empty() && shows_all(ui) {
        end_solo_ui(ui, scene);
    }
    let soloed = scene.is_soloed();
    let spacing = spacing_m(scene, facts);
    list_ui(
        ui,
        ("modifiers", usize::MAX),
        &mut scene.modifiers,
        |index, modifier| Head {
            switch: tr("Modifier on/off."),
            name: tr(modifier.kind.name()),
            help: tr(ModifierKind::HELPS[modifier.kind as usize]),
            differs: facts.baseline.modifiers.get(index).is_none_or(|was| {
                (was.kind, was.on, was.solo) != (modifier.kind, modifier.on, modifier.solo)
            }),
            on: &mut modifier.on,
            acts: modifier.solo || !soloed,
            solo: &mut modifier.solo,
            time: times.modifier(index),
        },
        |ui, index, modifier| {
            let was = facts.baseline.modifiers.get(index);
            let was = was.filter(|was| was.kind == modifier.kind);
            let was = was.cloned().unwrap_or_default();
            let acts = modifier.on && (modifier.solo || !soloed);
            ui.add_enabled_ui(acts, |ui| {
                let place = format!("modifiers.{index}");
                let key = modifier.kind.key();
                listed_ui(ui, modifier, &was, &place, key, inactive);
                let unused = inactive.reason(&place, "strength");
                param_row(ui, Modifier::param("strength"), modifier, &was, unused);
                let of = MaskOf::Modifier(index);
                let masked = (&mut modifier.mask, &was.mask);
                mask_ui(ui, folds, sight, of, masked, inactive, spacing);
                if modifier.smooths_mask() {
                    let unused = inactive.reason(&place, "mask_radius");
                    let radius = Modifier::param("mask_radius");
                    param_row(ui, radius, modifier, &was, unused);
                }
            });
        },
    );
    if shows_all(ui) {
        add_ui(ui, &mut scene.modifiers);
    }
}

/// Draw the menu that appends a step.
fn add_ui(ui: &mut Ui, modifiers: &mut Vec<Modifier>) {
    let menu = ui.menu_button(tr("Add a modifier…"), |ui| {
        for (kind, help) in ModifierKind::ALL.iter().zip(ModifierKind::HELPS) {
            if ui.button(tr(kind.name())).on_hover_text(tr(help)).clicked() {
                modifiers.push(Modifier::new(*kind));
            }
        }
    });
    menu.response
        .on_hover_text(tr("Adds a step at the end of the list."));
}
