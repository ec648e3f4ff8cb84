//! The sheet of presets and the strip of the last states without a window, and own presets as files.

use std::fs;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::commands::{Action, Command, Own};
use landform::app::files::{Done, FileJob, READING_PRESETS};
use landform::app::own_preset::{OwnPreset, listed, objection};
use landform::app::session::news::note_file;
use landform::app::settings::own_presets::{keep, put_back, read_all, remove};
use landform::app::state::browser::Browser;
use landform::app::state::document::Document;
use landform::app::state::history::{History, difference};
use landform::app::state::notices::Notices;
use landform::import;
use landform::scene::Scene;

use crate::desk::{Test, click, desk, of_scene, scene};
use crate::readable::carried_out;

fn own(name: &str, tags: &[&str], seed: u64) -> OwnPreset {
    let mut scene = Scene::default();
    scene.surface.seed = seed;
    OwnPreset {
        name: name.to_owned(),
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        scene: Arc::new(scene),
    }
}

fn press(test: &mut Test, key: Key) {
    test.key_press_modifiers(Modifiers::NONE, key);
    test.run_steps(3);
}

/// A window with the sheet and these presets of one's own.
fn sheet(own: Vec<OwnPreset>) -> Test {
    let mut test = desk(vec2(1280.0, 720.0), of_scene(Scene::default()), |state| {
        state.transient.browser.own = own;
    });
    press(&mut test, Key::P);
    assert!(test.state().ui.transient.browser.shown);
    assert_eq!(test.state().commands, [Command::ReadPresets]);
    test
}

#[test]
fn words_that_no_preset_has_together_find_some() {
    let mut browser = Browser::default();
    let mut find = |query: &str| {
        query.clone_into(&mut browser.query);
        let found = browser.found();
        let names = found.cards.into_iter().map(|card| card.name);
        (names.collect::<Vec<_>>(), found.in_part)
    };
    let (both, in_part) = find("island river");
    assert!(in_part);
    for name in ["river-valley", "island-noon", "island"] {
        assert!(both.iter().any(|found| found == name), "{name}: {both:?}");
    }
    let (all, in_part) = find("river valley");
    assert!(
        !in_part && all.contains(&"river-valley".to_owned()),
        "{all:?}"
    );
    assert!(!all.contains(&"canyon".to_owned()), "it has one of them");
    assert_eq!(find("zebra xylophone").0, [""; 0]);
}

fn click_on(test: &mut Test, label: &str) {
    let button = test.get_by_role_and_label(Role::Button, label);
    let at = button.rect().center();
    click(test, at);
}

fn is_there(test: &Test, label: &str) -> bool {
    test.query_by_role_and_label(Role::Button, label).is_some()
}

fn write(test: &mut Test, text: &str) {
    test.event(Event::Text(text.to_owned()));
    test.run_steps(3);
}

#[test]
fn click_opens_a_preset_and_undo_reverts_it() {
    let mut test = sheet(vec![own("Dusk", &[], 5)]);
    let before = scene(&test);
    click_on(&mut test, "volcano");
    let volcano = import::presets().iter().find(|p| p.name == "volcano");
    assert_eq!(scene(&test), volcano.unwrap().scene());
    assert!(!test.state().ui.transient.browser.shown, "it is seen");
    let undo = |test: &mut Test| {
        test.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        test.run_steps(3);
    };
    undo(&mut test);
    assert_eq!(scene(&test), before);
    press(&mut test, Key::P);
    click_on(&mut test, "Dusk");
    assert_eq!(scene(&test).surface.seed, 5);
    undo(&mut test);
    assert_eq!(scene(&test), before);
    // Esc closes the sheet and changes nothing.
    press(&mut test, Key::P);
    press(&mut test, Key::Escape);
    assert!(!test.state().ui.transient.browser.shown);
    assert_eq!(scene(&test), before);
}

#[test]
fn presets_are_found_by_name_description_and_tags() {
    let presets = vec![own("Dusk", &["evening", "hills"], 5), own("Ice", &[], 6)];
    let mut browser = Browser::default();
    browser.own = presets;
    let mut found = |query: &str| -> Vec<String> {
        browser.query = query.to_owned();
        let found = browser.found().cards.into_iter();
        found.map(|card| card.name).collect()
    };
    let all = found("");
    assert_eq!(all.len(), 2 + import::presets().len());
    assert_eq!(all[..2], ["Dusk", "Ice"]);
    assert_eq!(found("evening"), ["Dusk"]);
    assert_eq!(found("HILLS even"), ["Dusk"]);
    // In the descriptions of those that come with the program.
    assert_eq!(found("pebble"), ["powers-of-ten"]);
    assert!(found("hills").len() > 3);
    assert!(found("xyzzy").is_empty());
}

#[test]
fn what_is_searched_for_stays_on_the_sheet() {
    let mut test = sheet(vec![own("Dusk", &["evening"], 5)]);
    assert!(is_there(&test, "volcano") && is_there(&test, "Dusk"));
    let search = test.get_by_role_and_label(Role::TextInput, "Search presets");
    let at = search.rect().center();
    click(&mut test, at);
    write(&mut test, "even");
    assert!(!is_there(&test, "volcano") && is_there(&test, "Dusk"));
    write(&mut test, "xyz");
    assert!(!is_there(&test, "Dusk"));
    let words = "No preset matches “evenxyz”.";
    assert!(test.query_by_label(words).is_some());
}

#[test]
fn scene_is_kept_with_a_name_and_tags() {
    let mut test = sheet(vec![own("Dusk", &[], 5)]);
    click_on(&mut test, "Save as preset…");
    let keeping = |test: &Test| test.state().ui.transient.browser.keeping.clone();
    assert!(keeping(&test).is_some());
    // The box for the name has the keyboard.
    test.key_press_modifiers(Modifiers::COMMAND, Key::A);
    write(&mut test, "Dusk");
    assert!(is_there(&test, "Replace"), "there is one of that name");
    write(&mut test, "/");
    assert!(
        test.query_by_label("A name cannot contain / \\ : * ? \" < > |")
            .is_some()
    );
    click_on(&mut test, "Save preset");
    assert!(keeping(&test).is_some(), "that is no name");
    let name = test.get_by_role_and_label(Role::TextInput, "Name");
    let at = name.rect().center();
    click(&mut test, at);
    test.key_press_modifiers(Modifiers::COMMAND, Key::A);
    write(&mut test, "Dawn");
    press(&mut test, Key::Tab);
    write(&mut test, " snow, morning,, snow");
    press(&mut test, Key::Enter);
    assert_eq!(keeping(&test), None);
    let kept = test.state().commands.last().unwrap().clone();
    let Command::KeepPreset(preset, None) = kept else {
        panic!("{kept:?}");
    };
    assert_eq!(preset.name, "Dawn");
    assert_eq!(preset.tags, ["snow", "morning"]);
    assert_eq!(*preset.scene, scene(&test));
}

#[test]
fn own_presets_are_renamed_removed_and_put_back() {
    let mut test = sheet(vec![own("Dusk", &["evening"], 5)]);
    let apply = |test: &mut Test, what: Own| test.state_mut().ui.apply(Action::Own(what));
    assert_eq!(apply(&mut test, Own::BeginToRename("Dusk".into())), None);
    test.run_steps(3);
    assert!(!is_there(&test, "Replace"), "it is itself");
    test.key_press_modifiers(Modifiers::COMMAND, Key::A);
    write(&mut test, "Night");
    click_on(&mut test, "Save preset");
    let renamed = OwnPreset {
        name: "Night".into(),
        ..own("Dusk", &["evening"], 5)
    };
    let expected = Command::KeepPreset(Box::new(renamed), Some("Dusk".into()));
    assert_eq!(test.state().commands.last(), Some(&expected));
    let removed = apply(&mut test, Own::Remove("Dusk".into()));
    assert_eq!(removed, Some(Command::RemovePreset("Dusk".into())));
    // As the window does it.
    test.state_mut().ui.transient.browser.own.clear();
    test.state_mut().ui.transient.browser.removed = Some("Dusk".into());
    test.run_steps(2);
    click_on(&mut test, "Put it back");
    let back = Command::PutPresetBack("Dusk".into());
    assert_eq!(test.state().commands.last(), Some(&back));
}

#[test]
fn own_presets_are_plain_scene_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("presets");
    assert_eq!(read_all(&folder), (vec![], vec![]));
    let presets = [
        own("alpine, again", &["snow", "two words"], 7),
        own("Über den Wolken", &[], 8),
    ];
    for preset in presets.iter().rev() {
        keep(&folder, preset, None).unwrap();
    }
    assert_eq!(read_all(&folder), (presets.to_vec(), vec![]));
    // The command line opens them as any scene.
    let file = folder.join("alpine, again.toml");
    assert_eq!(import::open(&file).unwrap(), *presets[0].scene);
    // A scene that somebody puts there is a preset; what is none is told, and hides no other.
    fs::write(folder.join("put there.toml"), "surface.seed = 9\n").unwrap();
    fs::write(folder.join("broken.toml"), "surface.seed = \n").unwrap();
    fs::write(folder.join("note.txt"), "no scene").unwrap();
    let (found, complaints) = read_all(&folder);
    let names: Vec<_> = found.iter().map(|preset| &preset.name[..]).collect();
    assert_eq!(names, ["alpine, again", "put there", "Über den Wolken"]);
    assert_eq!(complaints.len(), 1);
    assert!(complaints[0].contains("broken.toml"), "{complaints:?}");
    // In place of another.
    let other = own("alpine, again", &[], 10);
    keep(&folder, &other, None).unwrap();
    assert!(read_all(&folder).0.contains(&other));
    remove(&folder, "alpine, again").unwrap();
    assert!(!file.exists());
    assert!(remove(&folder, "alpine, again").is_err());
}

#[test]
fn a_rename_and_a_removal_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let names = || -> Vec<String> {
        let found = read_all(folder).0.into_iter();
        found.map(|preset| preset.name).collect()
    };
    let longest = "😀".repeat(60);
    for name in ["Dusk", "dusk", "DUSK", "Night", &longest] {
        let old = read_all(folder).0.pop().map(|preset| preset.name);
        keep(folder, &own(name, &["evening"], 5), old.as_deref()).unwrap();
        assert_eq!(names(), [name]);
        assert_eq!(read_all(folder).0, [own(name, &["evening"], 5)]);
    }
    // A file that somebody wrote by hand comes back to the last byte.
    let text = "# mine\nsurface.seed = 9 # nine\n";
    fs::write(folder.join("by hand.toml"), text).unwrap();
    remove(folder, "by hand").unwrap();
    assert_eq!(names(), [&longest[..]]);
    put_back(folder, "by hand").unwrap();
    assert_eq!(
        fs::read_to_string(folder.join("by hand.toml")).unwrap(),
        text
    );
    // Another that took its place stays.
    remove(folder, "by hand").unwrap();
    keep(folder, &own("by hand", &[], 3), None).unwrap();
    assert!(put_back(folder, "by hand").is_err());
    assert!(read_all(folder).0.contains(&own("by hand", &[], 3)));
}

#[test]
fn untyped_preset_name_replaces_no_other() {
    let mut browser = Browser::default();
    browser.begin_keeping("alpine", &Scene::default());
    browser.take_own(vec![own("Alpine", &[], 1), own("alpine 2", &[], 2)]);
    let name = |browser: &Browser| browser.keeping.as_ref().unwrap().name.clone();
    assert_eq!(name(&browser), "alpine 3");
    // One that was typed stays.
    let keeping = browser.keeping.as_mut().unwrap();
    (keeping.asks, keeping.name) = (false, "ALPINE".into());
    browser.take_own(vec![own("Alpine", &[], 1)]);
    assert_eq!(name(&browser), "ALPINE");
    assert!(browser.keeping.as_ref().unwrap().replaces(&browser.own));
}

#[test]
fn names_that_are_no_files_everywhere_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(61);
    for name in [
        "", " ", "a/b", "..", ".hidden", "a:b", "con", "Lpt1.x", "x\ny", " x", "x.", &long,
    ] {
        assert!(objection(name).is_some(), "{name:?}");
        assert!(keep(folder.path(), &own(name, &[], 1), None).is_err());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    for name in [
        "Old hills",
        "Console",
        "com",
        "山",
        "a.b",
        "O'Brien & Co (2)",
    ] {
        assert_eq!(objection(name), None, "{name}");
    }
    assert_eq!(listed(" a b ,, c,a b"), ["a b", "c"]);
}

fn of_seed(seed: u64) -> Scene {
    let mut scene = Scene::default();
    scene.surface.seed = seed;
    scene
}

#[test]
fn state_jumps_are_reversible_by_undo_and_redo() {
    let mut scene = of_seed(0);
    let mut document = Document::default();
    let mut history = History::new(scene.clone().into());
    for seed in 1..=80 {
        scene = of_seed(seed);
        history.commit(&scene);
    }
    let seeds = |history: &History, most: usize| {
        let (states, now) = history.states(most);
        let seeds = states.iter().map(|state| state.scene.surface.seed);
        (seeds.collect::<Vec<_>>(), now)
    };
    assert_eq!(seeds(&history, 50), ((31..=80).collect(), 49));
    assert_eq!(seeds(&history, 100), ((0..=80).collect(), 80));
    let (states, _) = history.states(50);
    assert!(
        states[1].what.to_lowercase().contains("seed"),
        "{:?}",
        states[1].what
    );
    history.go_to(&states[10].scene, &mut scene, &mut document);
    assert_eq!(scene, of_seed(41));
    // What was undone is there, and can be gone to.
    assert_eq!(seeds(&history, 50), ((31..=80).collect(), 10));
    history.go_to(&states[40].scene, &mut scene, &mut document);
    assert_eq!(scene, of_seed(71));
    history.undo(&mut scene, &mut document);
    assert_eq!(scene, of_seed(70));
    // The state itself, and one that is no more, lead nowhere.
    let (states, now) = history.states(50);
    history.go_to(&states[now].scene, &mut scene, &mut document);
    history.go_to(&Arc::new(of_seed(3)), &mut scene, &mut document);
    assert_eq!(scene, of_seed(70));
    // An edit under way is a step of its own, after which nothing is left to be done again.
    scene = of_seed(500);
    history.go_to(&states[now - 1].scene, &mut scene, &mut document);
    assert_eq!(scene, of_seed(69));
    assert_eq!(seeds(&history, 3), (vec![69, 70, 500], 0));
}

#[test]
fn strip_previews_hovered_states_and_clicks_open_them() {
    let mut test = desk(vec2(1280.0, 720.0), of_scene(of_seed(1)), |_| ());
    for seed in [2, 3] {
        test.state_mut().ui.persisted.scene = of_seed(seed);
        test.run_steps(3);
    }
    press(&mut test, Key::H);
    let at = |test: &Test, label: &str| {
        let button = test.get_by_role_and_label(Role::Button, label);
        button.rect().center()
    };
    let looked_at = |test: &Test| test.state().ui.transient.strip.looked_at.clone();
    let first = at(&test, "State 1");
    test.event(Event::PointerMoved(first));
    test.run_steps(3);
    assert_eq!(looked_at(&test).as_deref(), Some(&of_seed(1)));
    // Its picture is the most urgent, and as large as the scene.
    let wanted = test.state().ui.transient.gallery.wanted()[0].clone();
    let rect = test.state().ui.derived.scene_rect;
    assert_eq!(*wanted.scene, of_seed(1));
    assert_eq!(wanted.size, (rect.width() as u32, rect.height() as u32));
    assert_eq!(scene(&test), of_seed(3), "it is only shown");
    click(&mut test, first);
    assert_eq!(scene(&test), of_seed(1));
    assert_eq!(at(&test, "The scene now"), first);
    assert_eq!(looked_at(&test), None);
    let third = at(&test, "State 3");
    click(&mut test, third);
    assert_eq!(scene(&test), of_seed(3));
    test.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    test.run_steps(3);
    assert_eq!(scene(&test), of_seed(2));
    press(&mut test, Key::H);
    assert!(!is_there(&test, "State 1"));
    assert!(test.state().ui.transient.gallery.wanted().is_empty());
}

#[test]
fn a_step_is_called_by_what_it_changed() {
    let before = Scene::default();
    let told = |change: fn(&mut Scene)| {
        let mut after = before.clone();
        change(&mut after);
        difference(&before, &after)
    };
    assert_eq!(told(|scene| scene.surface.seed = 5), "Seed");
    let moved = |scene: &mut Scene| (scene.camera.pitch, scene.camera.bearing) = (5.0, 6.0);
    assert_eq!(told(moved), "camera");
    let two = |scene: &mut Scene| (scene.surface.seed, scene.surface.hurst) = (5, 0.25);
    assert_eq!(told(two), "H, Seed");
    let three = |scene: &mut Scene| {
        (scene.surface.seed, scene.surface.hurst) = (5, 0.25);
        scene.view.tile = 7;
    };
    assert_eq!(told(three), "H and 2 more");
    // Of some little differs from the defaults.
    let mut named = 0;
    for preset in import::presets() {
        let scene = preset.scene();
        if before.differences(&scene).len() > 2 {
            assert_eq!(difference(&before, &scene), preset.name);
            named += 1;
        }
    }
    assert!(named > 40, "{named}");
}

#[cfg(unix)]
#[test]
fn only_plain_files_of_usual_length_are_presets() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    keep(folder.path(), &own("Dusk", &[], 5), None).unwrap();
    let pipe = std::process::Command::new("mkfifo")
        .arg(at("pipe.toml"))
        .status();
    assert!(pipe.unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", at("zero.toml")).unwrap();
    fs::create_dir(at("folder.toml")).unwrap();
    // Eight gigabytes that take no room.
    let long = fs::File::create(at("long.toml")).unwrap();
    long.set_len(8 << 30).unwrap();
    let Done::Presets(found, complaints) =
        carried_out(FileJob::ReadPresets(folder.path().to_owned()))
    else {
        panic!("no presets");
    };
    assert_eq!(found, [own("Dusk", &[], 5)]);
    for name in ["folder", "long", "pipe", "zero"] {
        let is_told = |line: &String| line.ends_with(&format!("{name}.toml"));
        assert!(complaints.iter().any(is_told), "{name}: {complaints:?}");
    }
}

#[test]
fn files_that_are_no_presets_are_told() {
    let mut notices = Notices::default();
    let complaints = vec!["cannot read: it is no file: a".to_owned(), "b".to_owned()];
    note_file(
        &mut notices,
        READING_PRESETS,
        &Done::Presets(Vec::new(), complaints),
    );
    let words = "this preset cannot be shown: cannot read: it is no file: a (and 1 more)";
    assert_eq!(notices.list()[0].text, words);
    note_file(
        &mut notices,
        READING_PRESETS,
        &Done::Presets(Vec::new(), Vec::new()),
    );
    assert!(notices.list().is_empty());
}
