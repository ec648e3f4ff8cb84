//! The maps laid over the ground: an ordered list, each with its own generator.

use egui::{CollapsingHeader, RichText, Ui};

use super::generator::{OptionsUi, input_ui, reading_ui};
use super::landscape::MOST_ITERATIONS;
use super::list::{Head, list_ui};
use super::param_ui::{param_row, param_ui};
use crate::app::commands::{Command, Part};
use crate::app::times::StepTimes;
use crate::generate::{Generator, Surface};
use crate::layer::{Layer, MOST_LAYERS, Operation};
use crate::param::Params;
use crate::rng::random_seed;
use crate::scene::Scene;

/// Draws the section.
pub fn layers_ui(ui: &mut Ui, scene: &mut Scene, times: &StepTimes, commands: &mut Vec<Command>) {
    let help = "Further maps laid over the ground, in this order, before the modifiers.";
    ui.label(RichText::new(help).small().weak());
    let profile = scene.surface.generator == Generator::Midpoint1d;
    ui.add_enabled_ui(!profile, |ui| {
        list_ui(
            ui,
            "layers",
            &mut scene.layers,
            |index, layer| Head {
                name: layer.surface.generator.name(),
                help: Generator::HELPS[layer.surface.generator as usize],
                on: &mut layer.on,
                time: times.layer(index),
            },
            |ui, index, layer| {
                let on = layer.on;
                let part = Part::Layer(index);
                ui.add_enabled_ui(on, |ui| layer_ui(ui, part, layer, commands));
            },
        );
        let room = scene.layers.len() < MOST_LAYERS;
        let menu = ui.add_enabled_ui(room, |ui| {
            ui.menu_button("Add a layer…", |ui| {
                let generators = Generator::ALL.iter().zip(Generator::HELPS);
                for (generator, help) in generators.filter(|(g, _)| **g != Generator::Midpoint1d) {
                    if ui.button(generator.name()).on_hover_text(*help).clicked() {
                        scene.layers.push(new_layer(*generator));
                    }
                }
            })
            .response
        });
        menu.inner
            .on_hover_text("Another map over the ground: up to three.")
            .on_disabled_hover_text("Three layers over the ground are the most.");
    });
}

/// A layer as it is added: half as high as the ground, of a seed of its own.
fn new_layer(generator: Generator) -> Layer {
    Layer {
        weight: 0.5,
        surface: Surface {
            generator,
            seed: random_seed(),
            // Something to look at until another image is opened.
            input: (generator == Generator::Image).then(|| "builtin:jacksboro".into()),
            ..Surface::default()
        },
        ..Layer::default()
    }
}

fn layer_ui(ui: &mut Ui, part: Part, layer: &mut Layer, commands: &mut Vec<Command>) {
    param_ui(ui, Surface::param("generator"), &mut layer.surface);
    param_ui(ui, Surface::param("seed"), &mut layer.surface);
    let no_blend = (layer.operation != Operation::Blend).then_some("only `blend` looks at heights");
    for key in ["operation", "weight", "from", "to"] {
        let unused = no_blend.filter(|_| key == "from" || key == "to");
        if param_row(ui, Layer::param(key), layer, unused) {
            // The lower bound pushes the upper one along.
            layer.to = layer.to.max(layer.from);
        }
    }
    if layer.surface.generator.takes_image() {
        input_ui(ui, part, &layer.surface, commands);
        reading_ui(ui, part, &mut layer.surface, commands);
    }
    let title = RichText::new("More of this layer").small();
    CollapsingHeader::new(title).show_unindented(ui, |ui| {
        param_ui(ui, Layer::param("repeat"), layer);
        param_ui(ui, Layer::param("own_size"), layer);
        let same = (!layer.own_size).then_some("the layer is as fine as the ground");
        let surface = &mut layer.surface;
        if param_row(ui, Surface::param("iterations"), surface, same) {
            surface.iterations = surface.iterations.min(MOST_ITERATIONS);
        }
        param_ui(ui, Surface::param("hurst"), surface);
        param_ui(ui, Surface::param("height_scale"), surface);
        let no_input = (surface.input.is_none()).then_some("there is no input image");
        for key in ["input_low", "input_high"] {
            param_row(ui, Surface::param(key), surface, no_input);
        }
        surface.visit_options(&mut OptionsUi { ui });
    });
}
