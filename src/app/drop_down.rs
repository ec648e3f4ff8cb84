//! A drop-down: the mouse opens it, and while it has the keyboard the arrow keys go through its
//! choices. Every one in the program is drawn here.

use egui::{ComboBox, Id, Response, Ui};

use crate::app::input;

/// Room for most lists of choices without scrolling, in points.
const HEIGHT: f32 = 360.0;

/// Draws a drop-down as wide as there is room but `margin`, named by the label with the given id.
/// `choice` draws the choice of that index and returns whether it was clicked. The index may be
/// beyond the last, which is none of them. Returns the drop-down and the choice.
pub fn drop_down(
    ui: &mut Ui,
    label: Id,
    margin: f32,
    shown: &str,
    (index, count): (usize, usize),
    mut choice: impl FnMut(&mut Ui, usize) -> bool,
) -> (Response, usize) {
    let mut index = index;
    let height = HEIGHT
        .min(ui.ctx().content_rect().height() - 80.0)
        .max(60.0);
    let combo = ComboBox::from_id_salt(label)
        .width(ui.available_width() - margin)
        .selected_text(shown)
        .truncate()
        .height(height)
        .show_ui(ui, |ui| {
            for other in 0..count {
                if choice(ui, other) {
                    index = other;
                }
            }
        });
    let response = combo.response.labelled_by(label);
    let index = input::chosen_by_keys(&response, index, count);
    (response, index)
}
