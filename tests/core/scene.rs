//! The scene document: what it keeps, what it refuses, and how it says so.

use landform::param::{Field, Param, Params};
use landform::scene::{Camera, Clouds, Fog, Light, RenderType, Scene, Teximage, VERSION, View};
use landform::texture::Palette;
use proptest::prelude::*;

#[test]
fn a_scene_survives_its_file() {
    let mut scene = Scene::default();
    scene.surface.seed = u64::MAX / 2;
    scene.surface.hurst = 0.123_456_79;
    scene.surface.diamond_square.strengths = vec![0.5, 1.0, 2.0];
    scene.surface.input = Some("some/dem.png".into());
    scene.view.render_type = RenderType::Lines;
    scene.camera.target = [0.1, -0.2, 0.3];
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    scene.surface.seed = u64::MAX;
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    let set = scene.with("surface.seed", "18446744073709551614").unwrap();
    assert_eq!(set.surface.seed, u64::MAX - 1);
}

#[test]
fn an_empty_file_is_the_default_scene() {
    assert_eq!(Scene::parse("").unwrap(), Scene::default());
}

#[track_caller]
fn check_refused(text: &str, expected: &str) {
    let error = Scene::parse(text).unwrap_err().to_string();
    assert!(error.contains(expected), "`{error}` lacks `{expected}`");
    assert!(!error.contains('\n'), "more than one line: {error}");
}

#[test]
fn bad_scenes_are_refused_with_line_or_key() {
    check_refused("[surface]\nseed = 1\nsede = 2\n", "line 3");
    check_refused("[surface]\nseed = 1\nsede = 2\n", "sede");
    check_refused("[surface]\nhurst = \"rough\"\n", "line 2");
    check_refused("[surface]\ngenerator = \"erosion\"\n", "erosion");
    check_refused("[surface]\ngenerator = \"erosion\"\n", "diamond-square");
    check_refused("[view]\ntile = -1\n", "line 2");
    check_refused("[view]\ntile = -1\n", "whole number from 0 to 4294967295");
    let error = Scene::parse("sede = 1\n").unwrap_err().to_string();
    assert!(
        error.contains("`surface`") && !error.contains("`later`"),
        "{error}"
    );
    check_refused("[surface\n", "line 1");
    check_refused(
        "[surface]\nhurst = 1.5\n",
        "surface.hurst is 1.5; allowed: 0 to 1",
    );
    check_refused("[surface]\nhurst = nan\n", "surface.hurst");
    check_refused("[surface]\nheight_scale = inf\n", "surface.height_scale");
    check_refused("[surface]\niterations = 0\n", "1 to 60");
    check_refused("[surface]\niterations = 61\n", "1 to 60");
    check_refused("[view]\ntile = 17\n", "1 to 16");
    check_refused("[camera]\ntarget = [0.0, nan, 0.0]\n", "camera.target");
    check_refused(
        "[surface.diamond_square]\ncorners = [0.0, 0.0, 1.0, 0.0]\n",
        "four equal heights",
    );
    check_refused(
        "[surface.diamond_square]\nstrengths = [-1.0]\n",
        "strengths",
    );
}

#[test]
fn numbers_may_be_written_short() {
    for (text, value) in [
        (".5", 0.5),
        ("1", 1.0),
        ("1.", 1.0),
        ("+.25", 0.25),
        ("2e-1", 0.2),
    ] {
        let scene = Scene::default().with("surface.hurst", text).expect(text);
        assert_eq!(scene.surface.hurst, value, "{text}");
    }
    for text in [".", "", "half", ".5.5", "inf", "nan"] {
        assert!(
            Scene::default().with("surface.hurst", text).is_err(),
            "{text}"
        );
    }
}

#[test]
fn any_key_can_be_set_from_a_text() {
    let scene = Scene::default()
        .with("surface.hurst", "0.25")
        .and_then(|scene| scene.with("surface.height-scale", "2"))
        .and_then(|scene| scene.with("surface.diamond_square.edges", "free"))
        .and_then(|scene| scene.with("surface.diamond_square.corners", "[0, 0.5, 1, 0]"))
        .and_then(|scene| scene.with("surface.input", "a b.png"))
        .and_then(|scene| scene.with("view.invert", "true"))
        .unwrap();
    assert_eq!(scene.surface.hurst, 0.25);
    assert_eq!(scene.surface.height_scale, 2.0);
    assert_eq!(scene.surface.diamond_square.corners, [0.0, 0.5, 1.0, 0.0]);
    assert_eq!(scene.surface.input, Some("a b.png".into()));
    assert!(scene.view.invert);
    for (key, value) in [
        ("surface.hurts", "0.5"),
        ("nothing", "1"),
        ("", "1"),
        ("surface", "1"),
        ("surface.seed.deep", "1"),
        ("surface.seed", "-1"),
        ("surface.hurst", "2"),
        ("view.render_type", "cubes"),
    ] {
        let error = scene.with(key, value).unwrap_err().to_string();
        assert!(!error.contains('\n'), "more than one line: {error}");
    }
}

/// Every row of a table reads back what it writes, refuses what lies outside, has words for the
/// panel, and names a key of the scene file.
fn check_table<T: Params + Clone + serde::Serialize>(table: &str) {
    let default = T::default();
    default.check(table).unwrap();
    let keys = toml::Table::try_from(&default).unwrap();
    for param in T::PARAMS {
        let Param {
            key, label, help, ..
        } = param;
        // Some are left out where they are as by default.
        let takes = |value| Scene::default().with(&format!("{table}.{key}"), value);
        let is_key = keys.contains_key(*key) || takes("0.0").is_ok() || takes("\"\"").is_ok();
        assert!(is_key, "{table}.{key} is no key");
        assert!(
            !label.is_empty() && help.ends_with('.'),
            "{table}.{key}: {help}"
        );
        let mut changed = default.clone();
        match &param.field {
            Field::Float {
                get,
                set,
                min,
                max,
                slider,
            } => {
                assert!(min <= &slider.0 && slider.0 < slider.1 && &slider.1 <= max);
                set(&mut changed, *max);
                assert_eq!(get(&changed), *max);
                for outside in [
                    f32::NAN,
                    f32::INFINITY,
                    min - 1.0e-3 - min.abs(),
                    max * 1.1 + 1.0,
                ] {
                    set(&mut changed, outside);
                    assert!(
                        param.check(&changed, table).is_err(),
                        "{table}.{key} {outside}"
                    );
                }
            }
            Field::Int {
                get,
                set,
                min,
                max,
                slider_max,
            } => {
                assert!(min < slider_max && slider_max <= max);
                set(&mut changed, *max);
                assert_eq!(get(&changed), *max);
                set(&mut changed, max + 1);
                assert!(param.check(&changed, table).is_err());
            }
            Field::Seed { get, set } => {
                set(&mut changed, u64::MAX);
                assert_eq!(get(&changed), u64::MAX);
            }
            Field::Text { get, set, check } => {
                let text = get(&default);
                assert_eq!(check(&default, &text), Ok(()));
                set(&mut changed, &text);
                assert_eq!(get(&changed), text);
                assert!(check(&default, "what (").is_err(), "{table}.{key}");
            }
            Field::Switch { get, set } => {
                set(&mut changed, !get(&default));
                assert_ne!(get(&changed), get(&default));
            }
            Field::Choice {
                get,
                set,
                names,
                helps,
            } => {
                assert_eq!(names.len(), helps.len());
                for index in 0..names.len() {
                    set(&mut changed, index);
                    assert_eq!(get(&changed), index);
                }
            }
        }
    }
}

#[test]
fn parameter_tables_hold_what_they_say() {
    check_table::<landform::generate::Surface>("surface");
    check_table::<landform::generate::diamond_square::DiamondSquareOptions>(
        "surface.diamond_square",
    );
    check_table::<landform::generate::image::ImageOptions>("surface.image");
    check_table::<Teximage>("teximage");
    check_table::<Clouds>("clouds");
    check_table::<View>("view");
    check_table::<Light>("light");
    check_table::<Fog>("fog");
    check_table::<Camera>("camera");
}

proptest! {
    #[test]
    fn no_text_makes_the_scene_reader_panic(text in "(?s).{0,80}") {
        let _ = Scene::parse(&text);
        let _ = Scene::default().with(&text, &text);
    }

    #[test]
    fn eye_keeps_its_distance_and_faces_target(
        bearing in -360.0f32..360.0, pitch in -89.0f32..89.0, distance in 0.1f32..50.0,
    ) {
        let camera = Camera { bearing, pitch, distance, ..Camera::default() };
        let to_target = (glam::DVec3::from(camera.target) - camera.eye()).as_vec3();
        prop_assert!((to_target.length() - distance).abs() < 1e-4 * distance);
        prop_assert!((to_target.normalize() - camera.forward()).length() < 1e-4);
    }
}

#[test]
fn palettes_are_distinct_and_cover_the_heights() {
    let all = Palette::builtin();
    assert!(all.len() >= 6);
    for palette in all {
        assert!(palette.help.ends_with('.'), "{}", palette.name);
        assert_eq!(palette.stops.first().unwrap().at, 0.0, "{}", palette.name);
        assert_eq!(palette.stops.last().unwrap().at, 1.0, "{}", palette.name);
        assert_eq!(Palette::named(&palette.name).unwrap(), palette);
    }
    assert!(
        Palette::named("puce")
            .unwrap_err()
            .to_string()
            .contains("martz")
    );
}

#[test]
fn martz_has_three_hard_bands() {
    let martz = Palette::named("martz").unwrap();
    for (at, color) in [
        (0.0, [0.2, 0.4, 0.2]),
        (0.33, [0.2, 0.4, 0.2]),
        (0.34, [0.55, 0.55, 0.6]),
        (0.66, [0.55, 0.55, 0.6]),
        (0.67, [0.95, 0.95, 1.0]),
        (1.0, [0.95, 0.95, 1.0]),
    ] {
        assert_eq!(martz.color(at), color, "at {at}");
    }
}

#[test]
fn gradients_are_linear_and_bad_ones_refused() {
    let text = "stops = [{ at = 0.0, color = [0, 0, 0] }, { at = 0.5, color = [1, 0.5, 0] }]";
    let palette = Palette::parse(text).unwrap();
    assert_eq!(palette.color(0.25), [0.5, 0.25, 0.0]);
    assert_eq!(palette.color(0.9), [1.0, 0.5, 0.0]);
    assert_eq!(palette.color(-1.0), [0.0, 0.0, 0.0]);
    for bad in [
        "stops = []",
        "stops = [{ at = 2.0, color = [0, 0, 0] }]",
        "stops = [{ at = 0.5, color = [0, 0, 0] }, { at = 0.2, color = [0, 0, 0] }]",
        "stops = [{ at = 0.0, color = [0, nan, 0] }]",
        "colors = 3",
    ] {
        assert!(Palette::parse(bad).is_err(), "{bad}");
    }
}

#[test]
fn older_scenes_are_refused_by_version() {
    let older = VERSION - 1;
    let refused = format!("scene version {older} is too old, only version {VERSION} is read");
    // With known keys and with unknown ones.
    for keys in ["", "ground = 3\n[camera]\nyaw = 25.5\n"] {
        let error = Scene::parse(&format!("version = {older}\n{keys}")).unwrap_err();
        assert_eq!(error.to_string(), refused);
    }
    assert!(Scene::parse("[camera]\nyaw = 25.5\n").is_err());
    assert!(Scene::default().with("camera.yaw", "25.5").is_err());
}

#[test]
fn scene_survives_storing_only_non_default_lines() {
    assert_eq!(
        Scene::default().to_short_toml(),
        format!("version = {VERSION}\n")
    );
    for preset in landform::import::presets() {
        let scene = preset.scene();
        let short = scene.to_short_toml();
        assert_eq!(Scene::parse(&short), Ok(scene.clone()), "{}", preset.name);
        // Each key stands once, in a line of its own.
        let lines: Vec<_> = short.lines().collect();
        assert!(lines.len() < scene.to_toml().lines().count() / 2, "{short}");
        assert!(lines.iter().all(|line| line.contains(" = ")), "{short}");
    }
    let later = Scene::parse("version = 99\ncreatures = 3\n").unwrap();
    assert_eq!(Scene::parse(&later.to_short_toml()), Ok(later));
}

#[test]
fn names_of_steps_are_in_files_only_when_set() {
    let mut plain = Scene::default();
    for (key, value) in [
        ("modifiers.0.kind", "terrace"),
        ("layers.0.weight", "0.5"),
        ("plants.0.kind", "birch"),
    ] {
        plain = plain.with(key, value).unwrap();
    }
    let file = plain.to_toml();
    assert!(!file.contains("\nname ="), "{file}");
    let mut named = plain.clone();
    for (list, name) in [
        ("modifiers", "Rice fields"),
        ("layers", "7"),
        ("plants", "老桦树 \"am See\""),
    ] {
        let key = format!("{list}.0.name");
        let before = named.clone();
        named = named.with(&key, name).unwrap();
        assert_eq!(named.with(&key, "").unwrap(), before);
        for wrong in ["x".repeat(61), "two\nlines".to_owned()] {
            let error = plain.with(&key, &wrong).unwrap_err().to_string();
            assert!(error.contains(&key) && !error.contains('\n'), "{error}");
        }
    }
    assert_eq!(named.layers[0].name, "7");
    assert_eq!(named.plants[0].name, "老桦树 \"am See\"");
    assert_eq!(Scene::parse(&named.to_toml()), Ok(named.clone()));
    assert_eq!(Scene::parse(&named.to_short_toml()), Ok(named.clone()));
    assert_eq!(named.without_names().to_toml(), file);
}

#[test]
fn scenes_differ_exactly_in_the_keys_set() {
    let plain = Scene::default()
        .with("modifiers.0.kind", "terrace")
        .unwrap();
    assert_eq!(plain.differences(&plain), []);
    let mut other = plain.clone();
    let set = [
        ("detail.hurst", "0.25"),
        ("modifiers.0.terrace.steps", "3"),
        ("surface.seed", "18446744073709551615"),
    ];
    for (key, value) in set {
        other = other.with(key, value).unwrap();
    }
    let found = plain.differences(&other);
    let told: Vec<_> = found
        .iter()
        .map(|found| (&*found.key, found.values[1].as_deref().unwrap()))
        .collect();
    let seed = other.surface.seed.to_string();
    assert_eq!(told[..2], set[..2]);
    assert_eq!(told[2].0, "surface.seed");
    assert!(told[2].1.contains(&seed), "{told:?}");
    // What each of them says can be set, and makes the other scene.
    let one_after_another = found.iter().fold(plain.clone(), |scene, found| {
        let value = found.values[1].as_deref().unwrap();
        scene.with(&found.key, value).unwrap()
    });
    assert_eq!(one_after_another, other);
    let longer = plain.with("modifiers.1.kind", "blur").unwrap();
    let found = plain.differences(&longer);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].key, "modifiers");
}

#[test]
fn every_differing_value_can_be_adopted_alone() {
    let presets = landform::import::presets();
    let presets: Vec<_> = presets.iter().map(|preset| preset.scene()).collect();
    for (index, one) in presets.iter().enumerate() {
        let other = &presets[(index + 1) % presets.len()];
        let mut scene = one.clone();
        // Some values go only with others, which may come later.
        for _ in 0..2 {
            for difference in scene.differences(other) {
                let Ok(next) = scene.with_value_of(other, &difference.key) else {
                    continue;
                };
                let mut left = next.differences(other).into_iter();
                assert_eq!(left.find(|still| still.key == difference.key), None);
                scene = next;
            }
        }
        assert_eq!(scene, *other);
        assert_eq!(one.with_value_of(other, "").unwrap(), *other);
        assert_eq!(
            one.with_value_of(other, "camera").unwrap().camera,
            other.camera
        );
    }
    let scene = Scene::default();
    assert!(scene.with_value_of(&scene, "surface.hurst.x").is_err());
}
