//! Layer section of the panel: an ordered list of height maps blended over the base terrain, each
//! with its own generator.

use std::sync::LazyLock;

use egui::{RichText, Ui};

use super::finder::shows_all;
use super::generator::{input_ui, reading_ui};
use super::landscape::iterations;
use super::list::{Head, end_solo_ui, list_ui};
use super::masks::{mask_ui, spacing_m};
use super::param_ui::{listed_ui, param_row, param_ui};
use super::{Facts, fold_ui};
use crate::app::commands::{Action, Part};
use crate::app::state::folds::Folds;
use crate::app::state::mask_overlay::MaskOverlay;
use crate::generate::{Generator, Surface};
use crate::modify::layer::{Layer, MOST_LAYERS};
use crate::pipeline::MaskOf;
use crate::scene::Scene;
use crate::scene::relevance::Inactive;
use crate::util::language::tr;
use crate::util::param::{Field, Param, Params};
use crate::util::rng::random_seed;

/// Draw the section.
pub fn layers_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    inactive: &Inactive,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let times = facts.times;
    let help = tr("Further maps laid over the ground, in this order, before the modifiers.");
    if shows_all(ui) {
        ui.label(RichText::new(help).small().weak());
    }
    let profile = scene.surface.generator == Generator::Midpoint1d;
    if !scene.layers.is_empty() && shows_all(ui) {
        end_solo_ui(ui, scene);
    }
    let soloed = scene.is_soloed();
    let spacing = spacing_m(scene, facts);
    ui.add_enabled_ui(!profile, |ui| {
        list_ui(
            ui,
            ("layers", MOST_LAYERS),
            &mut scene.layers,
            |index, layer| Head {
                switch: tr("Layer on/off."),
                name: tr(layer.surface.generator.name()),
                help: tr(Generator::HELPS[layer.surface.generator as usize]),
                differs: facts
                    .baseline
                    .layers
                    .get(index)
                    .is_none_or(|was| (was.on, was.solo) != (layer.on, layer.solo)),
                on: &mut layer.on,
                acts: layer.solo || !soloed,
                solo: &mut layer.solo,
                time: times.layer(index),
            },
            |ui, index, layer| {
                let acts = layer.on && (layer.solo || !soloed);
                let was = facts.baseline.layers.get(index).cloned();
                let was = was.unwrap_or_default();
                let kept = (&mut *folds, &mut *sight, spacing);
                ui.add_enabled_ui(acts, |ui| {
                    layer_ui(ui, kept, (index, inactive), layer, &was, actions);
                });
            },
        );
        if !shows_all(ui) {
            return;
        }
        let room = scene.layers.len() < MOST_LAYERS;
        let menu = ui.add_enabled_ui(room, |ui| {
            ui.menu_button(tr("Add a layer…"), |ui| {
                for generator in surfaces() {
                    let help = tr(Generator::HELPS[generator as usize]);
                    if ui
                        .button(tr(generator.name()))
                        .on_hover_text(help)
                        .clicked()
                    {
                        scene.layers.push(new_layer(generator));
                    }
                }
            })
            .response
        });
        menu.inner
            .on_hover_text(tr("Lays another map over the ground."))
            .on_disabled_hover_text(tr("At most three layers."));
    });
}

/// Generators available for layers: all but the one-dimensional profile.
fn surfaces() -> impl Iterator<Item = Generator> {
    let all = Generator::ALL.iter().copied();
    all.filter(|generator| *generator != Generator::Midpoint1d)
}

/// Parameter row of a layer's generator.
fn generator() -> Param<Surface> {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| surfaces().map(Generator::name).collect());
    static HELPS: LazyLock<Vec<&str>> =
        LazyLock::new(|| surfaces().map(|g| Generator::HELPS[g as usize]).collect());
    let mut param = Surface::param("generator").clone();
    param.field = Field::Choice {
        get: |surface| surfaces().position(|g| g == surface.generator).unwrap_or(0),
        set: |surface, index| surface.generator = surfaces().nth(index).unwrap_or_default(),
        names: &NAMES,
        helps: &HELPS,
    };
    param
}

/// New layer: half as high as the base terrain, with a random seed.
fn new_layer(generator: Generator) -> Layer {
    Layer {
        weight: 0.5,
        surface: Surface {
            generator,
            seed: random_seed(),
            // A built-in image is visible until the user opens another.
            input: (generator == Generator::Image).then(|| "builtin:jacksboro".into()),
            ..Surface::default()
        },
        ..Layer::default()
    }
}

fn layer_ui(
    ui: &mut Ui,
    (folds, sight, spacing): (&mut Folds, &mut MaskOverlay, Option<f64>),
    (index, inactive): (usize, &Inactive),
    layer: &mut Layer,
    was: &Layer,
    actions: &mut Vec<Action>,
) {
    let part = Part::Layer(index);
    let of = &was.surface;
    param_ui(ui, &generator(), &mut layer.surface, of);
    param_ui(ui, Surface::param("seed"), &mut layer.surface, of);
    let place = format!("layers.{index}");
    let of_layer = |key| inactive.reason(&place, key);
    for key in ["operation", "weight", "from", "to"] {
        if param_row(ui, Layer::param(key), layer, was, of_layer(key)) {
            // Raising the lower bound above the upper one raises both.
            layer.to = layer.to.max(layer.from);
        }
    }
    if layer.surface.takes_image() {
        input_ui(ui, part, &mut layer.surface, of, actions);
        reading_ui(ui, folds, part, &mut layer.surface, of, actions);
    }
    param_ui(ui, Layer::param("strength"), layer, was);
    let masked = (&mut layer.mask, &was.mask);
    mask_ui(
        ui,
        folds,
        sight,
        MaskOf::Layer(index),
        masked,
        inactive,
        spacing,
    );
    let title = RichText::new(tr("More options")).small();
    fold_ui(ui, folds, &part.named("options"), title, false, |ui, _| {
        param_ui(ui, Layer::param("repeat"), layer, was);
        param_ui(ui, Layer::param("own_size"), layer, was);
        let surface = &mut layer.surface;
        let place = format!("{place}.surface");
        let unused = |key| inactive.reason(&place, key);
        param_row(ui, &iterations(), surface, of, unused("iterations"));
        for key in ["hurst", "height_scale", "input_low", "input_high"] {
            param_row(ui, Surface::param(key), surface, of, unused(key));
        }
        let key = surface.generator.key();
        listed_ui(ui, surface, of, &place, key, inactive);
    });
}
