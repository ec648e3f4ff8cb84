//! Ground material: rock, roughness, and the strength of covers.

use serde::{Deserialize, Serialize};

use crate::util::param::{Params, float_param};

/// Material of the ground.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Material {
    /// Slope in degrees above which faces are bare rock in render type `landscape`, 0…90; default 38.
    /// With 90 there is no rock.
    pub rock_slope: f32,
    /// Roughness of the ground between the samples of the map in render type `landscape`, 0…1;
    /// default 0.5.
    pub detail: f32,
    /// Strength of the palette's covers, 0…1; default 1. Covers are the colours of sediment, wear, wet
    /// ground and scree on eroded ground, in all render types that use the palette. With 0 there are
    /// none.
    pub covers: f32,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            rock_slope: 38.0,
            detail: 0.5,
            covers: 1.0,
        }
    }
}

impl Params for Material {
    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
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
        float_param!(
            covers,
            "Covers",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "How strong the colours of sediment, wear, wet ground and scree are, where erosion has been and the palette has any."
        ),
    ];
}
