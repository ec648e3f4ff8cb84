//! The point of the watershed, picked by hand: a click on the map or on the land in space.
//!
//! The land that drains there is part of the picture; here is only what the mouse does.

use egui::{Context, CursorIcon, PointerButton, Pos2, Response, vec2};

use super::camera;
use super::section::SectionView;
use crate::app::state::UiState;
use crate::app::steer;
use crate::camera::{Ground, place_seen};
use crate::scene::Scene;

/// Steps of a half tile that a point is rounded to: finer than what a hand can point at, and short in
/// a file.
const STEPS: f32 = 10_000.0;

/// What a click asks for.
pub enum Click {
    /// The watershed of what is there.
    Pick(Pos2),
    /// None.
    Remove,
}

/// What the mouse does: a drag moves the camera where there is one. Returns a click.
pub fn watershed_ui(
    response: &Response,
    scene: &mut Scene,
    ground: Option<&Ground>,
) -> Option<Click> {
    if !scene.is_flat() {
        camera::pointer(response, &mut scene.camera, ground);
    }
    if response.hovered() && !response.dragged() {
        response.ctx.set_cursor_icon(CursorIcon::Crosshair);
    }
    if response.clicked_by(PointerButton::Secondary) {
        return Some(Click::Remove);
    }
    let at = response.interact_pointer_pos();
    at.filter(|_| response.clicked_by(PointerButton::Primary))
        .map(Click::Pick)
}

/// Does what a click asks for; one beside the land does nothing.
pub fn click(ctx: &Context, state: &mut UiState, click: &Click) {
    let point = match click {
        Click::Remove => None,
        Click::Pick(at) => match place_at(ctx, state, *at) {
            Some(place) => Some(place.map(|value| (value * STEPS).round() / STEPS)),
            None => return,
        },
    };
    state.persisted.scene.analysis.watershed = point;
}

/// The place on the tile that is seen at a point of the window.
fn place_at(ctx: &Context, state: &UiState, at: Pos2) -> Option<[f32; 2]> {
    let (scene, derived) = (&state.persisted.scene, &state.derived);
    let rect = derived.scene_rect;
    let map = SectionView::new(ctx, rect, scene, derived);
    if scene.is_flat() {
        return map.tile_place(at);
    }
    let ground = steer::ground(state)?;
    let off = camera::in_picture(at, rect);
    let camera = steer::drawn(state).camera;
    let seen = place_seen(&camera, &ground, off, rect.aspect_ratio())?;
    Some(map.of_tile(vec2(seen.x as f32, seen.z as f32)))
}
