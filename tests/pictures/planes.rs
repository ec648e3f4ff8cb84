//! The distances of the ground without triangles: those that its triangles have.

use std::sync::Arc;

use glam::Vec3;
use landform::grid::Grid;
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::render::{Distances, Field};
use landform::scene::Scene;

use crate::offscreen::Desk;
use crate::pictures::{landscape, scene};

/// Views from among the hills, over them, from far above, from beside the ground and upwards.
const VIEWS: [&str; 6] = [
    "camera.mode=fly camera.target=[0.0,0.35,-0.5] camera.distance=0.5 camera.pitch=6",
    "camera.distance=1.5 camera.pitch=20 camera.bearing=77",
    "camera.distance=4 camera.pitch=35 camera.bearing=200",
    "camera.distance=3 camera.pitch=12 camera.bearing=315",
    "camera.mode=fly camera.target=[0.2,0.5,0.1] camera.distance=0.4 camera.pitch=-12",
    "camera.distance=2 camera.pitch=50 camera.bearing=90 camera.fov=30",
];

fn map(settings: &str) -> Heightmap {
    let scene = scene(settings);
    let images = Inputs::default().images;
    scene.surface.generate(&images, &Job::new(), None).unwrap()
}

/// Of a map's middle a piece that is not square and does not wrap.
fn oblong(map: &Heightmap, rows: usize, columns: usize) -> Heightmap {
    let heights = (0..rows).flat_map(|row| map.row(row)[..columns].to_vec());
    Heightmap::new(rows, columns, false, heights.collect::<Vec<_>>())
}

/// The corners of all triangles, in half tiles: the upper side is the one from which they run
/// counter-clockwise.
fn triangles(map: &Heightmap, tiles: u32) -> Vec<[Vec3; 3]> {
    let spacing = map.spacing();
    let sides = [map.columns() - 1, map.rows() - 1].map(|cells| cells as f32 * spacing);
    let mut all = Vec::new();
    for tile in 0..tiles * tiles {
        let tile = [tile % tiles, tile / tiles].map(|at| at as f32 - 0.5 * tiles as f32);
        let corner = |row: usize, column: usize| {
            let x = tile[0] * sides[0] + column as f32 * spacing;
            let z = tile[1] * sides[1] + row as f32 * spacing;
            Vec3::new(x, map.at(row, column), z)
        };
        for row in 0..map.rows() - 1 {
            for column in 0..map.columns() - 1 {
                let [a, b] = [corner(row, column), corner(row, column + 1)];
                let [c, d] = [corner(row + 1, column), corner(row + 1, column + 1)];
                all.extend([[a, c, d], [a, d, b]]);
            }
        }
    }
    all
}

/// How far along the ray of that direction it meets a triangle; negative from below.
fn meets(eye: Vec3, ray: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac) = (b - a, c - a);
    let across = ray.cross(ac);
    let facing = ab.dot(across);
    if facing.abs() < 1e-12 {
        return None;
    }
    let from = eye - a;
    let u = from.dot(across) / facing;
    let other = from.cross(ab);
    let (v, along) = (ray.dot(other) / facing, ac.dot(other) / facing);
    let inside = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && along > 0.0;
    inside.then_some(if facing > 0.0 { along } else { -along })
}

/// Each pixel's ray against each triangle.
fn slowly(map: &Heightmap, scene: &Scene, (width, height): (u32, u32)) -> Distances {
    let triangles = triangles(map, scene.view.tile);
    let (eye, forward) = (scene.camera.eye().as_vec3(), scene.camera.forward());
    let bearing = scene.camera.bearing.to_radians();
    let right = Vec3::new(bearing.cos(), 0.0, bearing.sin());
    let up = right.cross(forward);
    let half = (scene.camera.fov.to_radians() * 0.5).tan();
    let aspect = width as f32 / height as f32;
    let mut pixels = Grid::filled(height as usize, width as usize, f32::INFINITY);
    for row in 0..height {
        for column in 0..width {
            let x = (column as f32 + 0.5) / width as f32 * 2.0 - 1.0;
            let y = 1.0 - (row as f32 + 0.5) / height as f32 * 2.0;
            let ray = (forward + right * (x * half * aspect) + up * (y * half)).normalize();
            let met = triangles
                .iter()
                .filter_map(|triangle| meets(eye, ray, *triangle))
                .min_by(|a, b| a.abs().total_cmp(&b.abs()));
            // What is met from below first is hidden by the ground's sides.
            if let Some(along) = met.filter(|along| *along > 0.0) {
                pixels.set(row as usize, column as usize, along);
            }
        }
    }
    Distances { pixels }
}

fn walked(map: &Heightmap, scene: &Scene, size: (u32, u32)) -> Distances {
    let field = Field::new(&Arc::new(map.clone())).unwrap();
    Distances::walked(&field, scene, size).unwrap()
}

/// The pixels that show ground in one of both alone.
fn differ(one: &Distances, other: &Distances) -> usize {
    let pixels = one.pixels.as_slice().iter().zip(other.pixels.as_slice());
    pixels
        .filter(|(a, b)| a.is_finite() != b.is_finite())
        .count()
}

fn part(sorted: &[f32], part: f32) -> f32 {
    sorted[((sorted.len() - 1) as f32 * part) as usize]
}

#[test]
fn the_ground_is_where_its_triangles_are() {
    let size = (160, 90);
    let rough = map("surface.iterations=4 surface.hurst=0.5 surface.height_scale=0.5");
    let smooth = map("surface.iterations=4 surface.hurst=1 surface.height_scale=0.5");
    let oblong = oblong(&rough, 9, 14);
    let mut seen = 0;
    for (map, tiles) in [(&rough, 2), (&smooth, 1), (&oblong, 1)] {
        for view in VIEWS {
            let scene = scene(&format!("view.tile={tiles} {view}"));
            let (truth, found) = (slowly(map, &scene, size), walked(map, &scene, size));
            let errors = found.apart(&truth);
            seen += errors.len();
            if errors.is_empty() {
                continue;
            }
            // What is off is at edges, which fall between planes; rough ground is full of them.
            let most = [0.95, 0.99].map(|of| part(&errors, of));
            assert!(
                most[0] <= 1.0 && most[1] <= 4.0,
                "{view}, {tiles} tiles: {most:?}"
            );
            let differ = differ(&found, &truth);
            assert!(differ <= 80, "{view}, {tiles} tiles: {differ}");
            let pixels = truth.pixels.as_slice().iter().zip(found.pixels.as_slice());
            let both = pixels.filter(|(a, b)| a.is_finite() && b.is_finite());
            let mut relative: Vec<f32> = both.map(|(a, b)| (b / a - 1.0).abs()).collect();
            relative.sort_by(f32::total_cmp);
            assert!(
                part(&relative, 0.9) < 0.01,
                "{view}: {}",
                part(&relative, 0.9)
            );
        }
    }
    assert!(seen > 18 * 160 * 90 / 2, "{seen}");
}

#[test]
fn drawn_and_walked_ground_agree() {
    let mut desk = Desk::new();
    desk.renderer.set_full_detail(true);
    let size = (320, 180);
    for (hurst, most) in [(1.0, 0.5), (0.7, 1.0)] {
        for view in &VIEWS[..3] {
            let scene = scene(&format!(
                "surface.iterations=8 surface.hurst={hurst} surface.height_scale=0.4 view.tile=3 \
                 view.render_type=triangles {view}"
            ));
            let made = landscape(&scene);
            let facade = desk.headless.facade();
            desk.renderer.update(facade, &made).unwrap();
            let drawn = desk.renderer.distances(facade, &scene, size).unwrap();
            let found = walked(&made.heights, &scene, size);
            let errors = found.apart(&drawn);
            assert!(part(&errors, 0.5) <= 0.5, "{hurst}, {view}");
            assert!(
                part(&errors, 0.95) <= most,
                "{hurst}, {view}: {}",
                part(&errors, 0.95)
            );
            assert!(differ(&found, &drawn) <= 320, "{hurst}, {view}");
        }
    }
}

#[test]
fn tiny_eye_rotation_leaves_the_view_the_same() {
    let map = map("surface.iterations=8 surface.hurst=0.7 surface.height_scale=0.4");
    let size = (640, 360);
    for view in VIEWS {
        let one = scene(&format!("view.tile=3 {view}"));
        let mut other = one.clone();
        // A tenth of a pixel.
        other.camera.bearing += 0.1 * other.camera.fov / size.1 as f32;
        let errors = walked(&map, &one, size).apart(&walked(&map, &other, size));
        let most = [0.95, 0.99].map(|of| part(&errors, of));
        assert!(most[0] <= 1.0 && most[1] <= 3.0, "{view}: {most:?}");
    }
}

#[test]
fn the_number_of_threads_changes_no_distance() {
    let map = map("surface.iterations=8");
    let scene = scene(&format!("view.tile=2 {}", VIEWS[1]));
    let on = |count: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(count);
        let pool = pool.build().unwrap();
        pool.install(|| walked(&map, &scene, (333, 200)))
    };
    let one = on(1);
    for count in [2, 3, 7] {
        assert_eq!(on(count), one);
    }
}

#[test]
fn steep_parallel_and_cliff_views_use_triangles() {
    let map = map("surface.iterations=5");
    let field = Field::new(&Arc::new(map.clone())).unwrap();
    for camera in ["camera.pitch=70", "camera.pitch=-80", "camera.mode=top"] {
        let scene = scene(camera);
        assert_eq!(
            Distances::walked(&field, &scene, (64, 36)),
            None,
            "{camera}"
        );
    }
    let oblong = oblong(&map, 9, 14);
    let cliffs = Field::new(&Arc::new(oblong)).unwrap();
    for (tiles, is_found) in [(1, true), (2, false)] {
        let found = Distances::walked(&cliffs, &scene(&format!("view.tile={tiles}")), (64, 36));
        assert_eq!(found.is_some(), is_found, "{tiles}");
    }
    assert!(Field::new(&Arc::new(Heightmap::new(1, 9, false, vec![0.0; 9]))).is_none());
}

/// Rays and planes once saw one of the two triangles of a cell, and skipped what rose between two lines.
#[test]
fn coarse_ground_has_the_edges_of_its_triangles() {
    let size = (160, 90);
    for (iterations, seed) in [(1, 3), (2, 5), (3, 7)] {
        let map = map(&format!(
            "surface.iterations={iterations} surface.seed={seed}"
        ));
        for view in VIEWS {
            let scene = scene(&format!("view.tile=2 {view}"));
            let field = Field::new(&Arc::new(map.clone())).unwrap();
            let Some(found) = Distances::walked(&field, &scene, size) else {
                continue;
            };
            let truth = slowly(&map, &scene, size);
            let off = differ(&found, &truth);
            assert!(off <= 14, "{iterations} iterations, {view}: {off}");
        }
    }
}
