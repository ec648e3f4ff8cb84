//! Open files, unsaved changes and the questions about them.

use super::*;

fn asks(test: &Test) -> bool {
    test.query_by_label("Discard").is_some()
}

fn commands(test: &mut Test) -> Vec<Command> {
    std::mem::take(&mut test.state_mut().commands)
}

#[test]
fn save_writes_the_open_scene_file_or_asks() {
    let cases = [
        (Some("/a/land.toml"), true),
        (Some("/a/LAND.TOML"), true),
        (Some("/a/land.png"), false),
        (Some("/a/land.npy"), false),
        (Some("/a/land"), false),
        (None, false),
    ];
    for (file, saves) in cases {
        let mut test = desk_of(USUAL, document(file, true));
        key(&mut test, Modifiers::COMMAND, Key::S);
        let asks = test.state().ui.transient.dialogs.asks();
        assert_eq!(asks, !saves, "{file:?}");
        let saved: Vec<_> = match saves {
            true => vec![Command::SaveScene(file.unwrap().into())],
            false => Vec::new(),
        };
        assert_eq!(commands(&mut test), saved, "{file:?}");
        let mut test = desk_of(USUAL, document(file, true));
        key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
        assert!(test.state().ui.transient.dialogs.asks(), "{file:?}");
        assert_eq!(commands(&mut test), []);
    }
}

#[test]
fn title_shows_the_file_and_unsaved_changes() {
    let title = |persisted: Persisted| persisted.document.title(&persisted.scene);
    assert_eq!(title(document(None, false)), "Unnamed – Landform");
    assert_eq!(title(document(None, true)), "• Unnamed – Landform");
    let file = Some("/a/land.toml");
    assert_eq!(title(document(file, false)), "land.toml – Landform");
    assert_eq!(title(document(file, true)), "• land.toml – Landform");
}

/// All that takes the document away.
fn takers() -> [Action; 4] {
    let preset = Preset::named("ridge").unwrap().scene();
    let all = [
        Action::New,
        Action::Load(Box::new(preset)),
        Command::Open("/b/other.toml".into()).into(),
        Command::Quit.into(),
    ];
    assert!(all.iter().all(Action::takes_the_document));
    all
}

#[test]
fn nothing_takes_unsaved_changes_away_without_a_question() {
    for action in takers() {
        let mut test = desk_of(USUAL, document(Some("/a/land.toml"), true));
        let before = test.state().ui.persisted.clone();
        for cancel in ["Cancel", "Esc"] {
            assert_eq!(test.state_mut().ui.apply(action.clone()), None);
            test.run_steps(4);
            assert!(asks(&test), "{action:?}");
            // The keys are the question's.
            key(&mut test, Modifiers::NONE, Key::R);
            match cancel {
                "Esc" => key(&mut test, Modifiers::NONE, Key::Escape),
                button => click(&mut test, button),
            }
            assert!(!asks(&test), "{action:?}");
            assert_eq!(test.state().ui.persisted, before, "{action:?}");
            assert_eq!(commands(&mut test), []);
        }
    }
}

/// A slow frame receives the key that closes the window and the answer at once.
#[test]
fn a_question_is_answered_by_keys_of_the_same_frame() {
    let answers: [(&[Key], _); 4] = [
        (&[Key::Enter], Command::SaveScene("/a/land.toml".into())),
        (&[Key::Tab, Key::Enter], Command::Quit),
        (&[Key::Tab, Key::Space], Command::Quit),
        (&[Key::ArrowRight, Key::Enter], Command::Quit),
    ];
    for (keys, expected) in answers {
        for together in [true, false] {
            let mut test = desk_of(USUAL, document(Some("/a/land.toml"), true));
            let quit = (Modifiers::COMMAND, Key::Q);
            let presses = keys.iter().map(|key| (Modifiers::NONE, *key));
            for (modifiers, key) in std::iter::once(quit).chain(presses) {
                test.input_mut()
                    .events
                    .extend([true, false].map(|pressed| Event::Key {
                        key,
                        physical_key: None,
                        pressed,
                        repeat: false,
                        modifiers,
                    }));
                if !together {
                    test.run_steps(4);
                }
            }
            test.run_steps(10);
            assert!(!asks(&test), "{keys:?}, together: {together}");
            let given = commands(&mut test);
            let words = format!("{keys:?}, together: {together}");
            assert_eq!(given, std::slice::from_ref(&expected), "{words}");
        }
    }
}

#[test]
fn discarding_proceeds_and_undo_restores_the_document() {
    for action in takers() {
        let before = document(Some("/a/land.toml"), true);
        let mut test = desk_of(USUAL, before.clone());
        assert_eq!(test.state_mut().ui.apply(action.clone()), None);
        test.run_steps(4);
        click(&mut test, "Discard");
        assert!(!asks(&test));
        let Persisted {
            document,
            scene: shown,
            ..
        } = test.state().ui.persisted.clone();
        match &action {
            Action::Window(command) => {
                assert_eq!(commands(&mut test), std::slice::from_ref(command));
                if *command == Command::Quit {
                    assert_eq!(shown, before.document.baseline, "not at the next start");
                }
            }
            _ => {
                assert_eq!((document.file.as_ref(), &document.baseline), (None, &shown));
                assert!(!document.is_modified(&shown));
                key(&mut test, Modifiers::COMMAND, Key::Z);
                let back = &test.state().ui.persisted;
                assert_eq!(back.scene, before.scene);
                assert_eq!(back.document, before.document);
                key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
                let again = &test.state().ui.persisted;
                assert_eq!((&again.document, &again.scene), (&document, &shown));
            }
        }
    }
}

#[test]
fn saving_comes_first_then_the_requested_action() {
    for action in takers() {
        let mut test = desk_of(USUAL, document(Some("/a/land.toml"), true));
        assert_eq!(test.state_mut().ui.apply(action.clone()), None);
        test.run_steps(4);
        click(&mut test, "Save");
        let save = Command::SaveScene("/a/land.toml".into());
        assert_eq!(commands(&mut test), [save], "{action:?}");
        let waiting = test.state().ui.transient.dialogs.after_saving.clone();
        assert_eq!(waiting.as_deref(), Some(&action));
        // Without a name it asks for one, and who thinks better of that keeps the document.
        let mut test = desk_of(USUAL, document(None, true));
        let apply = |test: &mut Test, action| test.state_mut().ui.apply(action);
        assert_eq!(apply(&mut test, action.clone()), None);
        assert_eq!(apply(&mut test, Action::Answer(Answer::Save)), None);
        test.run_steps(4);
        assert!(test.state().ui.transient.dialogs.after_saving.is_some());
        for _ in 0..2 {
            key(&mut test, Modifiers::NONE, Key::Escape);
        }
        assert!(!test.state().ui.transient.dialogs.asks());
        assert_eq!(test.state().ui.transient.dialogs.after_saving, None);
    }
}

#[test]
fn saved_or_merely_viewed_scenes_raise_no_question() {
    for action in takers() {
        let saved = document(Some("/a/land.toml"), false);
        let mut looked_at = document(None, false);
        looked_at.scene.camera.bearing += 10.0;
        for persisted in [saved, document(None, false), looked_at] {
            let mut test = desk_of(USUAL, persisted);
            test.state_mut().ui.apply(action.clone());
            test.run_steps(4);
            assert!(!asks(&test), "{action:?}");
        }
        // The camera of a scene with a file is part of that file.
        let mut turned = document(Some("/a/land.toml"), false);
        turned.scene.camera.bearing += 10.0;
        let mut test = desk_of(USUAL, turned);
        test.state_mut().ui.apply(action.clone());
        test.run_steps(4);
        assert!(asks(&test), "{action:?}");
    }
}

#[test]
fn reverting_all_changes_is_one_undo_step() {
    let before = document(Some("/a/land.toml"), true);
    let mut test = desk_of(USUAL, before.clone());
    test.state_mut().ui.apply(Action::Revert);
    test.run_steps(4);
    let reverted = &test.state().ui.persisted;
    assert_eq!(reverted.scene, before.document.baseline);
    assert_eq!(reverted.document, before.document);
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before.scene);
}

#[test]
fn a_file_that_changed_meanwhile_is_asked_about() {
    let file = PathBuf::from("/a/land.toml");
    let answers = [
        (
            "Overwrite",
            vec![Command::ReplaceScene(file.clone())],
            false,
        ),
        ("Save as…", Vec::new(), true),
        ("Cancel", Vec::new(), false),
    ];
    for (answer, asked, dialog) in answers {
        let mut test = desk_of(USUAL, document(Some("/a/land.toml"), true));
        let dialogs = &mut test.state_mut().ui.transient.dialogs;
        dialogs.changed = Some(file.clone());
        dialogs.after_saving = Some(Box::new(Command::Quit.into()));
        test.run_steps(4);
        // The keys are the question's.
        key(&mut test, Modifiers::NONE, Key::R);
        assert!(test.query_by_label_contains("land.toml").is_some());
        click(&mut test, answer);
        assert_eq!(commands(&mut test), asked, "{answer}");
        let dialogs = &test.state().ui.transient.dialogs;
        assert_eq!((&dialogs.changed, dialogs.asks()), (&None, dialog));
        // What waits for the saving goes on, or is given up.
        assert_eq!(dialogs.after_saving.is_some(), answer != "Cancel");
    }
}

#[test]
fn recent_files_are_in_the_menu_newest_first() {
    let mut persisted = document(None, false);
    for name in ["one", "two", "three", "one"] {
        persisted.recent.note(Path::new(&format!("/a/{name}.toml")));
    }
    let names: Vec<_> = persisted.recent.files().iter().collect();
    assert_eq!(
        names,
        ["/a/one.toml", "/a/three.toml", "/a/two.toml"].map(Path::new)
    );
    let mut test = desk_of(USUAL, persisted);
    click(&mut test, "File");
    test.get_by_label_contains("Open recent").click();
    test.run_steps(6);
    test.get_by_label("three.toml").click();
    test.run_steps(6);
    let open = Command::Open("/a/three.toml".into());
    assert_eq!(commands(&mut test), [open]);
}
