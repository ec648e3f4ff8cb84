//! Keys and the mouse.

use super::*;

#[test]
fn keys_do_what_the_list_says() {
    let mut test = tall();
    let none = Modifiers::NONE;
    check_one_step(&mut test, "R", |test| key(test, none, Key::R));
    let view = scene(&test).camera;
    key(&mut test, none, Key::ArrowRight);
    assert_eq!(scene(&test).camera.bearing, view.bearing + 3.0);
    assert!(
        (scene(&test).camera.eye().as_vec3() - view.eye().as_vec3()).length() < 1e-5,
        "it turns, it stays"
    );
    key(&mut test, none, Key::ArrowLeft);
    key(&mut test, none, Key::ArrowUp);
    let moved = scene(&test).camera.eye().as_vec3() - view.eye().as_vec3();
    assert!(
        (moved.length() - 0.05).abs() < 1e-5 && moved.y == 0.0,
        "{moved}"
    );
    key(&mut test, Modifiers::SHIFT, Key::ArrowDown);
    let sunk = scene(&test).camera.eye().as_vec3() - view.eye().as_vec3() - moved;
    assert!((sunk.y + 0.05).abs() < 1e-5, "{sunk}");
    key(&mut test, none, Key::Home);
    assert_eq!(scene(&test).camera, Camera::default());
    key(&mut test, none, Key::F4);
    assert!(!test.state().ui.persisted.panel);
    assert!(test.query_by_label("View Options").is_none());
    key(&mut test, none, Key::F4);
    assert!(test.state().ui.persisted.panel);
    key(&mut test, none, Key::F3);
    assert!(test.state().ui.persisted.statistics);
    key(&mut test, none, Key::F3);
    assert!(!test.state().ui.persisted.statistics);
    key(&mut test, none, Key::F1);
    assert!(test.state().ui.transient.dialogs.keys);
    key(&mut test, none, Key::Escape);
    assert!(!test.state().ui.transient.dialogs.keys);
    key(&mut test, none, Key::F12);
    key(&mut test, Modifiers::COMMAND, Key::P);
    key(&mut test, Modifiers::COMMAND, Key::Q);
    let save = Command::SavePicture(PictureFile::Free);
    assert_eq!(test.state().commands, [save.clone(), save, Command::Quit]);
}

#[test]
fn held_key_keeps_flying_in_one_undo_step() {
    let mut test = tall();
    let before = scene(&test);
    for held in [Key::W, Key::D, Key::E] {
        test.key_down(held);
        test.run_steps(10);
        let there = scene(&test).camera.eye().as_vec3();
        test.run_steps(10);
        assert!(
            (scene(&test).camera.eye().as_vec3() - there).length() > 0.05,
            "{held:?}"
        );
        test.key_up(held);
        // It comes to rest gently.
        test.run_steps(60);
    }
    let there = scene(&test).camera;
    test.run_steps(60);
    assert_eq!(scene(&test).camera, there, "it stops");
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before);
}

#[test]
fn shortcut_letter_does_not_fly_after_releasing_ctrl() {
    let mut test = tall();
    let before = scene(&test).camera;
    let letter = |pressed, modifiers| Event::Key {
        key: Key::Q,
        physical_key: None,
        pressed,
        repeat: false,
        modifiers,
    };
    test.event(letter(true, Modifiers::COMMAND));
    test.run_steps(1);
    test.run_steps(10);
    assert_eq!(scene(&test).camera, before);
    test.event(letter(false, Modifiers::NONE));
    test.run_steps(2);
    test.key_down(Key::Q);
    test.run_steps(10);
    assert_ne!(scene(&test).camera, before, "pressed alone it does");
}

#[test]
fn the_mouse_moves_the_camera() {
    let mut test = tall();
    let middle = test.state().ui.derived.scene_rect.center();
    check_one_step(&mut test, "orbit", |test| {
        drag(
            test,
            &[middle, middle + vec2(30.0, 10.0), middle + vec2(60.0, 20.0)],
        );
        assert_eq!(scene(test).camera.target, [0.0; 3]);
    });
    check_one_step(&mut test, "zoom", |test| {
        test.event(Event::PointerMoved(middle));
        test.event(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: vec2(0.0, 3.0),
            modifiers: Modifiers::NONE,
        });
        test.run_steps(60);
        assert!(scene(test).camera.distance < 3.0);
    });
}

#[test]
fn save_and_open_keys_ask_and_esc_cancels() {
    let mut test = tall();
    for letter in [Key::S, Key::O] {
        key(&mut test, Modifiers::COMMAND, letter);
        assert!(test.state().ui.transient.dialogs.asks(), "{letter:?}");
        let before = scene(&test);
        key(&mut test, Modifiers::NONE, Key::R);
        assert_eq!(scene(&test), before, "keys are the dialog's");
        // The first leaves the box for the name, where one has the keyboard.
        key(&mut test, Modifiers::NONE, Key::Escape);
        key(&mut test, Modifiers::NONE, Key::Escape);
        test.run_steps(4);
        assert!(!test.state().ui.transient.dialogs.asks(), "{letter:?}");
    }
}

#[test]
fn a_dropped_file_is_opened() {
    let mut test = tall();
    test.input_mut().dropped_files.push(egui::DroppedFile {
        path: Some("a/scene.toml".into()),
        ..Default::default()
    });
    test.run_steps(1);
    assert_eq!(
        test.state().commands,
        [Command::Open("a/scene.toml".into())]
    );
}

#[test]
fn long_work_shows_a_bar_that_cancels_it() {
    let mut test = tall();
    let work = |elapsed| Progress {
        what: "Making the landscape".to_owned(),
        done: 0.4,
        elapsed: Duration::from_millis(elapsed),
        cancel: landform::app::commands::Command::CancelLandscape,
    };
    test.state_mut().ui.derived.progress = vec![work(100)];
    test.run_steps(2);
    assert!(
        test.query_by_label("Cancel").is_none(),
        "short work has no bar"
    );
    test.state_mut().ui.derived.progress = vec![work(400)];
    test.run_steps(3);
    test.get_by_label("Cancel").click();
    test.run_steps(2);
    assert_eq!(test.state().commands, [Command::CancelLandscape]);
}

#[test]
fn warning_disappears_a_minute_after_being_seen() {
    let mut test = tall();
    test.state_mut()
        .ui
        .transient
        .notices
        .warn("holes were filled");
    test.run_steps(2);
    let seen_at = test.ctx.input(|input| input.time);
    let mut is_there_after = |seconds: f64| {
        test.input_mut().time = Some(seen_at + seconds);
        test.run_steps(2);
        test.query_by_label("holes were filled").is_some()
    };
    assert!(is_there_after(59.0));
    assert!(!is_there_after(61.0));
}

#[test]
fn errors_stay_until_dismissed_and_good_news_goes() {
    let mut test = tall();
    let notices = &mut test.state_mut().ui.transient.notices;
    notices.done("Saved x.png");
    for _ in 0..3 {
        notices.error("cannot read");
    }
    assert_eq!(notices.list().len(), 2, "the same error is said once");
    test.run_steps(7 * 60);
    assert!(test.query_by_label("Saved x.png").is_none());
    assert!(test.query_by_label("cannot read").is_some());
    test.get_by_label("✖").click();
    test.run_steps(2);
    assert!(test.query_by_label("cannot read").is_none());
}
