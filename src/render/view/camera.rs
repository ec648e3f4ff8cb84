//! View transforms: matrices and culling frustum of the scene's camera.

use glam::{Mat3, Mat4, Vec2, Vec3, Vec4};

use crate::scene::{Camera, CameraMode};

/// Minimum distance of the near plane, in half tiles.
const NEAREST: f32 = 0.0005;

/// A camera for a picture of a given size.
#[derive(Clone, Copy, Debug)]
pub struct Eye {
    /// Position, in half tiles.
    pub position: Vec3,
    /// Unit vector of the view direction.
    pub forward: Vec3,
    /// Pixels per radian at the centre of the picture.
    pub pixels_per_radian: f32,
    view_from_world: Mat4,
    fov_y_rad: f32,
    aspect: f32,
    /// Half the height of the view of a parallel camera looking straight down, in half tiles.
    parallel: Option<f32>,
    /// Offset of the whole picture, in clip space.
    jitter: Vec2,
}

/// An axis-aligned box in world space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Minimum x, y and z.
    pub low: Vec3,
    /// Maximum x, y and z.
    pub high: Vec3,
}

impl Bounds {
    /// The eight corners.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        std::array::from_fn(|corner| {
            let axes = [0, 1, 2].map(|axis| corner >> axis & 1 == 1);
            Vec3::select(glam::BVec3::from_array(axes), self.high, self.low)
        })
    }

    /// Distance from `point`, 0 inside.
    #[must_use]
    pub fn distance(&self, point: Vec3) -> f32 {
        point.distance(point.clamp(self.low, self.high))
    }

    /// Horizontal distance from `point`, 0 above and below.
    #[must_use]
    pub fn horizontal_distance(&self, point: Vec3) -> f32 {
        let point = Vec2::new(point.x, point.z);
        point.distance(point.clamp(
            Vec2::new(self.low.x, self.low.z),
            Vec2::new(self.high.x, self.high.z),
        ))
    }

    /// Distance of the farthest corner from `point`.
    #[must_use]
    pub fn farthest(&self, point: Vec3) -> f32 {
        (point - self.low)
            .abs()
            .max((point - self.high).abs())
            .length()
    }
}

impl Eye {
    /// The eye of `camera` for a picture of `size`.
    #[must_use]
    pub fn new(camera: &Camera, size: (u32, u32)) -> Self {
        let (position, forward) = (camera.eye().as_vec3(), camera.forward());
        // Derived from the bearing alone, so that up is defined for vertical views as well.
        let bearing = camera.bearing.to_radians();
        let up = Vec3::new(bearing.cos(), 0.0, bearing.sin()).cross(forward);
        Self {
            position,
            forward,
            view_from_world: Mat4::look_to_rh(position, forward, up),
            pixels_per_radian: size.1 as f32 * 0.5 / (camera.fov.to_radians() * 0.5).tan(),
            fov_y_rad: camera.fov.to_radians(),
            aspect: size.0 as f32 / size.1 as f32,
            parallel: (camera.mode == CameraMode::Top)
                .then(|| camera.distance * (camera.fov.to_radians() * 0.5).tan()),
            jitter: Vec2::ZERO,
        }
    }

    /// Set the subpixel offset, in clip space.
    #[must_use]
    pub fn shifted(self, jitter: Vec2) -> Self {
        Self { jitter, ..self }
    }

    /// Move the eye to the origin of the world.
    #[must_use]
    pub fn at_origin(self) -> Self {
        let turned = Mat3::from_mat4(self.view_from_world);
        Self {
            position: Vec3::ZERO,
            view_from_world: Mat4::from_mat3(turned),
            ..self
        }
    }

    /// The eye mirrored at a water level, for the reflection (upside down).
    #[must_use]
    pub fn mirrored(self, level: f32) -> Self {
        let mirror = |v: Vec3, level: f32| Vec3::new(v.x, 2.0 * level - v.y, v.z);
        let moved = Mat4::from_translation(Vec3::Y * 2.0 * level);
        let flipped = moved * Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0));
        Self {
            position: mirror(self.position, level),
            forward: mirror(self.forward, 0.0),
            view_from_world: self.view_from_world * flipped,
            ..self
        }
    }

    /// World to clip space for depths between `near` and `far`. In parallel projection, everything up to
    /// `far` behind the eye is included as well.
    #[must_use]
    pub fn clip_from_world(&self, near: f32, far: f32) -> Mat4 {
        self.shift(self.projection(near, far) * self.view_from_world)
    }

    /// World to clip space, always in perspective: for the sky, which surrounds the eye.
    #[must_use]
    pub fn clip_from_sky(&self, near: f32, far: f32) -> Mat4 {
        self.shift(self.perspective(near, far) * self.view_from_world)
    }

    /// Ray through the lower left corner of a piece of a picture, and its change per pixel to the right and
    /// up. Each is an origin relative to the eye, and a direction of length 1 along the view.
    #[must_use]
    pub fn rays(&self, whole: (u32, u32), origin: [u32; 2]) -> [(Vec3, Vec3); 3] {
        let (right, up) = self.half_sides();
        let [width, height] = [whole.0, whole.1].map(|side| 2.0 / side as f32);
        let corner =
            |axis: usize, pixel: f32| origin[axis] as f32 * pixel - 1.0 - self.jitter[axis];
        let off = right * corner(0, width) + up * corner(1, height);
        let by = [off, right * width, up * height];
        if self.is_parallel() {
            [
                (by[0], self.forward),
                (by[1], Vec3::ZERO),
                (by[2], Vec3::ZERO),
            ]
        } else {
            [self.forward + by[0], by[1], by[2]].map(|way| (Vec3::ZERO, way))
        }
    }

    fn shift(&self, clip: Mat4) -> Mat4 {
        match self.jitter {
            Vec2::ZERO => clip,
            jitter => Mat4::from_translation(jitter.extend(0.0)) * clip,
        }
    }

    fn perspective(&self, near: f32, far: f32) -> Mat4 {
        Mat4::perspective_rh_gl(self.fov_y_rad, self.aspect, near, far)
    }

    fn projection(&self, near: f32, far: f32) -> Mat4 {
        let Some(up) = self.parallel else {
            return self.perspective(near, far);
        };
        let right = up * self.aspect;
        Mat4::orthographic_rh_gl(-right, right, -up, up, -far, far)
    }

    /// Vectors from the centre of the picture to its right edge and to its top, at distance 1 along the view;
    /// in parallel projection, at any distance.
    #[must_use]
    pub fn half_sides(&self) -> (Vec3, Vec3) {
        let half = self
            .parallel
            .unwrap_or_else(|| (self.fov_y_rad * 0.5).tan());
        let axis = |row: usize| self.view_from_world.row(row).truncate();
        (axis(0) * half * self.aspect, axis(1) * half)
    }

    /// Range of distances used for sizes that depend on the distance. In parallel projection everything
    /// counts as about as far as the target.
    #[must_use]
    pub fn counted_away(&self) -> [f32; 2] {
        let away = self
            .parallel
            .map(|half| half / (self.fov_y_rad * 0.5).tan());
        away.map_or([0.0, f32::MAX], |away| [0.5 * away, 2.0 * away])
    }

    /// True for parallel projection.
    #[must_use]
    pub fn is_parallel(&self) -> bool {
        self.parallel.is_some()
    }

    /// Offset of the whole picture, in clip space.
    #[must_use]
    pub fn jitter(&self) -> Vec2 {
        self.jitter
    }

    /// Near and far plane for ground between the distances `nearest` and `farthest`: as close together as
    /// possible, for depth precision.
    #[must_use]
    pub fn depth_range(&self, nearest: f32, farthest: f32) -> (f32, f32) {
        // The corners of the near plane are farther away than its centre.
        let half = (self.fov_y_rad * 0.5).tan();
        let corner = (1.0 + half * half * (1.0 + self.aspect * self.aspect)).sqrt();
        let near = (nearest / corner * 0.9).clamp(NEAREST, 10.0);
        (near, (farthest * 1.01).max(near * 2.0))
    }

    /// View frustum: the four side planes and the plane of the eye, normals inwards.
    #[must_use]
    pub fn frustum(&self) -> Frustum {
        self.part_frustum(Vec2::splat(-1.0), Vec2::splat(1.0))
    }

    /// View frustum of the part of the picture between two corners in clip space.
    #[must_use]
    pub fn part_frustum(&self, low: Vec2, high: Vec2) -> Frustum {
        let m = (self.projection(NEAREST, 1000.0) * self.view_from_world).transpose();
        Frustum {
            planes: [
                m.x_axis - m.w_axis * low.x,
                m.w_axis * high.x - m.x_axis,
                m.y_axis - m.w_axis * low.y,
                m.w_axis * high.y - m.y_axis,
                m.w_axis,
            ],
        }
    }
}

/// View frustum without near and far plane.
#[derive(Clone, Copy, Debug)]
pub struct Frustum {
    planes: [Vec4; 5],
}

impl Frustum {
    /// True if any part of the box may be visible (conservative).
    #[must_use]
    pub fn touches(&self, bounds: &Bounds) -> bool {
        self.planes.iter().all(|plane| {
            let normal = plane.truncate();
            let corner = Vec3::select(normal.cmpge(Vec3::ZERO), bounds.high, bounds.low);
            normal.dot(corner) + plane.w >= 0.0
        })
    }
}
