//! Palettes that a scene has of its own.

use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::scene::Scene;
use landform::scene::palette::Palette;

/// A scene with a palette of two colours, and what else a palette can have.
fn scene() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    let alpine = Palette::named("alpine").unwrap();
    scene.palette = Some(Palette {
        name: "mine".to_owned(),
        stops: alpine.stops[..2].to_vec(),
        ..alpine.clone()
    });
    scene
}

#[test]
fn own_palette_survives_the_scene_file() {
    let scene = scene();
    assert_eq!(Scene::parse(&scene.to_toml()).unwrap(), scene);
    assert_eq!(Scene::parse(&scene.to_short_toml()).unwrap(), scene);
    assert!(!Scene::default().to_toml().contains("[palette]"));
    let palette = scene.palette.unwrap();
    assert_eq!(Palette::parse(&palette.to_toml()).unwrap(), palette);
}

#[test]
fn own_palette_replaces_the_named_one() {
    let (inputs, job) = (Inputs::default(), Job::new());
    let mut pipeline = Pipeline::default();
    let mut scene = scene();
    let landscape = pipeline.run(&scene, &inputs, &job).unwrap();
    assert_eq!(Some(&*landscape.palette), scene.palette.as_ref());
    scene.palette = None;
    let landscape = pipeline.run(&scene, &inputs, &job).unwrap();
    assert_eq!(landscape.palette.name, scene.view.palette);
}

#[test]
fn bad_own_palettes_are_refused_in_one_line() {
    for (stops, words) in [
        ("[]", "at least one stop"),
        ("[{ at = 2, color = [0, 0, 0] }]", "allowed: 0 to 1"),
        (
            "[{ at = 1, color = [0, 0, 0] }, { at = 0, color = [0, 0, 0] }]",
            "must rise",
        ),
    ] {
        let text = format!("[palette]\nstops = {stops}\n");
        let error = Scene::parse(&text).unwrap_err().to_string();
        assert!(
            error.contains("palette") && error.contains(words),
            "{error}"
        );
        assert!(!error.contains('\n'), "{error}");
    }
}

#[test]
fn own_palettes_differ_and_are_taken_back() {
    let (one, other) = (
        Scene {
            palette: None,
            ..scene()
        },
        scene(),
    );
    let keys: Vec<_> = one.differences(&other).into_iter().map(|d| d.key).collect();
    assert_eq!(keys, ["palette"]);
    assert_eq!(other.with_value_of(&one, "palette").unwrap(), one);
    assert_eq!(one.with_value_of(&other, "palette").unwrap(), other);
    let mut painted = one.clone();
    painted.take_light_and_colors(&other);
    assert_eq!(painted, other);
}
