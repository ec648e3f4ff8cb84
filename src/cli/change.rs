//! Command-line flags as changes of scene keys, and help texts from the parameters of these keys.

use super::error::Failure;
use crate::scene::Scene;
use crate::util::param::{Kind, Params};

/// Change of one scene key by a flag.
pub struct Change {
    /// The name of the flag.
    pub flag: &'static str,
    /// The key in the scene.
    pub key: &'static str,
    /// The new value, as TOML.
    pub value: String,
    /// The allowed values, in words.
    pub allowed: String,
}

impl Change {
    /// Make the changes of the flags that are given: names of flags, keys and values.
    pub fn given(
        make: impl Fn(&'static str, &'static str, &str) -> Self,
        flags: &[(&'static str, &'static str, &Option<String>)],
    ) -> Vec<Self> {
        let flags = flags.iter();
        flags
            .filter_map(|(flag, key, value)| Some(make(flag, key, value.as_ref()?)))
            .collect()
    }

    /// Make a change to a number; the allowed range is that of the key.
    pub fn number<T: Params>(flag: &'static str, key: &'static str, value: &str) -> Self {
        let field = key.rsplit('.').next().unwrap_or(key);
        Self {
            flag,
            key,
            value: value.to_owned(),
            allowed: T::param(field).kind().range().unwrap_or_default(),
        }
    }

    /// Make a change to a text, quoted so that TOML does not parse it as a number.
    pub fn text(flag: &'static str, key: &'static str, value: &str) -> Self {
        Self {
            flag,
            key,
            value: toml::Value::String(value.to_owned()).to_string(),
            allowed: "a text".to_owned(),
        }
    }

    /// Apply the change to a scene.
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

/// Help text of a parameter, with range and default.
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
