//! The sun as it casts shadows, and the shadow of a plant.

use glam::Vec3;

use crate::plants::impostor::{ELEVATIONS, half_sides};
use crate::scene::Light;

/// Longest shadow, in heights of the plant.
const LONGEST: f32 = 6.0;

/// Light that casts shadows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Caster {
    /// Unit vector on the ground away from the sun: east, south.
    pub(super) away: [f32; 2],
    /// Elevation of the sun in radians, and its tangent.
    pub(super) elevation: f32,
    pub(super) tangent: f32,
}

/// Shadow of a plant.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cast {
    /// Middle of the shadow, from the eye: east, south.
    pub(super) middle: [f32; 2],
    /// Half its sides, across and along.
    pub(super) half: [f32; 2],
    /// Column of the plant's views in the atlas.
    pub(super) column: f32,
    pub(super) opacity: f32,
    /// Distance of the plant.
    pub(super) away: f32,
}

impl Caster {
    /// The light of a scene, if it casts shadows.
    pub(super) fn new(light: &Light) -> Option<Self> {
        let to_sun = light.direction();
        let across = libm::hypotf(to_sun.x, to_sun.z);
        let is_up = light.shadows && to_sun.y > 0.0;
        is_up.then(|| Self {
            away: [to_sun.x, to_sun.z].map(|part| -part / across.max(1e-6)),
            elevation: libm::asinf(to_sun.y),
            tangent: (to_sun.y / across.max(1e-6)).max(LONGEST.recip()),
        })
    }

    /// The way to the end of the shadow of a plant of this height on level ground: east, south.
    pub(super) fn reach(&self, height: f32) -> [f32; 2] {
        self.away.map(|part| part * height / self.tangent)
    }

    /// Shadow of a plant on ground that rises by `rise` to the end that it would have on level ground.
    pub(super) fn cast(
        &self,
        foot: Vec3,
        [height, radius]: [f32; 2],
        rise: f32,
        column: f32,
        (opacity, away): (f32, f32),
    ) -> Cast {
        let level = height / self.tangent;
        let slope = rise / level;
        let long = height / (self.tangent + slope).max(LONGEST.recip());
        let [_, high] = half_sides(radius / height, self.elevation);
        let stretched = long / level;
        let half = high * height / libm::sinf(self.elevation).max(LONGEST.recip()) * stretched;
        Cast {
            middle: [0, 1].map(|axis| [foot.x, foot.z][axis] + self.away[axis] * 0.5 * long),
            half: [radius, half],
            column,
            opacity,
            away,
        }
    }

    /// Row of the atlas that is nearest to the view of the sun.
    pub(super) fn row(&self) -> f32 {
        let from = |at: &&f32| (**at - self.elevation.to_degrees()).abs();
        let nearest = (ELEVATIONS.iter()).min_by(|one, other| from(one).total_cmp(&from(other)));
        let row = ELEVATIONS.iter().position(|at| Some(at) == nearest);
        row.unwrap_or(0) as f32
    }
}
