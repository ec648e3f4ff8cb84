//! Validated text box, for example for a formula or a list of numbers.
//!
//! A typed text takes effect as soon as it is valid. Until then the landscape does not change, and
//! the line below shows the error.

use egui::{FontSelection, Id, RichText, TextEdit, TextStyle, Ui};

use super::row::Row;
use crate::app::theme;
use crate::util::language::tr;

/// Text being edited; it can differ from the stored setting.
#[derive(Clone, Default)]
struct Draft {
    text: String,
    /// Value of the setting when editing began; another value discards the draft.
    of: String,
    /// Error: the valid values.
    error: Option<String>,
}

/// Draw the box, with `empty` as a hint while it has no text. `check` returns the valid values as
/// its error. Returns the last valid text.
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
    // An invalid draft may become valid after a change of another setting.
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

/// Draw the error of the draft in the box of `label`, if there is one; `reset` discards the draft.
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
