//! Every box of the window that a number is typed into, found by its role.

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::desk::{Test, click, of_scene};
use landform::app::controls::number;
use landform::app::state::Persisted;
use landform::app::state::output::{PhotoScale, Triangles};
use landform::export::{Resolution, Span};
use landform::generate::pins::Pin;
use landform::layer::Layer;
use landform::mask::By;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{KeyFrame, Scene};

/// Windows and lists that have numbers, all open; every variant of a choice that has its own.
fn desks() -> Vec<Test> {
    let mut scene = Scene::default();
    scene.surface.pins = vec![Pin::default()];
    scene.layers = vec![Layer::default()];
    // Its range has the largest numbers of all.
    scene.layers[0].mask.by = By::Flow;
    scene.modifiers = ModifierKind::ALL
        .iter()
        .map(|kind| Modifier::new(*kind))
        .collect();
    scene.path.frames = vec![KeyFrame::default()];
    let mut persisted = of_scene(scene);
    persisted.photo.shown = true;
    persisted.photo.scale = PhotoScale::Pixels;
    persisted.exporting.shown = true;
    let variants: [fn(&mut Persisted); 4] = [
        |persisted| persisted.exporting.span = Span::Heights(-1.0, 1.0),
        |persisted| {
            persisted.exporting.span = Span::MetresBetween(-10.0, 10.0);
            persisted.exporting.samples = Resolution::Exactly(100);
        },
        |persisted| {
            persisted.exporting.format = "stl".to_owned();
            persisted.exporting.triangles = Triangles::AtMost(1000);
        },
        |persisted| {
            persisted.exporting.format = "stl".to_owned();
            persisted.exporting.triangles = Triangles::Within(1.0);
        },
    ];
    let desks = variants.iter().map(|vary| {
        let mut persisted = persisted.clone();
        vary(&mut persisted);
        let mut test = crate::desk::desk(vec2(1280.0, 9000.0), persisted, |_| ());
        for section in ["Fog", "Camera", "Analysis"] {
            test.get_by_label(section).click();
            test.run_steps(30);
        }
        unfold_mask(&mut test);
        test
    });
    desks.collect()
}

/// Shows the mask of the layer.
fn unfold_mask(test: &mut Test) {
    test.get_all_by_label("Mask").next().unwrap().click();
    test.run_steps(30);
}

/// Types into the number box of that index; returns the number that it holds then, and what the
/// window says.
fn type_into(test: &mut Test, index: usize, text: &str) -> (f64, String) {
    test.state_mut().ui.transient.notices.clear();
    let place = test
        .get_all_by_role(Role::SpinButton)
        .nth(index)
        .map(|node| node.rect().center());
    click(test, place.unwrap());
    test.event(Event::Text(text.to_owned()));
    test.run_steps(2);
    test.key_press(Key::Enter);
    test.run_steps(3);
    let boxes = test.get_all_by_role(Role::SpinButton).nth(index);
    let value = boxes.unwrap().accesskit_node().numeric_value().unwrap();
    let notices = test.state().ui.transient.notices.list();
    let words: Vec<_> = notices.iter().map(|notice| notice.text.clone()).collect();
    (value, words.join("; "))
}

#[test]
fn number_boxes_accept_commas_and_explain_refusals() {
    for (variant, mut test) in desks().into_iter().enumerate() {
        let scene = test.state().ui.derived.scene_rect;
        let before = test.state().ui.persisted.clone();
        let nodes = test.get_all_by_role(Role::SpinButton);
        let boxes: Vec<_> = nodes
            .map(|node| {
                // The panel is the same for all variants.
                let again = variant > 0 && !scene.contains(node.rect().center());
                let node = node.accesskit_node();
                (node.numeric_value().unwrap(), node.is_disabled() || again)
            })
            .collect();
        assert!(boxes.len() > 40);
        for (index, (value, skipped)) in boxes.into_iter().enumerate() {
            if skipped {
                continue;
            }
            for text in ["1.234,5", "0x10"] {
                let (now, words) = type_into(&mut test, index, text);
                assert!((now - value).abs() < 1e-6, "box {index}: {text} is {now}");
                assert!(words.contains("is not a number"), "box {index}: {words:?}");
                let same = test.state().ui.persisted == before;
                assert!(same, "box {index}: {text} changes something");
            }
            for (text, number) in [("0,5", 0.5), ("12 345", 12_345.0)] {
                let (now, words) = type_into(&mut test, index, text);
                let taken = (now - number).abs() < 1e-6;
                assert!(
                    taken != words.starts_with(&format!("{number} is ")),
                    "box {index}: {text} is {now}, {words:?}"
                );
                test.state_mut().ui.persisted = before.clone();
                test.run_steps(2);
            }
        }
    }
}

/// The middles of the number boxes of the panel.
fn panel_boxes(test: &Test) -> Vec<Pos2> {
    let scene = test.state().ui.derived.scene_rect;
    let boxes: Vec<_> = test
        .get_all_by_role(Role::SpinButton)
        .filter(|node| !node.accesskit_node().is_disabled())
        .map(|node| node.rect().center())
        .filter(|at| !scene.contains(*at))
        .collect();
    assert!(boxes.len() > 40);
    boxes
}

#[test]
fn a_long_number_widens_no_panel() {
    let mut test = desks().swap_remove(0);
    let scene = test.state().ui.derived.scene_rect;
    for at in panel_boxes(&test) {
        click(&mut test, at);
        test.event(Event::Text("1234567890123456789".to_owned()));
        test.run_steps(3);
        assert_eq!(test.state().ui.derived.scene_rect, scene, "typed at {at:?}");
        test.key_press(Key::Escape);
        test.run_steps(3);
    }
}

#[test]
fn looking_into_a_box_changes_and_says_nothing() {
    let mut test = desks().swap_remove(0);
    let before = crate::desk::scene(&test);
    for at in panel_boxes(&test) {
        click(&mut test, at);
        test.key_press(Key::Enter);
        test.run_steps(3);
        let notices = test.state().ui.transient.notices.list();
        assert!(notices.is_empty(), "at {at:?}: {notices:?}");
        assert!(crate::desk::scene(&test) == before, "at {at:?}");
    }
}

#[test]
fn numbers_displayed_alike_are_still_taken() {
    let mut layer = Layer::default();
    layer.mask.by = By::Flow;
    layer.mask.flow.high = 1_234_567.0;
    let mut scene = Scene {
        layers: vec![layer],
        ..Scene::default()
    };
    scene.surface.hurst = 0.500_02;
    let mut test = crate::desk::desk(vec2(1280.0, 9000.0), of_scene(scene), |_| ());
    unfold_mask(&mut test);
    for (label, text) in [("Mask high", "1235000"), ("H", "0.50004")] {
        let place = test
            .get_all_by_role_and_label(Role::SpinButton, label)
            .next()
            .map(|node| node.rect().center());
        click(&mut test, place.unwrap());
        test.event(Event::Text(text.to_owned()));
        test.run_steps(2);
        test.key_press(Key::Enter);
        test.run_steps(3);
    }
    let scene = crate::desk::scene(&test);
    assert_eq!(scene.layers[0].mask.flow.high, 1_235_000.0);
    assert_eq!(scene.surface.hurst, 0.500_04);
}

#[test]
fn excess_iterations_become_the_maximum_with_notice() {
    let mut test = crate::desk::desk(vec2(1280.0, 3700.0), of_scene(Scene::default()), |_| ());
    let place = test
        .get_by_role_and_label(Role::SpinButton, "Iterations")
        .rect()
        .center();
    click(&mut test, place);
    test.event(Event::Text("99".to_owned()));
    test.run_steps(1);
    assert_eq!(
        crate::desk::scene(&test).surface.iterations,
        8,
        "half typed"
    );
    test.key_press(Key::Enter);
    test.run_steps(3);
    assert_eq!(crate::desk::scene(&test).surface.iterations, 13);
    let notices = test.state().ui.transient.notices.list();
    assert!(notices[0].text.contains("99 is above 13"), "{notices:?}");
    // What is wrong next is said in its place, and what is right ends it.
    for (text, said) in [("x", Some("not a number")), ("9", None)] {
        click(&mut test, place);
        test.event(Event::Text(text.to_owned()));
        test.key_press(Key::Enter);
        test.run_steps(3);
        let notices = test.state().ui.transient.notices.list();
        assert_eq!(notices.len(), usize::from(said.is_some()), "{notices:?}");
        assert!(notices.iter().all(|n| n.text.contains(said.unwrap())));
    }
    assert_eq!(crate::desk::scene(&test).surface.iterations, 9);
}

#[test]
fn invalid_seed_leaves_the_old_one() {
    let mut scene = Scene::default();
    scene.surface.seed = 77;
    let mut test = crate::desk::desk(vec2(1280.0, 3700.0), of_scene(scene), |_| ());
    let seeds = [
        ("0x10", 77),
        ("1,5", 77),
        ("-3", 77),
        ("99999999999999999999999", 77),
        ("", 77),
        ("12 345", 12_345),
        ("12\u{202f}346", 12_346),
    ];
    for (text, seed) in seeds {
        let place = test.get_by_role_and_label(Role::TextInput, "Seed").rect();
        click(&mut test, place.center());
        test.key_press_modifiers(Modifiers::COMMAND, Key::A);
        test.run_steps(1);
        test.key_press(Key::Backspace);
        test.event(Event::Text(text.to_owned()));
        test.run_steps(2);
        test.key_press(Key::Enter);
        test.run_steps(3);
        assert_eq!(crate::desk::scene(&test).surface.seed, seed, "{text:?}");
        let notices = &mut test.state_mut().ui.transient.notices;
        let words = match number::read(text) {
            Some(_) => "from 0 to 18446744073709551615",
            None => "not a number",
        };
        let said = notices.list().iter().any(|n| n.text.contains(words));
        assert_eq!(said, seed == 77, "{text:?}: {:?}", notices.list());
        notices.clear();
    }
}
