//! The interface without a window: every control, undo, keys, settings and the worker.

mod desk;

use std::collections::HashSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use landform::app::commands::Command;
use landform::app::panel::param_ui::help_text;
use landform::app::seeds::SeedHistory;
use landform::app::settings;
use landform::app::state::{Measured, Persisted, Progress};
use landform::app::worker::{COARSE_ITERATIONS, Made, Worker};
use landform::generate::{Generator, Inputs, OptionsVisitor, Surface};
use landform::job::Job;
use landform::measure::{Statistics, statistics};
use landform::modify::{Modifier, ModifierKind};
use landform::param::{Field, Param, Params};
use landform::scene::{Camera, Clouds, Fog, Light, RenderType, Scene, Teximage, View};

use desk::{Test, scene};

/// High enough that every section fits without scrolling.
const TALL: egui::Vec2 = vec2(1280.0, 2400.0);

fn desk(size: egui::Vec2, scene: Scene) -> Test {
    desk::desk(size, desk::of_scene(scene), |_| ())
}

fn tall() -> Test {
    tall_of(RenderType::Rendered)
}

/// The same of a scene of that render type.
fn tall_of(render_type: RenderType) -> Test {
    let mut scene = Scene::default();
    scene.view.render_type = render_type;
    let mut test = desk(TALL, scene);
    for section in ["Fog", "Camera"] {
        test.get_by_label(section).click();
        // The section unfolds.
        test.run_steps(30);
    }
    test
}

fn rect(test: &Test, role: Role, label: &str) -> Rect {
    test.get_by_role_and_label(role, label).rect()
}

fn press(test: &mut Test, at: Pos2, pressed: bool) {
    test.event(Event::PointerMoved(at));
    test.event(Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    test.run_steps(2);
}

/// Drags along the points, one frame each.
fn drag(test: &mut Test, points: &[Pos2]) {
    press(test, points[0], true);
    for point in points {
        test.event(Event::PointerMoved(*point));
        test.run_steps(1);
    }
    press(test, points[points.len() - 1], false);
    test.event(Event::PointerGone);
    test.run_steps(2);
}

/// Points from a part of a slider to another: 0 is its left end, 1 its right.
fn along(rect: Rect, from: f32, to: f32) -> Vec<Pos2> {
    let at = |t: f32| pos2(egui::lerp(rect.left()..=rect.right(), t), rect.center().y);
    (0..=6)
        .map(|i| at(from + (to - from) * i as f32 / 6.0))
        .collect()
}

fn double_click(test: &mut Test, at: Pos2) {
    for pressed in [true, false, true, false] {
        press(test, at, pressed);
    }
    // Another click soon after would be a third one.
    test.run_steps(60);
}

fn key(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(2);
}

/// One step changes the scene, undo brings the old one back, redo the new one.
#[track_caller]
fn check_one_step(test: &mut Test, what: &str, act: impl FnOnce(&mut Test)) {
    let before = scene(test);
    act(test);
    test.run_steps(60);
    let after = scene(test);
    assert_ne!(before, after, "{what} changes nothing");
    after.validate().unwrap();
    key(test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(test), before, "undo of {what}");
    key(test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(scene(test), after, "redo of {what}");
    key(test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(test), before, "second undo of {what}");
}

#[test]
fn every_slider_changes_the_scene_in_one_step() {
    let sliders = [
        "Iterations",
        "H",
        "Height scale",
        "Tile",
        "Tile size",
        "Input level",
        "Passes",
        "Texture iterations",
        "Texture H",
        "Cloud iterations",
        "Cloud H",
        "Sun bearing",
        "Sun elevation",
        "Ambient",
        "Fog start",
        "Fog end",
        "Bearing",
        "Pitch",
        "Distance",
        "Field of view",
    ];
    check_sliders(RenderType::Rendered, &sliders);
    let of_landscape = [
        "Rock from",
        "Roughness",
        "Turbidity",
        "Exposure",
        "Cloud cover",
        "Cloud height",
        "Cloud drift",
        "Cloud shadow",
        "Fog density",
        "Fog height",
    ];
    check_sliders(RenderType::Landscape, &of_landscape);
}

fn check_sliders(render_type: RenderType, labels: &[&str]) {
    let mut test = tall_of(render_type);
    for label in labels {
        check_one_step(&mut test, label, |test| {
            let rail = rect(test, Role::Slider, label);
            drag(test, &along(rail, 0.4, 0.9));
        });
    }
}

#[test]
fn every_choice_and_switch_changes_the_scene() {
    let mut test = tall();
    let choices = [
        ("Render type", "lines"),
        ("Generator", "midpoint-1d"),
        ("Edges", "free"),
        ("Distribution", "gaussian"),
        ("Scaling", "per-half-step"),
        ("Texture filter", "nearest"),
        ("Palette", "desert"),
    ];
    for (label, choice) in choices {
        check_one_step(&mut test, label, |test| {
            test.get_by_role_and_label(Role::ComboBox, label).click();
            test.run_steps(4);
            test.get_by_role_and_label(Role::Button, choice).click();
            test.run_steps(4);
        });
    }
    for label in ["Invert colours", "Antialias", "Fog", "Passes"] {
        check_one_step(&mut test, label, |test| {
            test.get_by_role_and_label(Role::CheckBox, label).click();
            test.run_steps(4);
        });
    }
}

#[test]
fn numbers_can_be_typed() {
    let mut test = tall();
    let before = scene(&test);
    let number = rect(&test, Role::SpinButton, "H").center();
    press(&mut test, number, true);
    press(&mut test, number, false);
    for _ in 0..8 {
        key(&mut test, Modifiers::NONE, Key::Backspace);
        key(&mut test, Modifiers::NONE, Key::Delete);
    }
    test.event(Event::Text("0.25".to_owned()));
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(60);
    assert_eq!(scene(&test).surface.hurst, 0.25);
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before, "typing is one step");
}

#[test]
fn a_long_drag_is_one_step_of_undo() {
    let mut test = tall();
    let before = scene(&test);
    let rail = rect(&test, Role::Slider, "H");
    let there_and_back = [along(rail, 0.7, 0.1), along(rail, 0.1, 0.9)].concat();
    drag(&mut test, &there_and_back);
    assert!(scene(&test).surface.hurst > 0.85);
    assert_eq!(test.state().ui.transient.history.undo_what(), Some("H"));
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before);
    assert_eq!(test.state().ui.transient.history.undo_what(), None);
}

#[test]
fn the_scene_changes_while_a_slider_is_dragged() {
    let mut test = tall();
    let rail = rect(&test, Role::Slider, "Iterations");
    let mut seen = HashSet::new();
    press(&mut test, along(rail, 0.2, 0.2)[0], true);
    for point in along(rail, 0.2, 0.8) {
        test.event(Event::PointerMoved(point));
        test.run_steps(1);
        seen.insert(scene(&test).surface.iterations);
    }
    assert!(seen.len() > 4, "{seen:?}");
}

#[test]
fn double_click_on_slider_or_label_resets_that_setting_alone() {
    let mut changed = Scene::default();
    changed.surface.hurst = 0.2;
    changed.surface.iterations = 5;
    changed.view.tile = 3;
    let mut persisted = desk::of_scene(Scene::default());
    persisted.scene = changed.clone();
    let mut test = desk::desk(TALL, persisted, |_| ());
    let rail = rect(&test, Role::Slider, "H").center();
    double_click(&mut test, rail);
    changed.surface.hurst = 0.7;
    assert_eq!(scene(&test), changed);
    let label = rect(&test, Role::Label, "Iterations").left_center() + vec2(4.0, 0.0);
    double_click(&mut test, label);
    changed.surface.iterations = 8;
    assert_eq!(scene(&test), changed);
}

#[test]
fn reset_all_resets_all_and_undo_brings_it_back() {
    let mut changed = Scene::default();
    changed.surface.seed = 5;
    changed.light.bearing = 200.0;
    changed.camera.bearing = -20.0;
    let mut test = desk(TALL, changed);
    check_one_step(&mut test, "Reset all", |test| {
        test.get_by_label("Reset all").click();
        test.run_steps(4);
        assert_eq!(scene(test), *landform::import::start());
    });
}

#[test]
fn modifiers_are_added_switched_moved_and_removed() {
    let mut test = tall();
    let kinds = |test: &Test| -> Vec<&'static str> {
        let modifiers = scene(test).modifiers;
        modifiers
            .iter()
            .map(|modifier| modifier.kind.name())
            .collect()
    };
    for kind in ["terrace", "island"] {
        check_one_step(&mut test, "Add a modifier", |test| {
            test.get_by_label("Add a modifier…").click();
            test.run_steps(4);
            test.get_by_label(kind).click();
            test.run_steps(4);
            assert_eq!(kinds(test).last(), Some(&kind));
        });
        key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    }
    assert_eq!(kinds(&test), ["terrace", "island"]);
    check_one_step(&mut test, "move", |test| {
        test.get_all_by_label("⏷").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(kinds(test), ["island", "terrace"]);
    });
    key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    check_one_step(&mut test, "switch", |test| {
        test.get_by_role_and_label(Role::CheckBox, "island").click();
        test.run_steps(4);
        assert!(!scene(test).modifiers[0].on);
    });
    check_one_step(&mut test, "remove", |test| {
        test.get_all_by_label("✖").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(kinds(test), ["terrace"]);
    });
}

#[test]
fn a_modifier_is_dragged_to_another_place_in_one_step() {
    let mut test = tall();
    let kinds = [
        ModifierKind::Terrace,
        ModifierKind::Invert,
        ModifierKind::Island,
    ];
    test.state_mut().ui.persisted.scene.modifiers = kinds.map(Modifier::new).to_vec();
    test.run_steps(60);
    let handle = |test: &Test, name: &str| {
        let label = format!("Move {name}");
        test.get_by_label(&label).rect().center()
    };
    let (first, last) = (handle(&test, "terrace"), handle(&test, "island"));
    check_one_step(&mut test, "drag", |test| {
        drag(
            test,
            &[first, first + vec2(0.0, 10.0), last + vec2(0.0, 60.0)],
        );
        let names: Vec<_> = scene(test).modifiers.iter().map(|m| m.kind).collect();
        let moved = [
            ModifierKind::Invert,
            ModifierKind::Island,
            ModifierKind::Terrace,
        ];
        assert_eq!(names, moved);
    });
}

#[test]
fn a_step_shows_the_time_it_took() {
    let mut test = tall();
    let mut scene = scene(&test);
    scene.modifiers = vec![Modifier::new(ModifierKind::Blur)];
    let mut watch = landform::app::times::Stopwatch::start();
    let mut pipeline = landform::pipeline::Pipeline::default();
    std::thread::sleep(Duration::from_millis(2));
    pipeline
        .run_observed(
            &scene,
            &landform::generate::Inputs::default(),
            &landform::job::Job::new(),
            &mut |stage| watch.done(stage),
        )
        .unwrap();
    let time = watch.times.modifier(0).unwrap();
    test.state_mut().ui.persisted.scene = scene;
    test.state_mut().ui.derived.times = watch.times;
    test.run_steps(4);
    let words = landform::app::status::short_time(time);
    assert!(test.query_all_by_label(&words).next().is_some(), "{words}");
}

#[test]
fn layers_are_added_changed_and_removed() {
    let mut test = tall();
    for (count, generator) in ["perlin", "hill", "fault"].into_iter().enumerate() {
        check_one_step(&mut test, "Add a layer", |test| {
            test.get_by_label("Add a layer…").click();
            test.run_steps(4);
            test.get_by_role_and_label(Role::Button, generator).click();
            test.run_steps(4);
        });
        key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
        let layers = scene(&test).layers;
        assert_eq!(layers.len(), count + 1);
        assert_eq!(layers[count].surface.generator.name(), generator);
    }
    let add = test.get_by_label("Add a layer…");
    assert!(add.accesskit_node().is_disabled());
    check_one_step(&mut test, "switch", |test| {
        test.get_by_role_and_label(Role::CheckBox, "hill").click();
        test.run_steps(4);
        assert!(!scene(test).layers[1].on);
    });
    check_one_step(&mut test, "remove", |test| {
        test.get_all_by_label("✖").next().unwrap().click();
        test.run_steps(4);
        assert_eq!(scene(test).layers[0].surface.generator, Generator::Hill);
    });
}

#[test]
fn the_passes_play_to_the_last_one_as_one_step_of_undo() {
    let mut test = tall();
    test.state_mut().ui.persisted.scene.surface.iterations = 2;
    test.run_steps(60);
    let before = scene(&test);
    test.get_by_label("▶").click();
    let mut seen = Vec::new();
    for _ in 0..400 {
        test.run_steps(1);
        let pass = scene(&test).view.pass.unwrap_or(-1.0);
        if seen.last() != Some(&pass) {
            seen.push(pass);
        }
    }
    assert_eq!(seen, [0.0, 0.5, 1.0, 1.5, 2.0]);
    assert!(test.query_by_label("⏸").is_none());
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before);
    // A hand on the slider, or another click, stops it.
    test.get_by_label("▶").click();
    test.run_steps(10);
    test.get_by_label("⏸").click();
    test.run_steps(100);
    assert_eq!(scene(&test).view.pass, Some(0.0));
}

#[test]
fn dice_then_back_then_forward() {
    let mut test = tall();
    let press_button = |test: &mut Test, label: &str| {
        test.get_by_label(label).click();
        test.run_steps(4);
        scene(test).surface.seed
    };
    let first = press_button(&mut test, "🎲");
    let second = press_button(&mut test, "🎲");
    assert_ne!(first, second);
    assert_eq!(press_button(&mut test, "⏴"), first);
    assert_eq!(press_button(&mut test, "⏴"), 0);
    assert_eq!(press_button(&mut test, "⏵"), first);
    assert_eq!(press_button(&mut test, "⏵"), second);
    check_one_step(&mut test, "the dice", |test| {
        press_button(test, "🎲");
    });
}

#[test]
fn undo_and_redo_of_a_seed_leave_the_list_of_seeds_alone() {
    let mut seeds = SeedHistory::default();
    for seed in [1, u64::MAX, 1, u64::MAX] {
        seeds.watch(seed);
    }
    assert_eq!(seeds.back(), Some(1));
    assert_eq!(seeds.back(), None);
    assert_eq!(seeds.forward(), Some(u64::MAX));
    assert_eq!(seeds.forward(), None);
}

#[test]
fn the_largest_seed_can_be_typed_and_letters_cannot() {
    let mut test = tall();
    let seed_box = rect(&test, Role::TextInput, "Seed").center();
    press(&mut test, seed_box, true);
    press(&mut test, seed_box, false);
    key(&mut test, Modifiers::COMMAND, Key::A);
    test.event(Event::Text(u64::MAX.to_string()));
    key(&mut test, Modifiers::NONE, Key::Enter);
    assert_eq!(scene(&test).surface.seed, u64::MAX);
    press(&mut test, seed_box, true);
    press(&mut test, seed_box, false);
    // The box has the keyboard: R is a letter and Tab goes on to the next control.
    test.event(Event::Text("r".to_owned()));
    key(&mut test, Modifiers::NONE, Key::R);
    key(&mut test, Modifiers::NONE, Key::Tab);
    assert_eq!(scene(&test).surface.seed, u64::MAX);
    assert!(test.state().ui.persisted.panel);
    assert_eq!(
        test.get_by_role_and_label(Role::TextInput, "Seed")
            .value()
            .as_deref(),
        Some("18446744073709551615"),
        "what is no seed is forgotten"
    );
    let notices = test.state().ui.transient.notices.list();
    assert!(notices.last().unwrap().text.contains("no number"));
}

#[test]
fn keys_do_what_the_list_says() {
    let mut test = tall();
    let none = Modifiers::NONE;
    check_one_step(&mut test, "R", |test| key(test, none, Key::R));
    let view = scene(&test).camera;
    key(&mut test, none, Key::ArrowRight);
    assert_eq!(scene(&test).camera.bearing, view.bearing + 3.0);
    assert!(
        (scene(&test).camera.eye() - view.eye()).length() < 1e-5,
        "it turns, it stays"
    );
    key(&mut test, none, Key::ArrowLeft);
    key(&mut test, none, Key::ArrowUp);
    let moved = scene(&test).camera.eye() - view.eye();
    assert!(
        (moved.length() - 0.05).abs() < 1e-5 && moved.y == 0.0,
        "{moved}"
    );
    key(&mut test, Modifiers::SHIFT, Key::ArrowDown);
    let sunk = scene(&test).camera.eye() - view.eye() - moved;
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
    let save = Command::SavePicture(None);
    assert_eq!(test.state().commands, [save.clone(), save, Command::Quit]);
}

#[test]
fn flying_goes_on_while_a_key_is_held_and_is_one_step() {
    let mut test = tall();
    let before = scene(&test);
    for held in [Key::W, Key::D, Key::E] {
        test.key_down(held);
        test.run_steps(10);
        let there = scene(&test).camera.eye();
        test.run_steps(10);
        assert!(
            (scene(&test).camera.eye() - there).length() > 0.05,
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
fn the_letter_of_a_shortcut_does_not_fly_when_ctrl_is_let_go_first() {
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
fn ctrl_s_and_ctrl_o_ask_for_a_file_and_esc_takes_it_back() {
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
        landscape: true,
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

struct Helps(Vec<String>);

impl OptionsVisitor for Helps {
    fn visit<T: Params>(&mut self, _: &mut T) {
        self.0.extend(T::PARAMS.iter().map(checked_help));
    }
}

/// The tooltip of a parameter, checked to say what it must.
fn checked_help<T: Params>(param: &Param<T>) -> String {
    let help = help_text(param);
    assert!(
        help.contains(param.help) && param.help.len() > 10,
        "{}",
        param.key
    );
    assert!(
        help.contains(param.unit),
        "{} has the unit {}",
        param.key,
        param.unit
    );
    let (_, default) = help.split_once("Default: ").expect(param.key);
    if let Field::Float { .. } = param.field {
        // What was typed once, not what came out of a sum.
        let number = default.split(". ").next().unwrap_or_default();
        let digits = number.trim_start_matches(['-', '0', '.']);
        let digits = digits.trim_end_matches('0').replace('.', "");
        assert!(digits.len() <= 4, "{}: {number}", param.key);
    }
    help
}

fn helps_of<T: Params>() -> Vec<String> {
    T::PARAMS.iter().map(checked_help).collect()
}

#[test]
fn every_parameter_says_what_it_does_its_unit_and_its_default() {
    let mut helps = Helps(Vec::new());
    for generator in Generator::ALL {
        let mut surface = Surface {
            generator: *generator,
            ..Surface::default()
        };
        surface.visit_options(&mut helps);
    }
    helps.0.extend(helps_of::<Surface>());
    helps.0.extend(helps_of::<View>());
    helps.0.extend(helps_of::<Teximage>());
    helps.0.extend(helps_of::<Clouds>());
    helps.0.extend(helps_of::<Light>());
    helps.0.extend(helps_of::<Fog>());
    helps.0.extend(helps_of::<Camera>());
    assert!(helps.0.len() > 30);
}

#[test]
fn every_control_shows_its_tooltip() {
    let mut test = tall();
    let shown = [
        Role::Slider,
        Role::SpinButton,
        Role::ComboBox,
        Role::CheckBox,
        Role::TextInput,
    ];
    let mut controls = Vec::new();
    for role in shown {
        controls.extend(test.get_all_by_role(role).map(|node| node.rect()));
    }
    assert!(controls.len() > 50, "{}", controls.len());
    for control in controls {
        test.event(Event::PointerMoved(control.center()));
        test.run_steps(40);
        let tips = test
            .query_all_by_label_contains("Double-click to reset")
            .count()
            + test
                .query_all_by_label_contains("Off: the finished landscape.")
                .count();
        assert!(tips > 0, "no tooltip at {control:?}");
        test.event(Event::PointerGone);
        test.run_steps(20);
    }
}

#[test]
fn controls_line_up_and_the_main_ones_need_no_scrolling() {
    let mut test = desk(vec2(1280.0, 720.0), Scene::default());
    test.run_steps(10);
    let bottom = test.state().ui.derived.scene_rect.bottom();
    let main = [
        (Role::ComboBox, "Render type"),
        (Role::ComboBox, "Generator"),
        (Role::SpinButton, "H"),
        (Role::SpinButton, "Iterations"),
        (Role::SpinButton, "Height scale"),
        (Role::SpinButton, "Tile"),
        (Role::ComboBox, "Palette"),
        (Role::SpinButton, "Texture iterations"),
        (Role::SpinButton, "Texture H"),
        (Role::SpinButton, "Cloud iterations"),
        (Role::SpinButton, "Cloud H"),
        (Role::ComboBox, "Texture filter"),
        (Role::ComboBox, "Shading"),
    ];
    let right = rect(&test, Role::SpinButton, "H").right();
    assert!(right < 1280.0 - 8.0, "{right}");
    for (role, label) in main {
        let control = rect(&test, role, label);
        assert!(
            (control.right() - right).abs() < 1.0,
            "{label} ends at {}",
            control.right()
        );
        assert!(
            control.bottom() < bottom,
            "{label} is below the window's end"
        );
    }
    let left = rect(&test, Role::Slider, "H").left();
    for label in ["Iterations", "Tile", "Texture H", "Cloud H"] {
        assert!(
            (rect(&test, Role::Slider, label).left() - left).abs() < 1.0,
            "{label}"
        );
    }
}

#[test]
fn windows_of_any_size_leave_room_for_the_scene() {
    for size in [
        vec2(240.0, 160.0),
        vec2(320.0, 200.0),
        vec2(800.0, 600.0),
        vec2(3840.0, 2160.0),
    ] {
        let mut test = desk(size, Scene::default());
        test.run_steps(5);
        let scene = test.state().ui.derived.scene_rect;
        assert!(
            scene.width() > 200.0 && scene.height() > 100.0,
            "{size} leaves {scene:?}"
        );
        key(&mut test, Modifiers::NONE, Key::F4);
        test.run_steps(5);
    }
}

#[test]
fn settings_survive_and_a_broken_file_is_set_aside() {
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(settings::load(folder.path()), (Persisted::default(), None));
    let mut persisted = Persisted {
        panel: false,
        window: [900, 500],
        ..Persisted::default()
    };
    persisted.scene.surface.seed = u64::MAX;
    persisted.scene.view.pass = Some(1.5);
    persisted.seeds.watch(u64::MAX);
    settings::save(folder.path(), &persisted).unwrap();
    assert_eq!(settings::load(folder.path()), (persisted.clone(), None));

    for broken in [
        "panel = maybe",
        "[scene.surface]\nhurst = 7.0",
        "\0\u{1}",
        "[scene]\nx = 1",
    ] {
        for name in ["settings.toml", "window.toml"] {
            settings::save(folder.path(), &persisted).unwrap();
            let file = folder.path().join(name);
            fs::write(&file, broken).unwrap();
            let (loaded, complaint) = settings::load(folder.path());
            // What is in the other file stays.
            let expected = match name {
                "window.toml" => Persisted {
                    panel: persisted.panel,
                    window: persisted.window,
                    ..Persisted::default()
                },
                _ => Persisted {
                    seeds: persisted.seeds.clone(),
                    scene: persisted.scene.clone(),
                    ..Persisted::default()
                },
            };
            assert_eq!(loaded, expected);
            let aside = format!("{name}.broken");
            assert!(complaint.unwrap().contains(&aside));
            assert!(!file.exists());
            let aside = fs::read_to_string(folder.path().join(aside)).unwrap();
            assert_eq!(aside, broken);
        }
    }
}

// The worker.

fn scene_of(seed: u64, iterations: u32) -> Scene {
    let mut scene = Scene::default();
    scene.surface.seed = seed;
    scene.surface.iterations = iterations;
    scene.view.render_type = RenderType::Lines;
    scene
}

fn next(worker: &Worker) -> Made {
    let outbox = worker.wait(Duration::from_secs(20));
    outbox.made.expect("a landscape within 20 s")
}

fn next_full(worker: &Worker) -> Made {
    loop {
        let made = next(worker);
        if !made.coarse {
            return made;
        }
    }
}

fn until_idle(worker: &Worker) {
    let started = Instant::now();
    while worker.is_busy() {
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn the_newest_request_wins() {
    let wakes = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&wakes);
    let worker = Worker::start(move || {
        counted.fetch_add(1, Ordering::Relaxed);
    });
    let mut newest = 0;
    for seed in 0..200 {
        newest = worker.request(scene_of(seed, 8), false);
    }
    until_idle(&worker);
    let made = worker.take().made.unwrap();
    assert_eq!(
        (made.number, made.landscape.scene.surface.seed),
        (newest, 199)
    );
    let wakes = wakes.load(Ordering::Relaxed);
    assert!((1..500).contains(&wakes), "{wakes} wakes");
}

#[test]
fn the_coarse_landscape_comes_first_and_is_the_same_one() {
    let worker = Worker::start(|| ());
    worker.request(scene_of(3, 12), false);
    let coarse = next(&worker);
    assert!(coarse.coarse);
    assert_eq!(
        coarse.landscape.scene.surface.iterations, COARSE_ITERATIONS,
        "it says what it is"
    );
    let full = next(&worker);
    assert!(!full.coarse);
    let (few, many) = (&coarse.landscape.heights, &full.landscape.heights);
    assert_eq!(few.rows(), (1 << COARSE_ITERATIONS) + 1);
    let stride = (many.rows() - 1) / (few.rows() - 1);
    for row in 0..few.rows() {
        for column in 0..few.columns() {
            assert_eq!(few.at(row, column), many.at(row * stride, column * stride));
        }
    }
}

#[test]
fn what_is_there_already_comes_without_a_coarse_one() {
    let worker = Worker::start(|| ());
    let mut scene = scene_of(3, 11);
    worker.request(scene.clone(), false);
    drop(next_full(&worker));
    scene.view.palette = "desert".to_owned();
    worker.request(scene, false);
    assert!(!next(&worker).coarse);
}

#[test]
fn the_array_of_a_large_map_is_filled_again() {
    let worker = Worker::start(|| ());
    worker.request(scene_of(1, 12), false);
    let first = next_full(&worker).landscape.heights.heights().as_ptr() as usize;
    worker.request(scene_of(2, 12), false);
    let second = next_full(&worker).landscape.heights.heights().as_ptr() as usize;
    assert_eq!(first, second);
}

#[test]
fn cancel_stops_and_the_next_request_is_served() {
    let worker = Worker::start(|| ());
    worker.request(scene_of(1, 14), false);
    drop(next(&worker));
    let cancelled = Instant::now();
    worker.cancel();
    until_idle(&worker);
    assert!(
        cancelled.elapsed() < Duration::from_millis(500),
        "{:?}",
        cancelled.elapsed()
    );
    let outbox = worker.take();
    assert!(outbox.failed.is_none(), "cancelled is no error");
    assert!(
        outbox.made.is_none_or(|made| made.coarse),
        "nothing came of it"
    );
    let number = worker.request(scene_of(2, 5), false);
    assert_eq!(next(&worker).number, number);
}

#[test]
fn errors_come_back_and_the_next_request_is_served() {
    let worker = Worker::start(|| ());
    let mut scene = scene_of(1, 5);
    scene.surface.generator = Generator::Image;
    scene.surface.input = Some("no/such/image.png".into());
    let number = worker.request(scene, false);
    until_idle(&worker);
    let (failed, message) = worker.take().failed.unwrap();
    assert_eq!(failed, number);
    assert!(message.contains("no/such/image.png"), "{message}");
    let number = worker.request(scene_of(2, 5), false);
    assert_eq!(next(&worker).number, number);
}

#[test]
fn h_is_measured() {
    let worker = Worker::start(|| ());
    let number = worker.request(scene_of(1, 9), false);
    let started = Instant::now();
    let (measured, hurst) = loop {
        if let Some(measured) = worker.take().measured {
            break measured;
        }
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(5));
    };
    assert_eq!(measured, number);
    assert!((hurst.unwrap() - 0.7).abs() < 0.1, "{hurst:?}");
}

fn statistics_of(surface: &Surface) -> Arc<Statistics> {
    let map = surface
        .generate(&Inputs::default(), &Job::new(), None)
        .unwrap();
    Arc::new(statistics(&map, &Job::new()).unwrap())
}

#[test]
fn the_statistics_are_shown_on_request() {
    let mut test = desk(vec2(1280.0, 720.0), Scene::default());
    assert!(test.query_by_label("Statistics").is_none());
    test.get_by_label("View").click();
    test.run_steps(5);
    test.get_by_label_contains("Show the statistics").click();
    test.run_steps(5);
    assert!(test.query_by_label("Statistics").is_some());
    assert!(test.query_by_label("measuring …").is_some());
    let surface = Surface {
        iterations: 8,
        hurst: 0.6,
        ..Surface::default()
    };
    test.state_mut().ui.derived.measured = Some(Measured {
        statistics: statistics_of(&surface),
        requested_hurst: Some(0.6),
        stride: 2,
        outdated: false,
    });
    test.run_steps(5);
    assert!(test.query_by_label("measuring …").is_none());
    for words in [
        "257 × 257, one in 2",
        "(set 0.60)",
        "(theory -3.20)",
        "Fractal dimension",
        "Heights",
        "Roughness at each distance",
        "Power spectrum",
        "Creases",
    ] {
        assert!(
            test.query_all_by_label_contains(words).next().is_some(),
            "{words}"
        );
    }
    // The scene stays as large as it was, and the cross closes the window.
    key(&mut test, Modifiers::NONE, Key::F3);
    assert!(test.query_by_label("Statistics").is_none());
}

#[test]
fn statistics_of_any_map_fit_in_windows_of_any_size() {
    let ridge = Surface {
        generator: Generator::Midpoint1d,
        ..Surface::default()
    };
    let tiny = Surface {
        iterations: 1,
        ..Surface::default()
    };
    let flat = Surface {
        height_scale: 0.0,
        ..Surface::default()
    };
    for size in [
        vec2(240.0, 160.0),
        vec2(320.0, 200.0),
        vec2(800.0, 600.0),
        vec2(3840.0, 2160.0),
    ] {
        for surface in [&Surface::default(), &ridge, &tiny, &flat] {
            let mut test = desk(size, Scene::default());
            test.state_mut().ui.persisted.statistics = true;
            test.state_mut().ui.derived.measured = Some(Measured {
                statistics: statistics_of(surface),
                requested_hurst: None,
                stride: 1,
                outdated: true,
            });
            test.run_steps(5);
            let scene = test.state().ui.derived.scene_rect;
            if let Some(title) = test.query_by_label("Statistics") {
                assert!(scene.contains(title.rect().center()), "{size}");
            }
            if size.x > 600.0 {
                assert!(test.query_by_label("Fractal dimension").is_some());
            }
        }
    }
}

/// Waits for the statistics of a request.
fn next_statistics(worker: &Worker, number: u64) -> Arc<Statistics> {
    let started = Instant::now();
    loop {
        if let Some((of, statistics)) = worker.take().statistics
            && of == number
        {
            return statistics;
        }
        assert!(started.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn statistics_are_made_only_while_they_are_wanted() {
    let worker = Worker::start(|| ());
    let number = worker.request(scene_of(1, 7), false);
    until_idle(&worker);
    std::thread::sleep(Duration::from_millis(500));
    assert!(worker.take().statistics.is_none());
    // Of the landscape at hand, and again when they are shown anew.
    worker.want_statistics(true);
    let first = next_statistics(&worker, number);
    assert_eq!(first, statistics_of(&scene_of(1, 7).surface));
    worker.want_statistics(false);
    worker.want_statistics(true);
    assert!(Arc::ptr_eq(&first, &next_statistics(&worker, number)));
    // Of the next one without asking again.
    let number = worker.request(scene_of(2, 7), false);
    let second = next_statistics(&worker, number);
    assert_eq!(second, statistics_of(&scene_of(2, 7).surface));
    // Another light measures nothing anew.
    let mut scene = scene_of(2, 7);
    scene.light.bearing += 10.0;
    let number = worker.request(scene, false);
    assert!(Arc::ptr_eq(&second, &next_statistics(&worker, number)));
}

#[test]
fn measuring_gives_way_to_the_next_request() {
    let worker = Worker::start(|| ());
    worker.want_statistics(true);
    worker.request(scene_of(1, 11), false);
    next_full(&worker);
    // Past the pause: in the middle of measuring, or just done.
    std::thread::sleep(Duration::from_millis(350));
    let asked = Instant::now();
    let number = worker.request(scene_of(2, 5), false);
    let statistics = next_statistics(&worker, number);
    assert!(asked.elapsed() < Duration::from_secs(2));
    assert_eq!(statistics.measures.width, 33);
}

#[test]
fn what_has_no_effect_is_greyed_and_says_why() {
    let mut scene = Scene::default();
    scene.view.render_type = RenderType::Lines;
    let mut test = desk(TALL, scene);
    let rail = rect(&test, Role::Slider, "Cloud H");
    let before = self::scene(&test);
    drag(&mut test, &along(rail, 0.4, 0.9));
    assert_eq!(self::scene(&test), before);
    test.event(Event::PointerMoved(rail.center()));
    test.run_steps(40);
    assert!(
        test.query_by_label_contains(
            "No effect now: works only in render types `landscape`, `rendered`, `clouds` and `sky`."
        )
        .is_some()
    );
}
