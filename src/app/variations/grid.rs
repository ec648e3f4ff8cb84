//! Grid of variations: one thumbnail for each, with the original scene among them.

use std::sync::Arc;

use egui::{EventFilter, FocusDirection, Id, Key, Modifiers, Pos2, Rect, Ui, Vec2, pos2, vec2};

use super::words;
use crate::app::commands::{Action, Command};
use crate::app::small_picture::{caption, frame, picture_button};
use crate::app::state::thumbnails::Thumbnails;
use crate::app::state::variations::{Cell, Variations};
use crate::util::language::tr;

/// Gap between thumbnails, in points.
const GAP: f32 = 6.0;

/// Draw the thumbnails and push the action of a click to `actions`.
pub fn grid_ui(
    ui: &mut Ui,
    sheet: &mut Variations,
    gallery: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let Some(own) = sheet.own().map(|cell| Arc::clone(&cell.scene)) else {
        return;
    };
    let cells = sheet.cells().to_vec();
    let side = cells.len().isqrt().max(1);
    let rects: Vec<Rect> = (0..cells.len())
        .map(|index| place(ui.max_rect(), side, index, ui.ctx().pixels_per_point()))
        .collect();
    if rects.iter().any(|rect| !rect.is_positive()) {
        return;
    }
    let id = |cell: &Cell| Id::new(("variation", cell.number));
    move_by_keys(ui, &cells.iter().map(id).collect::<Vec<_>>(), side);
    // The original scene is rendered first.
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|index| cells[*index].number);
    for index in order {
        let (cell, rect) = (&cells[index], rects[index]);
        let name = match cell.number {
            0 => tr("The scene itself").to_owned(),
            number => tr!("Variation {number}", number),
        };
        let response = picture_button(ui, rect, id(cell), &name, (&cell.scene, gallery));
        let looked_at = response.hovered() || response.has_focus();
        mark(ui, rect, (cell.number == 0, looked_at), || {
            words::differences(sheet.settings(), &own, &cell.scene)
        });
        let beside = ui.input(|input| input.modifiers.shift);
        if !response.clicked() {
            continue;
        }
        if beside {
            actions.push(Command::OpenBeside(Box::new((*cell.scene).clone())).into());
        } else if cell.number == 0 {
            actions.push(Action::ToggleVariations);
        } else {
            sheet.note_taken(&own, &cell.scene);
            actions.push(Action::Become(Box::new((*cell.scene).clone())));
        }
    }
}

/// Rectangle of a thumbnail, aligned to whole pixels so that it is not resampled.
fn place(room: Rect, side: usize, index: usize, scale: f32) -> Rect {
    let whole = |points: f32| (points * scale).floor() / scale;
    let (column, row) = ((index % side) as f32, (index / side) as f32);
    let size = (room.size() - Vec2::splat(GAP * (side as f32 - 1.0))) / side as f32;
    let size = vec2(whole(size.x), whole(size.y));
    let corner = vec2(column * (size.x + GAP), row * (size.y + GAP));
    let corner: Pos2 = room.min + corner;
    Rect::from_min_size(pos2(whole(corner.x), whole(corner.y)), size)
}

/// Draw the frame of a thumbnail, and its caption while it is hovered or focused.
fn mark(ui: &Ui, rect: Rect, (is_own, looked_at): (bool, bool), words: impl FnOnce() -> String) {
    if !looked_at && !is_own {
        return;
    }
    frame(ui, rect, looked_at, is_own);
    let words = match is_own {
        true => tr("The scene as it is").to_owned(),
        false => words(),
    };
    let words = if words.is_empty() {
        tr("No difference")
    } else {
        &words
    };
    caption(ui.painter(), rect, words);
}

/// Move the focus between thumbnails by arrow keys, starting at the original scene.
fn move_by_keys(ui: &Ui, cells: &[Id], side: usize) {
    let focused = ui.memory(|memory| memory.focused());
    let at = focused.and_then(|id| cells.iter().position(|cell| *cell == id));
    if focused.is_some() && at.is_none() {
        return;
    }
    if let Some(at) = at {
        let filter = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(cells[at], filter));
    }
    let pressed = |key| ui.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let right = pressed(Key::ArrowRight) as isize - pressed(Key::ArrowLeft) as isize;
    let down = pressed(Key::ArrowDown) as isize - pressed(Key::ArrowUp) as isize;
    if (right, down) == (0, 0) {
        return;
    }
    let own = Id::new(("variation", 0_u32));
    let from = at.or_else(|| cells.iter().position(|cell| *cell == own));
    let from = from.unwrap_or(0);
    let rows = cells.len().div_ceil(side);
    let to = |at: usize, by: isize, count: usize| {
        at.saturating_add_signed(by).min(count.saturating_sub(1))
    };
    let (column, row) = (to(from % side, right, side), to(from / side, down, rows));
    let to = (row * side + column).min(cells.len() - 1);
    ui.memory_mut(|memory| {
        memory.request_focus(cells[to]);
        // Otherwise egui would move the focus once more.
        memory.move_focus(FocusDirection::None);
    });
}
