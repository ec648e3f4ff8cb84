//! The list of modifiers: add, remove, switch off, reorder, and the options of each.

use egui::{Align, Button, Checkbox, Layout, RichText, Ui, WidgetInfo, WidgetType};

use super::generator::OptionsUi;
use crate::generate::Generator;
use crate::modify::{Modifier, ModifierKind};
use crate::scene::Scene;

/// What is asked of the list by one of its buttons.
enum Change {
    Up(usize),
    Down(usize),
    Remove(usize),
}

/// Draws the section.
pub fn modifiers_ui(ui: &mut Ui, scene: &mut Scene) {
    let help = "Applied to the ground in this order, after the generator; files hold the result.";
    ui.label(RichText::new(help).small().weak());
    if scene.surface.generator == Generator::DiamondSquare && scene.view.pass.is_some() {
        ui.label(
            RichText::new("A single pass is shown as it is.")
                .small()
                .weak(),
        );
    }
    let count = scene.modifiers.len();
    let mut change = None;
    for (index, modifier) in scene.modifiers.iter_mut().enumerate() {
        ui.push_id(index, |ui| {
            if let Some(asked) = header_ui(ui, modifier, index, count) {
                change = Some(asked);
            }
            ui.add_enabled_ui(modifier.on, |ui| {
                modifier.visit_options(&mut OptionsUi { ui });
            });
            ui.add_space(4.0);
        });
    }
    match change {
        Some(Change::Up(index)) => scene.modifiers.swap(index - 1, index),
        Some(Change::Down(index)) => scene.modifiers.swap(index, index + 1),
        Some(Change::Remove(index)) => drop(scene.modifiers.remove(index)),
        None => {}
    }
    add_ui(ui, &mut scene.modifiers);
}

/// One step's line: its switch and name, and what moves or removes it.
fn header_ui(ui: &mut Ui, modifier: &mut Modifier, index: usize, count: usize) -> Option<Change> {
    let name = modifier.kind.name();
    let mut change = None;
    ui.horizontal(|ui| {
        let switch = ui.add(Checkbox::without_text(&mut modifier.on));
        let on = modifier.on;
        switch.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, name));
        switch.on_hover_text("Whether this step is applied.");
        let title = ui.label(RichText::new(name).strong());
        title.on_hover_text(ModifierKind::HELPS[modifier.kind as usize]);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let mut button = |text: &str, enabled: bool, help: &str| {
                let button = ui.add_enabled(enabled, Button::new(text).small());
                button.on_hover_text(help).clicked()
            };
            if button("✖", true, "Remove this step.") {
                change = Some(Change::Remove(index));
            }
            if button("⏷", index + 1 < count, "Apply this step later.") {
                change = Some(Change::Down(index));
            }
            if button("⏶", index > 0, "Apply this step earlier.") {
                change = Some(Change::Up(index));
            }
        });
    });
    change
}

/// The menu that appends a step.
fn add_ui(ui: &mut Ui, modifiers: &mut Vec<Modifier>) {
    let menu = ui.menu_button("Add a modifier…", |ui| {
        for (kind, help) in ModifierKind::ALL.iter().zip(ModifierKind::HELPS) {
            if ui.button(kind.name()).on_hover_text(*help).clicked() {
                modifiers.push(Modifier::new(*kind));
            }
        }
    });
    menu.response
        .on_hover_text("Appends a step to the list; it is applied last.");
}
