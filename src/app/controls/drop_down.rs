//! Drop-down list, used for every choice in the program. While it has the keyboard focus the arrow
//! keys step through its choices.

use egui::{ComboBox, EventFilter, Id, Key, Modifiers, Response, Ui};

/// Maximum height of an open list in points; most lists fit without scrolling.
const HEIGHT: f32 = 520.0;

/// Draw a drop-down of `count` choices, as wide as the available width less `margin`. `label` is
/// the id of its label, `chosen` the index of the current choice. `choice` draws the entry of an
/// index and returns true if it was clicked. Returns the response and the new choice.
pub fn drop_down(
    ui: &mut Ui,
    label: Id,
    margin: f32,
    shown: &str,
    (mut chosen, count): (Option<usize>, usize),
    mut choice: impl FnMut(&mut Ui, usize) -> bool,
) -> (Response, Option<usize>) {
    let height = HEIGHT
        .min(ui.ctx().content_rect().height() - 80.0)
        .max(60.0);
    let combo = ComboBox::from_id_salt(label)
        .width(ui.available_width() - margin)
        .selected_text(shown)
        .truncate()
        .height(height)
        .show_ui(ui, |ui| {
            for index in 0..count {
                if choice(ui, index) {
                    chosen = Some(index);
                }
            }
        });
    let response = combo.response.labelled_by(label);
    let chosen = chosen_by_keys(&response, chosen, count);
    (response, chosen)
}

/// Draw a drop-down of values, each with its text and a tooltip. Returns true if one was chosen.
pub fn choose<T: PartialEq + Clone>(
    ui: &mut Ui,
    label: Id,
    shown: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, &'static str)>,
) -> bool {
    let choices: Vec<_> = choices.into_iter().collect();
    // A value that is not in the list counts as the first.
    let before = choices.iter().position(|(choice, ..)| choice == value);
    let before = before.or(Some(0));
    let mut clicked = false;
    let choice = |ui: &mut Ui, index: usize| {
        let (_, text, help) = &choices[index];
        let chosen = ui.selectable_label(before == Some(index), text);
        let chosen = chosen.on_hover_text(*help).clicked();
        clicked |= chosen;
        chosen
    };
    let (_, after) = drop_down(ui, label, 8.0, shown, (before, choices.len()), choice);
    let chosen = after.filter(|_| clicked || after != before);
    if let Some(index) = chosen {
        *value = choices[index].0.clone();
    }
    chosen.is_some()
}

/// Apply the arrow keys while the drop-down has the focus. Returns the new choice.
fn chosen_by_keys(response: &Response, chosen: Option<usize>, count: usize) -> Option<usize> {
    if !response.has_focus() {
        return chosen;
    }
    let ctx = &response.ctx;
    let filter = EventFilter {
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ctx.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let (up, down) = (pressed(Key::ArrowUp), pressed(Key::ArrowDown));
    if (up, down) == (0, 0) {
        return chosen;
    }
    // Without a choice the arrow keys begin after the last entry.
    let index = (chosen.unwrap_or(count) + down).saturating_sub(up);
    Some(index.min(count.saturating_sub(1)))
}
