//! Models of plants have a height of 1, stand on the origin and are made of triangles that a renderer can take.

use std::collections::HashMap;

use landform::plants::models::{Model, ModelDetail, VARIANTS, model};
use landform::scene::PlantKind;

const DETAILS: [ModelDetail; 2] = [ModelDetail::Near, ModelDetail::Far];

/// Each model with its kind and detail.
fn models() -> impl Iterator<Item = (PlantKind, ModelDetail, Model)> {
    PlantKind::ALL.iter().copied().flat_map(|kind| {
        let each = DETAILS
            .into_iter()
            .flat_map(|detail| (0..VARIANTS).map(move |v| (detail, v)));
        each.map(move |(detail, variant)| (kind, detail, model(kind, variant, detail)))
    })
}

fn minus(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn length(a: [f32; 3]) -> f32 {
    a.iter().map(|part| part * part).sum::<f32>().sqrt()
}

fn cross(a: [f32; 3], b: [f32; 3]) -> [f32; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[test]
fn models_have_height_one_and_the_crown_of_their_kind() {
    for (kind, detail, model) in models() {
        let places = || model.vertices.iter().map(|vertex| vertex.position);
        let top = places().map(|place| place[1]).fold(f32::MIN, f32::max);
        let widest = places().map(|[x, _, z]| x.hypot(z)).fold(0.0, f32::max);
        assert!((top - 1.0).abs() < 1e-5, "{kind} {detail:?}: {top}");
        assert!(
            (widest - kind.radius()).abs() < 1e-5,
            "{kind} {detail:?}: {widest}"
        );
    }
}

#[test]
fn models_stand_on_the_origin() {
    for (kind, detail, model) in models() {
        let places = || model.vertices.iter().map(|vertex| vertex.position);
        let lowest = places().map(|place| place[1]).fold(f32::MAX, f32::min);
        assert!(
            (-0.2..-0.01).contains(&lowest),
            "{kind} {detail:?}: {lowest}"
        );
        // Stems and trunks start around the vertical through the origin.
        let middle = [0, 2].map(|axis| {
            let below = places().filter(|place| place[1] < 0.0);
            let along = below.map(|place| place[axis]);
            let ends = along.fold([f32::MAX, f32::MIN], |[low, high], at| {
                [low.min(at), high.max(at)]
            });
            (ends[0] + ends[1]) / 2.0
        });
        assert!(
            middle[0].hypot(middle[1]) < 0.2 * kind.radius(),
            "{kind} {detail:?}: {middle:?}"
        );
    }
}

#[test]
fn triangles_are_few_and_have_area() {
    for (kind, detail, model) in models() {
        let most = match (kind, detail) {
            (PlantKind::Grass, ModelDetail::Near) => 100..=200,
            (PlantKind::Grass, ModelDetail::Far) => 10..=60,
            (PlantKind::Boulder, ModelDetail::Near) => 100..=350,
            (_, ModelDetail::Near) => 600..=1600,
            (_, ModelDetail::Far) => 60..=160,
        };
        let count = model.triangles.len();
        assert!(most.contains(&count), "{kind} {detail:?}: {count}");
        for corners in &model.triangles {
            let [a, b, c] = corners.map(|at| model.vertices[at as usize].position);
            let area = length(cross(minus(b, a), minus(c, a))) / 2.0;
            assert!(area > 1e-8, "{kind} {detail:?}: {a:?} {b:?} {c:?}");
        }
    }
}

#[test]
fn vertices_are_in_range() {
    for (kind, detail, model) in models() {
        for vertex in &model.vertices {
            let what = format!("{kind} {detail:?}: {vertex:?}");
            assert!(
                vertex.position.iter().all(|part| part.is_finite()),
                "{what}"
            );
            assert!((length(vertex.normal) - 1.0).abs() < 1e-4, "{what}");
            assert!(
                vertex.color.iter().all(|part| (0.0..=1.0).contains(part)),
                "{what}"
            );
            assert!((0.0..=1.0).contains(&vertex.sway), "{what}");
        }
    }
}

#[test]
fn the_wind_moves_crowns_and_neither_feet_nor_stones() {
    for (kind, detail, model) in models() {
        let sways = |low: f32, high: f32| {
            let vertices = model.vertices.iter();
            let between = vertices.filter(move |vertex| (low..=high).contains(&vertex.position[1]));
            between.map(|vertex| vertex.sway).fold(0.0, f32::max)
        };
        let (crown, trunk) = (sways(0.5, 1.0), sways(-1.0, 0.0));
        if kind == PlantKind::Boulder {
            assert_eq!(crown, 0.0, "{detail:?}");
        } else {
            assert!(crown > 0.3, "{kind} {detail:?}: {crown}");
            // Leaves of shrubs reach the ground.
            assert!(
                kind == PlantKind::Shrub || trunk < 0.02,
                "{kind} {detail:?}: {trunk}"
            );
        }
    }
}

#[test]
fn models_are_the_same_each_time() {
    for kind in PlantKind::ALL.iter().copied() {
        for detail in DETAILS {
            assert_eq!(
                model(kind, 1, detail),
                model(kind, 1 + VARIANTS, detail),
                "{kind}"
            );
        }
    }
}

#[test]
fn variants_differ() {
    for kind in PlantKind::ALL.iter().copied() {
        for detail in DETAILS {
            let [a, b, c] = [0, 1, 2].map(|variant| model(kind, variant, detail));
            assert!(a != b && b != c && a != c, "{kind} {detail:?}");
        }
    }
}

#[test]
fn normals_point_to_the_front() {
    for (kind, detail, model) in models() {
        for corners in &model.triangles {
            let [a, b, c] = corners.map(|at| model.vertices[at as usize]);
            let front = cross(minus(b.position, a.position), minus(c.position, a.position));
            let normals = [a, b, c].map(|vertex| {
                let pairs = vertex.normal.iter().zip(front);
                pairs.map(|(a, b)| a * b).sum::<f32>()
            });
            assert!(normals.iter().sum::<f32>() >= -1e-9, "{kind} {detail:?}");
        }
    }
}

/// Crowns darken inwards: leaves close to the axis are darker than those at the border.
#[test]
fn inner_leaves_are_darker() {
    for kind in [PlantKind::Spruce, PlantKind::Birch, PlantKind::Shrub] {
        for detail in DETAILS {
            let model = model(kind, 0, detail);
            let mean = |low: f32, high: f32| {
                let leaves = model.vertices.iter().filter(|vertex| {
                    let [r, g, b] = vertex.color;
                    let [x, y, z] = vertex.position;
                    let out = x.hypot(z) / kind.radius();
                    let is_between = (0.3..0.7).contains(&y);
                    is_between && g > r && g > b && (low..high).contains(&out)
                });
                let greens: Vec<f32> = leaves.map(|vertex| vertex.color[1]).collect();
                greens.iter().sum::<f32>() / greens.len() as f32
            };
            let (inner, outer) = (mean(0.0, 0.3), mean(0.7, 1.01));
            assert!(inner < 0.95 * outer, "{kind} {detail:?}: {inner} {outer}");
        }
    }
}

/// A stone has no gaps: each edge belongs to two triangles, and its faces are flat.
#[test]
fn boulders_are_closed_and_flat() {
    for (kind, detail, model) in models() {
        if kind != PlantKind::Boulder {
            continue;
        }
        let mut edges: HashMap<[[u32; 3]; 2], i32> = HashMap::new();
        for corners in &model.triangles {
            let vertices = corners.map(|at| model.vertices[at as usize]);
            assert!(
                vertices
                    .iter()
                    .all(|vertex| vertex.normal == vertices[0].normal)
            );
            let places = vertices.map(|vertex| vertex.position.map(f32::to_bits));
            for side in 0..3 {
                let mut edge = [places[side], places[(side + 1) % 3]];
                edge.sort_unstable();
                *edges.entry(edge).or_default() += 1;
            }
        }
        let gaps = edges.values().filter(|count| **count != 2).count();
        assert_eq!(gaps, 0, "{detail:?}");
    }
}
