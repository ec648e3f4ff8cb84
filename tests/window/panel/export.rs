//! The window "Export", and what the worker foresees for it.

use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Id, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::files::{Done, FileJob, Files};
use landform::app::state::output::{Exporting, Triangles};
use landform::app::state::{PanelView, Persisted, Progress, Shown};
use landform::app::worker::{Made, Worker};
use landform::camera::Ground;
use landform::export::{self, ENGINES, FORMATS, Forecast, Format, MeshUnit, Resolution, Span};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::maps::MAPS;
use landform::mesh::Detail;
use landform::pipeline::{self, Pipeline};
use landform::scene::{CameraMode, RenderType, Scene};

use crate::desk::{Test, click};
use crate::forecasts::forecast_of;

mod below;
mod engine;
mod numbers;

fn desk(size: egui::Vec2, exporting: Exporting) -> Test {
    let persisted = Persisted {
        exporting,
        panel_view: PanelView::EVERYTHING,
        ..Persisted::default()
    };
    crate::desk::desk(size, persisted, |ui| {
        ui.derived.shown = Some(Shown {
            rows: 1025,
            columns: 1025,
            stride: 1,
            requested_hurst: None,
            made_in: Duration::ZERO,
            coarse: false,
            place: None,
        });
    })
}

fn open() -> Exporting {
    Exporting {
        shown: true,
        ..Exporting::default()
    }
}

fn exporting(test: &Test) -> Exporting {
    test.state().ui.persisted.exporting.clone()
}

fn scene(seed: u64) -> Scene {
    let mut scene = Scene::default();
    (scene.surface.seed, scene.surface.iterations) = (seed, 7);
    scene
}

#[test]
fn ctrl_e_opens_export_and_cross_closes_it() {
    let mut test = desk(vec2(1280.0, 900.0), Exporting::default());
    assert!(test.query_by_label("Export…").is_none());
    test.key_press_modifiers(Modifiers::COMMAND, Key::E);
    test.run_steps(5);
    assert!(test.query_by_label("Export…").is_some());
    test.get_by_label("Close window").click();
    test.run_steps(3);
    assert!(!exporting(&test).shown);
}

#[test]
fn an_engine_brings_its_format_and_its_size() {
    for engine in ENGINES {
        let mut start = open();
        (start.flip, start.span) = (true, Span::Metres);
        let mut test = desk(vec2(1280.0, 900.0), start);
        test.get_by_value("any program").click();
        test.run_steps(5);
        test.get_by_label(engine.name).click();
        test.run_steps(5);
        let exporting = exporting(&test);
        assert_eq!(exporting.engine.as_deref(), Some(engine.name));
        assert_eq!(exporting.format, engine.formats[0].name);
        assert_eq!(exporting.samples, engine.samples);
        assert_eq!((exporting.flip, exporting.span), (false, Span::Own));
        for format in engine.formats {
            assert!(Format::named(format.name).is_some(), "{}", format.name);
        }
    }
}

#[test]
fn heights_of_a_scene_with_snow_may_have_it() {
    let mut test = desk(vec2(1280.0, 900.0), open());
    let options = |test: &Test| exporting(test).options(&crate::desk::scene(test));
    assert!(!options(&test).snow);
    test.get_by_label("With the snow").click();
    test.run_steps(3);
    assert!(options(&test).snow);
    // Without snow there is nothing to choose, and the choice does nothing.
    test.state_mut().ui.persisted.scene.snow.enabled = false;
    test.run_steps(3);
    assert!(test.query_by_label("With the snow").is_none());
    assert!(!options(&test).snow);
}

#[test]
fn the_numbers_of_the_forecast_are_shown() {
    let mut exporting = open();
    (exporting.engine, exporting.format) = (Some("Unity".to_owned()), "r16".to_owned());
    let mut test = desk(vec2(1280.0, 900.0), exporting.clone());
    assert!(test.query_by_label("measuring …").is_some());
    let forecast = forecast_of(&scene(3), &exporting);
    let steps = forecast.steps.unwrap();
    test.state_mut().ui.derived.forecast = Some(Ok(forecast));
    test.run_steps(3);
    for words in [
        "129 × 129 samples",
        "about 33 kB",
        &format!("{} of 65536", steps.used),
        "Terrain Height",
        "2000",
    ] {
        assert!(test.query_all_by_label(words).count() > 0, "{words}");
    }
    test.state_mut().ui.derived.forecast = Some(Err("the disk is full".to_owned()));
    test.run_steps(3);
    assert!(test.query_by_label("the disk is full").is_some());
}

#[test]
fn the_window_fits_every_screen_with_every_format() {
    for size in [vec2(240.0, 160.0), vec2(800.0, 600.0), vec2(3840.0, 2160.0)] {
        for format in FORMATS {
            let mut exporting = open();
            exporting.format = format.name.to_owned();
            exporting.samples = Resolution::Exactly(77);
            let forecast = forecast_of(&scene(3), &exporting);
            let mut test = desk(size, exporting);
            test.state_mut().ui.derived.forecast = Some(Ok(forecast));
            test.run_steps(5);
            let scene = test.state().ui.derived.scene_rect;
            if let Some(title) = test.query_by_label("Export") {
                assert!(scene.contains(title.rect().center()), "{size}");
            }
            if size.x > 600.0 {
                let button = test.get_by_label("Export…").rect();
                assert!(scene.contains_rect(button), "{size} {}", format.name);
            }
        }
    }
}

#[test]
fn a_forecast_comes_true() {
    let folder = tempfile::tempdir().unwrap();
    let mut scene = scene(3);
    scene.surface.iterations = 9;
    for format in FORMATS {
        for samples in [Resolution::AsIs, Resolution::Unreal] {
            let exporting = Exporting {
                format: format.name.to_owned(),
                samples,
                ..Exporting::default()
            };
            let forecast = forecast_of(&scene, &exporting);
            let path = folder.path().join(format!("x.{}", format.extension));
            let (inputs, options) = (Inputs::default(), exporting.options(&scene));
            let written = export::heightmap(&path, &scene, &inputs, options, &Job::new()).unwrap();
            assert_eq!(
                [forecast.rows, forecast.columns],
                [written.rows, written.columns]
            );
            let length = std::fs::metadata(&path).unwrap().len() as f64;
            let error = forecast.bytes as f64 / length - 1.0;
            if format.name == "cog" {
                // What GDAL packs is forecast as what it is handed.
                assert!(error > -0.15, "{error}");
                continue;
            }
            assert!(error.abs() < 0.15, "{}: {error}", format.name);
        }
    }
}

#[test]
fn few_levels_are_counted_as_they_are() {
    let mut scene = scene(3);
    scene.surface.iterations = 8;
    let of = |format: &str, span| {
        let exporting = Exporting {
            format: format.to_owned(),
            span,
            ..Exporting::default()
        };
        forecast_of(&scene, &exporting)
    };
    let steps = of("png8", Span::Own).steps.unwrap();
    assert_eq!((steps.used, steps.of), (256, 256));
    let steps = of("png", Span::Own).steps.unwrap();
    assert!((30_000..65_536).contains(&steps.used), "{}", steps.used);
    // A step a metre: as many as the map has metres.
    let metres = of("png", Span::Metres);
    let steps = metres.steps.unwrap();
    assert!((steps.metres - 1.0).abs() < 1e-4);
    assert!((200..6000).contains(&steps.used), "{}", steps.used);
    assert!(of("npy", Span::Own).steps.is_none());
}

#[test]
fn every_map_is_selectable_with_its_formats() {
    for map in MAPS {
        let mut exporting = open();
        exporting.format = "glb".to_owned();
        let mut test = desk(vec2(1280.0, 900.0), exporting);
        test.get_by_value("heights").click();
        test.run_steps(5);
        // The list is longer than the room for it.
        test.get_by_label(map.name).scroll_to_me();
        test.run_steps(20);
        test.get_by_label(map.name).click();
        test.run_steps(5);
        let exporting = self::exporting(&test);
        assert_eq!(exporting.map().name, map.name);
        let formats = export::formats_of_map(map);
        assert!(
            formats
                .iter()
                .any(|format| format.name == exporting.format().name)
        );
        // What does not apply is not asked.
        let sized = map.is_of_the_ground();
        assert_eq!(
            test.query_by_label("Samples").is_some(),
            sized,
            "{}",
            map.name
        );
        assert_eq!(exporting.suffix().is_empty(), map.is_heights());
        let folder = tempfile::tempdir().unwrap();
        let name = format!("x{}.{}", exporting.suffix(), exporting.format().extension);
        let scene = scene(3);
        let options = exporting.options(&scene);
        let (path, inputs) = (folder.path().join(name), Inputs::default());
        export::heightmap(&path, &scene, &inputs, options, &Job::new()).expect(map.name);
    }
}

#[test]
fn mesh_has_the_requested_number_of_triangles() {
    let scene = scene(3);
    let of = |triangles| {
        let exporting = Exporting {
            format: "ply".to_owned(),
            triangles,
            ..Exporting::default()
        };
        forecast_of(&scene, &exporting)
    };
    let all = of(Triangles::All);
    assert_eq!(all.triangles, Some(2 * 128 * 128));
    let fewer = of(Triangles::AtMost(1000));
    assert!(fewer.triangles == Some(1000) || fewer.triangles == Some(999));
    assert!(fewer.bytes < all.bytes / 20);
    let near = of(Triangles::Within(20.0)).triangles.unwrap();
    assert!((100..32_768).contains(&near), "{near}");
    // The window asks for it, and for the size of a print.
    let mut exporting = open();
    exporting.format = "stl".to_owned();
    let mut test = desk(vec2(1280.0, 900.0), exporting);
    test.get_by_value("two per cell").click();
    test.run_steps(5);
    test.get_by_label("at most").click();
    test.run_steps(5);
    let exporting = self::exporting(&test);
    assert_eq!(exporting.triangles, Triangles::AtMost(100_000));
    let options = exporting.options(&scene);
    assert_eq!(options.mesh.detail, Detail::Triangles(100_000));
    assert_eq!(options.mesh.print_size_mm, 100.0);
}

fn next_forecast(worker: &Worker, number: u64) -> (Result<Forecast, String>, Option<Made>) {
    let started = Instant::now();
    let (mut forecast, mut made) = (None, None);
    loop {
        let outbox = worker.take();
        forecast = outbox.forecast.or(forecast);
        made = outbox.made.filter(|made| !made.coarse).or(made);
        if let (Some((of, _)), Some(made)) = (&forecast, &made)
            && *of == number
            && made.number == number
        {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(2));
    }
    (forecast.unwrap().1, made)
}

#[test]
fn the_landscape_does_not_wait_for_its_forecast() {
    let worker = Worker::start(|| ());
    let mut exporting = open();
    exporting.format = "glb".to_owned();
    exporting.triangles = Triangles::Within(1.0);
    worker.want_forecast(Some(exporting));
    let mut scene = scene(3);
    scene.surface.iterations = 10;
    let number = worker.request(scene, false);
    let started = Instant::now();
    let mut is_there = false;
    loop {
        let outbox = worker.take();
        is_there |= outbox
            .made
            .is_some_and(|made| !made.coarse && made.number == number);
        if let Some((of, forecast)) = outbox.forecast {
            assert_eq!(of, number);
            assert!(forecast.unwrap().triangles.is_some());
            assert!(is_there, "the forecast came first");
            return;
        }
        assert!(started.elapsed() < Duration::from_secs(120));
    }
}

#[test]
fn terrain_previews_the_file_steps_on_request() {
    let worker = Worker::start(|| ());
    let scene = scene(3);
    let inputs = Inputs::default();
    let plain = pipeline::heights(&scene, &inputs, &Job::new()).unwrap();
    let mut exporting = open();
    exporting.format = "png8".to_owned();
    assert!(worker.want_forecast(Some(exporting.clone())));
    assert!(!worker.want_forecast(Some(exporting.clone())));
    let number = worker.request(scene.clone(), false);
    let (forecast, made) = next_forecast(&worker, number);
    assert_eq!(forecast.unwrap(), forecast_of(&scene, &exporting));
    assert_eq!(*made.unwrap().landscape.heights, plain);

    exporting.preview = true;
    assert!(worker.want_forecast(Some(exporting.clone())));
    let number = worker.request(scene.clone(), false);
    let (_, made) = next_forecast(&worker, number);
    let shown = made.unwrap().landscape.heights.clone();
    // It is what the file gives back.
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.png");
    export::heightmap(
        &path,
        &scene,
        &inputs,
        exporting.options(&scene),
        &Job::new(),
    )
    .unwrap();
    let steps = landform::import::image(&path).unwrap();
    let (low, high) = plain.range();
    for (shown, step) in shown.heights().iter().zip(steps.as_slice()) {
        let height = low + step / 255.0 * (high - low);
        assert!((shown - height).abs() < 1e-5, "{shown} {height}");
    }
    // And back again.
    assert!(worker.want_forecast(None));
    let number = worker.request(scene, false);
    let started = Instant::now();
    let made = loop {
        match worker.take().made {
            Some(made) if made.number == number => break made,
            _ => assert!(started.elapsed() < Duration::from_secs(120)),
        }
    };
    assert_eq!(*made.landscape.heights, plain);
}

#[test]
fn obj_is_in_metres_when_ticked() {
    let mut obj = open();
    obj.format = "obj".to_owned();
    let mut test = desk(vec2(1280.0, 900.0), obj);
    assert_eq!(exporting(&test).mesh_unit, MeshUnit::Own);
    test.get_by_label("In metres").click();
    test.run_steps(5);
    assert_eq!(exporting(&test).mesh_unit, MeshUnit::Metres);
    let scene = scene(3);
    let options = exporting(&test).options(&scene);
    assert_eq!(options.mesh.unit, MeshUnit::Metres);
}

#[test]
fn an_export_that_clips_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let saved = |span| {
        let exporting = Exporting {
            format: "png".to_owned(),
            span,
            ..Exporting::default()
        };
        let (path, scene) = (folder.path().join("x.png"), scene(3));
        let options = exporting.options(&scene);
        let files = Files::start(|| {});
        files
            .hand(FileJob::Export(path, scene.into(), options))
            .unwrap();
        loop {
            match files.take().pop() {
                Some((_, Done::Saved(words))) => return words,
                Some((_, Done::Failed(words))) => panic!("{words}"),
                _ => std::thread::sleep(Duration::from_millis(5)),
            }
        }
    };
    assert!(saved(Span::Own).ends_with("x.png"));
    let words = saved(Span::Heights(-0.1, 0.1));
    assert!(words.contains("samples were outside the range"), "{words}");
}

#[test]
fn progress_bar_covers_no_window() {
    for size in [
        vec2(1280.0, 720.0),
        vec2(700.0, 450.0),
        vec2(1920.0, 1080.0),
    ] {
        let mut test = desk(size, open());
        let area = |test: &Test, name: &str| test.ctx.memory(|m| m.area_rect(Id::new(name)));
        test.state_mut().ui.derived.progress = vec![Progress {
            what: "Making the landscape".to_owned(),
            done: 0.5,
            elapsed: Duration::from_secs(2),
            cancel: landform::app::commands::Command::CancelLandscape,
        }];
        test.run_steps(6);
        let window = area(&test, "Export").unwrap();
        let bar = area(&test, "progress").unwrap();
        assert!(!window.intersects(bar), "{size}: {window} {bar}");
        let scene = test.state().ui.derived.scene_rect;
        assert!(scene.contains_rect(bar), "{size}: {scene} {bar}");
    }
}
