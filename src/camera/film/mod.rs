//! Key frame animation: a scene as a function of time.
//!
//! A picture depends only on the scene and the time, so the pictures of a film can be rendered anywhere in
//! any order. Settings follow the key frames of the scene's film ([`Film`](crate::scene::Film)), and the
//! camera follows the scene's camera path. Everything else keeps the scene's value.
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
use std::ops::RangeInclusive;

use toml::Value as Toml;

use crate::camera::{Ground, Path};
use crate::generate::GenerateError;
use crate::scene::{MOST_SECONDS, Scene, Setting, Settings, value_of, written};
use crate::util::language::tr;

mod keys;
mod ready;
mod track;

pub use keys::with_key;
pub use ready::Ready;
use track::Track;

/// Maximum number of pictures in a film.
pub const MOST_PICTURES: u32 = 100_000;

/// True if anything of the scene changes with time.
#[must_use]
pub fn is_film(scene: &Scene) -> bool {
    scene.path.frames.len() > 1 || !scene.film.keys.is_empty()
}

/// Length of the scene's film in seconds: the film's setting, or the time of the last key frame.
#[must_use]
pub fn seconds(scene: &Scene) -> f32 {
    if scene.film.seconds > 0.0 {
        return scene.film.seconds;
    }
    let camera = scene.path.frames.last().map(|frame| frame.time);
    let settings = scene.film.keys.last().map(|key| key.time);
    camera.unwrap_or(0.0).max(settings.unwrap_or(0.0))
}

/// Number of pictures in the scene's film, 1 or more; more than [`MOST_PICTURES`] is too long.
#[must_use]
pub fn pictures(scene: &Scene) -> u32 {
    let count = f64::from(seconds(scene)) * f64::from(scene.film.fps);
    (count.round() as u32).max(1)
}

/// Time of a picture in seconds; `number` counts from 1. It does not depend on the film's length.
#[must_use]
pub fn time_of(scene: &Scene, number: u32) -> f32 {
    (f64::from(number.saturating_sub(1)) / f64::from(scene.film.fps.max(1))) as f32
}

/// True if the scene at a time depends on the ground: a camera on its path stays above it.
#[must_use]
pub fn needs_ground(scene: &Scene) -> bool {
    scene.path.frames.len() > 1
}

/// The scene with its settings at `time` seconds and its own camera. Cost: some tens of microseconds.
#[must_use]
pub fn settings_at(scene: &Scene, time: f32) -> Scene {
    Tracks::of(scene).settings_at(scene, time)
}

/// The scene at `time` seconds, with its settings and its camera on the path. The camera stays above
/// `ground`, which belongs to the scene returned by [`settings_at`].
#[must_use]
pub fn scene_at(scene: &Scene, time: f32, ground: Option<&Ground>) -> Scene {
    let mut then = settings_at(scene, time);
    if let Some(path) = Path::new(&scene.path) {
        then.camera = path.at(time, ground, then.surface.tile_size_m);
    }
    then
}

/// Error for a film with a scene that cannot be rendered, for example because two limits cross between two
/// key frames.
#[derive(Debug, thiserror::Error)]
#[error("{}", tr!("at {time} s of the film {source}", time, source))]
pub struct ImpossibleScene {
    /// Time of the scene in seconds.
    pub time: f32,
    /// The invalid key and the allowed values.
    pub source: GenerateError,
}

/// Validate a range of pictures of a film, by number, before the first is rendered.
///
/// Between two key frames each setting is monotone, so limits can cross only where two settings of one table
/// change at once. Elsewhere the first and the last picture stand for all between them. Cost: a tenth of a
/// millisecond for each picture checked.
///
/// # Errors
/// The first scene that cannot be rendered.
pub fn check(scene: &Scene, numbers: RangeInclusive<u32>) -> Result<(), ImpossibleScene> {
    let tracks = Tracks::of(scene);
    let times: Vec<f32> = scene.film.keys.iter().map(|key| key.time).collect();
    // Nothing changes before the first key frame and after the last one.
    let between = times
        .windows(2)
        .map(|ends| tracks.may_cross(ends[0], ends[1]));
    let may_cross: Vec<bool> = [false].into_iter().chain(between).chain([false]).collect();
    let segment = |number| {
        let time = time_of(scene, number);
        times.partition_point(|key| *key <= time)
    };
    let (first, last) = numbers.into_inner();
    (first..=last).try_for_each(|number| {
        let at = segment(number);
        let is_end = number == first
            || number == last
            || at != segment(number - 1)
            || at != segment(number + 1);
        if !is_end && !may_cross[at] {
            return Ok(());
        }
        let time = time_of(scene, number);
        check_at(&tracks.settings_at(scene, time), time)
    })
}

/// Validate the scene of a film at `time` seconds.
///
/// # Errors
/// The scene cannot be rendered.
pub fn check_at(then: &Scene, time: f32) -> Result<(), ImpossibleScene> {
    let checked = then.validate_picture();
    checked.map_err(|source| ImpossibleScene { time, source })
}

/// Tracks of all settings animated by a film, with the settings.
struct Tracks(Vec<(Setting, Track)>);

impl Tracks {
    fn of(scene: &Scene) -> Self {
        if scene.film.keys.is_empty() {
            return Self(Vec::new());
        }
        let mut written_at: BTreeMap<&str, Vec<(f32, &Toml)>> = BTreeMap::new();
        for key in &scene.film.keys {
            for (name, value) in &key.set.0 {
                written_at.entry(name).or_default().push((key.time, value));
            }
        }
        let of_film = scene.settings().into_iter().filter_map(|setting| {
            let track = track(&setting, written_at.get(setting.key.as_str())?)?;
            Some((setting, track))
        });
        Self(of_film.collect())
    }

    /// True if two settings of one table change between two times.
    fn may_cross(&self, from: f32, to: f32) -> bool {
        let changes = |track: &Track| track.at(from.into()) != track.at(to.into());
        let changed = self.0.iter().filter(|(_, track)| changes(track));
        let tables = changed.map(|(setting, _)| setting.key.rsplit_once('.'));
        let tables: Vec<_> = tables.map(|names| names.map(|(table, _)| table)).collect();
        // Settings are in the order of their tables.
        tables.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// The tracks' scene with its settings at a time.
    fn settings_at(&self, scene: &Scene, time: f32) -> Scene {
        let mut then = scene.clone();
        let values = self.0.iter().map(|(setting, track)| {
            let value = written(&setting.kind, &track.at(f64::from(time)));
            (setting.key.clone(), value)
        });
        // Interpolated values are valid one by one; `check` validates their combination.
        if let Err(error) = then.put(&Settings(values.collect())) {
            log::debug!("film: {error}");
        }
        then
    }
}

/// Build the track of a setting from its values at some times.
fn track(setting: &Setting, points: &[(f32, &Toml)]) -> Option<Track> {
    let points = points
        .iter()
        .filter_map(|(time, written)| Some((f64::from(*time), value_of(&setting.kind, written)?)));
    Track::new(setting.kind, setting.unit, points.collect())
}

/// Scale the film to a length of `to` seconds, moving all key frames in proportion.
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
