//! A scene at any time.

use landform::camera::Ground;
use landform::film::{self, Ready};
use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::param::{Kind, Value};
use landform::pipeline::Pipeline;
use landform::scene::{KeyFrame, PlantLayer, Scene, Setting, written};

fn film_of(text: &str) -> Scene {
    Scene::parse(text).unwrap()
}

/// A film in which a setting has those values at those times.
fn with_keys(mut scene: Scene, setting: &Setting, points: &[(f32, Value)]) -> Scene {
    for (time, value) in points {
        let value = written(&setting.kind, value);
        scene.film.put(*time, &setting.key, value);
    }
    scene
}

fn value_at(scene: &Scene, key: &str, time: f32) -> Value {
    let settings = film::scene_at(scene, time, None).settings();
    let found = settings.into_iter().find(|setting| setting.key == key);
    found.unwrap().value
}

fn number_at(scene: &Scene, key: &str, time: f32) -> f32 {
    match value_at(scene, key, time) {
        Value::Float(number) => number,
        Value::Int(number) => number as f32,
        other => panic!("{key} is {other:?}"),
    }
}

/// Two values of a setting that are allowed, the second another than the first.
fn two_of(setting: &Setting) -> Option<[Value; 2]> {
    Some(match setting.kind {
        Kind::Float { slider, .. } => [Value::Float(slider.0), Value::Float(slider.1)],
        Kind::Int {
            min, slider_max, ..
        } => [Value::Int(min), Value::Int(slider_max)],
        Kind::Seed => [Value::Seed(3), Value::Seed(u64::MAX)],
        Kind::Switch => [Value::Switch(false), Value::Switch(true)],
        Kind::Choice { names, .. } => [Value::Choice(0), Value::Choice(names.len() - 1)],
        // Which texts mean something only the setting knows.
        Kind::Text => return None,
    })
}

#[test]
fn settings_have_key_frame_values_at_their_times() {
    let mut scene = import::Preset::named("erosion").unwrap().scene();
    scene.layers = vec![Default::default()];
    let settings = scene.settings();
    let (mut between, mut steps) = (0, 0);
    for setting in &settings {
        let Some([first, second]) = two_of(setting) else {
            continue;
        };
        let points = [(1.0, first.clone()), (3.0, second.clone())];
        let film = with_keys(scene.clone(), setting, &points);
        let key = setting.key.as_str();
        film.validate().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(Scene::parse(&film.to_toml()).unwrap(), film, "{key}");
        assert_eq!(Scene::parse(&film.to_short_toml()).unwrap(), film, "{key}");
        for (time, value) in [(0.0, &first), (1.0, &first), (3.0, &second), (9.0, &second)] {
            assert_eq!(value_at(&film, key, time), *value, "{key} at {time}");
        }
        let middle = value_at(&film, key, 2.0);
        assert!(setting.kind.allows(&middle), "{key}: {middle:?}");
        match setting.kind {
            // A whole turn is no turn.
            Kind::Float { .. } if setting.unit == "°" => {}
            Kind::Float { .. } => {
                assert!(middle != first && middle != second, "{key}: {middle:?}");
                between += 1;
            }
            Kind::Int { .. } => {}
            _ => {
                assert_eq!(middle, first, "{key}");
                steps += 1;
            }
        }
    }
    assert!(
        between > 50 && steps > 20,
        "{between} numbers, {steps} others"
    );
}

#[test]
fn what_no_key_frame_names_stays() {
    let film = film_of("light.ambient = 0.3\n[[film.keys]]\ntime = 1\nset.light.elevation = 7");
    let then = film::scene_at(&film, 5.0, None);
    assert_eq!(then.light.elevation, 7.0);
    let mut alike = then.clone();
    alike.light.elevation = film.light.elevation;
    assert_eq!(alike, film);
}

#[test]
fn numbers_pass_no_key_frame() {
    let setting = |scene: &Scene| {
        let all = scene.settings();
        all.into_iter().find(|s| s.key == "water.level").unwrap()
    };
    let scene = Scene::default();
    let points: Vec<_> = [0.0, 0.5, 0.5, -0.2, -0.2, 0.1]
        .into_iter()
        .enumerate()
        .map(|(time, level)| (time as f32, Value::Float(level)))
        .collect();
    let film = with_keys(scene.clone(), &setting(&scene), &points);
    let mut last = 0.0_f32;
    for step in 0..=500 {
        let time = step as f32 * 0.01;
        let level = number_at(&film, "water.level", time);
        let ends = [time.floor(), time.ceil()].map(|time| number_at(&film, "water.level", time));
        let (low, high) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
        assert!((low..=high).contains(&level), "{level} at {time}");
        assert!((level - last).abs() < 0.02, "a leap at {time}");
        last = level;
    }
}

#[test]
fn angles_take_shorter_way_and_stay_in_circle() {
    let film = film_of(
        "[[film.keys]]\ntime = 0\nset.light.bearing = 350\n\
         [[film.keys]]\ntime = 1\nset.light.bearing = 10",
    );
    assert_eq!(number_at(&film, "light.bearing", 0.25), 355.0);
    assert_eq!(number_at(&film, "light.bearing", 0.75), 5.0);
}

#[test]
fn numbers_over_scales_go_by_factors() {
    let film = film_of(
        "[[film.keys]]\ntime = 0\nset.surface.tile_size_m = 100\n\
         [[film.keys]]\ntime = 2\nset.surface.tile_size_m = 10000",
    );
    let middle = number_at(&film, "surface.tile_size_m", 1.0);
    assert!((middle - 1000.0).abs() < 0.01, "{middle}");
}

#[test]
fn whole_numbers_go_step_by_step() {
    let film = film_of(
        "[[film.keys]]\ntime = 0\nset.surface.iterations = 2\n\
         [[film.keys]]\ntime = 4\nset.surface.iterations = 6\n\
         [[film.keys]]\ntime = 6\nset.surface.iterations = 4",
    );
    for (time, wanted) in [
        (0.0, 2.0),
        (0.99, 2.0),
        (1.0, 3.0),
        (3.99, 5.0),
        (4.0, 6.0),
        (4.5, 6.0),
        (5.0, 5.0),
        (6.0, 4.0),
    ] {
        let found = number_at(&film, "surface.iterations", time);
        assert_eq!(found, wanted, "at {time}");
    }
}

#[test]
fn wrong_key_frames_are_refused_in_words() {
    let key = |set: &str| format!("[[film.keys]]\ntime = 0\nset.{set}");
    let cases = [
        (
            key("light.elevatoin = 3"),
            "film.keys.0.set.light.elevatoin is 3; allowed: a setting's key",
        ),
        (
            key("light.elevation = 91"),
            "film.keys.0.set.light.elevation is 91; allowed: -30 to 90",
        ),
        (
            key("light.elevation = nan"),
            "film.keys.0.set.light.elevation is NaN; allowed: -30 to 90",
        ),
        (
            key("light.shadows = 1"),
            "film.keys.0.set.light.shadows is 1; allowed: true, false",
        ),
        (key("view.render_type = \"maps\""), "is \"maps\"; allowed:"),
        (
            key("surface.iterations = -1"),
            "film.keys.0.set.surface.iterations is -1; allowed: 1 to",
        ),
        (key("film.seconds = 3"), "allowed: a setting's key"),
        (
            key("path.constant_speed = true"),
            "allowed: a setting's key",
        ),
        (
            "[[film.keys]]\ntime = -1".to_owned(),
            "film.keys.0.time is -1; allowed: 0 to 36000",
        ),
        (
            "[[film.keys]]\ntime = 2\n[[film.keys]]\ntime = 2".to_owned(),
            "allowed: more than 2 to 36000",
        ),
        (
            "film.fps = 0".to_owned(),
            "film.fps is 0; allowed: 1 to 120",
        ),
        (
            "film.keys = [{ when = 3 }]".to_owned(),
            "unknown field `when`",
        ),
    ];
    for (text, words) in cases {
        let error = Scene::parse(&text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
    }
}

#[test]
fn key_frames_of_missing_items_only_warn() {
    let film = film_of("[[film.keys]]\ntime = 0\nset.modifiers.0.blur.radius = 3");
    assert_eq!(film::scene_at(&film, 0.0, None), film);
    let said = film.notices().join("\n");
    assert!(said.contains("film: modifiers.0.blur.radius"), "{said}");
}

#[test]
fn key_frames_are_set_by_their_keys() {
    let scene = Scene::default();
    let film = scene.with("film.keys.0.time", "2").unwrap();
    let film = film.with("film.keys.0.set.light.elevation", "12").unwrap();
    assert_eq!(number_at(&film, "light.elevation", 0.0), 12.0);
    let text = film.to_short_toml();
    assert_eq!(Scene::parse(&text).unwrap(), film, "{text}");
    let differences = scene.differences(&film);
    assert_eq!(differences.len(), 1, "{differences:?}");
}

#[test]
fn film_length_is_explicit_or_last_key_frame() {
    let mut film = film_of("[[film.keys]]\ntime = 4\nset.light.elevation = 12");
    assert_eq!((film::seconds(&film), film::pictures(&film)), (4.0, 120));
    film.path.frames = vec![
        KeyFrame::default(),
        KeyFrame {
            time: 6.0,
            ..KeyFrame::default()
        },
    ];
    assert_eq!(film::seconds(&film), 6.0);
    film.film.seconds = 2.5;
    assert_eq!((film::seconds(&film), film::pictures(&film)), (2.5, 75));
    let longer = film::stretched(&film, 5.0);
    assert_eq!(longer.film.keys[0].time, 8.0);
    assert_eq!(longer.path.frames[1].time, 12.0);
    assert_eq!(film::time_of(&longer, 1), 0.0);
    assert_eq!(film::time_of(&longer, 31), 1.0);
}

fn ground_of(scene: &Scene) -> Option<Ground> {
    let mut scene = scene.clone();
    (scene.light.shadows, scene.light.occlusion) = (false, false);
    let made = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
    Ground::of(&made.unwrap())
}

#[test]
fn ready_made_films_suit_any_landscape() {
    for name in ["alpine", "fjord", "perlin", "midpoint-1d", "powers-of-ten"] {
        let Some(preset) = import::Preset::named(name) else {
            panic!("no preset {name}");
        };
        let mut scene = preset.scene();
        scene.surface.iterations = 5;
        scene.modifiers.clear();
        scene.teximage.iterations = 4;
        scene.clouds.iterations = 4;
        let ground = ground_of(&scene);
        for ready in Ready::ALL {
            let film = ready.applied(&scene, ground.as_ref(), 8.0);
            film.validate()
                .unwrap_or_else(|error| panic!("{name}, {ready}: {error}"));
            assert!(film::is_film(&film), "{name}, {ready}");
            assert_eq!(film::seconds(&film), 8.0);
            let at = |time| film::scene_at(&film, time, ground.as_ref());
            assert_ne!(at(0.0), at(3.0), "{name}, {ready}");
            let ends = [0.0, 8.0].map(|time| at(time).camera.eye());
            match ready {
                Ready::Turntable | Ready::Flight => {
                    assert!(
                        ends[0].distance(ends[1]) < 1e-3,
                        "{name}, {ready}: {ends:?}"
                    );
                }
                Ready::Day => assert!(at(4.0).light.elevation > 50.0),
            }
        }
    }
}

#[test]
fn a_flight_keeps_above_the_ground() {
    let mut scene = import::Preset::named("alpine").unwrap().scene();
    scene.surface.iterations = 7;
    let ground = ground_of(&scene).unwrap();
    let film = Ready::Flight.applied(&scene, Some(&ground), 10.0);
    let mut least = f64::INFINITY;
    for step in 0..=400 {
        let eye = film::scene_at(&film, step as f32 / 40.0, None).camera.eye();
        least = least.min(eye.y - f64::from(ground.height(eye.x as f32, eye.z as f32)));
    }
    // Of its own, without being lifted.
    assert!(least > 0.02, "{least}");
}

#[test]
fn plants_move_in_a_ready_film() {
    let mut scene = Scene::default();
    let still = Ready::Turntable.applied(&scene, None, 6.0);
    assert_eq!(film::scene_at(&still, 3.0, None).water.time, 0.0);
    scene.plants.push(PlantLayer::default());
    let film = Ready::Turntable.applied(&scene, None, 6.0);
    assert_eq!(film::scene_at(&film, 3.0, None).water.time, 3.0);
}

#[test]
fn a_day_and_a_camera_go_together() {
    let scene = Scene::default();
    let day = Ready::Day.applied(&scene, None, 6.0);
    let both = Ready::Turntable.applied(&day, None, 6.0);
    let keys = |film: &Scene| {
        film.film
            .keys
            .iter()
            .map(|key| key.set.0.len())
            .sum::<usize>()
    };
    assert_eq!(keys(&both), keys(&day) + 4);
    let again = Ready::Turntable.applied(&both, None, 6.0);
    assert_eq!(
        keys(&again),
        keys(&both),
        "the turntable takes its own place"
    );
}

/// A film in which a lower limit goes beyond the upper one at 1 s, and is below it again at 2 s.
fn crossing(scene: &str, lower: &str, upper: &str, numbers: [f32; 4]) -> Scene {
    let [low, high, later_low, later_high] = numbers;
    film_of(&format!(
        "{scene}
        film.fps = 2
        [[film.keys]]
        time = 0
        set = {{ \"{lower}\" = {low}, \"{upper}\" = {high} }}
        [[film.keys]]
        time = 1
        set = {{ \"{lower}\" = {later_low} }}
        [[film.keys]]
        time = 2
        set = {{ \"{upper}\" = {later_high} }}"
    ))
}

#[test]
fn limits_that_cross_are_found_with_their_time() {
    let modifier = |kind: &str| format!("modifiers = [{{ kind = \"{kind}\" }}]");
    let masked = |by: &str| format!("modifiers = [{{ kind = \"blur\", mask.by = \"{by}\" }}]");
    let of = |generator: &str| format!("surface.generator = \"{generator}\"");
    let near = [0.1, 0.2, 0.4, 0.5];
    for (scene, table, lower, upper, numbers) in [
        (
            of("random-deposition"),
            "surface.random_deposition",
            "min_size",
            "max_size",
            near,
        ),
        (of("hill"), "surface.hill", "min_radius", "max_radius", near),
        (modifier("clamp"), "modifiers.0.clamp", "low", "high", near),
        (
            modifier("flatten"),
            "modifiers.0.flatten",
            "low",
            "high",
            near,
        ),
        (
            modifier("normalize"),
            "modifiers.0.normalize",
            "low",
            "high",
            near,
        ),
        (
            modifier("quantize"),
            "modifiers.0.quantize",
            "low",
            "high",
            near,
        ),
        (
            masked("height"),
            "modifiers.0.mask.height",
            "low",
            "high",
            near,
        ),
        (
            masked("slope"),
            "modifiers.0.mask.slope",
            "low",
            "high",
            [10.0, 20.0, 40.0, 50.0],
        ),
    ] {
        let (lower, upper) = (format!("{table}.{lower}"), format!("{table}.{upper}"));
        let film = crossing(&scene, &lower, &upper, numbers);
        for number in [1, 5] {
            film::check(&film, number..=number).unwrap();
        }
        let error = film::check(&film, 1..=5).unwrap_err();
        let words = error.to_string();
        let time = format!("at {} s of the film {table}.", error.time);
        assert!(words.starts_with(&time), "{words}");
    }
}

#[test]
fn a_film_needs_what_its_steps_go_by() {
    for (scene, key, words) in [
        (
            "water.enabled = true
            modifiers = [{ kind = \"blur\", mask.by = \"water-distance\" }]",
            "\"water.enabled\" = false",
            "modifiers.0.mask.by is water-distance",
        ),
        (
            "",
            "\"surface.generator\" = \"image\"",
            "needs an input image",
        ),
        (
            "",
            "\"surface.iterations\" = 20",
            "surface.iterations is 20",
        ),
    ] {
        let film = film_of(&format!(
            "{scene}
            film.fps = 1
            [[film.keys]]
            time = 1
            set = {{ {key} }}"
        ));
        let error = film::check(&film, 1..=2).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn every_picture_of_crossing_limits_is_checked() {
    let clamp = "modifiers = [{ kind = \"clamp\" }]";
    let [low, high] = ["low", "high"].map(|name| format!("modifiers.0.clamp.{name}"));
    let mut film = crossing(clamp, &low, &high, [0.1, 0.2, 0.4, 0.5]);
    film.film.fps = 60;
    let wrong = |number: &u32| {
        let then = film::settings_at(&film, film::time_of(&film, *number));
        then.validate().is_err()
    };
    let first = (1..=121).find(wrong).unwrap();
    assert!((10..60).contains(&first), "{first}");
    let error = film::check(&film, 1..=121).unwrap_err();
    assert_eq!(error.time, film::time_of(&film, first));
}
