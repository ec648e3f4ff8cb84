//! Films: a scene at any time. Values in, values out: what a picture shows follows from the scene and
//! the time alone, whatever was made before, so that pictures can be made anywhere in any order.
//!
//! Settings follow the key frames of the scene's film ([`Film`](crate::scene::Film)), and the camera
//! follows the scene's camera path. What neither names stays as the scene has it.
//!
//! ```
//! use landform::{film, scene::Scene};
//!
//! let scene = Scene::parse(
//!     "[[film.keys]]
//!     time = 0
//!     set.light.elevation = 5
//!     [[film.keys]]
//!     time = 10
//!     set.light.elevation = 45",
//! )?;
//! assert_eq!(film::scene_at(&scene, 5.0, None).light.elevation, 25.0);
//! # Ok::<(), landform::scene::SceneError>(())
//! ```

use std::collections::BTreeMap;

use toml::Value as Toml;

use crate::camera::{Ground, Path};
use crate::scene::{MOST_SECONDS, Scene, Setting, Settings, value_of, written};

mod keys;
mod ready;
mod track;

pub use keys::with_key;
pub use ready::Ready;
use track::Track;

/// The most pictures of a film.
pub const MOST_PICTURES: u32 = 100_000;

/// Whether anything of the scene changes with time.
#[must_use]
pub fn is_film(scene: &Scene) -> bool {
    scene.path.frames.len() > 1 || !scene.film.keys.is_empty()
}

/// The length of the scene's film in seconds: as the film says, or until its last key frame.
#[must_use]
pub fn seconds(scene: &Scene) -> f32 {
    if scene.film.seconds > 0.0 {
        return scene.film.seconds;
    }
    let camera = scene.path.frames.last().map(|frame| frame.time);
    let settings = scene.film.keys.last().map(|key| key.time);
    camera.unwrap_or(0.0).max(settings.unwrap_or(0.0))
}

/// How many pictures the scene's film has, 1 or more; beyond [`MOST_PICTURES`] it is too long.
#[must_use]
pub fn pictures(scene: &Scene) -> u32 {
    let count = f64::from(seconds(scene)) * f64::from(scene.film.fps);
    (count.round() as u32).max(1)
}

/// The time of a picture in seconds; `number` counts from 1. It does not depend on the film's length.
#[must_use]
pub fn time_of(scene: &Scene, number: u32) -> f32 {
    (f64::from(number.saturating_sub(1)) / f64::from(scene.film.fps.max(1))) as f32
}

/// Whether the scene at a time depends on its ground: a camera on its path keeps above it.
#[must_use]
pub fn needs_ground(scene: &Scene) -> bool {
    scene.path.frames.len() > 1
}

/// The scene with its settings as they are at `time` seconds, seen by the camera of the scene. Cost:
/// some tens of microseconds.
#[must_use]
pub fn settings_at(scene: &Scene, time: f32) -> Scene {
    if scene.film.keys.is_empty() {
        return scene.clone();
    }
    let mut then = scene.clone();
    let values = values_at(scene, time);
    // Values between two that are allowed are allowed; a scene that was not checked may hold others.
    if let Err(error) = then.put(&values) {
        log::debug!("film: {error}");
    }
    then
}

/// The scene at `time` seconds: with its settings, and on its camera path, as they are then. The
/// camera keeps above `ground`, which is that of the scene that [`settings_at`] returns.
#[must_use]
pub fn scene_at(scene: &Scene, time: f32, ground: Option<&Ground>) -> Scene {
    let mut then = settings_at(scene, time);
    if let Some(path) = Path::new(&scene.path) {
        then.camera = path.at(time, ground, then.surface.tile_size_m);
    }
    then
}

/// The values that the film's key frames give to settings at a time.
fn values_at(scene: &Scene, time: f32) -> Settings {
    let mut written_at: BTreeMap<&str, Vec<(f32, &Toml)>> = BTreeMap::new();
    for key in &scene.film.keys {
        for (name, value) in &key.set.0 {
            written_at.entry(name).or_default().push((key.time, value));
        }
    }
    let settings = scene.settings();
    let of_film = settings.iter().filter_map(|setting| {
        let points = written_at.get(setting.key.as_str())?;
        let value = track(setting, points)?.at(f64::from(time));
        Some((setting.key.clone(), written(&setting.kind, &value)))
    });
    Settings(of_film.collect())
}

/// The track of a setting through what is written of it at some times.
fn track(setting: &Setting, points: &[(f32, &Toml)]) -> Option<Track> {
    let points = points
        .iter()
        .filter_map(|(time, written)| Some((f64::from(*time), value_of(&setting.kind, written)?)));
    Track::new(setting.kind, setting.unit, points.collect())
}

/// The scene with its whole film in so many seconds: all key frames come sooner or later in
/// proportion.
#[must_use]
pub fn stretched(scene: &Scene, to: f32) -> Scene {
    let factor = f64::from(to) / f64::from(seconds(scene));
    let mut scene = scene.clone();
    if factor.is_finite() && factor > 0.0 {
        let stretch = |time: &mut f32| {
            *time = ((f64::from(*time) * factor) as f32).min(MOST_SECONDS);
        };
        scene
            .film
            .keys
            .iter_mut()
            .for_each(|key| stretch(&mut key.time));
        let frames = &mut scene.path.frames;
        frames.iter_mut().for_each(|frame| stretch(&mut frame.time));
    }
    scene.film.seconds = to;
    scene
}
