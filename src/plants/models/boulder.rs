//! Boulder: a subdivided icosahedron from which planes cut pieces, with flat faces.

use glam::Vec3;

use super::ModelDetail;
use super::shape::{Shape, across, around, share};

const ROCK: Vec3 = Vec3::new(0.22, 0.21, 0.19);
const LICHEN: Vec3 = Vec3::new(0.20, 0.205, 0.145);

/// Points closer than this become one.
const SHORTEST: f32 = 0.012;

type Face = Vec<Vec3>;

pub fn grow(shape: &mut Shape, detail: ModelDetail) {
    let (finer, cuts) = match detail {
        ModelDetail::Near => (4, 14),
        ModelDetail::Far => (1, 9),
    };
    let stretch = Vec3::new(
        shape.between(0.95, 1.2),
        shape.between(0.85, 1.0),
        shape.between(0.8, 1.0),
    );
    let mut faces: Vec<Face> = sphere(finer)
        .into_iter()
        .map(|face| face.map(|place| place * stretch).to_vec())
        .collect();
    let mut turn = shape.between(0.0, std::f32::consts::TAU);
    for number in 0..cuts {
        turn += 2.4 + shape.between(-0.4, 0.4);
        let up = if number < 2 {
            shape.between(0.7, 1.5)
        } else {
            shape.between(-0.35, 0.8)
        };
        let normal = (around(turn) + Vec3::Y * up).normalize_or(Vec3::X);
        // The first cuts are the large faces of the block.
        let away = if number < 6 {
            shape.between(0.62, 0.82)
        } else {
            shape.between(0.74, 0.93)
        };
        let support = (normal * stretch).length();
        faces = cut(faces, normal, away * support);
    }
    // The ground hides the rest.
    let foot = -0.42;
    faces = cut(faces, -Vec3::Y, -(foot - 0.12));
    weld(&mut faces);
    for face in &mut faces {
        for place in face {
            place.y -= foot;
        }
    }
    for face in &faces {
        paint(shape, face);
    }
}

/// Triangles of a sphere: an icosahedron whose faces are divided `finer` times along each edge.
fn sphere(finer: u32) -> Vec<[Vec3; 3]> {
    let golden = (1.0 + 5.0_f32.sqrt()) / 2.0;
    let mut corners = Vec::new();
    for a in [-1.0, 1.0] {
        for b in [-golden, golden] {
            corners.extend([
                Vec3::new(0.0, a, b),
                Vec3::new(a, b, 0.0),
                Vec3::new(b, 0.0, a),
            ]);
        }
    }
    let near = |a: usize, b: usize| (corners[a] - corners[b]).length() < 2.01;
    let mut faces = Vec::new();
    for a in 0..12 {
        for b in a + 1..12 {
            for c in b + 1..12 {
                if near(a, b) && near(b, c) && near(a, c) {
                    faces.push([corners[a], corners[b], corners[c]]);
                }
            }
        }
    }
    let divided = faces.into_iter().flat_map(|[a, b, c]| {
        let place = move |i: u32, j: u32| {
            let (i, j) = (i as f32 / finer as f32, j as f32 / finer as f32);
            (a + (b - a) * i + (c - a) * j).normalize()
        };
        (0..finer).flat_map(move |i| {
            (0..finer - i).flat_map(move |j| {
                let up = [place(i, j), place(i + 1, j), place(i, j + 1)];
                let down = [place(i + 1, j), place(i + 1, j + 1), place(i, j + 1)];
                std::iter::once(up).chain((i + j + 1 < finer).then_some(down))
            })
        })
    });
    divided.collect()
}

/// Cut off what lies beyond a plane, and close the cut.
fn cut(faces: Vec<Face>, normal: Vec3, away: f32) -> Vec<Face> {
    let over = |place: Vec3| place.dot(normal) - away;
    let mut kept = Vec::new();
    let mut rim: Vec<Vec3> = Vec::new();
    for face in faces {
        let mut left = Vec::new();
        for (index, &here) in face.iter().enumerate() {
            let next = face[(index + 1) % face.len()];
            let (from, to) = (over(here), over(next));
            if from <= 0.0 {
                left.push(here);
            }
            if (from <= 0.0) != (to <= 0.0) {
                let place = here + (next - here) * (from / (from - to));
                left.push(place);
                rim.push(place);
            }
        }
        if left.len() >= 3 {
            kept.push(left);
        }
    }
    if rim.len() >= 3 {
        let middle = rim.iter().sum::<Vec3>() / rim.len() as f32;
        let [u, v] = across(normal);
        let angle = |place: &Vec3| libm::atan2f((*place - middle).dot(v), (*place - middle).dot(u));
        rim.sort_by(|a, b| angle(a).total_cmp(&angle(b)));
        kept.push(rim);
    }
    kept
}

/// Make points that are close to each other one, for all faces alike so that none gape.
fn weld(faces: &mut Vec<Face>) {
    let mut points: Vec<Vec3> = Vec::new();
    for face in faces.iter_mut() {
        for place in face.iter_mut() {
            let is_near = |point: &&Vec3| (**point - *place).length() < SHORTEST;
            match points.iter().find(is_near) {
                Some(point) => *place = *point,
                None => points.push(*place),
            }
        }
        face.dedup();
        while face.len() > 1 && face[0] == face[face.len() - 1] {
            face.pop();
        }
    }
    faces.retain(|face| face.len() >= 3);
}

fn paint(shape: &mut Shape, face: &Face) {
    let middle = face.iter().sum::<Vec3>() / face.len() as f32;
    // Newell's normal of a polygon.
    let pairs = face.iter().zip(face.iter().cycle().skip(1));
    let normal = pairs
        .map(|(a, b)| (*a - middle).cross(*b - middle))
        .sum::<Vec3>();
    let normal = normal.normalize_or(Vec3::Y);
    let normal = if normal.dot(middle - Vec3::Y * 0.42) < 0.0 {
        -normal
    } else {
        normal
    };
    let tone = shape.between(0.88, 1.12);
    let color = ROCK.lerp(LICHEN, 0.6 * share(0.5, 1.0, normal.y)) * tone;
    let corners: Vec<u32> = face
        .iter()
        .map(|place| {
            let shade = 0.55 + 0.45 * share(-0.05, 0.45, place.y);
            shape.vertex(*place, normal, color * shade, 0.0)
        })
        .collect();
    for pair in corners[1..].windows(2) {
        shape.triangle([corners[0], pair[0], pair[1]]);
    }
}
