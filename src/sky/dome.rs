//! The sky over one place: a small table by direction, and the light that falls from it onto faces.

use std::f32::consts::PI;

use glam::Vec3;

use super::air::{Air, haze_phase};
use crate::parallel;

/// The number of columns of the table, from the sun's side to the far one, evenly spaced in the
/// cosine of the azimuth. Both sides of the sun are alike, so the sky is smooth in it.
pub const AZIMUTHS: usize = 16;
/// The number of rows of the table, from level to straight up, evenly spaced in the root of the
/// sine, which makes them close at the horizon.
pub const ELEVATIONS: usize = 48;
/// Half of the sun's width as it is drawn, in radians: a little more than the true 0.0047, as the
/// eye sees it.
pub const SUN_RADIUS: f32 = 0.0058;

/// The height of the place in km.
const PLACE: f32 = 0.4;
/// The height of clouds in km: the sun still shines on them when it has set for the ground.
const CLOUDS: f32 = 3.0;
/// The light of the darkest sky: stars and the air's own glow, 22 magnitudes a square second.
const NIGHT: Vec3 = Vec3::new(3.0e-9, 4.2e-9, 6.5e-9);
/// The part of the light falling on the land below the horizon that comes back.
const ALBEDO: f32 = 0.18;
/// The part of that land's view that is haze in front of it.
const MIST: f32 = 0.7;

/// The sky for one height of the sun. Directions are (x east, y up, z south).
#[derive(Clone, Debug)]
pub struct Dome {
    /// The light that air scatters: rows of [`AZIMUTHS`] one after the other, from the horizon up.
    pub air: Vec<Vec3>,
    /// The light that haze scatters, in the same order, before it is multiplied by [`haze_phase`].
    pub haze: Vec<Vec3>,
    /// The unit vector towards the sun.
    pub sun_direction: Vec3,
    /// The sun's light on a face on the ground that looks at it.
    pub sun_light: Vec3,
    /// The sun's light on clouds.
    pub cloud_light: Vec3,
    /// The light that land far below sends back.
    pub land: Vec3,
    /// The light from below the horizon, where no land is drawn: that of the land, through haze.
    pub below: Vec3,
    /// The light from the sky and the land on a face, by its normal, as the terms of
    /// [`Dome::ambient`].
    pub ambient_terms: [Vec3; 6],
}

impl Dome {
    /// The sky of `air` with the sun in that direction, which may be below the horizon. A light of
    /// strength 1 is that of the sun; the moon's is [`Dome::MOON`]. It takes about 2 ms on two
    /// threads.
    #[must_use]
    pub fn new(air: &Air, sun_direction: Vec3, strength: Vec3) -> Self {
        let sun_up = sun_direction.y.clamp(-1.0, 1.0);
        let sun_level = (1.0 - sun_up * sun_up).sqrt();
        let texels = parallel::over(0..ELEVATIONS * AZIMUTHS).at_least(32);
        let gathered = texels.map(|texel, _| {
            let (up, turn) = (up_of(texel / AZIMUTHS), turn_of(texel % AZIMUTHS));
            let level = (1.0 - up * up).max(0.0).sqrt();
            let toward_sun = (level * sun_level * turn + up * sun_up).clamp(-1.0, 1.0);
            air.gather(PLACE, up, sun_up, toward_sun)
        });
        // A value of 1 is a white sheet, which sends 1/pi of what it is lit by into each direction.
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
        // The land reflects what falls on it onto faces that look down or aside.
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

    /// The light of a full moon as a part of the sun's.
    pub const MOON: Vec3 = Vec3::new(2.6e-6, 2.5e-6, 2.3e-6);

    /// The same sky with all its light multiplied by `factor`.
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

    /// The light that the sky sends from a direction, which is a unit vector. Below the horizon it
    /// is mirrored and fades to the land farther down. The sun's disc is not in it.
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

    /// The light on a face from the sky and the land: what a white face with the unit vector
    /// `normal` sends back. The six terms are those spherical harmonics up to the second order
    /// (Ramamoorthi and Hanrahan 2001) that the sun's symmetry leaves.
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

    /// The sun's compass direction as a unit vector (x, z).
    #[must_use]
    pub fn sun_heading(&self) -> [f32; 2] {
        let level = self.sun_direction.x.hypot(self.sun_direction.z);
        if level < 1e-4 {
            return [1.0, 0.0];
        }
        [self.sun_direction.x / level, self.sun_direction.z / level]
    }

    /// The cosine between a direction and the sun; below the horizon the sky is mirrored.
    fn horizon_cosine(&self, direction: Vec3) -> f32 {
        direction.with_y(direction.y.abs()).dot(self.sun_direction)
    }

    /// The row and column of a direction, in texels.
    fn place(&self, direction: Vec3) -> (f32, f32) {
        let along = self.sun_heading();
        let level = direction.x.hypot(direction.z);
        let turn = (direction.x * along[0] + direction.z * along[1]) / level.max(1e-6);
        let row = lifted(direction.y).sqrt() * (ELEVATIONS - 1) as f32;
        (row, (0.5 - 0.5 * turn) * (AZIMUTHS - 1) as f32)
    }

    /// The sky's spherical harmonics, already combined with the cosine of a face.
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
        // These are the squared norm of each function, times what a cosine leaves of its order,
        // over pi.
        let order = [1.0, 2.0 / 3.0, 2.0 / 3.0, 0.25, 0.25, 0.25];
        let norm = [0.25, 0.75, 0.75, 5.0 / 16.0, 15.0 / 4.0, 15.0 / 16.0];
        std::array::from_fn(|index| terms[index] * (order[index] * norm[index] / PI))
    }
}

/// The six functions of a direction (towards the sun, up, aside).
fn harmonics(at: Vec3) -> [f32; 6] {
    let Vec3 { x, y, z } = at;
    [1.0, y, x, 3.0 * y * y - 1.0, x * y, x * x - z * z]
}

/// The part of the view that far down that is land and not the haze of the horizon.
fn below_part(up: f32) -> f32 {
    let part = (-up * 5.0).clamp(0.0, 1.0);
    0.85 * part * part * (3.0 - 2.0 * part)
}

/// The sine above the level of the sky that is shown. The mirror has no edge at the horizon, and
/// the very lowest sky, which at dusk is a thin dark line, is left out.
fn lifted(up: f32) -> f32 {
    (up * up + LIFT * LIFT).sqrt()
}

/// The sine of the lowest sky that is shown.
const LIFT: f32 = 0.015;

/// The sine above the level of a row.
fn up_of(row: usize) -> f32 {
    let root = row as f32 / (ELEVATIONS - 1) as f32;
    root * root
}

/// The cosine of a column's azimuth from the sun.
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
