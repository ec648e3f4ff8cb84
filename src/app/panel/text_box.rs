//! A box for a text that means something: a formula, a list of numbers.
//!
//! What is typed counts as soon as it has a meaning. Until then the landscape stays as it is,
//! and the line below says what is wrong.

use egui::{FontSelection, Id, RichText, TextEdit, TextStyle, Ui};

use super::row::Row;
use crate::app::theme;
use crate::language::tr;

/// A text as it is typed: not always as the setting would be written.
#[derive(Clone, Default)]
struct Draft {
    text: String,
    /// The setting that it is to replace; another one makes the draft void.
    of: String,
    /// What is allowed instead.
    error: Option<String>,
}

/// Draws the box, with `empty` in it as long as it has no text; `check` says what is allowed
/// instead of a text. Returns the newest text that is allowed.
pub fn text_box(
    ui: &mut Ui,
    value: &str,
    empty: &str,
    label: Id,
    row: &Row<'_>,
    check: &dyn Fn(&str) -> Result<(), String>,
) -> String {
    let (id, box_id) = (draft_id(label), label.with("text"));
    let focused = ui.memory(|memory| memory.has_focus(box_id));
    let draft = ui.data(|data| data.get_temp::<Draft>(id));
    let draft = draft.filter(|draft| focused || (draft.error.is_some() && draft.of == value));
    let was_wrong = draft.as_ref().is_some_and(|draft| draft.error.is_some());
    let mut text = draft.map_or_else(|| value.to_owned(), |draft| draft.text);
    let mut edit = TextEdit::singleline(&mut text)
        .id(box_id)
        .hint_text(empty)
        .font(FontSelection::Style(TextStyle::Monospace))
        .desired_width(ui.available_width() - 8.0);
    if was_wrong {
        edit = edit.text_color(theme::ERROR);
    }
    let response = row.explain(ui.add(edit).labelled_by(label));
    // What was wrong may be allowed now that another setting has changed.
    let error = check(&text).err();
    let counts = error.is_none() && (response.changed() || was_wrong);
    let after = if counts {
        text.clone()
    } else {
        value.to_owned()
    };
    if response.has_focus() || (error.is_some() && text != value) {
        let of = value.to_owned();
        ui.data_mut(|data| data.insert_temp(id, Draft { text, of, error }));
    } else {
        ui.data_mut(|data| data.remove_temp::<Draft>(id));
    }
    after
}

/// Draws what is wrong with the text typed into the box of `label`, if anything; `reset` throws
/// that text away.
pub fn draft_error_ui(ui: &mut Ui, label: Id, reset: bool) {
    let id = draft_id(label);
    if reset {
        ui.data_mut(|data| data.remove_temp::<Draft>(id));
    }
    let draft = ui.data(|data| data.get_temp::<Draft>(id));
    if let Some(error) = draft.and_then(|draft| draft.error) {
        let error = tr!("Allowed is {error}.", error);
        ui.label(RichText::new(error).small().color(theme::ERROR));
    }
}

fn draft_id(label: Id) -> Id {
    label.with("draft")
}
