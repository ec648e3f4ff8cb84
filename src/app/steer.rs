//! Camera motion from frame to frame: keyboard, flights to bookmarks, animation.

use egui::Context;
use glam::Vec2;

use crate::app::state::notices::{Cause, Severity};
use crate::app::state::timeline::Timeline;
use crate::app::state::{Transient, UiState};
use crate::camera::film::{self, Ready};
use crate::camera::{self, Ground, InView, Wish, above_ground};
use crate::scene::{CameraMode, Scene};

/// Ground under the camera, as displayed.
pub fn ground(state: &UiState) -> Option<Ground> {
    let terrain = state.derived.terrain.as_ref()?;
    Some(terrain.seen_in(&state.persisted.scene))
}

/// Ground by which the status line measures: as displayed, but the map alone while the camera flies
/// above it, since its finer levels would have to be computed for every frame.
pub fn measured_ground(state: &UiState) -> Option<Ground> {
    let transient = &state.transient;
    let flies = transient.steering.is_moving() || transient.timeline.is_playing();
    let ground = ground(state)?;
    let eye = drawn(state).camera.eye();
    // In a hollow of the finer levels the eye is below the map, and would see its underside.
    let is_above = eye.y > f64::from(ground.height(eye.x as f32, eye.z as f32));
    Some(match flies && is_above {
        true => ground.over(None),
        false => ground,
    })
}

/// Range of ground samples in view; `None` if the centre of the image shows no ground or the view
/// has no camera.
pub fn in_view(state: &UiState) -> Option<InView> {
    let shown = state.derived.shown.as_ref()?;
    let rect = state.derived.scene_rect;
    let scene = drawn(state);
    // The coarse preview has other samples than the exported file.
    if scene.is_flat() || !scene.render_type().shows_ground() || shown.coarse {
        return None;
    }
    let picture = Vec2::new(rect.width(), rect.height()) * state.derived.pixels_per_point;
    camera::in_view(&scene, &ground(state)?, picture, shown.stride)
}

/// Scene as drawn: an orbiting eye is kept above the ground.
pub fn drawn(state: &UiState) -> Scene {
    let mut scene = state.persisted.scene.clone();
    if let Some(ground) = ground(state) {
        scene.camera = above_ground(&scene.camera, &ground);
    }
    scene
}

/// Change the camera mode.
pub fn set_mode(state: &mut UiState, mode: CameraMode) {
    let ground = ground(state);
    let scene = &mut state.persisted.scene;
    if scene.camera.mode == mode {
        return;
    }
    state.transient.timeline.let_go();
    let steering = &mut state.transient.steering;
    let tile_size_m = scene.surface.tile_size_m;
    steering.set_mode(&mut scene.camera, mode, ground.as_ref(), tile_size_m);
}

/// Length of a ready-made animation if the scene's has none, in seconds.
const USUAL_SECONDS: f32 = 10.0;

/// Play the scene's animation if there is one, or stop it at the nearest frame.
pub fn toggle(state: &mut UiState) {
    let was_playing = state.transient.timeline.is_playing();
    state.transient.timeline.toggle(&state.persisted.scene);
    if was_playing {
        show_time(state, state.transient.timeline.time());
    }
}

/// Show the scene at a time of its animation.
pub fn show_time(state: &mut UiState, time: f32) {
    let ground = ground(state);
    state.transient.steering.stop();
    pass_time(state, ground.as_ref(), |timeline, scene, ground| {
        timeline.stop();
        timeline.show(time, scene, ground);
    });
}

/// Replace the scene's animation by a ready-made one and show its first frame.
pub fn use_ready(state: &mut UiState, ready: Ready) {
    let ground = ground(state);
    let scene = &mut state.persisted.scene;
    let seconds = Some(film::seconds(scene)).filter(|seconds| *seconds > 0.0);
    *scene = ready.applied(scene, ground.as_ref(), seconds.unwrap_or(USUAL_SECONDS));
    scene.film.repeats = true;
    state.persisted.timeline = true;
    halt(&mut state.transient);
    let timeline = &mut state.transient.timeline;
    timeline.stop();
    timeline.show(0.0, scene, ground.as_ref());
}

/// Write the animated values into the scene, without an undo step or a change of the document.
fn pass_time(
    state: &mut UiState,
    ground: Option<&Ground>,
    pass: impl FnOnce(&mut Timeline, &mut Scene, Option<&Ground>),
) {
    let scene = &mut state.persisted.scene;
    let transient = &mut state.transient;
    let (timeline, notices) = (&mut transient.timeline, &mut transient.notices);
    pass(timeline, scene, ground);
    notices.settle(&Cause::Film);
    if let Some(words) = timeline.impossible() {
        notices.say(Cause::Film, Severity::Error, words);
        return;
    }
    let time = timeline.time();
    let follow = |of: &mut Scene| {
        if (&of.film, &of.path) == (&scene.film, &scene.path) {
            *of = film::scene_at(of, time, ground);
        }
    };
    state.transient.history.follow_film(&follow);
    follow(&mut state.persisted.document.baseline);
}

/// Stop the animation and any flight, because the camera is about to be set.
pub fn halt(transient: &mut Transient) {
    transient.timeline.let_go();
    transient.steering.stop();
}

/// Move the camera by the time since the last frame.
pub fn steer(ctx: &Context, state: &mut UiState) {
    let ground = ground(state);
    let transient = &state.transient;
    let wish = match transient.dialogs.asks() || transient.covers_scene() {
        true => Wish::default(),
        false => transient.flying.wish(ctx),
    };
    let seconds = ctx.input(|input| input.stable_dt);
    let before = state.persisted.scene.camera.clone();
    travel(state, wish, ground.as_ref(), seconds);
    let scene = &mut state.persisted.scene;
    let transient = &mut state.transient;
    if !transient.timeline.is_playing() {
        let was_under_way = transient.steering.is_under_way();
        let tile_size_m = scene.surface.tile_size_m;
        let (camera, ground) = (&mut scene.camera, ground.as_ref());
        (transient.steering).advance(camera, wish, ground, tile_size_m, seconds);
        if wish == Wish::default() && !was_under_way {
            transient.history.follow(&before, &scene.camera);
            state.persisted.document.follow(&before, &scene.camera);
        }
    }
    let moving = transient.timeline.is_playing() || transient.steering.is_moving();
    if moving || wish != Wish::default() || scene.camera != before {
        ctx.request_repaint();
    }
}

/// Advance the animation until it ends or the user takes control.
fn travel(state: &mut UiState, wish: Wish, ground: Option<&Ground>, seconds: f32) {
    let timeline = &mut state.transient.timeline;
    let moves_camera = film::needs_ground(&state.persisted.scene);
    let hands = wish != Wish::default() || timeline.is_taken_over(&state.persisted.scene);
    if timeline.is_playing() && moves_camera && hands {
        timeline.let_go();
    } else if timeline.is_playing() {
        pass_time(state, ground, |timeline, scene, ground| {
            timeline.go_on(scene, ground, seconds);
        });
    } else {
        timeline.keep(&mut state.persisted.scene, ground);
    }
}
