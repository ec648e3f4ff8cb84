//! Solar position from the day of the year, the hour and the latitude.
//!
//! The sun's declination δ is Spencer's (1971) series of the day; with the hour angle
//! h = 15° · (hour − 12) and the latitude φ the sun is (Iqbal, *An Introduction to Solar Radiation*,
//! 1983)
//!
//! ```text
//! up     sin δ sin φ + cos δ cos φ cos h
//! north  sin δ cos φ − cos δ sin φ cos h
//! east  −cos δ sin h
//! ```
//!
//! Hours are apparent solar time: the sun is highest at 12. Clock time differs by up to an hour or
//! two, depending on the longitude within the time zone. The series is off by at most 0.05°.
//! Atmospheric refraction, half a degree at the horizon, is left out.

use glam::DVec3;

/// Unit vector towards the sun: east, up and south, the axes of scenes. `day` counts from 1 on the
/// first of January, `hour` is 0…24, and `latitude` is in degrees, north positive.
pub fn sun(day: u32, hour: f64, latitude: f64) -> DVec3 {
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
pub fn hour_nearest(towards: DVec3, day: u32, latitude: f64) -> f64 {
    // The part of the dot product that depends on the hour is a cosine, so there is one maximum.
    let part = |hour: f64| sun(day, hour, latitude).dot(towards);
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
        sun(day, hour, latitude).y.asin().to_degrees()
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
            let [morning, evening] = [6.0, 18.0].map(|hour| sun(80, hour, latitude));
            assert!(morning.x > 0.99 && evening.x < -0.99);
            assert!(morning.y.abs() < 0.01 && evening.y.abs() < 0.01);
            assert!((sun(80, 9.0, latitude).length() - 1.0).abs() < 1e-12);
        }
        // North of the tropics noon is in the south, south of them in the north.
        assert!(sun(172, 12.0, 47.0).z > 0.3 && sun(172, 12.0, -47.0).z < -0.3);
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
                    let found = hour_nearest(sun(day, hour, latitude), day, latitude);
                    assert!(
                        (found - hour).abs() < 1e-6,
                        "{day} {latitude} {hour}: {found}"
                    );
                }
            }
        }
    }
}
