//! Lobes of leaves: the foliage of broadleaf trees and shrubs.

use glam::Vec3;

use super::shape::{Shape, across, share};

/// Height above which leaves are.
const LOWEST: f32 = 0.01;

/// Ellipsoid of foliage at the end of a branch.
#[derive(Clone, Copy)]
pub struct Lobe {
    pub center: Vec3,
    pub radii: Vec3,
}

/// Foliage of a crown.
pub struct Foliage {
    /// Point away from which the crown faces the light.
    pub heart: Vec3,
    /// Half axes of the crown.
    pub extent: Vec3,
    /// Heights of the lower and upper end of the crown.
    pub ends: [f32; 2],
    /// Darkest and brightest colour of leaves.
    pub colors: [Vec3; 2],
    /// Length of a leaf.
    pub leaf: f32,
    /// Sway of the foliage at the top.
    pub sway: f32,
}

impl Foliage {
    /// Colour at a place `depth` (0 inside, 1 outside) of a lobe, `up` (−1…1) on it.
    fn color(&self, place: Vec3, depth: f32, up: f32, tone: f32) -> Vec3 {
        let height = share(self.ends[0], self.ends[1], place.y);
        let out = share(0.15, 0.85, ((place - self.heart) / self.extent).length());
        let light = (0.30 + 0.70 * depth)
            * (0.60 + 0.40 * out)
            * (0.66 + 0.34 * height)
            * (0.84 + 0.16 * up);
        self.colors[0].lerp(self.colors[1], tone) * light
    }

    fn sway(&self, place: Vec3) -> f32 {
        self.sway * (0.25 + 0.75 * share(0.0, self.ends[1], place.y))
    }

    /// Normal at a place that lies `out` from the middle of its lobe.
    fn normal(&self, place: Vec3, out: Vec3) -> Vec3 {
        let from_heart = (place - self.heart).normalize_or(Vec3::Y);
        (from_heart * 0.55 + out.normalize_or(Vec3::Y) * 0.6 + Vec3::Y * 0.15).normalize_or(Vec3::Y)
    }

    /// Add a leaf cluster: a pointed triangle from `place` along `along`.
    pub fn leaf(&self, shape: &mut Shape, place: Vec3, along: Vec3, facing: Vec3, light: [f32; 3]) {
        let [depth, up, size] = light;
        let tone = shape.between(0.0, 1.0);
        let length = self.leaf * size * shape.between(0.75, 1.3);
        let side = along.cross(facing).normalize_or(across(along)[0]);
        let wide = side * (length * shape.between(0.28, 0.42));
        let skew = along * (length * shape.between(-0.3, 0.3));
        let bend = facing * (length * shape.between(-0.18, 0.1));
        let normal = self.normal(place, facing + (place - self.heart) * 0.2);
        let corners = [
            (place + wide + skew, depth * 0.85),
            (place - wide - skew, depth * 0.85),
            (place + along * length + bend, (depth * 1.15).min(1.1)),
        ];
        let corners = corners.map(|(at, depth)| {
            let at = at.with_y(at.y.max(LOWEST));
            let tilted = (normal + (at - place) * (0.3 / length)).normalize_or(normal);
            let color = self.color(at, depth, up, tone);
            shape.vertex(at, tilted, color, self.sway(at))
        });
        shape.triangle(corners);
    }

    /// Fill a lobe with leaves.
    pub fn lobe(&self, shape: &mut Shape, lobe: Lobe, leaves: u32, size: f32) {
        for _ in 0..leaves {
            let out = shape.direction();
            // Few leaves are inside, where they are not seen.
            let depth = 1.0 - 0.6 * shape.between(0.0, 1.0) * shape.between(0.0, 1.0);
            let place = lobe.center + out * lobe.radii * depth;
            let facing = (out + shape.direction() * 0.7).normalize_or(Vec3::Y);
            let [u, v] = across(facing);
            let turn = shape.between(0.0, std::f32::consts::TAU);
            let (sine, cosine) = libm::sincosf(turn);
            // Leaves hang.
            let along = u * cosine + v * sine + out * 0.35 - Vec3::Y * 0.45;
            let along = along.normalize_or(out);
            self.leaf(
                shape,
                place - along * (self.leaf * size * 0.5),
                along,
                facing,
                [share(0.4, 1.0, depth), out.y, size],
            );
        }
    }

    /// Add an octahedron of dark leaves, so that a crown is not seen through.
    pub fn core(&self, shape: &mut Shape, lobe: Lobe, light: [f32; 2]) {
        let turn = shape.between(0.0, std::f32::consts::TAU);
        let [inner, outer] = light;
        let corner = |shape: &mut Shape, out: Vec3| {
            let far = shape.between(0.65, 1.3);
            let place = lobe.center + out * lobe.radii * far;
            let place = place.with_y(place.y.max(LOWEST));
            let depth = if out.y > 0.0 { outer } else { inner };
            let color = self.color(place, depth, out.y, shape.between(0.0, 0.6));
            shape.vertex(place, self.normal(place, out), color, self.sway(place))
        };
        let top = corner(shape, Vec3::Y);
        let bottom = corner(shape, -Vec3::Y);
        let sides = [0.0, 1.0, 2.0, 3.0].map(|quarter: f32| {
            let tilt = shape.between(-0.35, 0.35);
            let turn = turn + quarter * std::f32::consts::FRAC_PI_2 + tilt;
            let tilt = shape.between(-0.3, 0.3);
            corner(
                shape,
                (super::shape::around(turn) + Vec3::Y * tilt).normalize_or(Vec3::X),
            )
        });
        for side in 0..4 {
            let next = sides[(side + 1) % 4];
            shape.triangle([top, sides[side], next]);
            shape.triangle([bottom, next, sides[side]]);
        }
    }
}
