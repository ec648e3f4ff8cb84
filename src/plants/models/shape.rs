//! Builder of models: random numbers, triangles and tapered tubes.

use glam::Vec3;

use super::snow::held;
use super::{Model, ModelVertex};
use crate::scene::PlantKind;
use crate::util::rng::{Stage, Stream, mix, unit};

/// Twice the area below which a triangle is left out.
const LEAST_AREA: f32 = 1e-7;

/// Model while it grows.
pub struct Shape {
    vertices: Vec<ModelVertex>,
    triangles: Vec<[u32; 3]>,
    /// Key and counter of the random numbers.
    random: (u64, u64),
}

/// Cross-section of a tube.
#[derive(Clone, Copy)]
pub struct Ring {
    pub center: Vec3,
    pub radius: f32,
    pub color: Vec3,
    pub sway: f32,
}

impl Shape {
    /// Create an empty shape with the random numbers of a variant of a kind.
    pub fn new(kind: PlantKind, variant: u32) -> Self {
        let stream = Stream::new(0, Stage::PlantModels, kind as u32);
        Self {
            vertices: Vec::new(),
            triangles: Vec::new(),
            random: (stream.row_key(variant.into()).0, 0),
        }
    }

    /// Draw a random number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        let (key, count) = &mut self.random;
        *count += 1;
        low + (high - low) * unit((mix(*key ^ *count) >> 32) as u32)
    }

    /// Draw a random direction.
    pub fn direction(&mut self) -> Vec3 {
        let y = self.between(-1.0, 1.0);
        let turn = self.between(0.0, std::f32::consts::TAU);
        around(turn) * (1.0 - y * y).sqrt() + Vec3::Y * y
    }

    pub fn vertex(&mut self, position: Vec3, normal: Vec3, color: Vec3, sway: f32) -> u32 {
        self.vertices.push(ModelVertex {
            position: position.into(),
            normal: normal.into(),
            color: color.clamp(Vec3::ZERO, Vec3::ONE).into(),
            sway: sway.clamp(0.0, 1.0),
            snow: 0.0,
        });
        self.vertices.len() as u32 - 1
    }

    pub fn triangle(&mut self, corners: [u32; 3]) {
        self.triangles.push(corners);
    }

    /// Add two triangles between the corners of a quadrilateral, in order around it.
    pub fn quad(&mut self, [a, b, c, d]: [u32; 4]) {
        self.triangle([a, b, c]);
        self.triangle([a, c, d]);
    }

    /// Add a tube through rings of `sides` vertices each.
    pub fn tube(&mut self, rings: &[Ring], sides: u32) {
        let mut last: Option<u32> = None;
        for (index, ring) in rings.iter().enumerate() {
            let before = rings[index.saturating_sub(1)].center;
            let after = rings[(index + 1).min(rings.len() - 1)].center;
            let [u, v] = across((after - before).normalize_or(Vec3::Y));
            let first = self.vertices.len() as u32;
            for side in 0..sides {
                let turn = std::f32::consts::TAU * side as f32 / sides as f32;
                let (sine, cosine) = libm::sincosf(turn);
                let normal = u * cosine + v * sine;
                let place = ring.center + normal * ring.radius;
                self.vertex(place, normal, ring.color, ring.sway);
            }
            if let Some(last) = last {
                for side in 0..sides {
                    let next = (side + 1) % sides;
                    self.quad([last + side, last + next, first + next, first + side]);
                }
            }
            last = Some(first);
        }
    }

    /// Scale the shape to a height of 1 and the radius of its kind, and let snow hold on it.
    pub fn into_model(mut self, kind: PlantKind) -> Model {
        let radius = kind.radius();
        let mut vertices = std::mem::take(&mut self.vertices);
        let places = || vertices.iter().map(|vertex| Vec3::from(vertex.position));
        let top = places().fold(0.0, |top, place| place.y.max(top));
        let widest = places().fold(0.0, |most, place| place.with_y(0.0).length().max(most));
        let scale = Vec3::new(radius / widest, 1.0 / top, radius / widest);
        for vertex in &mut vertices {
            vertex.position = (Vec3::from(vertex.position) * scale).into();
            let normal = Vec3::from(vertex.normal) / scale;
            vertex.normal = normal.normalize_or(Vec3::Y).into();
            vertex.snow = held(kind, vertex.normal[1], self.between(0.0, 1.0));
        }
        let has_area = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|at| Vec3::from(vertices[at as usize].position));
            (b - a).cross(c - a).length() > LEAST_AREA
        };
        // Programs that light both sides turn the normals of the back: the front is the side that they point to.
        let to_front = |corners: [u32; 3]| {
            let [a, b, c] = corners.map(|at| vertices[at as usize]);
            let place = |vertex: ModelVertex| Vec3::from(vertex.position);
            let across = (place(b) - place(a)).cross(place(c) - place(a));
            let normal: Vec3 = [a, b, c]
                .map(|vertex| Vec3::from(vertex.normal))
                .iter()
                .sum();
            let [first, second, third] = corners;
            match across.dot(normal) < 0.0 {
                true => [first, third, second],
                false => corners,
            }
        };
        let triangles = self.triangles.into_iter().filter(has_area).map(to_front);
        let triangles = triangles.collect();
        Model {
            vertices,
            triangles,
        }
    }
}

/// Horizontal direction at an angle in radians.
pub fn around(turn: f32) -> Vec3 {
    let (sine, cosine) = libm::sincosf(turn);
    Vec3::new(cosine, 0.0, sine)
}

/// Two directions square to `along` and to each other.
pub fn across(along: Vec3) -> [Vec3; 2] {
    let other = if along.y.abs() < 0.9 {
        Vec3::Y
    } else {
        Vec3::X
    };
    let u = along.cross(other).normalize_or(Vec3::Z);
    [u, along.cross(u)]
}

/// Share of the way from `low` to `high`, 0…1.
pub fn share(low: f32, high: f32, at: f32) -> f32 {
    ((at - low) / (high - low)).clamp(0.0, 1.0)
}
