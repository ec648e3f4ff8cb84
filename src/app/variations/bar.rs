//! Controls of the variations: which settings vary, how strongly, and the number of scenes.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Label, PopupCloseBehavior, RichText, ScrollArea, Slider, TextEdit, Ui};

use super::words;
use crate::app::commands::Action;
use crate::app::controls::drop_down::choose;
use crate::app::controls::number::reader;
use crate::app::search::{Query, Text};
use crate::app::state::variations::{SIDES, Variations, Varying};
use crate::scene::vary::{LAND, SEEDS, Setting};
use crate::util::language::tr;

/// Width and maximum height of the list of settings, in points.
const LIST: egui::Vec2 = egui::vec2(250.0, 420.0);

/// Width of the drop-down for the grid size, in points.
const SIDE_WIDTH: f32 = 72.0;
/// Width of the hint, in points.
const HINT_WIDTH: f32 = 440.0;

/// Draw the controls.
pub fn bar_ui(
    ui: &mut Ui,
    varying: &mut Varying,
    sheet: &mut Variations,
    actions: &mut Vec<Action>,
) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(tr("Vary")).strong());
        for name in groups(sheet.settings()) {
            let chip = ui.selectable_label(varying.has(&name), words::group(&name));
            if chip.on_hover_text(help(&name)).clicked() {
                varying.toggle(&name);
            }
        }
        settings_menu(ui, varying, sheet);
    });
    ui.horizontal_wrapped(|ui| {
        strength_ui(ui, varying, sheet.settings());
        side_ui(ui, varying);
        let again = ui.button(tr("Others"));
        if again
            .on_hover_text(tr("Other variations of the same scene."))
            .clicked()
        {
            sheet.set = sheet.set.wrapping_add(1);
        }
        let close = ui.button(tr("Close"));
        if close
            .on_hover_text(tr("Back to the landscape (Esc)."))
            .clicked()
        {
            actions.push(Action::ToggleVariations);
        }
        if ui.available_width() > HINT_WIDTH {
            ui.weak(tr(
                "Click takes one over, Shift-click opens it in a window of its own.",
            ));
        }
    });
}

/// Groups of settings that can be chosen together: seeds, the shape of the terrain, and tables of
/// the scene.
fn groups(settings: &[Setting]) -> Vec<String> {
    let mut groups = vec![SEEDS.to_owned(), LAND.to_owned()];
    for setting in settings {
        let first = setting.place.split('.').next().unwrap_or_default();
        let is_land = ["surface", "layers", "modifiers"].contains(&first);
        if !is_land && !groups.iter().any(|group| group == first) {
            groups.push(first.to_owned());
        }
    }
    groups
}

fn help(group: &str) -> String {
    match group {
        SEEDS => tr("Another seed for each: another landscape of the same kind.").to_owned(),
        LAND => {
            tr("What shapes the ground: its generator's settings, layers and modifiers.").to_owned()
        }
        group => tr!(
            "The settings in the panel's section \"{}\".",
            words::group(group)
        ),
    }
}

fn strength_ui(ui: &mut Ui, varying: &mut Varying, settings: &[Setting]) {
    let vary = varying.vary(0);
    // The strength has no effect on seeds.
    let has_use = settings
        .iter()
        .any(|setting| !setting.is_seed && vary.varies(setting));
    let label = ui.add_enabled(has_use, Label::new(tr("Strength")));
    ui.spacing_mut().slider_width = 110.0;
    let parser = reader(ui, 0.0..=1.0_f32);
    let slider = Slider::new(&mut varying.strength, 0.0..=1.0)
        .max_decimals(2)
        .update_while_editing(false)
        .custom_parser(parser);
    let slider = ui.add_enabled(has_use, slider).labelled_by(label.id);
    slider
        .on_hover_text(tr(
            "How far settings go: 0 not at all, 1 anywhere in their ranges.",
        ))
        .on_disabled_hover_text(tr("Seeds have no strength: let something else vary too."));
}

/// Draw the choice of the grid size.
fn side_ui(ui: &mut Ui, varying: &mut Varying) {
    let label = ui.label(tr("Size"));
    let mut side = varying.side();
    let words = |side: usize| format!("{side} × {side}");
    let choices = SIDES.map(|side| (side, words(side), tr("Scenes across and down.")));
    ui.scope(|ui| {
        ui.set_max_width(SIDE_WIDTH);
        if choose(ui, label.id, &words(side), &mut side, choices) {
            varying.side = side;
        }
    });
}

/// Menu with all settings, each with a check box for its variation.
fn settings_menu(ui: &mut Ui, varying: &mut Varying, sheet: &mut Variations) {
    let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    let vary = varying.vary(0);
    let count = sheet
        .settings()
        .iter()
        .filter(|setting| vary.varies(setting))
        .count();
    let text = tr!("1 setting" | "{n} settings" % count);
    let (menu, shown) = MenuButton::new(format!("{text} ⏷"))
        .config(config)
        .ui(ui, |ui| {
            ui.set_width(LIST.x);
            let search = TextEdit::singleline(&mut sheet.search).hint_text(tr("Search settings"));
            let search = ui.add(search.desired_width(f32::INFINITY));
            // Keyboard focus has no effect during the sizing pass of a menu.
            if sheet.search_asks && !ui.is_sizing_pass() {
                sheet.search_asks = false;
                search.request_focus();
            }
            let room = ui.ctx().content_rect().height() - 140.0;
            ScrollArea::vertical()
                .max_height(LIST.y.min(room.max(60.0)))
                .show(ui, |ui| {
                    ui.set_width(LIST.x - 12.0);
                    list_ui(ui, varying, sheet.settings(), &sheet.search);
                });
        });
    sheet.search_asks |= menu.clicked() && shown.is_some();
    menu.on_hover_text(tr("Which settings vary. What is not ticked stays."));
}

fn list_ui(ui: &mut Ui, varying: &mut Varying, settings: &[Setting], search: &str) {
    let search = Query::new(search);
    let mut heading = None;
    let mut is_empty = true;
    for setting in settings {
        let table = words::table(&setting.place);
        let words = [&table, tr(setting.label), setting.label, setting.name];
        if !search.finds(&Text::new(&words.join("/"))) {
            continue;
        }
        is_empty = false;
        if heading.as_ref() != Some(&setting.place) {
            ui.add_space(3.0);
            ui.label(RichText::new(table).strong());
            heading = Some(setting.place.clone());
        }
        let mut varies = varying.vary(0).varies(setting);
        let row = ui.checkbox(&mut varies, tr(setting.label));
        if row.on_hover_text(setting.key()).changed() {
            varying.set(setting, varies);
        }
    }
    if is_empty {
        ui.weak(tr("No setting has this name."));
    }
}
