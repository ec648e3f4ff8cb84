//! The material of the land: rock and roughness.

use serde::{Deserialize, Serialize};

use crate::param::{Params, float_param};

/// The material of the ground in render type `landscape`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Material {
    /// Slope in degrees from which on faces are bare rock, 0…90; default 38. With 90 there is no
    /// rock.
    pub rock_slope: f32,
    /// Roughness of the ground between the samples of the map, 0…1; default 0.5.
    pub detail: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            rock_slope: 38.0,
            detail: 0.5,
        }
    }
}

impl Params for Material {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        float_param!(
            rock_slope,
            "Rock from",
            "°",
            0.0,
            90.0,
            slider(0.0, 90.0),
            "Slopes steeper than this are bare rock, without grass or snow."
        ),
        float_param!(
            detail,
            "Roughness",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Stones and tufts of grass between the samples of the map, so close-ups stay sharp."
        ),
    ];
}
