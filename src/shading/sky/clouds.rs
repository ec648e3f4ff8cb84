//! Cloud layer: a textured surface high above the land that bends down to the horizon.
//! `shaders/common/clouds.glsl` draws it.

use glam::Vec3;

use crate::scene::Sky;
use crate::shading::texture::repeated;
use crate::terrain::grid::Grid;
use crate::util::numbers::smoothstep;

use super::air::haze_phase;
use super::dome::Dome;

/// Width of the transition from clear sky to full cloud, in ranks.
const EDGE: f32 = 0.6;
/// Direction in which the wind blows: east, and a little south.
const WIND: [f32; 2] = [0.94, 0.34];
/// Least distance of the eye from the layer, in half tiles.
const HEADROOM: f32 = 0.6;

/// Parameters of the cloud layer for the shaders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CloudPlane {
    /// Height of the layer in half tiles.
    pub height: f32,
    /// Ranks at which cloud starts and at which it is full.
    pub ranks: [f32; 2],
    /// Displacement by the wind, as a fraction of [`Self::PERIOD`] along x and z.
    pub offset: [f32; 2],
    /// Darkness of the clouds' shadow, 0…1.
    pub shadow: f32,
}

impl CloudPlane {
    /// Distance in half tiles after which the clouds repeat.
    pub const PERIOD: f32 = 12.0;
    /// Radius of curvature of the layer in half tiles. The curvature makes it meet the horizon before
    /// clouds are too small to draw.
    pub const BEND: f32 = 90.0;

    /// Create the layer of a sky for an eye at the height `eye` in half tiles; the layer rises with an eye
    /// that comes near it.
    #[must_use]
    pub fn new(sky: &Sky, eye: f32) -> Self {
        // A coverage of 0 leaves no cloud, and 1 leaves no hole.
        let low = 1.0 - sky.coverage * (1.0 + EDGE);
        let offset = WIND.map(|wind| -sky.drift * wind / Self::PERIOD);
        Self {
            height: sky.cloud_height.max(eye + HEADROOM),
            ranks: [low, low + EDGE],
            offset: offset.map(|offset| offset - offset.floor()),
            shadow: sky.cloud_shadow,
        }
    }

    /// True if there are no clouds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranks[0] >= 1.0
    }
}

/// Sky behind clouds on the CPU, as `common/clouds.glsl` draws it, for files.
#[derive(Clone, Copy, Debug)]
pub struct Clouds<'a> {
    /// Parameters of the cloud layer.
    pub plane: CloudPlane,
    /// Ranks and slopes of the clouds; see [`crate::shading::texture::clouds::slopes`].
    pub cover: &'a Grid<[u8; 4]>,
}

impl Clouds<'_> {
    /// Colour of `dome` and of a `disc` in it behind the clouds, as linear light, seen from `eye` in a
    /// direction, which is a unit vector.
    #[must_use]
    pub fn over(&self, dome: &Dome, disc: Vec3, eye: Vec3, direction: Vec3) -> Vec3 {
        let sky = dome.radiance(direction) + disc;
        if direction.y <= 0.0 {
            return sky;
        }
        let height = self.plane.height - eye.y;
        let rise = CloudPlane::BEND * direction.y;
        let away = (rise * rise + height * (2.0 * CloudPlane::BEND + height)).sqrt() - rise;
        let place =
            |eye: f32, way: f32, offset: f32| (eye + way * away) / CloudPlane::PERIOD + offset;
        let [rank, east, south, _] = repeated(
            self.cover,
            place(eye.x, direction.x, self.plane.offset[0]),
            place(eye.z, direction.z, self.plane.offset[1]),
        );
        let [none, full] = self.plane.ranks;
        let amount = smoothstep((rank - none) / (full - none));
        let clear = libm::exp2f(-away * 0.2) * smoothstep(direction.y / 0.06);
        let thin = (1.0 - amount) * (1.0 - amount);
        let toward = dome.sun_direction / dome.sun_direction.y.max(0.45);
        let level = 128.0 / 255.0;
        let slope = ((level - east) * toward.x + (level - south) * toward.z) * 6.0;
        let slope = slope / (1.0 + slope.abs());
        let lit = (0.62 + 0.38 * slope - 0.30 * amount).max(0.0);
        let glow = haze_phase(direction.dot(dome.sun_direction));
        let color = dome.cloud_light * (0.12 + 0.85 * lit + 1.2 * glow * thin)
            + dome.ambient_terms[0] * (1.5 - 0.7 * amount);
        sky.lerp(color, (1.0 - thin * thin) * clear)
    }
}
