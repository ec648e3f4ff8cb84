//! View of the plants: sizes on the screen, and distances up to which single plants are drawn.

use glam::{DVec3, Vec3};

use super::cast::Caster;
use super::layer::Layer;
use crate::render::view::{Eye, Frustum};
use crate::scene::{CameraMode, Scene};

/// Height in pixels of a layer's plants from which all are drawn, and up to which the last one is.
const ALL: f32 = 16.0;
const LAST: f32 = 4.0;
/// Largest ratio of the distances of the last plant and of where all are drawn.
const THINNING: f32 = 4.0;
/// Ratio of distances over which a plant fades.
pub(super) const FADES: f32 = 1.5;
/// Pixels of the picture for each plant, at least.
const PIXELS: f32 = 40.0;
/// Width of a crown in pixels from which a plant may be a model.
const MODEL: f32 = 40.0;
/// Pixels of the picture for each triangle of models, at least.
const TRIANGLE: f32 = 20.0;

/// A view of plants.
pub(super) struct PlantView {
    /// Position of the eye, in half tiles.
    pub(super) eye: DVec3,
    /// Frustum around an eye at the origin.
    pub(super) frustum: Frustum,
    /// Distance that counts for everything in parallel projection.
    pub(super) counted: Option<f32>,
    /// Tiles along each side, and their sides.
    pub(super) tiles: u32,
    pub(super) side: [f64; 2],
    /// Ways to the corners of the view, at distance 1; in parallel projection the corners.
    pub(super) corners: [Vec3; 4],
    /// Light that casts shadows.
    pub(super) caster: Option<Caster>,
    pub(super) pixels_per_radian: f32,
    /// Level of the sea above the eye, if there is one.
    pub(super) sea: Option<f32>,
    /// True for the view that the sea mirrors.
    pub(super) is_mirrored: bool,
    /// Largest number of triangles of models.
    pub(super) triangles: usize,
    /// Largest number of plants.
    most: f32,
    /// Area of the view: in perspective that within distance 1, else all of it.
    area: f32,
    /// Horizontal distance of the farthest ground that a parallel view shows.
    reach: f32,
}

/// Distances over which the plants of a layer thin out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Reach {
    /// Up to which all are drawn.
    pub(super) all: f32,
    /// Of the last one.
    pub(super) last: f32,
}

impl PlantView {
    /// Create the view of a scene's camera in a picture of `size`, with its eye at a place; tiles have these sides.
    pub(super) fn new(scene: &Scene, size: (u32, u32), place: DVec3, side: [f64; 2]) -> Self {
        let eye = Eye::new(&scene.camera, size).at_origin();
        let caster = Caster::new(&scene.light);
        Self::of_eye(&eye, scene, size, (place, side), caster)
    }

    /// Create the view that the sea mirrors, in a picture of half the sides; `None` if it mirrors nothing.
    pub(super) fn mirrored(
        scene: &Scene,
        size: (u32, u32),
        place: DVec3,
        side: [f64; 2],
    ) -> Option<Self> {
        let level = scene.water_level()?;
        let height = place.y - f64::from(level);
        // From straight above nothing is seen in the water.
        if scene.camera.mode == CameraMode::Top || height <= 0.0 {
            return None;
        }
        let eye = Eye::new(&scene.camera, size).mirrored(0.0).at_origin();
        let below = DVec3::new(place.x, place.y - 2.0 * height, place.z);
        let half = (size.0.div_ceil(2), size.1.div_ceil(2));
        let view = Self::of_eye(&eye, scene, half, (below, side), None);
        Some(Self {
            pixels_per_radian: 0.5 * view.pixels_per_radian,
            triangles: 0,
            is_mirrored: true,
            ..view
        })
    }

    fn of_eye(
        eye: &Eye,
        scene: &Scene,
        size: (u32, u32),
        (place, side): (DVec3, [f64; 2]),
        caster: Option<Caster>,
    ) -> Self {
        let sides = eye.half_sides();
        let (right, up) = (sides.0.length(), sides.1.length());
        let is_parallel = eye.is_parallel();
        let area = match is_parallel {
            true => 4.0 * right * up,
            false => libm::atanf(right),
        };
        Self {
            eye: place,
            frustum: eye.frustum(),
            counted: is_parallel.then_some(scene.camera.distance),
            tiles: scene.view.tile.max(1),
            side,
            corners: [[-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]].map(|[x, y]| {
                let forward = if is_parallel { Vec3::ZERO } else { eye.forward };
                forward + sides.0 * x + sides.1 * y
            }),
            caster,
            pixels_per_radian: eye.pixels_per_radian,
            sea: (scene.water_level()).map(|level| (f64::from(level) - place.y) as f32),
            is_mirrored: false,
            triangles: ((size.0 * size.1) as f32 / TRIANGLE) as usize,
            most: (size.0 * size.1) as f32 / PIXELS,
            area,
            reach: libm::hypotf(right, up),
        }
    }

    /// Distances over which a layer thins out, one of so many.
    pub(super) fn reach(&self, layer: &Layer, layers: usize) -> Reach {
        let seen = layer.height * self.pixels_per_radian;
        let most = self.most / layers.max(1) as f32;
        // Plants per area that is drawn in full: in perspective those that have thinned out as well.
        let widest = match self.counted {
            Some(away) => away * (most / (layer.density * self.area)).sqrt(),
            None => {
                let thinned = 1.0 + 2.0 * libm::logf(THINNING);
                (most / (layer.density * self.area * thinned)).sqrt()
            }
        };
        let all = (seen / ALL).min(widest);
        Reach {
            all,
            last: (seen / LAST).min(THINNING * all),
        }
    }

    /// Distances of a layer for `plants_single` in `common/plants_single.glsl`.
    pub(super) fn single(&self, reach: &Reach) -> [f32; 2] {
        match self.counted {
            Some(away) => [reach.all, -reach.share(away)],
            None => [reach.all, reach.last],
        }
    }

    /// Distance up to which a plant of this radius may be a model.
    pub(super) fn model_until(&self, radius: f32) -> f32 {
        match self.is_mirrored {
            true => 0.0,
            false => 2.0 * radius * self.pixels_per_radian / MODEL,
        }
    }

    /// Horizontal distance up to which a layer's plants may be seen.
    pub(super) fn horizontal(&self, reach: &Reach) -> f32 {
        match self.counted {
            Some(away) if away >= reach.last => 0.0,
            Some(_) => self.reach,
            None => reach.last,
        }
    }
}

impl Reach {
    /// Rank below which plants that far away are drawn at all.
    pub(super) fn share(&self, away: f32) -> f32 {
        match away < self.last {
            true => (self.all / away.max(1e-12)).powi(2),
            false => 0.0,
        }
    }

    /// Opacity of a plant of a rank, 0…1, that far away.
    pub(super) fn opacity(&self, rank: f32, away: f32) -> f32 {
        let by_rank = (self.all / (away * rank.sqrt()) - 1.0) / (FADES - 1.0);
        let last = (self.last / away - 1.0) / (FADES - 1.0);
        by_rank.min(last).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plants_fade_by_rank_without_a_jump() {
        let reach = Reach {
            all: 1.0,
            last: 4.0,
        };
        for rank in [1e-3, 0.1, 0.7, 1.0] {
            let mut before = 1.0;
            for step in 0..500 {
                let away = 0.1 * 1.01_f32.powi(step);
                let opacity = reach.opacity(rank, away);
                assert!(
                    opacity <= before && before - opacity < 0.04,
                    "{rank}, {away}"
                );
                assert_eq!(opacity > 0.0, rank < reach.share(away), "{rank}, {away}");
                before = opacity;
            }
            assert_eq!(before, 0.0);
        }
    }
}
