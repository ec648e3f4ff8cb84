//! Settings that are searched for, and those that were changed.

use super::*;

use landform::layer::Layer;

use crate::rows::rows;

/// Types into the box for searching, in place of what was there.
fn find(test: &mut Test, words: &str) {
    key(test, Modifiers::COMMAND, Key::F);
    test.event(Event::Text(words.to_owned()));
    test.run_steps(4);
}

fn labels(test: &Test) -> Vec<String> {
    let nodes = test.root().children_recursive();
    let texts = nodes.flat_map(|node| {
        let node = node.accesskit_node();
        // What is only a text is its value.
        let text = (node.role() == Role::Label).then(|| node.value()).flatten();
        [node.label(), text]
    });
    texts.flatten().map(|text| text.to_string()).collect()
}

fn is_seen(test: &Test, label: &str) -> bool {
    labels(test).iter().any(|other| other == label)
}

fn panel() -> Test {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene.layers = vec![Layer::default()];
    scene.modifiers = vec![Modifier::new(ModifierKind::Blur)];
    desk(TALL, scene)
}

#[test]
fn panel_rows_are_found_by_name_and_key() {
    let mut test = panel();
    // All that there is, folded or not: nothing differs in an empty word.
    let all = rows(&scene(&test));
    let chosen = |place: &str| {
        let kind = ["surface.", "layers.0.surface.", "modifiers.0.", "mask."];
        let others = |list: &str| place.contains(list) && place.matches('.').count() > 0;
        // Options of what is not chosen have no rows, and masks have none.
        !kind.iter().any(|list| others(list)) || place.ends_with("modifiers.0.blur")
    };
    // Rows that stand elsewhere, or nowhere until something is chosen.
    let mut missed = Vec::new();
    for row in all.iter().filter(|row| chosen(&row.place)) {
        for words in [
            row.label.to_owned(),
            row.key.to_owned(),
            row.key.replace('_', " "),
        ] {
            find(&mut test, &words);
            if !is_seen(&test, row.label) {
                missed.push(format!("{} by {words:?}", row.path()));
            }
        }
    }
    // Switched in the heads of their steps; and only steps that smooth their masks have a radius.
    let in_heads = |missed: &String| {
        [".on by", ".kind by", ".mask_radius by"]
            .iter()
            .any(|key| missed.contains(key))
    };
    missed.retain(|missed| !in_heads(missed));
    assert_eq!(missed, Vec::<String>::new());
}

#[test]
fn search_shows_only_matching_rows_under_their_titles() {
    let mut test = panel();
    find(&mut test, "wave");
    for label in ["Water", "Waves", "Wave length", "Wave time"] {
        assert!(is_seen(&test, label), "{label}");
    }
    for label in ["Seed", "Fog", "Add a layer…", "Sun bearing", "H"] {
        assert!(!is_seen(&test, label), "{label}");
    }
    // All words count, in any order, large or small, and so do choices and titles.
    for (words, label) in [
        ("LENGTH wave", "Wave length"),
        ("moon", "Light from"),
        ("light latitude", "Latitude"),
        ("blur radius", "Radius"),
        ("bookmark", "Bookmark this view"),
        ("1d", "Render type"),
    ] {
        find(&mut test, words);
        assert!(is_seen(&test, label), "{words}: {:?}", labels(&test));
    }
    // Lists, too, are shown alone.
    for (words, seen, hidden) in [
        ("bookmark", "Bookmark this view", "Key frames"),
        ("camera path", "Key frames", "Bookmark this view"),
    ] {
        find(&mut test, words);
        assert!(is_seen(&test, seen) && !is_seen(&test, hidden), "{words}");
    }
    find(&mut test, "zebra");
    assert!(is_seen(&test, "No setting here matches “zebra”."));
    test.get_by_label("Show all settings").click();
    test.run_steps(4);
    assert!(is_seen(&test, "Sun bearing") && is_seen(&test, "Add a layer…"));
}

#[test]
fn words_of_the_menus_are_searched_there() {
    let mut test = panel();
    find(&mut test, "unreal");
    test.get_by_label("Search the menus").click();
    test.run_steps(4);
    let dialogs = &test.state().ui.transient.dialogs;
    let palette = dialogs.command_palette.as_ref().expect("the palette");
    assert_eq!(palette.query, "unreal");
    assert!(test.query_by_label_contains("Export").is_some());
}

#[test]
fn american_and_british_words_find_the_same() {
    let mut test = panel();
    let mut found = |words: &str| {
        find(&mut test, words);
        test.state().ui.transient.filter.shown.clone()
    };
    for (american, british) in [("color", "colour"), ("gray", "grey"), ("meter", "metre")] {
        let rows = found(american);
        assert!(!rows.is_empty(), "{american}");
        assert_eq!(rows, found(british), "{british}");
    }
}

#[test]
fn found_setting_is_changed_in_one_step() {
    let mut test = panel();
    // Its section is folded.
    find(&mut test, "fog density");
    check_one_step(&mut test, "a fog that was found", |test| {
        let slider = rect(test, Role::Slider, "Fog density");
        drag(test, &along(slider, 0.1, 0.8));
        assert!(scene(test).fog.density > 1.0);
    });
}

#[test]
fn only_changed_rows_show_and_held_ones_stay() {
    let mut test = panel();
    test.get_by_label("• Changed").click();
    test.run_steps(4);
    assert!(is_seen(
        &test,
        "Nothing differs from the preset or the file."
    ));
    let file = scene(&test);
    let changed = &mut test.state_mut().ui.persisted.scene;
    changed.fog.density = 1.5;
    changed.modifiers[0].strength = 0.5;
    changed.view.palette = "gray".into();
    changed.layers[0].solo = true;
    test.run_steps(4);
    for label in ["Fog density", "Strength", "1. blur", "Palette", "Solo"] {
        assert!(is_seen(&test, label), "{label}: {:?}", labels(&test));
    }
    for label in ["Fog", "Waves", "Seed", "Fog height"] {
        let is_title = label == "Fog";
        assert_eq!(is_seen(&test, label), is_title, "{label}");
    }
    // Dragged over the old value, and away from it again.
    test.state_mut().ui.persisted.scene = file.clone();
    test.state_mut().ui.persisted.scene.water.level = 0.5;
    test.run_steps(4);
    let slider = rect(&test, Role::Slider, "Water level");
    let points = along(slider, 0.75, 0.5);
    press(&mut test, points[0], true);
    for point in &points {
        test.event(Event::PointerMoved(*point));
        test.run_steps(1);
    }
    test.state_mut().ui.persisted.scene.water.level = file.water.level;
    test.run_steps(2);
    assert!(is_seen(&test, "Water level"), "it is held");
    press(&mut test, points[6], false);
    test.state_mut().ui.persisted.scene = file;
    test.event(Event::PointerGone);
    test.run_steps(4);
    assert!(!is_seen(&test, "Water level"));
}

#[test]
fn esc_in_box_or_scene_shows_all_settings() {
    let mut test = panel();
    find(&mut test, "wave");
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(is_seen(&test, "Sun bearing"));
    find(&mut test, "wave");
    key(&mut test, Modifiers::NONE, Key::Enter);
    key(&mut test, Modifiers::NONE, Key::F1);
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(
        !is_seen(&test, "Sun bearing"),
        "the first Esc closes the window above"
    );
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(is_seen(&test, "Sun bearing"));
    assert!(!test.state().ui.transient.filter.is_on());
}

#[test]
fn search_folds_nothing_and_shows_a_hidden_panel() {
    let mut test = panel();
    let folds = test.state().ui.persisted.folds.clone();
    key(&mut test, Modifiers::NONE, Key::F4);
    find(&mut test, "fog");
    assert!(is_seen(&test, "Fog density"));
    key(&mut test, Modifiers::NONE, Key::Escape);
    test.run_steps(30);
    assert_eq!(test.state().ui.persisted.folds, folds);
    assert!(!is_seen(&test, "Fog density"), "its section is folded");
}
