//! Numbers of the dialog are those of the file.

use super::*;
use crate::forecasts::check;

fn of(engine: &str, format: &str, samples: Resolution) -> Exporting {
    Exporting {
        engine: Some(engine.to_owned()),
        format: format.to_owned(),
        samples,
        ..open()
    }
}

/// The dialog with the forecast of a file.
fn shown(scene: &Scene, exporting: Exporting) -> Test {
    let forecast = forecast_of(scene, &exporting);
    let mut test = desk(vec2(1280.0, 1400.0), exporting);
    test.state_mut().ui.derived.forecast = Some(Ok(forecast));
    test.run_steps(3);
    test
}

#[test]
fn numbers_are_the_files_in_every_size() {
    let folder = tempfile::tempdir().unwrap();
    for samples in [
        Resolution::AsIs,
        Resolution::PowerOfTwo,
        Resolution::Unreal,
        Resolution::Exactly(77),
    ] {
        for (engine, format) in [("Unreal", "png"), ("Unity", "r16"), ("Blender", "exr")] {
            check(&scene(3), &of(engine, format, samples), folder.path());
        }
    }
}

#[test]
fn numbers_typed_into_unreal_are_the_sidecars() {
    let folder = tempfile::tempdir().unwrap();
    let exporting = of("Unreal", "png", Resolution::Unreal);
    let (_, sidecar) = check(&scene(3), &exporting, folder.path());
    let test = shown(&scene(3), exporting);
    for name in ["Scale X", "Scale Z", "Location Z"] {
        let number = sidecar["engines"]["Unreal"][name].as_f64().unwrap();
        let number = format!("{number:.4}");
        let number = number.trim_end_matches('0').trim_end_matches('.');
        assert!(
            test.query_all_by_label(number).count() > 0,
            "{name} {number}"
        );
    }
}

#[test]
fn an_untouched_images_numbers_are_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let jacksboro = landform::import::presets();
    let jacksboro = jacksboro.iter().find(|preset| preset.name == "jacksboro");
    let mut scene = jacksboro.unwrap().scene();
    (scene.layers, scene.modifiers) = (Vec::new(), Vec::new());
    check(
        &scene,
        &of("Unreal", "png", Resolution::AsIs),
        folder.path(),
    );
}

#[test]
fn a_pass_on_screen_changes_no_number() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = scene(3);
    scene.view.pass = Some(2.5);
    check(
        &scene,
        &of("Unreal", "png", Resolution::AsIs),
        folder.path(),
    );
}

#[test]
fn levels_below_change_the_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let exporting = Exporting {
        levels: 2,
        ..of("Unreal", "png", Resolution::AsIs)
    };
    check(&scene(3), &exporting, folder.path());
}

#[test]
fn a_larger_file_says_that_it_is_interpolated() {
    let words = |samples| {
        let test = shown(&scene(3), of("Unreal", "png", samples));
        let found = |part| test.query_by_label_contains(part).is_some();
        [found("add no detail"), found("finest detail is lost")]
    };
    assert_eq!(words(Resolution::Exactly(253)), [true, false]);
    assert_eq!(words(Resolution::Exactly(65)), [false, true]);
    assert_eq!(words(Resolution::AsIs), [false, false]);
    assert_eq!(words(Resolution::PowerOfTwo), [false, false]);
}

#[test]
fn an_engine_opens_its_meshes() {
    for engine in ENGINES {
        for format in FORMATS {
            let test = shown(&scene(3), of(engine.name, format.name, Resolution::AsIs));
            let names = engine.formats.iter().chain(engine.meshes);
            let names: Vec<_> = names.map(|format| format.name).collect();
            let reads = format!("{} reads {}.", engine.name, names.join(", "));
            let is_refused = test.query_by_label(&reads).is_some();
            let known = engine.reads(format) || engine.opens(format);
            assert_eq!(is_refused, !known, "{} {}", engine.name, format.name);
        }
        assert!(!engine.meshes.is_empty());
    }
}
