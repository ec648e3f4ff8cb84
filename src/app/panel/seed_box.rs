//! Text box for a seed.

use egui::{Id, Key, TextEdit, Ui};

use super::row::Row;
use crate::app::controls::number::{Verdict, read_seed, say, seed_refusal};
use crate::app::theme;

/// Draw the box and return the seed. It is a text box because number boxes would round values above
/// 2^53. A typed seed takes effect when editing ends; an invalid one is red and leaves the old
/// seed.
pub fn seed_box(ui: &mut Ui, seed: u64, width: f32, label: Id, row: &Row<'_>) -> u64 {
    let id = label.with("seed");
    let typed = ui.data(|data| data.get_temp::<String>(id));
    let mut text = match &typed {
        Some(typed) => typed.clone(),
        None => seed.to_string(),
    };
    let valid = read_seed(&text).is_some();
    let mut edit = TextEdit::singleline(&mut text)
        .id(id)
        .desired_width(width - 8.0);
    if !valid {
        edit = edit.text_color(theme::ERROR);
    }
    let response = ui.add(edit).labelled_by(label);
    let mut seed = seed;
    if response.has_focus() {
        if response.changed() {
            ui.data_mut(|data| data.insert_temp(id, text));
        }
    } else if typed.is_some() || response.changed() {
        ui.data_mut(|data| data.remove_temp::<String>(id));
        let given_up = ui.input(|input| input.key_pressed(Key::Escape));
        match read_seed(&text) {
            _ if given_up => {}
            Some(read) => {
                seed = read;
                say(ui.ctx(), Verdict::AsTyped);
            }
            None => say(ui.ctx(), Verdict::Remark(seed_refusal(&text))),
        }
    }
    row.explain(response);
    seed
}
