//! Atmospheric scattering: air (Rayleigh), haze (Mie) and ozone in spherical shells around the Earth.
//!
//! Lengths are kilometres. Colours are three wavelengths, 680, 550 and 440 nm, for red, green and blue
//! (Bruneton and Neyret 2008).

use crate::util::numbers::smoothstep;
use crate::util::parallel;
use std::sync::LazyLock;

use glam::Vec3;

/// Radius of the ground from the Earth's centre, in km.
pub const GROUND: f32 = 6360.0;
/// Radius of the top of the atmosphere from the Earth's centre, in km.
pub const TOP: f32 = 6460.0;
/// Rayleigh scattering coefficient at the ground, in 1/km.
pub const RAYLEIGH: Vec3 = Vec3::new(5.802e-3, 13.558e-3, 33.1e-3);
/// Absorption coefficient at the densest part of the ozone layer, in 1/km, with 300 Dobson units in all.
/// The numbers are means of the cross sections of Bruneton (2017) over the bands 580 to 700, 520 to 580 and
/// 430 to 480 nm, which correspond to the screen's colours. Ozone hardly absorbs at 680 nm, but most of all
/// at 600 nm: with the single wavelength of 680 nm for red, twilight would be purple, which it is not.
pub const OZONE: Vec3 = Vec3::new(1.65e-3, 1.88e-3, 0.16e-3);
/// Scale height of air in km.
const RAYLEIGH_SCALE: f32 = 8.0;
/// Scale height of haze in km.
const HAZE_SCALE: f32 = 1.2;
/// Centre and half width of the ozone layer in km; its density falls linearly on both sides.
const OZONE_LAYER: (f32, f32) = (25.0, 15.0);
/// Single scattering albedo of haze.
const HAZE_WHITENESS: f32 = 0.9;
/// Ångström exponent of the extinction by haze (Angstrom 1929).
const ANGSTROM: f32 = -1.3;
/// Angular radius of the sun and of the moon, in radians.
const DISC: f32 = 0.004_65;
/// Width of the edge of the Earth's shadow along a ray, in radians. It equals the step length of rays,
/// because twilight would show steps otherwise.
const SHADOW_EDGE: f32 = 0.03;
/// Albedo of the Earth.
const ALBEDO: f32 = 0.2;

/// Density of air, haze and ozone, each relative to its maximum.
fn density(radius: f32) -> Vec3 {
    let height = (radius - GROUND).max(0.0);
    Vec3::new(
        libm::expf(-height / RAYLEIGH_SCALE),
        libm::expf(-height / HAZE_SCALE),
        (1.0 - (height - OZONE_LAYER.0).abs() / OZONE_LAYER.1).max(0.0),
    )
}

/// Distance from `radius` to the top of the atmosphere along a ray with the cosine `up` to the zenith.
fn to_top(radius: f32, up: f32) -> f32 {
    let inside = radius * radius * (up * up - 1.0) + TOP * TOP;
    (inside.max(0.0).sqrt() - radius * up).max(0.0)
}

/// Distance to the ground along a ray; `None` if the ray misses it.
fn to_ground(radius: f32, up: f32) -> Option<f32> {
    let inside = radius * radius * (up * up - 1.0) + GROUND * GROUND;
    (up < 0.0 && inside >= 0.0).then(|| -radius * up - inside.sqrt())
}

/// Radius and cosine to the zenith after going `distance` along a ray.
fn along(radius: f32, up: f32, distance: f32) -> (f32, f32) {
    let there = (radius * radius + distance * distance + 2.0 * radius * up * distance).sqrt();
    (there, (radius * up + distance) / there)
}

/// Steps of a ray of a length, each as its midpoint and its length. Short ones come first, since the density
/// is highest at the start.
fn steps(length: f32, count: usize) -> impl Iterator<Item = (f32, f32)> {
    let end = move |index: usize| {
        let part = index as f32 / count as f32;
        length * part * part
    };
    (0..count).map(move |index| {
        let (from, to) = (end(index), end(index + 1));
        ((from + to) * 0.5, to - from)
    })
}

/// Table of column densities from a point to the top of the atmosphere, as lengths at maximum density. They
/// depend on geometry alone, so one table serves all skies.
struct Columns(Vec<Vec3>);

const COLUMN_HEIGHTS: usize = 24;
const COLUMN_ANGLES: usize = 96;

/// Column density table. It is computed on one thread: a rayon thread that waits for others takes up other
/// work meanwhile, and that work may need this table.
static COLUMNS: LazyLock<Columns> = LazyLock::new(|| {
    let cells = 0..COLUMN_HEIGHTS * COLUMN_ANGLES;
    let column = |cell: usize| {
        let height = (cell / COLUMN_ANGLES) as f32 / (COLUMN_HEIGHTS - 1) as f32;
        let angle = (cell % COLUMN_ANGLES) as f32 / (COLUMN_ANGLES - 1) as f32;
        let radius = GROUND + (TOP - GROUND) * height * height;
        let (near, far) = reach(radius);
        let distance = near + (far - near) * angle;
        let up = if distance > 0.0 {
            (TOP * TOP - radius * radius - distance * distance) / (2.0 * radius * distance)
        } else {
            1.0
        };
        let up = up.clamp(-1.0, 1.0);
        let matter = |(at, length)| density(along(radius, up, at).0) * length;
        steps(distance, 48).map(matter).sum()
    };
    Columns(cells.map(column).collect())
});

/// Least and greatest distance from `radius` to the top of the atmosphere, tangent to the ground.
fn reach(radius: f32) -> (f32, f32) {
    let down = (radius * radius - GROUND * GROUND).max(0.0).sqrt();
    (TOP - radius, down + (TOP * TOP - GROUND * GROUND).sqrt())
}

impl Columns {
    /// Column densities in a direction; below the horizon those of the horizon.
    fn at(&self, radius: f32, up: f32) -> Vec3 {
        let radius = radius.clamp(GROUND, TOP);
        let height = ((radius - GROUND) / (TOP - GROUND)).sqrt();
        let (near, far) = reach(radius);
        let angle = (to_top(radius, up.max(horizon(radius))) - near) / (far - near).max(1e-3);
        bilinear(&self.0, [COLUMN_HEIGHTS, COLUMN_ANGLES], [height, angle])
    }
}

/// Interpolate a table at a position, 0…1 along both sides.
fn bilinear(table: &[Vec3], [rows, columns]: [usize; 2], [down, right]: [f32; 2]) -> Vec3 {
    let place = |at: f32, count: usize| {
        let at = at.clamp(0.0, 1.0) * (count - 1) as f32;
        let before = (at as usize).min(count - 2);
        (before, at - before as f32)
    };
    let ((row, v), (column, u)) = (place(down, rows), place(right, columns));
    let at = |row: usize, column: usize| table[row * columns + column];
    let upper = at(row, column).lerp(at(row, column + 1), u);
    upper.lerp(at(row + 1, column).lerp(at(row + 1, column + 1), u), v)
}

/// Cosine to the zenith of a ray tangent to the ground.
fn horizon(radius: f32) -> f32 {
    let sine = (GROUND / radius).min(1.0);
    -(1.0 - sine * sine).max(0.0).sqrt()
}

/// Air with a certain haze, and its multiple scattering.
#[derive(Clone, Debug)]
pub struct Air {
    /// Extinction by haze at the ground, in 1/km.
    haze: Vec3,
    /// Multiple scattering, by height and by the sun's elevation, relative to sunlight of 1 outside the
    /// atmosphere.
    diffuse: Vec<Vec3>,
}

const DIFFUSE_HEIGHTS: usize = 8;
const DIFFUSE_SUNS: usize = 28;
/// Lowest sun of the table, as the signed root of its sine: about 22 degrees below the horizon.
const LOWEST_SUN: f32 = -0.61;

/// Contribution of one step of a ray, separated by the kind of light.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Gathered {
    /// Single scattering by air, and all multiple scattering, in 1/sr.
    pub(super) air: Vec3,
    /// Single scattering by haze, still to be multiplied by [`haze_phase`].
    pub(super) haze: Vec3,
}

impl Air {
    /// Create air of a turbidity, 1 (no haze) to 10: the vertical optical depth at 550 nm as a multiple of
    /// that of clean air. It takes about 2 ms on two threads, once for each turbidity.
    #[must_use]
    pub fn new(turbidity: f32) -> Self {
        let haze = (turbidity - 1.0).max(0.0) * RAYLEIGH.y * RAYLEIGH_SCALE / HAZE_SCALE;
        let color = Vec3::new(680.0, 550.0, 440.0) / 550.0;
        let mut air = Self {
            haze: haze * color.map(|length| libm::powf(length, ANGSTROM)),
            diffuse: vec![Vec3::ZERO; DIFFUSE_HEIGHTS * DIFFUSE_SUNS],
        };
        let cells = parallel::par_items(0..DIFFUSE_HEIGHTS * DIFFUSE_SUNS).at_least(8);
        air.diffuse = cells.map(|cell, _| {
            let height = (cell / DIFFUSE_SUNS) as f32 / (DIFFUSE_HEIGHTS - 1) as f32;
            let sun = (cell % DIFFUSE_SUNS) as f32 / (DIFFUSE_SUNS - 1) as f32;
            let root = LOWEST_SUN + (1.0 - LOWEST_SUN) * sun;
            let radius = GROUND + 0.01 + (TOP - GROUND - 0.02) * height * height;
            air.all_later_scatterings(radius, root * root.abs())
        });
        air
    }

    /// Transmittance of a column of the three kinds of matter.
    fn left(&self, column: Vec3) -> Vec3 {
        let depth = RAYLEIGH * column.x + self.haze * column.y + OZONE * column.z;
        depth.map(|depth| libm::expf(-depth))
    }

    /// Transmittance from outside the atmosphere to `height` km above the ground, from a direction whose
    /// sine of elevation is `up`. Occlusion by the ground is ignored.
    #[must_use]
    pub fn transmittance(&self, height: f32, up: f32) -> Vec3 {
        self.left(COLUMNS.at(GROUND + height, up))
    }

    /// Sunlight on a face towards the sun, `height` km above the ground: transmitted light of the part of
    /// the disc above the horizon.
    #[must_use]
    pub fn sunlight(&self, height: f32, up: f32) -> Vec3 {
        self.sun_at(GROUND + height, up)
    }

    fn sun_at(&self, radius: f32, up: f32) -> Vec3 {
        self.sun_past(radius, up, 2.0 * DISC)
    }

    /// Sunlight with an edge of the Earth's shadow of the width `edge`, in radians.
    fn sun_past(&self, radius: f32, up: f32, edge: f32) -> Vec3 {
        let seen = ((up - horizon(radius)) / edge + 0.5).clamp(0.0, 1.0);
        if seen == 0.0 {
            return Vec3::ZERO;
        }
        self.left(COLUMNS.at(radius, up)) * smoothstep(seen)
    }

    fn diffuse_at(&self, radius: f32, sun_up: f32) -> Vec3 {
        let height = ((radius - GROUND).max(0.0) / (TOP - GROUND)).sqrt();
        let root = sun_up.abs().sqrt().copysign(sun_up);
        let sun = (root - LOWEST_SUN) / (1.0 - LOWEST_SUN);
        // Below the lowest sun of the table the light keeps fading at the same rate.
        let fade = libm::expf(((root - LOWEST_SUN) * 20.0).min(0.0));
        bilinear(
            &self.diffuse,
            [DIFFUSE_HEIGHTS, DIFFUSE_SUNS],
            [height, sun],
        ) * fade
    }

    /// Multiple scattering, assumed isotropic (Hillaire 2020). Second order scattering is integrated over
    /// rays in all directions; higher orders follow as the geometric series 1 + f + f² + … of the fraction
    /// f that is scattered again.
    fn all_later_scatterings(&self, radius: f32, sun_up: f32) -> Vec3 {
        const CIRCLES: usize = 8;
        const ROUND: usize = 2;
        let sun_level = (1.0 - sun_up * sun_up).max(0.0).sqrt();
        let (mut second, mut again) = (Vec3::ZERO, Vec3::ZERO);
        for ray in 0..CIRCLES * ROUND {
            let up = 1.0 - (2 * (ray / ROUND) + 1) as f32 / CIRCLES as f32;
            // Half a circle is enough, because the sky is symmetric about the sun.
            let turn = std::f32::consts::PI * ((ray % ROUND) as f32 + 0.5) / ROUND as f32;
            let level = (1.0 - up * up).sqrt();
            let toward_sun = level * sun_level * libm::cosf(turn) + up * sun_up;
            let ground = to_ground(radius, up);
            let length = ground.unwrap_or_else(|| to_top(radius, up));
            let mut left = Vec3::ONE;
            for (at, step) in steps(length, 14) {
                let (there, _) = along(radius, up, at);
                let matter = density(there);
                let scattering = RAYLEIGH * matter.x + self.haze * (HAZE_WHITENESS * matter.y);
                let taken = RAYLEIGH * matter.x + self.haze * matter.y + OZONE * matter.z;
                let passed = taken.map(|taken| libm::expf(-taken * step));
                let part = left * scattering * (1.0 - passed) / taken.max(Vec3::splat(1e-9));
                let sun_there = (radius * sun_up + at * toward_sun) / there;
                second += part * self.sun_at(there, sun_there) / (4.0 * std::f32::consts::PI);
                again += part;
                left *= passed;
            }
            if let Some(length) = ground {
                let sun_there = (radius * sun_up + length * toward_sun) / GROUND;
                let lit = self.sun_at(GROUND, sun_there) * sun_there.max(0.0);
                second += left * lit * (ALBEDO / std::f32::consts::PI);
            }
        }
        let rays = (CIRCLES * ROUND) as f32;
        second / rays / (1.0 - again / rays).max(Vec3::splat(0.05))
    }

    /// Ray march the light from the top of the atmosphere to `height` km above the ground. `up` is the sine
    /// of the ray's elevation, `sun_up` that of the sun, and `toward_sun` the cosine between the two.
    pub(super) fn gather(&self, height: f32, up: f32, sun_up: f32, toward_sun: f32) -> Gathered {
        let radius = GROUND + height;
        let phase = rayleigh_phase(toward_sun);
        let mut gathered = Gathered::default();
        let mut left = Vec3::ONE;
        for (at, step) in steps(to_top(radius, up), 48) {
            let (there, _) = along(radius, up, at);
            let matter = density(there);
            let (by_air, by_haze) = (RAYLEIGH * matter.x, self.haze * matter.y);
            let taken = by_air + by_haze + OZONE * matter.z;
            let passed = taken.map(|taken| libm::expf(-taken * step));
            let part = left * (1.0 - passed) / taken.max(Vec3::splat(1e-9));
            let sun_there = (radius * sun_up + at * toward_sun) / there;
            let sun = self.sun_past(there, sun_there, SHADOW_EDGE);
            let scattering = by_air + by_haze * HAZE_WHITENESS;
            gathered.air +=
                part * (by_air * phase * sun + scattering * self.diffuse_at(there, sun_there));
            gathered.haze += part * by_haze * HAZE_WHITENESS * sun;
            left *= passed;
        }
        gathered
    }
}

/// Rayleigh phase function in 1/sr, by the cosine of the scattering angle.
#[must_use]
pub fn rayleigh_phase(cosine: f32) -> f32 {
    3.0 / (16.0 * std::f32::consts::PI) * (1.0 + cosine * cosine)
}

/// Asymmetry parameter of haze, −1…1; positive values scatter forwards.
pub const HAZE_FORWARD: f32 = 0.76;

/// Phase function of haze in 1/sr, by the cosine of the scattering angle (Cornette and Shanks 1992).
#[must_use]
pub fn haze_phase(cosine: f32) -> f32 {
    let g = HAZE_FORWARD;
    let spread = 1.0 + g * g - 2.0 * g * cosine;
    3.0 / (8.0 * std::f32::consts::PI) * (1.0 - g * g) * (1.0 + cosine * cosine)
        / ((2.0 + g * g) * spread * spread.sqrt())
}
