//! Meshes: counts, order and winding.

use std::collections::HashSet;

use glam::Vec3;
use landform::generate::{Images, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::mesh::{self, vertices};

fn map(iterations: u32) -> Heightmap {
    let surface = Surface {
        iterations,
        seed: 7,
        ..Surface::default()
    };
    surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap()
}

#[test]
fn every_cell_has_two_triangles_that_face_up() {
    for (rows, columns) in [(2, 2), (3, 5), (9, 4)] {
        let map = Heightmap::new(rows, columns, false, vec![0.0; rows * columns]);
        let vertices = vertices(&map);
        let triangles: Vec<_> = mesh::triangle_indices(rows, columns).collect();
        assert_eq!(triangles.len(), 2 * (rows - 1) * (columns - 1));
        let mut area = 0.0;
        for [a, b, c] in triangles {
            let [a, b, c] = [a, b, c].map(|index| vertices[index as usize].position);
            let cross = (b - a).cross(c - a);
            assert!(cross.y > 0.0, "{a} {b} {c}");
            area += cross.y * 0.5;
        }
        let spacing = map.spacing();
        let whole = (rows - 1) as f32 * (columns - 1) as f32 * spacing * spacing;
        assert!((area - whole).abs() < 1e-5, "{area} of {whole}");
    }
}

#[test]
fn every_neighbouring_pair_is_joined_once() {
    for (rows, columns) in [(1, 5), (2, 2), (4, 3)] {
        let pairs: Vec<_> = mesh::grid_lines(rows, columns).collect();
        assert_eq!(pairs.len(), rows * (columns - 1) + (rows - 1) * columns);
        let distinct: HashSet<_> = pairs.iter().collect();
        assert_eq!(distinct.len(), pairs.len());
        for [a, b] in pairs {
            let step = (b - a) as usize;
            let along = step == 1 && a as usize / columns == b as usize / columns;
            assert!(along || step == columns, "{a} {b} of {columns} columns");
        }
    }
}

#[test]
fn vertices_lie_on_the_map_with_its_normals() {
    let map = map(3);
    let vertices = vertices(&map);
    assert_eq!(vertices.len(), 81);
    assert_eq!(vertices[0].position.x, -1.0);
    assert_eq!(vertices[80].position.z, 1.0);
    assert_eq!(vertices[9 * 2 + 5].position.y, map.at(2, 5));
    assert_eq!(vertices[80].uv.to_array(), [1.0, 1.0]);
    for vertex in &vertices {
        assert!(vertex.normal.y > 0.0 && (vertex.normal.length() - 1.0).abs() < 1e-5);
    }
    for index in 0..9 {
        assert_eq!(
            vertices[index].normal,
            vertices[72 + index].normal,
            "north and south"
        );
        assert_eq!(
            vertices[9 * index].normal,
            vertices[9 * index + 8].normal,
            "west and east"
        );
    }
}

#[test]
fn normals_of_east_rising_slopes_lean_west() {
    let map = Heightmap::new(2, 2, false, vec![0.0, 1.0, 0.0, 1.0]);
    let expected = Vec3::new(-1.0, 2.0, 0.0).normalize();
    for vertex in vertices(&map) {
        assert!(
            (vertex.normal - expected).length() < 1e-6,
            "{}",
            vertex.normal
        );
    }
}

#[test]
fn tiled_ridge_spans_width_and_meets_itself() {
    let ridge = Heightmap::new(1, 3, true, vec![0.0, 0.5, 0.0]);
    assert_eq!(
        mesh::ridge_points(&ridge, 1),
        [[-1.0, 0.0], [0.0, 0.5], [1.0, 0.0]]
    );
    assert_eq!(
        mesh::ridge_points(&ridge, 2),
        [
            [-1.0, 0.0],
            [-0.5, 0.25],
            [0.0, 0.0],
            [0.5, 0.25],
            [1.0, 0.0]
        ]
    );
    assert_eq!(mesh::ridge_lines(3).collect::<Vec<_>>(), [[0, 1], [1, 2]]);
}
