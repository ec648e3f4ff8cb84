//! Cameras: over the ground and never under it, smooth, and the same at any frame rate.

use crate::common::{fail, fail_with, folder, names, succeed};
use glam::Vec3;
use landform::camera::{CLEARANCE, Ground, Path, Steering, Wish, above_ground, eye_height};
use landform::generate::{Generator, Images, Surface};
use landform::heightmap::Heightmap;
use landform::import;
use landform::job::Job;
use landform::scene::{Bookmark, Camera, CameraMode, CameraPath, KeyFrame, Scene};
use proptest::prelude::*;

const TILE_M: f32 = 2000.0;

fn map(generator: Generator, hurst: f32, seed: u64) -> Heightmap {
    let surface = Surface {
        generator,
        hurst,
        seed,
        iterations: 6,
        ..Surface::default()
    };
    let job = Job::new();
    surface.generate(&Images::default(), &job, None).unwrap()
}

/// Rough maps: one that wraps, one with cliffs between its tiles, one that is not square.
fn maps() -> Vec<Heightmap> {
    let wrapped = map(Generator::DiamondSquare, 0.1, 7);
    let cliffs = Heightmap::new(
        33,
        33,
        false,
        (0..33 * 33)
            .map(|i| ((i * 37) % 101) as f32 / 300.0 + (i % 33) as f32 / 40.0)
            .collect::<Vec<_>>(),
    );
    let oblong = Heightmap::new(
        9,
        33,
        false,
        (0..9 * 33)
            .map(|i| ((i * 53) % 17) as f32 / 20.0)
            .collect::<Vec<_>>(),
    );
    vec![wrapped, cliffs, oblong]
}

/// The height drawn at a place: exactly that of the triangles, tile by tile.
fn drawn(map: &Heightmap, tiles: u32, x: f32, z: f32) -> f32 {
    let cells = [map.columns() - 1, map.rows() - 1];
    let longest = cells[0].max(cells[1]) as f64;
    let local = |at: f32, cells: usize| {
        let side = 2.0 * cells as f64 / longest;
        let half = f64::from(tiles) * 0.5;
        let tile = (f64::from(at) / side + half).clamp(0.0, f64::from(tiles));
        let first = tile.floor().min(f64::from(tiles) - 1.0);
        (tile - first) * cells as f64
    };
    let (column, row) = (local(x, cells[0]), local(z, cells[1]));
    let (i, j) = (
        (column as usize).min(cells[0] - 1),
        (row as usize).min(cells[1] - 1),
    );
    let (u, v) = ((column - i as f64) as f32, (row - j as f64) as f32);
    let (a, b) = (map.at(j, i), map.at(j, i + 1));
    let (c, d) = (map.at(j + 1, i), map.at(j + 1, i + 1));
    match u > v {
        true => a + (b - a) * u + (d - b) * v,
        false => a + (c - a) * v + (d - c) * u,
    }
}

fn random(seed: u64) -> impl FnMut() -> f32 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 40) as f32 / (1 << 24) as f32
    }
}

#[test]
fn an_orbit_keeps_its_eye_out_of_the_ground() {
    let hill = [0.0, 0.1, 0.0, 0.1, 0.4, 0.1, 0.0, 0.1, 0.0].to_vec();
    let ground = Ground::new(&Heightmap::new(3, 3, true, hill), 3).expect("a ground");
    let wet = ground.under_water(Some(0.6));
    let orbit = |pitch: f32, distance: f32, mode: CameraMode| Camera {
        pitch,
        distance,
        mode,
        ..Camera::default()
    };
    for pitch in [-60.0, -10.0, 0.0, 15.0, 60.0] {
        for distance in [0.05, 0.4, 1.5] {
            let camera = orbit(pitch, distance, CameraMode::Orbit);
            for ground in [&ground, &wet] {
                let seen = above_ground(&camera, ground);
                let (eye, before) = (seen.eye(), camera.eye());
                assert!(
                    eye.y >= ground.height(eye.x, eye.z),
                    "{pitch} {distance}: {eye}"
                );
                assert!((eye - before).with_y(0.0).length() < 1e-5);
                assert!((seen.forward() - camera.forward()).length() < 1e-5);
                let was_above = before.y > ground.height(before.x, before.z) + 0.01;
                assert!(!was_above || seen == camera, "{pitch} {distance}");
            }
            let flying = orbit(pitch, distance, CameraMode::Fly);
            assert_eq!(above_ground(&flying, &ground), flying);
        }
    }
    // Beyond the border, and below the floor of a single tile.
    let beyond = orbit(-5.0, 20.0, CameraMode::Orbit);
    assert_eq!(above_ground(&beyond, &ground), beyond);
    let underneath = orbit(-90.0, 1.0, CameraMode::Orbit);
    assert_eq!(above_ground(&underneath, &ground.tiled(1)), underneath);
}

#[test]
fn the_ground_is_what_is_drawn_or_a_little_above() {
    for (index, map) in maps().iter().enumerate() {
        let (low, high) = map.range();
        for tiles in [1, 2, 3] {
            let ground = Ground::new(map, 1).expect("a ground").tiled(tiles);
            let [reach_x, reach_z] = ground.reach();
            let mut random = random(index as u64 + 1);
            for _ in 0..5000 {
                let x = (random() * 2.4 - 1.2) * reach_x;
                let z = (random() * 2.4 - 1.2) * reach_z;
                let (said, true_height) = (ground.height(x, z), drawn(map, tiles, x, z));
                assert!(said >= true_height, "map {index} at {x}, {z}");
                let near = said - true_height < (high - low) * 1e-4;
                assert!(
                    near || !map.wraps(),
                    "map {index} at {x}, {z}: {said} {true_height}"
                );
            }
        }
    }
    let profile = map(Generator::Midpoint1d, 0.5, 1);
    assert!(Ground::new(&profile, 1).is_none());
}

#[test]
fn the_ground_has_no_jumps_between_tiles() {
    for map in maps() {
        let ground = Ground::new(&map, 3).expect("a ground");
        let [reach, _] = ground.reach();
        let step = 1e-4;
        let rises = map
            .heights()
            .windows(2)
            .map(|pair| (pair[1] - pair[0]).abs());
        let steepest = rises.fold(0.0, f32::max) / map.spacing() * 1.01 + 5.0;
        let mut before = ground.height(-reach, 0.1);
        let count = (2.0 * reach / step) as i32;
        for index in 1..=count {
            let now = ground.height(-reach + step * index as f32, 0.1);
            assert!((now - before).abs() < steepest * step, "{now} {before}");
            before = now;
        }
    }
}

/// Where a random walk over rough ground leads, each place handed to `look`.
fn wander(mode: CameraMode, map: &Heightmap, tiles: u32, seed: u64, mut look: impl FnMut(Vec3)) {
    let ground = Ground::new(map, tiles).expect("a ground");
    let mut random = random(seed);
    let mut camera = Camera {
        speed: 3.0,
        // Strides of a giant, to come across borders.
        eye_height: if mode == CameraMode::Walk { 20.0 } else { 1.8 },
        ..Camera::default()
    };
    let mut steering = Steering::default();
    steering.set_mode(&mut camera, mode, Some(&ground), TILE_M);
    let mut wish = Wish::default();
    for frame in 0..1500 {
        if frame % 40 == 0 {
            let mut axis = || (random() * 3.0).floor() - 1.0;
            wish = Wish {
                right: axis(),
                up: axis(),
                ahead: axis(),
                fast: axis() > 0.0,
            };
        }
        if frame % 7 == 0 {
            let eye = camera.eye();
            camera.bearing = random() * 360.0 - 180.0;
            camera.pitch = random() * 180.0 - 90.0;
            camera = camera.with_eye(eye);
        }
        let seconds = 0.005 + random() * 0.1;
        steering.advance(&mut camera, wish, Some(&ground), TILE_M, seconds);
        look(camera.eye());
    }
}

#[test]
fn no_wandering_leads_under_the_ground() {
    for (index, map) in maps().iter().enumerate() {
        for mode in [CameraMode::Fly, CameraMode::Walk] {
            for tiles in [1, 3] {
                let mut crossed = 0;
                let mut last = Vec3::ZERO;
                wander(mode, map, tiles, 11 + index as u64, |eye| {
                    let height = drawn(map, tiles, eye.x, eye.z);
                    assert!(eye.is_finite());
                    assert!(eye.y > height, "{mode} over map {index}: {eye} {height}");
                    crossed += u32::from(last.x.abs() < 1.0 && eye.x.abs() >= 1.0);
                    last = eye;
                });
                let tells = tiles == 3 && index == 0;
                assert!(!tells || crossed > 2, "{mode}: {crossed} borders crossed");
            }
        }
    }
}

#[test]
fn a_standing_walker_is_as_high_as_eyes_are() {
    let map = map(Generator::DiamondSquare, 0.7, 3);
    let ground = Ground::new(&map, 2).expect("a ground");
    let mut camera = Camera::default();
    let mut steering = Steering::default();
    let before = camera.eye();
    steering.set_mode(&mut camera, CameraMode::Walk, Some(&ground), TILE_M);
    assert_eq!(camera.eye(), before, "the eye stays, then goes down");
    let mut last = before;
    for _ in 0..300 {
        steering.advance(&mut camera, Wish::default(), Some(&ground), TILE_M, 0.02);
        assert!((camera.eye() - last).length() < 0.2, "no jump");
        last = camera.eye();
    }
    assert!(!steering.is_moving());
    let eye = camera.eye();
    let [x, z] = ground.reach();
    assert!(
        eye.x.abs() <= x + 1e-5 && eye.z.abs() <= z + 1e-5,
        "within the border"
    );
    let height = eye.y - ground.height(eye.x, eye.z);
    assert!((height - 0.0018).abs() < 1e-4, "1.8 m of 1000 m: {height}");
    assert_eq!(eye_height(&camera, TILE_M), 0.0018);
}

#[test]
fn the_eye_stays_where_it_is_in_another_mode() {
    let map = map(Generator::DiamondSquare, 0.7, 3);
    let ground = Ground::new(&map, 1).expect("a ground");
    for from in CameraMode::ALL {
        for to in CameraMode::ALL {
            let mut camera = Camera::default().with_mode(*from);
            let mut steering = Steering::default();
            let before = camera.eye();
            steering.set_mode(&mut camera, *to, Some(&ground), TILE_M);
            assert!((camera.eye() - before).length() < 1e-5, "{from} to {to}");
            steering.advance(&mut camera, Wish::default(), Some(&ground), TILE_M, 0.001);
            assert!((camera.eye() - before).length() < 1e-3, "{from} to {to}");
        }
    }
}

#[test]
fn ten_and_a_hundred_frames_a_second_lead_to_the_same_place() {
    let map = map(Generator::DiamondSquare, 0.6, 5);
    let ground = Ground::new(&map, 3).expect("a ground");
    for mode in [
        CameraMode::Orbit,
        CameraMode::Fly,
        CameraMode::Walk,
        CameraMode::Top,
    ] {
        let way = |frames: u32| {
            let mut camera = Camera {
                mode,
                pitch: 20.0,
                distance: 0.5,
                eye_height: 40.0,
                target: [0.0, 0.6, 0.0],
                ..Camera::default()
            };
            let mut steering = Steering::default();
            let mut places = Vec::new();
            for second in [
                Wish {
                    ahead: 1.0,
                    ..Wish::default()
                },
                Wish {
                    ahead: 1.0,
                    right: -1.0,
                    fast: true,
                    ..Wish::default()
                },
                Wish {
                    up: -1.0,
                    ..Wish::default()
                },
                Wish::default(),
            ] {
                for _ in 0..frames {
                    let seconds = 1.0 / frames as f32;
                    steering.advance(&mut camera, second, Some(&ground), TILE_M, seconds);
                }
                places.push((camera.eye(), camera.distance));
            }
            places
        };
        let (few, many) = (way(10), way(100));
        assert!((few[0].0 - few[2].0).length() > 0.3, "{mode} moves");
        for ((few, few_away), (many, many_away)) in few.iter().zip(&many) {
            assert!((*few - *many).length() < 0.01, "{mode}: {few} {many}");
            assert!((few_away - many_away).abs() < 0.01, "{mode}");
        }
        assert!((few[3].0 - way(60)[3].0).length() < 0.01);
    }
}

fn key(time: f32, target: [f32; 3], bearing: f32) -> KeyFrame {
    let camera = Camera {
        target,
        bearing,
        pitch: 15.0,
        distance: 1.0,
        ..Camera::default()
    };
    KeyFrame { time, camera }
}

fn path() -> CameraPath {
    CameraPath {
        constant_speed: false,
        frames: vec![
            key(0.0, [0.0, 1.0, 0.0], 170.0),
            key(1.0, [1.0, 1.2, 0.0], -170.0),
            key(4.0, [1.0, 1.2, 2.0], -100.0),
            key(5.0, [1.0, 1.2, 2.0], 60.0),
            key(9.0, [-2.0, 1.5, 2.0], 50.0),
        ],
    }
}

#[test]
fn a_path_goes_through_its_key_frames_without_leaps() {
    let frames = path().frames;
    let path = Path::new(&path()).expect("a path");
    assert_eq!((path.start(), path.end()), (0.0, 9.0));
    for frame in &frames {
        assert_eq!(path.at(frame.time, None, TILE_M), frame.camera);
    }
    assert_eq!(path.at(-5.0, None, TILE_M), frames[0].camera);
    assert_eq!(path.at(1e9, None, TILE_M), frames[4].camera);
    let mut before = path.at(0.0, None, TILE_M);
    for step in 1..=9000 {
        let now = path.at(step as f32 * 0.001, None, TILE_M);
        assert!((now.eye() - before.eye()).length() < 0.01, "at {step} ms");
        assert!(now.forward().dot(before.forward()) > 0.999, "at {step} ms");
        before = now;
    }
    let mut all = Vec::new();
    for step in 0..100 {
        all.push(path.at(step as f32 * 0.01, None, TILE_M).bearing.abs());
    }
    assert!(
        all.iter().all(|bearing| *bearing > 160.0),
        "the shorter way round"
    );
}

#[test]
fn constant_speed_is_constant() {
    let document = CameraPath {
        constant_speed: true,
        ..path()
    };
    let path = Path::new(&document).expect("a path");
    assert_eq!(path.at(0.0, None, TILE_M), document.frames[0].camera);
    assert_eq!(path.at(9.0, None, TILE_M), document.frames[4].camera);
    let eyes: Vec<_> = (0..=900)
        .map(|step| path.at(step as f32 * 0.01, None, TILE_M).eye())
        .collect();
    let steps: Vec<_> = eyes
        .windows(2)
        .map(|pair| pair[0].distance(pair[1]))
        .collect();
    let mut sorted = steps.clone();
    sorted.sort_by(f32::total_cmp);
    let middle = sorted[450];
    let off = steps
        .iter()
        .filter(|step| (**step - middle).abs() > middle * 0.05);
    // The eye of the fourth frame turns around its target, which is a way too; corners between
    // measured pieces are the rest.
    assert!(off.count() < 20, "{middle} {sorted:?}");
    for frame in &document.frames {
        let nearest = eyes.iter().map(|eye| eye.distance(frame.camera.eye()));
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        assert!(nearest < middle, "it still passes every key frame");
    }
}

#[test]
fn a_path_under_the_ground_is_lifted_above_it() {
    for map in maps() {
        let ground = Ground::new(&map, 2).expect("a ground");
        let low = CameraPath {
            constant_speed: false,
            frames: vec![
                key(0.0, [-1.5, -0.5, -1.5], 0.0),
                key(5.0, [1.5, -0.5, 1.5], 90.0),
            ],
        };
        let path = Path::new(&low).expect("a path");
        for step in 0..=500 {
            let eye = path.at(step as f32 * 0.01, Some(&ground), TILE_M).eye();
            assert!(eye.y > drawn(&map, 2, eye.x, eye.z) + 0.5 * CLEARANCE);
        }
    }
}

proptest! {
    #[test]
    fn nothing_makes_a_camera_lose_itself(
        numbers in prop::array::uniform7(-1000.0f32..1000.0),
        distance in 0.01f32..100.0, speed in 0.01f32..100.0, height in 0.1f32..1000.0,
        mode in 0usize..4, seconds in prop_oneof![Just(f32::NAN), Just(f32::INFINITY), 0.0f32..1e6],
        tile_m in 1.0f32..1e6,
    ) {
        let camera = Camera {
            mode: CameraMode::ALL[mode],
            target: [numbers[0], numbers[1], numbers[2]],
            bearing: numbers[3] * 36.0,
            pitch: numbers[4] * 0.09,
            distance,
            speed,
            eye_height: height,
            ..Camera::default()
        };
        let map = Heightmap::new(3, 3, true, vec![0.0, 0.5, 0.0, 0.5, 1.0, 0.5, 0.0, 0.5, 0.0]);
        let ground = Ground::new(&map, 16).unwrap();
        let mut steering = Steering::default();
        let wish = Wish { right: numbers[5].signum(), up: numbers[6].signum(), ahead: 1.0, fast: true };
        for to in CameraMode::ALL {
            let mut moved = camera.clone();
            steering.set_mode(&mut moved, *to, Some(&ground), tile_m);
            for _ in 0..5 {
                steering.advance(&mut moved, wish, Some(&ground), tile_m, seconds);
            }
            let scene = Scene { camera: moved, ..Scene::default() };
            prop_assert!(scene.validate().is_ok(), "{:?}", scene.camera);
        }
        let document = CameraPath {
            constant_speed: speed > 1.0,
            frames: vec![
                KeyFrame { time: 0.0, camera: camera.clone() },
                KeyFrame { time: distance, camera: Camera::default() },
                KeyFrame { time: distance + 1.0, camera },
            ],
        };
        let path = Path::new(&document).unwrap();
        for time in [seconds, 0.5, distance * 0.5, distance] {
            let scene = Scene { camera: path.at(time, Some(&ground), tile_m), ..Scene::default() };
            prop_assert!(scene.validate().is_ok(), "{:?}", scene.camera);
        }
    }
}

fn travelled() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene.bookmarks = vec![
        Bookmark {
            name: "the bay".to_owned(),
            camera: Camera {
                bearing: 12.0,
                ..Camera::default()
            },
        },
        Bookmark {
            name: "Gipfel".to_owned(),
            camera: Camera {
                mode: CameraMode::Top,
                ..Camera::default()
            },
        },
    ];
    scene.path = path();
    scene
}

#[test]
fn bookmarks_and_paths_come_back_from_a_scene_file() {
    let scene = travelled();
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    let plain = Scene::default().to_toml();
    assert!(
        !plain.contains("bookmarks") && !plain.contains("path"),
        "{plain}"
    );
    let old = Scene::parse("[camera]\nyaw = 5.0\n").unwrap();
    assert_eq!(old.camera.mode, CameraMode::Orbit);
    let changed = scene.with("bookmarks.0.camera.mode", "walk").unwrap();
    assert_eq!(changed.bookmarks[0].camera.mode, CameraMode::Walk);
    let added = Scene::default().with("bookmarks.0.name", "here").unwrap();
    assert_eq!(added.bookmarks[0].name, "here");
    let added = Scene::default().with("path.frames.0.time", "2").unwrap();
    assert_eq!(added.path.frames[0].time, 2.0);
    assert!(
        added
            .with("path.constant_speed", "true")
            .unwrap()
            .path
            .constant_speed
    );
    for (key, value, words) in [
        (
            "path.frames.1.time",
            "0",
            "path.frames.1.time is 0, allowed is more than 0 to 36000",
        ),
        (
            "bookmarks.1.name",
            "the bay",
            "1 to 100 characters that no other bookmark has as its name",
        ),
        (
            "bookmarks.0.camera.fov",
            "3",
            "bookmarks.0.camera.fov is 3, allowed is 10 to 120",
        ),
    ] {
        let error = scene.with(key, value).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn pictures_of_bookmarks_and_along_the_path() {
    let folder = folder();
    let folder = folder.path();
    let mut scene = travelled();
    scene.path.frames[2].camera.target[1] = -3.0;
    std::fs::write(folder.join("scene.toml"), scene.to_toml()).unwrap();
    let base = "render scene.toml --type triangles --size 48x32";
    let bearing = |name: &str| import::open(&folder.join(name)).unwrap().camera.bearing;
    succeed(folder, &format!("{base} --bookmark Gipfel -o top.png"));
    assert_eq!(
        import::open(&folder.join("top.png")).unwrap().camera.mode,
        CameraMode::Top
    );
    let frames = format!("{base} --frames 5 --json -o frame-{{frame}}.png");
    let lines = succeed(folder, &frames);
    assert_eq!(lines.lines().count(), 5);
    assert!(lines.contains("\"frame\":3"), "{lines}");
    for number in 1..=5 {
        assert!(names(folder).contains(&format!("frame-000{number}.png")));
    }
    assert_eq!(
        (bearing("frame-0001.png"), bearing("frame-0005.png")),
        (170.0, 50.0)
    );
    // What the file says is what it shows: lifted above the ground.
    let map = crate::common::generated(&scene.surface);
    for number in 1..=5 {
        let eye = import::open(&folder.join(format!("frame-000{number}.png")))
            .unwrap()
            .camera
            .eye();
        assert!(eye.y > drawn(&map, 1, eye.x, eye.z), "{number}: {eye}");
    }
    std::fs::remove_file(folder.join("frame-0002.png")).unwrap();
    let again = succeed(folder, &format!("{frames} --resume"));
    let skipped = again
        .lines()
        .filter(|line| line.contains("\"skipped\":true"));
    assert_eq!(skipped.count(), 4, "{again}");
    let larger = frames.replace("48x32", "24x16");
    let again = succeed(folder, &format!("{larger} --resume"));
    assert!(
        !again.contains("\"skipped\":true"),
        "of another size: {again}"
    );
    fail_with(
        folder,
        ["render", "scene.toml", "--bookmark", "sea", "-o", "x.png"],
        2,
        &["--bookmark is `sea`, allowed is the bay, Gipfel"],
    );
    for (arguments, words) in [
        (
            "render --bookmark sea -o x.png",
            "the scene has no bookmarks",
        ),
        ("render --frames 3 -o x{frame}.png", "0 key frames"),
        ("render scene.toml --frames 3 -o x.png", "{frame}"),
        ("render scene.toml --frames 0 -o x{frame}.png", "0"),
        (
            "render scene.toml --frames 2 --set surface.seed=1..2 -o x{frame}.png",
            "2 scenes",
        ),
    ] {
        fail(folder, arguments, 2, &[words]);
    }
}
