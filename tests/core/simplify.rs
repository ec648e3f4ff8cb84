//! Meshes of fewer triangles: within their error, without cracks, and as many as asked for.

use std::collections::HashMap;

use landform::generate::{Generator, Images, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;
use landform::mesh::Detail;
use landform::mesh::simplify::{Simplified, SimplifyError};

fn ground(iterations: u32) -> Heightmap {
    let surface = Surface {
        seed: 5,
        iterations,
        ..Surface::default()
    };
    surface
        .generate(&Images::default(), &Job::new(), None)
        .unwrap()
}

fn of_function(rows: usize, columns: usize, height: impl Fn(f64, f64) -> f64) -> Heightmap {
    let heights = (0..rows * columns)
        .map(|i| height((i / columns) as f64, (i % columns) as f64) as f32)
        .collect::<Vec<_>>();
    Heightmap::new(rows, columns, false, heights)
}

/// A part of the ground of any size.
fn cut(rows: usize, columns: usize) -> Heightmap {
    let ground = ground(7);
    of_function(rows, columns, |row, column| {
        f64::from(ground.at(row as usize, column as usize))
    })
}

fn maps() -> Vec<(String, Heightmap)> {
    let mut maps = Vec::new();
    for (rows, columns) in [
        (2, 2),
        (2, 3),
        (3, 2),
        (3, 3),
        (2, 40),
        (40, 2),
        (4, 4),
        (5, 5),
        (6, 9),
        (17, 5),
        (33, 65),
        (31, 33),
        (34, 33),
        (65, 65),
        (67, 41),
        (100, 129),
        (127, 128),
    ] {
        maps.push((format!("{rows} × {columns}"), cut(rows, columns)));
    }
    maps.push(("wraps".to_owned(), ground(6)));
    let wave = |row: f64, column: f64| (row / 9.0).sin() * (column / 5.0).cos() + row * 0.01;
    maps.push(("wave".to_owned(), of_function(50, 77, wave)));
    let step = |row: f64, column: f64| f64::from(row + 0.3 * column > 20.0);
    maps.push(("step".to_owned(), of_function(65, 65, step)));
    let spike = |row: f64, column: f64| f64::from(row == 13.0 && column == 30.0);
    maps.push(("spike".to_owned(), of_function(50, 31, spike)));
    let image = Surface {
        generator: Generator::Perlin,
        iterations: 6,
        ..Surface::default()
    };
    let perlin = image
        .generate(&Images::default(), &Job::new(), None)
        .unwrap();
    maps.push(("perlin".to_owned(), perlin));
    // This map wraps, and its width is not a power of two.
    let (rows, columns) = (37, 50);
    let around = |index: f64, count: usize| index / (count - 1) as f64 * std::f64::consts::TAU;
    let torus = of_function(rows, columns, |row, column| {
        (around(row, rows) % std::f64::consts::TAU).sin()
            * (3.0 * (around(column, columns) % std::f64::consts::TAU)).cos()
    });
    let torus = Heightmap::new(rows, columns, true, torus.heights().to_vec());
    maps.push(("torus".to_owned(), torus));
    maps
}

fn triangles(mesh: &Simplified) -> Vec<[u32; 3]> {
    let mut all = Vec::new();
    (0..mesh.parts()).for_each(|part| mesh.each_triangle(part, |t| all.push(t)));
    all
}

fn simplified(map: &Heightmap, detail: Detail) -> Simplified {
    Simplified::new(map, detail, &Job::new()).unwrap()
}

/// The largest distance of a sample from a triangle over it.
fn farthest(map: &Heightmap, mesh: &[[u32; 3]]) -> f64 {
    let place = |at: u32| {
        (
            (at as usize / map.columns()) as i64,
            (at as usize % map.columns()) as i64,
        )
    };
    let mut far = 0.0f64;
    let mut covered = vec![0; map.rows() * map.columns()];
    for corners in mesh {
        let [a, b, c] = corners.map(place);
        let side = |p: (i64, i64), q: (i64, i64), r: (i64, i64)| {
            (q.1 - p.1) * (r.0 - p.0) - (r.1 - p.1) * (q.0 - p.0)
        };
        let area = side(a, b, c);
        let [ha, hb, hc] = corners.map(|at| f64::from(map.heights()[at as usize]));
        for row in a.0.min(b.0).min(c.0)..=a.0.max(b.0).max(c.0) {
            for column in a.1.min(b.1).min(c.1)..=a.1.max(b.1).max(c.1) {
                let at = (row, column);
                let parts = [side(b, c, at), side(c, a, at), side(a, b, at)];
                if parts.iter().all(|part| part * area.signum() >= 0) {
                    let [u, v, w] = parts.map(|part| part as f64 / area as f64);
                    let sample = f64::from(map.at(row as usize, column as usize));
                    far = far.max((u * ha + v * hb + w * hc - sample).abs());
                    covered[row as usize * map.columns() + column as usize] += 1;
                }
            }
        }
    }
    assert!(covered.iter().all(|count| *count > 0), "a hole");
    far
}

/// Faces up, no corner twice, every edge shared by two, but for those along the border; the area
/// that of the map.
fn check_surface(name: &str, map: &Heightmap, mesh: &[[u32; 3]]) {
    let columns = map.columns();
    let place = |at: u32| {
        (
            (at as usize / columns) as i64,
            (at as usize % columns) as i64,
        )
    };
    let (last_row, last_column) = (map.rows() as i64 - 1, columns as i64 - 1);
    let mut edges: HashMap<(u32, u32), u32> = HashMap::new();
    let mut area = 0;
    for corners in mesh {
        let [a, b, c] = corners.map(place);
        let up = (c.1 - a.1) * (b.0 - a.0) - (b.1 - a.1) * (c.0 - a.0);
        assert!(up > 0, "{name}: {corners:?} is flat or turned over");
        area += up;
        for (from, to) in [(0, 1), (1, 2), (2, 0)] {
            *edges.entry((corners[from], corners[to])).or_default() += 1;
        }
    }
    assert_eq!(area, 2 * last_row * last_column, "{name}");
    for ((from, to), count) in &edges {
        assert_eq!(*count, 1, "{name}: the edge {from} {to}");
        if !edges.contains_key(&(*to, *from)) {
            let (a, b) = (place(*from), place(*to));
            let along = |x: i64, y: i64, last: i64| x == y && (x == 0 || x == last);
            assert!(
                along(a.0, b.0, last_row) || along(a.1, b.1, last_column),
                "{name}: a crack from {a:?} to {b:?}"
            );
        }
    }
}

#[test]
fn every_sample_is_within_error_without_cracks() {
    for (name, map) in maps() {
        for error in [0.0, 1e-4, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 5.0] {
            let mesh = simplified(&map, Detail::Error(error));
            let all = triangles(&mesh);
            assert_eq!(mesh.triangles(), all.len() as u64, "{name}");
            check_surface(&name, &map, &all);
            let far = farthest(&map, &all);
            assert!(
                far <= f64::from(mesh.error()) + 1e-12,
                "{name}, {error}: {far}"
            );
            assert!(mesh.error() <= error, "{name}");
        }
    }
}

#[test]
fn without_a_bound_every_sample_is_a_vertex() {
    for (name, map) in maps() {
        let mesh = simplified(&map, Detail::All);
        let all = triangles(&mesh);
        check_surface(&name, &map, &all);
        assert_eq!(mesh.vertices(), map.heights().len(), "{name}");
        let cells = (map.rows() - 1) * (map.columns() - 1);
        assert_eq!(all.len(), 2 * cells, "{name}");
        assert_eq!(mesh.error(), 0.0);
    }
}

#[test]
fn vertices_are_numbered_row_by_row() {
    let map = cut(67, 41);
    let mesh = simplified(&map, Detail::Error(0.02));
    let mut used: Vec<u32> = triangles(&mesh).concat();
    used.sort_unstable();
    used.dedup();
    assert_eq!(mesh.vertices(), used.len());
    for (number, sample) in used.iter().enumerate() {
        assert_eq!(mesh.number_of(*sample), number as u32);
    }
    let by_row = (0..67).flat_map(|row| mesh.vertices_of(row).map(move |c| (row * 41 + c) as u32));
    assert_eq!(by_row.collect::<Vec<_>>(), used);
}

#[test]
fn triangle_count_is_met_to_within_one() {
    for (name, map) in maps() {
        if name == "torus" || name == "spike" || name == "step" {
            continue;
        }
        let all = 2 * (map.rows() as u64 - 1) * (map.columns() as u64 - 1);
        for asked in [2, 3, 5, 10, 64, 100, 999, 1000, 5000] {
            if asked > all / 2 && asked > 2 {
                continue;
            }
            let mesh = simplified(&map, Detail::Triangles(asked));
            let there = mesh.triangles();
            assert!(
                there <= asked && there + 1 >= asked,
                "{name}: {there} of {asked}"
            );
            let all = triangles(&mesh);
            check_surface(&name, &map, &all);
            let far = farthest(&map, &all);
            assert!(
                far <= f64::from(mesh.error()) + 1e-12,
                "{name}, {asked}: {far}"
            );
        }
    }
}

#[test]
fn flat_ground_takes_no_triangles_at_any_target() {
    let flat = of_function(65, 65, |_, _| 0.25);
    for detail in [Detail::Error(0.0), Detail::Triangles(1000)] {
        assert_eq!(simplified(&flat, detail).triangles(), 2);
    }
    let (_, spike) = maps()
        .into_iter()
        .find(|(name, _)| name == "spike")
        .unwrap();
    let mesh = simplified(&spike, Detail::Triangles(1_000_000));
    assert!(mesh.triangles() < 300, "{}", mesh.triangles());
    assert_eq!(mesh.error(), 0.0);
}

#[test]
fn equal_errors_are_divided_too() {
    // A plain of steps has few different errors.
    let steps = of_function(65, 65, |row, column| {
        ((row * 7.0 + column * 3.0) % 4.0).floor()
    });
    for asked in [100, 1001, 4000] {
        let mesh = simplified(&steps, Detail::Triangles(asked));
        assert!((asked - 1..=asked).contains(&mesh.triangles()));
        check_surface("steps", &steps, &triangles(&mesh));
    }
}

#[test]
fn opposite_borders_of_wrapping_maps_share_vertices() {
    for (name, map) in maps().into_iter().filter(|(_, map)| map.wraps()) {
        let (last_row, last_column) = (map.rows() - 1, map.columns() - 1);
        for detail in [
            Detail::Error(0.01),
            Detail::Error(0.1),
            Detail::Error(1.0),
            Detail::Triangles(701),
            Detail::Triangles(1000),
        ] {
            let mesh = simplified(&map, detail);
            let row = |row| mesh.vertices_of(row).collect::<Vec<_>>();
            assert_eq!(row(0), row(last_row), "{name}");
            let column = |column| {
                let has = |row: &usize| mesh.is_vertex(row * map.columns() + column);
                (0..=last_row).filter(has).collect::<Vec<_>>()
            };
            let (west, east) = (column(0), column(last_column));
            assert_eq!(west, east, "{name}");
        }
    }
}

#[test]
fn fewer_triangles_than_there_can_be_are_refused() {
    let map = ground(5);
    let refused = |map: &Heightmap, asked| {
        let mesh = Simplified::new(map, Detail::Triangles(asked), &Job::new());
        mesh.expect_err("too few")
    };
    assert_eq!(
        refused(&map, 1),
        SimplifyError::TooFew { asked: 1, least: 2 }
    );
    // A map that wraps and is no power of two across keeps all its border.
    let (_, torus) = maps()
        .into_iter()
        .find(|(name, _)| name == "torus")
        .unwrap();
    let SimplifyError::TooFew { least, .. } = refused(&torus, 100) else {
        panic!("another error");
    };
    assert_eq!(
        simplified(&torus, Detail::Triangles(least)).triangles(),
        least
    );
    let profile = Heightmap::new(1, 9, true, vec![0.0; 9]);
    let error = Simplified::new(&profile, Detail::Error(1.0), &Job::new());
    assert_eq!(error.expect_err("a profile"), SimplifyError::Profile);
}

#[test]
fn threads_change_no_triangle() {
    let map = ground(8);
    for detail in [Detail::Error(0.004), Detail::Triangles(12_345)] {
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.unwrap()
                .install(|| triangles(&simplified(&map, detail)))
        });
        assert!(one == three);
    }
}
