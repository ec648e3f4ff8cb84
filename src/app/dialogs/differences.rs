//! Window "Differences": settings that differ between the stored scene and the present one, each
//! with a button that resets it.

use egui::{Align2, Context, Grid, RichText, ScrollArea, Ui};

use super::{GAP, has_room, room_in};
use crate::app::commands::{Action, Compare};
use crate::app::controls::button;
use crate::app::floating::window;
use crate::app::state::document::Compared;
use crate::app::state::{Derived, history};
use crate::app::theme;
use crate::scene::{Difference, Scene};
use crate::util::language::{mark, tr, translated};

/// Title of the window.
pub const TITLE: &str = mark("Differences");
/// Height of the buttons below the list, in points.
const BUTTONS: f32 = 40.0;
/// Maximum number of characters shown of a value.
const MOST_LETTERS: usize = 22;
/// Tables that are listed and reset as a whole, because their single numbers mean little.
const WHOLE: [(&str, &str); 4] = [
    ("camera", mark("Camera")),
    ("palette", mark("Palette")),
    ("path", mark("Film")),
    ("section", mark("Cross-section")),
];

/// Draw the window if it is open.
pub fn differences_ui(
    ctx: &Context,
    scene: &Scene,
    compared: Option<&mut Compared>,
    derived: &Derived,
    actions: &mut Vec<Action>,
) {
    let rect = derived.scene_rect;
    let Some(Compared {
        scene: kept, list, ..
    }) = compared.filter(|it| it.list && has_room(rect))
    else {
        return;
    };
    let rows = rows(kept, scene);
    window(ctx, TITLE, Align2::LEFT_BOTTOM, rect, &[])
        .open(list)
        .collapsible(false)
        .resizable(false)
        .show(ctx, |ui| {
            if rows.is_empty() {
                ui.weak(tr("A and B are the same scene."));
                return;
            }
            let room = room_in(rect) - BUTTONS;
            ScrollArea::both()
                .max_height(room.max(40.0))
                .max_width(rect.width() - 2.0 * GAP - 20.0)
                .show(ui, |ui| rows_ui(ui, &rows, scene, actions));
            ui.separator();
            let help = tr("Sets every setting to its value in A, as one step of undo.");
            if button(ui, tr("Revert all"), help) {
                actions.push(Action::Compare(Compare::TakeBack(String::new())));
            }
        });
}

/// Row of the list: a setting or a whole table, with its values in A and B.
struct Row {
    key: String,
    values: [String; 2],
}

fn rows(kept: &Scene, scene: &Scene) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for Difference { key, values } in kept.differences(scene) {
        let table = key.split('.').next().unwrap_or_default();
        let (key, values) = match whole(table) {
            None => {
                let [in_a, in_b] = values;
                let words = |value: Option<String>, scene: &Scene| match value {
                    Some(value) => history::value_in_window(&key, &value, scene),
                    None => "–".to_owned(),
                };
                let values = [words(in_a, kept), words(in_b, scene)];
                (key, values)
            }
            Some(_) if rows.last().is_some_and(|row| row.key == table) => continue,
            Some(_) => (table.to_owned(), Default::default()),
        };
        rows.push(Row { key, values });
    }
    rows
}

fn rows_ui(ui: &mut Ui, rows: &[Row], scene: &Scene, actions: &mut Vec<Action>) {
    Grid::new("differences")
        .num_columns(4)
        .spacing([18.0, 4.0])
        .striped(true)
        .show(ui, |ui| {
            ui.strong("");
            ui.label(RichText::new("A").strong().color(theme::ACCENT));
            ui.strong("B");
            ui.strong("");
            ui.end_row();
            for row in rows {
                row_ui(ui, row, scene, actions);
                ui.end_row();
            }
        });
}

fn row_ui(ui: &mut Ui, Row { key, values }: &Row, scene: &Scene, actions: &mut Vec<Action>) {
    let whole = whole(key).map(str::to_owned);
    let label = whole.unwrap_or_else(|| history::setting_label(key, scene));
    ui.label(label).on_hover_text(key);
    for value in values {
        let value = &in_words(value);
        let shown = ui.label(shortened(value));
        if value.chars().count() > MOST_LETTERS {
            shown.on_hover_text(value);
        }
    }
    let button = ui.small_button(tr("Revert"));
    let help = tr("Sets this setting to its value in A.");
    if button.on_hover_text(help).clicked() {
        actions.push(Action::Compare(Compare::TakeBack(key.clone())));
    }
}

/// Name of a table that is reset as a whole; `None` for other tables.
fn whole(table: &str) -> Option<&'static str> {
    let whole = WHOLE.iter().find(|(key, _)| *key == table)?;
    Some(tr(whole.1))
}

/// Value as shown in the panel.
fn in_words(value: &str) -> String {
    match value {
        "true" => tr("on").to_owned(),
        "false" => tr("off").to_owned(),
        value => translated(value.trim_matches('"')).into_owned(),
    }
}

/// Value truncated to the maximum number of characters.
fn shortened(value: &str) -> String {
    if value.chars().count() <= MOST_LETTERS {
        return value.to_owned();
    }
    let begins: String = value.chars().take(MOST_LETTERS - 1).collect();
    begins + "…"
}
