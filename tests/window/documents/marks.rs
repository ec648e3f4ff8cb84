//! What is marked as changed, and the way back.

use super::*;
use crate::desk::press;

fn double_click(test: &mut Test, at: Pos2) {
    for pressed in [true, false, true, false] {
        press(test, at, pressed);
    }
    test.event(Event::PointerGone);
    // Another click soon after would be a third one.
    test.run_steps(60);
}

fn unfold_all(test: &mut Test) {
    for section in ["Analysis", "Fog", "Camera"] {
        test.get_by_label(section).click();
        test.run_steps(30);
    }
}

// What counts as changed.

#[test]
fn unchanged_preset_rows_carry_no_mark() {
    for preset in import::presets() {
        let mut test = desk_of(TALL, of_scene(preset.scene()));
        unfold_all(&mut test);
        let marks = test.query_all_by_label(MARK).count();
        assert_eq!(marks, 0, "{}", preset.name);
    }
}

#[test]
fn changed_rows_are_marked_and_double_click_reverts() {
    let mut baseline = Preset::named("terrace").unwrap().scene();
    baseline.surface.generator = Generator::DiamondSquare;
    baseline.view.render_type = RenderType::Rendered;
    baseline.surface.hurst = 0.55;
    baseline.surface.seed = 42;
    baseline.surface.diamond_square.edges = Edges::Free;
    baseline.camera.target = [0.1, 0.2, 0.3];
    baseline.view.palette = "moon".to_owned();
    let mut persisted = of_scene(baseline.clone());
    let scene_now = &mut persisted.scene;
    scene_now.surface.hurst = 0.7;
    scene_now.surface.seed = 0;
    scene_now.surface.diamond_square.edges = Edges::Wrap;
    scene_now.modifiers[0].terrace.steps += 1;
    scene_now.camera.target = [0.0; 3];
    scene_now.view.palette = "desert".to_owned();
    let mut test = desk_of(TALL, persisted);
    unfold_all(&mut test);
    let labels = ["H", "Seed", "Edges", "Target", "Palette"];
    for (done, label) in labels.into_iter().enumerate() {
        let marks = test.query_all_by_label(MARK).count();
        assert_eq!(marks, labels.len() + 1 - done, "before {label}");
        let name = test.get_by_role_and_label(Role::Label, label).rect();
        double_click(&mut test, name.left_center() + vec2(4.0, 0.0));
    }
    let mut expected = baseline;
    expected.modifiers[0].terrace.steps += 1;
    assert_eq!(scene(&test), expected);
}

#[test]
fn home_and_reset_camera_restore_the_document_camera() {
    let preset = Preset::named("island-noon").unwrap().scene();
    assert_ne!(preset.camera, Camera::default());
    let moved = Camera {
        bearing: 200.0,
        distance: 9.0,
        ..preset.camera.clone()
    };
    let mut persisted = of_scene(preset.clone());
    persisted.scene.camera = moved.clone();
    let mut test = desk_of(TALL, persisted);
    key(&mut test, Modifiers::NONE, Key::Home);
    assert_eq!(scene(&test).camera, preset.camera);
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test).camera, moved);
    unfold_all(&mut test);
    click(&mut test, "Reset camera");
    assert_eq!(scene(&test).camera, preset.camera);
}

#[test]
fn home_and_undo_end_what_still_moves() {
    let start = Scene::default();
    for (modifiers, then) in [(Modifiers::NONE, Key::Home), (Modifiers::COMMAND, Key::Z)] {
        let mut test = desk_of(USUAL, of_scene(start.clone()));
        for pressed in [true, false] {
            test.event(egui::Event::Key {
                key: Key::W,
                physical_key: Some(Key::W),
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            });
            test.run_steps(8);
        }
        let moved = scene(&test).camera;
        test.run_steps(1);
        assert_ne!(scene(&test).camera, moved, "it glides on");
        key(&mut test, modifiers, then);
        test.run_steps(90);
        assert_eq!(scene(&test).camera, start.camera, "{then:?}");
    }
}

#[test]
fn successive_camera_moves_merge_but_jumps_stay_separate() {
    let mut test = desk_of(USUAL, of_scene(Scene::default()));
    let first = scene(&test).camera;
    let turn = |test: &mut Test| {
        for arrow in [Key::ArrowRight, Key::ArrowUp] {
            key(test, Modifiers::NONE, arrow);
            // Longer than it takes to settle.
            test.run_steps(90);
        }
    };
    turn(&mut test);
    turn(&mut test);
    let found = scene(&test).camera;
    key(&mut test, Modifiers::NONE, Key::Home);
    test.run_steps(90);
    turn(&mut test);
    let mut seen = Vec::new();
    for _ in 0..2 {
        key(&mut test, Modifiers::COMMAND, Key::Z);
        seen.push(scene(&test).camera);
    }
    assert_eq!(seen, [found, first], "the view found by hand comes back");
    assert_eq!(test.state().ui.transient.history.undo_what(), None);
}

// Esc.

#[test]
fn render_type_of_the_document_affects_no_marks() {
    for render_type in [RenderType::Map, RenderType::Lines] {
        let mut scene = Scene::default();
        scene.view.render_type = render_type;
        let test = desk_of(TALL, of_scene(scene));
        assert_eq!(test.query_all_by_label(MARK).count(), 0);
    }
}
