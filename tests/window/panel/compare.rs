//! Two scenes compared: the divider, the keys, and the list of what differs.

use landform::app::commands::{Action, Compare};
use landform::app::state::document::{Compared, Side};

use super::*;

fn compared(test: &Test) -> &Compared {
    let compared = test.state().ui.transient.compared.as_ref();
    compared.expect("a scene that was kept")
}

/// A scene kept as A, and another seed and H as B.
fn two_scenes() -> (Test, Scene) {
    let mut test = tall();
    let kept = scene(&test);
    key(&mut test, Modifiers::NONE, Key::C);
    test.state_mut().ui.persisted.scene.surface.seed = 99;
    test.state_mut().ui.persisted.scene.surface.hurst = 0.25;
    test.run_steps(20);
    (test, kept)
}

#[test]
fn kept_scene_is_seen_beside_the_next() {
    let (mut test, kept) = two_scenes();
    assert_eq!(*compared(&test).scene, kept);
    assert_eq!(compared(&test).part(), 0.5);
    for (side, part) in [(Side::A, 1.0), (Side::B, 0.0), (Side::A, 1.0)] {
        key(&mut test, Modifiers::NONE, Key::X);
        assert_eq!((compared(&test).side, compared(&test).part()), (side, part));
    }
    key(&mut test, Modifiers::SHIFT, Key::X);
    assert_eq!(compared(&test).side, Side::Both);
    let present = scene(&test);
    key(&mut test, Modifiers::NONE, Key::C);
    assert_eq!(*compared(&test).scene, present, "the newest is kept");
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert_eq!(test.state().ui.transient.compared, None);
    assert_eq!(scene(&test), present);
}

#[test]
fn the_divider_is_dragged_and_the_camera_stays() {
    let (mut test, _) = two_scenes();
    let before = scene(&test);
    let rect = test.state().ui.derived.scene_rect;
    let at = |part: f32| rect.lerp_inside(vec2(part, 0.3));
    for (from, to, expected) in [
        (0.5, 0.8, 0.8),
        (0.8, 0.2, 0.2),
        (0.2, -0.5, 10.0 / rect.width()),
    ] {
        let points: Vec<_> = (0..=6)
            .map(|step| at(egui::lerp(from..=to, step as f32 / 6.0)))
            .collect();
        drag(&mut test, &points);
        let divider = compared(&test).divider;
        assert!(
            (divider - expected).abs() < 0.01,
            "{divider}, not {expected}"
        );
    }
    assert_eq!(scene(&test), before, "the camera turned");
    drag(&mut test, &[at(0.6), at(0.65), at(0.7)]);
    assert_ne!(
        scene(&test).camera,
        before.camera,
        "beside it the camera turns"
    );
}

#[test]
fn each_setting_taken_back_is_one_undo_step() {
    let (mut test, kept) = two_scenes();
    for label in ["View", "Compare", "Show the differences"] {
        // A menu within a menu has an arrow behind its name.
        let named = test.query_by_role_and_label(Role::Button, label);
        let node = named.unwrap_or_else(|| test.get_by_label_contains(label));
        node.click();
        test.run_steps(20);
    }
    // In the order of the alphabet of keys: H, then the seed.
    check_one_step(&mut test, "taking H back", |test| {
        let all = test.get_all_by_role_and_label(Role::Button, "Revert");
        all.into_iter().next().unwrap().click();
        test.run_steps(5);
        assert_eq!(scene(test).surface.hurst, kept.surface.hurst);
        assert_eq!(scene(test).surface.seed, 99);
    });
    check_one_step(&mut test, "taking all back", |test| {
        test.get_by_role_and_label(Role::Button, "Revert all")
            .click();
        test.run_steps(5);
        assert_eq!(scene(test), kept);
    });
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(
        test.query_by_label("Revert all").is_none(),
        "Esc closes the list first"
    );
    assert!(test.state().ui.transient.compared.is_some());
}

#[test]
fn swapping_compared_scenes_keeps_the_camera() {
    let (mut test, kept) = two_scenes();
    let present = scene(&test);
    test.state_mut().ui.persisted.scene.camera.bearing += 20.0;
    test.run_steps(40);
    let camera = scene(&test).camera;
    let ui = &mut test.state_mut().ui;
    ui.apply(Action::Compare(Compare::Swap));
    assert_eq!(
        scene(&test),
        Scene {
            camera: camera.clone(),
            ..kept.clone()
        }
    );
    let other = &compared(&test).scene;
    assert_eq!(
        **other,
        Scene {
            camera: kept.camera,
            ..present
        }
    );
    assert_eq!(compared(&test).drawn(&camera).camera, camera);
}
