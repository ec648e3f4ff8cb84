//! Film settings: length, frame rate, and key frames of settings. The camera follows the scene's
//! camera path.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use toml::Value;

use super::camera::{MOST_SECONDS, check_times};
use crate::util::param::{
    OutOfRange, Params, check_all, few, float_param, int_param, options, switch_param,
};

options! {
    /// Animation of a scene, except its camera path.
    pub struct Film {
        /// Length in seconds, 0…36,000; default 0: until the last key frame of settings and camera.
        pub seconds: f32 = 0.0,
        /// Frames per second, 1…120; default 30.
        pub fps: u32 = 30,
        /// Loop: start again at the end; default on.
        pub repeats: bool = true,
        /// Key frames of settings in order of time, up to 1000; default none.
        #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "few")]
        pub keys: Vec<SettingsKey>,
    }
}

/// Values of some settings at a point in time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SettingsKey {
    /// Seconds from the start, 0…36,000, later than the key frame before; default 0.
    pub time: f32,
    /// Values by key, as for [`Scene::with`](crate::scene::Scene::with), such as
    /// `"light.elevation" = 12`; default none.
    pub set: Settings,
}

/// Values of settings by their keys, such as `light.elevation`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Settings(pub BTreeMap<String, Value>);

impl<'de> Deserialize<'de> for Settings {
    /// Read the values. A nested table counts as a key with dots: `light.elevation = 12` is the same as
    /// `"light.elevation" = 12`.
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        fn add(path: &str, table: toml::Table, all: &mut BTreeMap<String, Value>) {
            for (name, value) in table {
                let key = match path {
                    "" => name,
                    path => format!("{path}.{name}"),
                };
                match value {
                    Value::Table(table) => add(&key, table, all),
                    value => drop(all.insert(key, value)),
                }
            }
        }
        let mut all = BTreeMap::new();
        add("", toml::Table::deserialize(from)?, &mut all);
        Ok(Self(all))
    }
}

impl Params for Film {
    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("seconds", "duration, animation"),
        ("fps", "frames per second, animation"),
        ("repeats", "repeat, endless"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        float_param!(seconds, "Film length", "s", 0.0, MOST_SECONDS, slider: (0.0, 60.0),
            "How long the film is; 0: until its last key frame."),
        int_param!(
            fps,
            "Frame rate",
            "",
            1,
            120,
            slider 60,
            "Pictures per second of the exported film."
        ),
        switch_param!(
            repeats,
            "Loop",
            "The film starts again when it ends, in the window and in GIF and animated PNG."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        check_all(self, table)?;
        check_times(
            self.keys.iter().map(|key| key.time),
            &format!("{table}.keys"),
        )
    }
}

impl Film {
    pub(super) fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Set a value at a time, in the key frame there or in a new one.
    pub fn put(&mut self, time: f32, key: &str, value: Value) {
        let index = self.keys.partition_point(|other| other.time < time);
        if self.keys.get(index).is_none_or(|other| other.time != time) {
            let set = Settings::default();
            self.keys.insert(index, SettingsKey { time, set });
        }
        self.keys[index].set.0.insert(key.to_owned(), value);
    }

    /// Remove a setting from all key frames, and drop key frames that become empty.
    pub fn forget(&mut self, key: &str) {
        self.keys
            .retain_mut(|frame| frame.set.0.remove(key).is_none() || !frame.set.0.is_empty());
    }

    /// True if a key frame sets this setting.
    #[must_use]
    pub fn changes(&self, key: &str) -> bool {
        self.keys.iter().any(|frame| frame.set.0.contains_key(key))
    }
}
