//! Insert a key frame of the current scene into its film.

use crate::scene::{KeyFrame, Scene, Setting, written};

/// Add a key frame at `time`: the camera, and every setting that differs from `before`. A setting that the
/// film did not animate yet keeps its old value up to the previous key frame. The camera goes onto the camera
/// path, unless the film animates camera settings; then those are keyed.
#[must_use]
pub fn with_key(scene: &Scene, before: &Scene, time: f32) -> Scene {
    let mut keyed = scene.clone();
    let (film, path) = (&scene.film, &scene.path);
    let of_camera = |key: &str| key.starts_with("camera.");
    let mut keys = film.keys.iter().flat_map(|key| key.set.0.keys());
    let turns_camera = keys.any(|key| of_camera(key));
    let times = film.keys.iter().map(|key| key.time);
    let times = times.chain(path.frames.iter().map(|frame| frame.time));
    let earlier = times.filter(|other| *other < time).reduce(f32::max);
    if !turns_camera {
        put_camera(&mut keyed, time);
    }
    let old = before.settings();
    let is_new = |setting: &&Setting| {
        let was = old.iter().find(|was| was.key == setting.key);
        let is_changed = was.is_some_and(|was| was.value != setting.value);
        match of_camera(&setting.key) {
            true => turns_camera && (is_changed || film.changes(&setting.key)),
            false => is_changed,
        }
    };
    for setting in scene.settings().iter().filter(is_new) {
        let was = old.iter().find(|was| was.key == setting.key);
        if let (Some(was), Some(earlier), false) = (was, earlier, film.changes(&setting.key)) {
            let value = written(&was.kind, &was.value);
            keyed.film.put(earlier, &setting.key, value);
        }
        let value = written(&setting.kind, &setting.value);
        keyed.film.put(time, &setting.key, value);
    }
    keyed
}

/// Add the scene's camera to its path at a time.
fn put_camera(scene: &mut Scene, time: f32) {
    let frames = &mut scene.path.frames;
    let camera = scene.camera.clone();
    let index = frames.partition_point(|frame| frame.time < time);
    match frames.get_mut(index).filter(|frame| frame.time == time) {
        Some(frame) => frame.camera = camera,
        None => frames.insert(index, KeyFrame { time, camera }),
    }
}
