//! Settings of the maps from which textures are made.

use serde::{Deserialize, Serialize};

use crate::util::param::{Params, float_param, int_param};

/// Finer map, rendered from above into the ground's texture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Teximage {
    /// Number of iterations, 1…12; default 8.
    pub iterations: u32,
    /// Hurst exponent H, 0…1; default 0.7.
    pub hurst: f32,
}

impl Default for Teximage {
    fn default() -> Self {
        Self {
            iterations: 8,
            hurst: 0.7,
        }
    }
}

impl Params for Teximage {
    const KEPT: &'static [&'static str] = &["iterations"];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        int_param!(iterations, "Texture iterations", "", 1, 12, slider 12,
            "Iterations of the finer map that is baked into the ground's texture."),
        float_param!(
            hurst,
            "Texture H",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Hurst exponent of the finer map: 0 is rough, 1 is smooth."
        ),
    ];
}

/// Map from which clouds are made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Clouds {
    /// Number of iterations, 1…12; default 5.
    pub iterations: u32,
    /// Hurst exponent H, 0…1; default 0.7.
    pub hurst: f32,
}

impl Default for Clouds {
    fn default() -> Self {
        Self {
            iterations: 5,
            hurst: 0.7,
        }
    }
}

impl Params for Clouds {
    const KEPT: &'static [&'static str] = &["iterations"];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        int_param!(iterations, "Cloud iterations", "", 1, 12, slider 12,
            "Iterations of the cloud map: more iterations give finer clouds."),
        float_param!(
            hurst,
            "Cloud H",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Hurst exponent of the cloud map: 0 is ragged, 1 is soft."
        ),
    ];
}
