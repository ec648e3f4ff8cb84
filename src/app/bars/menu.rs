//! Menu bar.

use egui::{
    Button, Context, Frame, Margin, MenuBar, ScrollArea, TextWrapMode, TopBottomPanel, Ui,
    ViewportCommand, gui_zoom,
};

use crate::app::commands::{Action, Command, Compare, Own, PictureFile, Purpose, TourAction};
use crate::app::controls::button;
use crate::app::dialogs::plants::NO_PLANTS;
use crate::app::shortcuts::copy_scene;
use crate::app::state::document::Side;
use crate::app::state::tour::STEPS;
use crate::app::state::{Recent, UiState};
use crate::files::import::{self, Group};
use crate::util::language::{Language, tr};
use crate::util::words;

/// Draw the menu bar and push chosen actions to `actions`.
pub fn menu_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    TopBottomPanel::top("menu")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(6, 2)))
        .show(ctx, |ui| {
            MenuBar::new().ui(ui, |ui| {
                ui.menu_button(tr("File"), |ui| file_menu(ui, state, actions));
                ui.menu_button(tr("Edit"), |ui| edit_menu(ui, state, actions));
                ui.menu_button(tr("View"), |ui| view_menu(ui, state, actions));
                ui.menu_button(tr("Help"), |ui| {
                    help_menu(ui, state.persisted.tour_step, actions)
                });
            });
        });
}

/// Menu item with its shortcut.
fn item(ui: &mut Ui, text: &str, key: &str) -> egui::Response {
    ui.set_min_width(210.0);
    ui.add(Button::new(text).shortcut_text(key))
}

/// Menu items, each with its text, shortcut and action.
fn items<const N: usize>(ui: &mut Ui, actions: &mut Vec<Action>, items: [(&str, &str, Action); N]) {
    for (text, key, action) in items {
        if item(ui, text, key).clicked() {
            actions.push(action);
        }
    }
}

fn file_menu(ui: &mut Ui, state: &UiState, actions: &mut Vec<Action>) {
    let open = Action::Ask(Purpose::Open);
    let new = (tr("New"), tr("Ctrl N"), Action::New);
    items(ui, actions, [new, (tr("Open…"), tr("Ctrl O"), open)]);
    recent_menu(ui, &state.persisted.recent, actions);
    ui.menu_button(tr("Presets"), |ui| presets_menu(ui, actions));
    ui.separator();
    let save_as = Action::Ask(Purpose::SaveScene);
    let scene = [
        (tr("Save scene"), tr("Ctrl S"), Action::Save),
        (tr("Save scene as…"), tr("Ctrl Shift S"), save_as),
    ];
    items(ui, actions, scene);
    ui.separator();
    let save_picture = Command::SavePicture(PictureFile::Free).into();
    let export = tr("Export height map or mesh…");
    let files = [
        (tr("Save picture"), "F12", save_picture),
        (tr("Save picture as…"), "", Action::TogglePhoto),
        (tr("Export film…"), "", Action::ToggleFilming),
        (export, tr("Ctrl E"), Action::ToggleExport),
        (tr("Export what is in view…"), "", Action::ExportView),
    ];
    items(ui, actions, files);
    let has_plants = state.persisted.scene.plants_on().next().is_some();
    let plants = |ui: &mut Ui| item(ui, tr("Export plants…"), "");
    let plants = ui.add_enabled_ui(has_plants, plants).inner;
    if plants.on_disabled_hover_text(tr(NO_PLANTS)).clicked() {
        actions.push(Action::TogglePlantExport);
    }
    ui.separator();
    let quit = (tr("Quit"), tr("Ctrl Q"), Command::Quit.into());
    items(ui, actions, [quit]);
}

fn presets_menu(ui: &mut Ui, actions: &mut Vec<Action>) {
    let help = tr("Thumbnails of all presets, including your own.");
    // The button is narrow, so that the submenus fit beside it in a small window.
    let browse = ui.add(Button::new(tr("Browse…")).shortcut_text("P"));
    if browse.on_hover_text(help).clicked() {
        actions.push(Action::ToggleBrowser);
    }
    if ui.button(tr("Save as preset…")).clicked() {
        actions.push(Action::Own(Own::BeginToKeep));
    }
    ui.separator();
    let groups = [
        (Group::Landscapes, tr("Landscapes")),
        (Group::Generators, tr("Generators")),
        (Group::Modifiers, tr("Modifiers")),
    ];
    for (group, title) in groups {
        ui.menu_button(title, |ui| {
            scrolled(ui, |ui| {
                for preset in import::presets().iter().filter(|p| p.group == group) {
                    if button(ui, tr(preset.name), tr(preset.help)) {
                        actions.push(Action::Load(Box::new(preset.scene())));
                    }
                }
            });
        });
    }
}

/// Submenu of recent files, by file name.
fn recent_menu(ui: &mut Ui, recent: &Recent, actions: &mut Vec<Action>) {
    ui.add_enabled_ui(!recent.files().is_empty(), |ui| {
        ui.menu_button(tr("Open recent"), |ui| {
            scrolled(ui, |ui| {
                for file in recent.files() {
                    let name = file.file_name().unwrap_or(file.as_os_str());
                    let name = words::window(&name.to_string_lossy());
                    if button(ui, &name, &words::window(&file.to_string_lossy())) {
                        actions.push(Command::Open(file.clone()).into());
                    }
                }
            });
            ui.separator();
            if ui.button(tr("Forget these")).clicked() {
                actions.push(Action::ForgetRecent);
            }
        });
    });
}

/// List that scrolls if it is taller than the window.
fn scrolled(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    // The menu opens below the menu bar and has a margin.
    let room = ui.ctx().content_rect().height() - 80.0;
    // Without a limit, egui restricts popups to 400 points.
    ui.set_max_height(room.max(60.0));
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    ScrollArea::vertical().show(ui, add);
}

fn edit_menu(ui: &mut Ui, state: &mut UiState, actions: &mut Vec<Action>) {
    let history = &state.transient.history;
    let step = |ui: &mut Ui, verb: &str, what: Option<&str>, key: &str| {
        let text = what.map_or_else(|| verb.to_owned(), |what| format!("{verb} {what}"));
        ui.add_enabled_ui(what.is_some(), |ui| item(ui, &text, key).clicked())
            .inner
    };
    if step(ui, tr("Undo"), history.undo_what(), tr("Ctrl Z")) {
        actions.push(Action::Undo);
    }
    if step(ui, tr("Redo"), history.redo_what(), tr("Ctrl Shift Z")) {
        actions.push(Action::Redo);
    }
    ui.separator();
    let help = tr("The settings that differ from the defaults, as a few lines of text.");
    let copy = item(ui, tr("Copy scene"), tr("Ctrl C"));
    if copy.on_hover_text(help).clicked() {
        copy_scene(ui.ctx(), state);
    }
    let help = tr(
        "A scene as text, or a file that was copied in a file manager: a scene, a picture with its \
         scene, a height map.",
    );
    let paste = item(ui, tr("Paste scene"), tr("Ctrl V"));
    if paste.on_hover_text(help).clicked() {
        ui.ctx().send_viewport_cmd(ViewportCommand::RequestPaste);
    }
    ui.separator();
    let settings = [
        (tr("Find a setting"), tr("Ctrl F"), Action::FindSetting),
        (tr("Another seed"), "R", Action::RandomSeed),
        (tr("Reset camera"), tr("Home"), Action::ResetCamera),
    ];
    items(ui, actions, settings);
    let modified = state.persisted.document.is_modified(&state.persisted.scene);
    let revert = |ui: &mut Ui| item(ui, tr("Revert all changes"), "");
    let revert = ui.add_enabled_ui(modified, revert).inner;
    let help = tr("Resets every setting to its value in the preset or the file.");
    if revert.on_hover_text(help).clicked() {
        actions.push(Action::Revert);
    }
    items(ui, actions, [(tr("Reset all settings"), "", Action::New)]);
    ui.separator();
    // The globe helps users who cannot read the present language.
    let title = format!("🌐 {}", tr("Language"));
    ui.menu_button(title, |ui| language_menu(ui, state));
}

/// Language submenu; each language is listed by its own name.
fn language_menu(ui: &mut Ui, state: &mut UiState) {
    let chosen = &mut state.persisted.language;
    ui.radio_value(chosen, None, tr("System language"));
    ui.separator();
    for language in Language::ALL {
        ui.radio_value(chosen, Some(*language), language.own_name());
    }
}

fn view_menu(ui: &mut Ui, state: &mut UiState, actions: &mut Vec<Action>) {
    let panel = match state.shows_panel() {
        true => tr("Hide the panel"),
        false => tr("Show the panel"),
    };
    let statistics = match state.persisted.statistics {
        true => tr("Hide the statistics"),
        false => tr("Show the statistics"),
    };
    let variations = match state.transient.variations.shown {
        true => tr("Hide the variations"),
        false => tr("Variations"),
    };
    let parts = [
        (panel, "F4", Action::TogglePanel),
        (statistics, "F3", Action::ToggleStatistics),
        (variations, "V", Action::ToggleVariations),
    ];
    items(ui, actions, parts);
    let history = match state.persisted.history {
        true => tr("Hide the history"),
        false => tr("Show the history"),
    };
    let help = tr("The last fifty states as thumbnails; click one to go back to it.");
    if item(ui, history, "H").on_hover_text(help).clicked() {
        actions.push(Action::ToggleHistory);
    }
    let timeline = match state.persisted.timeline {
        true => tr("Hide the timeline"),
        false => tr("Show the timeline"),
    };
    items(ui, actions, [(timeline, "F5", Action::ToggleTimeline)]);
    let full_screen = item(ui, tr("Full screen"), "F11");
    let help = tr("The landscape alone.");
    if full_screen.on_hover_text(help).clicked() {
        actions.push(Action::ToggleFullScreen);
    }
    ui.separator();
    ui.checkbox(&mut state.persisted.compass, tr("Compass with the sun"))
        .on_hover_text(tr(
            "A compass in the corner of the picture; drag its sun to move the light.",
        ));
    ui.checkbox(&mut state.persisted.picture_rate, tr("Frame rate"))
        .on_hover_text(tr(
            "The status line counts the pictures of the landscape that were shown.",
        ));
    ui.separator();
    // The zoom of the interface does not affect the landscape.
    if item(ui, tr("Zoom in"), tr("Ctrl +")).clicked() {
        gui_zoom::zoom_in(ui.ctx());
    }
    if item(ui, tr("Zoom out"), tr("Ctrl −")).clicked() {
        gui_zoom::zoom_out(ui.ctx());
    }
    if item(ui, tr("Usual size"), tr("Ctrl 0")).clicked() {
        ui.ctx().set_zoom_factor(1.0);
    }
    ui.separator();
    ui.menu_button(tr("Compare"), |ui| compare_menu(ui, state, actions));
    ui.separator();
    let detail = &mut state.persisted.automatic_detail;
    ui.checkbox(detail, tr("Automatic detail"))
        .on_hover_text(tr(
            "While something moves, the picture is only as fine as 30 pictures a second allow. At \
         rest, and in every saved picture, it has the full detail of the scene.",
        ));
}

/// Comparison submenu: A is the stored scene, B the present one.
fn compare_menu(ui: &mut Ui, state: &UiState, actions: &mut Vec<Action>) {
    let compared = state.transient.compared.as_ref();
    let keep = item(ui, tr("Keep this scene as A"), "C");
    let help = tr("Change settings further as B; the picture shows both, from the same camera.");
    if keep.on_hover_text(help).clicked() {
        actions.push(Action::Compare(Compare::Keep));
    }
    ui.separator();
    let flick = match compared.map(|compared| compared.side) {
        Some(Side::A) => tr("All of B"),
        _ => tr("All of A"),
    };
    let list = match compared {
        Some(compared) if compared.list => tr("Hide the differences"),
        _ => tr("Show the differences"),
    };
    let (both, end) = (Compare::Both, Compare::End);
    let entries = [
        (tr("Side by side"), tr("Shift X"), both),
        (flick, "X", Compare::Flick),
        (tr("Swap A and B"), "", Compare::Swap),
        (list, "", Compare::List),
        (tr("Stop comparing"), tr("Esc"), end),
    ];
    let entries = entries.map(|(text, key, compare)| (text, key, Action::Compare(compare)));
    ui.add_enabled_ui(compared.is_some(), |ui| items(ui, actions, entries));
}

fn help_menu(ui: &mut Ui, left_at: usize, actions: &mut Vec<Action>) {
    items(ui, actions, [(tr("Keys"), "F1", Action::ToggleKeys)]);
    let help = tr(
        "Seven steps through the articles that Landform is based on; your scene is restored \
            afterwards.",
    );
    if item(ui, tr("A tour"), "").on_hover_text(help).clicked() {
        actions.push(Action::Tour(TourAction::Begin));
    }
    if let Some(step) = STEPS.get(left_at).filter(|_| left_at > 0) {
        let resume = item(ui, tr("Continue the tour"), "");
        let help = tr!("From step {}: {}.", left_at + 1, tr(step.title));
        if resume.on_hover_text(help).clicked() {
            actions.push(Action::Tour(TourAction::Resume));
        }
    }
    items(
        ui,
        actions,
        [(tr("About Landform"), "", Action::ToggleAbout)],
    );
}
