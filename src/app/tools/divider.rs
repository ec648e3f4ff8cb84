//! Draggable divider between two compared scenes, with their names at the top.

use egui::{
    Align2, Color32, CursorIcon, FontId, Painter, Pos2, Rect, Sense, Stroke, StrokeKind, Ui, pos2,
    vec2,
};

use crate::app::state::compared::{Compared, Side};
use crate::app::theme;

/// Width of the strip that can be grabbed, in points.
const HOLD: f32 = 14.0;
/// Size of the knob, in points.
const KNOB: egui::Vec2 = vec2(14.0, 34.0);
/// Side of a name's background, and its distance from the edges, in points.
const NAME: f32 = 22.0;
const GAP: f32 = 8.0;
/// Minimum distance from the edges of the scene, in points.
const MARGIN: f32 = 10.0;

/// Draw the divider over the scene in `rect` and let the mouse drag it.
pub fn divider_ui(ui: &Ui, rect: Rect, compared: &mut Compared) {
    let painter = ui.painter().with_clip_rect(rect);
    match compared.side {
        Side::A => return name(&painter, rect.left_top(), 1.0, "A"),
        Side::B => return name(&painter, rect.right_top(), -1.0, "B"),
        Side::Both => {}
    }
    let least = (MARGIN / rect.width().max(1.0)).min(0.5);
    let x = rect.left() + compared.divider * rect.width();
    let strip = Rect::from_center_size(pos2(x, rect.center().y), vec2(HOLD, rect.height()));
    let held = ui.interact(strip, ui.id().with("divider"), Sense::drag());
    if held.dragged() {
        let moved = held.drag_delta().x / rect.width().max(1.0);
        compared.divider = (compared.divider + moved).clamp(least, 1.0 - least);
    }
    let is_held = held.hovered() || held.dragged();
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let color = if is_held {
        theme::ACCENT
    } else {
        Color32::WHITE
    };
    let x = rect.left() + compared.divider * rect.width();
    painter.vline(
        x,
        rect.y_range(),
        Stroke::new(4.0, Color32::from_black_alpha(90)),
    );
    painter.vline(x, rect.y_range(), Stroke::new(1.5, color));
    let knob = Rect::from_center_size(pos2(x, rect.center().y), KNOB);
    painter.rect(
        knob,
        5,
        Color32::from_black_alpha(170),
        Stroke::new(1.5, color),
        StrokeKind::Inside,
    );
    for side in [-2.0, 2.0] {
        let y = knob.shrink(10.0).y_range();
        painter.vline(x + side, y, Stroke::new(1.0, color));
    }
    name(&painter, pos2(x, rect.top()), -1.0, "A");
    name(&painter, pos2(x, rect.top()), 1.0, "B");
}

/// Draw a name next to an upper corner: to its right if `side` is 1, to its left if −1.
fn name(painter: &Painter, corner: Pos2, side: f32, name: &str) {
    let center = corner + vec2(side * (GAP + 0.5 * NAME), GAP + 0.5 * NAME);
    let ground = Rect::from_center_size(center, vec2(NAME, NAME));
    painter.rect_filled(ground, 5, Color32::from_black_alpha(170));
    let font = FontId::proportional(14.0);
    painter.text(center, Align2::CENTER_CENTER, name, font, Color32::WHITE);
}
