//! Letters of other scripts in the window, from the fonts of the system.

use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, FontFamily, FontId, Key, Shape, vec2};
use egui_kittest::kittest::Queryable;

use crate::desk::{Test, of_scene};
use landform::app::commands::{Action, Purpose};
use landform::generate::Generator;
use landform::scene::Scene;

const WINDOW: egui::Vec2 = vec2(1280.0, 900.0);

fn desk(scene: Scene) -> Test {
    crate::desk::desk(WINDOW, of_scene(scene), |_| ())
}

fn has(test: &Test, words: &str) -> bool {
    let font = FontId::new(13.0, FontFamily::Proportional);
    test.ctx.fonts_mut(|fonts| fonts.has_glyphs(&font, words))
}

#[test]
fn names_in_other_scripts_use_system_fonts() {
    const NAMES: [&str; 4] = ["鯨島.png", "ふじさん.png", "백두산.png", "جبل.png"];
    let mut test = desk(Scene::default());
    test.run_steps(20);
    for name in NAMES {
        assert!(!has(&test, name), "{name}: nothing is read in vain");
    }
    let notices = &mut test.state_mut().ui.transient.notices;
    notices.warn(NAMES.join(" "));
    let started = Instant::now();
    while !NAMES.iter().all(|name| has(&test, name)) {
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "no fonts: scripts/deps.sh test installs some"
        );
        std::thread::sleep(Duration::from_millis(20));
        test.run_steps(2);
    }
}

/// The texts as they are drawn, in no order.
fn drawn(test: &Test) -> Vec<String> {
    fn texts(shape: &Shape, found: &mut Vec<String>) {
        match shape {
            Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts(shape, found)),
            Shape::Text(text) => found.push(text.galley.text().to_owned()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    let shapes = test.output().shapes.iter();
    shapes.for_each(|clipped| texts(&clipped.shape, &mut found));
    found
}

#[test]
fn arabic_names_are_drawn_in_reading_order_everywhere() {
    type Show = fn(&mut Test);
    const NAME: &str = "جبل.png";
    // Joined, from the right, with the ending at the end.
    const READ: &str = "\u{fede}\u{fe92}\u{fe9f}.png";
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(NAME);
    std::fs::copy("assets/icon.png", &file).unwrap();
    let mut persisted = of_scene(Scene::default());
    persisted.scene.surface.input = Some(file.clone());
    persisted.scene.surface.generator = Generator::Image;
    persisted.document.file = Some(file.clone());
    persisted.recent.note(&file);
    let places: [(&str, Show); 5] = [
        ("the panel", |_| ()),
        ("a notice", |test| {
            let notices = &mut test.state_mut().ui.transient.notices;
            notices.warn(format!("it is gone: {NAME}"));
        }),
        ("the menu", |test| {
            test.get_by_role_and_label(Role::Button, "File").click();
            test.run_steps(6);
            test.get_by_label_contains("Open recent").click();
        }),
        ("the question", |test| {
            test.state_mut().ui.persisted.scene.surface.seed += 1;
            let action = Action::Load(Box::default());
            test.state_mut().ui.apply(action);
        }),
        ("the file dialog", |test| {
            let state = &mut test.state_mut().ui;
            let file = state.persisted.document.file.clone().unwrap();
            state.persisted.folder = file.parent().map(Into::into);
            state.apply(Action::Ask(Purpose::Open));
        }),
    ];
    for (place, show) in places {
        let mut test = crate::desk::desk(WINDOW, persisted.clone(), |_| ());
        show(&mut test);
        let started = Instant::now();
        // It is in the panel, too.
        let wanted = if place == "the panel" { 1 } else { 2 };
        let read = |text: &&String| text.contains(READ);
        while drawn(&test).iter().filter(read).count() < wanted {
            let shown = drawn(&test);
            assert!(started.elapsed().as_secs() < 120, "{place}: {shown:?}");
            std::thread::sleep(Duration::from_millis(20));
            test.run_steps(2);
        }
        let as_it_is = drawn(&test).iter().any(|text| text.contains(NAME));
        assert!(!as_it_is, "{place}");
    }
}

#[test]
fn text_with_the_cursor_stays_as_typed() {
    let mut start = Scene::default();
    start.surface.generator = Generator::Formula;
    let mut test = crate::desk::desk(vec2(1280.0, 2400.0), of_scene(start), |_| ());
    test.get_by_role_and_label(Role::TextInput, "Expression")
        .focus();
    test.run_steps(3);
    test.event(Event::Text("הר".to_owned()));
    test.run_steps(3);
    let has = |test: &Test, text: &str| drawn(test).iter().any(|drawn| drawn.contains(text));
    assert!(has(&test, "הר") && !has(&test, "רה"), "{:?}", drawn(&test));
    test.key_press(Key::Tab);
    test.run_steps(2);
    assert!(has(&test, "רה"), "{:?}", drawn(&test));
}
