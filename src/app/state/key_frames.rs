//! Key frames of the camera, added one after the other from the panel and the dialog "Film".

use crate::scene::{KeyFrame, MOST_SECONDS, Scene};

/// Time between a new key frame and the one before, in seconds.
pub const STEP: f32 = 3.0;
/// Maximum number of key frames that are added this way.
pub const MOST_FRAMES: usize = 100;

/// True if there is room for another key frame after the last one.
#[must_use]
pub fn has_room(scene: &Scene) -> bool {
    scene.path.frames.len() < MOST_FRAMES && next_time(scene) <= MOST_SECONDS
}

/// Add the present view as a key frame, three seconds after the last one.
pub fn add_view(scene: &mut Scene) {
    let (time, camera) = (next_time(scene), scene.camera.clone());
    scene.path.frames.push(KeyFrame { time, camera });
}

fn next_time(scene: &Scene) -> f32 {
    let last = scene.path.frames.last().map(|frame| frame.time);
    last.map_or(0.0, |last| last + STEP)
}
