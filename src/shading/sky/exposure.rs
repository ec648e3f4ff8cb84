//! Automatic exposure for the light of the sky, which at night is a billion times weaker than at noon.

use glam::Vec3;

use crate::scene::{Light, Sky, SkyLight};
use crate::util::numbers::smoothstep;

use super::air::Air;
use super::dome::{Dome, SUN_RADIUS};
use super::tone;

/// Target brightness of a white sheet on the ground for light of 1.
const KEY: f32 = 1.35;
/// Share of each stop of darkness that remains after exposure: noon is brighter than dusk, and dusk than
/// night, but all are visible.
const LEFT: f32 = 0.15;
/// Weight in the meter of the sky near the horizon, which pictures show; the rest is the land.
const SKY_PART: f32 = 0.4;
/// Ratio of sky light to land light above which the sky counts by its square root. With the sun up the
/// ratio is smaller.
const GLOW: f32 = 10.0;
/// Least light that is brightened fully: a night without a moon stays dark.
const DARKEST: f32 = 4e-8;
/// Largest brightness of a disc relative to white: beyond this only its edge would grow.
const SUN_LIMIT: f32 = 40.0;
const MOON_LIMIT: f32 = 1.5;

/// Sky with exposure applied.
#[derive(Clone, Debug)]
pub struct Exposed {
    /// Sky with all its light multiplied by `exposure`.
    pub dome: Dome,
    /// Exposure factor.
    pub exposure: f32,
    /// Night vision (loss of colour), from 0 by day to 1 by moonlight.
    pub night: f32,
    /// Visibility of stars, 0…1.
    pub stars: f32,
    disc_limit: f32,
}

impl Exposed {
    /// Compute the exposed sky of a scene. `air` must be that of the sky's turbidity. It takes about 2 ms
    /// on two threads.
    #[must_use]
    pub fn new(air: &Air, light: &Light, sky: &Sky) -> Self {
        let strength = match sky.light {
            SkyLight::Sun => Vec3::ONE,
            SkyLight::Moon => Dome::MOON,
        };
        let dome = Dome::new(air, light.direction(), strength);
        let meter = meter(&dome);
        let stops = libm::log2f(meter);
        // Vision changes from cones to rods between civil and nautical twilight.
        let night = smoothstep((-stops - 14.0) / 4.0);
        let key = KEY * (1.0 + night) * libm::exp2f(sky.exposure);
        let exposure = key * libm::powf(meter, LEFT - 1.0);
        Self {
            exposure,
            night,
            stars: smoothstep((-stops - 14.0) / 6.0),
            disc_limit: match sky.light {
                SkyLight::Sun => SUN_LIMIT,
                SkyLight::Moon => MOON_LIMIT,
            },
            dome: dome.times(exposure),
        }
    }

    /// Light of the disc of the sun or moon. Only its colour matters, since it is far beyond white.
    #[must_use]
    pub fn disc_light(&self) -> Vec3 {
        let light = self.dome.cloud_light / (SUN_RADIUS * SUN_RADIUS);
        light * (self.disc_limit / light.max_element().max(1e-6)).min(1.0)
    }

    /// Screen colour (sRGB, 0…1) of the sky in a direction, without clouds or disc.
    #[must_use]
    pub fn color(&self, direction: Vec3) -> Vec3 {
        tone::screen(self.dome.radiance(direction), self.night)
    }
}

/// Light meter: brightness of a white sheet on the ground, and of the sky above the horizon.
fn meter(dome: &Dome) -> f32 {
    let land = dome.ambient(Vec3::Y) + dome.sun_light * dome.sun_direction.y.max(0.0);
    let along = dome.sun_heading();
    let ring = (0..16).map(|ray| {
        // Eight directions, three and ten degrees above the horizon.
        let up: f32 = if ray < 8 { 0.05 } else { 0.17 };
        let (sine, cosine) = libm::sincosf(std::f32::consts::TAU * (ray % 8) as f32 / 8.0);
        let (x, z) = (
            cosine * along[0] - sine * along[1],
            cosine * along[1] + sine * along[0],
        );
        let light = tone::luminance(dome.radiance(Vec3::new(x, up, z).normalize()));
        light * light
    });
    // The root mean square favours the bright side.
    let sky = 1.5 * (ring.sum::<f32>() / 16.0).sqrt();
    let land = tone::luminance(land);
    // The last glow of dusk must not make the land black.
    let sky = sky.min((GLOW * land * sky).sqrt());
    (land * (1.0 - SKY_PART) + sky * SKY_PART).max(DARKEST)
}
