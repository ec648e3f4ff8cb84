//! Sky settings: day, twilight or moonlit night, haze and clouds.

use serde::{Deserialize, Serialize};

use crate::util::param::{Params, choice, choice_param, float_param};

choice! {
    /// Light source in the sky.
    pub enum SkyLight: "light in the sky" {
        #[default]
        Sun = "sun", "The sun: day, or twilight if it is below the horizon.";
        Moon = "moon", "A full moon in a night with stars.";
    }
}

/// Sky of render types `landscape` and `sky`. The position of its light is in [`super::Light`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sky {
    /// Light source; default the sun.
    pub light: SkyLight,
    /// Haze: the air's optical depth as a multiple of that of clean air, 1…10; default 1.5.
    /// Mountain air has about 1.5, a city in summer 5.
    pub turbidity: f32,
    /// Exposure correction in stops, −5…5; default 0.
    pub exposure: f32,
    /// Cloud cover, as a fraction of the sky, 0…1; default 0.4.
    pub coverage: f32,
    /// Height of the clouds in half tiles, 0.2…20; default 2.
    pub cloud_height: f32,
    /// Distance in half tiles that the wind has carried the clouds, −10 000…10 000; default 0.
    pub drift: f32,
    /// Darkness of the clouds' shadow on the land, 0…1; default 0.6.
    pub cloud_shadow: f32,
}

impl Default for Sky {
    fn default() -> Self {
        Self {
            light: SkyLight::Sun,
            turbidity: 1.5,
            exposure: 0.0,
            coverage: 0.4,
            cloud_height: 2.0,
            drift: 0.0,
            cloud_shadow: 0.6,
        }
    }
}

impl Params for Sky {
    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(light: SkyLight, "Light from", "Whether the sun or the moon gives the light."),
        float_param!(
            turbidity,
            "Turbidity",
            "",
            1.0,
            10.0,
            slider(1.0, 10.0),
            "Haze: 1 is the cleanest air, 1.5 mountain air, 5 a city in summer."
        ),
        float_param!(
            exposure,
            "Exposure",
            "stops",
            -5.0,
            5.0,
            slider(-3.0, 3.0),
            "Exposure correction in stops (+1 doubles the brightness)."
        ),
        float_param!(
            coverage,
            "Cloud cover",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "How much of the sky the clouds cover: 0 is none of it, 1 is all."
        ),
        float_param!(
            cloud_height,
            "Cloud height",
            "half tiles",
            0.2,
            20.0,
            slider(0.2, 6.0),
            "How high the clouds are above the land."
        ),
        float_param!(
            drift,
            "Cloud drift",
            "half tiles",
            -10000.0,
            10000.0,
            slider(0.0, 12.0),
            "How far the wind has carried the clouds."
        ),
        float_param!(
            cloud_shadow,
            "Cloud shadow",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "How dark the shadows of the clouds on the land are."
        ),
    ];
}
