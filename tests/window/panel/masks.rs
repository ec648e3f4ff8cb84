//! Masks that are seen on the land while they are looked at.

use super::*;

use landform::app::worker::OverlayWeights;
use landform::layer::Layer;
use landform::mask::{By, Mask};
use landform::pipeline::{MaskOf, Pipeline};
use landform::scene::PlantLayer;

/// Two steps under masks, and one without.
fn masked() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    let kinds = [
        ModifierKind::Level,
        ModifierKind::Terrace,
        ModifierKind::Invert,
    ];
    scene.modifiers = kinds.map(Modifier::new).to_vec();
    scene.modifiers[0].mask = Mask::new(By::Slope);
    scene.modifiers[1].mask = Mask::new(By::Height);
    scene
}

fn seen(test: &Test) -> Option<MaskOf> {
    test.state().ui.transient.mask_sight.seen()
}

/// The heads of the masks, in their order.
fn head(test: &Test, index: usize) -> Rect {
    rect_of_nth(test, "Mask", index)
}

fn rect_of_nth(test: &Test, label: &str, index: usize) -> Rect {
    test.get_all_by_label(label).nth(index).unwrap().rect()
}

fn point(test: &mut Test, at: Pos2) {
    test.event(Event::PointerMoved(at));
    test.run_steps(3);
}

fn click_head(test: &mut Test, index: usize) {
    let at = head(test, index).center();
    press(test, at, true);
    press(test, at, false);
    test.run_steps(40);
}

#[test]
fn mask_is_shown_while_the_pointer_hovers_it() {
    let mut test = desk(TALL, masked());
    let was = scene(&test);
    assert_eq!(seen(&test), None);
    for (index, of) in [
        (0, Some(MaskOf::Modifier(0))),
        (1, Some(MaskOf::Modifier(1))),
        // It acts everywhere.
        (2, None),
    ] {
        let at = head(&test, index).center();
        point(&mut test, at);
        assert_eq!(seen(&test), of);
    }
    let at = head(&test, 0).center();
    point(&mut test, at);
    point(&mut test, pos2(200.0, 300.0));
    assert_eq!(seen(&test), None);
    point(&mut test, at);
    test.event(Event::PointerGone);
    test.run_steps(3);
    assert_eq!(seen(&test), None);
    assert_eq!(scene(&test), was, "it is no setting");
    assert_eq!(test.state().ui.transient.history.undo_what(), None);
}

#[test]
fn mask_is_shown_while_its_part_is_open() {
    let mut test = desk(TALL, masked());
    let away = pos2(200.0, 300.0);
    click_head(&mut test, 0);
    point(&mut test, away);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(0)));
    click_head(&mut test, 1);
    point(&mut test, away);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(1)), "the last one stays");
    let first = head(&test, 0).center();
    point(&mut test, first);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(0)));
    point(&mut test, away);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(0)));
    click_head(&mut test, 0);
    point(&mut test, away);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(1)), "it is still open");
    click_head(&mut test, 1);
    point(&mut test, away);
    assert_eq!(seen(&test), None);
}

#[test]
fn mask_is_shown_only_while_its_part_exists() {
    let mut test = desk(TALL, masked());
    click_head(&mut test, 0);
    click_head(&mut test, 1);
    let at = rect_of_nth(&test, "Invert mask", 0).center();
    point(&mut test, at);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(0)));
    let modifiers = |test: &mut Test| test.state_mut().ui.persisted.scene.modifiers.clone();
    let mut steps = modifiers(&mut test);
    // A step that is off has no mask that acts; what was looked at before is open.
    steps[0].on = false;
    test.state_mut().ui.persisted.scene.modifiers = steps.clone();
    test.run_steps(3);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(1)));
    steps.truncate(1);
    test.state_mut().ui.persisted.scene.modifiers = steps;
    test.run_steps(3);
    assert_eq!(seen(&test), None);
    test.state_mut().ui.persisted.scene.modifiers[0].on = true;
    test.run_steps(3);
    assert_eq!(seen(&test), Some(MaskOf::Modifier(0)));
    test.state_mut().ui.persisted.panel = false;
    test.run_steps(3);
    assert_eq!(seen(&test), None);
}

#[test]
fn mask_of_a_layer_is_shown_too() {
    let mut scene = masked();
    scene.modifiers.clear();
    scene.layers = vec![Layer::default(), Layer::default()];
    scene.layers[1].mask = Mask::new(By::Height);
    let mut test = desk(TALL, scene);
    let at = head(&test, 1).center();
    point(&mut test, at);
    assert_eq!(seen(&test), Some(MaskOf::Layer(1)));
}

#[test]
fn mask_of_plants_is_shown_too() {
    let mut scene = masked();
    scene.modifiers.clear();
    scene.plants = vec![PlantLayer::default(), PlantLayer::default()];
    scene.plants[1].mask = Mask::new(By::Height);
    let mut test = desk(TALL, scene.clone());
    let at = head(&test, 1).center();
    point(&mut test, at);
    assert_eq!(seen(&test), Some(MaskOf::Plants(1)));
    let (inputs, job) = (Inputs::default(), Job::new());
    let mut pipeline = Pipeline::default();
    let of = |index| MaskOf::Plants(index);
    let weights = pipeline.mask(&scene, &inputs, of(1), &job).unwrap();
    assert!(weights.is_some_and(|weights| weights.values.as_slice().contains(&255)));
    let everywhere = pipeline.mask(&scene, &inputs, of(0), &job).unwrap();
    assert!(everywhere.is_none());
}

/// The next weights that the worker hands over.
fn weights(worker: &Worker) -> OverlayWeights {
    let started = Instant::now();
    loop {
        if let Some(mask) = worker.take().mask {
            return mask;
        }
        assert!(started.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn expected(scene: &Scene, of: MaskOf) -> OverlayWeights {
    let weights = Pipeline::default().mask(scene, &Inputs::default(), of, &Job::new());
    let weights = weights.unwrap();
    OverlayWeights { of, weights }
}

#[test]
fn worker_makes_masks_for_present_and_later_landscapes() {
    let worker = Worker::start(|| ());
    let mut scene = masked();
    scene.view.render_type = RenderType::Lines;
    worker.request(scene.clone(), false);
    let nobody_looks = worker.wait(Duration::from_secs(120));
    assert!(nobody_looks.made.is_some() && nobody_looks.mask.is_none());
    for of in [MaskOf::Modifier(0), MaskOf::Modifier(1)] {
        worker.want_mask(Some(of));
        assert_eq!(weights(&worker), expected(&scene, of));
    }
    scene.surface.seed = 77;
    worker.request(scene.clone(), false);
    let outbox = worker.wait(Duration::from_secs(120));
    let made = outbox.made.unwrap();
    assert_eq!(made.landscape.scene, scene);
    let mask = outbox.mask.expect("it comes with its landscape");
    assert_eq!(mask, expected(&scene, MaskOf::Modifier(1)));
}

#[test]
fn looking_at_masks_does_not_stop_landscape_work() {
    let worker = Worker::start(|| ());
    let mut scene = masked();
    scene.view.render_type = RenderType::Lines;
    worker.request(scene.clone(), false);
    drop(worker.wait(Duration::from_secs(120)));
    scene.surface.iterations = 11;
    let number = worker.request(scene, false);
    for index in 0..40 {
        worker.want_mask(Some(MaskOf::Modifier(index % 2)));
        std::thread::sleep(Duration::from_millis(1));
        worker.want_mask(None);
    }
    let started = Instant::now();
    loop {
        let outbox = worker.wait(Duration::from_secs(120));
        if outbox
            .made
            .is_some_and(|made| made.number == number && !made.coarse)
        {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(120));
    }
}

/// At 5 iterations samples are 62.5 m apart, at 7 they are 15.6 m; the scale is 20 m.
#[test]
fn the_panel_says_when_samples_decide() {
    for (iterations, says) in [(5, true), (7, false)] {
        let mut with = masked();
        with.surface.iterations = iterations;
        let mut test = desk(TALL, with);
        click_head(&mut test, 0);
        let words = test.query_by_label_contains("more than the mask scale");
        assert_eq!(words.is_some(), says, "{iterations}");
    }
}
