//! Menu bar. A menu is a list of entries, made from the state while it is open; the command palette
//! lists the same entries.

use egui::containers::menu::MenuButton;
use egui::{
    Button, Checkbox, Context, Frame, Margin, MenuBar, Popup, RadioButton, Response, ScrollArea,
    TextWrapMode, TopBottomPanel, Ui,
};

use crate::app::commands::{Action, Command, Compare, Own, PictureFile, Purpose, TourAction};
use crate::app::state::UiState;
use crate::app::state::document::Side;
use crate::app::state::output::NO_PLANTS;
use crate::app::state::tour::STEPS;
use crate::files::import::{self, Group};
use crate::util::language::{Language, mark, tr};
use crate::util::words;

/// Step of the interface's zoom factor.
const ZOOM_STEP: f32 = 0.1;

/// Menu of the bar.
pub struct Menu {
    /// Title.
    pub title: &'static str,
    /// Entries in the present state.
    pub entries: fn(&UiState) -> Vec<Entry>,
}

/// All menus of the bar.
pub const MENUS: [Menu; 4] = [
    Menu {
        title: mark("File"),
        entries: file_menu,
    },
    Menu {
        title: mark("Edit"),
        entries: edit_menu,
    },
    Menu {
        title: mark("View"),
        entries: view_menu,
    },
    Menu {
        title: mark("Help"),
        entries: help_menu,
    },
];

/// Entry of a menu.
pub enum Entry {
    /// Item to click.
    Item(Item),
    /// Submenu with a title. An empty one is disabled.
    Menu(String, Vec<Entry>),
    /// Line between items.
    Line,
}

/// Item of a menu.
pub struct Item {
    /// Words.
    pub words: String,
    /// Keyboard shortcut, or empty.
    pub key: &'static str,
    /// Tooltip, or empty.
    pub help: String,
    /// Reason if it is disabled, or an empty text.
    pub disabled: Option<&'static str>,
    /// Sign before the words.
    sign: Sign,
    /// Action of a click.
    pub action: Action,
}

/// Sign before the words of an item.
#[derive(Clone, Copy)]
enum Sign {
    None,
    /// Box, ticked if true.
    Check(bool),
    /// One of several choices, the present one if true.
    Radio(bool),
}

fn item(words: &str, key: &'static str, action: impl Into<Action>) -> Item {
    Item {
        words: words.to_owned(),
        key,
        help: String::new(),
        disabled: None,
        sign: Sign::None,
        action: action.into(),
    }
}

impl Item {
    fn help(self, help: impl Into<String>) -> Self {
        Self {
            help: help.into(),
            ..self
        }
    }

    /// Disable the item unless `enabled`, for the reason `why`.
    fn only_if(self, enabled: bool, why: &'static str) -> Self {
        Self {
            disabled: (!enabled).then_some(why),
            ..self
        }
    }

    fn sign(self, sign: Sign) -> Self {
        Self { sign, ..self }
    }
}

impl From<Item> for Entry {
    fn from(item: Item) -> Self {
        Self::Item(item)
    }
}

/// Draw the menu bar and push chosen actions to `actions`.
pub fn menu_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let opens = state.transient.opens_menu;
    TopBottomPanel::top("menu")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(6, 2)))
        .show(ctx, |ui| {
            MenuBar::new().ui(ui, |ui| {
                for (index, menu) in MENUS.iter().enumerate() {
                    let by_key = opens == Some(index);
                    let (button, _) = MenuButton::new(tr(menu.title)).ui(ui, |ui| {
                        let entries = (menu.entries)(state);
                        ui.set_min_width(210.0);
                        let first = entries_ui(ui, entries, actions);
                        // A menu opened by a key is used by the arrow keys.
                        if by_key && let Some(first) = first {
                            first.request_focus();
                            state.transient.opens_menu = None;
                        }
                    });
                    if by_key && state.transient.opens_menu.is_some() {
                        Popup::open_id(ctx, Popup::default_response_id(&button));
                        ctx.request_repaint();
                    }
                }
            });
        });
}

/// Draw the entries of a menu. Returns the first item.
fn entries_ui(ui: &mut Ui, entries: Vec<Entry>, actions: &mut Vec<Action>) -> Option<Response> {
    let mut first = None;
    for entry in entries {
        match entry {
            Entry::Line => drop(ui.separator()),
            Entry::Menu(title, entries) => {
                ui.add_enabled_ui(!entries.is_empty(), |ui| {
                    ui.menu_button(title, |ui| {
                        scrolled(ui, |ui| {
                            entries_ui(ui, entries, actions);
                        });
                    });
                });
            }
            Entry::Item(item) => {
                let response = item_ui(ui, &item);
                if response.clicked() {
                    actions.push(item.action);
                }
                first = first.or(Some(response));
            }
        }
    }
    first
}

fn item_ui(ui: &mut Ui, item: &Item) -> Response {
    let words = &*item.words;
    let enabled = item.disabled.is_none();
    let drawn = match item.sign {
        Sign::None => {
            let mut button = Button::new(words);
            if !item.key.is_empty() {
                button = button.shortcut_text(item.key);
            }
            ui.add_enabled(enabled, button)
        }
        Sign::Check(mut on) => ui.add_enabled(enabled, Checkbox::new(&mut on, words)),
        Sign::Radio(on) => ui.add_enabled(enabled, RadioButton::new(on, words)),
    };
    let drawn = match &*item.help {
        "" => drawn,
        help => drawn.on_hover_text(help),
    };
    match item.disabled {
        None | Some("") => drawn,
        Some(why) => drawn.on_disabled_hover_text(why),
    }
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

fn file_menu(state: &UiState) -> Vec<Entry> {
    let save_picture = Command::SavePicture(PictureFile::Free);
    let has_plants = state.persisted.scene.plants_on().next().is_some();
    let export = tr("Export height map or mesh…");
    vec![
        item(tr("New"), tr("Ctrl N"), Action::New).into(),
        item(tr("Open…"), tr("Ctrl O"), Action::Ask(Purpose::Open)).into(),
        Entry::Menu(tr("Open recent").to_owned(), recent_menu(state)),
        Entry::Menu(tr("Presets").to_owned(), presets_menu()),
        Entry::Line,
        item(tr("Save scene"), tr("Ctrl S"), Action::Save).into(),
        item(
            tr("Save scene as…"),
            tr("Ctrl Shift S"),
            Action::Ask(Purpose::SaveScene),
        )
        .into(),
        Entry::Line,
        item(tr("Save picture"), "F12", save_picture).into(),
        item(tr("Save picture as…"), "", Action::TogglePhoto).into(),
        item(tr("Export film…"), "", Action::ToggleFilming).into(),
        item(export, tr("Ctrl E"), Action::ToggleExport)
            .help(tr(
                "Heights, meshes and maps as files, or everything for Unreal, Unity, Godot or \
                 Blender in one folder.",
            ))
            .into(),
        item(tr("Export what is in view…"), "", Action::ExportView).into(),
        item(tr("Export plants…"), "", Action::TogglePlantExport)
            .only_if(has_plants, tr(NO_PLANTS))
            .into(),
        Entry::Line,
        item(tr("Quit"), tr("Ctrl Q"), Command::Quit).into(),
    ]
}

fn presets_menu() -> Vec<Entry> {
    let mut entries = vec![
        item(tr("Browse…"), "P", Action::ToggleBrowser)
            .help(tr("Thumbnails of all presets, including your own."))
            .into(),
        item(tr("Save as preset…"), "", Action::Own(Own::BeginToKeep)).into(),
        Entry::Line,
    ];
    let groups = [
        (Group::Landscapes, tr("Landscapes")),
        (Group::Generators, tr("Generators")),
        (Group::Modifiers, tr("Modifiers")),
    ];
    entries.extend(groups.map(|(group, title)| {
        let presets = import::presets().iter().filter(|p| p.group == group);
        let items = presets.map(|preset| {
            let load = Action::Load(Box::new(preset.scene()));
            item(tr(preset.name), "", load).help(tr(preset.help)).into()
        });
        Entry::Menu(title.to_owned(), items.collect())
    }));
    entries
}

/// Recent files, by file name.
fn recent_menu(state: &UiState) -> Vec<Entry> {
    let files = state.persisted.recent.files();
    let items = files.iter().map(|file| {
        let name = file.file_name().unwrap_or(file.as_os_str());
        let name = words::window(&name.to_string_lossy());
        item(&name, "", Command::Open(file.clone())).into()
    });
    let mut entries: Vec<Entry> = items.collect();
    if !entries.is_empty() {
        entries.push(Entry::Line);
        entries.push(item(tr("Forget these"), "", Action::ForgetRecent).into());
    }
    entries
}

fn edit_menu(state: &UiState) -> Vec<Entry> {
    let history = &state.transient.history;
    let step = |verb: &str, what: Option<&str>, key, action| {
        let words = what.map_or_else(|| verb.to_owned(), |what| format!("{verb} {what}"));
        item(&words, key, action).only_if(what.is_some(), "").into()
    };
    let modified = state.persisted.document.is_modified(&state.persisted.scene);
    let paste = tr(
        "A scene as text, or a file that was copied in a file manager: a scene, a picture with its \
         scene, a height map.",
    );
    // The globe helps users who cannot read the present language.
    let language = format!("🌐 {}", tr("Language"));
    vec![
        step(tr("Undo"), history.undo_what(), tr("Ctrl Z"), Action::Undo),
        step(
            tr("Redo"),
            history.redo_what(),
            tr("Ctrl Shift Z"),
            Action::Redo,
        ),
        Entry::Line,
        item(tr("Copy scene"), tr("Ctrl C"), Action::CopyScene)
            .help(tr(
                "The settings that differ from the defaults, as a few lines of text.",
            ))
            .into(),
        item(tr("Paste scene"), tr("Ctrl V"), Action::RequestPaste)
            .help(paste)
            .into(),
        Entry::Line,
        item(tr("Find a setting"), tr("Ctrl F"), Action::FindSetting).into(),
        item(tr("Another seed"), "R", Action::RandomSeed).into(),
        item(tr("Reset camera"), tr("Home"), Action::ResetCamera).into(),
        item(tr("Revert all changes"), "", Action::Revert)
            .help(tr(
                "Resets every setting to its value in the preset or the file.",
            ))
            .only_if(modified, "")
            .into(),
        item(tr("Reset all settings"), "", Action::New).into(),
        Entry::Line,
        Entry::Menu(language, language_menu(state)),
    ]
}

/// Languages, each by its own name.
fn language_menu(state: &UiState) -> Vec<Entry> {
    let chosen = state.persisted.language;
    let choice = |words: &str, language| {
        let item = item(words, "", Action::Speak(language));
        item.sign(Sign::Radio(chosen == language)).into()
    };
    let mut entries = vec![choice(tr("System language"), None), Entry::Line];
    let all = Language::ALL.iter();
    entries.extend(all.map(|language| choice(language.own_name(), Some(*language))));
    entries
}

fn view_menu(state: &UiState) -> Vec<Entry> {
    let persisted = &state.persisted;
    let shown = |is_shown: bool, hide: &'static str, show: &'static str| match is_shown {
        true => hide,
        false => show,
    };
    let panel = shown(
        state.shows_panel(),
        tr("Hide the panel"),
        tr("Show the panel"),
    );
    let statistics = shown(
        persisted.statistics,
        tr("Hide the statistics"),
        tr("Show the statistics"),
    );
    let variations = shown(
        state.transient.variations.shown,
        tr("Hide the variations"),
        tr("Variations"),
    );
    let history = shown(
        persisted.history,
        tr("Hide the history"),
        tr("Show the history"),
    );
    let timeline = shown(
        persisted.timeline,
        tr("Hide the timeline"),
        tr("Show the timeline"),
    );
    let zoom = |by: f32| Action::Zoom(((persisted.zoom + by) / ZOOM_STEP).round() * ZOOM_STEP);
    vec![
        item(panel, "F4", Action::TogglePanel).into(),
        item(statistics, "F3", Action::ToggleStatistics).into(),
        item(variations, "V", Action::ToggleVariations).into(),
        item(history, "H", Action::ToggleHistory)
            .help(tr(
                "The last fifty states as thumbnails; click one to go back to it.",
            ))
            .into(),
        item(timeline, "F5", Action::ToggleTimeline).into(),
        item(tr("Full screen"), "F11", Action::ToggleFullScreen)
            .help(tr("The landscape alone."))
            .into(),
        Entry::Line,
        item(tr("Compass with the sun"), "", Action::ToggleCompass)
            .help(tr(
                "A compass in the corner of the picture; drag its sun to move the light.",
            ))
            .sign(Sign::Check(persisted.compass))
            .into(),
        item(tr("Frame rate"), "", Action::TogglePictureRate)
            .help(tr(
                "The status line counts the pictures of the landscape that were shown.",
            ))
            .sign(Sign::Check(persisted.picture_rate))
            .into(),
        Entry::Line,
        // The zoom of the interface does not affect the landscape.
        item(tr("Zoom in"), tr("Ctrl +"), zoom(ZOOM_STEP)).into(),
        item(tr("Zoom out"), tr("Ctrl −"), zoom(-ZOOM_STEP)).into(),
        item(tr("Usual size"), tr("Ctrl 0"), Action::Zoom(1.0)).into(),
        Entry::Line,
        Entry::Menu(tr("Compare").to_owned(), compare_menu(state)),
        Entry::Line,
        item(tr("Automatic detail"), "", Action::ToggleAutomaticDetail)
            .help(tr(
                "While something moves, the picture is only as fine as 30 frames a second allow. At \
                 rest, and in every saved picture, it has the full detail of the scene.",
            ))
            .sign(Sign::Check(persisted.automatic_detail))
            .into(),
    ]
}

/// Comparison: A is the stored scene, B the present one.
fn compare_menu(state: &UiState) -> Vec<Entry> {
    let compared = state.transient.compared.as_ref();
    let flick = match compared.map(|compared| compared.side) {
        Some(Side::A) => tr("All of B"),
        _ => tr("All of A"),
    };
    let list = match compared {
        Some(compared) if compared.list => tr("Hide the differences"),
        _ => tr("Show the differences"),
    };
    let mut entries = vec![
        item(
            tr("Keep this scene as A"),
            "C",
            Action::Compare(Compare::Keep),
        )
        .help(tr(
            "Change settings further as B; the picture shows both, from the same camera.",
        ))
        .into(),
        Entry::Line,
    ];
    let others = [
        (tr("Side by side"), tr("Shift X"), Compare::Both),
        (flick, "X", Compare::Flick),
        (tr("Swap A and B"), "", Compare::Swap),
        (list, "", Compare::List),
        (tr("Stop comparing"), tr("Esc"), Compare::End),
    ];
    entries.extend(others.map(|(words, key, compare)| {
        let item = item(words, key, Action::Compare(compare));
        item.only_if(compared.is_some(), "").into()
    }));
    entries
}

fn help_menu(state: &UiState) -> Vec<Entry> {
    let left_at = state.persisted.tour_step;
    let step = STEPS.get(left_at).filter(|_| left_at > 0);
    let resume = step.map(|step| {
        let help = tr!("From step {}: {}.", left_at + 1, tr(step.title));
        item(
            tr("Continue the tour"),
            "",
            Action::Tour(TourAction::Resume),
        )
        .help(help)
        .into()
    });
    let mut entries = vec![
        item(
            tr("Find a command"),
            tr("Ctrl Shift P"),
            Action::ToggleCommandPalette,
        )
        .help(tr("Every action and setting, found by its name."))
        .into(),
        item(tr("Keys"), "F1", Action::ToggleKeys).into(),
        item(tr("A tour"), "", Action::Tour(TourAction::Begin))
            .help(tr(
                "Seven steps through the articles that Landform is based on; your scene is restored \
                 afterwards.",
            ))
            .into(),
    ];
    entries.extend(resume);
    entries.push(item(tr("About Landform"), "", Action::ToggleAbout).into());
    entries
}
