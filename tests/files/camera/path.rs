//! The way through key frames, and bookmarks.

use super::*;

fn key(time: f32, target: [f32; 3], bearing: f32) -> KeyFrame {
    let camera = Camera {
        target: target.map(f64::from),
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
fn path_passes_its_key_frames_without_jumps() {
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
        assert!(
            (now.eye().as_vec3() - before.eye().as_vec3()).length() < 0.01,
            "at {step} ms"
        );
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
        .map(|step| path.at(step as f32 * 0.01, None, TILE_M).eye().as_vec3())
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
        let nearest = eyes
            .iter()
            .map(|eye| eye.distance(frame.camera.eye().as_vec3()));
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        assert!(nearest < middle, "it still passes every key frame");
    }
}

fn looking(time: f32, target: [f64; 3], distance: f32) -> KeyFrame {
    let camera = Camera {
        target,
        distance,
        pitch: 35.0,
        ..Camera::default()
    };
    KeyFrame { time, camera }
}

/// Ways through ten powers of ten, at two seconds for each: with two frames, with one for each
/// power, with some here and there, and with one whose target is beside the others.
fn dives() -> Vec<CameraPath> {
    let [x, y, z] = [0.412_345_678, 0.112_345_678, -0.298_765_432];
    let frame = |power: f32| looking(power * 2.0, [x, y, z], 10f32.powf(1.0 - power));
    let beside = looking(0.0, [x - 2.0, y, z + 1.0], 10.0);
    let all = [
        vec![frame(0.0), frame(10.0)],
        (0..=10).map(|power| frame(power as f32)).collect(),
        vec![frame(0.0), frame(1.5), frame(7.0), frame(10.0)],
        vec![beside, frame(10.0)],
    ];
    let path = |frames| CameraPath {
        constant_speed: false,
        frames,
    };
    all.map(path).into()
}

#[test]
fn dive_through_ten_powers_of_ten_is_even() {
    for document in dives() {
        let steady = CameraPath {
            constant_speed: true,
            ..document.clone()
        };
        for document in [document, steady] {
            let path = Path::new(&document).expect("a path");
            let at = |time: f32| path.at(time, None, TILE_M);
            for frame in &document.frames {
                let camera = at(frame.time);
                let is_it = (camera.distance / frame.camera.distance - 1.0).abs() < 0.01;
                assert!(is_it, "{camera:?} {:?}", frame.camera);
                assert!(document.constant_speed || camera == frame.camera);
            }
            for second in 0..20 {
                let [from, to] = [0.0, 1.0].map(|more| at(second as f32 + more).distance);
                let power = (from / to).log10();
                assert!((power - 0.5).abs() < 0.05, "second {second}: {power}");
            }
        }
    }
}

/// How far the view moves from one camera to another, in distances.
fn leap(from: &Camera, to: &Camera) -> f64 {
    let way = glam::DVec3::from(to.target) - glam::DVec3::from(from.target);
    let nearer = f64::from(from.distance.min(to.distance));
    way.length().max((to.eye() - from.eye()).length()) / nearer
}

#[test]
fn a_way_through_scales_has_no_leaps() {
    let mut ways = dives();
    // Down, aside on the ground, up again; and from pebble to pebble, far from each other.
    ways.push(CameraPath {
        constant_speed: false,
        frames: vec![
            looking(0.0, [0.0, 0.3, 0.0], 3.0),
            looking(10.0, [0.2, 0.1, 0.3], 1e-6),
            looking(12.0, [0.200_002, 0.1, 0.299_999], 1e-6),
            looking(20.0, [-0.5, 0.2, 0.1], 2.0),
        ],
    });
    ways.push(CameraPath {
        constant_speed: false,
        frames: vec![
            looking(0.0, [0.3, 0.1, 0.4], 1e-6),
            looking(20.0, [-0.5, 0.2, 0.1], 1e-6),
        ],
    });
    for document in ways {
        let path = Path::new(&document).expect("a path");
        for frame in &document.frames {
            assert_eq!(path.at(frame.time, None, TILE_M), frame.camera);
        }
        let mut before = path.at(0.0, None, TILE_M);
        for step in 1..=20_000 {
            let now = path.at(step as f32 * 0.001, None, TILE_M);
            let leap = leap(&before, &now);
            assert!(leap < 0.01, "at {step} ms: {leap}");
            assert!(now.forward().dot(before.forward()) > 0.999, "at {step} ms");
            before = now;
        }
    }
}

#[test]
fn whole_way_is_visible_from_pebble_to_pebble() {
    let frames = vec![
        looking(0.0, [0.3, 0.1, 0.4], 1e-6),
        looking(20.0, [-0.5, 0.2, 0.1], 1e-6),
    ];
    let path = Path::new(&CameraPath {
        constant_speed: false,
        frames,
    });
    let middle = path.expect("a path").at(10.0, None, TILE_M);
    assert!((0.3..1.0).contains(&middle.distance), "{middle:?}");
}

#[test]
fn a_dive_stays_above_the_finest_ground() {
    let scene = Scene {
        surface: Surface {
            iterations: 6,
            seed: 5,
            hurst: 1.0,
            height_scale: 0.4,
            ..Surface::default()
        },
        ..Scene::default()
    };
    let inputs = landform::inputs::Inputs::default();
    let made = Pipeline::default().run(&scene, &inputs, &Job::new());
    let made = made.expect("a landscape");
    let ground = Ground::new(made.surface(), 1).expect("a ground");
    let ground = ground.over(made.below.clone());
    let on_ground = |x: f64, z: f64| [x, ground.height_near(x, z, 1e-9), z];
    // The second frame looks at what is deep in the ground.
    let [x, y, z] = on_ground(-0.31, 0.22);
    let path = Path::new(&CameraPath {
        constant_speed: false,
        frames: vec![
            looking(0.0, on_ground(0.5, -0.6), 2.0),
            looking(5.0, [x, y - 2e-5, z], 1e-5),
            looking(10.0, on_ground(0.123, 0.456), 1e-7),
        ],
    });
    let path = path.expect("a path");
    for step in 0..=500 {
        let camera = path.at(step as f32 * 0.02, Some(&ground), TILE_M);
        let (eye, smallest) = (camera.eye(), f64::from(camera.distance) * 1e-3);
        let above = eye.y - ground.height_near(eye.x, eye.z, smallest);
        assert!(above > 0.0, "at step {step}: {above}");
    }
}

#[test]
fn flight_to_a_far_smaller_bookmark_is_even() {
    let [from, to] = [(0.3, 3.0), (0.35, 3e-7)];
    let [from, to] = [from, to].map(|(x, distance)| looking(0.0, [x, 0.1, 0.4], distance).camera);
    let mut steering = Steering::default();
    let mut camera = from.clone();
    steering.fly_to(&from, to.clone());
    let mut steps = 0;
    while camera != to {
        let before = camera.clone();
        steering.advance(&mut camera, Wish::default(), None, TILE_M, 0.005);
        let leap = leap(&before, &camera);
        // Twice as fast in the middle as on the average.
        assert!(leap < 0.2, "step {steps}: {leap}");
        steps += 1;
        assert!(steps < 1000);
    }
    assert!(!steering.is_moving());
}

#[test]
fn path_under_the_ground_is_lifted_above() {
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
            let eye = path
                .at(step as f32 * 0.01, Some(&ground), TILE_M)
                .eye()
                .as_vec3();
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
            target: [numbers[0], numbers[1], numbers[2]].map(f64::from),
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
fn bookmarks_and_paths_survive_a_scene_file() {
    let scene = travelled();
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    let plain = Scene::default().to_toml();
    assert!(
        !plain.contains("bookmarks") && !plain.contains("path"),
        "{plain}"
    );
    let usual = Scene::parse("[camera]\nbearing = 5.0\n").unwrap();
    assert_eq!(usual.camera.mode, CameraMode::Orbit);
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
            "path.frames.1.time is 0; allowed: more than 0 to 36000",
        ),
        (
            "bookmarks.1.name",
            "the bay",
            "1 to 100 characters, and not the name of another bookmark",
        ),
        (
            "bookmarks.0.camera.fov",
            "3",
            "bookmarks.0.camera.fov is 3; allowed: 10 to 120",
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
            .eye()
            .as_vec3();
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
        &["--bookmark is `sea`; allowed: the bay, Gipfel"],
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
