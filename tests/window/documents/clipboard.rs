//! A scene as text on the clipboard.

use egui::OutputCommand;

use super::*;

/// What the last frame put on the clipboard.
fn copied(test: &Test) -> Option<String> {
    let commands = &test.output().platform_output.commands;
    commands.iter().find_map(|command| match command {
        OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    })
}

fn paste(test: &mut Test, text: &str) {
    test.event(Event::Paste(text.to_owned()));
    test.run_steps(4);
}

#[test]
fn pasted_scene_is_the_copied_landscape() {
    let mut test = desk_of(USUAL, document(None, true));
    let there = scene(&test);
    test.event(Event::Copy);
    test.step();
    let text = copied(&test).expect("a text");
    assert_eq!(text, there.to_short_toml());
    let mut other = desk_of(USUAL, of_scene(Scene::default()));
    // As a chat quotes it.
    paste(&mut other, &format!("```toml\n{text}```\n"));
    assert_eq!(scene(&other), there);
    key(&mut other, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&other), Scene::default(), "one step of undo");
}

#[test]
fn pasting_asks_about_work_and_rejects_non_scenes() {
    let mut test = desk_of(USUAL, document(None, true));
    let there = scene(&test);
    for (text, words) in [
        (
            "",
            "the clipboard holds no scene: it does not name a setting",
        ),
        ("# hello", "it does not name a setting"),
        ("x = hello", "the clipboard holds no scene: "),
        ("surface.hurst = 7", "surface.hurst is 7"),
    ] {
        paste(&mut test, text);
        let mut told = test.query_all_by_label_contains(words);
        assert!(told.next().is_some(), "{words}");
        assert_eq!(scene(&test), there);
    }
    paste(&mut test, "surface.seed = 4\n");
    assert_eq!(scene(&test), there, "it asks");
    click(&mut test, "Discard");
    assert_eq!(scene(&test).surface.seed, 4);
}

#[test]
fn a_file_that_was_copied_is_opened() {
    let mut test = desk_of(USUAL, of_scene(Scene::default()));
    let folder = std::env::temp_dir();
    let file = folder.join("a picture.png");
    let address = format!("file://{}", file.display()).replace(' ', "%20");
    let path = file.display().to_string();
    for text in [
        &path,
        &address,
        &format!("{address}\r\nfile:///another.png\n"),
    ] {
        test.state_mut().commands.clear();
        paste(&mut test, text);
        assert_eq!(
            test.state().commands,
            [Command::Open(file.clone())],
            "{text}"
        );
    }
}

#[test]
fn text_pasted_into_a_box_is_no_scene() {
    let mut test = desk_of(TALL, document(None, false));
    let seed = test.get_by_role_and_label(Role::TextInput, "Seed").rect();
    crate::desk::click(&mut test, seed.center());
    test.key_press_modifiers(Modifiers::COMMAND, Key::A);
    test.run_steps(2);
    test.event(Event::Paste("42".to_owned()));
    test.run_steps(2);
    test.key_press(Key::Enter);
    test.run_steps(4);
    let mut expected = document(None, false).scene;
    expected.surface.seed = 42;
    assert_eq!(scene(&test), expected);
}

#[test]
fn menu_copies_scenes_and_requests_pasted_text() {
    let mut test = desk_of(USUAL, document(None, true));
    click(&mut test, "Edit");
    test.get_by_label_contains("Copy scene").click();
    test.step();
    assert_eq!(copied(&test), Some(scene(&test).to_short_toml()));
    test.run_steps(6);
    click(&mut test, "Edit");
    test.get_by_label_contains("Paste scene").click();
    test.step();
    let outputs = test.output().viewport_output.values();
    let mut commands = outputs.flat_map(|output| &output.commands);
    assert!(commands.any(|command| *command == egui::ViewportCommand::RequestPaste));
}
