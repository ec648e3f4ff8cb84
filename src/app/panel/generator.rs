//! Generator section of the panel: options of the chosen generator, its input image, and display of
//! single passes.

use egui::{Button, Checkbox, RichText, Slider, Ui, WidgetInfo, WidgetType};

use super::finder::shows_all;
use super::landscape::SURFACE_KEYS;
use super::param_ui::{listed_ui, param_row, table_ui};
use super::pins::pins_ui;
use super::row::{Row, double_clicked};
use super::{Facts, fold_ui};
use crate::app::commands::{Action, Command, Part, Purpose};
use crate::app::state::folds::Folds;
use crate::app::state::passes;
use crate::generate::{Generator, Surface};
use crate::scene::relevance::Inactive;
use crate::scene::{RenderType, Scene};
use crate::util::language::tr;
use crate::util::param::Params;
use crate::util::words;

/// Draw the section.
pub fn generator_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    folds: &mut Folds,
    inactive: &Inactive,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = &facts.baseline.surface;
    let help = tr(Generator::HELPS[scene.surface.generator as usize]);
    if shows_all(ui) {
        ui.label(RichText::new(help).small().weak());
    }
    let key = scene.surface.generator.key();
    listed_ui(ui, &mut scene.surface, was, "surface", key, inactive);
    if scene.surface.generator == Generator::DiamondSquare {
        pass_ui(ui, scene, facts, actions);
    }
    input_ui(ui, Part::Ground, &mut scene.surface, was, actions);
    reading_ui(ui, folds, Part::Ground, &mut scene.surface, was, actions);
    let of_surface = |key| inactive.reason("surface", key);
    let formula = Surface::param("input_formula");
    let unused = of_surface(formula.key);
    param_row(ui, formula, &mut scene.surface, was, unused);
    for param in Surface::PARAMS {
        let key = param.key;
        if ["input_formula", "pin_level"].contains(&key) || SURFACE_KEYS.contains(&key) {
            continue;
        }
        param_row(ui, param, &mut scene.surface, was, of_surface(key));
    }
    pins_ui(ui, scene, facts, actions);
}

/// Draw the row of the input image: a button with its name opens another, a second button removes
/// it.
pub fn input_ui(
    ui: &mut Ui,
    part: Part,
    surface: &mut Surface,
    was: &Surface,
    actions: &mut Vec<Action>,
) {
    let row = Row {
        label: tr("Input image"),
        help: tr(
            "A grey image or elevation model: the heights that `image` shows and that \
             `diamond-square` and `midpoint` start from. A file can also be dropped on the window.",
        ),
        differs: surface.input != was.input,
        unused: (!surface.takes_image()).then_some(tr("this generator uses no image")),
        words: &["input"],
    };
    let name = surface.input.as_ref().map(|path| {
        let name = path.file_name().unwrap_or(path.as_os_str());
        words::window(&name.to_string_lossy())
    });
    let shown = row.show(ui, |ui, _| {
        let height = ui.spacing().interact_size.y;
        let gap = ui.spacing().item_spacing.x;
        let clear = if name.is_some() { 22.0 + gap } else { 0.0 };
        let size = [ui.available_width() - clear, height];
        let text = name.as_deref().unwrap_or(tr("Open…"));
        let button = ui.add_sized(size, Button::new(text).truncate());
        if row.explain(button).clicked() {
            actions.push(Action::Ask(Purpose::Input(part)));
        }
        if name.is_some() {
            // Padding would widen the button and, with it, the rows below.
            ui.spacing_mut().button_padding.x = 2.0;
            let button = ui.add_sized([22.0, height], Button::new("✖"));
            if button
                .on_hover_text(tr("Remove the input image."))
                .clicked()
            {
                actions.push(Action::ClearInput(part));
            }
        }
    });
    if let Some((true, ())) = shown {
        surface.input.clone_from(&was.input);
    }
}

/// Draw the reading options of the input image; a change reads the image again.
pub fn reading_ui(
    ui: &mut Ui,
    folds: &mut Folds,
    part: Part,
    surface: &mut Surface,
    was: &Surface,
    actions: &mut Vec<Action>,
) {
    let unused = (!surface.takes_image()).then_some(tr("this generator uses no image"));
    let title = RichText::new(tr("How the image is read")).small();
    let id = part.named("reading");
    let changed = fold_ui(ui, folds, &id, title, false, |ui, _| {
        table_ui(ui, &mut surface.reading, &was.reading, |_| unused)
    });
    if changed == Some(true)
        && let Some(path) = &surface.input
    {
        actions.push(Command::UseInput(part, path.clone()).into());
    }
}

/// Draw the row for diamond-square after some of its passes; a half pass ends after the diamond
/// step.
fn pass_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let was = facts.baseline.view.pass;
    let most = passes::most(scene);
    let ridge = scene.render_type() == RenderType::Ridge;
    let row = Row {
        label: tr("Passes"),
        help: tr(
            "Shows the landscape after this many passes, with its points marked; half a pass \
             is a diamond step without its square step. \
             Off: the finished landscape.",
        ),
        differs: scene.view.pass != was,
        unused: ridge.then_some(tr("render type `1d` shows no passes")),
        words: &["pass"],
    };
    let shown = &mut scene.view.pass;
    let drawn = row.show(ui, |ui, label| {
        let mut on = shown.is_some();
        let switch = ui.add(Checkbox::without_text(&mut on));
        switch.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, row.label));
        if row.explain(switch).changed() {
            *shown = on.then_some(1.0);
        }
        let (icon, help) = if facts.playing {
            ("⏸", tr("Stop."))
        } else {
            ("▶", tr("Show the passes one after the other."))
        };
        let play = ui.add_sized([22.0, 18.0], Button::new(icon).small());
        if play.on_hover_text(help).clicked() {
            actions.push(Action::PlayPasses);
        }
        let mut pass = shown.unwrap_or(most);
        let value_width = 28.0;
        ui.spacing_mut().slider_width =
            ui.available_width() - value_width - ui.spacing().item_spacing.x;
        let slider = Slider::new(&mut pass, 0.0..=most)
            .step_by(0.5)
            .show_value(false);
        let slider = ui.add(slider).labelled_by(label);
        if slider.changed() {
            *shown = Some((pass * 2.0).round() / 2.0);
        }
        ui.label(shown.map_or_else(|| tr("all").to_owned(), |pass| format!("{pass:.1}")));
        double_clicked(&row.explain(slider))
    });
    let Some((reset, reset_too)) = drawn else {
        return;
    };
    if reset || reset_too {
        *shown = was;
    }
    if let Some(words) = passes::words(scene) {
        ui.label(RichText::new(words).small().weak());
    }
}
