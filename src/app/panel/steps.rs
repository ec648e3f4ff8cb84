//! Layer and modifier sections of the panel: ordered lists of height maps blended over the base
//! terrain and of steps applied to it, each with a mask. The mask is shown as an overlay on the
//! terrain while the pointer is over its settings, or while they are open.

use std::sync::LazyLock;

use egui::{RichText, Ui};

use super::finder::{note_ui, shows_all};
use super::generator::{input_ui, reading_ui};
use super::landscape::iterations;
use super::list::{Head, end_solo_ui, list_ui, scroll_to_added};
use super::param_ui::{listed_ui, param_row, param_ui};
use super::{Facts, fold_ui, read_ui};
use crate::app::commands::{Action, Part};
use crate::app::controls::button;
use crate::app::state::{Folds, MaskOverlay};
use crate::generate::{Generator, Surface};
use crate::modify::layer::{Layer, MOST_LAYERS};
use crate::modify::mask::{Mask, SecondMask};
use crate::modify::{Modifier, ModifierKind};
use crate::pipeline::MaskOf;
use crate::scene::Scene;
use crate::scene::relevance::{self, Inactive};
use crate::util::language::tr;
use crate::util::numbers::length_words;
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
    let help =
        tr("More height maps combined with the ground, in this order, before the modifiers.");
    note_ui(ui, help);
    let profile = scene.surface.generator == Generator::Midpoint1d;
    if !scene.layers.is_empty() {
        end_solo_ui(ui, scene);
    }
    let soloed = scene.is_soloed();
    let spacing = spacing_m(scene, facts);
    ui.add_enabled_ui(!profile, |ui| {
        list_ui(
            ui,
            ("Layers", MOST_LAYERS),
            &mut scene.layers,
            folds,
            |index, layer| Head {
                switch: tr("Layer on/off."),
                kind: tr(layer.surface.generator.name()),
                help: tr(Generator::HELPS[layer.surface.generator as usize]),
                differs: facts.baseline.layers.get(index).is_none_or(|was| {
                    (was.on, was.solo, &was.name) != (layer.on, layer.solo, &layer.name)
                }),
                name: &mut layer.name,
                on: &mut layer.on,
                acts: layer.solo || !soloed,
                solo: Some(&mut layer.solo),
                time: times.layer(index),
            },
            |ui, folds, index, layer| {
                let acts = layer.on && (layer.solo || !soloed);
                let was = facts.baseline.layers.get(index).cloned();
                let was = was.unwrap_or_default();
                let kept = (folds, &mut *sight, spacing);
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
                    if button(ui, tr(generator.name()), help) {
                        scene.layers.push(new_layer(generator));
                        scroll_to_added(ui.ctx(), "Layers", scene.layers.len() - 1);
                    }
                }
            })
            .response
        });
        menu.inner
            .on_hover_text(tr("Combines another height map with the ground."))
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
    let was_surface = &was.surface;
    param_ui(ui, &generator(), &mut layer.surface, was_surface);
    param_ui(ui, Surface::param("seed"), &mut layer.surface, was_surface);
    let place = format!("layers.{index}");
    let of_layer = |key| inactive.reason(&place, key);
    for key in ["operation", "weight", "from", "to"] {
        if param_row(ui, Layer::param(key), layer, was, of_layer(key)) {
            // Raising the lower bound above the upper one raises both.
            layer.to = layer.to.max(layer.from);
        }
    }
    if layer.surface.takes_image() {
        input_ui(ui, part, &mut layer.surface, was_surface, actions);
        reading_ui(ui, folds, part, &mut layer.surface, was_surface, actions);
    }
    param_ui(ui, Layer::param("strength"), layer, was);
    let masked = (&mut layer.mask, &was.mask);
    let of = MaskOf::Layer(index);
    mask_ui(ui, folds, sight, of, masked, inactive, spacing);
    let title = RichText::new(tr("More options")).small();
    fold_ui(ui, folds, &part.named("options"), title, false, |ui, _| {
        param_ui(ui, Layer::param("repeat"), layer, was);
        param_ui(ui, Layer::param("own_size"), layer, was);
        let surface = &mut layer.surface;
        let place = format!("{place}.surface");
        let unused = |key| inactive.reason(&place, key);
        param_row(
            ui,
            &iterations(),
            surface,
            was_surface,
            unused("iterations"),
        );
        for key in ["hurst", "height_scale", "input_low", "input_high"] {
            param_row(ui, Surface::param(key), surface, was_surface, unused(key));
        }
        let key = surface.generator.key();
        listed_ui(ui, surface, was_surface, &place, key, inactive);
    });
}

/// Draw the section.
pub fn modifiers_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    inactive: &Inactive,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let times = facts.times;
    let help = tr(
        "Applied to the ground in this order, after the generator and the layers; files contain the result.",
    );
    note_ui(ui, help);
    if scene.shows_pass() {
        let words = tr("While a single pass is shown, modifiers are not applied.");
        note_ui(ui, words);
    }
    if !scene.modifiers.is_empty() {
        end_solo_ui(ui, scene);
    }
    let soloed = scene.is_soloed();
    let spacing = spacing_m(scene, facts);
    list_ui(
        ui,
        ("Modifiers", usize::MAX),
        &mut scene.modifiers,
        folds,
        |index, modifier| Head {
            switch: tr("Modifier on/off."),
            kind: tr(modifier.kind.name()),
            help: tr(ModifierKind::HELPS[modifier.kind as usize]),
            differs: facts.baseline.modifiers.get(index).is_none_or(|was| {
                let head = |step: &Modifier| (step.kind, step.on, step.solo);
                head(was) != head(modifier) || was.name != modifier.name
            }),
            name: &mut modifier.name,
            on: &mut modifier.on,
            acts: modifier.solo || !soloed,
            solo: Some(&mut modifier.solo),
            time: times.modifier(index),
        },
        |ui, folds, index, modifier| {
            let was = facts.baseline.modifiers.get(index);
            let was = was.filter(|was| was.kind == modifier.kind);
            let was = was.cloned().unwrap_or_default();
            let acts = modifier.on && (modifier.solo || !soloed);
            read_ui(ui, modifier.kind.name(), actions);
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
    if !shows_all(ui) {
        return;
    }
    let menu = ui.menu_button(tr("Add a modifier…"), |ui| {
        for (kind, help) in ModifierKind::ALL.iter().zip(ModifierKind::HELPS) {
            if button(ui, tr(kind.name()), tr(help)) {
                scene.modifiers.push(Modifier::new(*kind));
                scroll_to_added(ui.ctx(), "Modifiers", scene.modifiers.len() - 1);
            }
        }
    });
    menu.response
        .on_hover_text(tr("Adds a step at the end of the list."));
}

/// Distance between the terrain's samples in metres; `None` if it is not known yet.
pub(super) fn spacing_m(scene: &Scene, facts: &Facts<'_>) -> Option<f64> {
    let surface = &scene.surface;
    let cells = match relevance::iterations(surface) {
        None => f64::from(surface.iterations).exp2(),
        Some(_) => {
            let shown = facts.shown?;
            ((shown.rows.max(shown.columns) - 1) * shown.stride) as f64
        }
    };
    Some(f64::from(surface.tile_size_m) / cells)
}

/// Draw the mask settings of a step. `was` is the mask in the preset or file, `spacing_m` the
/// distance between the terrain's samples in metres.
pub(super) fn mask_ui(
    ui: &mut Ui,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    of: MaskOf,
    (mask, was): (&mut Mask, &Mask),
    inactive: &Inactive,
    spacing_m: Option<f64>,
) {
    let (step, list, index) = match of {
        MaskOf::Layer(index) => ("layer", "layers", index),
        MaskOf::Modifier(index) => ("modifier", "modifiers", index),
        MaskOf::Plants(index) => ("plants", "plants", index),
    };
    let id = format!("{step}-{}-mask", index + 1);
    let place = format!("{list}.{index}.mask");
    let was_open = folds.is_open(&id, false);
    let part = ui.scope(|ui| {
        let title = RichText::new(tr("Mask")).small();
        fold_ui(ui, folds, &id, title, false, |ui, _| {
            let unused = |key| inactive.reason(&place, key);
            param_row(ui, Mask::param("by"), mask, was, unused("by"));
            let key = mask.by.key();
            listed_ui(ui, mask, was, &place, key, inactive);
            scale_note_ui(ui, mask.scale_m(), spacing_m);
            param_row(ui, Mask::param("invert"), mask, was, unused("invert"));
            // Without a mask these rows have no effect, and only a search shows them.
            if mask.is_none() && shows_all(ui) {
                return;
            }
            let second = format!("{place}.second");
            let reason = inactive.reason(&second, "by");
            let by = SecondMask::param("by");
            param_row(ui, by, &mut mask.second, &was.second, reason);
            if !mask.second.is_none() || !shows_all(ui) {
                let combine = Mask::param("combine");
                param_row(ui, combine, mask, was, unused("combine"));
            }
            if !mask.second.is_none() {
                let key = mask.second.by.key();
                let (own, was) = (&mut mask.second, &was.second);
                ui.push_id("second", |ui| {
                    listed_ui(ui, own, was, &second, key, inactive)
                });
                scale_note_ui(ui, mask.second.scale_m(), spacing_m);
            }
            for key in ["grow", "blur", "black", "white", "gamma"] {
                if param_row(ui, Mask::param(key), mask, was, unused(key)) {
                    // Raising the black point above the white one raises both.
                    match key {
                        "black" => mask.white = mask.white.max(mask.black),
                        "white" => mask.black = mask.black.min(mask.white),
                        _ => {}
                    }
                }
            }
        });
    });
    if ui.is_enabled() && !mask.is_none() {
        let open = folds.is_open(&id, false);
        let pointed = ui.rect_contains_pointer(part.response.rect);
        sight.note(of, pointed || (open && !was_open), open);
    }
}

/// Say that samples are wider apart than the scale of a mask, if they are.
fn scale_note_ui(ui: &mut Ui, scale_m: Option<f32>, spacing_m: Option<f64>) {
    if let (Some(scale), Some(spacing)) = (scale_m, spacing_m)
        && spacing > f64::from(scale)
        && scale > 0.0
    {
        let words = tr!(
            "Samples are {} apart, more than the mask scale: the shape of the ground is measured \
             from sample to sample.",
            length_words(spacing)
        );
        ui.label(RichText::new(words).small().weak());
    }
}
