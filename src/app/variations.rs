//! Sheet of variations in place of the scene: controls above, thumbnails of the variations in the
//! middle, the family tree of their ancestors below.

use std::sync::Arc;

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{
    CentralPanel, Context, EventFilter, FocusDirection, Id, Key, Label, Modifiers,
    PopupCloseBehavior, Pos2, Rect, RichText, ScrollArea, Sense, Slider, Stroke, TextEdit,
    TopBottomPanel, Ui, Vec2, pos2, vec2,
};

use crate::app::commands::{Action, Command};
use crate::app::controls::number::reader;
use crate::app::controls::{button, choose};
use crate::app::search::{Query, Text};
use crate::app::state::UiState;
use crate::app::state::thumbnails::Thumbnails;
use crate::app::state::variations::{Cell, Placed, SIDES, Variations, Varying};
use crate::app::theme;
use crate::app::thumbnail::{caption, cover, frame, picture_button};
use crate::scene::Scene;
use crate::scene::vary::{LAND, SEEDS, Setting};
use crate::util::language::{tr, translated};
use crate::util::param::Tables;

/// Draw the sheet and push the user's requests to `actions`.
pub fn variations_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let (persisted, transient) = (&mut state.persisted, &mut state.transient);
    let sheet = &mut transient.variations;
    sheet.update(&persisted.scene, &persisted.varying);
    cover(ctx, &mut state.derived, |ui, bare| {
        let varying = &mut persisted.varying;
        TopBottomPanel::top("what varies")
            .frame(bare.fill(theme::PANEL))
            .show_inside(ui, |ui| bar_ui(ui, varying, sheet, actions));
        let placed = sheet.family.placed();
        let gallery = &mut transient.gallery;
        let mut chosen = None;
        if placed.len() > 1 {
            let (scene, comes) = (&persisted.scene, &mut sheet.comes_in_sight);
            let tree = TopBottomPanel::bottom("family tree")
                .frame(bare.fill(theme::PANEL))
                .show_inside(ui, |ui| family_ui(ui, &placed, scene, gallery, comes));
            chosen = tree.inner;
        }
        CentralPanel::default()
            .frame(bare)
            .show_inside(ui, |ui| grid_ui(ui, sheet, gallery, actions));
        // Large thumbnails are rendered first.
        gallery.put_large_first();
        if let Some(scene) = chosen {
            sheet.family.go_back(&scene);
            actions.push(Action::Become(Box::new((*scene).clone())));
        }
    });
}

/// Width and maximum height of the list of settings, in points.
const LIST: egui::Vec2 = egui::vec2(250.0, 420.0);

/// Width of the drop-down for the grid size, in points.
const SIDE_WIDTH: f32 = 72.0;
/// Width of the hint, in points.
const HINT_WIDTH: f32 = 440.0;

/// Draw the controls.
fn bar_ui(ui: &mut Ui, varying: &mut Varying, sheet: &mut Variations, actions: &mut Vec<Action>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(tr("Vary")).strong());
        for name in groups(sheet.settings()) {
            let chip = ui.selectable_label(varying.has(&name), group_name(&name));
            if chip.on_hover_text(help(&name)).clicked() {
                varying.toggle(&name);
            }
        }
        settings_menu(ui, varying, sheet);
    });
    ui.horizontal_wrapped(|ui| {
        strength_ui(ui, varying, sheet.settings());
        side_ui(ui, varying);
        let help = tr("Other variations of the same scene.");
        if button(ui, tr("Others"), help) {
            sheet.set = sheet.set.wrapping_add(1);
        }
        if button(ui, tr("Close"), tr("Back to the landscape (Esc).")) {
            actions.push(Action::ToggleVariations);
        }
        if ui.available_width() > HINT_WIDTH {
            ui.weak(tr(
                "Click to use a variation, Shift-click to open it in a new window.",
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
        SEEDS => tr("A different seed for each: another landscape of the same kind.").to_owned(),
        LAND => {
            tr("Everything that shapes the ground: the generator's settings, layers and modifiers.")
                .to_owned()
        }
        group => tr!(
            "The settings in the panel's section \"{}\".",
            group_name(group)
        ),
    }
}

fn strength_ui(ui: &mut Ui, varying: &mut Varying, settings: &[Setting]) {
    let vary = varying.vary(0);
    // The strength has no effect on seeds.
    let has_use = |setting: &Setting| !setting.is_seed && vary.varies(setting);
    let has_use = settings.iter().any(has_use);
    let label = ui.add_enabled(has_use, Label::new(tr("Strength")));
    ui.spacing_mut().slider_width = 110.0;
    let parser = reader(ui, 0.0..=1.0_f32);
    let slider = Slider::new(&mut varying.strength, 0.0..=1.0)
        .max_decimals(2)
        .update_while_editing(false)
        .custom_parser(parser);
    let slider = ui.add_enabled(has_use, slider).labelled_by(label.id);
    let help = tr("How far settings may move: 0 not at all, 1 anywhere in their ranges.");
    slider.on_hover_text(help).on_disabled_hover_text(tr(
        "Strength has no effect on seeds: let something else vary too.",
    ));
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
    let settings = sheet.settings().iter();
    let count = settings.filter(|setting| vary.varies(setting)).count();
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
            let list = ScrollArea::vertical().max_height(LIST.y.min(room.max(60.0)));
            list.show(ui, |ui| {
                ui.set_width(LIST.x - 12.0);
                list_ui(ui, varying, sheet.settings(), &sheet.search);
            });
        });
    sheet.search_asks |= menu.clicked() && shown.is_some();
    menu.on_hover_text(tr(
        "Settings that vary. The ones that are not ticked stay the same.",
    ));
}

fn list_ui(ui: &mut Ui, varying: &mut Varying, settings: &[Setting], search: &str) {
    let search = Query::new(search);
    let mut heading = None;
    let mut is_empty = true;
    for setting in settings {
        let table = table_name(&setting.place);
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

/// Gap between thumbnails, in points.
const GAP: f32 = 6.0;

/// Draw the thumbnails and push the action of a click to `actions`.
fn grid_ui(
    ui: &mut Ui,
    sheet: &mut Variations,
    gallery: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let Some(own) = sheet.own().map(|cell| Arc::clone(&cell.scene)) else {
        return;
    };
    let cells = sheet.cells().to_vec();
    let side = cells.len().isqrt().max(1);
    let rects: Vec<Rect> = (0..cells.len())
        .map(|index| place(ui.max_rect(), side, index, ui.ctx().pixels_per_point()))
        .collect();
    if rects.iter().any(|rect| !rect.is_positive()) {
        return;
    }
    let id = |cell: &Cell| Id::new(("variation", cell.number));
    move_by_keys(ui, &cells.iter().map(id).collect::<Vec<_>>(), side);
    // The original scene is rendered first.
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|index| cells[*index].number);
    for index in order {
        let (cell, rect) = (&cells[index], rects[index]);
        let name = match cell.number {
            0 => tr("The scene itself").to_owned(),
            number => tr!("Variation {number}", number),
        };
        let response = picture_button(ui, rect, id(cell), &name, (&cell.scene, gallery));
        let looked_at = response.hovered() || response.has_focus();
        mark(ui, rect, (cell.number == 0, looked_at), || {
            differences(sheet.settings(), &own, &cell.scene)
        });
        if !response.clicked() {
            continue;
        }
        if ui.input(|input| input.modifiers.shift) {
            actions.push(Command::OpenBeside(Box::new((*cell.scene).clone())).into());
        } else if cell.number == 0 {
            actions.push(Action::ToggleVariations);
        } else {
            sheet.note_taken(&own, &cell.scene);
            actions.push(Action::Become(Box::new((*cell.scene).clone())));
        }
    }
}

/// Rectangle of a thumbnail, aligned to whole pixels so that it is not resampled.
fn place(room: Rect, side: usize, index: usize, scale: f32) -> Rect {
    let whole = |points: f32| (points * scale).floor() / scale;
    let (column, row) = ((index % side) as f32, (index / side) as f32);
    let size = (room.size() - Vec2::splat(GAP * (side as f32 - 1.0))) / side as f32;
    let size = vec2(whole(size.x), whole(size.y));
    let corner = vec2(column * (size.x + GAP), row * (size.y + GAP));
    let corner: Pos2 = room.min + corner;
    Rect::from_min_size(pos2(whole(corner.x), whole(corner.y)), size)
}

/// Draw the frame of a thumbnail, and its caption while it is hovered or focused.
fn mark(ui: &Ui, rect: Rect, (is_own, looked_at): (bool, bool), words: impl FnOnce() -> String) {
    if !looked_at && !is_own {
        return;
    }
    frame(ui, rect, looked_at, is_own);
    let words = match is_own {
        true => tr("The scene as it is").to_owned(),
        false => words(),
    };
    let words = match &*words {
        "" => tr("No difference"),
        words => words,
    };
    caption(ui.painter(), rect, words);
}

/// Move the focus between thumbnails by arrow keys, starting at the original scene.
fn move_by_keys(ui: &Ui, cells: &[Id], side: usize) {
    let focused = ui.memory(|memory| memory.focused());
    let at = focused.and_then(|id| cells.iter().position(|cell| *cell == id));
    if focused.is_some() && at.is_none() {
        return;
    }
    if let Some(at) = at {
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(cells[at], filter));
    }
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let right = pressed(Key::ArrowRight) as isize - pressed(Key::ArrowLeft) as isize;
    let down = pressed(Key::ArrowDown) as isize - pressed(Key::ArrowUp) as isize;
    if (right, down) == (0, 0) {
        return;
    }
    let own = Id::new(("variation", 0_u32));
    let from = at.or_else(|| cells.iter().position(|cell| *cell == own));
    let from = from.unwrap_or(0);
    let rows = cells.len().div_ceil(side);
    let to = |at: usize, by: isize, count: usize| {
        at.saturating_add_signed(by).min(count.saturating_sub(1))
    };
    let (column, row) = (to(from % side, right, side), to(from / side, down, rows));
    let to = (row * side + column).min(cells.len() - 1);
    ui.memory_mut(|memory| {
        memory.request_focus(cells[to]);
        // Otherwise egui would move the focus once more.
        memory.move_focus(FocusDirection::None);
    });
}

/// Size of a thumbnail, and offset from one to the next, in points.
const PICTURE: Vec2 = vec2(72.0, 42.0);
const STEP: Vec2 = vec2(88.0, 50.0);
/// Number of rows visible at once.
const ROWS: usize = 3;

/// Draw the tree and return the clicked scene. If `comes_in_sight`, scroll to the present scene
/// once.
fn family_ui(
    ui: &mut Ui,
    placed: &[Placed],
    shown: &Scene,
    gallery: &mut Thumbnails,
    comes_in_sight: &mut bool,
) -> Option<Arc<Scene>> {
    let count = |of: fn(&Placed) -> usize| placed.iter().map(of).max().unwrap_or(0) + 1;
    let (columns, rows) = (count(|one| one.column), count(|one| one.row));
    let size = vec2(columns as f32 * STEP.x, rows as f32 * STEP.y) - (STEP - PICTURE);
    let mut clicked = None;
    // At least a third of the window is left for the sheet.
    let room = ui.ctx().content_rect().height() * 0.3;
    let height = (rows.min(ROWS) as f32 * STEP.y).min(room.max(STEP.y));
    ScrollArea::both()
        .max_height(height)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            let (area, _) = ui.allocate_exact_size(size, Sense::hover());
            let rect = |column: usize, row: usize| {
                let corner: Pos2 = area.min + STEP * vec2(column as f32, row as f32);
                Rect::from_min_size(corner, PICTURE)
            };
            for one in placed {
                if let Some((column, row)) = one.parent {
                    let from = rect(column, row).right_center();
                    let to = rect(one.column, one.row).left_center();
                    let bend = Pos2::new(from.x + (STEP.x - PICTURE.x) / 2.0, from.y);
                    let line = Stroke::new(1.0, ui.visuals().weak_text_color());
                    let points = [from, bend, Pos2::new(bend.x, to.y), to];
                    ui.painter().line(points.to_vec(), line);
                }
            }
            for (index, one) in placed.iter().enumerate() {
                let rect = rect(one.column, one.row);
                let name = tr!("Ancestor {}", index + 1);
                let id = ui.id().with(("ancestor", index));
                let response = picture_button(ui, rect, id, &name, (&one.scene, gallery));
                let looked_at = response.hovered() || response.has_focus();
                let is_shown = *one.scene == *shown;
                frame(ui, rect, looked_at, is_shown);
                if is_shown && std::mem::take(comes_in_sight) {
                    ui.scroll_to_rect(rect, None);
                }
                if response.clicked() {
                    clicked = Some(Arc::clone(&one.scene));
                }
            }
        });
    clicked
}

/// Name of a group of [`crate::scene::vary::Vary`] or of a table of the scene.
fn group_name(name: &str) -> String {
    match name {
        SEEDS => tr("Seeds").to_owned(),
        LAND => tr("Land").to_owned(),
        name => match Scene::SECTIONS.iter().find(|(key, ..)| *key == name) {
            Some((_, title, _)) => tr(title).to_owned(),
            None => translated(&capital(name)).into_owned(),
        },
    }
}

/// Title of the table at a place of the scene's tree, such as `layers.0`.
fn table_name(place: &str) -> String {
    let steps: Vec<&str> = place.split('.').collect();
    let number = |index: &str| index.parse().unwrap_or(0) + 1_usize;
    let (owner, rest) = match steps[..] {
        ["surface", ref rest @ ..] => (tr("Ground").to_owned(), rest.to_vec()),
        ["layers", index, ref rest @ ..] => (tr!("Layer {}", number(index)), rest.to_vec()),
        ["modifiers", index, ref rest @ ..] => (tr!("Modifier {}", number(index)), rest.to_vec()),
        ["plants", index, ref rest @ ..] => (tr!("Plants {}", number(index)), rest.to_vec()),
        [first, ref rest @ ..] => (group_name(first), rest.to_vec()),
        [] => return String::new(),
    };
    let rest: Vec<_> = rest.iter().map(|step| step.replace('_', " ")).collect();
    match &*rest.join(", ") {
        "" => owner,
        rest => format!("{owner}: {rest}"),
    }
}

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Short list of the settings in which a variation differs, in the order of the panel: "Seed 5, H
/// 0.62".
fn differences(settings: &[Setting], scene: &Scene, variation: &Scene) -> String {
    let differences = scene.differences(variation);
    let words = settings.iter().filter_map(|setting| {
        let key = setting.key();
        let difference = differences.iter().find(|it| it.key == key)?;
        let now = difference.values[1].as_ref()?;
        Some(format!("{} {}", tr(setting.label), now.trim_matches('"')))
    });
    words.collect::<Vec<_>>().join(", ")
}
