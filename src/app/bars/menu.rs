//! The menu bar.

use egui::{
    Button, Context, Frame, Margin, MenuBar, ScrollArea, TextWrapMode, TopBottomPanel, Ui,
    ViewportCommand,
};

use crate::app::commands::{Action, Command, Compare, Own, PictureFile, Purpose, TourAction};
use crate::app::state::UiState;
use crate::app::state::compared::Side;
use crate::app::state::recent::Recent;
use crate::import::{self, Group};
use crate::words;

/// Draws the menu bar and adds what was chosen to `actions`.
pub fn menu_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    TopBottomPanel::top("menu")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(6, 2)))
        .show(ctx, |ui| {
            MenuBar::new().ui(ui, |ui| {
                ui.menu_button("File", |ui| file_menu(ui, state, actions));
                ui.menu_button("Edit", |ui| edit_menu(ui, state, actions));
                ui.menu_button("View", |ui| view_menu(ui, state, actions));
                ui.menu_button("Help", |ui| help_menu(ui, actions));
            });
        });
}

/// A line of a menu, with its key.
fn item(ui: &mut Ui, text: &str, key: &str) -> egui::Response {
    ui.set_min_width(210.0);
    ui.add(Button::new(text).shortcut_text(key))
}

fn choose(ui: &mut Ui, actions: &mut Vec<Action>, text: &str, key: &str, action: Action) {
    if item(ui, text, key).clicked() {
        actions.push(action);
    }
}

fn file_menu(ui: &mut Ui, state: &UiState, actions: &mut Vec<Action>) {
    choose(ui, actions, "New", "Ctrl N", Action::New);
    choose(ui, actions, "Open…", "Ctrl O", Action::Ask(Purpose::Open));
    recent_menu(ui, &state.persisted.recent, actions);
    ui.menu_button("Presets", |ui| {
        let groups = [
            (Group::Landscapes, "Landscapes"),
            (Group::Generators, "Generators"),
            (Group::Modifiers, "Modifiers"),
        ];
        let help = "All presets as pictures, your own among them.";
        // Narrow, so that a small window has room for the lists beside it.
        let browse = ui.add(Button::new("Browse…").shortcut_text("P"));
        if browse.on_hover_text(help).clicked() {
            actions.push(Action::ToggleBrowser);
        }
        if ui.button("Keep this scene…").clicked() {
            actions.push(Action::Own(Own::BeginToKeep));
        }
        ui.separator();
        for (group, title) in groups {
            ui.menu_button(title, |ui| {
                let of_group = import::presets().iter().filter(|p| p.group == group);
                scrolled(ui, |ui| {
                    for preset in of_group {
                        if ui.button(preset.name).on_hover_text(preset.help).clicked() {
                            actions.push(Action::Load(Box::new(preset.scene())));
                        }
                    }
                });
            });
        }
    });
    ui.separator();
    choose(ui, actions, "Save scene", "Ctrl S", Action::Save);
    choose(
        ui,
        actions,
        "Save scene as…",
        "Ctrl Shift S",
        Action::Ask(Purpose::SaveScene),
    );
    ui.separator();
    choose(
        ui,
        actions,
        "Save picture",
        "F12",
        Command::SavePicture(PictureFile::Free).into(),
    );
    choose(ui, actions, "Save picture as…", "", Action::TogglePhoto);
    choose(ui, actions, "Export film…", "", Action::ToggleFilming);
    choose(
        ui,
        actions,
        "Export height map or mesh…",
        "Ctrl E",
        Action::ToggleExport,
    );
    choose(
        ui,
        actions,
        "Export what is in view…",
        "",
        Action::ExportView,
    );
    ui.separator();
    choose(ui, actions, "Quit", "Ctrl Q", Command::Quit.into());
}

/// The files opened or saved last, by their names.
fn recent_menu(ui: &mut Ui, recent: &Recent, actions: &mut Vec<Action>) {
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
                        actions.push(Command::Open(file.clone()).into());
                    }
                }
            });
            ui.separator();
            if ui.button("Forget these").clicked() {
                actions.push(Action::ForgetRecent);
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

fn edit_menu(ui: &mut Ui, state: &UiState, actions: &mut Vec<Action>) {
    let history = &state.transient.history;
    let step = |ui: &mut Ui, verb: &str, what: Option<&str>, key: &str| {
        let text = what.map_or_else(|| verb.to_owned(), |what| format!("{verb} {what}"));
        ui.add_enabled_ui(what.is_some(), |ui| item(ui, &text, key).clicked())
            .inner
    };
    if step(ui, "Undo", history.undo_what(), "Ctrl Z") {
        actions.push(Action::Undo);
    }
    if step(ui, "Redo", history.redo_what(), "Ctrl Shift Z") {
        actions.push(Action::Redo);
    }
    ui.separator();
    let help = "The settings that differ from the defaults, as a few lines of text.";
    let copy = item(ui, "Copy scene", "Ctrl C").on_hover_text(help);
    if copy.clicked() {
        ui.ctx().copy_text(state.persisted.scene.to_short_toml());
    }
    let help = "A scene as text, or a file that was copied in a file manager: a scene, a picture with its \
                scene, a height map.";
    if item(ui, "Paste scene", "Ctrl V")
        .on_hover_text(help)
        .clicked()
    {
        ui.ctx().send_viewport_cmd(ViewportCommand::RequestPaste);
    }
    ui.separator();
    if item(ui, "Find a setting", "Ctrl F").clicked() {
        actions.push(Action::FindSetting);
    }
    if item(ui, "Another seed", "R").clicked() {
        actions.push(Action::RandomSeed);
    }
    if item(ui, "Reset camera", "Home").clicked() {
        actions.push(Action::ResetCamera);
    }
    let modified = state.persisted.document.is_modified(&state.persisted.scene);
    let revert = |ui: &mut Ui| item(ui, "Take all changes back", "");
    let revert = ui.add_enabled_ui(modified, revert).inner;
    let help = "Every setting as the preset or the file has it.";
    if revert.on_hover_text(help).clicked() {
        actions.push(Action::Revert);
    }
    if item(ui, "Reset all settings", "").clicked() {
        actions.push(Action::New);
    }
}

fn view_menu(ui: &mut Ui, state: &mut UiState, actions: &mut Vec<Action>) {
    let text = if state.shows_panel() {
        "Hide the panel"
    } else {
        "Show the panel"
    };
    if item(ui, text, "F4").clicked() {
        actions.push(Action::TogglePanel);
    }
    let text = if state.persisted.statistics {
        "Hide the statistics"
    } else {
        "Show the statistics"
    };
    if item(ui, text, "F3").clicked() {
        actions.push(Action::ToggleStatistics);
    }
    let text = if state.transient.variations.shown {
        "Hide the variations"
    } else {
        "Variations"
    };
    if item(ui, text, "V").clicked() {
        actions.push(Action::ToggleVariations);
    }
    let text = if state.persisted.history {
        "Hide the history"
    } else {
        "Show the history"
    };
    let help = "The last fifty states as pictures; a click goes to one.";
    if item(ui, text, "H").on_hover_text(help).clicked() {
        actions.push(Action::ToggleHistory);
    }
    let text = if state.persisted.timeline {
        "Hide the timeline"
    } else {
        "Show the timeline"
    };
    if item(ui, text, "F5").clicked() {
        actions.push(Action::ToggleTimeline);
    }
    let full_screen = item(ui, "Full screen", "F11");
    if full_screen.on_hover_text("The landscape alone.").clicked() {
        actions.push(Action::ToggleFullScreen);
    }
    ui.separator();
    ui.checkbox(&mut state.persisted.compass, "Compass with the sun")
        .on_hover_text("A compass in the corner of the picture; drag its sun to move the light.");
    ui.checkbox(&mut state.persisted.picture_rate, "Pictures a second")
        .on_hover_text("The status line counts the pictures of the landscape that were shown.");
    ui.separator();
    egui::gui_zoom::zoom_menu_buttons(ui);
    ui.separator();
    ui.menu_button("Compare", |ui| compare_menu(ui, state, actions));
    ui.separator();
    ui.checkbox(&mut state.persisted.automatic_detail, "Automatic detail")
        .on_hover_text(
            "While something moves, the picture is only as fine as 30 pictures a second allow. At \
             rest, and in every saved picture, it has the full detail of the scene.",
        );
}

/// What there is to compare: A, the scene that was kept, and B, the present one.
fn compare_menu(ui: &mut Ui, state: &UiState, actions: &mut Vec<Action>) {
    let compared = state.transient.compared.as_ref();
    let keep = item(ui, "Keep this scene as A", "C");
    let help = "Go on with other settings as B; the picture shows both, from the same place.";
    if keep.on_hover_text(help).clicked() {
        actions.push(Action::Compare(Compare::Keep));
    }
    ui.separator();
    let flick = match compared.map(|compared| compared.side) {
        Some(Side::A) => "All of B",
        _ => "All of A",
    };
    let list = match compared {
        Some(compared) if compared.list => "Hide the differences",
        _ => "Show the differences",
    };
    let items = [
        ("Side by side", "Shift X", Action::Compare(Compare::Both)),
        (flick, "X", Action::Compare(Compare::Flick)),
        ("Swap A and B", "", Action::Compare(Compare::Swap)),
        (list, "", Action::Compare(Compare::List)),
        ("Compare no longer", "Esc", Action::Compare(Compare::End)),
    ];
    ui.add_enabled_ui(compared.is_some(), |ui| {
        for (text, key, action) in items {
            choose(ui, actions, text, key, action);
        }
    });
}

fn help_menu(ui: &mut Ui, actions: &mut Vec<Action>) {
    if item(ui, "Keys", "F1").clicked() {
        actions.push(Action::ToggleKeys);
    }
    let help = "Seven steps along the articles that Landform comes from; your scene comes back.";
    if item(ui, "A tour", "").on_hover_text(help).clicked() {
        actions.push(Action::Tour(TourAction::Begin));
    }
    if item(ui, "About Landform", "").clicked() {
        actions.push(Action::ToggleAbout);
    }
}
