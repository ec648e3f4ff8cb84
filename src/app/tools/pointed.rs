//! Picking: the ground point under the mouse.

use egui::{Context, Order};

use super::camera::in_picture;
use super::map_view::{MapView, side_shown};
use crate::app::state::UiState;
use crate::app::state::compared::Compared;
use crate::app::steer;
use crate::camera::{Spot, place_seen};

/// Ground point visible under the mouse; `None` if there is none or something covers the scene.
#[must_use]
pub fn pointed(ctx: &Context, state: &UiState) -> Option<Spot> {
    let at = ctx.pointer_hover_pos()?;
    let rect = state.derived.scene_rect;
    let is_below = |layer: egui::LayerId| layer.order != Order::Background;
    let transient = &state.transient;
    let other = transient.covers_scene() || transient.strip.looked_at.is_some();
    if other || !rect.contains(at) || ctx.layer_id_at(at).is_some_and(is_below) {
        return None;
    }
    // The ground of scene A is not available here.
    let a = transient.compared.as_ref().map_or(0.0, Compared::part);
    if at.x < rect.left() + a * rect.width() {
        return None;
    }
    let scene = &state.persisted.scene;
    if !scene.render_type().has_scale() {
        return None;
    }
    let ground = steer::ground(state)?;
    if scene.is_flat() {
        let side = side_shown(&state.derived);
        let view = MapView::new(rect, state.derived.pixels_per_point, scene, side);
        let tiles = scene.view.tile as f32;
        let tile = view.tile_at(at);
        let is_there = |tile: f32| (0.0..=tiles).contains(&tile);
        let place = |tile: f32, side: f32| f64::from((tile - tiles * 0.5) * side);
        return (is_there(tile.x) && is_there(tile.y)).then(|| {
            let pixel = f64::from(tiles * side[0] / rect.width().max(1.0));
            let (x, z) = (place(tile.x, side[0]), place(tile.y, side[1]));
            Spot::of(&ground, x, z, pixel)
        });
    }
    let camera = steer::drawn(state).camera;
    let place = place_seen(&camera, &ground, in_picture(at, rect), rect.aspect_ratio())?;
    Some(Spot::seen(&ground, place, camera.eye()))
}
