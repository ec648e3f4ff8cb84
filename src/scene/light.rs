//! Sun position and fog.

use serde::{Deserialize, Serialize};

use glam::{DVec3, Vec3};

use super::almanac;
use crate::util::language::mark;
use crate::util::param::{Params, choice, choice_param, float_param, int_param, switch_param};

choice! {
    /// Source of the sun's position.
    pub enum SunBy: "place of the sun" {
        #[default]
        Angles = "angles", "Its bearing and its elevation.";
        Time = "time", "The hour, the day of the year and the latitude.";
    }
}

/// Lowest elevation of the sun in degrees: below it the night does not get darker.
const LOWEST: f32 = -30.0;

/// Sun position, ambient light, shadows and ambient occlusion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Light {
    /// Source of the sun's position; default its angles.
    pub by: SunBy,
    /// Compass bearing in degrees from which the light comes: 0 is north (−z), 90 east (+x); 0…360;
    /// default 135.
    pub bearing: f32,
    /// Elevation above the horizon in degrees, −30…90; default 19.47, that of Martz's light (1, 0.5, 1).
    /// Only `landscape` and `sky` use values below 0.
    pub elevation: f32,
    /// Solar time in hours for `time`, 0…24; default 15. At 12 the sun is highest.
    pub hour: f32,
    /// Day of the year for `time`, 1…365; default 172, the 21st of June.
    pub day: u32,
    /// Latitude in degrees for `time`, −90 (south)…90 (north); default 47, that of the Alps.
    pub latitude: f32,
    /// Ambient light: brightness of a face turned away from the sun, 0…1; default 0.5. In `landscape`
    /// the sky determines it instead.
    pub ambient: f32,
    /// Shadows cast by the ground (render types `landscape` and `triangles`); default on.
    pub shadows: bool,
    /// Ambient occlusion: hollows are darker, since they see less of the sky (render types `landscape`
    /// and `triangles`); default on.
    pub occlusion: bool,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            by: SunBy::Angles,
            bearing: 135.0,
            elevation: 19.471_22,
            hour: 15.0,
            day: 172,
            latitude: 47.0,
            ambient: 0.5,
            shadows: true,
            occlusion: true,
        }
    }
}

impl Params for Light {
    const KEPT: &'static [&'static str] = &["by"];
    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(by: SunBy, "Sun by", "What says where the sun stands."),
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
            hour,
            "Hour",
            "h",
            0.0,
            24.0,
            slider(0.0, 24.0),
            "Hour of the day by the sun, which is highest at 12."
        ),
        int_param!(day, "Day", "day", 1, 365, slider 365,
            "Day of the year: 80 is the start of spring, 172 of summer, 266 of autumn, 355 of winter \
             in the north."),
        float_param!(
            latitude,
            "Latitude",
            "°",
            -90.0,
            90.0,
            slider(-90.0, 90.0),
            "How far north of the equator the land lies; negative is south."
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

    fn unused(&self, key: &str) -> Option<&'static str> {
        match (key, self.by) {
            ("bearing" | "elevation", SunBy::Time) => {
                Some(mark("the time says where the sun stands (Sun by)"))
            }
            ("hour" | "day" | "latitude", SunBy::Angles) => {
                Some(mark("works only where Sun by is `time`"))
            }
            _ => None,
        }
    }
}

impl Light {
    /// Compass bearing of the sun, 0…360, and its elevation, −30…90, in degrees, from the angles or from
    /// the time. Below −30° the night does not get darker.
    #[must_use]
    pub fn angles(&self) -> (f32, f32) {
        match self.by {
            SunBy::Angles => (self.bearing, self.elevation),
            SunBy::Time => {
                let sun = almanac::sun(self.day, self.hour.into(), self.latitude.into());
                angles_of(sun)
            }
        }
    }

    /// Move the sun as near to a direction as the source of its position allows. With `time` only the
    /// hour changes, so the sun stays on its path over the sky of that day.
    pub fn point_to(&mut self, direction: Vec3) {
        let direction = direction.as_dvec3();
        match self.by {
            SunBy::Angles => {
                (self.bearing, self.elevation) = angles_of(direction.normalize_or_zero())
            }
            SunBy::Time => {
                self.hour = almanac::hour_nearest(direction, self.day, self.latitude.into()) as f32;
            }
        }
    }

    /// Unit vector towards the light.
    #[must_use]
    pub fn direction(&self) -> Vec3 {
        let (bearing, elevation) = self.angles();
        let angle = angle_from_east(bearing).to_radians();
        let elevation = elevation.to_radians();
        Vec3::new(
            angle.cos() * elevation.cos(),
            elevation.sin(),
            angle.sin() * elevation.cos(),
        )
    }
}

/// Bearing and elevation of a unit vector in degrees, within the ranges of [`Light`].
fn angles_of(direction: DVec3) -> (f32, f32) {
    let bearing = libm::atan2(direction.x, -direction.z).to_degrees();
    let elevation = libm::asin(direction.y.clamp(-1.0, 1.0)).to_degrees() as f32;
    let bearing = bearing.rem_euclid(360.0) as f32;
    (bearing, elevation.clamp(LOWEST, 90.0))
}

/// Convert a compass bearing into the angle from +x (east) towards +z (south), in degrees, 0…360.
#[must_use]
pub fn angle_from_east(bearing: f32) -> f32 {
    if bearing >= 90.0 {
        bearing - 90.0
    } else {
        bearing + 270.0
    }
}

/// Fog. In `rendered` it grows from `start` to full opacity at `end`; in `landscape` its density
/// falls exponentially with height.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fog {
    /// Fog on or off; default on.
    pub enabled: bool,
    /// Distance in half tiles where fog begins on the ground, 0…100; default 2. On the sky it begins
    /// 1.5 times as far. Only render type `rendered` uses this and `end`.
    pub start: f32,
    /// Distance in half tiles where fog hides the ground, 0.1…200; default 7. The sky is hidden 11/7
    /// times as far.
    pub end: f32,
    /// Fog density at the lowest point of the land, 0…20: over 1 half tile it transmits e^−density of the
    /// light from behind; default 0.05. Only render type `landscape` uses this and `height`.
    pub density: f32,
    /// Scale height in half tiles, over which the fog thins to 1/e, 0.01…20; default 0.8.
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
    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
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
        (key != "enabled" && !self.enabled).then_some(mark("the fog is off"))
    }
}
