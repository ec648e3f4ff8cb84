//! A drop-down: the mouse opens it, and while it has the keyboard the arrow keys go through its
//! choices. Every one in the program is drawn here.

use egui::{ComboBox, EventFilter, Id, Key, Modifiers, Response, Ui};

/// Room for most lists of choices without scrolling, in points.
const HEIGHT: f32 = 520.0;

/// Draws a drop-down of `count` choices as wide as there is room but `margin`, named by the label
/// with the given id. `choice` draws the choice of an index and returns whether it was clicked.
/// Returns the drop-down, and which is chosen now where `chosen` was.
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

/// Draws a drop-down of values, each with its words and a tooltip; returns whether one was chosen.
pub fn choose<T: PartialEq + Clone>(
    ui: &mut Ui,
    label: Id,
    shown: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, &'static str)>,
) -> bool {
    let choices: Vec<_> = choices.into_iter().collect();
    // What is not among them counts as the first.
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

/// The choice after the arrow keys, while the drop-down has the keyboard.
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
    // Without a choice the keys begin below the last.
    let index = (chosen.unwrap_or(count) + down).saturating_sub(up);
    Some(index.min(count.saturating_sub(1)))
}
