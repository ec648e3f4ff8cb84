//! The first minute: the hint, and the tour.

use std::collections::BTreeSet;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use crate::desk::{Test, click, desk, of_scene, press, scene};
use crate::screen::{SIZE, Window, check_render, x_server};
use landform::app::commands::{Action, TourAction};
use landform::app::state::tour::STEPS;
use landform::scene::Scene;

/// A window in whose menu the tour was chosen.
fn tour(before: Scene) -> Test {
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut test = desk(size, of_scene(before), |_| ());
    for at in way(&mut test) {
        click(&mut test, at);
        test.run_steps(4);
    }
    test
}

/// Where to click in the menu for the tour.
fn way(test: &mut Test) -> [Pos2; 2] {
    let help = test.get_by_role_and_label(Role::Button, "Help").rect();
    click(test, help.center());
    test.run_steps(4);
    let tour = test.get_by_label_contains("A tour").rect();
    test.key_press_modifiers(Modifiers::NONE, Key::Escape);
    test.run_steps(4);
    [help.center(), tour.center()]
}

fn button(test: &Test, label: &str) -> Pos2 {
    let button = test.get_by_role_and_label(Role::Button, label);
    button.rect().center()
}

fn own() -> Scene {
    let mut scene = Scene::default();
    scene.surface.seed = 77;
    scene
}

#[test]
fn tour_has_seven_steps_and_restores_the_scene() {
    assert_eq!(STEPS.len(), 7);
    let mut test = tour(own());
    let mut seen = BTreeSet::new();
    for step in &STEPS {
        assert_eq!(scene(&test), step.scene(), "{}", step.title);
        scene(&test).validate().unwrap();
        assert!(
            test.query_all_by_label(step.title).count() > 0,
            "{}",
            step.title
        );
        assert!(test.query_by_label(step.tries).is_some(), "{}", step.tries);
        seen.insert(scene(&test).to_toml());
        let next = test.query_by_role_and_label(Role::Button, "Next");
        if let Some(next) = next.map(|next| next.rect().center()) {
            click(&mut test, next);
            test.run_steps(3);
        }
    }
    assert_eq!(seen.len(), 7, "each has its own scene");
    let back = button(&test, "Back");
    click(&mut test, back);
    test.run_steps(3);
    assert_eq!(scene(&test), STEPS[5].scene());
    let next = button(&test, "Next");
    click(&mut test, next);
    test.run_steps(3);
    let end = button(&test, "End");
    click(&mut test, end);
    test.run_steps(3);
    assert_eq!(scene(&test), own());
    assert!(test.state().ui.transient.tour.is_none());
    // What was done on the way can be undone as anything else.
    test.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    test.run_steps(3);
    assert_eq!(scene(&test), STEPS[6].scene());
}

#[test]
fn esc_and_another_document_end_the_tour() {
    let mut test = tour(own());
    test.key_press_modifiers(Modifiers::NONE, Key::Escape);
    test.run_steps(3);
    assert!(test.state().ui.transient.tour.is_none());
    assert_eq!(scene(&test), own());
    let ui = &mut test.state_mut().ui;
    // Begun twice, it still knows the scene of before.
    ui.apply(Action::Tour(TourAction::Begin));
    ui.apply(Action::Tour(TourAction::Next));
    ui.apply(Action::Tour(TourAction::Begin));
    assert_eq!(
        ui.transient.tour.as_ref().map(|tour| &*tour.before),
        Some(&own())
    );
    // A document that is opened is not overwritten by its end.
    let document = landform::app::state::document::Document::unnamed(Scene::default());
    ui.replace_document(document);
    assert!(ui.transient.tour.is_none());
    assert_eq!(ui.apply(Action::Tour(TourAction::End)), None);
    assert_eq!(ui.persisted.scene, Scene::default());
}

/// Where the tour was left, as the settings remember it.
fn left_at(test: &Test) -> usize {
    test.state().ui.persisted.tour_step
}

#[test]
fn tour_continues_where_it_was_left() {
    let mut test = tour(own());
    let help = test.get_by_role_and_label(Role::Button, "Help").rect();
    for _ in 0..3 {
        test.state_mut().ui.apply(Action::Tour(TourAction::Next));
    }
    test.key_press_modifiers(Modifiers::NONE, Key::Escape);
    test.run_steps(3);
    assert_eq!((scene(&test), left_at(&test)), (own(), 3));
    // The settings file keeps it.
    let text = toml::to_string(&test.state().ui.persisted).unwrap();
    let read: landform::app::state::Persisted = toml::from_str(&text).unwrap();
    assert_eq!(read.tour_step, 3);
    click(&mut test, help.center());
    test.run_steps(4);
    let go_on = test
        .get_by_label_contains("Continue the tour")
        .rect()
        .center();
    click(&mut test, go_on);
    test.run_steps(4);
    assert_eq!(scene(&test), STEPS[3].scene());
    test.state_mut().ui.apply(Action::Tour(TourAction::End));
    assert_eq!(scene(&test), own());
}

#[test]
fn finished_tour_has_nothing_to_continue() {
    let mut test = tour(own());
    for _ in 0..6 {
        test.state_mut().ui.apply(Action::Tour(TourAction::Next));
    }
    assert_eq!(left_at(&test), 6);
    test.state_mut().ui.apply(Action::Tour(TourAction::End));
    assert_eq!(left_at(&test), 0);
    let help = test.get_by_role_and_label(Role::Button, "Help").rect();
    click(&mut test, help.center());
    test.run_steps(4);
    assert!(test.query_by_label_contains("A tour").is_some());
    assert!(test.query_by_label_contains("Continue the tour").is_none());
}

#[test]
fn step_of_another_version_is_the_last_one() {
    let mut test = tour(own());
    test.state_mut().ui.apply(Action::Tour(TourAction::End));
    test.state_mut().ui.persisted.tour_step = 99;
    test.run_steps(3);
    test.state_mut().ui.apply(Action::Tour(TourAction::Resume));
    assert_eq!(scene(&test), STEPS[6].scene());
    assert_eq!(left_at(&test), 6);
}

#[test]
fn tour_card_is_never_clipped() {
    use landform::language::Language;
    let sizes = [
        (1280.0, 720.0),
        (900.0, 420.0),
        (620.0, 360.0),
        (420.0, 300.0),
    ];
    for (width, height) in sizes {
        for language in Language::ALL {
            let mut persisted = of_scene(own());
            persisted.language = Some(*language);
            let mut test = desk(vec2(width, height), persisted, |_| ());
            test.state_mut().ui.apply(Action::Tour(TourAction::Begin));
            for step in 0..STEPS.len() {
                test.run_steps(6);
                let id = egui::Id::new(landform::app::dialogs::help::TOUR_TITLE);
                let card = test.ctx.memory(|memory| memory.area_rect(id));
                let (card, picture) = (card.unwrap(), test.state().ui.derived.scene_rect);
                let what = format!("{language:?} {width}×{height} step {step}: {card} {picture}");
                assert!(picture.expand(1.0).contains_rect(card), "{what}");
                // Its buttons are on it, whole.
                let buttons = test.query_all_by_role(Role::Button);
                let buttons = buttons.map(|button| button.rect());
                let on_card = buttons.filter(|rect| card.contains_rect(*rect));
                assert!(on_card.count() >= 2, "{what}");
                test.state_mut().ui.apply(Action::Tour(TourAction::Next));
            }
        }
    }
}

#[test]
fn tour_suggestion_is_marked_once_it_is_tried() {
    let mut test = tour(own());
    let tries: [fn(&mut Scene); 7] = [
        |scene| scene.surface.iterations = 1,
        |scene| scene.view.pass = Some(1.0),
        |scene| scene.surface.hurst = 0.2,
        |scene| scene.clouds.hurst = 0.1,
        |scene| scene.modifiers[0].erosion.age = 4.0,
        |scene| scene.camera.distance *= 0.1,
        |_| (),
    ];
    for (step, act) in STEPS.iter().zip(tries) {
        let marked = format!("✔ {}", step.tries);
        let is_marked = |test: &Test| test.query_by_label(&marked).is_some();
        assert!(!is_marked(&test), "{}", step.title);
        let ui = &mut test.state_mut().ui;
        act(&mut ui.persisted.scene);
        let is_last = step.title == STEPS[6].title;
        ui.persisted.exporting.shown |= is_last;
        test.run_steps(5);
        assert!(is_marked(&test), "{}", step.title);
        if !is_last {
            test.state_mut().ui.apply(Action::Tour(TourAction::Next));
            test.run_steps(3);
        }
    }
}

#[test]
fn home_goes_back_to_where_the_step_began() {
    let mut test = tour(own());
    for _ in 0..5 {
        test.state_mut().ui.apply(Action::Tour(TourAction::Next));
    }
    test.state_mut().ui.persisted.scene.camera.distance *= 0.01;
    test.run_steps(3);
    test.key_press_modifiers(Modifiers::NONE, Key::Home);
    test.run_steps(3);
    assert_eq!(scene(&test), STEPS[5].scene());
}

#[test]
fn panel_unfolds_and_scrolls_to_tour_suggestions() {
    let size = vec2(1280.0, 500.0);
    let mut test = desk(size, of_scene(own()), |state| {
        for section in ["Landscape", "Textures", "generator", "Modifiers"] {
            state.persisted.folds.note(section, true, false);
        }
    });
    let panel = test.state().ui.derived.scene_rect.right();
    test.state_mut().ui.apply(Action::Tour(TourAction::Begin));
    let (forth, back) = ([TourAction::Next; 6], [TourAction::Back; 7]);
    let mut places = 0;
    for then in forth.into_iter().chain(back) {
        // Sections unfold and the panel scrolls for some frames.
        test.run_steps(40);
        let tour = test.state().ui.transient.tour.as_ref().expect("a tour");
        if let Some(place) = tour.place() {
            assert!(!tour.leads, "{}", place.label);
            let step = &STEPS[tour.step];
            assert!(step.tries.contains(place.label), "{}", place.label);
            let rows = test.query_all_by_label(place.label);
            let is_seen = |row: &egui_kittest::Node<'_>| {
                let (is_usable, row) = (!row.accesskit_node().is_disabled(), row.rect());
                is_usable && row.left() > panel && row.top() > 60.0 && row.bottom() < size.y
            };
            assert!(rows.into_iter().any(|row| is_seen(&row)), "{}", place.label);
            places += 1;
        }
        test.state_mut().ui.apply(Action::Tour(then));
    }
    assert_eq!(places, 10);
}

#[test]
fn hint_disappears_for_good_after_first_drag() {
    let mut test = desk(vec2(1280.0, 720.0), of_scene(own()), |_| ());
    let has_dragged = |test: &Test| test.state().ui.persisted.has_dragged;
    let scene_rect = test.state().ui.derived.scene_rect;
    let (from, to) = (scene_rect.center(), scene_rect.center() + vec2(60.0, 10.0));
    // A click, and a drag in the panel, are no drag of the scene.
    click(&mut test, from);
    let panel = scene_rect.right_center() + vec2(100.0, 0.0);
    press(&mut test, panel, true);
    test.event(egui::Event::PointerMoved(panel + vec2(40.0, 0.0)));
    test.run_steps(20);
    press(&mut test, panel + vec2(40.0, 0.0), false);
    assert!(!has_dragged(&test));
    press(&mut test, from, true);
    test.event(egui::Event::PointerMoved(to));
    test.run_steps(3);
    press(&mut test, to, false);
    assert!(has_dragged(&test));
}

/// Whether the hint is shown after that was done and another document begun.
fn hint_after(act: impl FnOnce(&mut Test)) -> bool {
    let mut test = desk(vec2(1280.0, 720.0), of_scene(own()), |_| ());
    act(&mut test);
    test.run_steps(10);
    test.state_mut().ui.apply(Action::New);
    test.run_steps(4);
    !test.state().ui.persisted.has_dragged
}

#[test]
fn the_hint_goes_with_the_wheel() {
    let goes = !hint_after(|test| {
        let middle = test.state().ui.derived.scene_rect.center();
        test.event(egui::Event::PointerMoved(middle));
        test.event(egui::Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, 40.0),
            modifiers: Modifiers::NONE,
        });
    });
    assert!(goes);
}

#[test]
fn the_hint_goes_with_the_arrow_keys() {
    let goes = !hint_after(|test| test.key_press_modifiers(Modifiers::NONE, Key::ArrowLeft));
    assert!(goes);
}

#[test]
fn the_hint_stays_until_the_camera_was_moved() {
    assert!(hint_after(|_| ()));
}

#[test]
fn tour_in_real_window_shows_renders_of_scenes() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let mut before = own();
    before.surface.iterations = 5;
    let file = home.path().join("opened.toml");
    std::fs::write(&file, before.to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    let size = image::image_dimensions(window.save_picture()).unwrap();
    let size_of = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut layout = desk(size_of, of_scene(before.clone()), |_| ());
    for at in way(&mut layout) {
        window.click(at);
        click(&mut layout, at);
        layout.run_steps(4);
    }
    for (index, step) in STEPS.iter().enumerate() {
        let (_, shown) = check_render(&window.save_picture(), size);
        assert_eq!(shown, step.scene(), "{}", step.title);
        let words = if index == 6 { "End" } else { "Next" };
        let at = button(&layout, words);
        window.click(at);
        click(&mut layout, at);
        layout.run_steps(3);
    }
    let (_, shown) = check_render(&window.save_picture(), size);
    assert_eq!(shown, before);
    window.quit();
}
