//! Files of the levels below the last iteration.

use landform::fractal::region::Region;

use super::*;

#[test]
fn exported_file_has_the_requested_levels_below_map() {
    let mut test = desk(vec2(1280.0, 900.0), open());
    let place = |test: &Test| {
        let number = test.get_by_role_and_label(Role::SpinButton, "Finer levels");
        number.rect().center()
    };
    for (typed, levels) in [("2", 2), ("99", 5), ("0", 0)] {
        let at = place(&test);
        click(&mut test, at);
        test.event(Event::Text(typed.to_owned()));
        test.run_steps(1);
        test.key_press(Key::Enter);
        test.run_steps(3);
        assert_eq!(exporting(&test).levels, levels, "{typed}");
        // 1025 samples a side are shown.
        let side = (1024 << levels) + 1;
        let words = format!("as it is: {side} × {side}");
        assert!(test.query_by_value(&words).is_some(), "{words}");
    }
    let exporting = Exporting {
        levels: 2,
        ..open()
    };
    let scene = scene(3);
    let forecast = forecast_of(&scene, &exporting);
    assert_eq!([forecast.rows, forecast.columns], [513; 2]);
    let folder = tempfile::tempdir().unwrap();
    let name = format!("x.{}", exporting.format().extension);
    let (path, inputs) = (folder.path().join(name), Inputs::default());
    let options = exporting.options(&scene);
    let written = export::heightmap(&path, &scene, &inputs, options, &Job::new()).unwrap();
    assert_eq!([written.rows, written.columns], [513; 2]);
    let bytes = std::fs::metadata(&path).unwrap().len() as f64;
    assert!(
        (forecast.bytes as f64 / bytes - 1.0).abs() < 0.3,
        "{} {bytes}",
        forecast.bytes
    );
}

#[test]
fn exported_view_matches_the_drawn_one() {
    let mut scene = scene(3);
    scene.surface.hurst = 1.0;
    scene.view.render_type = RenderType::Landscape;
    let inputs = Inputs::default();
    let land = Pipeline::default().run(&scene, &inputs, &Job::new());
    let land = land.unwrap();
    let ground = Ground::of(&land).unwrap();
    scene.camera.target = [0.3, ground.height_near(0.3, -0.2, 1e-9), -0.2];
    (scene.camera.distance, scene.camera.pitch) = (1e-5, 60.0);
    let mut test = crate::desk::desk(vec2(1280.0, 900.0), crate::desk::of_scene(scene), |ui| {
        ui.derived.terrain = Some(ground);
        ui.derived.shown = Some(Shown {
            rows: 129,
            columns: 129,
            stride: 1,
            requested_hurst: None,
            made_in: Duration::ZERO,
            coarse: false,
            place: None,
        });
    });
    test.run_steps(3);
    test.get_by_role_and_label(Role::Button, "File").click();
    test.run_steps(5);
    test.get_by_label_contains("Export what is in view").click();
    test.run_steps(5);
    let before = exporting(&test);
    let region = before.region.expect("a part of the map");
    assert!(before.shown && before.levels > 13, "{before:?}");
    let words = format!(
        "Level 7 + {}: {} × {} samples",
        before.levels, region.columns, region.rows
    );
    assert!(test.query_by_label_contains(&words).is_some(), "{words}");
    // The file is that of the command line.
    let scene = crate::desk::scene(&test);
    let options = before.options(&scene);
    assert_eq!(
        (options.levels, options.region),
        (before.levels, Some(region))
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("seen.npy");
    let options = export::Options {
        format: None,
        ..options
    };
    let written = export::heightmap(&path, &scene, &inputs, options, &Job::new()).unwrap();
    assert_eq!(
        [written.rows, written.columns],
        [region.rows, region.columns]
    );
    // A level more: the same place, twice as fine.
    let number = test.get_by_role_and_label(Role::SpinButton, "Finer levels");
    let at = number.rect().center();
    click(&mut test, at);
    let deeper = before.levels + 1;
    test.event(Event::Text(deeper.to_string()));
    test.run_steps(1);
    test.key_press(Key::Enter);
    test.run_steps(3);
    let finer = exporting(&test);
    let finer_region = finer.region.unwrap();
    assert_eq!(finer.levels, deeper);
    assert_eq!(finer_region.column, region.column * 2);
    assert_eq!(finer_region.rows, region.rows * 2 - 1);
    // The whole map again.
    test.get_by_value("a rectangle").click();
    test.run_steps(5);
    test.get_by_label("the whole map").click();
    test.run_steps(5);
    let whole = exporting(&test);
    assert_eq!((whole.region, whole.levels), (None, 8));
    // Where the sky is in the middle there is nothing to export.
    test.state_mut().ui.persisted.scene.camera.pitch = -70.0;
    test.state_mut().ui.persisted.scene.camera.mode = CameraMode::Fly;
    test.get_by_role_and_label(Role::Button, "File").click();
    test.run_steps(5);
    test.get_by_label_contains("Export what is in view").click();
    test.run_steps(5);
    assert_eq!(exporting(&test).region, None);
    assert!(
        test.query_by_label_contains("no ground in the middle")
            .is_some()
    );
}

#[test]
fn forecast_of_a_part_covers_only_that_part() {
    let (scene, folder) = (scene(3), tempfile::tempdir().unwrap());
    let part = |levels: u32, format: &str, triangles| Exporting {
        levels,
        format: format.to_owned(),
        triangles,
        region: Some(Region {
            row: 40,
            column: 30,
            rows: 150,
            columns: 180,
        }),
        ..open()
    };
    for exporting in [
        // 64 bits below level 20.
        part(14, "npy", Triangles::All),
        part(2, "npy", Triangles::All),
        part(2, "glb", Triangles::All),
        part(1, "glb", Triangles::AtMost(6000)),
    ] {
        let forecast = forecast_of(&scene, &exporting);
        let path = folder.path().join(format!("x.{}", exporting.format));
        let (inputs, options) = (Inputs::default(), exporting.options(&scene));
        export::heightmap(&path, &scene, &inputs, options, &Job::new()).unwrap();
        let length = std::fs::metadata(&path).unwrap().len() as f64;
        let error = forecast.bytes as f64 / length;
        // How many vertices triangles share is guessed.
        let most = match exporting.triangles {
            Triangles::All => 1.05,
            _ => 1.3,
        };
        assert!(
            (1.0 / most..most).contains(&error),
            "{exporting:?}: {error}"
        );
    }
}
