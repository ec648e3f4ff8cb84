//! The sheet of variations without a window.

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use landform::app::commands::{Action, Command};
use landform::app::state::variations::Varying;
use landform::scene::Scene;
use landform::vary::on_sheet;

use crate::desk::{Test, click, click_with, desk, of_scene, scene};

fn sheet_of(size: (f32, f32), scene: Scene) -> Test {
    let mut test = desk(vec2(size.0, size.1), of_scene(scene), |_| ());
    press(&mut test, Modifiers::NONE, Key::V);
    assert!(test.state().ui.transient.variations.shown);
    test
}

fn sheet() -> Test {
    sheet_of((1280.0, 720.0), Scene::default())
}

fn press(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(3);
}

fn at(test: &Test, label: &str) -> Pos2 {
    test.get_by_role_and_label(Role::Button, label)
        .rect()
        .center()
}

fn click_on(test: &mut Test, label: &str) {
    let at = at(test, label);
    click(test, at);
}

fn shift_click(test: &mut Test, at: Pos2) {
    click_with(test, at, PointerButton::Primary, Modifiers::SHIFT);
}

/// The variation of that number on the first sheet, as the command line has it.
fn variation(of: &Scene, number: u32) -> Scene {
    of_set(0, of, number)
}

/// The same of the sheet after so many were taken over.
fn of_set(set: u64, of: &Scene, number: u32) -> Scene {
    Varying::default().vary(set).variation(of, number)
}

#[test]
fn click_adopts_a_variation_as_one_undo_step() {
    let mut test = sheet();
    let before = scene(&test);
    click_on(&mut test, "Variation 3");
    let taken = scene(&test);
    assert_eq!(taken, variation(&before, 3));
    assert_ne!(taken, before);
    // The sheet varies around it now.
    let own = test.state().ui.transient.variations.own().unwrap();
    assert_eq!(*own.scene, taken);
    click_on(&mut test, "Variation 3");
    let next = scene(&test);
    assert_eq!(next, of_set(1, &taken, 3));
    assert_ne!(next, taken, "others than before");
    for expected in [&taken, &before] {
        press(&mut test, Modifiers::COMMAND, Key::Z);
        assert_eq!(scene(&test), *expected);
    }
    // A click on the scene itself goes back to it.
    click_on(&mut test, "The scene itself");
    assert!(!test.state().ui.transient.variations.shown);
    assert_eq!(scene(&test), before);
}

#[test]
fn a_shift_click_opens_a_variation_beside() {
    let mut test = sheet();
    let before = scene(&test);
    let there = at(&test, "Variation 5");
    shift_click(&mut test, there);
    let expected = Command::OpenBeside(Box::new(variation(&before, 5)));
    assert_eq!(test.state().commands, [expected]);
    assert_eq!(scene(&test), before);
    assert!(test.state().ui.transient.variations.shown);
}

#[test]
fn the_family_tree_leads_back() {
    let mut test = sheet();
    let first = scene(&test);
    assert!(test.query_by_label("Ancestor 1").is_none(), "no family yet");
    click_on(&mut test, "Variation 2");
    let second = scene(&test);
    click_on(&mut test, "Variation 7");
    let third = scene(&test);
    click_on(&mut test, "Ancestor 1");
    assert_eq!(scene(&test), first);
    click_on(&mut test, "Variation 6");
    let other = scene(&test);
    let places = test.state().ui.transient.variations.family.placed();
    let places: Vec<_> = places
        .iter()
        .map(|one| ((*one.scene).clone(), one.column, one.row))
        .collect();
    let expected = [(first, 0, 0), (second, 1, 0), (third, 2, 0), (other, 1, 1)];
    assert!(places == expected, "a branch of its own");
    press(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), expected[0].0, "going back can be undone");
    // Another document has another family.
    let ui = &mut test.state_mut().ui;
    let paste = Action::Paste("surface.seed = 5".to_owned());
    assert_eq!(ui.apply(paste), None);
    ui.transient.dialogs.unsaved = None;
    let load = Action::Load(Box::default());
    ui.persisted.document.baseline = ui.persisted.scene.clone();
    ui.apply(load);
    assert!(ui.transient.variations.family.placed().is_empty());
}

#[test]
fn keys_go_from_variation_to_variation() {
    let mut test = sheet();
    let before = scene(&test);
    // From the middle to the right, and down: the last of nine.
    press(&mut test, Modifiers::NONE, Key::ArrowRight);
    press(&mut test, Modifiers::NONE, Key::ArrowDown);
    press(&mut test, Modifiers::NONE, Key::ArrowDown);
    assert_eq!(scene(&test), before, "the camera stays");
    press(&mut test, Modifiers::NONE, Key::Enter);
    assert_eq!(scene(&test), variation(&before, 8));
    press(&mut test, Modifiers::NONE, Key::ArrowUp);
    press(&mut test, Modifiers::NONE, Key::ArrowLeft);
    press(&mut test, Modifiers::SHIFT, Key::Enter);
    let expected = Command::OpenBeside(Box::new(scene(&test)));
    assert_eq!(test.state().commands, [expected]);
    press(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!test.state().ui.transient.variations.shown);
}

#[test]
fn a_flight_waits_until_the_sheet_is_closed() {
    let mut test = sheet();
    press(&mut test, Modifiers::NONE, Key::Num2);
    let before = scene(&test);
    press(&mut test, Modifiers::NONE, Key::W);
    test.run_steps(30);
    assert_eq!(scene(&test), before);
}

#[test]
fn tables_and_settings_choose_which_values_vary() {
    let mut test = sheet();
    let varying = |test: &Test| test.state().ui.persisted.varying.clone();
    assert_eq!(varying(&test).names, ["seeds"]);
    let slider = test.get_by_role_and_label(Role::Slider, "Strength");
    assert!(
        slider.accesskit_node().is_disabled(),
        "seeds have no strength"
    );
    // The panel has a section of that name, farther right.
    let light = test.get_all_by_role_and_label(Role::Button, "Light");
    let left = |node: &egui_kittest::Node<'_>| node.rect().left();
    let light = light.min_by(|a, b| left(a).total_cmp(&left(b))).unwrap();
    light.click();
    test.run_steps(3);
    assert_eq!(varying(&test).names, ["seeds", "light"]);
    let slider = test.get_by_role_and_label(Role::Slider, "Strength");
    assert!(!slider.accesskit_node().is_disabled());
    // One setting of the table stays.
    test.get_by_label_contains("settings ⏷").click();
    test.run_steps(3);
    // The panel has one as well, farther right.
    let search = test.get_all_by_role(Role::TextInput);
    let search = search.min_by(|a, b| left(a).total_cmp(&left(b))).unwrap();
    search.focus();
    search.type_text("elev");
    test.run_steps(3);
    let rows = |test: &Test| {
        test.query_all_by_role_and_label(Role::CheckBox, "Sun elevation")
            .count()
    };
    assert_eq!(rows(&test), 1);
    assert!(test.query_by_role_and_label(Role::CheckBox, "H").is_none());
    test.get_by_role_and_label(Role::CheckBox, "Sun elevation")
        .click();
    test.run_steps(3);
    assert_eq!(varying(&test).locks, ["light.elevation"]);
    let own = scene(&test);
    let cells = test.state().ui.transient.variations.cells().to_vec();
    for cell in cells.iter().filter(|cell| cell.number > 0) {
        assert_eq!(cell.scene.light.elevation, own.light.elevation);
        assert_ne!(cell.scene.light.bearing, own.light.bearing);
        assert_ne!(cell.scene.surface.seed, own.surface.seed);
    }
    test.get_by_role_and_label(Role::CheckBox, "Sun elevation")
        .click();
    test.run_steps(3);
    assert_eq!(varying(&test).locks, [""; 0]);
}

#[test]
fn other_variations_and_other_sizes() {
    let mut test = sheet();
    let before: Vec<_> = test.state().ui.transient.variations.cells().to_vec();
    click_on(&mut test, "Others");
    let after = test.state().ui.transient.variations.cells().to_vec();
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(before.number, after.number);
        assert_eq!(before.scene == after.scene, before.number == 0);
    }
    for side in [4, 5, 6, 99] {
        test.state_mut().ui.persisted.varying.side = side;
        test.run_steps(3);
        let side = side.min(6);
        let cells = test.state().ui.transient.variations.cells();
        let numbers: Vec<u32> = cells.iter().map(|cell| cell.number).collect();
        assert_eq!(numbers, on_sheet(side, side));
        let last = format!("Variation {}", side * side - 1);
        assert!(test.query_by_label(&last).is_some());
        assert!(test.get_all_by_role(Role::Button).count() > side * side);
    }
}

#[test]
fn pictures_are_wanted_while_the_sheet_is_shown() {
    for (size, scale) in [
        ((1280.0, 720.0), 1.0),
        ((420.0, 300.0), 1.0),
        ((1280.0, 720.0), 2.0),
    ] {
        let mut test = sheet_of(size, Scene::default());
        test.set_pixels_per_point(scale);
        test.run_steps(3);
        let gallery = &test.state().ui.transient.gallery;
        let own = scene(&test);
        assert_eq!(gallery.wanted().len(), 9, "{size:?}");
        assert_eq!(gallery.missing(), 9);
        assert_eq!(
            *gallery.wanted()[0].scene,
            own,
            "the scene itself comes first"
        );
        // They are as large as they are shown, and all fit into the window.
        for (wanted, label) in gallery
            .wanted()
            .iter()
            .zip(["The scene itself", "Variation 1"])
        {
            let rect = test.get_by_role_and_label(Role::Button, label).rect();
            let shown = (rect.width().round() as u32, rect.height().round() as u32);
            assert_eq!(wanted.size, shown, "{label}");
            assert!(shown.0 > 40 && shown.1 > 20, "{shown:?}");
        }
        let last = test
            .get_by_role_and_label(Role::Button, "Variation 8")
            .rect();
        assert!(last.max.x <= size.0 && last.max.y <= size.1, "{last:?}");
        press(&mut test, Modifiers::NONE, Key::V);
        assert_eq!(test.state().ui.transient.gallery.wanted(), []);
    }
}
