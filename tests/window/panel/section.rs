//! The cross-section in the window: drawn with the mouse on the map, its profile beside it.

use std::sync::Arc;
use std::time::Duration;

use egui::accesskit::Role;
use egui::{Event, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::state::Shown;
use landform::heightmap::Heightmap;
use landform::scene::{RenderType, Scene, Section};

use crate::desk::Test;

fn desk(scene: Scene) -> Test {
    let heights: Vec<f32> = (0..81).map(|i| (i % 9) as f32 * 0.05).collect();
    let mut test = crate::desk::desk(vec2(1280.0, 3400.0), crate::desk::of_scene(scene), |ui| {
        ui.derived.relief = Some(Arc::new(Heightmap::new(9, 9, false, heights)));
        ui.derived.shown = Some(Shown {
            rows: 9,
            columns: 9,
            stride: 1,
            requested_hurst: None,
            made_in: Duration::ZERO,
            coarse: false,
            place: None,
        });
    });
    test.get_by_label("Analysis").click();
    test.run_steps(30);
    test
}

fn section(test: &Test) -> Section {
    test.state().ui.persisted.scene.section
}

fn click(test: &mut Test, label: &str) {
    test.get_by_role_and_label(Role::Button, label).click();
    test.run_steps(3);
}

fn button(test: &mut Test, at: Pos2, button: PointerButton, pressed: bool) {
    test.event(Event::PointerMoved(at));
    test.event(Event::PointerButton {
        pos: at,
        button,
        pressed,
        modifiers: Modifiers::NONE,
    });
    test.run_steps(2);
}

fn drag(test: &mut Test, from: Pos2, to: Pos2) {
    button(test, from, PointerButton::Primary, true);
    for step in 1..=4 {
        test.event(Event::PointerMoved(from + (to - from) * step as f32 / 4.0));
        test.run_steps(2);
    }
    button(test, to, PointerButton::Primary, false);
    test.run_steps(10);
}

/// Where x and z of the only tile are in the window.
fn place(test: &Test, x: f32, z: f32) -> Pos2 {
    let rect = test.state().ui.derived.scene_rect;
    let size = (rect.width().round() as u32, rect.height().round() as u32);
    let filled = landform::render::flat_rectangle([2.0, 2.0], size);
    let half = vec2(filled[0] * rect.width(), filled[1] * rect.height()) * 0.5;
    rect.center() + vec2(x, z) * half
}

fn near(a: Section, from: [f32; 2], to: [f32; 2]) -> bool {
    let ends = [(a.from, from), (a.to, to)];
    ends.iter()
        .all(|(a, b)| (a[0] - b[0]).abs() < 0.01 && (a[1] - b[1]).abs() < 0.01)
}

#[test]
fn the_mouse_draws_moves_and_removes_the_line() {
    let mut test = desk(Scene::default());
    let camera = test.state().ui.persisted.scene.camera.clone();
    click(&mut test, "Draw");
    let view = test.state().ui.persisted.scene.view.clone();
    assert_eq!(view.render_type, RenderType::Map);
    let (a, b) = (place(&test, -0.5, -0.25), place(&test, 0.5, 0.75));
    drag(&mut test, a, b);
    assert!(
        near(section(&test), [-0.5, -0.25], [0.5, 0.75]),
        "{:?}",
        section(&test)
    );
    // The profile opens by itself.
    test.get_by_label("Copy as CSV");
    // An end is moved, to the border if the mouse goes beyond.
    let away = place(&test, -1.5, 0.0);
    drag(&mut test, a, away);
    assert!(
        near(section(&test), [-1.0, 0.0], [0.5, 0.75]),
        "{:?}",
        section(&test)
    );
    // Each of both was one step of undo.
    for wanted in [[-0.5, -0.25], [0.0, 0.0]] {
        test.key_press_modifiers(Modifiers::COMMAND, egui::Key::Z);
        test.run_steps(10);
        let from = section(&test).from;
        assert!((from[0] - wanted[0]).abs() < 0.01 && (from[1] - wanted[1]).abs() < 0.01);
    }
    assert!(section(&test).is_absent());
    drag(&mut test, a, b);
    assert!(section(&test).is_drawn());
    let middle = place(&test, 0.1, -0.6);
    button(&mut test, middle, PointerButton::Secondary, true);
    button(&mut test, middle, PointerButton::Secondary, false);
    assert!(section(&test).is_absent());
    // A click draws nothing, and nothing of all this moved the camera.
    drag(&mut test, a, a + vec2(1.0, 0.0));
    assert!(section(&test).is_absent());
    assert_eq!(test.state().ui.persisted.scene.camera, camera);
}

#[test]
fn one_tool_at_a_time() {
    let mut test = desk(Scene::default());
    click(&mut test, "Draw");
    click(&mut test, "Edit pins");
    let (a, b) = (place(&test, -0.5, -0.25), place(&test, 0.5, 0.75));
    drag(&mut test, a, b);
    assert!(section(&test).is_absent());
    click(&mut test, "Draw");
    drag(&mut test, a, b);
    assert!(section(&test).is_drawn());
    assert!(test.state().ui.persisted.scene.surface.pins.is_empty());
    // Where the map is not shown the tool is gone.
    test.state_mut().ui.persisted.scene.view.render_type = RenderType::Triangles;
    test.run_steps(3);
    let before = section(&test);
    drag(&mut test, b, a);
    assert_eq!(section(&test), before);
}

#[test]
fn profile_is_copied_hidden_and_removed_with_line() {
    let mut scene = Scene::default();
    scene.view.render_type = RenderType::Map;
    scene.section = Section {
        from: [-1.0, 0.0],
        to: [1.0, 0.0],
    };
    let mut test = desk(scene);
    // 0.4 half tiles of rise over a tile.
    let metres = test.state().ui.persisted.scene.surface.tile_size_m / 2.0;
    let rise = format!("{:.0} m", metres * 0.4);
    assert!(test.query_all_by_label(&rise).count() >= 2);
    test.get_by_label("Copy as CSV").click();
    test.run_steps(1);
    let copied = test
        .output()
        .platform_output
        .commands
        .iter()
        .any(|command| {
            matches!(command, egui::OutputCommand::CopyText(text)
            if text.starts_with("distance_m,height_m"))
        });
    assert!(copied);
    click(&mut test, "Profile");
    assert!(test.query_by_label("Copy as CSV").is_none());
    click(&mut test, "Profile");
    assert!(test.query_by_label("Copy as CSV").is_some());
    let clear = test.get_all_by_role_and_label(Role::Button, "Clear");
    let lowest = clear.max_by(|a, b| a.rect().top().total_cmp(&b.rect().top()));
    lowest.expect("a button").click();
    test.run_steps(3);
    assert!(section(&test).is_absent());
    assert!(test.query_by_label("Copy as CSV").is_none());
}
