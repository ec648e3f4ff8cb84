//! Watershed tool: a click picks the outlet on the map or on the terrain in 3D.
//!
//! The catchment is drawn with the scene; this file only handles the mouse.

use egui::{Context, CursorIcon, PointerButton, Pos2, Response, vec2};

use super::camera;
use super::section::SectionView;
use crate::app::state::UiState;
use crate::app::steer;
use crate::camera::{Ground, place_seen};
use crate::scene::Scene;

/// Rounding of a picked point, in steps per half tile: finer than the mouse can point, yet short in
/// a file.
const STEPS: f32 = 10_000.0;

/// Request of a click.
pub enum Click {
    /// Compute the watershed of the point at this window position.
    Pick(Pos2),
    /// Remove the watershed.
    Remove,
}

/// Handle the mouse: a drag moves the camera, if there is one. Returns a click.
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

/// Carry out the request of a click; a click beside the terrain has no effect.
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

/// Coordinates within its tile of the terrain visible at a window position.
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
