//! Two thousand things that nobody would do in this order, without a window and in a real one.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::NodeT;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::desk::{Test, click_with, desk, of_scene, scene};
use crate::rows::TEXTS;
use crate::screen::{Window, check_render, x_server};
use landform::app::state::Persisted;
use landform::generate::Generator;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{RenderType, Scene};

const ACTIONS: usize = 2000;
/// A real window draws a picture for each, so it gets fewer, if nobody asks for more.
const IN_THE_WINDOW: usize = 160;
const MORE: &str = "LANDFORM_RANDOM_ACTIONS";

/// Every key that does something, and some that do not.
const KEYS: [Key; 36] = [
    Key::F1,
    Key::F3,
    Key::F4,
    Key::F5,
    Key::F6,
    Key::F11,
    Key::Tab,
    Key::Enter,
    Key::Escape,
    Key::Space,
    Key::Home,
    Key::Delete,
    Key::ArrowLeft,
    Key::ArrowRight,
    Key::ArrowUp,
    Key::ArrowDown,
    Key::A,
    Key::B,
    Key::C,
    Key::D,
    Key::E,
    Key::F,
    Key::H,
    Key::K,
    Key::N,
    Key::P,
    Key::R,
    Key::S,
    Key::V,
    Key::W,
    Key::X,
    Key::Y,
    Key::Z,
    Key::Num1,
    Key::Num3,
    Key::Num4,
];

/// Something to click or to type in, and whether it takes text.
fn controls(test: &Test) -> Vec<(Pos2, bool)> {
    let nodes = test.root().children_recursive();
    let found = nodes.filter_map(|node| {
        let raw = node.accesskit_node();
        let typed = matches!(raw.role(), Role::TextInput | Role::SpinButton);
        let clicked = matches!(
            raw.role(),
            Role::Button | Role::CheckBox | Role::ComboBox | Role::Slider | Role::RadioButton
        );
        let usable = (typed || clicked) && !raw.is_disabled() && raw.bounding_box().is_some();
        usable.then(|| (node.rect().center(), typed))
    });
    found.collect()
}

/// Does one thing; says what it was.
fn act(test: &mut Test, random: &mut Pcg64Mcg, size: egui::Vec2) -> String {
    let anywhere = |random: &mut Pcg64Mcg| {
        let along = |random: &mut Pcg64Mcg, side: f32| random.random_range(0.0..side);
        pos2(along(random, size.x), along(random, size.y))
    };
    match random.random_range(0..10) {
        0..5 => {
            let controls = controls(test);
            let Some((at, typed)) = controls.choose(random).copied() else {
                return "nothing".to_owned();
            };
            let button = match random.random_range(0..12) {
                0 => PointerButton::Secondary,
                _ => PointerButton::Primary,
            };
            click_with(test, at, button, Modifiers::NONE);
            if typed {
                let number = random.random_range(-3.0..30.0_f32).to_string();
                let text = match random.random_range(0..3) {
                    0 => (*TEXTS.choose(random).unwrap()).to_owned(),
                    1 => number,
                    _ => number.replace('.', ","),
                };
                test.key_press_modifiers(Modifiers::COMMAND, Key::A);
                test.event(Event::Text(text));
                test.run_steps(1);
                test.key_press_modifiers(Modifiers::NONE, Key::Enter);
            }
            format!("a click at {at:?}")
        }
        5..8 => {
            let key = *KEYS.choose(random).unwrap();
            let modifiers = *[
                Modifiers::NONE,
                Modifiers::NONE,
                Modifiers::NONE,
                Modifiers::SHIFT,
                Modifiers::COMMAND,
                Modifiers::COMMAND | Modifiers::SHIFT,
            ]
            .choose(random)
            .unwrap();
            test.key_press_modifiers(modifiers, key);
            format!("{modifiers:?} {key:?}")
        }
        8 => {
            let (from, to) = (anywhere(random), anywhere(random));
            test.event(Event::PointerMoved(from));
            for (at, pressed) in [(from, true), (to, false)] {
                test.event(Event::PointerMoved(at));
                test.event(Event::PointerButton {
                    pos: at,
                    button: PointerButton::Primary,
                    pressed,
                    modifiers: Modifiers::NONE,
                });
                test.run_steps(2);
            }
            format!("a drag from {from:?} to {to:?}")
        }
        _ => {
            let at = anywhere(random);
            test.event(Event::PointerMoved(at));
            test.event(Event::MouseWheel {
                unit: MouseWheelUnit::Line,
                delta: vec2(0.0, random.random_range(-3.0..3.0)),
                modifiers: Modifiers::NONE,
            });
            format!("the wheel at {at:?}")
        }
    }
}

/// The scene is what its files are, short and long, and so is what is kept of the window.
fn check(persisted: &Persisted, what: &str) {
    let scene = &persisted.scene;
    scene
        .validate()
        .unwrap_or_else(|error| panic!("{what}: {error}"));
    for text in [scene.to_toml(), scene.to_short_toml()] {
        assert_eq!(Scene::parse(&text).as_ref(), Ok(scene), "{what}");
    }
    let kept = toml::to_string(persisted).unwrap();
    assert_eq!(
        toml::from_str::<Persisted>(&kept).as_ref(),
        Ok(persisted),
        "{what}"
    );
}

fn start(seed: u64) -> Scene {
    let mut scene = Scene::default();
    let pick = |count: usize| seed as usize % count;
    scene.surface.generator = Generator::ALL[pick(Generator::ALL.len())];
    scene.view.render_type = RenderType::ALL[pick(RenderType::ALL.len())];
    scene.modifiers = vec![Modifier::new(ModifierKind::Erosion)];
    scene
}

#[test]
fn random_actions_leave_a_scene_its_file_holds() {
    let sizes = [
        vec2(1280.0, 720.0),
        vec2(520.0, 420.0),
        vec2(1700.0, 1100.0),
    ];
    for (seed, size) in (0..).zip(sizes) {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let mut test = desk(size, of_scene(start(seed)), |_| ());
        let (mut last, mut changes, mut most) = (Vec::new(), 0, 0);
        for action in 0..ACTIONS / sizes.len() {
            let before = scene(&test);
            let what = act(&mut test, &mut random, size);
            // Now and then so long that an edit has settled.
            test.run_steps(if action % 20 == 0 { 70 } else { 1 });
            // It would make folders.
            test.state_mut().ui.transient.dialogs.file = None;
            changes += usize::from(scene(&test) != before);
            let history = &test.state().ui.transient.history;
            most = most.max(history.states(usize::MAX).0.len());
            last.push(what);
            let lately = &last[last.len().saturating_sub(8)..];
            let words = format!("seed {seed}, action {action}: {lately:?}");
            check(&test.state().ui.persisted, &words);
        }
        assert!(changes > 50, "only {changes} have changed the scene");
        assert!(most > 5, "only {most} states");
        // All of it can be taken back and done again.
        let ui = &mut test.state_mut().ui;
        let (history, document) = (&mut ui.transient.history, &mut ui.persisted.document);
        let scene = &mut ui.persisted.scene;
        history.commit(scene);
        let end = scene.clone();
        let mut steps = 0;
        while history.undo_what().is_some() {
            history.undo(scene, document);
            scene.validate().unwrap();
            steps += 1;
        }
        // What was undone before may be done again after that.
        for _ in 0..steps {
            history.redo(scene, document);
        }
        assert_eq!(*scene, end);
    }
}

/// Memory of a process in bytes, where the system says it.
fn memory(id: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes = line.split_whitespace().nth(1)?.parse::<u64>().ok()?;
    Some(kilobytes << 10)
}

/// Keys for the real window, as xdotool names them: all but those that end it, ask for files or make
/// windows.
const NAMES: [&str; 34] = [
    "F1",
    "F3",
    "F4",
    "F5",
    "F6",
    "F11",
    "Tab",
    "Escape",
    "space",
    "Home",
    "Left",
    "Right",
    "Up",
    "Down",
    "a",
    "b",
    "c",
    "d",
    "e",
    "h",
    "k",
    "p",
    "q",
    "r",
    "s",
    "v",
    "w",
    "x",
    "shift+X",
    "1",
    "2",
    "4",
    "ctrl+z",
    "ctrl+shift+z",
];

/// Keys that show and hide most of what there is, and leave all as it was.
const ROUND: [&str; 14] = [
    "v", "Escape", "h", "r", "r", "ctrl+z", "ctrl+z", "h", "F5", "F5", "c", "x", "Escape", "Escape",
];

#[test]
fn picture_matches_scene_after_random_window_actions() {
    const BETWEEN: usize = 40;
    /// Rounds whose least memory counts, and the bytes that one may add.
    const ROUNDS: u64 = 6;
    const MOST_GROWN: u64 = 4 << 20;
    let asked = std::env::var(MORE).ok().and_then(|text| text.parse().ok());
    let all = asked.unwrap_or(IN_THE_WINDOW);
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    let file = home.path().join("opened.toml");
    std::fs::write(&file, scene.to_toml()).unwrap();
    let mut window = Window::open(&display, home.path(), Some(&file));
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    let mut random = Pcg64Mcg::seed_from_u64(17);
    // Beside the panel, whose sliders could ask for more land than a test has time for.
    let place = Rect::from_min_max(pos2(20.0, 120.0), pos2(900.0, 560.0));
    for action in 0..all {
        let mut arguments: Vec<String> = Vec::new();
        let mut add =
            |words: &[&str]| arguments.extend(words.iter().map(|word| (*word).to_owned()));
        let x = random.random_range(place.x_range().min..place.x_range().max);
        let y = random.random_range(place.y_range().min..place.y_range().max);
        let [x, y] = [x, y].map(|at| at.round().to_string());
        match random.random_range(0..10) {
            0..6 => add(&["key", NAMES.choose(&mut random).unwrap()]),
            6 => add(&["mousemove", "--window", &window.id, &x, &y, "click", "1"]),
            7 => add(&["mousemove", "--window", &window.id, &x, &y, "click", "4"]),
            8 => add(&["mousemove", "--window", &window.id, &x, &y, "click", "5"]),
            _ => {
                add(&["mousedown", "1"]);
                add(&["mousemove", "--window", &window.id, &x, &y, "mouseup", "1"]);
            }
        }
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        window.xdotool(&words);
        if (action + 1) % BETWEEN == 0 {
            // Out of what is typed in, played and asked.
            for _ in 0..4 {
                window.key("Escape");
            }
            let path = window.save_picture();
            let size = image::image_dimensions(&path).unwrap();
            check_render(&path, size);
            assert!(window.runs());
        }
    }
    // What goes round and round takes no more memory each time.
    let round = || {
        for key in ROUND {
            window.key(key);
        }
        std::fs::remove_file(window.save_picture()).unwrap();
        memory(window.process_id())
    };
    // Until the driver and the allocator have what they keep, a round adds up to 3 MB, and single
    // measures differ by as much as what one round makes: so the least of several is compared, and
    // the first of these are left out.
    let least_of_rounds = || (0..ROUNDS).filter_map(|_| round()).min();
    least_of_rounds();
    let (early, late) = (least_of_rounds(), least_of_rounds());
    if let (Some(early), Some(late)) = (early, late) {
        let grown = late.saturating_sub(early);
        assert!(grown <= ROUNDS * MOST_GROWN, "{late} bytes after {early}");
    }
    for _ in 0..4 {
        window.key("Escape");
    }
    window.quit();
}
