//! Pin section of the panel: the switch for the pin tool, the lattice level, and the coordinates of
//! each pin.

use egui::{Button, RichText, ScrollArea, Ui, vec2};

use super::Facts;
use super::param_ui::param_row;
use super::row::Row;
use crate::app::commands::Action;
use crate::app::controls::number::{add_sized, number_box};
use crate::app::theme;
use crate::app::tools::pins;
use crate::generate::Surface;
use crate::generate::pins::Pin;
use crate::scene::Scene;
use crate::util::language::tr;
use crate::util::param::Params;

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
            "Points that the ground goes through exactly. Edit pins switches to the map, where \
             the mouse places, moves, raises and removes them.",
        ),
        differs: (&scene.surface.pins, scene.surface.pin_level) != (&was.pins, was.pin_level),
        unused,
        words: &["pins", "points"],
    };
    let editing = facts.tool.edits_pins(scene);
    let shown = row.show(ui, |ui, _| {
        let button = ui.add(Button::new(tr("Edit pins")).selected(editing));
        if row.explain(button).clicked() {
            actions.push(Action::EditPins(!editing));
        }
        if ui
            .add_enabled(count > 0, Button::new(tr("Clear")))
            .clicked()
        {
            scene.surface.pins.clear();
        }
        ui.label(count.to_string());
    });
    if let Some((true, ())) = shown {
        // Pins must be restored together with the level of their lattice.
        scene.surface.pins.clone_from(&was.pins);
        scene.surface.pin_level = was.pin_level;
    }
    let before = scene.surface.pin_level;
    let mut wanted = scene.surface.clone();
    if param_row(ui, Surface::param("pin_level"), &mut wanted, was, unused) {
        set_level(&mut scene.surface, before, wanted.pin_level);
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
    list_ui(ui, &mut scene.surface);
}

/// Set the requested lattice level, or the nearest level to it on the way from the old one at which
/// no two pins share a lattice point.
fn set_level(surface: &mut Surface, before: u32, wanted: u32) {
    let towards: Vec<u32> = if wanted < before {
        (wanted..before).collect()
    } else {
        (before + 1..=wanted).rev().collect()
    };
    let allowed = |level: &u32| pins::edit(surface, |surface| surface.pin_level = *level);
    towards.iter().any(allowed);
}

/// Draw a line of coordinates for each pin.
fn list_ui(ui: &mut Ui, surface: &mut Surface) {
    let height = ui.spacing().interact_size.y;
    let gap = ui.spacing().item_spacing.y;
    let count = surface.pins.len();
    let mut removed = None;
    ScrollArea::vertical()
        .id_salt("pins")
        .max_height(MOST_ROWS * (height + gap))
        .show_rows(ui, height, count, |ui, rows| {
            for index in rows {
                ui.push_id(index, |ui| {
                    if pin_ui(ui, surface, index) {
                        removed = Some(index);
                    }
                });
            }
        });
    if let Some(index) = removed {
        surface.pins.remove(index);
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
            ui.add_sized(
                [18.0, height],
                egui::Label::new(RichText::new(index.to_string()).weak()),
            );
            let mut number = |value: &mut f32, name: &str, speed: f64, most: f32| {
                let number = number_box(ui, value, -most..=most)
                    .prefix(format!("{name} "))
                    .speed(speed)
                    .max_decimals(4);
                add_sized(ui, vec2(PIN_NUMBER, height), number)
            };
            let x = number(&mut pin.x, "x", cell * 0.1, 1.0);
            let z = number(&mut pin.z, "z", cell * 0.1, 1.0);
            let raised = number(&mut pin.height, "h", 0.005, 1000.0);
            x.on_hover_text(tr(
                "From west −1 to east 1, on the lattice of the pin level.",
            ));
            z.on_hover_text(tr(
                "From north −1 to south 1, on the lattice of the pin level.",
            ));
            raised.on_hover_text(tr("Height in half tiles, before the height scale."));
            let button = ui.add(Button::new("✖").small());
            button.on_hover_text(tr("Remove this pin.")).clicked()
        })
        .inner;
    let old = surface.pins[index];
    if pin != old {
        let moved = (pin.x, pin.z) != (old.x, old.z);
        let pin: Pin = if moved { pin.snapped(level) } else { pin };
        pins::edit(surface, |surface| surface.pins[index] = pin);
    }
    removed
}
