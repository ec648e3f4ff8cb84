//! The window without a mouse, and messages and widths of its panel.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Id, Key, Modifiers, PointerButton, Rect, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::desk::{Test, of_scene, scene};
use landform::app::commands::Part;
use landform::app::files::Done;
use landform::app::session::news::{note_file, note_landscape};
use landform::app::settings;
use landform::app::state::notices::{Cause, Notices, Severity};
use landform::app::state::{PanelView, Persisted};
use landform::app::worker::Worker;
use landform::export::FORMATS;
use landform::generate::pins::Pin;
use landform::generate::{Generator, Surface};
use landform::layer::Layer;
use landform::modify::{Modifier, ModifierKind};
use landform::param::Tab;
use landform::scene::{RenderType, Scene};

const WINDOW: egui::Vec2 = vec2(1280.0, 720.0);
const NONE: Modifiers = Modifiers::NONE;

fn desk(scene: Scene) -> Test {
    crate::desk::desk(WINDOW, of_scene(scene), |_| ())
}

fn key(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(2);
}

fn focused(test: &Test) -> Option<(Id, Rect)> {
    let id = test.ctx.memory(|memory| memory.focused())?;
    let response = test.ctx.read_response(id)?;
    Some((id, response.rect))
}

#[test]
fn tab_visits_the_visible_panel_and_changes_nothing() {
    let mut test = desk(Scene::default());
    let before = scene(&test);
    let panel = test.state().ui.derived.scene_rect.right();
    key(&mut test, NONE, Key::Tab);
    assert!(test.state().ui.persisted.panel, "it is not hidden");
    let mut seen = HashSet::new();
    for _ in 0..400 {
        // It is scrolled to.
        test.run_steps(20);
        let (id, rect) = focused(&test).expect("a control has the keyboard");
        if rect.left() < panel || !seen.insert(id) {
            break;
        }
        assert!(
            rect.top() >= 0.0 && rect.bottom() <= WINDOW.y,
            "out of sight: {rect:?}"
        );
        key(&mut test, NONE, Key::Tab);
    }
    assert!(seen.len() > 60, "{}", seen.len());
    assert_eq!(scene(&test), before);
    key(&mut test, NONE, Key::Escape);
    assert_eq!(focused(&test), None, "Esc leads out");
}

#[test]
fn tab_and_f6_reveal_panel_and_f6_leaves() {
    let mut test = desk(Scene::default());
    for into in [Key::Tab, Key::F6] {
        key(&mut test, NONE, Key::F4);
        assert!(!test.state().ui.persisted.panel);
        key(&mut test, NONE, into);
        test.run_steps(3);
        assert!(test.state().ui.persisted.panel);
        let panel = test.state().ui.derived.scene_rect.right();
        assert!(focused(&test).unwrap().1.left() >= panel);
        key(&mut test, NONE, Key::F6);
        assert_eq!(focused(&test), None);
        assert!(test.state().ui.persisted.panel);
    }
}

fn focus(test: &mut Test, role: Role, label: &str) {
    test.get_by_role_and_label(role, label).focus();
    test.run_steps(3);
    assert!(focused(test).is_some(), "{label}");
}

#[test]
fn keys_move_sliders_to_ends_and_undo_reverts() {
    let mut test = desk(Scene::default());
    let before = scene(&test);
    focus(&mut test, Role::Slider, "H");
    key(&mut test, NONE, Key::ArrowRight);
    let there = scene(&test).surface.hurst;
    assert!(there > before.surface.hurst && there < 1.0, "{there}");
    key(&mut test, NONE, Key::End);
    assert_eq!(scene(&test).surface.hurst, 1.0);
    key(&mut test, NONE, Key::Home);
    assert_eq!(scene(&test).surface.hurst, 0.0);
    assert_eq!(scene(&test).camera, before.camera, "Home is the slider's");
    test.run_steps(90);
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before);
    key(&mut test, Modifiers::COMMAND, Key::Y);
    assert_eq!(scene(&test).surface.hurst, 0.0);
    // Nor does a letter mean anything to a slider.
    key(&mut test, NONE, Key::R);
    assert_ne!(scene(&test).surface.seed, before.surface.seed);
}

#[test]
fn keys_change_drop_downs_and_switches() {
    let mut test = desk(Scene::default());
    focus(&mut test, Role::ComboBox, "Generator");
    key(&mut test, NONE, Key::ArrowDown);
    key(&mut test, NONE, Key::ArrowDown);
    assert_eq!(scene(&test).surface.generator, Generator::ALL[2]);
    key(&mut test, NONE, Key::ArrowUp);
    key(&mut test, NONE, Key::ArrowUp);
    key(&mut test, NONE, Key::ArrowUp);
    assert_eq!(scene(&test).surface.generator, Generator::ALL[0]);
    focus(&mut test, Role::CheckBox, "Invert colours");
    key(&mut test, NONE, Key::Space);
    assert!(scene(&test).view.invert);
    assert_eq!(scene(&test).camera, Scene::default().camera);
}

/// The names of the drop-downs that are drawn and can be used; the arrow keys change what each
/// stands for.
fn check_drop_downs(size: egui::Vec2, persisted: &Persisted) -> Vec<String> {
    let mut test = crate::desk::desk(size, persisted.clone(), |_| ());
    let start = test.state().ui.persisted.clone();
    let count = test.get_all_by_role(Role::ComboBox).count();
    let mut names = Vec::new();
    for index in 0..count {
        let node = test.get_all_by_role(Role::ComboBox).nth(index).unwrap();
        if node.accesskit_node().is_disabled() {
            continue;
        }
        let labels = node.accesskit_node().labelled_by();
        let labels: Vec<_> = labels.filter_map(|label| label.value()).collect();
        let name = labels.concat();
        assert!(!name.is_empty(), "a drop-down without a name: {node:?}");
        node.focus();
        test.run_steps(3);
        assert_eq!(
            test.state().ui.persisted,
            start,
            "{name}: a look changes it"
        );
        // The last choice has none below it.
        let mut changed = false;
        for arrow in [Key::ArrowDown, Key::ArrowUp] {
            key(&mut test, NONE, arrow);
            changed |= test.state().ui.persisted != start;
        }
        assert!(changed, "{name} does not hear the arrow keys");
        test.state_mut().ui.persisted = start.clone();
        test.run_steps(2);
        names.push(name);
    }
    names
}

#[test]
fn every_drop_down_hears_the_arrow_keys() {
    let tall = vec2(1280.0, 9000.0);
    let mut names = HashSet::new();
    for generator in Generator::ALL {
        let mut scene = Scene::default();
        scene.surface.generator = *generator;
        if *generator == Generator::ALL[0] {
            scene.layers = vec![Layer::default()];
            let modifiers = ModifierKind::ALL.iter().map(|kind| Modifier {
                kind: *kind,
                ..Modifier::default()
            });
            scene.modifiers = modifiers.collect();
        }
        let mut persisted = of_scene(scene);
        for (fold, usually) in [("Analysis", false), ("Camera", false), ("Fog", false)] {
            persisted.folds.note(fold, usually, true);
        }
        for part in [Part::Ground, Part::Layer(0)] {
            persisted.folds.note(&part.named("options"), false, true);
            persisted.folds.note(&part.named("reading"), false, true);
        }
        names.extend(check_drop_downs(tall, &persisted));
    }
    for render_type in RenderType::ALL {
        let mut scene = Scene::default();
        scene.view.render_type = *render_type;
        scene.water.enabled = true;
        let mut persisted = of_scene(scene);
        persisted.folds.note("Analysis", false, true);
        names.extend(check_drop_downs(tall, &persisted));
    }
    for name in [
        "Generator",
        "Palette",
        "Operation",
        "Edges",
        "Input unit",
        "Ground colour",
        "Water colour",
    ] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    let mut names = HashSet::new();
    for format in FORMATS {
        let mut persisted = Persisted {
            panel: false,
            ..of_scene(Scene::default())
        };
        persisted.exporting.shown = true;
        persisted.exporting.format = format.name.to_owned();
        persisted.photo.shown = true;
        names.extend(check_drop_downs(WINDOW, &persisted));
    }
    let mut names: Vec<_> = names.into_iter().collect();
    names.sort();
    let windows = [
        "Content",
        "Engine",
        "Format",
        "Numbers",
        "Samples",
        "Size",
        "Triangles",
    ];
    assert_eq!(names, windows);
}

#[test]
fn focusing_a_box_does_not_round_its_number() {
    let mut start = Scene::default();
    start.surface.hurst = 0.123_456_7;
    let mut test = desk(start.clone());
    focus(&mut test, Role::SpinButton, "H");
    key(&mut test, NONE, Key::Tab);
    key(&mut test, NONE, Key::Tab);
    assert_eq!(scene(&test), start);
}

#[test]
fn ctrl_z_while_typing_undoes_only_the_text() {
    let mut start = Scene::default();
    start.surface.generator = Generator::Formula;
    let mut test = crate::desk::desk(vec2(1280.0, 3400.0), of_scene(start), |_| ());
    key(&mut test, NONE, Key::R);
    let before = scene(&test);
    focus(&mut test, Role::TextInput, "Expression");
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before);
}

#[test]
fn panel_keeps_its_dragged_width_across_restarts() {
    let mut test = desk(Scene::default());
    let edge = test.state().ui.derived.scene_rect.right();
    for (x, pressed) in [
        (edge + 2.0, Some(true)),
        (edge - 150.0, None),
        (edge - 150.0, Some(false)),
    ] {
        test.event(Event::PointerMoved(pos2(x, 400.0)));
        test.run_steps(1);
        if let Some(pressed) = pressed {
            test.event(Event::PointerButton {
                pos: pos2(x, 400.0),
                button: PointerButton::Primary,
                pressed,
                modifiers: NONE,
            });
        }
        test.run_steps(2);
    }
    let dragged = test.state().ui.derived.scene_rect.right();
    assert!((edge - 150.0 - dragged).abs() < 3.0, "{edge} {dragged}");
    let folder = tempfile::tempdir().unwrap();
    settings::save(folder.path(), &test.state().ui.persisted).unwrap();
    let (persisted, complaint) = settings::load(folder.path());
    assert_eq!(complaint, None);
    let again = crate::desk::desk(WINDOW, persisted, |_| ());
    let width = again.state().ui.derived.scene_rect.right();
    assert!((width - dragged).abs() < 1.0, "{width} {dragged}");
    // Whatever was wished, a part of the scene stays.
    let absurd = Persisted {
        panel_width: 1.0e6,
        ..of_scene(Scene::default())
    };
    let test = crate::desk::desk(WINDOW, absurd, |_| ());
    assert!(test.state().ui.derived.scene_rect.width() > 200.0);
}

#[test]
fn long_names_do_not_distort_the_panel() {
    let panel = |scene: Scene| {
        let test = crate::desk::desk(vec2(1280.0, 3400.0), of_scene(scene), |_| ());
        let scene = test.state().ui.derived.scene_rect;
        let roles = [Role::ComboBox, Role::Button, Role::Slider, Role::SpinButton];
        let controls = roles.map(|role| test.get_all_by_role(role).map(|c| c.rect()).collect());
        let controls: Vec<Vec<Rect>> = controls.to_vec();
        (scene, controls.concat())
    };
    let (usual, _) = panel(Scene::default());
    let longest = |names: &[&'static str]| *names.iter().max_by_key(|name| name.len()).unwrap();
    let name = longest(Generator::NAMES);
    let generator: Generator = name.parse().unwrap();
    let surface = Surface {
        generator,
        ..Surface::default()
    };
    let layer = Layer {
        surface: surface.clone(),
        ..Layer::default()
    };
    let (rect, controls) = panel(Scene {
        surface,
        layers: vec![layer; 3],
        ..Scene::default()
    });
    assert_eq!(rect, usual, "{name}");
    for control in controls {
        assert!(control.right() <= 1280.0, "{name}: {control:?}");
    }
}

#[test]
fn pins_warn_when_iterations_are_below_their_level() {
    let mut start = Scene::default();
    start.view.render_type = RenderType::Map;
    start.surface.pin_level = 5;
    start.surface.iterations = 3;
    // On the lattice of 8 cells, and between its points.
    start.surface.pins = [[0.25, 0.25], [0.0625, 0.0], [-0.0625, 0.5]]
        .map(|[x, z]| Pin { x, z, height: 0.2 })
        .to_vec();
    let words = "Iterations is 3, below the pin level 5: 2 pins lie between the map's points and have no effect.";
    let said = |scene: &Scene| {
        let test = crate::desk::desk(vec2(1280.0, 3400.0), of_scene(scene.clone()), |_| ());
        test.query_by_label(words).is_some()
    };
    assert!(said(&start));
    assert_eq!(start.surface.pinned_places().len(), 1, "it says the truth");
    start.surface.iterations = 5;
    assert!(!said(&start));
    assert!(start.surface.beyond_iterations().is_empty());
    start.surface.input_formula = "x".to_owned();
    assert_eq!(start.surface.beyond_iterations().len(), 1);
}

#[test]
fn h_has_no_effect_on_layer_formulas_either() {
    let mut start = Scene::default();
    let layer = |generator| Layer {
        surface: Surface {
            generator,
            ..Surface::default()
        },
        ..Layer::default()
    };
    start.layers = vec![layer(Generator::Formula)];
    let mut test = crate::desk::desk(vec2(1280.0, 3400.0), of_scene(start), |_| ());
    test.get_by_label("More options").click();
    test.run_steps(30);
    let sliders: Vec<_> = test.get_all_by_role_and_label(Role::Slider, "H").collect();
    let disabled = sliders
        .iter()
        .filter(|node| node.accesskit_node().is_disabled());
    assert_eq!((sliders.len(), disabled.count()), (2, 1));
}

#[test]
fn drawing_notice_leaves_with_next_picture_not_landscape() {
    let mut notices = Notices::default();
    notices.say(Cause::Drawing, Severity::Error, "no memory for the picture");
    let (worker, scene) = (Worker::start(|| ()), Scene::default());
    let number = worker.request(scene, false);
    wait(&worker, &mut notices, number);
    assert_eq!(texts(&notices), ["no memory for the picture"]);
    notices.settle(&Cause::Drawing);
    assert_eq!(texts(&notices), [""; 0]);
}

fn texts(notices: &Notices) -> Vec<&str> {
    notices.list().iter().map(|n| n.text.as_str()).collect()
}

/// Waits until the worker has done all; tells the notices what it says.
fn wait(worker: &Worker, notices: &mut Notices, number: u64) {
    let started = Instant::now();
    let mut idle = false;
    while !idle {
        assert!(started.elapsed() < Duration::from_secs(120));
        idle = !worker.is_busy();
        note_landscape(notices, &mut worker.take(), number);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_notice_goes_when_its_cause_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let holes = folder.path().join("holes.asc");
    let header = "ncols 3\nnrows 2\ncellsize 1\nNODATA_value -9\n";
    std::fs::write(&holes, format!("{header}1 2 3\n4 5 -9\n")).unwrap();
    let of_image = |path: &std::path::Path| {
        let mut scene = Scene::default();
        scene.surface.generator = Generator::Image;
        scene.surface.input = Some(path.to_owned());
        scene
    };
    let (worker, mut notices) = (Worker::start(|| ()), Notices::default());
    let number = worker.request(of_image(&holes), false);
    wait(&worker, &mut notices, number);
    let causes: Vec<_> = notices.list().iter().map(|notice| &notice.cause).collect();
    // What was filled, and what was assumed.
    assert_eq!(causes, [&Cause::Input; 2], "{:?}", texts(&notices));
    let number = worker.request(of_image(&folder.path().join("none.png")), false);
    wait(&worker, &mut notices, number);
    assert!(texts(&notices).iter().any(|text| text.contains("none.png")));
    let number = worker.request(Scene::default(), false);
    wait(&worker, &mut notices, number);
    assert_eq!(texts(&notices), [""; 0]);
}

#[test]
fn erosion_notice_lasts_while_the_scene_is_ridge() {
    let (worker, mut notices) = (Worker::start(|| ()), Notices::default());
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene.modifiers = vec![Modifier::new(ModifierKind::Erosion)];
    let mut texts_of = |render_type: RenderType| {
        scene.view.render_type = render_type;
        let number = worker.request(scene.clone(), false);
        wait(&worker, &mut notices, number);
        texts(&notices).join("; ")
    };
    let words = "modifiers.0: a ridge has nothing to erode, so erosion leaves it as it is";
    assert_eq!(texts_of(RenderType::Lines), "");
    assert_eq!(texts_of(RenderType::Ridge), words);
    assert_eq!(texts_of(RenderType::Ridge), words);
    assert_eq!(texts_of(RenderType::Lines), "");
}

#[test]
fn notices_on_the_same_matter_replace_each_other() {
    let mut notices = Notices::default();
    let failed = |words: &str| Done::Failed(words.to_owned());
    let saved = |words: &str| Done::Saved(words.to_owned());
    note_file(&mut notices, "Exporting", &failed("no room: a.png"));
    note_file(&mut notices, "Exporting", &failed("no right: b.png"));
    assert_eq!(texts(&notices), ["no right: b.png"]);
    note_file(&mut notices, "Opening", &failed("not a scene: c.toml"));
    note_file(&mut notices, "Exporting", &saved("Saved d.png"));
    assert_eq!(texts(&notices), ["not a scene: c.toml", "Saved d.png"]);
    note_file(&mut notices, "Opening", &Done::Quiet);
    assert_eq!(texts(&notices), ["Saved d.png"]);
    notices.say(Cause::Landscape, Severity::Error, "surface.hurst is 2");
    notices.say(Cause::Landscape, Severity::Error, "surface.hurst is 3");
    assert_eq!(texts(&notices), ["Saved d.png", "surface.hurst is 3"]);
}

#[test]
fn many_notices_do_not_pile_up() {
    let mut test = desk(Scene::default());
    let notices = &mut test.state_mut().ui.transient.notices;
    for number in 1..=7 {
        notices.error(format!("error {number}"));
    }
    test.run_steps(5);
    let shown = |test: &Test, words: &str| test.query_by_label(words).is_some();
    assert!(shown(&test, "error 7") && shown(&test, "error 5"));
    assert!(!shown(&test, "error 4"));
    assert!(shown(&test, "and 4 more"));
    test.get_by_label("Dismiss all").click();
    test.run_steps(5);
    assert!(test.state().ui.transient.notices.list().is_empty());
}

#[test]
fn dismissed_warning_is_not_repeated() {
    let mut notices = Notices::default();
    let both = || vec!["no palette".to_owned(), "no image".to_owned()];
    notices.renew(&Cause::Input, both());
    assert_eq!(texts(&notices), ["no palette", "no image"]);
    let read = notices.list()[0].id;
    notices.dismiss(read);
    notices.renew(&Cause::Input, both());
    assert_eq!(texts(&notices), ["no image"]);
    // Gone and come again, it is another one.
    notices.renew(&Cause::Input, Vec::new());
    assert_eq!(texts(&notices), [""; 0]);
    notices.renew(&Cause::Input, both());
    assert_eq!(texts(&notices), ["no palette", "no image"]);
}

#[test]
fn warnings_go_with_the_document() {
    let mut test = desk(Scene::default());
    let ui = &mut test.state_mut().ui;
    let notices = &mut ui.transient.notices;
    for cause in [Cause::Opened, Cause::Number] {
        notices.say(cause.clone(), Severity::Warning, format!("{cause:?}"));
    }
    ui.apply(landform::app::commands::Action::New);
    assert_eq!(texts(&ui.transient.notices), [""; 0]);
}

#[test]
fn tab_follows_the_layout() {
    let start = Scene {
        layers: vec![Layer::default(); 2],
        modifiers: vec![Modifier::new(ModifierKind::Terrace); 2],
        ..Scene::default()
    };
    for tab in Tab::ALL {
        let mut persisted = of_scene(start.clone());
        persisted.panel_view = PanelView {
            tab: *tab,
            all: true,
            one_list: false,
        };
        let mut test = crate::desk::desk(vec2(1280.0, 3400.0), persisted, |_| ());
        let panel = test.state().ui.derived.scene_rect.right();
        let title = test.get_by_role_and_label(Role::Button, "Simple").rect();
        test.get_by_role_and_label(Role::Button, "Simple").focus();
        test.run_steps(3);
        let (mut before, mut count) = (title, 0);
        loop {
            key(&mut test, NONE, Key::Tab);
            let Some((_, next)) = focused(&test).filter(|(_, rect)| rect.left() >= panel) else {
                break;
            };
            if next == title || count > 300 {
                break;
            }
            let beside = next.center().y > before.top() && next.center().y < before.bottom();
            let follows = match beside {
                true => next.left() >= before.right() - 1.0,
                false => next.center().y > before.center().y,
            };
            assert!(follows, "{tab:?}: {next:?} comes after {before:?}");
            (before, count) = (next, count + 1);
        }
        assert!(count > 8, "{tab:?}: {count}");
    }
}
