//! Which samples a picture shows.

use glam::{DVec3, Vec2};
use landform::camera::{InView, MOST_IN_VIEW, in_view, place_seen, width_seen};
use landform::fractal::region::Window;
use landform::pipeline::{Landscape, Lattice, least_cell};
use landform::scene::RenderType;

use super::*;

const PICTURE: Vec2 = Vec2::new(1280.0, 720.0);

fn made(settings: &[(&str, &str)]) -> Landscape {
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    for (key, value) in settings {
        scene = scene.with(key, value).unwrap();
    }
    let inputs = import::inputs(&scene).unwrap();
    Pipeline::default()
        .run(&scene, &inputs, &Job::new())
        .unwrap()
}

/// A camera that looks at the finest ground at a place.
fn over(ground: &Ground, x: f64, z: f64, distance: f32, pitch: f32) -> Camera {
    Camera {
        target: [x, ground.height_near(x, z, 1e-3 * f64::from(distance)), z],
        distance,
        pitch,
        ..Camera::default()
    }
}

/// What a camera sees of a landscape, whose ground has so many of the map's samples from each to the next.
fn seen_by(camera: &Camera, land: &Landscape, ground: &Ground, stride: usize) -> Option<InView> {
    let scene = Scene {
        camera: camera.clone(),
        ..land.scene.clone()
    };
    in_view(&scene, &ground.seen_in(&scene), PICTURE, stride)
}

/// The place of a sample in half tiles, on a tile of 64 cells a side.
fn place(seen: &InView, row: usize, column: usize) -> [f64; 2] {
    let cells = (64_u64 << seen.levels) as f64;
    let at = |first: u64, index: usize| (first + index as u64) as f64 / cells * 2.0 - 1.0;
    [at(seen.region.column, column), at(seen.region.row, row)]
}

#[test]
fn region_in_view_matches_the_picture() {
    let land = made(&[("surface.hurst", "1"), ("surface.height_scale", "0.2")]);
    let ground = Ground::of(&land).unwrap();
    let mut before = 0;
    for distance in [0.5, 0.05, 1e-3, 1e-5, 1e-7] {
        for pitch in [20.0, 55.0, 89.0] {
            let camera = over(&ground, 0.213, -0.377, distance, pitch);
            let seen = seen_by(&camera, &land, &ground, 1).expect("ground");
            let aspect = PICTURE.x / PICTURE.y;
            let [west, north] = place(&seen, 0, 0);
            let [east, south] = place(&seen, seen.region.rows - 1, seen.region.columns - 1);
            let away = camera.eye().distance(DVec3::from(camera.target));
            for (x, y) in [
                (0.0, 0.0),
                (-1.0, -1.0),
                (1.0, -1.0),
                (0.5, -0.2),
                (-0.3, 0.1),
            ] {
                let point = Vec2::new(x, y);
                let Some(at) = place_seen(&camera, &ground, point, aspect) else {
                    continue;
                };
                let is_near = at.distance(camera.eye()) < 2.9 * away;
                let is_within = (west..=east).contains(&at.x) && (north..=south).contains(&at.z);
                assert!(
                    is_within || !is_near,
                    "{distance} {pitch} {point}: {at} {seen:?}"
                );
            }
            // No more than what is seen at a slant.
            let width = width_seen(&camera, &ground, aspect).unwrap();
            let sides = [east - west, south - north];
            assert!(
                sides.iter().all(|side| *side < 8.0 * width),
                "{sides:?} {width}"
            );
            let region = seen.region;
            assert!((region.rows.max(region.columns) as u64) <= MOST_IN_VIEW);
            assert!(
                region.rows > 8 && region.columns > 8,
                "{distance} {region:?}"
            );
            assert!(seen.levels >= before, "{distance} {pitch}: {}", seen.levels);
        }
        let camera = over(&ground, 0.213, -0.377, distance, 89.0);
        before = seen_by(&camera, &land, &ground, 1).unwrap().levels;
    }
    assert!(before > 18, "{before}");
}

/// No finer than it is drawn where that is finest, and from straight above as fine, whatever is drawn.
#[test]
fn levels_in_view_match_those_drawn() {
    for shown in ["landscape", "triangles", "lines", "map"] {
        let land = made(&[("surface.hurst", "1"), ("view.render_type", shown)]);
        let ground = Ground::new(land.surface(), 1).unwrap();
        let ground = ground.over(land.below.clone());
        for distance in [0.05, 1e-3, 1e-6] {
            for (mode, pitch) in [("orbit", 25.0), ("orbit", 90.0), ("top", 90.0)] {
                let mut camera = over(&ground, 0.213, -0.377, distance, pitch);
                camera.mode = mode.parse().unwrap();
                // In parallel it does not matter how high the eye is.
                if mode == "top" {
                    camera.target[1] = -3.0;
                }
                let mut scene = land.scene.clone();
                scene.camera = camera.clone();
                let seen = seen_by(&camera, &land, &ground, 1).expect("ground");
                let pixel = 2.0 * f64::from((camera.fov.to_radians() * 0.5).tan() / PICTURE.y);
                let drawn = least_cell(&scene, pixel).and_then(|cell| {
                    let depth = ground.seen_in(&scene).depth(&camera, cell)?;
                    Some(depth.levels[1] + 1 - depth.levels[0])
                });
                let drawn = drawn.unwrap_or(0);
                let is_from_above = pitch == 90.0 && scene.render_type() != RenderType::Lines;
                assert!(
                    seen.levels <= drawn,
                    "{shown} {mode}: {} {drawn}",
                    seen.levels
                );
                assert!(
                    !is_from_above || seen.levels + 1 >= drawn,
                    "{shown} {mode} {distance}: {} {drawn}",
                    seen.levels
                );
                assert!(
                    distance > 0.01 || scene.is_flat() || seen.levels > 2,
                    "{shown}"
                );
            }
        }
    }
}

#[test]
fn heights_in_view_match_drawing_and_region() {
    let folder = folder();
    let folder = folder.path();
    for (name, settings) in [
        ("own", &[("surface.hurst", "1")][..]),
        ("other", &[("surface.generator", "perlin")]),
    ] {
        let land = made(settings);
        let ground = Ground::of(&land).unwrap();
        std::fs::write(folder.join("scene.toml"), land.scene.to_toml()).unwrap();
        for distance in [0.4, 1e-3, 1e-6] {
            let camera = over(&ground, -0.31, 0.42, distance, 60.0);
            let InView { levels, region } = seen_by(&camera, &land, &ground, 1).unwrap();
            let of = format!(
                "generate scene.toml --levels {levels} --region {},{},{},{} --force -o x.npy",
                region.column, region.row, region.columns, region.rows
            );
            succeed(folder, &of);
            let bytes = std::fs::read(folder.join("x.npy")).unwrap();
            let file = |()| npyz::NpyFile::new(&bytes[..]).unwrap();
            let lattice = Lattice::new(land.below.as_ref().unwrap(), 1).unwrap();
            let window = Window {
                row: region.row as i64,
                column: region.column as i64,
                rows: region.rows,
                columns: region.columns,
            };
            let drawn = lattice.heights(lattice.level() + levels, window);
            // A file of 32 bits, as there are down to level 20, holds them rounded; those of diamond-square
            // are no others.
            let rounded: Vec<_> = drawn.iter().map(|height| *height as f32).collect();
            let is_as_drawn = match file(()).into_vec::<f64>() {
                Ok(double) => double == drawn,
                Err(_) => file(()).into_vec::<f32>().unwrap() == rounded,
            };
            let is_rounded = || rounded.iter().zip(&drawn).any(|(a, b)| f64::from(*a) != *b);
            assert!(is_as_drawn, "{name} from {distance}");
            assert!(name != "own" || distance < 0.1 || !is_rounded());
        }
    }
}

#[test]
fn view_without_levels_below_has_map_samples() {
    let land = made(&[("view.endless", "false"), ("view.tile", "3")]);
    let ground = Ground::of(&land).unwrap();
    let seen = |x, z, distance| {
        let camera = over(&ground, x, z, distance, 80.0);
        seen_by(&camera, &land, &ground, 1)
    };
    let near = seen(0.2, -0.3, 0.1).unwrap();
    assert_eq!(near.levels, 0);
    assert!(near.region.columns < 16, "{near:?}");
    // The same place of another tile, and all of the tile.
    assert_eq!(seen(2.2, -2.3, 0.1), Some(near));
    let all = seen(0.0, 0.0, 30.0).unwrap().region;
    assert_eq!((all.row, all.column, all.rows, all.columns), (0, 0, 65, 65));
    // Of a very large map, which is shown thinned, its own samples.
    let camera = over(&ground, 0.2, -0.3, 0.1, 80.0);
    let thinned = seen_by(&camera, &land, &ground, 4).unwrap();
    assert_eq!(thinned.levels, 0);
    assert!(thinned.region.column.abs_diff(near.region.column * 4) <= 4);
    // Above the land, looking up.
    let sky = Camera {
        target: [0.2, 5.0, -0.3],
        pitch: -60.0,
        ..camera
    };
    assert_eq!(seen_by(&sky, &land, &ground, 1), None);
}
