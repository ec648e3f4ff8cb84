//! Sliders, choices, switches, numbers and the seed.

use super::*;

fn double_click(test: &mut Test, at: Pos2) {
    for pressed in [true, false, true, false] {
        press(test, at, pressed);
    }
    // Another click soon after would be a third one.
    test.run_steps(60);
}

#[test]
fn every_slider_changes_the_scene_in_one_step() {
    let sliders = [
        "Iterations",
        "H",
        "Height scale",
        "Tile",
        "Tile size",
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

/// In a slow frame much time passes between the press and the release of a quick click.
#[test]
fn a_click_counts_however_long_it_takes() {
    let mut test = tall();
    let before = scene(&test).view.antialias;
    let switch = rect(&test, Role::CheckBox, "Antialias").center();
    press(&mut test, switch, true);
    test.run_steps(120);
    press(&mut test, switch, false);
    assert_ne!(scene(&test).view.antialias, before);
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
fn double_click_resets_only_the_setting_under_it() {
    let mut changed = Scene::default();
    changed.surface.hurst = 0.2;
    changed.surface.iterations = 5;
    changed.view.tile = 3;
    let mut persisted = crate::desk::of_scene(Scene::default());
    persisted.scene = changed.clone();
    let mut test = crate::desk::desk(TALL, persisted, |_| ());
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
fn reset_all_resets_everything_and_undo_restores_it() {
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
fn undoing_a_seed_keeps_the_list_of_seeds() {
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
fn largest_seed_can_be_typed_but_letters_cannot() {
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
    assert!(notices.last().unwrap().text.contains("not a number"));
}

#[test]
fn render_types_without_ground_say_what_the_settings_of_the_land_act_on() {
    for shown in RenderType::ALL {
        let mut scene = Scene::default();
        scene.view.render_type = *shown;
        let mut test = desk(vec2(1280.0, 720.0), scene);
        test.run_steps(3);
        let words = "settings of the land act only on exported files";
        let is_said = test.query_by_label_contains(words).is_some();
        let has_no_ground = matches!(shown, RenderType::Clouds | RenderType::Sky);
        assert_eq!(is_said, has_no_ground, "{shown}");
    }
}
