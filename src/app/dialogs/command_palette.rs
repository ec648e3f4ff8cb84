//! Command palette: every item of the menus and every setting of the panel in one list, found by
//! words of their names.

use egui::{
    Align, Align2, Button, Context, Id, Key, Modifiers, ScrollArea, TextEdit, Ui, Window, vec2,
};

use super::middle;
use crate::app::bars::menu::{Entry, MENUS};
use crate::app::commands::Action;
use crate::app::search::{Query, Text};
use crate::app::state::{CommandPalette, UiState};
use crate::scene::Scene;
use crate::util::language::{mark, tr};
use crate::util::param::{Params, TableVisitor, Tables};

/// Title of the window, which has no title bar.
pub const TITLE: &str = mark("Find a command");
/// Width of the window, and greatest height of its list, in points.
const WIDTH: f32 = 460.0;
const HEIGHT: f32 = 300.0;
/// Distance of the window from the bars, and height of its search box and margins, in points.
const MARGIN: f32 = 12.0;
const FRAME: f32 = 48.0;
/// Sign between the names of a menu and its item.
const ARROW: &str = " ▸ ";

/// Entry of the list.
struct Found {
    /// Menu or section, and name.
    words: String,
    /// Words that are searched besides.
    others: String,
    key: &'static str,
    help: String,
    action: Action,
}

/// Draw the palette if it is open, and push the chosen action to `actions`.
pub fn command_palette_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let Some(mut palette) = state.transient.dialogs.command_palette.take() else {
        return;
    };
    let query = Query::new(&palette.query);
    let mut found = all(state);
    found.retain(|entry| query.finds(&Text::new(&format!("{} {}", entry.words, entry.others))));
    // Names come before other words.
    found.sort_by_key(|entry| !query.finds(&Text::new(&entry.words)));
    let area = middle(&state.derived);
    // The bar of messages stays free.
    let area = area.with_max_y(area.bottom().min(state.derived.scene_rect.bottom()));
    let room = area.height() - 2.0 * MARGIN - FRAME;
    let shown = Window::new(tr(TITLE))
        .id(Id::new(TITLE))
        .title_bar(false)
        .resizable(false)
        .pivot(Align2::CENTER_TOP)
        .fixed_pos(area.center_top() + vec2(0.0, MARGIN))
        .constrain_to(area)
        .show(ctx, |ui| {
            ui.set_width(WIDTH.min(area.width() - 40.0));
            contents_ui(ui, &mut palette, &found, HEIGHT.min(room))
        });
    match shown.and_then(|shown| shown.inner).flatten() {
        Some(Outcome::Chosen(index)) => {
            actions.extend(found.into_iter().nth(index).map(|entry| entry.action))
        }
        Some(Outcome::Closed) => {}
        None => state.transient.dialogs.command_palette = Some(palette),
    }
}

enum Outcome {
    Chosen(usize),
    Closed,
}

fn contents_ui(
    ui: &mut Ui,
    palette: &mut CommandPalette,
    found: &[Found],
    height: f32,
) -> Option<Outcome> {
    let id = Id::new(TITLE).with("query");
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let (up, down) = (pressed(Key::ArrowUp), pressed(Key::ArrowDown));
    let last = found.len().saturating_sub(1);
    let before = palette.chosen;
    palette.chosen = (palette.chosen + down).saturating_sub(up).min(last);
    let edit = TextEdit::singleline(&mut palette.query)
        .id(id)
        .hint_text(tr("an action or a setting…"))
        .desired_width(f32::INFINITY);
    let edit = ui.add(edit);
    if std::mem::take(&mut palette.asks) {
        edit.request_focus();
    }
    if edit.changed() {
        palette.chosen = 0;
    }
    let moved = palette.chosen != before;
    if edit.lost_focus() {
        let enter = ui.input(|input| input.key_pressed(Key::Enter));
        if enter && palette.chosen < found.len() {
            return Some(Outcome::Chosen(palette.chosen));
        }
        if ui.input(|input| input.key_pressed(Key::Escape)) {
            return Some(Outcome::Closed);
        }
    }
    if found.is_empty() {
        ui.weak(tr("Nothing has such a name."));
        return None;
    }
    let mut clicked = None;
    ScrollArea::vertical().max_height(height).show(ui, |ui| {
        for (index, entry) in found.iter().enumerate() {
            let button = Button::selectable(index == palette.chosen, &*entry.words)
                .shortcut_text(entry.key)
                .truncate();
            let button = ui.add_sized(vec2(ui.available_width(), 20.0), button);
            if moved && index == palette.chosen {
                button.scroll_to_me(Some(Align::Center));
            }
            let button = match &*entry.help {
                "" => button,
                help => button.on_hover_text(help),
            };
            if button.clicked() {
                clicked = Some(Outcome::Chosen(index));
            }
        }
    });
    clicked
}

/// Every enabled menu item, then every setting of the panel.
fn all(state: &UiState) -> Vec<Found> {
    let mut found = Vec::new();
    for menu in MENUS {
        add_items(tr(menu.title), (menu.entries)(state), &mut found);
    }
    let mut settings = Settings {
        chosen: format!("surface.{}", state.persisted.scene.surface.generator.key()),
        found,
    };
    state.persisted.scene.clone().visit_tables(&mut settings);
    settings.found
}

fn add_items(path: &str, entries: Vec<Entry>, found: &mut Vec<Found>) {
    for entry in entries {
        match entry {
            Entry::Menu(title, entries) => {
                add_items(&format!("{path}{ARROW}{title}"), entries, found);
            }
            Entry::Item(item) if item.disabled.is_none() => found.push(Found {
                words: format!("{path}{ARROW}{}", item.words),
                others: item.help.clone(),
                key: item.key,
                help: item.help,
                action: item.action,
            }),
            Entry::Item(_) | Entry::Line => {}
        }
    }
}

struct Settings {
    /// Path of the table of the generator's options.
    chosen: String,
    found: Vec<Found>,
}

impl TableVisitor for Settings {
    fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
        let sections = Scene::SECTIONS.iter();
        let mut sections = sections.map(|(key, title, _)| (*key, *title));
        let section = sections.find(|(key, _)| *key == place);
        let others = [
            ("surface", "Landscape"),
            ("view", "Drawing"),
            ("teximage", "Textures"),
            ("clouds", "Textures"),
            ("camera", "Camera"),
            (&*self.chosen, "Generator"),
        ];
        let section = section.or_else(|| others.into_iter().find(|(key, _)| *key == place));
        let Some((_, section)) = section else {
            return;
        };
        for param in T::PARAMS {
            let others = T::SYNONYMS.iter().find(|(key, _)| *key == param.key);
            self.found.push(Found {
                words: format!("{}{ARROW}{}", tr(section), tr(param.label)),
                others: others.map_or_else(String::new, |(_, words)| tr(words).to_owned()),
                key: "",
                help: tr(param.help).to_owned(),
                action: Action::ShowSetting(param.label),
            });
        }
    }
}
