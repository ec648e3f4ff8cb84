//! Physically based sky: single and multiple atmospheric scattering by ray marching, from noon to night.
//!
//! **The model.** Light from the sun is scattered by air (Rayleigh) and by haze (Mie) and absorbed by
//! ozone, in spherical shells around the Earth. Single scattering is integrated along rays (Nishita et al.
//! 1993); multiple scattering is added as a geometric series of isotropic light (Hillaire 2020).
//! Coefficients are those of Bruneton and Neyret (2008) with the ozone of Bruneton (2017). The analytic
//! skies of Preetham (1999) and of Hosek and Wilkie (2012) are not used: both end with the sun at the
//! horizon, but landscapes are photographed at dawn, at dusk and in moonlight. Ray marching also gives the
//! colours of the sun and of the haze from the same numbers.
//!
//! **Units.** A light of 1 is the reflection of a white sheet outside the atmosphere that faces the sun.
//! Sunlight there is (1, 1, 1), linear, with the primaries of sRGB. So diffuse ground of colour `albedo`
//! shows `albedo * (sun_light * max(dot(normal, sun), 0) + ambient(normal))`, without any pi.
//!
//! **Modules.** [`air`] is the atmosphere, [`Dome`] is the sky over one place, and [`Exposed`] is that sky
//! with camera exposure. [`CloudPlane`] is the cloud layer, and [`tone`] maps light to the screen.

use std::f32::consts::PI;

use glam::Vec3;

use crate::scene::{Light, Sky, SkyLight};
use crate::shading::texture::repeated;
use crate::terrain::grid::Grid;
use crate::util::numbers::smoothstep;
use crate::util::parallel;
use air::{Air, haze_phase};

pub mod air;
pub mod tone;

// Sky dome of one place: a small lookup table of radiance by direction, and the ambient light from it.

/// Number of columns of the table, from the sun's side to the opposite one, evenly spaced in the cosine of
/// the azimuth. The sky is symmetric about the sun, so it is smooth in this cosine.
pub const AZIMUTHS: usize = 16;
/// Number of rows of the table, from the horizon to the zenith, evenly spaced in the root of the sine, which
/// makes them dense at the horizon.
pub const ELEVATIONS: usize = 48;
/// Angular radius of the sun as drawn, in radians: a little more than the true 0.0047, to match perception.
pub const SUN_RADIUS: f32 = 0.0058;

/// Altitude of the place in km.
const PLACE: f32 = 0.4;
/// Altitude of clouds in km: the sun still shines on them when it has set for the ground.
const CLOUDS: f32 = 3.0;
/// Radiance of the darkest sky: stars and airglow, 22 magnitudes per square arc second.
const NIGHT: Vec3 = Vec3::new(3.0e-9, 4.2e-9, 6.5e-9);
/// Albedo of the land below the horizon.
const ALBEDO: f32 = 0.18;
/// Share of haze in the view of the land below the horizon.
const MIST: f32 = 0.7;

/// Sky for one elevation of the sun. Directions are (x east, y up, z south).
#[derive(Clone, Debug)]
pub struct Dome {
    /// Light scattered by air: rows of [`AZIMUTHS`] one after the other, from the horizon up.
    pub air: Vec<Vec3>,
    /// Light scattered by haze, in the same order, before it is multiplied by [`haze_phase`].
    pub haze: Vec<Vec3>,
    /// Unit vector towards the sun.
    pub sun_direction: Vec3,
    /// Sunlight on a face on the ground towards the sun.
    pub sun_light: Vec3,
    /// Sunlight on clouds.
    pub cloud_light: Vec3,
    /// Light reflected by land far below.
    pub land: Vec3,
    /// Light from below the horizon, where no land is drawn: that of the land, through haze.
    pub below: Vec3,
    /// Ambient light from the sky and the land by the normal of a face, as the coefficients of
    /// [`Dome::ambient`].
    pub ambient_terms: [Vec3; 6],
}

impl Dome {
    /// Compute the sky of `air` with the sun in a direction, which may be below the horizon. Strength 1 is
    /// that of the sun; the moon's is [`Dome::MOON`]. It takes about 2 ms on two threads.
    #[must_use]
    pub fn new(air: &Air, sun_direction: Vec3, strength: Vec3) -> Self {
        let sun_up = sun_direction.y.clamp(-1.0, 1.0);
        let sun_level = (1.0 - sun_up * sun_up).sqrt();
        let texels = parallel::par_items(0..ELEVATIONS * AZIMUTHS).at_least(32);
        let gathered = texels.map(|texel, _| {
            let (up, turn) = (up_of(texel / AZIMUTHS), turn_of(texel % AZIMUTHS));
            let level = (1.0 - up * up).max(0.0).sqrt();
            let toward_sun = (level * sun_level * turn + up * sun_up).clamp(-1.0, 1.0);
            air.gather(PLACE, up, sun_up, toward_sun)
        });
        // In the unit of light a white diffuse face has the value 1; its radiance is 1/pi of the irradiance.
        let scale = strength * PI;
        let mut dome = Self {
            air: gathered.iter().map(|g| g.air * scale + NIGHT).collect(),
            haze: gathered.iter().map(|g| g.haze * scale).collect(),
            sun_direction,
            sun_light: air.sunlight(PLACE, sun_up) * strength,
            cloud_light: air.sunlight(CLOUDS, sun_up) * strength,
            land: Vec3::ZERO,
            below: Vec3::ZERO,
            ambient_terms: [Vec3::ZERO; 6],
        };
        dome.ambient_terms = dome.terms();
        // The land reflects light onto faces that look down or sideways.
        let land = (dome.ambient(Vec3::Y) + dome.sun_light * sun_up.max(0.0)) * ALBEDO;
        // Land far below is seen through much haze.
        let horizon = dome.air[..AZIMUTHS].iter().zip(&dome.haze);
        let horizon = horizon.map(|(air, haze)| *air + *haze * (1.0 / (4.0 * PI)));
        let mist = horizon.sum::<Vec3>() / AZIMUTHS as f32;
        dome.land = land;
        dome.below = land.lerp(mist, MIST);
        for (term, part) in dome.ambient_terms.iter_mut().zip([0.5, -0.5]) {
            *term += land * part;
        }
        dome
    }

    /// Light of a full moon relative to the sun's.
    pub const MOON: Vec3 = Vec3::new(2.6e-6, 2.5e-6, 2.3e-6);

    /// Multiply all light of the sky by `factor`.
    #[must_use]
    pub fn times(mut self, factor: f32) -> Self {
        let tables = self.air.iter_mut().chain(&mut self.haze);
        tables
            .chain(&mut self.ambient_terms)
            .for_each(|light| *light *= factor);
        self.sun_light *= factor;
        self.cloud_light *= factor;
        self.land *= factor;
        self.below *= factor;
        self
    }

    /// Radiance of the sky in a direction, which is a unit vector. Below the horizon it is mirrored and
    /// fades to the land farther down. The sun's disc is excluded.
    #[must_use]
    pub fn radiance(&self, direction: Vec3) -> Vec3 {
        let (row, column) = self.place(direction);
        let (air, haze) = (
            lookup(&self.air, row, column),
            lookup(&self.haze, row, column),
        );
        let cosine = self.horizon_cosine(direction);
        let sky = air + haze * haze_phase(cosine);
        sky.lerp(self.below, below_part(direction.y))
    }

    /// Ambient light on a face with the unit vector `normal` from the sky and the land: the radiance of a
    /// white face. The six coefficients are the spherical harmonics up to the second order (Ramamoorthi and
    /// Hanrahan 2001) that do not vanish by the symmetry about the sun.
    #[must_use]
    pub fn ambient(&self, normal: Vec3) -> Vec3 {
        let along = self.sun_heading();
        let toward = normal.x * along[0] + normal.z * along[1];
        let across = normal.z * along[0] - normal.x * along[1];
        let factors = harmonics(Vec3::new(toward, normal.y, across));
        let terms = self.ambient_terms.iter().zip(factors);
        terms
            .map(|(term, factor)| *term * factor)
            .sum::<Vec3>()
            .max(Vec3::ZERO)
    }

    /// Horizontal direction of the sun as a unit vector (x, z).
    #[must_use]
    pub fn sun_heading(&self) -> [f32; 2] {
        let level = self.sun_direction.x.hypot(self.sun_direction.z);
        if level < 1e-4 {
            return [1.0, 0.0];
        }
        [self.sun_direction.x / level, self.sun_direction.z / level]
    }

    /// Cosine between a direction and the sun; below the horizon the sky is mirrored.
    fn horizon_cosine(&self, direction: Vec3) -> f32 {
        direction.with_y(direction.y.abs()).dot(self.sun_direction)
    }

    /// Row and column of a direction, in texels.
    fn place(&self, direction: Vec3) -> (f32, f32) {
        let along = self.sun_heading();
        let level = direction.x.hypot(direction.z);
        let turn = (direction.x * along[0] + direction.z * along[1]) / level.max(1e-6);
        let row = lifted(direction.y).sqrt() * (ELEVATIONS - 1) as f32;
        (row, (0.5 - 0.5 * turn) * (AZIMUTHS - 1) as f32)
    }

    /// Spherical harmonics of the sky, convolved with the cosine lobe of a face.
    fn terms(&self) -> [Vec3; 6] {
        const ROWS: usize = 24;
        const TURNS: usize = 24;
        let along = self.sun_heading();
        let mut terms = [Vec3::ZERO; 6];
        for ray in 0..ROWS * TURNS {
            let up = ((ray / TURNS) as f32 + 0.5) / ROWS as f32;
            let turn = PI * ((ray % TURNS) as f32 + 0.5) / TURNS as f32;
            let level = (1.0 - up * up).sqrt();
            let (sine, cosine) = (libm::sinf(turn) * level, libm::cosf(turn) * level);
            let direction = Vec3::new(
                cosine * along[0] - sine * along[1],
                up,
                cosine * along[1] + sine * along[0],
            );
            let light = self.radiance(direction) * (2.0 * PI / (ROWS * TURNS) as f32);
            let factors = harmonics(Vec3::new(cosine, up, sine));
            for (index, term) in terms.iter_mut().enumerate() {
                *term += light * factors[index];
            }
        }
        // Normalization of each basis function, times the cosine lobe's factor of its order, over pi.
        let order = [1.0, 2.0 / 3.0, 2.0 / 3.0, 0.25, 0.25, 0.25];
        let norm = [0.25, 0.75, 0.75, 5.0 / 16.0, 15.0 / 4.0, 15.0 / 16.0];
        std::array::from_fn(|index| terms[index] * (order[index] * norm[index] / PI))
    }
}

/// Six basis functions of a direction (towards the sun, up, sideways).
fn harmonics(at: Vec3) -> [f32; 6] {
    let Vec3 { x, y, z } = at;
    [1.0, y, x, 3.0 * y * y - 1.0, x * y, x * x - z * z]
}

/// Share of land, as opposed to horizon haze, in the view at this angle below the horizon.
fn below_part(up: f32) -> f32 {
    let part = (-up * 5.0).clamp(0.0, 1.0);
    0.85 * part * part * (3.0 - 2.0 * part)
}

/// Sine of the elevation at which the sky is looked up. This avoids a mirror edge at the horizon, and
/// leaves out the very lowest sky, which is a thin dark line at dusk.
fn lifted(up: f32) -> f32 {
    (up * up + LIFT * LIFT).sqrt()
}

/// Sine of the lowest elevation that is shown.
const LIFT: f32 = 0.015;

/// Sine of the elevation of a row.
fn up_of(row: usize) -> f32 {
    let root = row as f32 / (ELEVATIONS - 1) as f32;
    root * root
}

/// Cosine of a column's azimuth from the sun.
fn turn_of(column: usize) -> f32 {
    1.0 - 2.0 * column as f32 / (AZIMUTHS - 1) as f32
}

fn lookup(table: &[Vec3], row: f32, column: f32) -> Vec3 {
    let place = |at: f32, count: usize| {
        let before = (at.max(0.0) as usize).min(count - 2);
        (before, (at - before as f32).clamp(0.0, 1.0))
    };
    let ((row, v), (column, u)) = (place(row, ELEVATIONS), place(column, AZIMUTHS));
    let at = |row: usize, column: usize| table[row * AZIMUTHS + column];
    let lower = at(row, column).lerp(at(row, column + 1), u);
    lower.lerp(at(row + 1, column).lerp(at(row + 1, column + 1), u), v)
}

// Automatic exposure for the light of the sky, which at night is a billion times weaker than at noon.

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

// Cloud layer: a textured surface high above the land that bends down to the horizon.
// `shaders/common/clouds.glsl` draws it.

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
    /// Depth of the clouds in half tiles, over which a view at a grazing angle averages.
    pub const DEPTH: f32 = 0.2;

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
        let blurred = CloudPlane::DEPTH / CloudPlane::PERIOD * (1.0 / direction.y.max(1e-3) - 1.0);
        let blurred = blurred.min(1.0);
        let rank = 0.5 + (rank - 0.5) * (1.0 - blurred).sqrt();
        let [none, full] = self.plane.ranks;
        let amount = mean_step([none, full], rank, blurred);
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
        let cover = mean_step([none, none + 0.54 * (full - none)], rank, blurred);
        sky.lerp(color, cover * clear)
    }
}

/// Mean of a smooth step between two ranks over a blurred part of the period, as in `common/clouds.glsl`.
fn mean_step([from, to]: [f32; 2], rank: f32, blurred: f32) -> f32 {
    let width = ((to - from) * (to - from) + 1.67 * blurred).sqrt();
    smoothstep((rank - 0.5 * (from + to)) / width + 0.5)
}
