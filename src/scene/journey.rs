//! Camera bookmarks, and the camera path with its key frames.

use serde::{Deserialize, Serialize};

use super::Camera;
use crate::util::param::{OutOfRange, Params, few, switch_param};

/// Largest number of bookmarks in a scene.
pub const MOST_BOOKMARKS: usize = 100;
/// Longest film in seconds.
pub const MOST_SECONDS: f32 = 36_000.0;
/// Longest name of a bookmark, in letters.
const MOST_LETTERS: usize = 100;

/// Named camera.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Bookmark {
    /// Name of 1…100 letters, different from all others; default `view`.
    pub name: String,
    /// Camera of the bookmark.
    pub camera: Camera,
}

impl Default for Bookmark {
    fn default() -> Self {
        Self {
            name: "view".to_owned(),
            camera: Camera::default(),
        }
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
                    "1 to {MOST_LETTERS} characters that no other bookmark has as its name"
                ),
            });
        }
        bookmark.camera.check(&format!("{place}.camera"))?;
    }
    Ok(())
}
