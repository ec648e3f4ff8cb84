//! The hint of the first minute, over the scene until it was dragged for the first time.

use egui::{Align2, Color32, Context, FontId, LayerId, Order, Rect, vec2};

use crate::app::state::UiState;
use crate::language::{mark, tr};

/// The words.
const HINT: &str = mark("Drag to look, wheel to come nearer, F1 for keys");

/// Around the words, and from there to the lower edge of the scene, in points.
const MARGIN: egui::Vec2 = vec2(12.0, 6.0);
const ABOVE: f32 = 24.0;

/// Draws the hint where it is needed, and takes note of the first drag.
pub fn hint_ui(ctx: &Context, state: &mut UiState) {
    let transient = &state.transient;
    if state.persisted.has_dragged || transient.covers_scene() || transient.tour.is_some() {
        return;
    }
    let scene = state.derived.scene_rect;
    let dragged = ctx.input(|input| {
        let begun = input.pointer.press_origin();
        begun.filter(|at| input.pointer.is_decidedly_dragging() && scene.contains(*at))
    });
    // A window over the scene may be dragged, too.
    let is_above = |layer: LayerId| layer.order != Order::Background;
    if dragged.is_some_and(|at| !ctx.layer_id_at(at).is_some_and(is_above)) {
        state.persisted.has_dragged = true;
    }
    let painter = ctx
        .layer_painter(LayerId::background())
        .with_clip_rect(scene);
    let font = FontId::proportional(14.0);
    let words = painter.layout(
        tr(HINT).to_owned(),
        font,
        Color32::WHITE,
        scene.width() * 0.9,
    );
    let middle = scene.center_bottom() - vec2(0.0, ABOVE);
    let place = Align2::CENTER_BOTTOM.anchor_size(middle, words.size());
    let behind: Rect = place.expand2(MARGIN);
    painter.rect_filled(
        behind,
        behind.height() / 2.0,
        Color32::from_black_alpha(150),
    );
    painter.galley(place.min, words, Color32::WHITE);
}
