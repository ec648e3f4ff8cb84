//! Sun position, sky and fog.

use glam::{DVec3, Vec3};

use crate::util::language::mark;
use crate::util::param::{
    Params, choice, choice_param, float_param, int_param, options, switch_param,
};

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

options! {
    /// Sun position, ambient light, shadows and ambient occlusion.
    pub struct Light {
        /// Source of the sun's position; default its angles.
        pub by: SunBy = SunBy::Angles,
        /// Compass bearing in degrees from which the light comes: 0 is north (−z), 90 east (+x); 0…360;
        /// default 135.
        pub bearing: f32 = 135.0,
        /// Elevation above the horizon in degrees, −30…90; default 19.47, that of Martz's light (1, 0.5, 1).
        /// Only `landscape` and `sky` use values below 0.
        pub elevation: f32 = 19.471_22,
        /// Solar time in hours for `time`, 0…24; default 15. At 12 the sun is highest.
        pub hour: f32 = 15.0,
        /// Day of the year for `time`, 1…365; default 172, the 21st of June.
        pub day: u32 = 172,
        /// Latitude in degrees for `time`, −90 (south)…90 (north); default 47, that of the Alps.
        pub latitude: f32 = 47.0,
        /// Ambient light: brightness of a face turned away from the sun, 0…1; default 0.5. In `landscape`
        /// the sky determines it instead.
        pub ambient: f32 = 0.5,
        /// Shadows cast by the ground (render types `landscape` and `triangles`); default on.
        pub shadows: bool = true,
        /// Ambient occlusion: hollows are darker, since they see less of the sky (render types `landscape`
        /// and `triangles`); default on.
        pub occlusion: bool = true,
    }
}

impl Params for Light {
    const KEPT: &'static [&'static str] = &["by"];
    const ADVANCED: &'static [&'static str] = &["ambient", "shadows", "occlusion"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("by", "time of day"),
        ("bearing", "azimuth, direction of light, sunlight, lamp"),
        (
            "elevation",
            "sun height, altitude, sunset, sunrise, length of shadows",
        ),
        ("hour", "time of day, morning, noon, evening"),
        ("day", "season, date, month"),
        ("latitude", "place on Earth"),
        ("ambient", "fill light, contrast"),
        ("shadows", "shade"),
        ("occlusion", "AO, ambient occlusion"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(by: SunBy, "Sun position", "How the position of the sun is set."),
        float_param!(bearing, "Sun bearing", "°", 0.0, 360.0, slider: (0.0, 360.0),
            "Where the light comes from: 0 is north (−z), 90 is east (+x)."),
        float_param!(elevation, "Sun elevation", "°", -30.0, 90.0, slider: (-20.0, 90.0),
            "Angle of the sun above the horizon; low light brings out the relief."),
        float_param!(hour, "Hour", "h", 0.0, 24.0, slider: (0.0, 24.0),
            "Hour of the day by the sun, which is highest at 12."),
        int_param!(day, "Day", "day", 1, 365, slider 365,
            "Day of the year: 80 is the start of spring, 172 of summer, 266 of autumn, 355 of winter \
             in the north."),
        float_param!(latitude, "Latitude", "°", -90.0, 90.0, slider: (-90.0, 90.0),
            "How far north of the equator the land lies; negative is south."),
        float_param!(ambient, "Ambient", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Brightness of faces turned away from the sun."),
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
                Some(mark("the time sets where the sun stands (Sun position)"))
            }
            ("hour" | "day" | "latitude", SunBy::Angles) => {
                Some(mark("works only where Sun position is `time`"))
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
                let sun = sun_direction(self.day, self.hour.into(), self.latitude.into());
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
                self.hour = hour_nearest(direction, self.day, self.latitude.into()) as f32;
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

options! {
    /// Fog. In `rendered` it grows from `start` to full opacity at `end`; in `landscape` its density
    /// falls exponentially with height.
    pub struct Fog {
        /// Fog on or off; default on.
        pub enabled: bool = true,
        /// Distance in half tiles where fog begins on the ground, 0…100; default 2. On the sky it begins
        /// 1.5 times as far. Only render type `rendered` uses this and `end`.
        pub start: f32 = 2.0,
        /// Distance in half tiles where fog hides the ground, 0.1…200; default 7. The sky is hidden 11/7
        /// times as far.
        pub end: f32 = 7.0,
        /// Fog density at the lowest point of the land, 0…20: over 1 half tile it transmits e^−density of the
        /// light from behind; default 0.05. Only render type `landscape` uses this and `height`.
        pub density: f32 = 0.05,
        /// Scale height in half tiles, over which the fog thins to 1/e, 0.01…20; default 0.8.
        pub height: f32 = 0.8,
    }
}

impl Params for Fog {
    const ADVANCED: &'static [&'static str] = &["start", "end"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("enabled", "mist, haze, atmosphere, depth cue"),
        ("density", "mist, haze, visibility"),
        ("height", "valley fog, mist"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        switch_param!(
            enabled,
            "Fog",
            "Fog towards the horizon (render types `rendered` and `landscape`)."
        ),
        float_param!(start, "Fog start", "half tiles", 0.0, 100.0, slider: (0.0, 20.0),
            "Distance at which the fog begins."),
        float_param!(end, "Fog end", "half tiles", 0.1, 200.0, slider: (0.1, 40.0),
            "Distance at which the fog hides the ground."),
        float_param!(density, "Fog density", "", 0.0, 20.0, slider: (0.0, 3.0),
            "How thick the fog is in the valleys: 0.1 is a clear day, 2 a misty morning."),
        float_param!(height, "Fog height", "half tiles", 0.01, 20.0, slider: (0.01, 2.0),
            "Height over which the fog thins out: low values keep it in the valleys."),
    ];

    fn unused(&self, key: &str) -> Option<&'static str> {
        (key != "enabled" && !self.enabled).then_some(mark("the fog is off"))
    }
}

// Sky settings: day, twilight or moonlit night, haze and clouds.

choice! {
    /// Light source in the sky.
    pub enum SkyLight: "light in the sky" {
        #[default]
        Sun = "sun", "The sun: day, or twilight if it is below the horizon.";
        Moon = "moon", "A full moon in a night with stars.";
    }
}

options! {
    /// Sky of render types `landscape` and `sky`. The position of its light is in [`super::Light`].
    pub struct Sky {
        /// Light source; default the sun.
        pub light: SkyLight = SkyLight::Sun,
        /// Haze: the air's optical depth as a multiple of that of clean air, 1…10; default 1.5.
        /// Mountain air has about 1.5, a city in summer 5.
        pub turbidity: f32 = 1.5,
        /// Exposure correction in stops, −5…5; default 0.
        pub exposure: f32 = 0.0,
        /// Cloud cover, as a fraction of the sky, 0…1; default 0.4.
        pub coverage: f32 = 0.4,
        /// Height of the clouds in half tiles, 0.2…20; default 2.
        pub cloud_height: f32 = 2.0,
        /// Distance in half tiles that the wind has carried the clouds, −10 000…10 000; default 0.
        pub drift: f32 = 0.0,
        /// Darkness of the clouds' shadow on the land, 0…1; default 0.6.
        pub cloud_shadow: f32 = 0.6,
    }
}

impl Params for Sky {
    const ADVANCED: &'static [&'static str] = &["cloud_height", "drift", "cloud_shadow"];

    const SYNONYMS: &'static [(&'static str, &'static str)] = &[
        ("light", "night, moon, stars, star"),
        ("turbidity", "haze, dust, air, atmosphere"),
        ("exposure", "brightness, contrast, EV, gamma"),
        ("coverage", "overcast, weather, clouds"),
        ("drift", "wind, moving clouds"),
    ];

    const PARAMS: &'static [crate::util::param::Param<Self>] = &[
        choice_param!(light: SkyLight, "Light from", "Whether the sun or the moon gives the light."),
        float_param!(turbidity, "Turbidity", "", 1.0, 10.0, slider: (1.0, 10.0),
            "Haze: 1 is the cleanest air, 1.5 mountain air, 5 a city in summer."),
        float_param!(exposure, "Exposure", "stops", -5.0, 5.0, slider: (-3.0, 3.0),
            "Exposure correction in stops (+1 doubles the brightness)."),
        float_param!(coverage, "Cloud cover", "", 0.0, 1.0, slider: (0.0, 1.0),
            "How much of the sky the clouds cover: 0 is none of it, 1 is all."),
        float_param!(cloud_height, "Cloud height", "half tiles", 0.2, 20.0, slider: (0.2, 6.0),
            "How high the clouds are above the land."),
        float_param!(drift, "Cloud drift", "half tiles", -10000.0, 10000.0, slider: (0.0, 12.0),
            "How far the wind has carried the clouds."),
        float_param!(cloud_shadow, "Cloud shadow", "", 0.0, 1.0, slider: (0.0, 1.0),
            "Darkness of the shadows that clouds cast on the land."),
    ];
}

// Solar position from the day of the year, the hour and the latitude.
//
// The sun's declination δ is Spencer's (1971) series of the day; with the hour angle
// h = 15° · (hour − 12) and the latitude φ the sun is (Iqbal, *An Introduction to Solar Radiation*,
// 1983)
//
// ```text
// up     sin δ sin φ + cos δ cos φ cos h
// north  sin δ cos φ − cos δ sin φ cos h
// east  −cos δ sin h
// ```
//
// Hours are apparent solar time: the sun is highest at 12. Clock time differs by up to an hour or
// two, depending on the longitude within the time zone. The series is off by at most 0.05°.
// Atmospheric refraction, half a degree at the horizon, is left out.

/// Unit vector towards the sun: east, up and south, the axes of scenes. `day` counts from 1 on the
/// first of January, `hour` is 0…24, and `latitude` is in degrees, north positive.
fn sun_direction(day: u32, hour: f64, latitude: f64) -> DVec3 {
    let (declination, latitude) = (declination(day), latitude.to_radians());
    let angle = ((hour - 12.0) * 15.0).to_radians();
    let (sin_d, cos_d) = (libm::sin(declination), libm::cos(declination));
    let (sin_l, cos_l) = (libm::sin(latitude), libm::cos(latitude));
    let (sin_h, cos_h) = (libm::sin(angle), libm::cos(angle));
    let up = sin_d * sin_l + cos_d * cos_l * cos_h;
    let north = sin_d * cos_l - cos_d * sin_l * cos_h;
    DVec3::new(-cos_d * sin_h, up, -north)
}

/// Hour, 0…24, at which the sun is nearest to a direction, for a given day and latitude.
fn hour_nearest(towards: DVec3, day: u32, latitude: f64) -> f64 {
    // The part of the dot product that depends on the hour is a cosine, so there is one maximum.
    let part = |hour: f64| sun_direction(day, hour, latitude).dot(towards);
    let middle = (part(0.0) + part(12.0)) * 0.5;
    let (south, west) = (part(12.0) - middle, part(18.0) - middle);
    let hour = 12.0 + libm::atan2(west, south).to_degrees() / 15.0;
    hour.clamp(0.0, 24.0)
}

/// Solar declination of a day, in radians (Spencer 1971).
fn declination(day: u32) -> f64 {
    let angle = std::f64::consts::TAU * (f64::from(day) - 1.0) / 365.0;
    let (cos, sin) = (|n: f64| libm::cos(n * angle), |n: f64| libm::sin(n * angle));
    0.006918 - 0.399912 * cos(1.0) + 0.070257 * sin(1.0) - 0.006758 * cos(2.0) + 0.000907 * sin(2.0)
        - 0.002697 * cos(3.0)
        + 0.00148 * sin(3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn elevation(day: u32, hour: f64, latitude: f64) -> f64 {
        sun_direction(day, hour, latitude).y.asin().to_degrees()
    }

    #[test]
    fn noon_sun_heights_match_almanacs_through_the_year() {
        for (day, declination) in [(172, 23.44), (355, -23.44), (80, 0.0), (266, 0.0)] {
            for latitude in [-60.0, -10.0, 0.0, 47.0, 66.0] {
                let wanted = 90.0 - f64::abs(latitude - declination);
                let noon = elevation(day, 12.0, latitude);
                assert!((noon - wanted).abs() < 0.5, "{day} {latitude}: {noon}");
            }
        }
    }

    #[test]
    fn sun_rises_in_east_and_sets_in_west() {
        for latitude in [-40.0, 0.0, 40.0] {
            let [morning, evening] = [6.0, 18.0].map(|hour| sun_direction(80, hour, latitude));
            assert!(morning.x > 0.99 && evening.x < -0.99);
            assert!(morning.y.abs() < 0.01 && evening.y.abs() < 0.01);
            assert!((sun_direction(80, 9.0, latitude).length() - 1.0).abs() < 1e-12);
        }
        // North of the tropics noon is in the south, south of them in the north.
        assert!(sun_direction(172, 12.0, 47.0).z > 0.3 && sun_direction(172, 12.0, -47.0).z < -0.3);
    }

    #[test]
    fn polar_regions_have_midnight_sun_and_polar_night() {
        for hour in 0..=24 {
            assert!(elevation(172, f64::from(hour), 70.0) > 0.0);
            assert!(elevation(355, f64::from(hour), 70.0) < 0.0);
        }
    }

    #[test]
    fn the_nearest_hour_is_that_of_the_direction() {
        for day in [1, 80, 172, 300] {
            for latitude in [-70.0, -20.0, 0.0, 47.0, 80.0] {
                for half in 1..48 {
                    let hour = f64::from(half) * 0.5;
                    let found = hour_nearest(sun_direction(day, hour, latitude), day, latitude);
                    assert!(
                        (found - hour).abs() < 1e-6,
                        "{day} {latitude} {hour}: {found}"
                    );
                }
            }
        }
    }
}
