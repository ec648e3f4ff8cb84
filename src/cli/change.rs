//! A flag as a change of one key of the scene, and the help of a flag from its key.

use super::error::Failure;
use crate::param::{Kind, Params};
use crate::scene::Scene;

/// One flag as a change of a key of the scene.
pub struct Change {
    /// The name of the flag.
    pub flag: &'static str,
    /// The key of the scene.
    pub key: &'static str,
    /// The new value, as TOML.
    pub value: String,
    /// The values that the flag takes, in words.
    pub allowed: String,
}

impl Change {
    /// A change to a number, whose range is that of its key.
    pub fn number<T: Params>(flag: &'static str, key: &'static str, value: &str) -> Self {
        let field = key.rsplit('.').next().unwrap_or(key);
        Self {
            flag,
            key,
            value: value.to_owned(),
            allowed: T::param(field).kind().range().unwrap_or_default(),
        }
    }

    /// A change to a text, which is quoted so that it is not taken for a number.
    pub fn text(flag: &'static str, key: &'static str, value: &str) -> Self {
        Self {
            flag,
            key,
            value: toml::Value::String(value.to_owned()).to_string(),
            allowed: "a text".to_owned(),
        }
    }

    /// The scene after the change.
    pub fn apply(&self, scene: &Scene) -> Result<Scene, Failure> {
        scene.with(self.key, &self.value).map_err(|_| {
            let Self {
                flag,
                value,
                allowed,
                ..
            } = self;
            Failure::usage(format!("{flag} is {value}, allowed is {allowed}"))
        })
    }
}

/// The help of a parameter, with its range and default.
pub fn help<T: Params>(key: &str) -> String {
    let param = T::param(key);
    let default = T::default();
    let help = param.help.trim_end_matches('.');
    let kind = param.kind();
    if kind == Kind::Switch {
        return help.to_owned();
    }
    let default = kind.words(&param.value(&default));
    match kind.range() {
        Some(allowed) => format!("{help} [{allowed}; default {default}]"),
        None => format!("{help} [default {default}]"),
    }
}
