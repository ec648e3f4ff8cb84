//! Where the landscape is seen from.

use serde::{Deserialize, Serialize};

use crate::float_param;
use crate::param::{OutOfRange, Params};

/// Where the landscape is seen from: an eye at `distance` from `target`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Camera {
    /// The point looked at: x (east), y (up), z (south), in half tiles; default 0, 0, 0.
    pub target: [f32; 3],
    /// Compass direction of the view in degrees: 0 looks along −z (north), 90 along +x (east);
    /// default 30.
    pub yaw: f32,
    /// Degrees that the view looks down, −90…90; default 40.
    pub pitch: f32,
    /// Distance of the eye from the target in half tiles, 0.01…100; default 3.4.
    pub distance: f32,
    /// Vertical field of view in degrees, 10…120; default 60.
    pub fov: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            target: [0.0; 3],
            yaw: 30.0,
            pitch: 40.0,
            distance: 3.4,
            fov: 60.0,
        }
    }
}

impl Params for Camera {
    const PARAMS: &'static [crate::param::Param<Self>] = &[
        float_param!(
            yaw,
            "Yaw",
            "°",
            -36000.0,
            36000.0,
            slider(-180.0, 180.0),
            "Compass direction of the view: 0 is north (−z), 90 is east (+x)."
        ),
        float_param!(
            pitch,
            "Pitch",
            "°",
            -90.0,
            90.0,
            slider(-90.0, 90.0),
            "Degrees that the view looks down."
        ),
        float_param!(
            distance,
            "Distance",
            "half tiles",
            0.01,
            100.0,
            slider(0.5, 20.0),
            "Distance of the eye from the point it looks at."
        ),
        float_param!(
            fov,
            "Field of view",
            "°",
            10.0,
            120.0,
            slider(20.0, 100.0),
            "Vertical angle of view."
        ),
    ];

    fn check(&self, table: &str) -> Result<(), OutOfRange> {
        Self::PARAMS
            .iter()
            .try_for_each(|param| param.check(self, table))?;
        match self
            .target
            .iter()
            .find(|v| !v.is_finite() || v.abs() > 1000.0)
        {
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
    /// The unit vector of the view.
    #[must_use]
    pub fn forward(&self) -> glam::Vec3 {
        let (yaw, pitch) = (self.yaw.to_radians(), self.pitch.to_radians());
        glam::Vec3::new(
            yaw.sin() * pitch.cos(),
            -pitch.sin(),
            -yaw.cos() * pitch.cos(),
        )
    }

    /// Where the eye is.
    #[must_use]
    pub fn eye(&self) -> glam::Vec3 {
        glam::Vec3::from(self.target) - self.forward() * self.distance
    }
}
