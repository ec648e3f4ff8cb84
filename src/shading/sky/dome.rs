//! Sky dome of one place: a small lookup table of radiance by direction, and the ambient light from it.

use std::f32::consts::PI;

use glam::Vec3;

use super::air::{Air, haze_phase};
use crate::util::parallel;

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
