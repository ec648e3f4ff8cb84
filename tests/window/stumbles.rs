//! What people stumbled over who had never seen the window.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, pos2};
use egui_kittest::kittest::Queryable;

use crate::desk::{Test, click, over_level_ground, scene};
use landform::app::commands::{Action, Compare};
use landform::app::state::document::Side;
use landform::scene::Scene;

fn open() -> Test {
    over_level_ground(Scene::default())
}

fn press(test: &mut Test, key: Key) {
    test.key_press_modifiers(Modifiers::NONE, key);
    test.run_steps(4);
}

fn button(test: &mut Test, label: &str) {
    let at = test.get_by_role_and_label(Role::Button, label).rect();
    click(test, at.center());
    test.run_steps(4);
}

#[test]
fn no_compass_lies_over_a_sheet() {
    let mut test = open();
    test.state_mut().ui.persisted.compass = true;
    test.run_steps(4);
    let is_there = |test: &Test| test.query_all_by_label_contains("Sun: ").next().is_some();
    assert!(is_there(&test));
    for key in [Key::V, Key::P] {
        press(&mut test, key);
        assert!(!is_there(&test), "{key:?}");
        press(&mut test, Key::Escape);
        assert!(is_there(&test), "{key:?}");
    }
}

#[test]
fn pointer_readout_describes_only_the_present_scene() {
    let mut test = open();
    let rect = test.state().ui.derived.scene_rect;
    let [left, right] = [0.4, 0.6].map(|part| pos2(rect.left() + rect.width() * part, 400.0));
    let is_told = |test: &mut Test, at: Pos2| {
        test.event(Event::PointerMoved(at));
        test.run_steps(2);
        test.state().ui.derived.pointed.is_some()
    };
    assert!(is_told(&mut test, left) && is_told(&mut test, right));
    drop(test.state_mut().ui.apply(Action::Compare(Compare::Keep)));
    assert!(!is_told(&mut test, left), "here is A");
    assert!(is_told(&mut test, right));
    for (side, told) in [(Side::A, false), (Side::B, true)] {
        let compared = test.state_mut().ui.transient.compared.as_mut();
        compared.unwrap().side = side;
        for at in [left, right] {
            assert_eq!(is_told(&mut test, at), told, "{side:?} at {at}");
        }
    }
}

#[test]
fn arrow_keys_navigate_open_menus_not_the_land() {
    let mut test = open();
    let before = scene(&test);
    button(&mut test, "View");
    for key in [Key::ArrowDown, Key::ArrowUp, Key::ArrowLeft] {
        press(&mut test, key);
        assert_eq!(scene(&test), before, "{key:?}");
    }
    press(&mut test, Key::Escape);
    press(&mut test, Key::ArrowUp);
    assert_ne!(scene(&test), before);
}

#[test]
fn typed_preset_name_replaces_the_proposed_one() {
    let mut test = open();
    press(&mut test, Key::P);
    button(&mut test, "Save as preset…");
    test.event(Event::Text("Dusk".to_owned()));
    test.run_steps(4);
    let browser = &test.state().ui.transient.browser;
    assert_eq!(browser.keeping.as_ref().unwrap().name, "Dusk");
}

#[test]
fn copying_says_so() {
    let mut test = open();
    test.event(Event::Copy);
    test.run_steps(2);
    let words = "The scene is on the clipboard, as text.";
    assert!(test.query_by_label(words).is_some());
}

#[test]
fn preset_sheet_opens_with_all_presets() {
    let mut test = open();
    let is_there = |test: &Test| {
        let pictures = test.query_all_by_role_and_label(Role::Button, "volcano");
        pictures.count() == 1
    };
    press(&mut test, Key::P);
    test.state_mut().ui.transient.browser.query = "pebble".to_owned();
    test.run_steps(4);
    assert!(!is_there(&test));
    press(&mut test, Key::Escape);
    press(&mut test, Key::P);
    assert!(is_there(&test));
}
