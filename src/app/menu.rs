//! The menu bar.

use egui::{Button, Context, Frame, Margin, MenuBar, ScrollArea, TextWrapMode, TopBottomPanel, Ui};

use crate::app::commands::Command;
use crate::app::dialogs::Purpose;
use crate::app::recent::Recent;
use crate::app::state::UiState;
use crate::import::{self, Group};
use crate::words;

/// Draws the menu bar and adds what was chosen to `commands`.
pub fn menu_ui(ctx: &Context, state: &mut UiState, commands: &mut Vec<Command>) {
    TopBottomPanel::top("menu")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(6, 2)))
        .show(ctx, |ui| {
            MenuBar::new().ui(ui, |ui| {
                ui.menu_button("File", |ui| file_menu(ui, state, commands));
                ui.menu_button("Edit", |ui| edit_menu(ui, state, commands));
                ui.menu_button("View", |ui| view_menu(ui, state, commands));
                ui.menu_button("Help", |ui| help_menu(ui, commands));
            });
        });
}

/// A line of a menu, with its key.
fn item(ui: &mut Ui, text: &str, key: &str) -> egui::Response {
    ui.set_min_width(210.0);
    ui.add(Button::new(text).shortcut_text(key))
}

fn choose(ui: &mut Ui, commands: &mut Vec<Command>, text: &str, key: &str, command: Command) {
    if item(ui, text, key).clicked() {
        commands.push(command);
    }
}

fn file_menu(ui: &mut Ui, state: &UiState, commands: &mut Vec<Command>) {
    choose(ui, commands, "New", "Ctrl N", Command::New);
    choose(ui, commands, "Open…", "Ctrl O", Command::Ask(Purpose::Open));
    recent_menu(ui, &state.persisted.recent, commands);
    ui.menu_button("Presets", |ui| {
        let groups = [
            (Group::Landscapes, "Landscapes"),
            (Group::Generators, "Generators"),
            (Group::Modifiers, "Modifiers"),
        ];
        for (group, title) in groups {
            ui.menu_button(title, |ui| {
                let of_group = import::presets().iter().filter(|p| p.group == group);
                scrolled(ui, |ui| {
                    for preset in of_group {
                        if ui.button(preset.name).on_hover_text(preset.help).clicked() {
                            commands.push(Command::Load(Box::new(preset.scene())));
                        }
                    }
                });
            });
        }
    });
    ui.separator();
    choose(ui, commands, "Save scene", "Ctrl S", Command::Save);
    choose(
        ui,
        commands,
        "Save scene as…",
        "Ctrl Shift S",
        Command::Ask(Purpose::SaveScene),
    );
    ui.separator();
    choose(
        ui,
        commands,
        "Save picture",
        "F12",
        Command::SavePicture(None),
    );
    choose(ui, commands, "Save picture as…", "", Command::TogglePhoto);
    choose(
        ui,
        commands,
        "Export height map or mesh…",
        "Ctrl E",
        Command::ToggleExport,
    );
    ui.separator();
    choose(ui, commands, "Quit", "Ctrl Q", Command::Quit);
}

/// The files opened or saved last, by their names.
fn recent_menu(ui: &mut Ui, recent: &Recent, commands: &mut Vec<Command>) {
    let some = !recent.files().is_empty();
    let menu = |ui: &mut Ui| {
        ui.menu_button("Open recent", |ui| {
            scrolled(ui, |ui| {
                for file in recent.files() {
                    let name = file.file_name().unwrap_or(file.as_os_str());
                    let button = ui.button(words::window(&name.to_string_lossy()));
                    if button
                        .on_hover_text(words::window(&file.to_string_lossy()))
                        .clicked()
                    {
                        commands.push(Command::Open(file.clone()));
                    }
                }
            });
            ui.separator();
            if ui.button("Forget these").clicked() {
                commands.push(Command::ForgetRecent);
            }
        });
    };
    ui.add_enabled_ui(some, menu);
}

/// A list that scrolls where it is longer than the window.
fn scrolled(ui: &mut Ui, add: impl FnOnce(&mut Ui)) {
    // Menus begin below the bar, and have a margin.
    let room = ui.ctx().content_rect().height() - 80.0;
    // What pops up is 400 points high at most, if nothing is said.
    ui.set_max_height(room.max(60.0));
    ui.style_mut().wrap_mode = Some(TextWrapMode::Extend);
    ScrollArea::vertical().show(ui, add);
}

fn edit_menu(ui: &mut Ui, state: &UiState, commands: &mut Vec<Command>) {
    let history = &state.transient.history;
    let step = |ui: &mut Ui, verb: &str, what: Option<&str>, key: &str| {
        let text = what.map_or_else(|| verb.to_owned(), |what| format!("{verb} {what}"));
        ui.add_enabled_ui(what.is_some(), |ui| item(ui, &text, key).clicked())
            .inner
    };
    if step(ui, "Undo", history.undo_what(), "Ctrl Z") {
        commands.push(Command::Undo);
    }
    if step(ui, "Redo", history.redo_what(), "Ctrl Shift Z") {
        commands.push(Command::Redo);
    }
    ui.separator();
    if item(ui, "Another seed", "R").clicked() {
        commands.push(Command::RandomSeed);
    }
    if item(ui, "Reset camera", "Home").clicked() {
        commands.push(Command::ResetCamera);
    }
    let modified = state.persisted.document.is_modified(&state.persisted.scene);
    let revert = |ui: &mut Ui| item(ui, "Take all changes back", "");
    let revert = ui.add_enabled_ui(modified, revert).inner;
    let help = "Every setting as the preset or the file has it.";
    if revert.on_hover_text(help).clicked() {
        commands.push(Command::Revert);
    }
    if item(ui, "Reset all settings", "").clicked() {
        commands.push(Command::New);
    }
}

fn view_menu(ui: &mut Ui, state: &mut UiState, commands: &mut Vec<Command>) {
    let text = if state.shows_panel() {
        "Hide the panel"
    } else {
        "Show the panel"
    };
    if item(ui, text, "F4").clicked() {
        commands.push(Command::TogglePanel);
    }
    let text = match state.persisted.statistics {
        true => "Hide the statistics",
        false => "Show the statistics",
    };
    if item(ui, text, "F3").clicked() {
        commands.push(Command::ToggleStatistics);
    }
    ui.separator();
    egui::gui_zoom::zoom_menu_buttons(ui);
    ui.separator();
    ui.checkbox(&mut state.persisted.automatic_detail, "Automatic detail")
        .on_hover_text(
            "While something moves, the picture is only as fine as 30 pictures a second allow. At \
             rest, and in every saved picture, it has the full detail of the scene.",
        );
}

fn help_menu(ui: &mut Ui, commands: &mut Vec<Command>) {
    if item(ui, "Keys", "F1").clicked() {
        commands.push(Command::ToggleKeys);
    }
    if item(ui, "About Landform", "").clicked() {
        commands.push(Command::ToggleAbout);
    }
}
