//! Lengths in the controls of the window, in the unit that suits the tile.

use egui::{Context, Id, Response, Ui};

use crate::util::lengths::{Lengths, rounded};

/// Set the unit for all controls drawn from now on.
pub fn set(ctx: &Context, lengths: Lengths) {
    ctx.data_mut(|data| data.insert_temp(Id::NULL, lengths));
}

/// Unit of the controls; `None` for the scene's own.
#[must_use]
pub fn shown(ui: &Ui) -> Option<Lengths> {
    ui.data(|data| data.get_temp(Id::NULL))
}

/// Draw a box for a length in half tiles, in the unit of the window. `number_box` draws it, given the scale
/// of the unit. Entering and leaving the box does not round the length.
pub fn length_box(
    ui: &mut Ui,
    length: &mut f64,
    number_box: impl FnOnce(&mut Ui, &mut f64, f64) -> Response,
) -> Response {
    let scale = shown(ui).map_or(1.0, |lengths| lengths.half_tile);
    let before = rounded(*length * scale);
    let mut edited = before;
    let response = number_box(ui, &mut edited, scale);
    if edited != before {
        *length = edited / scale;
    }
    response
}
