//! Generator section of the panel: options of the chosen generator, its input image, display of
//! single passes, and pins.

use egui::{Button, Checkbox, RichText, ScrollArea, Slider, Ui, WidgetInfo, WidgetType, vec2};

use super::finder::{note_ui, shows_all};
use super::landscape::SURFACE_KEYS;
use super::param_ui::{listed_ui, param_row, table_ui};
use super::row::{Row, double_clicked};
use super::simple;
use super::{Facts, fold_ui, read_ui};
use crate::app::commands::{Action, Command, Part, Purpose};
use crate::app::controls::lengths::{self, LIMIT, length_box};
use crate::app::controls::number::{Verdict, judge_typed};
use crate::app::state::{Folds, timeline};
use crate::app::theme;
use crate::app::tools::pins;
use crate::generate::pins::Pin;
use crate::generate::{Generator, Surface};
use crate::scene::relevance::Inactive;
use crate::scene::{RenderType, Scene};
use crate::util::language::{mark, tr};
use crate::util::lengths::{Lengths, rounded};
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
    note_ui(ui, tr(Generator::HELPS[scene.surface.generator as usize]));
    read_ui(ui, scene.surface.generator.name(), actions);
    let key = scene.surface.generator.key();
    listed_ui(ui, &mut scene.surface, was, "surface", key, inactive);
    // A search finds the row and says why it has no effect.
    if scene.has_passes() || !shows_all(ui) {
        pass_ui(ui, scene, facts, actions);
    }
    input_ui(ui, Part::Ground, &mut scene.surface, was, actions);
    reading_ui(ui, folds, Part::Ground, &mut scene.surface, was, actions);
    let formula = Surface::param("input_formula");
    let is_elsewhere =
        |key: &str| ["input_formula", "pin_level"].contains(&key) || SURFACE_KEYS.contains(&key);
    let others = Surface::PARAMS.iter();
    let others = others.filter(|param| !is_elsewhere(param.key));
    for param in [formula].into_iter().chain(others) {
        let unused = inactive.reason("surface", param.key);
        param_row(ui, param, &mut scene.surface, was, unused);
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
        ..Row::default()
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
            let help = tr("Remove the input image.");
            if button.on_hover_text(help).clicked() {
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
    if unused.is_some() && simple::is_on(ui) {
        return;
    }
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

/// Draw the row for the ground after some of its passes; a half pass of diamond-square ends after
/// the diamond step.
fn pass_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let was = facts.baseline.view.pass;
    let most = timeline::most_passes(scene);
    let step = timeline::pass_step(scene);
    let row = Row {
        label: tr("Passes"),
        help: match scene.render_type() {
            RenderType::Ridge => tr(
                "Shows the ridge after this many passes, with its points marked; at every midpoint \
                 a bar shows how far the next pass may move it. Off: the finished ridge.",
            ),
            _ => tr(
                "Shows the landscape after this many passes, with its points marked; half a pass \
                 is a diamond step without its square step. \
                 Off: the finished landscape.",
            ),
        },
        differs: scene.view.pass != was,
        unused: (!scene.has_passes()).then_some(mark(
            "works only with the generator `diamond-square` and render type `1d`",
        )),
        words: &["pass"],
        ..Row::default()
    };
    let shown = &mut scene.view.pass;
    let drawn = row.show(ui, |ui, label| {
        let mut on = shown.is_some();
        let switch = ui.add(Checkbox::without_text(&mut on));
        switch.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, row.label));
        if row.explain(switch).changed() {
            *shown = on.then_some(1.0);
        }
        let (icon, help) = match facts.playing {
            true => ("⏸", tr("Stop.")),
            false => ("▶", tr("Show the passes one after the other.")),
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
            .step_by(step.into())
            .show_value(false);
        let slider = ui.add(slider).labelled_by(label);
        if slider.changed() {
            *shown = Some((pass / step).round() * step);
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
    if let Some(words) = timeline::name_passes(scene) {
        ui.label(RichText::new(words).small().weak());
    }
}

/// Height of the list in rows; longer lists scroll.
const MOST_ROWS: f32 = 6.0;
/// Width of a coordinate box, in points.
const PIN_NUMBER: f32 = 70.0;

/// Draw the section, greyed out if the generator has no pins.
pub fn pins_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let was = &facts.baseline.surface;
    let takes = scene.surface.takes_known_points();
    let unused = (!takes).then_some(tr(
        "works only with the generators `diamond-square` and `midpoint`",
    ));
    let count = scene.surface.pins.len();
    let row = Row {
        label: tr("Pins"),
        help: tr(
            "Points that the ground passes through exactly. Edit pins switches to the map, where \
             you place, move, raise and remove pins with the mouse.",
        ),
        differs: (&scene.surface.pins, scene.surface.pin_level) != (&was.pins, was.pin_level),
        unused,
        words: &["pins", "points"],
        ..Row::default()
    };
    let editing = facts.tool.edits_pins(scene);
    let shown = row.show(ui, |ui, _| {
        let button = ui.add(Button::new(tr("Edit pins")).selected(editing));
        if row.explain(button).clicked() {
            actions.push(Action::EditPins(!editing));
        }
        let clear = ui.add_enabled(count > 0, Button::new(tr("Clear")));
        if clear.clicked() {
            scene.surface.pins.clear();
        }
        ui.label(count.to_string());
    });
    if let Some((true, ())) = shown {
        // Pins must be restored together with the level of their lattice.
        scene.surface.pins.clone_from(&was.pins);
        scene.surface.pin_level = was.pin_level;
    }
    let mut wanted = scene.surface.clone();
    if param_row(ui, Surface::param("pin_level"), &mut wanted, was, unused) {
        set_level(&mut scene.surface, wanted.pin_level);
    }
    if unused.is_some() || shown.is_none() {
        return;
    }
    if editing {
        let hint = tr(
            "On the map: click for a new pin, drag to move it, Shift drag or wheel to \
             raise it, right click or Delete to remove it.",
        );
        ui.label(RichText::new(hint).small().weak());
    }
    for words in scene.surface.beyond_iterations() {
        ui.label(RichText::new(words).small().color(theme::WARNING));
    }
    if let Err(error) = scene.surface.check_pins() {
        ui.label(RichText::new(error.to_string()).small().color(theme::ERROR));
    }
    pin_list_ui(ui, &mut scene.surface);
}

/// Set the requested lattice level, or the nearest level to it on the way from the old one at which
/// no two pins share a lattice point.
fn set_level(surface: &mut Surface, wanted: u32) {
    let before = surface.pin_level;
    let towards: Vec<u32> = match wanted < before {
        true => (wanted..before).collect(),
        false => (before + 1..=wanted).rev().collect(),
    };
    let allowed = |level: &u32| pins::edit(surface, |surface| surface.pin_level = *level);
    towards.iter().any(allowed);
}

/// Draw a line of coordinates for each pin.
fn pin_list_ui(ui: &mut Ui, surface: &mut Surface) {
    let height = ui.spacing().interact_size.y;
    let gap = ui.spacing().item_spacing.y;
    let count = surface.pins.len();
    let mut removed = None;
    ScrollArea::vertical()
        .id_salt("pins")
        .max_height(MOST_ROWS * (height + gap))
        .show_rows(ui, height, count, |ui, rows| {
            for index in rows {
                let is_removed = ui.push_id(index, |ui| pin_ui(ui, surface, index));
                removed = is_removed.inner.then_some(index).or(removed);
            }
        });
    if let Some(index) = removed {
        surface.pins.remove(index);
    }
}

/// Result of typing the place of a pin, which is `placed` on the lattice, or stays if another pin is there.
fn place_verdict(ui: &Ui, old: Pin, typed: Pin, placed: Option<Pin>) -> Verdict {
    let scale = lengths::shown(ui).map_or(1.0, |lengths| lengths.half_tile);
    let place = |pin: Pin| if typed.x == old.x { pin.z } else { pin.x };
    let shown = |pin: Pin| rounded(f64::from(place(pin)) * scale);
    let value = shown(typed);
    match placed.map(shown) {
        None => Verdict::Remark(tr!(
            "{value} is the place of another pin: the old value stays",
            value
        )),
        Some(place) if place != value => Verdict::Remark(tr!(
            "{value} is between places of the lattice: {place} is used",
            value,
            place
        )),
        Some(_) => Verdict::AsTyped,
    }
}

/// Draw one pin; returns true if its remove button was pressed.
fn pin_ui(ui: &mut Ui, surface: &mut Surface, index: usize) -> bool {
    let level = surface.pin_level;
    let cell = 2.0 / f64::from(1u32 << level);
    let height = ui.spacing().interact_size.y;
    let mut pin = surface.pins[index];
    let removed = ui
        .horizontal(|ui| {
            let label = egui::Label::new(RichText::new(index.to_string()).weak());
            ui.add_sized([18.0, height], label);
            let size = vec2(PIN_NUMBER, height);
            let mut length = |value: &mut f32, most: f64, name: &str, speed: f64| {
                let mut edited = f64::from(*value);
                let response = length_box(ui, &mut edited, most, size, name, speed);
                *value = edited as f32;
                response
            };
            let x = length(&mut pin.x, 1.0, "x ", cell * 0.1);
            let z = length(&mut pin.z, 1.0, "z ", cell * 0.1);
            let raised = length(&mut pin.height, LIMIT, "h ", 0.005);
            if let Some(Lengths { unit, .. }) = lengths::shown(ui) {
                let unit = tr(unit);
                x.on_hover_text(tr!(
                    "Distance in {} from the middle to the east, on the lattice of the pin level.",
                    unit
                ));
                z.on_hover_text(tr!(
                    "Distance in {} from the middle to the south, on the lattice of the pin level.",
                    unit
                ));
                raised.on_hover_text(tr!("Height in {}, before the height scale.", unit));
            }
            let button = ui.add(Button::new("✖").small());
            button.on_hover_text(tr("Remove this pin.")).clicked()
        })
        .inner;
    let old = surface.pins[index];
    if pin != old {
        let moved = (pin.x, pin.z) != (old.x, old.z);
        let placed: Pin = if moved { pin.snapped(level) } else { pin };
        let is_allowed = pins::edit(surface, |surface| surface.pins[index] = placed);
        if moved {
            let placed = is_allowed.then_some(placed);
            judge_typed(ui.ctx(), || place_verdict(ui, old, pin, placed));
        }
    }
    removed
}
