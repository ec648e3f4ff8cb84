//! Camera: position, direction and projection; bookmarks, and the camera path with its key frames.

use serde::{Deserialize, Serialize};

use crate::util::language::mark;
use crate::util::param::{
    OutOfRange, Params, choice, choice_param, few, float_param, options, switch_param,
};

choice! {
    /// Camera movement and projection.
    pub enum CameraMode: "camera mode" {
        #[default]
        Orbit = "orbit", "Around a point: drag to orbit, wheel to zoom to what is under the mouse.";
        Fly = "fly", "Freely, but never below the ground: W A S D Q E, drag to look around, wheel for speed.";
        Walk = "walk", "On the ground, at eye height: W A S D, drag to look around, wheel for speed.";
        Top = "top", "Straight down, without perspective, like a map: drag to move the map, wheel \
                      to zoom to what is under the mouse.";
    }
}

/// Largest distance of the target from the middle along each axis, in half tiles.
pub const MOST_TARGET: f64 = 1000.0;
/// Least distance of the eye from the target, in half tiles: a millimetre on a tile of 2000 km.
pub const LEAST_DISTANCE: f32 = 1e-9;
/// Least speed, in half tiles a second.
pub const LEAST_SPEED: f32 = 1e-9;

options! {
    /// Camera: an eye at `distance` from `target`. In mode `top` the eye looks straight down, whatever
    /// the pitch, in parallel projection: everything has the size that it has in the other modes at the
    /// distance of the target.
    pub struct Camera {
        /// Camera movement and projection; default `orbit`.
        pub mode: CameraMode = CameraMode::Orbit,
        /// Point looked at: x (east), y (up), z (south), in half tiles; default 0, 0, 0.
        pub target: [f64; 3] = [0.0; 3],
        /// Compass bearing of the view in degrees: 0 looks along −z (north), 90 along +x (east);
        /// default 30.
        pub bearing: f32 = 30.0,
        /// Angle by which the view looks down, in degrees, −90…90; default 40.
        pub pitch: f32 = 40.0,
        /// Distance of the eye from the target in half tiles, 10^−9…100; default 3.4.
        pub distance: f32 = 3.4,
        /// Vertical field of view in degrees, 10…120; default 60.
        pub fov: f32 = 60.0,
        /// Height of the eye above the ground in mode `walk`, in metres, 0.1…1000; default 1.8.
        pub eye_height: f32 = 1.8,
        /// Speed in half tiles a second in mode `fly`, 10^−9…100; default 1. The speed of walking, 20
        /// eye heights a second at 1, changes in proportion.
        pub speed: f32 = 1.0,
    }
}

impl Params for Camera {
    const KEPT: &'static [&'static str] = &["mode", "eye_height", "speed"];

    const ADVANCED: &'static [&'static str] = &["eye_height", "speed"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("mode", "navigation, orbit, fly, walk, top view"),
        ("bearing", "heading, azimuth, direction, yaw"),
        ("pitch", "tilt, look down"),
        ("distance", "zoom, range"),
        ("fov", "lens, focal length, zoom, perspective, wide angle"),
        ("eye_height", "person, walking"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(
            mode: CameraMode,
            "Camera",
            "How the camera moves and what it sees (keys 1 2 3 4)."
        ),
        float_param!(bearing, "Bearing", "°", -36000.0, 36000.0, slider: (-180.0, 180.0),
            "Compass direction of the view: 0 is north (−z), 90 is east (+x)."),
        float_param!(pitch, "Pitch", "°", -90.0, 90.0, slider: (-90.0, 90.0),
            "How far down the camera looks: 0 is level, 90 is straight down."),
        float_param!(distance, "Distance", "half tiles", LEAST_DISTANCE, 100.0, slider: (0.5, 20.0),
            "Distance from the eye to the point it looks at."),
        float_param!(fov, "Field of view", "°", 10.0, 120.0, slider: (20.0, 100.0),
            "Vertical angle of view."),
        float_param!(eye_height, "Eye height", "m", 0.1, 1000.0, slider: (0.5, 50.0),
            "Height of the eye above the ground when walking."),
        float_param!(speed, "Speed", "half tiles/s", LEAST_SPEED, 100.0, slider: (0.01, 10.0),
            "Speed of flying. At 1, walking covers 20 eye heights a second; other speeds change it in proportion."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        use CameraMode::{Orbit, Top, Walk};
        match (key, self.mode) {
            ("pitch", Top) => Some(mark("the camera looks straight down")),
            ("eye_height", mode) if mode != Walk => Some(mark("used only when walking")),
            ("speed", Top | Orbit) => Some(mark("used only when flying or walking")),
            _ => None,
        }
    }

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        crate::util::param::check_all(self, table)?;
        let is_wild = |v: &&f64| !v.is_finite() || v.abs() > MOST_TARGET;
        match self.target.iter().find(is_wild) {
            None => Ok(()),
            Some(value) => Err(OutOfRange {
                key: format!("{table}.target"),
                value: value.to_string(),
                allowed: "-1000 to 1000".to_owned(),
            }),
        }
    }
}

impl Camera {
    /// Unit vector in the direction of the view.
    #[must_use]
    pub fn forward(&self) -> glam::Vec3 {
        if self.mode == CameraMode::Top {
            return glam::Vec3::NEG_Y;
        }
        let (bearing, pitch) = (self.bearing.to_radians(), self.pitch.to_radians());
        glam::Vec3::new(
            bearing.sin() * pitch.cos(),
            -pitch.sin(),
            -bearing.cos() * pitch.cos(),
        )
    }

    /// Position of the eye, in half tiles.
    #[must_use]
    pub fn eye(&self) -> glam::DVec3 {
        glam::DVec3::from(self.target) - self.forward().as_dvec3() * f64::from(self.distance)
    }

    /// Move the eye and the target together, so that the direction stays; the target is clamped to its
    /// range.
    #[must_use]
    pub fn with_eye(mut self, eye: glam::DVec3) -> Self {
        let target = eye + self.forward().as_dvec3() * f64::from(self.distance);
        let limit = glam::DVec3::splat(MOST_TARGET);
        self.target = target.clamp(-limit, limit).into();
        self
    }

    /// Change the mode. The eye stays where it is and looks in the same direction, or straight down in
    /// mode `top`.
    #[must_use]
    pub fn with_mode(mut self, mode: CameraMode) -> Self {
        let eye = self.eye();
        self.mode = mode;
        self.with_eye(eye)
    }
}

/// Largest number of bookmarks in a scene.
pub const MOST_BOOKMARKS: usize = 100;
/// Longest film in seconds.
pub const MOST_SECONDS: f32 = 36_000.0;
/// Longest name of a bookmark, in letters.
const MOST_LETTERS: usize = 100;

options! {
    /// Named camera.
    pub struct Bookmark {
        /// Name of 1…100 letters, different from all others; default `view`.
        pub name: String = "view".to_owned(),
        /// Camera of the bookmark.
        pub camera: Camera = Camera::default(),
    }
}

/// Camera at a point in time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct KeyFrame {
    /// Seconds from the start, 0…36,000, later than the frame before; default 0.
    pub time: f32,
    /// Camera at this time.
    pub camera: Camera,
}

/// Camera path through key frames.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CameraPath {
    /// Constant speed of the eye along the path; then only the first and the last frame keep their
    /// times; default off.
    pub constant_speed: bool,
    /// Key frames in order of time, up to 1000; default none.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
    pub frames: Vec<KeyFrame>,
}

impl Params for CameraPath {
    const PARAMS: &'static [crate::util::param::Param<Self>] = &[switch_param!(
        constant_speed,
        "Constant speed",
        "The same speed all the way: only the first and the last key frame keep their times."
    )];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        let list = format!("{table}.frames");
        check_times(self.frames.iter().map(|frame| frame.time), &list)?;
        for (index, frame) in self.frames.iter().enumerate() {
            frame.camera.check(&format!("{list}.{index}.camera"))?;
        }
        Ok(())
    }
}

impl CameraPath {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// Check that times are in their range, and each later than the one before; `list` is the key of
/// their list, for messages.
pub(super) fn check_times(times: impl Iterator<Item = f32>, list: &str) -> Result<(), OutOfRange> {
    let mut before: Option<f32> = None;
    for (index, time) in times.enumerate() {
        let late_enough = before.is_none_or(|before| time > before);
        if !(0.0..=MOST_SECONDS).contains(&time) || !late_enough {
            let least = before.map_or("0".to_owned(), |before| format!("more than {before}"));
            return Err(OutOfRange {
                key: format!("{list}.{index}.time"),
                value: time.to_string(),
                allowed: format!("{least} to {MOST_SECONDS}"),
            });
        }
        before = Some(time);
    }
    Ok(())
}

/// Check each bookmark, and that all names differ.
pub(super) fn check_bookmarks(bookmarks: &[Bookmark], table: &str) -> Result<(), OutOfRange> {
    if bookmarks.len() > MOST_BOOKMARKS {
        return Err(OutOfRange {
            key: table.to_owned(),
            value: format!("a list of {}", bookmarks.len()),
            allowed: format!("at most {MOST_BOOKMARKS}"),
        });
    }
    for (index, bookmark) in bookmarks.iter().enumerate() {
        let place = format!("{table}.{index}");
        let name = &bookmark.name;
        let length = name.chars().count();
        let twice = bookmarks[..index].iter().any(|other| other.name == *name);
        let one_line = !name.chars().any(char::is_control);
        if !(1..=MOST_LETTERS).contains(&length) || twice || !one_line {
            return Err(OutOfRange {
                key: format!("{place}.name"),
                value: format!("{name:?}"),
                allowed: format!(
                    "1 to {MOST_LETTERS} characters, and not the name of another bookmark"
                ),
            });
        }
        bookmark.camera.check(&format!("{place}.camera"))?;
    }
    Ok(())
}
