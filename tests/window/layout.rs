//! Where things lie that float: over no control, and not over what they are about.

use std::sync::Arc;

use egui::epaint::ClippedShape;
use egui::{Event, Key, Modifiers, Rect, Shape, Vec2, vec2};
use egui_kittest::kittest::Queryable;

use crate::covered::{SIZES, covered, covered_on, say_all};
use crate::desk::{Test, desk, of_scene, over_level_ground};
use landform::app::commands::Action;
use landform::app::dialogs::{analysis, help};
use landform::heightmap::Heightmap;
use landform::language::Language;
use landform::scene::{RenderType, Scene};

const USUAL: Vec2 = vec2(1280.0, 720.0);

fn press(test: &mut Test, key: Key) {
    test.key_press_modifiers(Modifiers::NONE, key);
    test.run_steps(5);
}

/// Where a window is.
fn window(test: &Test, title: &str) -> Rect {
    let id = egui::Id::new(title);
    test.ctx.memory(|memory| memory.area_rect(id)).unwrap()
}

#[test]
fn nothing_covers_a_control_in_a_tiny_window() {
    let found = covered_on(SIZES[0], Language::German);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn nothing_covers_a_control_in_a_usual_window() {
    let found = covered_on(SIZES[2], Language::English);
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn progress_bar_leaves_the_variations_bar_free() {
    let mut test = over_level_ground(Scene::default());
    press(&mut test, Key::V);
    say_all(&mut test.state_mut().ui);
    test.run_steps(10);
    assert!(test.query_by_label("Cancel").is_some());
    assert_eq!(covered(&test), [""; 0]);
}

#[test]
fn pictures_of_a_sheet_keep_their_size() {
    let mut test = over_level_ground(Scene::default());
    press(&mut test, Key::V);
    let picture = |test: &Test| test.get_by_label("Variation 3").rect().size();
    say_all(&mut test.state_mut().ui);
    test.run_steps(5);
    let with_bar = picture(&test);
    let ui = &mut test.state_mut().ui;
    ui.derived.progress.clear();
    ui.transient.notices.clear();
    test.run_steps(5);
    assert_eq!(picture(&test), with_bar);
}

#[test]
fn the_list_of_keys_leaves_the_bars_free() {
    for size in SIZES {
        let mut test = desk(size, of_scene(Scene::default()), |_| ());
        press(&mut test, Key::F1);
        let (place, bars) = (
            window(&test, help::KEYS_TITLE),
            test.state().ui.derived.between_bars,
        );
        assert!(
            bars.expand(1.0).contains_rect(place),
            "{place} in {bars} at {size}"
        );
    }
}

/// A map with a line from A to B, and its profile.
fn section(from: [f32; 2], to: [f32; 2]) -> Test {
    let mut scene = Scene::default();
    scene.view.render_type = RenderType::Map;
    (scene.section.from, scene.section.to) = (from, to);
    let heights: Vec<f32> = (0..81).map(|i| (i % 9) as f32 * 0.05).collect();
    let mut test = desk(USUAL, of_scene(scene), |ui| {
        ui.derived.relief = Some(Arc::new(Heightmap::new(9, 9, false, heights)));
    });
    test.run_steps(10);
    test
}

#[test]
fn profile_covers_neither_its_line_nor_its_ends() {
    let ends = [-0.9, -0.3, 0.3, 0.9];
    let places = ends.iter().flat_map(|x| ends.map(|z| [*x, z]));
    for to in places.collect::<Vec<_>>() {
        let from = [-0.5, -0.1];
        let test = section(from, to);
        let scene = test.state().ui.derived.scene_rect;
        let size = (scene.width().round() as u32, scene.height().round() as u32);
        let filled = landform::render::flat_rectangle([2.0, 2.0], size);
        let half = vec2(filled[0] * scene.width(), filled[1] * scene.height()) * 0.5;
        let at = |[x, z]: [f32; 2]| scene.center() + vec2(x, z) * half;
        let place = window(&test, analysis::PROFILE_TITLE);
        for step in 0..=20 {
            let on_line = at(from) + (at(to) - at(from)) * (step as f32 / 20.0);
            assert!(
                !place.contains(on_line),
                "{place} covers {on_line} of {to:?}"
            );
        }
    }
}

#[test]
fn a_profile_that_was_moved_stays() {
    let mut test = section([-0.9, -0.9], [0.9, -0.9]);
    let before = window(&test, analysis::PROFILE_TITLE);
    let title = before.center_top() + vec2(0.0, 12.0);
    crate::desk::press(&mut test, title, true);
    for step in 1..=4 {
        test.event(Event::PointerMoved(title - vec2(0.0, 60.0 * step as f32)));
        test.run_steps(1);
    }
    crate::desk::press(&mut test, title - vec2(0.0, 240.0), false);
    let moved = window(&test, analysis::PROFILE_TITLE);
    assert!(moved.top() < before.top() - 100.0, "{before} {moved}");
    test.state_mut().ui.persisted.scene.section.to = [0.0, 0.0];
    test.run_steps(10);
    assert_eq!(window(&test, analysis::PROFILE_TITLE), moved);
}

#[test]
fn windows_of_the_scene_go_with_it() {
    let mut test = over_level_ground(Scene::default());
    test.state_mut().ui.persisted.statistics = true;
    test.run_steps(4);
    let is_there = |test: &Test| test.query_by_label("Statistics").is_some();
    assert!(is_there(&test));
    press(&mut test, Key::V);
    assert!(!is_there(&test));
    // Asked for, they come in place of the sheet.
    press(&mut test, Key::F3);
    assert!(is_there(&test));
    assert!(!test.state().ui.transient.covers_scene());
}

/// The texts on screen and where they are.
fn texts(test: &Test) -> Vec<(String, Rect)> {
    fn note(shape: &Shape, texts: &mut Vec<(String, Rect)>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| note(shape, texts)),
            Shape::Text(text) => {
                let words = text.galley.text().to_owned();
                texts.push((words, text.visual_bounding_rect()));
            }
            _ => {}
        }
    }
    let mut texts = Vec::new();
    for ClippedShape { shape, .. } in &test.output().shapes {
        note(shape, &mut texts);
    }
    texts
}

#[test]
fn row_tooltips_leave_the_panel_free() {
    let mut test = over_level_ground(Scene::default());
    let panel = test.state().ui.derived.scene_rect.right();
    for label in ["H", "Height scale", "Iterations"] {
        let row = test.get_all_by_label(label).next().unwrap().rect();
        let before: Vec<_> = texts(&test).into_iter().map(|(words, _)| words).collect();
        test.event(Event::PointerMoved(row.center() + vec2(100.0, 0.0)));
        test.run_steps(60);
        let new = texts(&test).into_iter();
        let new: Vec<_> = new
            .filter(|(words, _)| !before.contains(words) && words.len() > 30)
            .collect();
        assert!(!new.is_empty(), "{label} has a tooltip");
        for (words, rect) in new {
            assert!(rect.right() <= panel, "{label}: {words} at {rect}");
        }
        test.event(Event::PointerMoved(egui::pos2(300.0, 400.0)));
        test.run_steps(30);
    }
}

#[test]
fn compass_and_watershed_lie_side_by_side() {
    let mut test = over_level_ground(Scene::default());
    test.state_mut().ui.persisted.compass = true;
    test.state_mut().ui.apply(Action::ToggleWatershed);
    test.run_steps(5);
    let [compass, figures] = ["compass", "watershed read-out"].map(|name| window(&test, name));
    assert!(!compass.intersects(figures), "{compass} {figures}");
}
