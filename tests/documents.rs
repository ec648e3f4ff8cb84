//! Documents without a window: what is saved where, what is asked, what counts as changed, and
//! what survives.

mod desk;

use std::fs;
use std::path::{Path, PathBuf};

use egui::accesskit::Role;
use egui::{Event, Key, LayerId, Modifiers, Order, PointerButton, Pos2, Rect, Vec2, vec2};
use egui_kittest::kittest::Queryable;

use landform::app::commands::Command;
use landform::app::dialogs::Purpose;
use landform::app::document::Document;
use landform::app::placement::{Screen, placement};
use landform::app::settings::Store;
use landform::app::state::Persisted;
use landform::app::unsaved::Answer;
use landform::app::{pins, section};
use landform::generate::diamond_square::Edges;
use landform::generate::{Generator, Surface};
use landform::import::{self, Preset};
use landform::layer::Layer;
use landform::scene::{Camera, RenderType, Scene};

use desk::{Test, of_scene, scene};

/// High enough that every section fits without scrolling.
const TALL: Vec2 = vec2(1280.0, 3400.0);
const USUAL: Vec2 = vec2(1280.0, 720.0);
const MARK: &str = "•";

fn desk_of(size: Vec2, persisted: Persisted) -> Test {
    desk::desk(size, persisted, |_| ())
}

/// A document in that file, with changes that are not saved if `modified`.
fn document(file: Option<&str>, modified: bool) -> Persisted {
    let baseline = Preset::named("crags").unwrap().scene();
    let mut scene = baseline.clone();
    if modified {
        scene.surface.seed += 1;
    }
    Persisted {
        document: Document {
            file: file.map(PathBuf::from),
            baseline,
            held: None,
        },
        scene,
        ..Persisted::default()
    }
}

fn key(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(4);
}

fn click(test: &mut Test, label: &str) {
    test.get_by_role_and_label(Role::Button, label).click();
    test.run_steps(6);
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

fn double_click(test: &mut Test, at: Pos2) {
    for pressed in [true, false, true, false] {
        press(test, at, pressed);
    }
    test.event(Event::PointerGone);
    // Another click soon after would be a third one.
    test.run_steps(60);
}

fn asks(test: &Test) -> bool {
    test.query_by_label("Discard").is_some()
}

fn commands(test: &mut Test) -> Vec<Command> {
    std::mem::take(&mut test.state_mut().commands)
}

fn unfold_all(test: &mut Test) {
    for section in ["Analysis", "Fog", "Camera"] {
        test.get_by_label(section).click();
        test.run_steps(30);
    }
}

// What counts as changed.

#[test]
fn no_row_of_any_preset_is_marked_before_it_is_changed() {
    for preset in import::presets() {
        let mut test = desk_of(TALL, of_scene(preset.scene()));
        unfold_all(&mut test);
        let marks = test.query_all_by_label(MARK).count();
        assert_eq!(marks, 0, "{}", preset.name);
    }
}

#[test]
fn what_is_changed_is_marked_and_a_double_click_on_its_name_takes_it_back() {
    let mut baseline = Preset::named("terrace").unwrap().scene();
    baseline.surface.generator = Generator::DiamondSquare;
    baseline.view.render_type = RenderType::Rendered;
    baseline.surface.hurst = 0.55;
    baseline.surface.seed = 42;
    baseline.surface.diamond_square.edges = Edges::Free;
    baseline.camera.target = [0.1, 0.2, 0.3];
    baseline.view.palette = "moon".to_owned();
    let mut persisted = of_scene(baseline.clone());
    let scene_now = &mut persisted.scene;
    scene_now.surface.hurst = 0.7;
    scene_now.surface.seed = 0;
    scene_now.surface.diamond_square.edges = Edges::Wrap;
    scene_now.modifiers[0].terrace.steps += 1;
    scene_now.camera.target = [0.0; 3];
    scene_now.view.palette = "desert".to_owned();
    let mut test = desk_of(TALL, persisted);
    unfold_all(&mut test);
    let labels = ["H", "Seed", "Edges", "Target", "Palette"];
    for (done, label) in labels.into_iter().enumerate() {
        let marks = test.query_all_by_label(MARK).count();
        assert_eq!(marks, labels.len() + 1 - done, "before {label}");
        let name = test.get_by_role_and_label(Role::Label, label).rect();
        double_click(&mut test, name.left_center() + vec2(4.0, 0.0));
    }
    let mut expected = baseline;
    expected.modifiers[0].terrace.steps += 1;
    assert_eq!(scene(&test), expected);
}

#[test]
fn home_and_reset_camera_go_to_the_camera_of_the_document() {
    let preset = Preset::named("island-noon").unwrap().scene();
    assert_ne!(preset.camera, Camera::default());
    let moved = Camera {
        bearing: 200.0,
        distance: 9.0,
        ..preset.camera.clone()
    };
    let mut persisted = of_scene(preset.clone());
    persisted.scene.camera = moved.clone();
    let mut test = desk_of(TALL, persisted);
    key(&mut test, Modifiers::NONE, Key::Home);
    assert_eq!(scene(&test).camera, preset.camera);
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test).camera, moved);
    unfold_all(&mut test);
    click(&mut test, "Reset camera");
    assert_eq!(scene(&test).camera, preset.camera);
}

#[test]
fn home_and_undo_end_what_still_moves() {
    let start = Scene::default();
    for (modifiers, then) in [(Modifiers::NONE, Key::Home), (Modifiers::COMMAND, Key::Z)] {
        let mut test = desk_of(USUAL, of_scene(start.clone()));
        for pressed in [true, false] {
            test.event(egui::Event::Key {
                key: Key::W,
                physical_key: Some(Key::W),
                pressed,
                repeat: false,
                modifiers: Modifiers::NONE,
            });
            test.run_steps(8);
        }
        let moved = scene(&test).camera;
        test.run_steps(1);
        assert_ne!(scene(&test).camera, moved, "it glides on");
        key(&mut test, modifiers, then);
        test.run_steps(90);
        assert_eq!(scene(&test).camera, start.camera, "{then:?}");
    }
}

#[test]
fn camera_moves_that_follow_each_other_are_one_step_and_a_jump_is_another() {
    let mut test = desk_of(USUAL, of_scene(Scene::default()));
    let first = scene(&test).camera;
    let turn = |test: &mut Test| {
        for arrow in [Key::ArrowRight, Key::ArrowUp] {
            key(test, Modifiers::NONE, arrow);
            // Longer than it takes to settle.
            test.run_steps(90);
        }
    };
    turn(&mut test);
    turn(&mut test);
    let found = scene(&test).camera;
    key(&mut test, Modifiers::NONE, Key::Home);
    test.run_steps(90);
    turn(&mut test);
    let mut seen = Vec::new();
    for _ in 0..2 {
        key(&mut test, Modifiers::COMMAND, Key::Z);
        seen.push(scene(&test).camera);
    }
    assert_eq!(seen, [found, first], "the view found by hand comes back");
    assert_eq!(test.state().ui.transient.history.undo_what(), None);
}

// Esc.

fn is_there(test: &Test, role: Role, label: &str) -> bool {
    test.query_by_role_and_label(role, label).is_some()
}

#[test]
fn esc_closes_menus_and_drop_downs_and_nothing_else() {
    let mut persisted = of_scene(Scene::default());
    persisted.statistics = true;
    let mut test = desk_of(USUAL, persisted);
    click(&mut test, "File");
    test.get_by_label_contains("Presets").click();
    test.run_steps(6);
    assert!(test.query_by_label_contains("Landscapes").is_some());
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(test.query_by_label_contains("Landscapes").is_none());
    assert!(test.query_by_label_contains("Quit").is_none());
    test.get_by_role_and_label(Role::ComboBox, "Generator")
        .click();
    test.run_steps(6);
    assert!(is_there(&test, Role::Button, "fourier"));
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!is_there(&test, Role::Button, "fourier"));
    assert!(test.state().ui.persisted.statistics, "one thing at a time");
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!test.state().ui.persisted.statistics);
}

#[test]
fn esc_closes_the_windows_from_the_top() {
    let mut persisted = of_scene(Scene::default());
    persisted.statistics = true;
    let mut test = desk_of(USUAL, persisted);
    // Each opens above the one before.
    let mut open = vec!["Statistics"];
    key(&mut test, Modifiers::COMMAND, Key::E);
    open.push("Export");
    test.state_mut().ui.persisted.photo.shown = true;
    test.run_steps(4);
    open.push("Picture");
    key(&mut test, Modifiers::NONE, Key::F1);
    open.push("Keys");
    let shown = |test: &Test| {
        let state = &test.state().ui;
        let persisted = &state.persisted;
        let all = [
            ("Statistics", persisted.statistics),
            ("Export", persisted.exporting.shown),
            ("Picture", persisted.photo.shown),
            ("Keys", state.transient.dialogs.keys),
        ];
        let shown = all.into_iter().filter(|(_, shown)| *shown);
        shown.map(|(name, _)| name).collect::<Vec<_>>()
    };
    while !open.is_empty() {
        assert_eq!(shown(&test), open);
        key(&mut test, Modifiers::NONE, Key::Escape);
        open.pop();
    }
    assert_eq!(shown(&test), open);
}

#[test]
fn esc_in_a_box_leaves_the_box_first() {
    let mut persisted = of_scene(Scene::default());
    persisted.statistics = true;
    let mut test = desk_of(USUAL, persisted);
    test.get_by_role_and_label(Role::TextInput, "Seed").focus();
    test.run_steps(3);
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(test.state().ui.persisted.statistics);
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!test.state().ui.persisted.statistics);
}

#[test]
fn esc_ends_what_goes_on_in_the_scene_after_the_windows() {
    let mut map = Scene::default();
    map.view.render_type = RenderType::Map;
    map.section.from = [-0.5, -0.5];
    map.section.to = [0.5, 0.5];
    let mut test = desk_of(USUAL, of_scene(map.clone()));
    let ctx = test.ctx.clone();
    section::set_drawing(&ctx, &mut map, true);
    test.run_steps(4);
    assert!(test.query_by_label(section::TITLE).is_some());
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!section::is_shown(&ctx) && section::is_drawing(&ctx, &map));
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!section::is_drawing(&ctx, &map));
    pins::set_editing(&ctx, &mut map, true);
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(!pins::is_editing(&ctx, &map));
    test.state_mut().ui.apply(Command::PlayPasses);
    assert!(test.state().ui.transient.playing.is_some());
    key(&mut test, Modifiers::NONE, Key::Escape);
    assert!(test.state().ui.transient.playing.is_none());
}

// Saving and asking.

#[test]
fn save_goes_to_the_scene_file_that_is_open_and_else_asks() {
    let cases = [
        (Some("/a/land.toml"), true),
        (Some("/a/LAND.TOML"), true),
        (Some("/a/land.png"), false),
        (Some("/a/land.npy"), false),
        (Some("/a/land"), false),
        (None, false),
    ];
    for (file, saves) in cases {
        let mut test = desk_of(USUAL, document(file, true));
        key(&mut test, Modifiers::COMMAND, Key::S);
        let asks = test.state().ui.transient.dialogs.asks();
        assert_eq!(asks, !saves, "{file:?}");
        let saved: Vec<_> = match saves {
            true => vec![Command::SaveScene(file.unwrap().into())],
            false => Vec::new(),
        };
        assert_eq!(commands(&mut test), saved, "{file:?}");
        let mut test = desk_of(USUAL, document(file, true));
        key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::S);
        assert!(test.state().ui.transient.dialogs.asks(), "{file:?}");
        assert_eq!(commands(&mut test), []);
    }
}

#[test]
fn the_title_names_the_file_and_changes_that_are_not_saved() {
    let title = |persisted: Persisted| persisted.document.title(&persisted.scene);
    assert_eq!(title(document(None, false)), "Unnamed – Landform");
    assert_eq!(title(document(None, true)), "• Unnamed – Landform");
    let file = Some("/a/land.toml");
    assert_eq!(title(document(file, false)), "land.toml – Landform");
    assert_eq!(title(document(file, true)), "• land.toml – Landform");
}

/// All that takes the document away.
fn takers() -> [Command; 4] {
    let preset = Preset::named("ridge").unwrap().scene();
    let all = [
        Command::New,
        Command::Load(Box::new(preset)),
        Command::Open("/b/other.toml".into()),
        Command::Quit,
    ];
    assert!(all.iter().all(Command::takes_the_document));
    all
}

#[test]
fn nothing_takes_unsaved_changes_away_without_a_question() {
    for command in takers() {
        let mut test = desk_of(USUAL, document(Some("/a/land.toml"), true));
        let before = test.state().ui.persisted.clone();
        for cancel in ["Cancel", "Esc"] {
            assert_eq!(test.state_mut().ui.apply(command.clone()), None);
            test.run_steps(4);
            assert!(asks(&test), "{command:?}");
            // The keys are the question's.
            key(&mut test, Modifiers::NONE, Key::R);
            match cancel {
                "Esc" => key(&mut test, Modifiers::NONE, Key::Escape),
                button => click(&mut test, button),
            }
            assert!(!asks(&test), "{command:?}");
            assert_eq!(test.state().ui.persisted, before, "{command:?}");
            assert_eq!(commands(&mut test), []);
        }
    }
}

#[test]
fn discarding_goes_on_and_undo_brings_the_old_document_back() {
    for command in takers() {
        let before = document(Some("/a/land.toml"), true);
        let mut test = desk_of(USUAL, before.clone());
        assert_eq!(test.state_mut().ui.apply(command.clone()), None);
        test.run_steps(4);
        click(&mut test, "Discard");
        assert!(!asks(&test));
        let Persisted {
            document,
            scene: shown,
            ..
        } = test.state().ui.persisted.clone();
        match &command {
            Command::Open(_) => assert_eq!(commands(&mut test), std::slice::from_ref(&command)),
            Command::Quit => {
                assert_eq!(commands(&mut test), std::slice::from_ref(&command));
                assert_eq!(shown, before.document.baseline, "not at the next start");
            }
            _ => {
                assert_eq!((document.file.as_ref(), &document.baseline), (None, &shown));
                assert!(!document.is_modified(&shown));
                key(&mut test, Modifiers::COMMAND, Key::Z);
                let back = &test.state().ui.persisted;
                assert_eq!(back.scene, before.scene);
                assert_eq!(back.document, before.document);
                key(&mut test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
                let again = &test.state().ui.persisted;
                assert_eq!((&again.document, &again.scene), (&document, &shown));
            }
        }
    }
}

#[test]
fn saving_comes_first_and_what_was_asked_for_goes_on_after_it() {
    for command in takers() {
        let mut test = desk_of(USUAL, document(Some("/a/land.toml"), true));
        assert_eq!(test.state_mut().ui.apply(command.clone()), None);
        test.run_steps(4);
        click(&mut test, "Save");
        let save = Command::SaveScene("/a/land.toml".into());
        assert_eq!(commands(&mut test), [save], "{command:?}");
        let waiting = test.state().ui.transient.dialogs.after_saving.clone();
        assert_eq!(waiting.as_deref(), Some(&command));
        // Without a name it asks for one, and who thinks better of that keeps the document.
        let mut test = desk_of(USUAL, document(None, true));
        let apply = |test: &mut Test, command| test.state_mut().ui.apply(command);
        assert_eq!(apply(&mut test, command.clone()), None);
        assert_eq!(apply(&mut test, Command::Answer(Answer::Save)), None);
        test.run_steps(4);
        assert!(test.state().ui.transient.dialogs.after_saving.is_some());
        for _ in 0..2 {
            key(&mut test, Modifiers::NONE, Key::Escape);
        }
        assert!(!test.state().ui.transient.dialogs.asks());
        assert_eq!(test.state().ui.transient.dialogs.after_saving, None);
    }
}

#[test]
fn what_is_saved_or_was_only_looked_at_is_not_asked_about() {
    for command in takers() {
        let saved = document(Some("/a/land.toml"), false);
        let mut looked_at = document(None, false);
        looked_at.scene.camera.bearing += 10.0;
        for persisted in [saved, document(None, false), looked_at] {
            let mut test = desk_of(USUAL, persisted);
            test.state_mut().ui.apply(command.clone());
            test.run_steps(4);
            assert!(!asks(&test), "{command:?}");
        }
        // The camera of a scene with a file is part of that file.
        let mut turned = document(Some("/a/land.toml"), false);
        turned.scene.camera.bearing += 10.0;
        let mut test = desk_of(USUAL, turned);
        test.state_mut().ui.apply(command.clone());
        test.run_steps(4);
        assert!(asks(&test), "{command:?}");
    }
}

#[test]
fn taking_all_changes_back_is_one_step_to_the_file_as_it_was() {
    let before = document(Some("/a/land.toml"), true);
    let mut test = desk_of(USUAL, before.clone());
    test.state_mut().ui.apply(Command::Revert);
    test.run_steps(4);
    let reverted = &test.state().ui.persisted;
    assert_eq!(reverted.scene, before.document.baseline);
    assert_eq!(reverted.document, before.document);
    key(&mut test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(&test), before.scene);
}

#[test]
fn a_file_that_changed_meanwhile_is_asked_about() {
    let file = PathBuf::from("/a/land.toml");
    let answers = [
        (
            "Overwrite",
            vec![Command::ReplaceScene(file.clone())],
            false,
        ),
        ("Save as…", Vec::new(), true),
        ("Cancel", Vec::new(), false),
    ];
    for (answer, asked, dialog) in answers {
        let mut test = desk_of(USUAL, document(Some("/a/land.toml"), true));
        let dialogs = &mut test.state_mut().ui.transient.dialogs;
        dialogs.changed = Some(file.clone());
        dialogs.after_saving = Some(Box::new(Command::Quit));
        test.run_steps(4);
        // The keys are the question's.
        key(&mut test, Modifiers::NONE, Key::R);
        assert!(test.query_by_label_contains("land.toml").is_some());
        click(&mut test, answer);
        assert_eq!(commands(&mut test), asked, "{answer}");
        let dialogs = &test.state().ui.transient.dialogs;
        assert_eq!((&dialogs.changed, dialogs.asks()), (&None, dialog));
        // What waits for the saving goes on, or is given up.
        assert_eq!(dialogs.after_saving.is_some(), answer != "Cancel");
    }
}

#[test]
fn recent_files_are_in_the_menu_newest_first() {
    let mut persisted = document(None, false);
    for name in ["one", "two", "three", "one"] {
        persisted.recent.note(Path::new(&format!("/a/{name}.toml")));
    }
    let names: Vec<_> = persisted.recent.files().iter().collect();
    assert_eq!(
        names,
        ["/a/one.toml", "/a/three.toml", "/a/two.toml"].map(Path::new)
    );
    let mut test = desk_of(USUAL, persisted);
    click(&mut test, "File");
    test.get_by_label_contains("Open recent").click();
    test.run_steps(6);
    test.get_by_label("three.toml").click();
    test.run_steps(6);
    let open = Command::Open("/a/three.toml".into());
    assert_eq!(commands(&mut test), [open]);
}

// What survives.

fn store(folder: &Path) -> (Store, Persisted) {
    let (store, persisted, complaint) = Store::open(folder, false).unwrap();
    assert_eq!(complaint, None);
    // As if it were drawn.
    store.started();
    (store, persisted)
}

#[test]
fn two_windows_keep_each_other_s_settings_and_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let (first, mut one) = store(folder.path());
    one.window = [1000, 700];
    one.recent.note(Path::new("/a/first.toml"));
    one.scene.surface.seed = 11;
    first.save(&one).unwrap();
    let (second, mut two) = store(folder.path());
    assert_eq!(two.window, one.window);
    assert!(
        !two.document.is_modified(&two.scene),
        "a landscape of its own"
    );

    one.panel = false;
    one.exporting.format = "tiff".to_owned();
    first.save(&one).unwrap();
    two.statistics = true;
    two.exporting.flip = true;
    two.recent.note(Path::new("/a/second.toml"));
    two.scene.surface.seed = 22;
    second.save(&two).unwrap();
    one.photo.samples = 4;
    one.recent.note(Path::new("/a/third.toml"));
    first.close(&one).unwrap();
    // What is older comes too late.
    first.save(&Persisted::default()).unwrap();
    second.close(&two).unwrap();
    drop((first, second));

    let (again, kept) = store(folder.path());
    assert_eq!(
        (kept.panel, kept.statistics, kept.photo.samples),
        (false, true, 4)
    );
    assert_eq!(
        (&*kept.exporting.format, kept.exporting.flip),
        ("tiff", true)
    );
    let recent: Vec<_> = kept.recent.files().iter().collect();
    let expected = ["/a/third.toml", "/a/first.toml", "/a/second.toml"];
    assert_eq!(recent, expected.map(Path::new));
    assert_eq!(kept.scene.surface.seed, 11);
    let (_, other) = store(folder.path());
    assert_eq!(other.scene.surface.seed, 22);
    drop(again);
}

#[test]
fn a_start_takes_up_the_window_with_unsaved_changes_and_one_with_a_file_leaves_it() {
    let folder = tempfile::tempdir().unwrap();
    let (first, one) = store(folder.path());
    let (second, mut two) = store(folder.path());
    first.save(&one).unwrap();
    two.scene.surface.seed = 22;
    second.save(&two).unwrap();
    drop((first, second));
    let (given, persisted, _) = Store::open(folder.path(), true).unwrap();
    assert_ne!(persisted.scene.surface.seed, 22);
    given.save(&persisted).unwrap();
    drop(given);
    let (_, found) = store(folder.path());
    assert_eq!((found.scene, found.document), (two.scene, two.document));
}

#[test]
fn settings_of_older_and_of_later_versions_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("settings.toml");
    let old = "panel = false\nlater = 5\nwindow = [900, 500]\n[scene.surface]\nseed = 77\n";
    fs::write(&file, old).unwrap();
    let (store, mut persisted) = store(folder.path());
    assert_eq!((persisted.panel, persisted.window), (false, [900, 500]));
    assert_eq!(persisted.scene.surface.seed, 77);
    persisted.statistics = true;
    store.save(&persisted).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(text.contains("later = 5") && text.contains("statistics = true"));
    assert!(!text.contains("seed"), "the scene has a file of its own");
}

#[test]
fn folded_sections_and_the_zoom_are_kept() {
    let mut test = desk_of(TALL, of_scene(Scene::default()));
    for section in ["Landscape", "Analysis"] {
        test.get_by_label(section).click();
        test.run_steps(30);
    }
    assert!(test.query_by_label("H").is_none());
    test.key_press_modifiers(Modifiers::COMMAND, Key::Plus);
    test.run_steps(5);
    let kept = test.state().ui.persisted.clone();
    assert!(kept.zoom > 1.0, "{}", kept.zoom);
    let text = toml::to_string(&kept).unwrap();
    let mut test = desk_of(TALL, toml::from_str(&text).unwrap());
    test.run_steps(30);
    assert!(test.query_by_label("H").is_none(), "Landscape is folded");
    assert!(
        test.query_by_label("Cross-section").is_some(),
        "Analysis is open"
    );
    assert_eq!(test.ctx.zoom_factor(), kept.zoom);
}

#[test]
fn folds_within_sections_are_kept_each_by_itself() {
    let mut start = Scene::default();
    let layer = |generator| Layer {
        surface: Surface {
            generator,
            ..Surface::default()
        },
        ..Layer::default()
    };
    start.layers = vec![layer(Generator::Image), layer(Generator::Image)];
    let mut kept = of_scene(start);
    let opened = |test: &Test| {
        let titles = ["More options", "How the image is read"];
        let inside = ["Repeat", "Input unit"].map(|row| {
            let rows = test.query_all_by_role_and_label(Role::Label, row);
            rows.count()
        });
        (
            titles.map(|title| test.query_all_by_label(title).count()),
            inside,
        )
    };
    let mut expected = [0, 0];
    // Of the ground and of two layers.
    for (title, count, row) in [("More options", 2, 0), ("How the image is read", 3, 1)] {
        for index in 0..count {
            let mut test = desk_of(TALL, kept);
            assert_eq!(opened(&test), ([2, 3], expected), "{title} {index}");
            test.get_all_by_label(title).nth(index).unwrap().click();
            test.run_steps(30);
            expected[row] += 1;
            assert_eq!(opened(&test), ([2, 3], expected), "{title} {index}");
            let text = toml::to_string(&test.state().ui.persisted).unwrap();
            kept = toml::from_str(&text).unwrap();
        }
    }
    assert_eq!(opened(&desk_of(TALL, kept)), ([2, 3], [2, 3]));
}

#[test]
fn a_window_opens_where_it_was_if_that_is_on_a_screen() {
    let screen = |position, size, scale| Screen {
        position,
        size,
        scale,
    };
    let desktop = [
        screen([0, 0], [1920, 1080], 1.0),
        screen([1920, 0], [3840, 2160], 2.0),
    ];
    let kept = |position| Persisted {
        position,
        ..Persisted::default()
    };
    let there = |position, expected: Option<[i32; 2]>| {
        let placed = placement(&kept(position), &desktop);
        assert_eq!(placed.position, expected, "{position:?}");
        assert_eq!((placed.size, placed.maximized), ([1280.0, 720.0], false));
    };
    for on in [[0, 0], [-100, 20], [300, 200], [1700, 900], [2000, 50]] {
        there(Some(on), Some(on));
    }
    there(None, None);
    for off in [[-300, 0], [0, -200], [5800, 0], [300, 1075], [9000, 9000]] {
        there(Some(off), None);
    }
    // Too large for the screen: all of it.
    for (size, scale) in [([1280, 720], 1.0), ([640, 480], 1.0), ([1280, 720], 2.0)] {
        let small = [screen([0, 0], size, scale)];
        let placed = placement(&kept(Some([10, 10])), &small);
        assert!(placed.maximized && placed.position.is_none());
        let pixels = placed.size.map(|side| side * scale);
        assert!(pixels[0] <= f64::from(size[0]) && pixels[1] <= f64::from(size[1]));
    }
    let full = Persisted {
        maximized: true,
        ..kept(Some([300, 200]))
    };
    let placed = placement(&full, &desktop);
    assert!(placed.maximized && placed.position == Some([300, 200]));
    assert_eq!(placement(&full, &[]).position, None);
}

// Everything is on the screen.

/// What lies above the panels, and where: windows, menus, questions.
fn above(test: &Test) -> Vec<(LayerId, Rect)> {
    let shown = |layer: &LayerId| matches!(layer.order, Order::Middle | Order::Foreground);
    test.ctx.memory(|memory| {
        let visible = memory.areas().visible_layer_ids();
        let layers = visible.into_iter().filter(shown);
        let placed = layers.filter_map(|layer| Some((layer, memory.area_rect(layer.id)?)));
        placed.collect()
    })
}

#[test]
fn menus_windows_and_questions_are_whole_on_small_screens() {
    for size in [vec2(1280.0, 720.0), vec2(640.0, 480.0), vec2(640.0, 360.0)] {
        let screen = Rect::from_min_size(Pos2::ZERO, size).expand(1.0);
        let check = |test: &Test, what: &str, last: &str| {
            let above = above(test);
            assert!(!above.is_empty(), "{what} is not there");
            for (layer, rect) in above {
                assert!(
                    screen.contains_rect(rect),
                    "{what} at {size}: {layer:?} {rect}"
                );
            }
            let mut found = test.query_all_by_label_contains(last);
            let whole = found.any(|node| screen.contains_rect(node.rect()));
            assert!(whole, "{last} of {what} at {size}");
        };
        let begin = || desk_of(size, document(None, true));
        for (menu, last) in [
            ("File", "Quit"),
            ("Edit", "Reset all settings"),
            ("View", "Automatic detail"),
            ("Help", "About Landform"),
        ] {
            let mut test = begin();
            click(&mut test, menu);
            check(&test, menu, last);
        }
        for (command, last) in [
            (Command::Quit, "Cancel"),
            (Command::ToggleExport, "Export"),
            (Command::TogglePhoto, "Picture"),
            (Command::ToggleStatistics, "Statistics"),
            (Command::ToggleKeys, "Keys"),
            (Command::ToggleAbout, "Licence"),
            (Command::Save, "Cancel"),
            (Command::Ask(Purpose::Open), "Cancel"),
        ] {
            let mut test = begin();
            test.state_mut().ui.apply(command.clone());
            test.run_steps(8);
            check(&test, &format!("{command:?}"), last);
        }
        let mut test = begin();
        test.state_mut().ui.transient.dialogs.changed = Some("/a/land.toml".into());
        test.run_steps(8);
        check(&test, "a changed file", "Overwrite");
    }
}

#[test]
fn the_longest_menu_scrolls_where_it_is_higher_than_the_window() {
    let size = vec2(640.0, 360.0);
    let mut test = desk_of(size, document(None, false));
    click(&mut test, "File");
    test.get_by_label_contains("Presets").click();
    test.run_steps(6);
    test.get_by_label_contains("Landscapes").click();
    test.run_steps(6);
    let first = test.get_by_label("alpine").rect();
    let screen = Rect::from_min_size(Pos2::ZERO, size);
    assert!(screen.contains_rect(first), "{first}");
    let last = |test: &Test| test.get_by_label("quick-start").rect();
    for _ in 0..40 {
        test.event(Event::PointerMoved(first.center()));
        test.event(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Point,
            delta: vec2(0.0, -40.0),
            modifiers: Modifiers::NONE,
        });
        test.run_steps(2);
    }
    assert!(screen.contains_rect(last(&test)), "{}", last(&test));
}

#[test]
fn render_types_of_the_document_do_not_matter_to_its_marks() {
    for render_type in [RenderType::Map, RenderType::Lines] {
        let mut scene = Scene::default();
        scene.view.render_type = render_type;
        let test = desk_of(TALL, of_scene(scene));
        assert_eq!(test.query_all_by_label(MARK).count(), 0);
    }
}
