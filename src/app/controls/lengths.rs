//! Lengths in the controls of the window, in the unit that suits the tile.

use egui::{Context, Id, Response, Ui, Vec2};

use super::number::{add_sized, narrow, number_box, read};
use crate::util::lengths::{Lengths, rounded};

/// Limit of a height or a place in half tiles.
pub const LIMIT: f64 = 1000.0;
/// Most decimals of a number.
const DECIMALS: usize = 3;
/// Capacity of a box in characters.
const ROOM: usize = 7;
/// Key of the heights of the land.
const HEIGHT_RANGE: &str = "height range";

/// Set the unit for all controls drawn from now on, and the heights of the land, in half tiles.
pub fn set(ctx: &Context, lengths: Lengths, height_range: Option<(f32, f32)>) {
    // A slider that changes the land must not change its own ends while it is dragged.
    let is_dragged = ctx.input(|input| input.pointer.any_down());
    ctx.data_mut(|data| {
        data.insert_temp(Id::NULL, lengths);
        if !is_dragged {
            data.insert_temp(Id::new(HEIGHT_RANGE), height_range);
        }
    });
}

/// Unit of the controls; `None` for the scene's own.
#[must_use]
pub fn shown(ui: &Ui) -> Option<Lengths> {
    ui.data(|data| data.get_temp(Id::NULL))
}

/// Lowest and highest height of the land, in half tiles; `None` while there is none.
#[must_use]
pub fn height_range(ui: &Ui) -> Option<(f32, f32)> {
    ui.data(|data| data.get_temp(Id::new(HEIGHT_RANGE)))
        .flatten()
}

/// Draw a box for a height or a place of up to `most` half tiles, in the unit of the window. Dragging changes it
/// by `speed` half tiles a point.
pub fn length_box(
    ui: &mut Ui,
    length: &mut f64,
    most: f64,
    size: Vec2,
    prefix: &str,
    speed: f64,
) -> Response {
    let scale = shown(ui).map_or(1.0, |lengths| lengths.half_tile);
    let before = rounded(*length * scale);
    let mut edited = before;
    let number = number_box(ui, &mut edited, -most * scale..=most * scale)
        .prefix(prefix)
        .speed(speed * scale)
        .custom_formatter(|value, _| narrow(value, 0, DECIMALS, ROOM));
    let response = add_sized(ui, size, number);
    // Entering and leaving the box is not an edit, although the shown number may be rounded.
    let is_same = edited == before || read(&narrow(before, 0, DECIMALS, ROOM)) == Some(edited);
    if !is_same {
        *length = edited / scale;
    }
    response
}
