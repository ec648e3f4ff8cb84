//! The folder with everything for an engine.

use landform::app::commands::{Command, Purpose};
use landform::app::files;

use super::*;

#[test]
fn every_engine_offers_a_folder_in_its_sizes() {
    for engine in ENGINES {
        let start = Exporting {
            engine: Some(engine.name.to_owned()),
            ..open()
        };
        let mut test = desk(vec2(1280.0, 720.0), start);
        let words = format!("Everything for {}, in a folder", engine.name);
        test.get_by_label(&words).click();
        test.run_steps(5);
        assert!(exporting(&test).folder);
        assert!(test.query_by_label("Format").is_none());
        let nearest = engine.nearest_size(1025);
        let files = |test: &Test, size: usize| {
            let words = format!("files with {size} × {size} samples for {}", engine.name);
            test.query_by_label_contains(&words).is_some()
        };
        assert!(files(&test, nearest), "{}", engine.name);
        test.get_by_value(&format!("nearest: {nearest}")).click();
        test.run_steps(5);
        let largest = engine.sizes[engine.sizes.len() - 1];
        test.get_by_label(&largest.to_string()).click();
        test.run_steps(5);
        assert_eq!(exporting(&test).samples_for(engine), Some(largest));
        assert!(files(&test, largest), "{}", engine.name);
        assert!(test.query_by_label_contains("is refined by").is_some());
        test.get_by_label("Export the folder…").click();
        test.run_steps(5);
        let asked = test.state().ui.transient.dialogs.file.as_ref();
        assert_eq!(asked.map(|asked| asked.purpose), Some(Purpose::Folder));
        assert!(!test.state().commands.contains(&Command::Quit));
    }
}

#[test]
fn an_oblong_map_is_refused_where_it_does_not_fit() {
    let start = Exporting {
        engine: Some("Unity".to_owned()),
        folder: true,
        ..open()
    };
    let mut test = desk(vec2(1280.0, 720.0), start);
    if let Some(shown) = &mut test.state_mut().ui.derived.shown {
        shown.rows = 513;
    }
    test.run_steps(5);
    assert!(test.query_by_label_contains("needs a square one").is_some());
}

#[test]
fn the_folder_is_written_in_the_background() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("land-blender");
    let job = || {
        let engine = ENGINES.iter().find(|engine| engine.name == "Blender");
        FileJob::Folder(path.clone(), scene(3).into(), engine.unwrap(), Some(257))
    };
    for _ in 0..2 {
        match job().carry_out(&Job::new()).unwrap().pop() {
            Some(Done::Saved(words)) => {
                let files = std::fs::read_dir(&path).unwrap().count();
                assert!(
                    words.starts_with(&format!("Saved {files} files in ")),
                    "{words}"
                );
            }
            _ => panic!("not saved"),
        }
    }
    // What somebody has changed is not replaced.
    std::fs::write(path.join("mask-rock.png"), "mine").unwrap();
    assert!(job().carry_out(&Job::new()).is_err());
}

#[test]
fn the_number_of_masks_is_said_before() {
    for (map, count) in [("splat", 8), ("splat-rgba", 2), ("materials", 9)] {
        let start = Exporting {
            map: map.to_owned(),
            ..open()
        };
        let test = desk(vec2(1280.0, 720.0), start);
        let words = format!("{count} files, whose names differ");
        assert!(test.query_by_label_contains(&words).is_some(), "{map}");
    }
    let folder = tempfile::tempdir().unwrap();
    let start = Exporting {
        map: "splat".to_owned(),
        ..open()
    };
    let options = start.options(&scene(3));
    // A name without a place for the band gets one.
    let job = FileJob::Export(folder.path().join("x.png"), scene(3).into(), options);
    match job.carry_out(&Job::new()).unwrap().pop() {
        Some(Done::Saved(words)) => assert!(words.starts_with("Saved 8 files"), "{words}"),
        _ => panic!("not saved"),
    }
    assert!(folder.path().join("x-7.png").exists());
}

#[test]
fn a_folder_for_an_engine_replaces_no_other() {
    let place = tempfile::tempdir().unwrap();
    for name in ["land-unreal", "land-unreal-2", "land-unreal-3"] {
        let free = files::free_folder(place.path(), "land-unreal");
        assert_eq!(free, place.path().join(name));
        std::fs::create_dir(free).unwrap();
    }
}

#[test]
fn the_numbers_to_type_are_those_of_the_folder() {
    let place = tempfile::tempdir().unwrap();
    let mut scene = scene(3);
    scene.surface.iterations = 8;
    for engine in ENGINES {
        let start = Exporting {
            engine: Some(engine.name.to_owned()),
            folder: true,
            ..open()
        };
        let measured = start.measured([257, 257]).expect("a square map");
        let forecast = forecast_of(&scene, &measured);
        let path = place.path().join(engine.name);
        let job = FileJob::Folder(path.clone(), scene.clone().into(), engine, None);
        job.carry_out(&Job::new()).unwrap();
        let list = std::fs::read_to_string(path.join("landform.json")).unwrap();
        let list: serde_json::Value = serde_json::from_str(&list).unwrap();
        let numbers = (engine.numbers)(&forecast.scaling);
        for (name, number) in &numbers {
            let written = list["enter"][*name].as_f64().unwrap();
            // The range of a map that is refined is an estimate.
            let off = if forecast.is_exact { 1e-9 } else { 0.05 };
            let error = (number - written).abs();
            assert!(
                error <= off * written.abs().max(1.0),
                "{} {name}: {number} {written}",
                engine.name
            );
        }
        // They are shown in the dialog.
        let mut test = desk(vec2(1280.0, 1400.0), start);
        test.state_mut().ui.derived.forecast = Some(Ok(forecast));
        test.run_steps(3);
        for (name, _) in numbers {
            assert!(
                test.query_all_by_label(name).count() > 0,
                "{} {name}",
                engine.name
            );
        }
    }
}

#[test]
fn the_worker_forecasts_the_heights_of_the_folder() {
    let worker = Worker::start(|| ());
    let exporting = Exporting {
        engine: Some("Unreal".to_owned()),
        folder: true,
        ..open()
    };
    worker.want_forecast(Some(exporting.clone()));
    let scene = scene(3);
    let number = worker.request(scene.clone(), false);
    let (forecast, _) = next_forecast(&worker, number);
    let measured = exporting.measured([129, 129]).unwrap();
    assert_eq!(forecast.unwrap(), forecast_of(&scene, &measured));
}
