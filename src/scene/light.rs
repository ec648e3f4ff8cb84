//! The sun and the mist.

use serde::{Deserialize, Serialize};

use crate::param::{Params, float_param, switch_param};

/// Where the sun stands and how bright the shade is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Light {
    /// Compass bearing in degrees from which the light comes: 0 is north (−z), 90 east (+x); 0…360;
    /// default 135.
    pub bearing: f32,
    /// Height above the horizon in degrees, −30…90; only `landscape` and `sky` use the part below
    /// 0; default 19.47, that of Martz's light (1, 0.5, 1).
    pub elevation: f32,
    /// Brightness of a face turned away from the sun, 0…1; default 0.5. In `landscape` the sky
    /// determines it instead.
    pub ambient: f32,
    /// Whether the ground casts shadows (render types `landscape` and `triangles`); default on.
    pub shadows: bool,
    /// Whether hollows are darker, since they see less of the sky (render types `landscape` and
    /// `triangles`); default on.
    pub occlusion: bool,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            bearing: 135.0,
            elevation: 19.471_22,
            ambient: 0.5,
            shadows: true,
            occlusion: true,
        }
    }
}

impl Params for Light {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        float_param!(
            bearing,
            "Sun bearing",
            "°",
            0.0,
            360.0,
            slider(0.0, 360.0),
            "Where the light comes from: 0 is north (−z), 90 is east (+x)."
        ),
        float_param!(
            elevation,
            "Sun elevation",
            "°",
            -30.0,
            90.0,
            slider(-20.0, 90.0),
            "Angle of the sun above the horizon; low light brings out the relief."
        ),
        float_param!(
            ambient,
            "Ambient",
            "",
            0.0,
            1.0,
            slider(0.0, 1.0),
            "Brightness of faces turned away from the sun."
        ),
        switch_param!(
            shadows,
            "Shadows",
            "The ground casts soft shadows, also across seamless tile borders."
        ),
        switch_param!(
            occlusion,
            "Occlusion",
            "Hollows are darker, because less light from the sky reaches them (ambient occlusion)."
        ),
    ];
}

impl Light {
    /// The unit vector towards the light.
    #[must_use]
    pub fn direction(&self) -> glam::Vec3 {
        let angle = angle_from_east(self.bearing).to_radians();
        let elevation = self.elevation.to_radians();
        glam::Vec3::new(
            angle.cos() * elevation.cos(),
            elevation.sin(),
            angle.sin() * elevation.cos(),
        )
    }
}

/// The angle from +x (east) towards +z (south) of a compass bearing, in degrees, 0…360.
#[must_use]
pub fn angle_from_east(bearing: f32) -> f32 {
    if bearing >= 90.0 {
        bearing - 90.0
    } else {
        bearing + 270.0
    }
}

/// Mist. In `rendered` there is none before `start` and nothing else beyond `end`; in `landscape`
/// it gets thinner with height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fog {
    /// Whether there is mist; default on.
    pub enabled: bool,
    /// Distance in half tiles where mist begins on the ground, 0…100; default 2. On the sky it
    /// begins 1.5 times as far. Only render type `rendered` uses this and `end`.
    pub start: f32,
    /// Distance in half tiles where mist hides the ground, 0.1…200; default 7. The sky is hidden
    /// 11/7 times as far.
    pub end: f32,
    /// Thickness of the mist at the lowest point of the land, 0…20: over 1 half tile it leaves
    /// e^−density of what is behind; default 0.05. Only render type `landscape` uses this and
    /// `height`.
    pub density: f32,
    /// Half tiles of height over which the mist thins to 1/e, 0.01…20; default 0.8.
    pub height: f32,
}

impl Default for Fog {
    fn default() -> Self {
        Self {
            enabled: true,
            start: 2.0,
            end: 7.0,
            density: 0.05,
            height: 0.8,
        }
    }
}

impl Params for Fog {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        switch_param!(
            enabled,
            "Fog",
            "Fog towards the horizon (render types `rendered` and `landscape`)."
        ),
        float_param!(
            start,
            "Fog start",
            "half tiles",
            0.0,
            100.0,
            slider(0.0, 20.0),
            "Distance at which the fog begins."
        ),
        float_param!(
            end,
            "Fog end",
            "half tiles",
            0.1,
            200.0,
            slider(0.1, 40.0),
            "Distance at which the fog hides the ground."
        ),
        float_param!(
            density,
            "Fog density",
            "",
            0.0,
            20.0,
            slider(0.0, 3.0),
            "How thick the fog is in the valleys: 0.1 is a clear day, 2 a misty morning."
        ),
        float_param!(
            height,
            "Fog height",
            "half tiles",
            0.01,
            20.0,
            slider(0.01, 2.0),
            "Height over which the fog thins out: low values keep it in the valleys."
        ),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        (key != "enabled" && !self.enabled).then_some("the fog is off")
    }
}
