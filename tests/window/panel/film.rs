//! The timeline of the film, and the dialog that exports it.

use egui::accesskit::Role;
use egui::{Key, Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::commands::{Action, Command, Purpose};
use landform::app::files::{Done, FileJob};
use landform::app::state::document::Document;
use landform::app::state::output::Filming;
use landform::app::state::timeline::Timeline;
use landform::app::state::{PanelView, Persisted};
use landform::batch_renderer::FilmKind;
use landform::camera::Ground;
use landform::film::{self, Ready};
use landform::heightmap::Heightmap;
use landform::scene::Scene;

use crate::desk::{Test, press, scene};
use crate::readable::carried_out;

const SIZE: (f32, f32) = (1280.0, 720.0);

fn desk(scene: Scene) -> Test {
    let persisted = Persisted {
        document: Document::unnamed(scene.clone()),
        scene,
        panel_view: PanelView::EVERYTHING,
        ..Persisted::default()
    };
    let hill = [0.0, 0.1, 0.0, 0.1, 0.4, 0.1, 0.0, 0.1, 0.0];
    let ground = Ground::new(&Heightmap::new(3, 3, true, hill.to_vec()), 1);
    let size = vec2(SIZE.0, SIZE.1);
    let mut test = crate::desk::desk(size, persisted, |ui| ui.derived.terrain = ground);
    test.key_press(Key::F5);
    test.run_steps(5);
    test
}

fn timeline(test: &Test) -> &Timeline {
    &test.state().ui.transient.timeline
}

fn click(test: &mut Test, label: &str) {
    test.get_by_role_and_label(Role::Button, label).click();
    test.run_steps(4);
}

/// Where the ruler is: above the status line, as wide as the window.
fn ruler(test: &Test) -> Rect {
    let play = test.get_by_role_and_label(Role::Button, "Add key").rect();
    Rect::from_x_y_ranges(
        14.0..=SIZE.0 - 14.0,
        play.bottom() + 5.0..=play.bottom() + 45.0,
    )
}

/// A time on the ruler: its scale, the row of the camera, or that of settings.
fn at(test: &Test, time: f32, row: f32) -> Pos2 {
    let ruler = ruler(test);
    let part = time / Timeline::span(&scene(test));
    let y = ruler.top() + [6.0, 23.0, 38.0][row as usize];
    pos2(ruler.left() + ruler.width() * part, y)
}

fn scrub(test: &mut Test, time: f32) {
    let place = at(test, time, 0.0);
    press(test, place, true);
    press(test, place, false);
    test.run_steps(3);
}

fn day() -> Scene {
    let mut day = Ready::Day.applied(&Scene::default(), None, 4.0);
    day.film.repeats = false;
    day
}

#[test]
fn playhead_puts_values_of_its_time_into_scene() {
    let mut test = desk(day());
    for time in [3.0, 1.0] {
        scrub(&mut test, time);
        let there = timeline(&test).time();
        assert!((there - time).abs() < 0.1, "{there}");
        assert_eq!(scene(&test), film::scene_at(&day(), there, None));
    }
    // To look at a film is no change of it.
    let ui = &test.state().ui;
    assert!(!ui.persisted.document.is_modified(&ui.persisted.scene));
    assert_eq!(ui.transient.history.undo_what(), None);
}

#[test]
fn film_plays_to_its_end_or_loops() {
    let mut test = desk(day());
    test.key_press(Key::Space);
    test.run_steps(60);
    let (time, light) = (timeline(&test).time(), scene(&test).light.elevation);
    assert!((0.5..1.5).contains(&time), "{time}");
    assert!(light > day().light.elevation, "{light}");
    test.key_press(Key::Space);
    test.run_steps(3);
    assert!(!timeline(&test).is_playing());
    let stopped = scene(&test);
    assert_eq!(
        stopped,
        film::scene_at(&day(), timeline(&test).time(), None)
    );
    click(&mut test, "Play");
    test.run_steps(60 * 4);
    assert!(!timeline(&test).is_playing());
    assert_eq!(timeline(&test).time(), 4.0);
    test.get_by_label("Loop").click();
    click(&mut test, "Play");
    test.run_steps(60 * 5);
    assert!(timeline(&test).is_playing());
    click(&mut test, "Pause");
    assert!(!timeline(&test).is_playing());
}

#[test]
fn key_frame_holds_camera_and_changed_settings() {
    let mut test = desk(Scene::default());
    let old = Scene::default().light.elevation;
    click(&mut test, "Add key");
    assert_eq!(scene(&test).path.frames.len(), 1);
    assert!(scene(&test).film.keys.is_empty());
    scrub(&mut test, 6.0);
    test.state_mut().ui.persisted.scene.light.elevation = 60.0;
    test.state_mut().ui.persisted.scene.camera.bearing = 77.0;
    test.run_steps(3);
    test.key_press(Key::K);
    test.run_steps(3);
    let keyed = scene(&test);
    let time = timeline(&test).time();
    assert_eq!(keyed.path.frames.len(), 2);
    assert_eq!(
        (
            keyed.path.frames[1].time,
            keyed.path.frames[1].camera.bearing
        ),
        (time, 77.0)
    );
    let keys: Vec<_> = keyed
        .film
        .keys
        .iter()
        .map(|key| (key.time, key.set.0.len()))
        .collect();
    assert_eq!(keys, [(0.0, 1), (time, 1)]);
    assert_eq!(film::scene_at(&keyed, 0.0, None).light.elevation, old);
    assert_eq!(film::scene_at(&keyed, time, None).light.elevation, 60.0);
    // One step of undo, by its name.
    let history = &test.state().ui.transient.history;
    assert!(history.undo_what().is_some());
    click(&mut test, "Delete key");
    assert_eq!(scene(&test).path.frames.len(), 1);
    assert_eq!(scene(&test).film.keys.len(), 1);
    test.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
    test.run_steps(3);
    assert_eq!(scene(&test).film, keyed.film);
    assert_eq!(scene(&test).path, keyed.path);
}

#[test]
fn key_frames_drag_along_ruler_without_crossing() {
    let mut test = desk(day());
    let before = scene(&test).film.keys[2].time;
    let from = at(&test, before, 2.0);
    let to = |test: &Test, time| at(test, time, 2.0);
    press(&mut test, from, true);
    let near = to(&test, before + 0.4);
    test.event(egui::Event::PointerMoved(near));
    test.run_steps(3);
    let far = to(&test, 3.9);
    test.event(egui::Event::PointerMoved(far));
    test.run_steps(3);
    press(&mut test, far, false);
    let keys = scene(&test).film.keys;
    let moved = keys[2].time;
    assert!((moved - before - 0.4).abs() < 0.05, "{before} to {moved}");
    assert!(keys.windows(2).all(|pair| pair[0].time < pair[1].time));
    scene(&test).validate().unwrap();
}

#[test]
fn ready_made_films_are_one_undoable_click() {
    for ready in Ready::ALL {
        let mut test = desk(Scene::default());
        click(&mut test, "Ready-made");
        click(&mut test, ready.name());
        let made = scene(&test);
        assert!(film::is_film(&made), "{ready}");
        assert_eq!(film::seconds(&made), 10.0);
        test.run_steps(5);
        test.key_press_modifiers(egui::Modifiers::COMMAND, Key::Z);
        test.run_steps(3);
        assert_eq!(scene(&test), Scene::default(), "{ready}");
    }
}

#[test]
fn dialog_asks_for_a_file_and_orders_film() {
    let mut test = desk(day());
    click(&mut test, "Export film…");
    assert!(
        test.query_by_label_contains("120 pictures in 4.00 s")
            .is_some()
    );
    let filming = &mut test.state_mut().ui.persisted.filming;
    (filming.format, filming.size) = ("gif".to_owned(), [64, 36]);
    test.run_steps(3);
    click(&mut test, "Export the film…");
    let asked = test.state().ui.transient.dialogs.file.as_ref();
    assert!(asked.is_some_and(|asked| asked.purpose == Purpose::Film));
    let ui = &test.state().ui;
    let order = ui
        .persisted
        .filming
        .order(&ui.persisted.scene, "film.gif".as_ref())
        .unwrap();
    assert_eq!((order.shot.size, order.numbers), ((64, 36), (1, 120)));
    assert!(matches!(order.kind, FilmKind::Film(format) if format.name == "gif"));
    let mut filming = ui.persisted.filming.clone();
    filming.format = "pictures".to_owned();
    let words = filming
        .order(&ui.persisted.scene, "film.png".as_ref())
        .unwrap_err();
    assert!(words.contains("####"), "{words}");
    assert!(!test.state().commands.contains(&Command::CancelFilm));
}

#[test]
fn nothing_of_a_narrow_window_is_cut_off() {
    for width in [260.0, 420.0, 700.0] {
        let persisted = Persisted {
            timeline: true,
            ..crate::desk::of_scene(day())
        };
        let mut test = crate::desk::desk(vec2(width, 500.0), persisted, |_| ());
        test.run_steps(5);
        for label in ["Play", "Add key", "Export film…"] {
            let rect = test.get_by_role_and_label(Role::Button, label).rect();
            assert!(
                rect.right() <= width && rect.left() >= 0.0,
                "{label} at {width}: {rect:?}"
            );
        }
    }
}

#[test]
fn shortened_film_has_no_key_frames_after_end() {
    let mut film = Ready::Turntable.applied(&Scene::default(), None, 10.0);
    film.film.seconds = 1.0;
    let mut test = desk(film);
    let before = scene(&test);
    assert!(before.film.keys.iter().any(|key| key.time > 1.0));
    let (end, middle) = (at(&test, 1.0, 2.0), at(&test, 0.5, 2.0));
    press(&mut test, end, true);
    press(&mut test, middle, false);
    assert_eq!(scene(&test).film, before.film);
}

/// A film whose lower limit is above the upper one at 1 s.
fn crossing() -> Scene {
    Scene::parse(
        "surface.iterations = 4
        modifiers = [{ kind = \"clamp\" }]
        film.fps = 2
        [[film.keys]]
        time = 0
        set = { \"modifiers.0.clamp.low\" = 0.1, \"modifiers.0.clamp.high\" = 0.2 }
        [[film.keys]]
        time = 1
        set = { \"modifiers.0.clamp.low\" = 0.4 }
        [[film.keys]]
        time = 2
        set = { \"modifiers.0.clamp.high\" = 0.5 }",
    )
    .unwrap()
}

#[test]
fn the_playhead_shows_no_impossible_scene() {
    let mut test = desk(crossing());
    let mut show = |time: f32| {
        test.state_mut().ui.apply(Action::ShowTime(time));
        test.run_steps(3);
        let told = test.query_by_label_contains("at 1 s of the film modifiers.0.clamp.low is 0.4");
        (scene(&test), told.is_some())
    };
    let (first, is_told) = show(0.0);
    assert!(!is_told);
    assert_eq!(show(1.0), (first, true));
    let (last, is_told) = show(2.0);
    assert!(!is_told);
    last.validate().unwrap();
}

#[test]
fn playing_film_stops_before_an_impossible_scene() {
    let mut test = desk(crossing());
    test.state_mut().ui.apply(Action::PlayFilm);
    test.run_steps(60);
    assert!(!timeline(&test).is_playing());
    assert!(timeline(&test).impossible().is_some());
    scene(&test).validate().unwrap();
}

#[test]
fn an_impossible_film_is_not_exported() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("film.gif");
    let order = Filming::default().order(&crossing(), &output).unwrap();
    match carried_out(FileJob::Film(Box::new(order))) {
        Done::Failed(words) => assert!(words.starts_with("at 1 s of the film "), "{words}"),
        _ => panic!("it is made"),
    }
    assert!(!output.exists());
}

#[test]
fn dialog_without_a_film_helps_to_make_one() {
    let mut test = desk(Scene::default());
    click(&mut test, "Export film…");
    assert!(test.query_by_label("Export the film…").is_none());
    let words = "A film needs two key frames";
    assert!(test.query_by_label_contains(words).is_some());
    click(&mut test, "Add this view as the first key frame");
    test.state_mut().ui.persisted.scene.camera.bearing = 40.0;
    test.run_steps(3);
    click(&mut test, "Add this view as the next key frame");
    let frames = scene(&test).path.frames;
    let frames: Vec<_> = frames.iter().map(|f| (f.time, f.camera.bearing)).collect();
    assert_eq!(
        frames,
        [(0.0, Scene::default().camera.bearing), (3.0, 40.0)]
    );
    assert!(test.query_by_label("Export the film…").is_some());
}

#[test]
fn dialog_says_which_formats_need_ffmpeg() {
    let mut test = desk(day());
    click(&mut test, "Export film…");
    let words = "The program ffmpeg must be installed.";
    assert!(test.query_by_label(words).is_some(), "mp4");
    test.state_mut().ui.persisted.filming.format = "png".to_owned();
    test.run_steps(3);
    assert!(test.query_by_label(words).is_none());
    test.get_by_role_and_label(Role::ComboBox, "Format").click();
    test.run_steps(4);
    assert!(test.query_by_label("webm (needs ffmpeg)").is_some());
    assert!(test.query_by_label("gif").is_some());
}

#[test]
fn film_sides_are_even_and_linked() {
    let mut filming = Filming::default();
    filming.set_side(0, 641);
    assert_eq!(filming.size, [642, 360]);
    // However small it has been meanwhile, the proportions stay.
    filming.set_side(1, 2);
    filming.set_side(0, 1920);
    assert_eq!(filming.size, [1920, 1080]);
    filming.set_linked(false);
    filming.set_side(1, 1921);
    assert_eq!(filming.size, [1920, 1922]);
    filming.set_linked(true);
    filming.set_side(0, 960);
    assert_eq!(filming.size, [960, 962]);
}

#[test]
fn steps_of_a_film_are_called_film() {
    let mut test = desk(Scene::default());
    click(&mut test, "Add key");
    test.run_steps(10);
    assert_eq!(test.state().ui.transient.history.undo_what(), Some("film"));
}
