//! Figures of the status line, of the statistics and of boxes.

use landform::app::state::Shown;
use landform::scene::RenderType;
use landform::{memory, pipeline};

use super::*;

fn status(test: &mut Test) {
    test.state_mut().ui.derived.shown = Some(Shown {
        rows: 65,
        columns: 65,
        stride: 1,
        requested_hurst: Some(0.5),
        made_in: Duration::from_millis(7),
        coarse: false,
        place: None,
    });
}

#[test]
fn a_number_rounded_to_zero_has_no_sign() {
    let mut test = desk(vec2(1800.0, 720.0), Scene::default());
    status(&mut test);
    test.state_mut().ui.derived.measured_hurst = MeasuredHurst::Estimated(-0.001);
    test.run_steps(3);
    assert!(test.query_by_label_contains("measured 0.00").is_some());
}

#[test]
fn measured_h_says_that_modifiers_have_changed_it() {
    let mut scene = Scene::default();
    let words = |scene: &Scene| {
        let mut test = desk(vec2(1800.0, 720.0), scene.clone());
        status(&mut test);
        test.state_mut().ui.derived.measured_hurst = MeasuredHurst::Estimated(0.93);
        test.run_steps(3);
        let found = test.query_by_label_contains("measured 0.93");
        found.expect("a figure").accesskit_node().value()
    };
    assert_eq!(words(&scene).unwrap(), "H 0.50, measured 0.93");
    let changed = "H 0.50, measured 0.93 after modifiers";
    scene.modifiers.push(Modifier::new(ModifierKind::Erosion));
    assert_eq!(words(&scene).unwrap(), changed);
    scene.modifiers[0].on = false;
    assert_eq!(words(&scene).unwrap(), "H 0.50, measured 0.93");
    scene.rock.kind = landform::scene::RockKind::Limestone;
    assert_eq!(words(&scene).unwrap(), changed);
    scene.view.render_type = RenderType::Ridge;
    assert_eq!(words(&scene).unwrap(), "H 0.50, measured 0.93");
}

#[test]
fn the_programs_memory_is_shown_with_the_heights() {
    let taken = memory::taken().expect("the system says it");
    assert!(taken > 1 << 20, "{taken}");
    let mut test = desk(vec2(1800.0, 720.0), Scene::default());
    status(&mut test);
    test.state_mut().ui.derived.memory = Some(4_200_000_000);
    test.run_steps(3);
    let words = "17 kB of 4200 MB in memory";
    assert!(test.query_by_label_contains(words).is_some());
}

#[test]
fn statistics_are_in_metres_too() {
    let mut scene = Scene::default();
    (scene.surface.iterations, scene.surface.tile_size_m) = (6, 2000.0);
    let map = pipeline::heights(&scene, &Default::default(), &Job::new()).unwrap();
    let measured = statistics(&map, None, &Job::new()).unwrap();
    let (low, high) = map.range();
    let mut test = desk(vec2(1280.0, 720.0), scene);
    test.state_mut().ui.persisted.statistics = true;
    test.state_mut().ui.derived.measured = Some(Measured {
        statistics: Arc::new(measured),
        requested_hurst: None,
        stride: 1,
        outdated: false,
    });
    test.run_steps(5);
    let words = format!("{:.0} m, {:.0} m", low * 1000.0, high * 1000.0);
    assert!(test.query_all_by_label(&words).count() > 0, "{words}");
}

#[test]
fn long_numbers_stay_in_their_boxes() {
    for size in [15_420.42, 123_456.78, 7.125, 0.001] {
        let mut scene = Scene::default();
        scene.surface.tile_size_m = size;
        let mut test = desk(vec2(1280.0, 3400.0), scene);
        test.run_steps(3);
        let number = test.get_by_role_and_label(Role::SpinButton, "Tile size");
        assert!(number.rect().width() <= 60.0, "{size}: {}", number.rect());
    }
}

#[test]
fn a_landscape_at_hand_keeps_its_time() {
    let worker = Worker::start(|| ());
    let mut scene = Scene::default();
    scene.surface.iterations = 9;
    let full = |worker: &Worker| loop {
        let made = next(worker);
        if !made.coarse {
            return made.made_in;
        }
    };
    worker.request(scene.clone(), false);
    let first = full(&worker);
    worker.request(scene, false);
    assert_eq!(full(&worker), first);
}
