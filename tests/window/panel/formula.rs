//! Formulas and other texts typed into the panel, and pins placed on the map, without a window.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::commands::{Command, Part};
use landform::app::panel::param_ui::help_text;
use landform::app::state::notices::Notices;
use landform::fractal::Edges;
use landform::generate::pins::Pin;
use landform::generate::{Generator, Reading};
use landform::heightmap::Heightmap;
use landform::param::Params;
use landform::render::flat_rectangle;
use landform::scene::{RenderType, Scene};

use crate::desk::Test;

fn desk(scene: Scene) -> Test {
    crate::desk::desk(vec2(1280.0, 1700.0), crate::desk::of_scene(scene), |_| ())
}

/// The scene by now; nothing here is a command.
fn scene(test: &Test) -> Scene {
    let commands = &test.state().commands;
    assert!(commands.is_empty(), "{commands:?}");
    crate::desk::scene(test)
}

fn button(test: &mut Test, at: Pos2, button: PointerButton, pressed: bool, modifiers: Modifiers) {
    test.event(Event::PointerMoved(at));
    test.event(Event::PointerButton {
        pos: at,
        button,
        pressed,
        modifiers,
    });
    test.run_steps(2);
}

fn click(test: &mut Test, at: Pos2, which: PointerButton) {
    for pressed in [true, false] {
        button(test, at, which, pressed, Modifiers::NONE);
    }
    // Another click soon after would be a double one.
    test.run_steps(60);
}

fn drag(test: &mut Test, from: Pos2, to: Pos2, modifiers: Modifiers) {
    test.input_mut().modifiers = modifiers;
    button(test, from, PointerButton::Primary, true, modifiers);
    for step in 1..=8 {
        test.event(Event::PointerMoved(from.lerp(to, step as f32 / 8.0)));
        test.run_steps(1);
    }
    button(test, to, PointerButton::Primary, false, modifiers);
    test.input_mut().modifiers = Modifiers::NONE;
    test.run_steps(60);
}

fn key(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(2);
}

fn undo(test: &mut Test) {
    key(test, Modifiers::COMMAND, Key::Z);
}

/// Puts the keyboard into a box and what it holds under the next letter.
fn enter(test: &mut Test, label: &str) {
    let at = test.get_by_role_and_label(Role::TextInput, label).rect();
    click(test, at.center(), PointerButton::Primary);
    key(test, Modifiers::COMMAND, Key::A);
}

fn leave(test: &mut Test) {
    key(test, Modifiers::NONE, Key::Escape);
    test.run_steps(90);
}

fn type_text(test: &mut Test, text: &str) {
    for letter in text.chars() {
        test.event(Event::Text(letter.to_string()));
        test.run_steps(2);
    }
}

#[test]
fn valid_formulas_apply_at_once_as_one_step() {
    let mut start = Scene::default();
    start.surface.generator = Generator::Formula;
    let mut test = desk(start);
    let before = scene(&test);
    let expression = |test: &Test| scene(test).surface.formula.expression;
    enter(&mut test, "Expression");
    type_text(&mut test, "sin(");
    assert_eq!(scene(&test), before, "no formula yet");
    let wrong = "Allowed: a formula: a number, a name or `(` is missing at column 5.";
    assert!(test.query_by_label(wrong).is_some());
    type_text(&mut test, "x)");
    assert_eq!(expression(&test), "sin(x)");
    assert!(test.query_by_label_contains("Allowed is").is_none());
    type_text(&mut test, "*");
    assert_eq!(expression(&test), "sin(x)", "the last good one stays");
    assert!(test.query_by_label_contains("column 8").is_some());
    leave(&mut test);
    let shown = |test: &Test| {
        let typed = test.get_by_role_and_label(Role::TextInput, "Expression");
        typed.value().unwrap_or_default()
    };
    assert_eq!(shown(&test), "sin(x)*", "what was typed is not lost");
    scene(&test).validate().unwrap();
    assert!(test.state().ui.transient.notices.list().is_empty());
    undo(&mut test);
    assert_eq!(scene(&test), before);
    assert_eq!(shown(&test), before.surface.formula.expression);
    assert!(test.query_by_label_contains("Allowed is").is_none());
}

#[test]
fn lists_of_numbers_can_be_typed() {
    let mut start = Scene::default();
    start.surface.diamond_square.edges = Edges::Free;
    let mut test = desk(start);
    enter(&mut test, "Strengths");
    type_text(&mut test, "1, 0.5,2,");
    let options = |test: &Test| scene(test).surface.diamond_square;
    assert_eq!(options(&test).strengths, [1.0, 0.5, 2.0]);
    type_text(&mut test, "x");
    assert!(
        test.query_by_label_contains("`x` is not a number")
            .is_some()
    );
    key(&mut test, Modifiers::NONE, Key::Backspace);
    leave(&mut test);
    enter(&mut test, "Corners");
    type_text(&mut test, "0 1 0.5 -1");
    leave(&mut test);
    assert_eq!(options(&test).corners, [0.0, 1.0, 0.5, -1.0]);
    test.get_by_role_and_label(Role::ComboBox, "Edges").click();
    test.run_steps(4);
    test.get_by_role_and_label(Role::Button, "wrap").click();
    test.run_steps(4);
    assert_eq!(
        options(&test).corners,
        [0.0; 4],
        "a wrapped map has one corner"
    );
    scene(&test).validate().unwrap();
}

#[test]
fn input_formula_seeds_and_can_be_removed() {
    let mut test = desk(Scene::default());
    enter(&mut test, "Input formula");
    type_text(&mut test, "0.5*r");
    leave(&mut test);
    assert_eq!(scene(&test).surface.input_formula, "0.5*r");
    enter(&mut test, "Input formula");
    key(&mut test, Modifiers::NONE, Key::Backspace);
    leave(&mut test);
    assert_eq!(scene(&test), Scene::default());
}

/// A map being edited: the scene, and where a place on its map is in the window.
fn map(edges: Edges) -> (Test, impl Fn(&Test, f32, f32) -> Pos2) {
    let mut start = Scene::default();
    start.surface.diamond_square.edges = edges;
    start.surface.height_scale = 0.5;
    let mut test = desk(start);
    let button = test.get_by_role_and_label(Role::Button, "Edit pins").rect();
    click(&mut test, button.center(), PointerButton::Primary);
    assert_eq!(scene(&test).view.render_type, RenderType::Map);
    let place = |test: &Test, x: f32, z: f32| {
        let rect = test.state().ui.derived.scene_rect;
        let filled = flat_rectangle([2.0, 2.0], (rect.width() as u32, rect.height() as u32));
        let half = vec2(filled[0] * rect.width(), filled[1] * rect.height()) / 2.0;
        rect.center() + vec2(x, z) * half
    };
    (test, place)
}

fn pins(test: &Test) -> Vec<Pin> {
    let scene = scene(test);
    scene.validate().unwrap();
    scene.surface.pins
}

#[test]
fn each_pin_edit_is_one_undo_step() {
    let (mut test, at) = map(Edges::Free);
    // Heights rise by 1 from north to south.
    let ground = Heightmap::new(2, 2, false, vec![0.0, 0.0, 1.0, 1.0]);
    test.state_mut().ui.derived.ground = Some(Arc::new(ground));
    let before = scene(&test);
    let place = at(&test, 0.26, -0.49);
    click(&mut test, place, PointerButton::Primary);
    let first = Pin {
        x: 0.25,
        z: -0.5,
        height: 0.5,
    };
    assert_eq!(
        pins(&test),
        [first],
        "the ground there is 0.25, before the height scale 0.5"
    );
    undo(&mut test);
    assert_eq!(scene(&test), before);
    key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    let place = at(&test, -1.0, 1.0) + vec2(-3.0, 3.0);
    click(&mut test, place, PointerButton::Primary);
    let second = Pin {
        x: -1.0,
        z: 1.0,
        height: 2.0,
    };
    assert_eq!(pins(&test), [first, second]);

    let (from, to) = (at(&test, 0.25, -0.5), at(&test, 0.5, 0.13));
    drag(&mut test, from, to, Modifiers::NONE);
    let moved = Pin {
        x: 0.5,
        z: 0.125,
        ..first
    };
    assert_eq!(pins(&test), [moved, second]);
    undo(&mut test);
    assert_eq!(pins(&test), [first, second], "a drag is one step");
    key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);

    let (from, to) = (at(&test, 0.5, 0.125), at(&test, -1.0, 1.0));
    drag(&mut test, from, to, Modifiers::NONE);
    let stopped = pins(&test)[0];
    assert_ne!(
        (stopped.x, stopped.z),
        (-1.0, 1.0),
        "no two pins on a point"
    );
    undo(&mut test);

    let from = at(&test, 0.5, 0.125);
    drag(&mut test, from, from + vec2(0.0, -50.0), Modifiers::SHIFT);
    let raised = pins(&test)[0];
    assert_eq!((raised.x, raised.z), (0.5, 0.125));
    assert!(raised.height > 0.6, "{raised:?}");
    undo(&mut test);
    assert_eq!(pins(&test), [moved, second]);

    test.event(Event::PointerMoved(from));
    for _ in 0..3 {
        test.event(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: vec2(0.0, -1.0),
            modifiers: Modifiers::NONE,
        });
        test.run_steps(5);
    }
    test.run_steps(120);
    assert!(pins(&test)[0].height < 0.45, "{:?}", pins(&test));
    assert_eq!(scene(&test).camera, before.camera, "the wheel is the pin's");
    undo(&mut test);
    assert_eq!(
        pins(&test),
        [moved, second],
        "turns of the wheel are one step"
    );

    assert!(pins(&test).len() == 2);
    click(&mut test, from, PointerButton::Secondary);
    assert_eq!(pins(&test), [second]);
    let corner = at(&test, -1.0, 1.0);
    test.event(Event::PointerMoved(corner));
    test.run_steps(2);
    key(&mut test, Modifiers::NONE, Key::Delete);
    assert_eq!(pins(&test), []);
}

#[test]
fn a_wrapped_border_pin_is_on_both_borders() {
    let (mut test, at) = map(Edges::Wrap);
    let west = at(&test, -1.0, 0.25);
    click(&mut test, west, PointerButton::Primary);
    let east = at(&test, 1.0, 0.25);
    click(&mut test, east, PointerButton::Primary);
    assert_eq!(pins(&test).len(), 1, "the click is on the same pin");
    click(&mut test, east, PointerButton::Secondary);
    assert_eq!(pins(&test), []);
}

#[test]
fn elsewhere_the_mouse_is_the_cameras() {
    let (mut test, at) = map(Edges::Wrap);
    let middle = at(&test, 0.0, 0.0);
    let outside = test.state().ui.derived.scene_rect.left_top() + vec2(5.0, 5.0);
    click(&mut test, outside, PointerButton::Primary);
    assert_eq!(pins(&test), [], "off the map there is no pin");
    let mut other = scene(&test);
    other.view.render_type = RenderType::Lines;
    test.state_mut().ui.persisted.scene = other.clone();
    test.run_steps(60);
    click(&mut test, middle, PointerButton::Primary);
    assert_eq!(scene(&test), other);
    drag(&mut test, middle, middle + vec2(40.0, 0.0), Modifiers::NONE);
    assert_ne!(scene(&test).camera, other.camera);
    other = scene(&test);
    other.view.render_type = RenderType::Map;
    test.state_mut().ui.persisted.scene = other.clone();
    test.run_steps(60);
    click(&mut test, middle, PointerButton::Primary);
    assert_eq!(scene(&test), other, "it is switched on again by hand only");
}

#[test]
fn the_panel_lists_pins_and_takes_them_away() {
    let mut start = Scene::default();
    let pin = |x, z| Pin { x, z, height: 0.5 };
    start.surface.pins = vec![pin(0.0, 0.0), pin(0.125, 0.0), pin(-0.5, 0.5)];
    let mut test = desk(start.clone());
    // On the lattice of level 2 the first two would be one point.
    let rail = test.get_by_role_and_label(Role::Slider, "Pin level").rect();
    let at = |t: f32| pos2(egui::lerp(rail.left()..=rail.right(), t), rail.center().y);
    drag(&mut test, at(0.43), at(0.0), Modifiers::NONE);
    assert_eq!(scene(&test).surface.pin_level, 3);
    drag(&mut test, at(0.29), at(0.9), Modifiers::NONE);
    assert!(scene(&test).surface.pin_level > 5);
    scene(&test).validate().unwrap();
    undo(&mut test);
    let bin = test.get_all_by_label("✖").next().unwrap().rect().center();
    click(&mut test, bin, PointerButton::Primary);
    assert_eq!(pins(&test), start.surface.pins[1..]);
    let clear = test.get_by_role_and_label(Role::Button, "Clear").rect();
    click(&mut test, clear.center(), PointerButton::Primary);
    assert_eq!(pins(&test), []);
    undo(&mut test);
    assert_eq!(pins(&test).len(), 2);
}

/// A value of the table `surface.reading` as the panel shows it.
fn reading(scene: &Scene, key: &str) -> String {
    let reading = toml::Value::try_from(&scene.surface.reading).unwrap();
    reading[key].as_str().unwrap().to_owned()
}

#[test]
fn image_reading_rows_change_scene_and_reread_image() {
    let mut start = Scene::default();
    start.surface.generator = Generator::Image;
    start.surface.input = Some("land.r32".into());
    let rows = crate::rows::rows(&start);
    let rows = rows.iter().filter(|row| row.place == "surface.reading");
    let rows: Vec<_> = rows.collect();
    assert!(rows.len() >= 6, "{rows:?}");
    for row in rows {
        let mut test = desk(start.clone());
        assert!(test.query_by_label(row.label).is_none(), "{row:?}: folded");
        test.get_by_label("How the image is read").click();
        test.run_steps(30);
        let wanted = reading(&crate::rows::changed(&start, row), row.key);
        let reads_again = |command: &Command| matches!(command, Command::UseInput(Part::Ground, path) if path == Path::new("land.r32"));
        assert!(!test.state().commands.iter().any(reads_again), "{row:?}");
        if test
            .query_by_role_and_label(Role::TextInput, row.label)
            .is_some()
        {
            enter(&mut test, row.label);
            type_text(&mut test, &wanted);
            leave(&mut test);
        } else {
            test.get_by_role_and_label(Role::ComboBox, row.label)
                .click();
            test.run_steps(30);
            test.get_by_label(&wanted).click();
            test.run_steps(30);
        }
        let mut expected = start.clone();
        expected = expected.with(&row.path(), &wanted).unwrap();
        assert_eq!(crate::desk::scene(&test), expected, "{row:?}");
        assert!(test.state().commands.iter().any(reads_again), "{row:?}");
        undo(&mut test);
        let all_undone = (0..20).any(|_| {
            let undone = crate::desk::scene(&test) == start;
            undo(&mut test);
            undone
        });
        assert!(all_undone, "{row:?}");
    }
}

#[test]
fn rows_below_input_image_align_with_the_rest() {
    let mut start = Scene::default();
    start.surface.generator = Generator::Image;
    start.surface.input = Some("land.r32".into());
    let mut test = desk(start);
    test.get_by_label("How the image is read").click();
    test.run_steps(30);
    let end = |role, label| test.get_by_role_and_label(role, label).rect().right();
    let wanted = end(Role::ComboBox, "Size");
    for label in ["Input unit", "Input byte order"] {
        assert_eq!(end(Role::ComboBox, label), wanted, "{label}");
    }
}

#[test]
fn the_window_names_rows_and_not_flags() {
    let mut notices = Notices::default();
    let flags = "--input-unit, --input-range, --input-nodata and --input-order say otherwise";
    notices.warn(flags);
    let rows = "“Input unit”, “Input range”, “Input no data” and “Input byte order” say otherwise";
    assert_eq!(notices.list()[0].text, rows);
    // An empty row is the file's word; `none` is a word of its own.
    let help = help_text(Reading::param("no_data"));
    assert!(help.contains("Default: as the file says."), "{help}");
}
