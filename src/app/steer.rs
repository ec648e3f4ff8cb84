//! The camera from frame to frame: what keys ask for, flights to bookmarks, the camera path.

use egui::Context;
use glam::Vec2;

use crate::app::state::journey::{Journey, Leg};
use crate::app::state::{Transient, UiState};
use crate::camera::{self, Ground, InView, Wish, above_ground};
use crate::scene::{CameraMode, Scene};

/// The ground under the camera, as it is drawn now.
pub fn ground(state: &UiState) -> Option<Ground> {
    let terrain = state.derived.terrain.as_ref()?;
    Some(terrain.seen_in(&state.persisted.scene))
}

/// The samples of the ground that the picture shows; `None` where there is none in its middle, or no
/// camera.
pub fn in_view(state: &UiState) -> Option<InView> {
    let shown = state.derived.shown.as_ref()?;
    let rect = state.derived.scene_rect;
    let scene = drawn(state);
    // The coarse landscape has other samples than the file.
    if scene.is_flat() || !scene.render_type().shows_ground() || shown.coarse {
        return None;
    }
    let picture = Vec2::new(rect.width(), rect.height()) * state.derived.pixels_per_point;
    camera::in_view(&scene, &ground(state)?, picture, shown.stride)
}

/// The scene as it is drawn: the eye of an orbit is kept out of the ground.
pub fn drawn(state: &UiState) -> Scene {
    let mut scene = state.persisted.scene.clone();
    if let Some(ground) = ground(state) {
        scene.camera = above_ground(&scene.camera, &ground);
    }
    scene
}

/// Puts the camera into another mode.
pub fn set_mode(state: &mut UiState, mode: CameraMode) {
    let ground = ground(state);
    let scene = &mut state.persisted.scene;
    if scene.camera.mode == mode {
        return;
    }
    state.transient.journey = None;
    let steering = &mut state.transient.steering;
    let tile_size_m = scene.surface.tile_size_m;
    steering.set_mode(&mut scene.camera, mode, ground.as_ref(), tile_size_m);
}

/// Starts the journey along the camera path, if there is one, or stops it.
pub fn toggle(state: &mut UiState) {
    if state.transient.journey.take().is_some() {
        return;
    }
    state.transient.journey = Journey::new(&state.persisted.scene);
}

/// Lets the camera stand where it is put next.
pub fn halt(transient: &mut Transient) {
    transient.journey = None;
    transient.steering.stop();
}

/// Moves the camera for the time since the last frame.
pub fn steer(ctx: &Context, state: &mut UiState) {
    let ground = ground(state);
    let transient = &state.transient;
    let wish = if transient.dialogs.asks() || transient.variations.shown {
        Wish::default()
    } else {
        transient.flying.wish(ctx)
    };
    let seconds = ctx.input(|input| input.stable_dt);
    let before = state.persisted.scene.camera.clone();
    travel(state, wish, ground.as_ref(), seconds);
    let scene = &mut state.persisted.scene;
    let transient = &mut state.transient;
    if transient.journey.is_none() {
        let was_under_way = transient.steering.is_under_way();
        transient.steering.advance(
            &mut scene.camera,
            wish,
            ground.as_ref(),
            scene.surface.tile_size_m,
            seconds,
        );
        if wish == Wish::default() && !was_under_way {
            transient.history.follow(&before, &scene.camera);
            state.persisted.document.follow(&before, &scene.camera);
        }
    }
    let moving = transient.journey.is_some() || transient.steering.is_moving();
    if moving || wish != Wish::default() || scene.camera != before {
        ctx.request_repaint();
    }
}

/// Goes on along the camera path, until it ends or the user takes over.
fn travel(state: &mut UiState, wish: Wish, ground: Option<&Ground>, seconds: f32) {
    let Some(journey) = &mut state.transient.journey else {
        return;
    };
    match journey.go_on(&mut state.persisted.scene, wish, ground, seconds) {
        Leg::OnTheWay => {}
        Leg::Arrived => halt(&mut state.transient),
        Leg::TakenOver => state.transient.journey = None,
    }
}
