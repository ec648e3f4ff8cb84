//! Keys while something is typed or about to be, and while a sheet covers the scene.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::desk::{Test, over_level_ground, scene};
use landform::app::commands::Command;
use landform::app::shortcuts;
use landform::scene::Scene;

fn press(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(4);
}

/// The events of a text that is typed.
fn typed(text: &str) -> Vec<Event> {
    let events = text.chars().flat_map(|letter| {
        let name = match letter {
            '/' => "Slash".to_owned(),
            letter => letter.to_uppercase().to_string(),
        };
        let key = |pressed| {
            let key = Key::from_name(&name)?;
            Some(key_event(Modifiers::NONE, key, pressed))
        };
        let text = Event::Text(letter.to_string());
        [key(true), Some(text), key(false)].into_iter().flatten()
    });
    events.collect()
}

fn key_event(modifiers: Modifiers, key: Key, pressed: bool) -> Event {
    Event::Key {
        key,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers,
    }
}

/// Press and release of a key.
fn tapped(modifiers: Modifiers, key: Key) -> Vec<Event> {
    let tap = [true, false].map(|pressed| key_event(modifiers, key, pressed));
    tap.to_vec()
}

/// One frame in which all of that happens, and some after it.
fn in_one_frame(test: &mut Test, events: Vec<Event>) {
    test.input_mut().events.extend(events);
    test.run_steps(40);
}

/// A frame for each of the keys, with the letter that it writes.
fn one_by_one(test: &mut Test, events: Vec<Event>) {
    for event in events {
        let writes = matches!(event, Event::Key { pressed: true, key, .. } if key != Key::Enter);
        test.input_mut().events.push(event);
        if !writes {
            test.step();
        }
    }
    test.run_steps(10);
}

/// Types the key that opens the presets, and a word.
fn look_for_a_river(how: fn(&mut Test, Vec<Event>)) {
    let mut test = over_level_ground(Scene::default());
    let before = scene(&test);
    how(&mut test, typed("priver"));
    let transient = &test.state().ui.transient;
    assert!(transient.browser.shown && !transient.variations.shown);
    assert_eq!(transient.browser.query, "river");
    assert_eq!(scene(&test), before);
}

#[test]
fn a_word_on_the_presets_is_looked_for() {
    look_for_a_river(one_by_one);
}

#[test]
fn a_word_may_come_with_its_key() {
    look_for_a_river(in_one_frame);
}

#[test]
fn a_setting_may_be_typed_with_its_key() {
    let mut test = over_level_ground(Scene::default());
    let before = scene(&test);
    let find = Event::Key {
        key: Key::F,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::COMMAND,
    };
    let events = [vec![find], typed("river")].concat();
    in_one_frame(&mut test, events);
    assert_eq!(test.state().ui.transient.filter.query, "river");
    assert_eq!(scene(&test), before);
}

#[test]
fn what_varies_is_looked_for_at_once() {
    let mut test = over_level_ground(Scene::default());
    press(&mut test, Modifiers::NONE, Key::V);
    test.get_by_label_contains("⏷").click();
    test.run_steps(4);
    one_by_one(&mut test, typed("river"));
    let transient = &test.state().ui.transient;
    assert!(transient.variations.shown);
    assert_eq!(transient.variations.search, "river");
}

#[test]
fn keys_leave_a_covered_scene_alone() {
    for sheet in [Key::V, Key::P] {
        for (modifiers, key, action) in shortcuts::all().filter(|(with, ..)| !with.command) {
            let mut test = over_level_ground(Scene::default());
            press(&mut test, Modifiers::NONE, sheet);
            test.ctx.memory_mut(|memory| memory.stop_text_input());
            let before = scene(&test);
            press(&mut test, *modifiers, *key);
            let ui = &test.state().ui;
            let words = format!("{action:?} on the sheet of {sheet:?}");
            assert_eq!(ui.persisted.scene, before, "{words}");
            assert!(ui.transient.compared.is_none(), "{words}");
            assert!(!ui.transient.tool.picks_watershed(&before), "{words}");
            assert!(!ui.transient.timeline.is_playing(), "{words}");
        }
    }
}

#[test]
fn arrows_leave_a_covered_scene_alone() {
    let mut test = over_level_ground(Scene::default());
    for sheet in [Key::V, Key::P] {
        press(&mut test, Modifiers::NONE, sheet);
        let before = scene(&test);
        for key in [Key::ArrowUp, Key::ArrowLeft, Key::W, Key::D, Key::E] {
            press(&mut test, Modifiers::NONE, key);
            assert_eq!(scene(&test), before, "{key:?} on the sheet of {sheet:?}");
        }
    }
}

#[test]
fn scene_keys_are_ignored_in_the_name_dialog() {
    let mut test = over_level_ground(Scene::default());
    let kept = scene(&test);
    let browser = &mut test.state_mut().ui.transient.browser;
    browser.begin_keeping("dusk", &kept);
    test.run_steps(4);
    test.ctx.memory_mut(|memory| memory.stop_text_input());
    for key in [Key::R, Key::V, Key::Num2] {
        press(&mut test, Modifiers::NONE, key);
    }
    assert_eq!(scene(&test), kept);
    assert!(!test.state().ui.transient.covers_scene());
}

/// Name and tags of a preset, typed over what is there, all keys in one frame: that in which the dialog
/// opens, the next one, or a later one.
#[test]
fn a_name_and_tags_are_typed_however_quickly() {
    let events = [
        tapped(Modifiers::COMMAND, Key::A),
        typed("flatland"),
        tapped(Modifiers::NONE, Key::Tab),
        typed("plain"),
        tapped(Modifiers::SHIFT, Key::Tab),
        tapped(Modifiers::COMMAND, Key::A),
        typed("wetland"),
        tapped(Modifiers::NONE, Key::Enter),
    ];
    for steps in [0, 1, 4] {
        let mut test = over_level_ground(Scene::default());
        let kept = scene(&test);
        test.state_mut()
            .ui
            .transient
            .browser
            .begin_keeping("dusk", &kept);
        test.run_steps(steps);
        in_one_frame(&mut test, events.concat());
        let browser = &test.state().ui.transient.browser;
        let commands = &test.state().commands;
        assert!(browser.keeping.is_none(), "{steps}");
        assert!(
            matches!(&commands[..], [Command::KeepPreset(own, _)] if own.name == "wetland" && own.tags == ["plain"]),
            "{steps}: {commands:?}"
        );
    }
}

#[test]
fn an_arrow_after_a_shortcut_moves_the_slider_not_the_focus() {
    let mut test = over_level_ground(Scene::default());
    test.state_mut().ui.persisted.document.file = Some("/a/hill.toml".into());
    let slider = |test: &Test| test.get_by_role_and_label(Role::Slider, "H").is_focused();
    test.get_by_role_and_label(Role::Slider, "H").focus();
    test.run_steps(4);
    let before = scene(&test).surface.hurst;
    let keys = [
        tapped(Modifiers::COMMAND, Key::S),
        tapped(Modifiers::NONE, Key::ArrowRight),
    ];
    in_one_frame(&mut test, keys.concat());
    assert!(scene(&test).surface.hurst > before);
    assert!(slider(&test));
}

#[test]
fn f1_and_saving_work_while_typing_text() {
    let mut test = over_level_ground(Scene::default());
    press(&mut test, Modifiers::NONE, Key::P);
    assert!(test.ctx.wants_keyboard_input());
    press(&mut test, Modifiers::NONE, Key::F1);
    assert!(test.state().ui.transient.dialogs.keys);
    press(&mut test, Modifiers::COMMAND, Key::S);
    assert!(test.state().ui.transient.dialogs.file.is_some());
}

/// A file dialog in which a path is typed, with all keys in `how` many frames.
fn open_path(how: fn(&mut Test, Vec<Event>), path: &Path) -> Test {
    let mut test = over_level_ground(Scene::default());
    press(&mut test, Modifiers::COMMAND, Key::O);
    // The folder is read by another thread.
    test.run_steps(10);
    let mut events = typed(path.to_str().unwrap());
    events.extend(tapped(Modifiers::NONE, Key::Enter));
    how(&mut test, events);
    test
}

#[test]
fn path_opens_however_quickly_it_is_typed() {
    let folder = tempfile::Builder::new().prefix("land").tempdir().unwrap();
    let file = folder.path().canonicalize().unwrap().join("valley.toml");
    std::fs::write(&file, Scene::default().to_toml()).unwrap();
    for how in [one_by_one, in_one_frame] {
        let test = open_path(how, &file);
        assert_eq!(test.state().commands, [Command::Open(file.clone())]);
    }
}

#[test]
fn the_file_dialog_names_what_is_missing() {
    let folder = tempfile::Builder::new().prefix("land").tempdir().unwrap();
    let file = folder.path().canonicalize().unwrap().join("none.toml");
    let mut test = open_path(in_one_frame, &file);
    let words = format!("there is no such file or folder: {}", file.display());
    // The folder is read by another thread.
    let is_said = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(5));
        test.run_steps(1);
        let nodes = test.root().children_recursive();
        let mut texts = nodes.filter_map(|node| node.accesskit_node().value());
        texts.any(|text| text.contains(&words))
    });
    assert!(is_said);
}
