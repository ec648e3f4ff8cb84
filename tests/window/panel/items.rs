//! Items of the panel's lists: folded, renamed, and scrolled to when they are added.

use super::*;

use egui::MouseWheelUnit;

use landform::app::invalidation::{is_made, shown};
use landform::layer::Layer;
use landform::modify::MOST_NAME_LETTERS;
use landform::param::Tab;
use landform::scene::PlantLayer;

fn modifiers(kinds: &[ModifierKind]) -> Scene {
    Scene {
        modifiers: kinds.iter().copied().map(Modifier::new).collect(),
        ..Scene::default()
    }
}

/// A terrace, an inversion and an island.
fn three() -> Scene {
    modifiers(&[
        ModifierKind::Terrace,
        ModifierKind::Invert,
        ModifierKind::Island,
    ])
}

fn click_nth(test: &mut Test, label: &str, index: usize) {
    test.get_all_by_label(label).nth(index).unwrap().click();
    test.run_steps(60);
}

/// The same of a button that may be out of sight.
fn choose_nth(test: &mut Test, label: &str, index: usize) {
    let buttons = test.get_all_by_role_and_label(Role::Button, label);
    buttons.collect::<Vec<_>>()[index].click_accesskit();
    test.run_steps(60);
}

fn fold(test: &mut Test, name: &str) {
    click_nth(test, &format!("Unfold {name}"), 0);
}

/// The modifiers, with a mark after the folded ones.
fn folded(test: &Test) -> String {
    let folds = &test.state().ui.persisted.folds;
    let modifiers = scene(test).modifiers;
    let words = modifiers.iter().enumerate().map(|(index, modifier)| {
        let mark = if folds.is_item_open("Modifiers", index) {
            ""
        } else {
            "*"
        };
        format!("{}{mark}", modifier.kind)
    });
    words.collect::<Vec<_>>().join(" ")
}

fn strengths(test: &Test) -> usize {
    test.query_all_by_role_and_label(Role::Slider, "Strength")
        .count()
}

#[test]
fn folded_step_shows_only_its_name() {
    for all in [true, false] {
        let mut persisted = crate::desk::of_scene(three());
        persisted.panel_view = PanelView {
            tab: Tab::Shape,
            one_list: false,
            all,
        };
        let mut test = crate::desk::desk(TALL, persisted, |_| ());
        assert_eq!(strengths(&test), 3);
        fold(&mut test, "invert");
        assert_eq!(strengths(&test), 2);
        assert!(
            test.query_by_role_and_label(Role::CheckBox, "invert")
                .is_some()
        );
        fold(&mut test, "invert");
        assert_eq!(strengths(&test), 3);
    }
}

#[test]
fn search_finds_settings_of_folded_steps() {
    let mut test = desk(TALL, three());
    fold(&mut test, "invert");
    test.state_mut().ui.transient.filter.query = "strength".to_owned();
    test.run_steps(10);
    assert_eq!(strengths(&test), 3);
    assert!(test.query_by_label("Unfold invert").is_none());
    test.state_mut().ui.transient.filter.clear();
    test.run_steps(10);
    assert_eq!(strengths(&test), 2);
}

#[test]
fn folds_are_kept_between_starts() {
    let mut test = desk(TALL, three());
    fold(&mut test, "invert");
    let folder = tempfile::tempdir().unwrap();
    settings::save(folder.path(), &test.state().ui.persisted).unwrap();
    let (read, _) = settings::load(folder.path());
    let test = crate::desk::desk(TALL, read, |_| ());
    assert_eq!(folded(&test), "terrace invert* island");
}

#[test]
fn a_fold_follows_its_step() {
    let mut test = desk(TALL, three());
    fold(&mut test, "invert");
    assert_eq!(folded(&test), "terrace invert* island");
    click_nth(&mut test, "⏶", 1);
    assert_eq!(folded(&test), "invert* terrace island");
    let [first, last] = ["invert", "island"].map(|name| {
        let label = format!("Move {name}");
        test.get_by_label(&label).rect().center()
    });
    let below = last + vec2(0.0, 100.0);
    drag(&mut test, &[first, first + vec2(0.0, 10.0), below]);
    assert_eq!(folded(&test), "terrace island invert*");
    // A copy is open, and so is what is left when the folded one goes.
    click_nth(&mut test, "🗐", 2);
    assert_eq!(folded(&test), "terrace island invert* invert");
    click_nth(&mut test, "✖", 0);
    assert_eq!(folded(&test), "island invert* invert");
    click_nth(&mut test, "✖", 1);
    assert_eq!(folded(&test), "island invert");
}

#[test]
fn a_fold_follows_its_step_through_undo_and_edits() {
    let mut test = desk(TALL, three());
    fold(&mut test, "invert");
    click_nth(&mut test, "✖", 0);
    assert_eq!(folded(&test), "invert* island");
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(folded(&test), "terrace invert* island");
    let edited = &mut test.state_mut().ui.persisted.scene.modifiers;
    edited[1].strength = 0.5;
    edited[2] = Modifier::new(ModifierKind::Blur);
    test.run_steps(4);
    assert_eq!(folded(&test), "terrace invert* blur");
}

#[test]
fn steps_of_another_scene_are_open() {
    let mut test = desk(TALL, three());
    for name in ["terrace", "invert", "island"] {
        fold(&mut test, name);
    }
    let scene_of = &mut test.state_mut().ui.persisted.scene;
    *scene_of = modifiers(&[ModifierKind::Blur, ModifierKind::Clamp]);
    test.run_steps(4);
    assert_eq!(folded(&test), "blur clamp");
    click_nth(&mut test, "Add a modifier…", 0);
    click_nth(&mut test, "island", 0);
    assert_eq!(folded(&test), "blur clamp island");
}

/// Double-clicks the name of a step and types another.
fn retype(test: &mut Test, name: &str, words: &str) {
    let at = rect(test, Role::Label, name).center();
    crate::desk::click(test, at);
    crate::desk::click(test, at);
    // A tooltip would repeat the name of the kind.
    test.event(Event::PointerGone);
    test.event(Event::Text(words.to_owned()));
    test.run_steps(3);
}

fn name(test: &Test) -> String {
    scene(test).modifiers[0].name.clone()
}

#[test]
fn double_click_renames_a_step() {
    let mut test = desk(TALL, three());
    check_one_step(&mut test, "a new name", |test| {
        retype(test, "terrace", "Rice fields");
        key(test, Modifiers::NONE, Key::Enter);
        assert_eq!(name(test), "Rice fields");
    });
    key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    let history = &test.state().ui.transient.history;
    assert_eq!(history.undo_what(), Some("Rename modifier"));
    // It stands for the step wherever that is named.
    for label in ["Move Rice fields", "Unfold Rice fields"] {
        assert!(test.query_by_label(label).is_some(), "{label}");
    }
    assert!(test.query_by_label("terrace").is_none());
    let named = test
        .get_by_role_and_label(Role::Label, "Rice fields")
        .rect();
    test.event(Event::PointerMoved(named.center()));
    test.run_steps(90);
    assert!(test.query_by_label("terrace").is_some(), "the tooltip");
    let file = scene(&test).to_toml();
    assert!(file.contains("name = \"Rice fields\"\n"), "{file}");
    assert_eq!(Scene::parse(&file), Ok(scene(&test)));
}

#[test]
fn esc_keeps_the_old_name() {
    let mut test = desk(TALL, three());
    test.state_mut().ui.persisted.statistics = true;
    retype(&mut test, "terrace", "Rice fields");
    key(&mut test, Modifiers::NONE, Key::Escape);
    test.run_steps(60);
    assert_eq!(scene(&test), three());
    assert!(
        test.query_by_role_and_label(Role::Label, "terrace")
            .is_some()
    );
    assert!(test.state().ui.persisted.statistics, "Esc closes no window");
}

#[test]
fn a_click_elsewhere_accepts_the_name() {
    let mut test = desk(TALL, three());
    retype(&mut test, "terrace", "  Rice fields ");
    let at = rect(&test, Role::Label, "View Options").center();
    crate::desk::click(&mut test, at);
    assert_eq!(name(&test), "Rice fields");
}

#[test]
fn an_empty_name_is_that_of_the_kind() {
    let mut named = three();
    named.modifiers[0].name = "Rice fields".to_owned();
    let mut test = desk(TALL, named);
    retype(&mut test, "Rice fields", " ");
    key(&mut test, Modifiers::NONE, Key::Enter);
    assert_eq!(scene(&test), three());
    assert!(
        test.query_by_role_and_label(Role::Label, "terrace")
            .is_some()
    );
}

#[test]
fn a_long_name_is_cut() {
    let mut test = desk(TALL, three());
    retype(&mut test, "terrace", &"ä".repeat(100));
    key(&mut test, Modifiers::NONE, Key::Enter);
    assert_eq!(name(&test), "ä".repeat(MOST_NAME_LETTERS));
    scene(&test).validate().unwrap();
}

#[test]
fn layers_and_plants_are_folded_and_renamed() {
    let scene_of = Scene {
        layers: vec![Layer::default()],
        plants: vec![PlantLayer::default()],
        ..Scene::default()
    };
    let mut test = desk(TALL, scene_of);
    for (kind, row) in [("diamond-square", "Operation"), ("spruce", "Density")] {
        check_one_step(&mut test, kind, |test| {
            retype(test, kind, "Mine");
            key(test, Modifiers::NONE, Key::Enter);
            assert!(test.query_by_label("Unfold Mine").is_some());
        });
        let what = test.state().ui.transient.history.redo_what().unwrap();
        assert!(what.starts_with("Rename "), "{what}");
        assert!(test.query_by_role_and_label(Role::Label, row).is_some());
        fold(&mut test, kind);
        assert!(test.query_by_role_and_label(Role::Label, row).is_none());
    }
}

#[test]
fn a_new_name_needs_no_new_landscape() {
    let mut before = three();
    before.layers = vec![Layer::default()];
    before.plants = vec![PlantLayer::default()];
    for render_type in RenderType::ALL {
        before.view.render_type = *render_type;
        let mut after = before.clone();
        after.layers[0].name = "a".to_owned();
        after.modifiers[1].name = "b".to_owned();
        after.plants[0].name = "c".to_owned();
        assert!(is_made(&before, &after), "{render_type}");
        assert_eq!(shown(&before, &after), after);
    }
}

/// Whether a step is on screen, below the tabs of the panel.
fn is_in_sight(test: &Test, name: &str, index: usize) -> bool {
    let top = test.get_by_label("Tab Analysis").rect().bottom();
    let bottom = test.state().ui.derived.between_bars.bottom();
    let mut switches = test.get_all_by_role_and_label(Role::CheckBox, name);
    let switch = switches.nth(index).unwrap().rect();
    switch.top() > top && switch.bottom() < bottom
}

#[test]
fn panel_scrolls_to_an_added_step_once() {
    let kinds = [
        ModifierKind::Erosion,
        ModifierKind::Strata,
        ModifierKind::Thermal,
        ModifierKind::Curve,
    ];
    let mut test = desk(vec2(1280.0, 720.0), modifiers(&kinds));
    assert!(!is_in_sight(&test, "curve", 0));
    choose_nth(&mut test, "Add a modifier…", 0);
    choose_nth(&mut test, "island", 0);
    assert!(is_in_sight(&test, "island", 0));
    // From then on the user scrolls.
    let pointer = test.get_by_label("Tab Analysis").rect().center() + vec2(0.0, 200.0);
    test.event(Event::PointerMoved(pointer));
    test.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: vec2(0.0, 2000.0),
        modifiers: Modifiers::NONE,
    });
    test.run_steps(60);
    assert!(!is_in_sight(&test, "island", 0));
    choose_nth(&mut test, "🗐", 2);
    assert!(is_in_sight(&test, "thermal", 1));
}

#[test]
fn panel_scrolls_to_added_layers_and_plants() {
    for (button, kind) in [("Add a layer…", "hill"), ("Add plants…", "palm")] {
        let mut test = desk(vec2(1280.0, 720.0), Scene::default());
        choose_nth(&mut test, button, 0);
        choose_nth(&mut test, kind, 0);
        assert!(is_in_sight(&test, kind, 0), "{kind}");
    }
}
