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

use glam::DVec3;
use toml::Value as Toml;

use super::{Ground, Path};
use crate::generate::GenerateError;
use crate::scene::{
    Camera, CameraMode, CameraPath, KeyFrame, MOST_SECONDS, RenderType, Scene, Setting, Settings,
    value_of, written,
};
use crate::util::language::tr;
use crate::util::numbers::{hermite, monotone, segment, shorter_way, within};
use crate::util::param::{Kind, Value, choice};

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
pub fn check_at(scene: &Scene, time: f32) -> Result<(), ImpossibleScene> {
    let checked = scene.validate_picture();
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
        for key in &mut scene.film.keys {
            stretch(&mut key.time);
        }
        for frame in &mut scene.path.frames {
            stretch(&mut frame.time);
        }
    }
    scene.film.seconds = to;
    scene
}

// Animation track of one setting: monotone cubic interpolation (Fritsch and Carlson 1980).
//
// Numbers pass through each key frame with a continuous rate and stay between adjacent key frames, so they
// never leave their range. Settings with a logarithmic slider are interpolated in the logarithm. Degrees of
// a full circle take the shorter way. Whole numbers change in steps and reach each key frame's number at its
// time. Seeds, switches, names and texts change at their key frame.

/// Value of a setting as a function of time.
pub(super) struct Track {
    kind: Kind,
    times: Vec<f64>,
    values: Vec<Value>,
    curve: Option<Curve>,
}

/// Cubic through the numbers.
struct Curve {
    scale: Scale,
    heights: Vec<f64>,
    slopes: Vec<f64>,
}

/// Scale in which numbers are interpolated.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    /// The number itself.
    Plain,
    /// The natural logarithm.
    Logarithm,
    /// Degrees, unwrapped beyond a full circle.
    Turn,
}

impl Track {
    /// Build the track through values at ascending times. Returns `None` if there are none.
    pub(super) fn new(kind: Kind, unit: &str, points: Vec<(f64, Value)>) -> Option<Self> {
        if points.is_empty() {
            return None;
        }
        let (times, values): (Vec<_>, Vec<_>) = points.into_iter().unzip();
        let numbers: Option<Vec<f64>> = values
            .iter()
            .map(|value| match value {
                Value::Float(number) => Some(f64::from(*number)),
                _ => None,
            })
            .collect();
        let curve = numbers.filter(|numbers| numbers.len() > 1);
        let curve = curve.map(|numbers| Curve::new(scale_of(&kind, unit), numbers, &times));
        Some(Self {
            kind,
            times,
            values,
            curve,
        })
    }

    /// Value at a time, clamped to the first and the last key frame.
    pub(super) fn at(&self, time: f64) -> Value {
        let last = self.times.len() - 1;
        if last == 0 || time <= self.times[0] {
            return self.values[0].clone();
        }
        if time >= self.times[last] {
            return self.values[last].clone();
        }
        let index = segment(&self.times, time);
        let t = within(time, self.times[index], self.times[index + 1]);
        let (from, to) = (&self.values[index], &self.values[index + 1]);
        if t <= 0.0 {
            return from.clone();
        }
        match (&self.curve, from, to) {
            (Some(curve), ..) => {
                let width = self.times[index + 1] - self.times[index];
                let number = curve.at(index, t, width);
                Value::Float(within_range(&self.kind, curve.scale, number))
            }
            (None, Value::Int(from), Value::Int(to)) => {
                // Truncated towards the start, so that a key frame's number is not reached early.
                let way = (f64::from(*to) - f64::from(*from)) * t;
                Value::Int((f64::from(*from) + way.trunc()) as u32)
            }
            _ => from.clone(),
        }
    }
}

impl Curve {
    fn new(scale: Scale, mut heights: Vec<f64>, times: &[f64]) -> Self {
        match scale {
            Scale::Plain => {}
            Scale::Logarithm => heights
                .iter_mut()
                .for_each(|height| *height = libm::log(*height)),
            Scale::Turn => {
                for index in 1..heights.len() {
                    let before = heights[index - 1];
                    heights[index] = before + shorter_way(heights[index] - before);
                }
            }
        }
        let slopes = monotone(times, &heights);
        Self {
            scale,
            heights,
            slopes,
        }
    }

    /// Number at the fraction `t` of a segment `width` seconds long.
    fn at(&self, index: usize, t: f64, width: f64) -> f64 {
        let ends = [self.heights[index], self.heights[index + 1]];
        let slopes = [self.slopes[index], self.slopes[index + 1]];
        let height = hermite(t, width, ends, slopes);
        match self.scale {
            Scale::Logarithm => libm::exp(height),
            Scale::Plain | Scale::Turn => height,
        }
    }
}

fn scale_of(kind: &Kind, unit: &str) -> Scale {
    match kind {
        Kind::Float { min, max, .. } if unit == "°" && max - min >= 360.0 => Scale::Turn,
        // The logarithm needs a range above zero.
        Kind::Float { min, .. } if *min > 0.0 && kind.is_logarithmic() => Scale::Logarithm,
        _ => Scale::Plain,
    }
}

/// Bring a number into the setting's range: by whole turns for angles, by clamping otherwise.
fn within_range(kind: &Kind, scale: Scale, number: f64) -> f32 {
    let Kind::Float { min, max, .. } = *kind else {
        return number as f32;
    };
    let (low, high) = (f64::from(min), f64::from(max));
    let turned = scale == Scale::Turn && !(low..=high).contains(&number);
    let number = if turned {
        low + (number - low).rem_euclid(360.0)
    } else {
        number
    };
    (number as f32).clamp(min, max)
}

// Film presets: turntable, round flight and day.

choice! {
    /// A ready-made film.
    pub enum Ready: "ready-made film" {
        #[default]
        Turntable = "turntable", "The camera goes once around what it looks at.";
        Flight = "flight", "A round flight low over the ground, always at the same height above \
                  it.";
        Day = "day", "The sun from dawn to night, with clouds and waves that move.";
    }
}

/// Number of key frames of a round flight; a last one repeats the first.
const ROUND: usize = 24;
/// Number of height samples between two key frames.
const LOOKS: usize = 6;
/// Sun of a day: fraction of the film, elevation and bearing in degrees.
const DAY: [(f32, f32, f32); 7] = [
    (0.0, -8.0, 72.0),
    (0.12, 2.0, 84.0),
    (0.3, 32.0, 115.0),
    (0.5, 55.0, 180.0),
    (0.7, 32.0, 245.0),
    (0.88, 2.0, 276.0),
    (1.0, -10.0, 289.0),
];
/// Distance that the wind carries clouds in a day, in half tiles.
const WIND: f32 = 2.0;

impl Ready {
    /// Apply the film to the scene, `seconds` long. A camera film replaces the camera path, a sun film the
    /// animation of the sun; other animations are kept. A scene whose picture has no camera, or no sun,
    /// becomes a landscape. `ground` is the scene's; a flight stays above it.
    #[must_use]
    pub fn applied(self, scene: &Scene, ground: Option<&Ground>, seconds: f32) -> Scene {
        let mut scene = scene.clone();
        scene.film.seconds = seconds;
        match self {
            Self::Turntable => turn(&mut scene, seconds),
            Self::Flight => fly(&mut scene, ground, seconds),
            Self::Day => pass_a_day(&mut scene, seconds),
        }
        let is_still = !scene.film.changes("water.time");
        if is_still && scene.plants_on().next().is_some() {
            blow(&mut scene, seconds);
        }
        scene
    }
}

/// Switch to a view of the ground and remove all animation of the camera.
fn look_at_the_ground(scene: &mut Scene) {
    let shown = scene.render_type();
    if scene.is_flat() || !shown.shows_ground() {
        scene.view.render_type = RenderType::Landscape;
    }
    scene.path = CameraPath::default();
    let of_camera: Vec<_> = scene
        .settings()
        .into_iter()
        .filter(|setting| setting.key.starts_with("camera."))
        .collect();
    of_camera
        .iter()
        .for_each(|setting| scene.film.forget(&setting.key));
}

fn turn(scene: &mut Scene, seconds: f32) {
    look_at_the_ground(scene);
    scene.camera.mode = CameraMode::Orbit;
    scene.camera.bearing = (scene.camera.bearing + 180.0).rem_euclid(360.0) - 180.0;
    // Thirds, since bearings take the shorter way.
    for third in 0..=3 {
        let bearing = scene.camera.bearing + 120.0 * third as f32;
        let time = seconds * third as f32 / 3.0;
        put(scene, time, "camera.bearing", bearing);
    }
}

fn fly(scene: &mut Scene, ground: Option<&Ground>, seconds: f32) {
    look_at_the_ground(scene);
    let reach = ground.map_or([1.0; 2], Ground::reach).map(f64::from);
    let height = |place: [f64; 2]| {
        let of_ground =
            |ground: &Ground| f64::from(ground.height(place[0] as f32, place[1] as f32));
        ground.map_or(0.0, of_ground)
    };
    let relief = ground.map_or(0.5, |ground| f64::from(ground.highest() - ground.lowest()));
    let above = 0.05 + 0.12 * relief;
    // Maximum over the neighbourhood, so that the path between two key frames clears the ground as well.
    let near = |index: usize| {
        let looks = -(LOOKS as i32)..=LOOKS as i32;
        let part = |look: i32| index as f64 + f64::from(look) / LOOKS as f64;
        looks.fold(f64::NEG_INFINITY, |high, look| {
            high.max(height(round(part(look), reach)))
        })
    };
    let heights: Vec<f64> = (0..ROUND).map(near).collect();
    let camera = |index: usize| {
        let index = index % ROUND;
        let around = [index + ROUND - 1, index, index + 1].map(|index| heights[index % ROUND]);
        let mean = around.iter().sum::<f64>() / 3.0;
        let [x, z] = round(index as f64, reach);
        let eye = DVec3::new(x, mean.max(heights[index]) + above, z);
        let [ahead, behind] = [0.5, -0.5].map(|part| round(index as f64 + part, reach));
        // Clockwise, with the view turned slightly inwards.
        let way = libm::atan2(ahead[0] - behind[0], behind[1] - ahead[1]).to_degrees();
        Camera {
            mode: CameraMode::Fly,
            bearing: ((way + 30.0 + 180.0).rem_euclid(360.0) - 180.0) as f32,
            pitch: 14.0,
            distance: 1.0,
            ..scene.camera.clone()
        }
        .with_eye(eye)
    };
    let frame = |index: usize| KeyFrame {
        time: seconds * index as f32 / ROUND as f32,
        camera: camera(index),
    };
    let frames: Vec<_> = (0..=ROUND).map(frame).collect();
    scene.camera = frames[0].camera.clone();
    scene.path = CameraPath {
        constant_speed: true,
        frames,
    };
}

/// Position on the path of a round flight, within the ground's `reach`; `index` goes to [`ROUND`] per round.
fn round(index: f64, reach: [f64; 2]) -> [f64; 2] {
    let angle = std::f64::consts::TAU * index / ROUND as f64;
    // The flight stays on the central tile; the surrounding ones are background.
    let radius = 0.58 + 0.14 * libm::sin(2.0 * angle);
    let side = reach.map(|reach| reach.min(1.0));
    [
        side[0] * radius * libm::sin(angle),
        -side[1] * radius * libm::cos(angle),
    ]
}

fn pass_a_day(scene: &mut Scene, seconds: f32) {
    if !matches!(scene.render_type(), RenderType::Landscape | RenderType::Sky) {
        scene.view.render_type = RenderType::Landscape;
    }
    let drift = scene.sky.drift;
    for key in ["light.elevation", "light.bearing", "sky.drift"] {
        scene.film.forget(key);
    }
    for (part, elevation, bearing) in DAY {
        put(scene, seconds * part, "light.elevation", elevation);
        put(scene, seconds * part, "light.bearing", bearing);
    }
    put(scene, 0.0, "sky.drift", drift);
    put(scene, seconds, "sky.drift", drift + WIND);
    blow(scene, seconds);
    (scene.light.elevation, scene.light.bearing) = (DAY[0].1, DAY[0].2);
}

/// Let waves and plants move in the wind.
fn blow(scene: &mut Scene, seconds: f32) {
    let time = scene.water.time;
    scene.film.forget("water.time");
    put(scene, 0.0, "water.time", time);
    put(scene, seconds, "water.time", time + seconds);
}

/// Key a setting at a time, clamped to its range.
fn put(scene: &mut Scene, time: f32, key: &str, number: f32) {
    let settings = scene.settings();
    let setting = settings.iter().find(|setting| setting.key == key);
    let setting = setting.expect("a setting of every scene");
    let number = match setting.kind {
        Kind::Float { min, max, .. } => number.clamp(min, max),
        _ => number,
    };
    let value = written(&setting.kind, &Value::Float(number));
    scene.film.put(time, key, value);
}

// Insert a key frame of the current scene into its film.

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
