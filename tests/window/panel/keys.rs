//! Keys by their place on the keyboard, and several of them within one frame.

use std::time::Duration;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, ViewportId, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::state::Persisted;
use landform::scene::CameraMode;

use crate::desk::{Test, of_scene, scene};

fn desk() -> Test {
    crate::desk::desk(
        vec2(1280.0, 1600.0),
        of_scene(Persisted::default().scene),
        |_| {},
    )
}

fn key(key: Key, place: Key, pressed: bool, modifiers: Modifiers) -> Event {
    Event::Key {
        key,
        physical_key: Some(place),
        pressed,
        repeat: false,
        modifiers,
    }
}

/// One frame in which all of that happens.
fn frame(test: &mut Test, events: impl IntoIterator<Item = Event>) {
    test.input_mut().events.extend(events);
    test.step();
}

/// A key pressed and let go of.
fn press(of: Key, modifiers: Modifiers) -> [Event; 2] {
    [true, false].map(|pressed| key(of, of, pressed, modifiers))
}

/// Where the eye is after the key was held for a while.
fn flown(of: Key, place: Key) -> glam::Vec3 {
    let mut test = desk();
    frame(&mut test, press(Key::Num2, Modifiers::NONE));
    frame(&mut test, [key(of, place, true, Modifiers::NONE)]);
    test.run_steps(20);
    frame(&mut test, [key(of, place, false, Modifiers::NONE)]);
    test.run_steps(90);
    let there = scene(&test).camera;
    assert_eq!(there.mode, CameraMode::Fly);
    test.run_steps(10);
    assert_eq!(scene(&test).camera, there, "it stops");
    there.eye().as_vec3()
}

#[test]
fn flying_keys_go_by_their_place() {
    let still = flown(Key::X, Key::X);
    for place in [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E] {
        let there = flown(place, place);
        assert!((there - still).length() > 0.05, "{place:?}");
        // Whatever the keyboard prints on it: a French one has Z at W.
        for printed in [Key::Z, Key::Comma, Key::W, Key::Q] {
            assert_eq!(flown(printed, place), there, "{printed:?} at {place:?}");
        }
    }
    assert_eq!(flown(Key::W, Key::Z), still, "W where a Z is printed here");
}

#[test]
fn flying_key_tapped_within_a_frame_counts() {
    let mut test = desk();
    frame(&mut test, press(Key::Num2, Modifiers::NONE));
    let before = scene(&test).camera.eye().as_vec3();
    frame(&mut test, press(Key::W, Modifiers::NONE));
    test.run_steps(60);
    let there = scene(&test).camera.eye().as_vec3();
    assert_ne!(there, before);
    // A letter of a shortcut does not move the camera.
    frame(&mut test, press(Key::E, Modifiers::COMMAND));
    test.run_steps(60);
    assert_eq!(scene(&test).camera.eye().as_vec3(), there);
}

#[test]
fn presses_within_one_frame_all_count_in_order() {
    let seeds = |test: &Test| scene(test).surface.seed;
    let mut test = desk();
    let mut seen = vec![seeds(&test)];
    for _ in 0..3 {
        frame(&mut test, press(Key::R, Modifiers::NONE));
        seen.push(seeds(&test));
    }
    // Two steps back at once.
    let undo = press(Key::Z, Modifiers::COMMAND);
    frame(&mut test, undo.clone().into_iter().chain(undo.clone()));
    test.step();
    assert_eq!(seeds(&test), seen[1]);
    // One forward, two back, one forward.
    let redo = press(Key::Y, Modifiers::COMMAND);
    let all = [redo.clone(), undo.clone(), undo, redo];
    frame(&mut test, all.into_iter().flatten());
    test.step();
    assert_eq!(seeds(&test), seen[1]);
    // Two that open and close again.
    for (count, open) in [(2, false), (3, true)] {
        let presses = (0..count).flat_map(|_| press(Key::F1, Modifiers::NONE));
        frame(&mut test, presses);
        assert_eq!(test.state().ui.transient.dialogs.keys, open, "{count}");
    }
}

#[test]
fn focused_text_box_requests_no_frames() {
    let mut test = desk();
    test.get_by_role_and_label(Role::TextInput, "Seed").click();
    // Until tooltips and animations have ended.
    test.run_steps(120);
    assert!(test.ctx.wants_keyboard_input());
    let output = &test.output().viewport_output[&ViewportId::ROOT];
    let next = output.repaint_delay;
    assert!(next > Duration::from_secs(60), "a frame in {next:?}");
}
