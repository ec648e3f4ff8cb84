//! The palette editor, and the palettes of the user's own.

use super::*;

use landform::app::settings::own_palettes;
use landform::app::state::palettes::PaletteEditor;
use landform::scene::palette::{Palette, Stop};

/// A window with the editor open over the usual palette.
fn editing() -> Test {
    let mut scene = Scene::default();
    scene.view.palette = "alpine".to_owned();
    let mut test = desk(vec2(1280.0, 900.0), scene);
    let base = Palette::named("alpine").unwrap().clone();
    let ui = &mut test.state_mut().ui;
    let editor = PaletteEditor::new(&ui.persisted.scene, base);
    ui.transient.palettes.editor = Some(editor);
    test.run_steps(5);
    test
}

fn stops(test: &Test) -> Vec<Stop> {
    let palette = scene(test).palette;
    palette.map_or_else(
        || Palette::named("alpine").unwrap().stops.clone(),
        |p| p.stops,
    )
}

fn handle(test: &Test, number: usize) -> Rect {
    rect(test, Role::RadioButton, &format!("Stop {number}"))
}

fn click(test: &mut Test, label: &str) {
    test.get_by_role_and_label(Role::Button, label).click();
    test.run_steps(5);
}

/// A palette of two colours.
fn two(name: &str) -> Palette {
    let text = format!(
        "name = \"{name}\"\nstops = [{{ at = 0, color = [1, 0, 0] }}, {{ at = 1, color = [0, 0, 1] }}]"
    );
    Palette::parse(&text).unwrap()
}

#[test]
fn button_asks_for_the_editor() {
    let mut test = desk(TALL, Scene::default());
    click(&mut test, "✏");
    assert!(test.state().commands.contains(&Command::EditPalette));
}

#[test]
fn open_editor_changes_nothing() {
    let test = editing();
    assert_eq!(scene(&test).palette, None);
    assert_eq!(test.state().ui.transient.history.undo_what(), None);
}

#[test]
fn dragged_stop_is_one_step_of_undo() {
    let mut test = editing();
    let before = stops(&test);
    let from = handle(&test, 2).center();
    check_one_step(&mut test, "a dragged stop", |test| {
        let points: Vec<_> = (0..8).map(|i| from + vec2(i as f32 * 3.0, 0.0)).collect();
        drag(test, &points);
        let after = stops(test);
        assert_eq!(after.len(), before.len());
        assert!(after[1].at > before[1].at && after[1].at <= after[2].at);
        assert_eq!(after[1].color, before[1].color);
        // What is not edited stays: snow, steep faces and covers.
        let (palette, base) = (
            scene(test).palette.unwrap(),
            Palette::named("alpine").unwrap(),
        );
        assert_eq!((&palette.snow, &palette.covers), (&base.snow, &base.covers));
    });
    assert_eq!(
        test.state().ui.transient.history.redo_what(),
        Some("Palette")
    );
}

#[test]
fn stops_never_pass_their_neighbours() {
    let mut test = editing();
    let from = handle(&test, 2).center();
    drag(
        &mut test,
        &[from, from + vec2(150.0, 0.0), from + vec2(299.0, 0.0)],
    );
    let after = stops(&test);
    assert_eq!(after[1].at, after[2].at);
    scene(&test).validate().unwrap();
}

#[test]
fn double_click_adds_a_stop_there() {
    let mut test = editing();
    let before = stops(&test);
    let ramp = rect(&test, Role::Image, "Ramp");
    let at = pos2(ramp.left() + 0.5 * ramp.width(), ramp.center().y);
    for pressed in [true, false, true, false] {
        press(&mut test, at, pressed);
        test.run_steps(1);
    }
    test.run_steps(5);
    let after = stops(&test);
    assert_eq!(after.len(), before.len() + 1);
    let added = after.iter().find(|stop| !before.contains(stop)).unwrap();
    assert!((added.at - 0.5).abs() < 0.01, "{}", added.at);
    // It has the colour that was there, so the ramp is still the same.
    let (old, new) = (
        Palette::named("alpine").unwrap(),
        scene(&test).palette.unwrap(),
    );
    for i in 0..=20 {
        let (a, b) = (old.color(i as f32 / 20.0), new.color(i as f32 / 20.0));
        assert!(a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1.0e-3), "{i}");
    }
}

#[test]
fn stops_are_added_and_removed_by_buttons() {
    let mut test = editing();
    let count = stops(&test).len();
    click(&mut test, "Add stop");
    assert_eq!(stops(&test).len(), count + 1);
    for _ in 0..count {
        click(&mut test, "Remove stop");
    }
    assert_eq!(stops(&test).len(), 1);
    assert!(
        test.get_by_label("Remove stop")
            .accesskit_node()
            .is_disabled()
    );
}

#[test]
fn another_palette_ends_the_edit() {
    let mut test = editing();
    click(&mut test, "Add stop");
    let ui = &mut test.state_mut().ui;
    ui.persisted.scene.palette = None;
    ui.persisted.scene.view.palette = "desert".to_owned();
    test.run_steps(3);
    let editor = test.state().ui.transient.palettes.editor.clone().unwrap();
    assert_eq!(editor.base.name, "desert");
    assert_eq!(scene(&test).palette, None);
}

#[test]
fn palette_is_saved_under_a_name_of_its_own() {
    let mut test = editing();
    click(&mut test, "Save as your own");
    let saved = test
        .state()
        .commands
        .iter()
        .find_map(|command| match command {
            Command::KeepPalette(palette) => Some(palette.clone()),
            _ => None,
        });
    assert_eq!(saved.unwrap().name, "alpine 2");
    test.state_mut().ui.persisted.scene.palette = Some(two("alpine"));
    test.run_steps(3);
    let button = test.get_by_label("Save as your own");
    assert!(button.accesskit_node().is_disabled());
    assert!(
        test.query_by_label("A built-in palette has this name.")
            .is_some()
    );
}

#[test]
fn own_palettes_are_chosen_from_the_list() {
    let mut test = desk(TALL, Scene::default());
    test.state_mut().ui.transient.palettes.own = vec![two("mine")];
    test.run_steps(3);
    test.get_by_role_and_label(Role::ComboBox, "Palette")
        .click();
    test.run_steps(5);
    test.get_by_label("mine").click();
    test.run_steps(5);
    assert_eq!(scene(&test).palette, Some(two("mine")));
    test.get_by_role_and_label(Role::ComboBox, "Palette")
        .click();
    test.run_steps(5);
    test.get_by_label("desert").click();
    test.run_steps(5);
    assert_eq!(scene(&test).palette, None);
    assert_eq!(scene(&test).view.palette, "desert");
}

#[test]
fn own_palettes_are_files_of_their_name() {
    let home = tempfile::tempdir().unwrap();
    let folder = own_palettes::folder(home.path());
    assert_eq!(own_palettes::read_all(&folder), (vec![], vec![]));
    for name in ["Zinc", "ash 2"] {
        own_palettes::keep(&folder, &two(name)).unwrap();
    }
    own_palettes::keep(&folder, &two("ash 2")).unwrap();
    let (own, complaints) = own_palettes::read_all(&folder);
    assert_eq!(own, [two("ash 2"), two("Zinc")]);
    assert!(complaints.is_empty());
    own_palettes::remove(&folder, "Zinc").unwrap();
    assert_eq!(own_palettes::read_all(&folder).0, [two("ash 2")]);
    for name in ["", "a/b", "alpine"] {
        assert!(own_palettes::keep(&folder, &two(name)).is_err(), "{name}");
    }
    fs::write(folder.join("bad.toml"), "stops = []").unwrap();
    let (own, complaints) = own_palettes::read_all(&folder);
    assert_eq!((own.len(), complaints.len()), (1, 1));
}

#[test]
fn scene_with_its_own_palette_reads_no_palette_file() {
    let mut scene = Scene::default();
    scene.view.palette = "missing/palette.toml".to_owned();
    assert!(landform::import::inputs(&scene).is_err());
    scene.palette = Some(two("mine"));
    let inputs = landform::import::inputs(&scene).unwrap();
    assert_eq!(*inputs.palette_of(&scene).unwrap(), two("mine"));
    assert!(landform::import::reads(&scene).is_empty());
}
