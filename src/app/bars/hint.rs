//! First-use hint over the scene, shown until the user moves the camera for the first time.

use egui::{Align2, Color32, Context, FontId, LayerId, Vec2, vec2};

use crate::app::floating::FreeSpace;
use crate::app::state::UiState;
use crate::scene::Camera;
use crate::util::language::{mark, tr};

/// Text of the hint.
const HINT: &str = mark("Drag to look, wheel to come nearer, F1 for keys");

/// Margin around the text, in points.
const MARGIN: Vec2 = vec2(12.0, 6.0);

/// Draw the hint if it is still needed and there is free space for it.
pub fn hint_ui(ctx: &Context, state: &UiState, space: &FreeSpace) {
    let transient = &state.transient;
    if state.persisted.has_dragged || transient.covers_scene() || transient.tour.is_some() {
        return;
    }
    let scene = state.derived.scene_rect;
    let painter = ctx
        .layer_painter(LayerId::background())
        .with_clip_rect(scene);
    let font = FontId::proportional(14.0);
    let width = scene.width() * 0.9;
    let words = painter.layout(tr(HINT).to_owned(), font, Color32::WHITE, width);
    let size = words.size() + 2.0 * MARGIN;
    let Some(behind) = space.find(size, Align2::CENTER_BOTTOM) else {
        return;
    };
    let round = behind.height() / 2.0;
    painter.rect_filled(behind, round, Color32::from_black_alpha(150));
    painter.galley(behind.min + MARGIN, words, Color32::WHITE);
}

/// Record that the user has moved the camera by mouse or keyboard since the start of the frame. The
/// hint is then never shown again.
pub fn note_hand(ctx: &Context, state: &mut UiState, before: &Camera) {
    let flies = state.transient.flying.is_held(ctx) && !state.transient.covers_scene();
    state.persisted.has_dragged |= flies || state.persisted.scene.camera != *before;
}
