//! View transforms: matrices and culling frustum of the scene's camera, frames, and plan view.
//!
//! Frames are parts of a picture, for pictures larger than any buffer, supersampling and transparency. A piece
//! is drawn with the viewport of the whole picture, offset so that the piece lies in the buffer. Shaders see
//! the same clip space and derivatives as in one piece, so the pixels are identical. Known artefact: one in a
//! thousand pixels of textured ground is off by a rounding, where the driver counts from the buffer's corner.
//!
//! Within its buffer a piece may be drawn rectangle by rectangle. This changes only the scissor, so those
//! pixels are identical to the last bit.

use glam::{Mat3, Mat4, Vec2, Vec3, Vec4, Vec4Swizzles};
use glium::Rect;

use crate::pipeline::Depth;
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

/// Margin in pixels for primitives wider than their geometry, such as lines.
const MARGIN: f32 = 4.0;

/// A rectangle by its lower left corner and its size.
pub(super) fn rect([left, bottom]: [u32; 2], (width, height): (u32, u32)) -> Rect {
    Rect {
        left,
        bottom,
        width,
        height,
    }
}

/// A part of a picture. Pixels are counted from the lower left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Frame {
    /// Size of the whole picture.
    pub(crate) whole: (u32, u32),
    /// First column and row of the part.
    pub(crate) origin: [u32; 2],
    /// Size of the part.
    pub(crate) size: (u32, u32),
    /// Subpixel offset, in pixels.
    pub(crate) jitter: Vec2,
    /// True to leave out everything behind the landscape.
    pub(crate) transparent: bool,
    /// True to show the uploaded mask, if any, over the ground.
    pub(crate) masked: bool,
    /// True if the ground is ray cast.
    pub(crate) walked: bool,
    /// Depth of the visible refinement, if the ground is refined.
    pub(crate) depth: Option<Depth>,
    /// True for a picture in motion of refined ground, see `ProgressiveFrame::previewed`.
    pub(crate) preview: bool,
    /// Size to which the picture will be enlarged before text is drawn over it.
    pub(crate) enlarged: Option<(u32, u32)>,
    /// Current rectangle within the part, the rest is kept; `None` for all of it.
    pub(crate) drawn: Option<Rect>,
}

impl Frame {
    /// A whole picture.
    pub(crate) fn whole(size: (u32, u32)) -> Self {
        Self {
            whole: size,
            origin: [0, 0],
            size,
            jitter: Vec2::ZERO,
            transparent: false,
            masked: false,
            walked: false,
            depth: None,
            preview: false,
            enlarged: None,
            drawn: None,
        }
    }

    fn is_whole(&self) -> bool {
        self.size == self.whole
    }

    /// Viewport of the whole picture, relative to the part; `None` for the default.
    pub(crate) fn viewport(&self) -> Option<Rect> {
        // glium passes these values to OpenGL as signed integers.
        let before = |origin: u32| (origin as i32).wrapping_neg() as u32;
        (!self.is_whole()).then(|| rect(self.origin.map(before), self.whole))
    }

    /// The subpixel offset in clip space.
    pub(crate) fn shift(&self) -> Vec2 {
        self.jitter * 2.0 / Vec2::new(self.whole.0 as f32, self.whole.1 as f32)
    }

    /// Current rectangle, counted from the lower left of the part.
    pub(crate) fn rectangle(&self) -> Rect {
        self.drawn.unwrap_or(rect([0, 0], self.size))
    }

    /// Lower left and upper right corner of the current rectangle in clip space, with a margin for wide
    /// primitives; `None` for the whole picture.
    pub(crate) fn part(&self) -> Option<(Vec2, Vec2)> {
        if self.is_whole() && self.drawn.is_none() {
            return None;
        }
        let drawn = self.rectangle();
        let whole = Vec2::new(self.whole.0 as f32, self.whole.1 as f32);
        let origin = Vec2::new(self.origin[0] as f32, self.origin[1] as f32);
        let low = origin + Vec2::new(drawn.left as f32, drawn.bottom as f32);
        let high = low + Vec2::new(drawn.width as f32, drawn.height as f32);
        let clip = |pixel: Vec2| pixel * 2.0 / whole - 1.0;
        Some((clip(low - MARGIN), clip(high + MARGIN)))
    }

    /// Bounding rectangle of a box in the part.
    pub(crate) fn place(&self, bounds: &Bounds, clip_from_world: Mat4) -> Rect {
        let whole = Vec2::new(self.whole.0 as f32, self.whole.1 as f32);
        let origin = Vec2::new(self.origin[0] as f32, self.origin[1] as f32);
        let size = Vec2::new(self.size.0 as f32, self.size.1 as f32);
        let corners = bounds
            .corners()
            .map(|corner| clip_from_world * corner.extend(1.0));
        // Clip at the near plane: corners in front of it, and intersections of edges with it.
        let before = |corner: Vec4| corner.z + corner.w;
        let edges = (0..corners.len()).flat_map(|a| [1, 2, 4].map(|axis| (a, a ^ axis)));
        let edges = edges.map(|(a, b)| (corners[a], corners[b]));
        let cut = edges.filter(|(a, b)| before(*a) > 0.0 && before(*b) < 0.0);
        let cut = cut.map(|(a, b)| a.lerp(b, before(a) / (before(a) - before(b))));
        let left = corners.into_iter().filter(|corner| before(*corner) >= 0.0);
        let nowhere = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        let (low, high) = (left.chain(cut))
            .map(|corner| corner.xy() / corner.w)
            .fold(nowhere, |(low, high), at| (low.min(at), high.max(at)));
        let pixel = |clip: Vec2, margin: f32| {
            let pixel = (clip + 1.0) * 0.5 * whole - origin + margin;
            pixel.clamp(Vec2::ZERO, size)
        };
        let (low, high) = (pixel(low, -MARGIN).floor(), pixel(high, MARGIN).ceil());
        let [width, height] = [high.x - low.x, high.y - low.y].map(|side| side.max(0.0) as u32);
        rect([low.x as u32, low.y as u32], (width, height))
    }
}

/// Fraction of the picture's shorter side left free around the tiles.
const FLAT_MARGIN: f32 = 0.04;

/// Fraction of a picture of `size` pixels, along x and y, that tiles of `side` fill: centred, undistorted,
/// and aligned to pixels.
#[must_use]
pub fn flat_rectangle(side: [f32; 2], size: (u32, u32)) -> [f32; 2] {
    let picture = [size.0 as f32, size.1 as f32];
    let margin = 2.0 * (FLAT_MARGIN * picture[0].min(picture[1])).round();
    let scale = (0..2)
        .map(|axis| (picture[axis] - margin).max(1.0) / side[axis].max(1e-6))
        .fold(f32::INFINITY, f32::min);
    [0, 1].map(|axis: usize| {
        // Same parity as the picture, so that both margins are equal.
        let pixels = side[axis] * scale;
        let odd = picture[axis] % 2.0;
        let pixels = ((pixels - odd) * 0.5).round() * 2.0 + odd;
        pixels.clamp(1.0, picture[axis]) / picture[axis]
    })
}

/// World to clip space of `tiles` × `tiles` tiles with these sides, in a picture of `size` with a subpixel
/// `shift`: x to the right, z downwards.
pub(crate) fn flat_clip_from_world(
    side: [f32; 2],
    tiles: u32,
    size: (u32, u32),
    shift: Vec2,
) -> Mat4 {
    let filled = flat_rectangle(side, size);
    let scale = |axis: usize| 2.0 * filled[axis] / (side[axis] * tiles as f32);
    Mat4::from_cols_array_2d(&[
        [scale(0), 0.0, 0.0, 0.0],
        [0.0, 0.0, 0.0, 0.0],
        [0.0, -scale(1), 0.0, 0.0],
        [shift.x, shift.y, 0.0, 1.0],
    ])
}

/// Positions of tiles in plan view, in pixels, y down.
pub(crate) struct FlatView {
    first: [f32; 2],
    /// Width and height of a tile.
    pub(crate) tile: [f32; 2],
    tiles: u32,
    side: [f32; 2],
}

impl FlatView {
    /// The view of `tiles` × `tiles` tiles of a map with these sides, in a picture of `size`.
    pub(crate) fn new(side: [f32; 2], tiles: u32, size: (u32, u32)) -> Self {
        let filled = flat_rectangle(side, size);
        let picture = [size.0 as f32, size.1 as f32];
        Self {
            first: [0, 1].map(|i: usize| picture[i] * (1.0 - filled[i]) * 0.5),
            tile: [0, 1].map(|i: usize| picture[i] * filled[i] / tiles as f32),
            tiles,
            side,
        }
    }

    /// North-west corners of all tiles.
    pub(crate) fn corners(&self) -> Vec<[f32; 2]> {
        let all = (0..self.tiles).flat_map(|z| (0..self.tiles).map(move |x| [x as f32, z as f32]));
        all.map(|at| [0, 1].map(|i: usize| self.first[i] + at[i] * self.tile[i]))
            .collect()
    }

    /// Pixel of a position on the ground, given as x and z.
    pub(crate) fn pixel(&self, place: [f32; 2]) -> [f32; 2] {
        [0, 1].map(|i: usize| self.first[i] + (place[i] / self.side[i] + 0.5) * self.tile[i])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn visible_part_of_a_box_lies_in_place() {
        let view = Mat4::look_to_rh(
            Vec3::new(0.1, 0.3, 0.2),
            Vec3::new(0.5, -0.3, -1.0),
            Vec3::Y,
        );
        let clip = Mat4::perspective_rh_gl(1.0, 1.5, 0.05, 20.0) * view;
        let part = Frame {
            origin: [128, 64],
            size: (500, 333),
            ..Frame::whole((900, 600))
        };
        let mut small = 0;
        for place in 0..125 {
            // Boxes around the eye, behind it, in front of it and to its side.
            let place = [place % 5, place / 5 % 5, place / 25];
            let low = Vec3::from_array(place.map(|at| at as f32 * 0.6 - 1.5));
            let bounds = Bounds {
                low,
                high: low + Vec3::new(0.7, 0.4, 0.7),
            };
            let rect = part.place(&bounds, clip);
            small += u32::from(rect.width * rect.height < 500 * 333 / 2);
            for point in 0..1331 {
                let at = [point % 11, point / 11 % 11, point / 121];
                let at = Vec3::from_array(at.map(|at| at as f32 / 10.0));
                let at = clip * (low + (bounds.high - low) * at).extend(1.0);
                let pixel = (at.xy() / at.w + 1.0) * 0.5 * Vec2::new(900.0, 600.0);
                let pixel = pixel - Vec2::new(128.0, 64.0);
                let is_seen = at.z >= -at.w
                    && pixel.cmpge(Vec2::ZERO).all()
                    && pixel.cmplt(Vec2::new(500.0, 333.0)).all();
                let (x, y) = (pixel.x as u32, pixel.y as u32);
                let is_within = (rect.left..rect.left + rect.width).contains(&x)
                    && (rect.bottom..rect.bottom + rect.height).contains(&y);
                assert!(!is_seen || is_within, "{bounds:?}: {pixel} not in {rect:?}");
            }
        }
        // The bound must be tighter than the whole picture.
        assert!(small > 60, "{small}");
    }
}
