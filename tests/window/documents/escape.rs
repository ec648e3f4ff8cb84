//! What Esc closes, and in which order.

use super::*;

fn is_there(test: &Test, role: Role, label: &str) -> bool {
    test.query_by_role_and_label(role, label).is_some()
}

#[test]
fn esc_closes_only_menus_and_drop_downs() {
    let mut persisted = of_scene(Scene::default());
    persisted.statistics = true;
    let mut test = desk_of(USUAL, persisted);
    click(&mut test, "File");
    test.get_by_label_contains("Presets").click();
    test.run_steps(6);
    assert!(test.query_by_label_contains("Landscapes").is_some());
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(test.query_by_label_contains("Landscapes").is_none());
    assert!(test.query_by_label_contains("Quit").is_none());
    test.get_by_role_and_label(Role::ComboBox, "Generator")
        .click();
    test.run_steps(6);
    assert!(is_there(&test, Role::Button, "fourier"));
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!is_there(&test, Role::Button, "fourier"));
    assert!(test.state().ui.persisted.statistics, "one thing at a time");
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!test.state().ui.persisted.statistics);
}

#[test]
fn esc_closes_the_windows_from_the_top() {
    let mut persisted = of_scene(Scene::default());
    persisted.statistics = true;
    let mut test = desk_of(USUAL, persisted);
    // Each opens above the one before.
    let mut open = vec!["Statistics"];
    key(&mut test, Modifiers::COMMAND, Key::E);
    open.push("Export");
    test.state_mut().ui.persisted.photo.shown = true;
    test.run_steps(4);
    open.push("Picture");
    key(&mut test, Modifiers::NONE, Key::F1);
    open.push("Keys");
    let shown = |test: &Test| {
        let state = &test.state().ui;
        let persisted = &state.persisted;
        let all = [
            ("Statistics", persisted.statistics),
            ("Export", persisted.exporting.shown),
            ("Picture", persisted.photo.shown),
            ("Keys", state.transient.dialogs.keys),
        ];
        let shown = all.into_iter().filter(|(_, shown)| *shown);
        shown.map(|(name, _)| name).collect::<Vec<_>>()
    };
    while !open.is_empty() {
        assert_eq!(shown(&test), open);
        key(&mut test, Modifiers::NONE, Key::Escape);
        open.pop();
    }
    assert_eq!(shown(&test), open);
}

#[test]
fn esc_in_a_box_leaves_the_box_first() {
    let mut persisted = of_scene(Scene::default());
    persisted.statistics = true;
    let mut test = desk_of(USUAL, persisted);
    test.get_by_role_and_label(Role::TextInput, "Seed").focus();
    test.run_steps(3);
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(test.state().ui.persisted.statistics);
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!test.state().ui.persisted.statistics);
}

#[test]
fn esc_ends_scene_activities_after_closing_windows() {
    let mut map = Scene::default();
    map.view.render_type = RenderType::Map;
    map.section.from = [-0.5, -0.5];
    map.section.to = [0.5, 0.5];
    let mut test = desk_of(USUAL, of_scene(map.clone()));
    let tool = |test: &Test| test.state().ui.transient.tool;
    test.state_mut().ui.apply(Action::DrawSection(true));
    test.run_steps(4);
    assert!(test.query_by_label(analysis::PROFILE_TITLE).is_some());
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(test.state().ui.transient.profile_hidden && tool(&test).draws_section(&map));
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!tool(&test).draws_section(&map));
    test.state_mut().ui.apply(Action::EditPins(true));
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!tool(&test).edits_pins(&map));
    test.state_mut().ui.apply(Action::PlayPasses);
    assert!(test.state().ui.transient.playing.is_some());
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(test.state().ui.transient.playing.is_none());
}
