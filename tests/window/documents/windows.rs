//! Several windows, their settings and their places.

use super::*;
use landform::app::state::PanelView;

fn store(folder: &Path) -> (Store, Persisted) {
    let (store, persisted, complaint) = Store::open(folder, false).unwrap();
    assert_eq!(complaint, None);
    // This counts as drawing the window.
    store.started();
    (store, persisted)
}

#[test]
fn two_windows_keep_each_others_settings_and_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let (first, mut one) = store(folder.path());
    one.window = [1000, 700];
    one.recent.note(Path::new("/a/first.toml"));
    one.scene.surface.seed = 33;
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
    assert_eq!(kept.scene.surface.seed, 33);
    let (_, other) = store(folder.path());
    assert_eq!(other.scene.surface.seed, 22);
    drop(again);
}

#[test]
fn start_without_a_file_resumes_the_unsaved_window() {
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
fn settings_of_older_and_later_versions_are_kept() {
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
    // These are the sections of the ground and of two layers.
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
fn window_opens_in_place_if_still_on_screen() {
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
        panel_view: PanelView::EVERYTHING,
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

#[test]
fn menus_windows_and_questions_fit_small_screens() {
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
        for (action, last) in [
            (Command::Quit.into(), "Cancel"),
            (Action::ToggleExport, "Export"),
            (Action::TogglePhoto, "Picture"),
            (Action::TogglePlantExport, "Plants"),
            (Action::ToggleStatistics, "Statistics"),
            (Action::ToggleKeys, "Keys"),
            (Action::ToggleAbout, "Licence"),
            (Action::Save, "Cancel"),
            (Action::Ask(Purpose::Open), "Cancel"),
        ] {
            let mut test = begin();
            test.state_mut().ui.apply(action.clone());
            test.run_steps(8);
            check(&test, &format!("{action:?}"), last);
        }
        let mut test = begin();
        test.state_mut().ui.transient.dialogs.changed = Some("/a/land.toml".into());
        test.run_steps(8);
        check(&test, "a changed file", "Overwrite");
    }
}

#[test]
fn longest_menu_scrolls_when_taller_than_the_window() {
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
fn settings_that_are_too_long_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("settings.toml");
    // Eight gigabytes that take no room.
    fs::File::create(&path).unwrap().set_len(8 << 30).unwrap();
    let error = Store::open(folder.path(), false).err().unwrap();
    assert!(
        error.to_string().contains("bytes; allowed: up to"),
        "{error}"
    );
    assert_eq!(fs::metadata(&path).unwrap().len(), 8 << 30);
}
