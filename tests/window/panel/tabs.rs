//! Tabs of the panel, its simple mode, other words for settings, the command palette, and menus
//! opened by keys.

use super::*;

use landform::app::state::UiState;
use landform::import;
use landform::language::Language;
use landform::param::Tab;
use landform::scene::RockKind;

const USUAL: egui::Vec2 = vec2(1280.0, 720.0);

/// A window as it is at its first start.
fn first_start(size: egui::Vec2, prepare: impl FnOnce(&mut UiState)) -> Test {
    let mut test = crate::desk::desk(size, Persisted::default(), prepare);
    test.run_steps(30);
    test
}

/// A window in simple mode with a tab of a scene.
fn tab_of(scene: Scene, tab: Tab) -> Test {
    let mut persisted = crate::desk::of_scene(scene);
    persisted.panel_view = PanelView {
        tab,
        ..PanelView::default()
    };
    let mut test = crate::desk::desk(USUAL, persisted, |_| ());
    test.run_steps(30);
    test
}

/// The texts on screen.
fn labels(test: &Test) -> Vec<String> {
    let nodes = test.root().children_recursive();
    let texts = nodes.filter_map(|node| {
        let node = node.accesskit_node();
        (node.role() == Role::Label).then(|| node.value()).flatten()
    });
    texts.collect()
}

fn shows(test: &Test, label: &str) -> bool {
    labels(test).iter().any(|other| other == label)
}

fn click_label(test: &mut Test, label: &str) {
    let at = test.get_by_label(label).rect().center();
    crate::desk::click(test, at);
    test.run_steps(30);
}

#[test]
fn martz_controls_are_on_the_first_tab() {
    let mut martz = Scene::default();
    // His program draws the baked texture under clouds.
    martz.view.render_type = RenderType::Rendered;
    let test = tab_of(martz, PanelView::default().tab);
    for label in [
        "Render type",
        "Seed",
        "Iterations",
        "H",
        "Height scale",
        "Tile",
        "Texture iterations",
        "Texture H",
        "Cloud iterations",
        "Cloud H",
        "Invert colours",
        "Antialias",
        "Texture filter",
    ] {
        assert!(shows(&test, label), "{label}");
    }
    // Smooth shading is of triangles only.
    let mut triangles = Scene::default();
    triangles.view.render_type = RenderType::Triangles;
    assert!(shows(&tab_of(triangles, Tab::Land), "Shading"));
}

#[test]
fn each_tab_fits_the_usual_window_in_every_language() {
    let mut wrong = Vec::new();
    for language in Language::ALL {
        for tab in Tab::ALL {
            let test = first_start(USUAL, |state| {
                state.persisted.language = Some(*language);
                state.persisted.panel_view.tab = *tab;
            });
            let derived = &test.state().ui.derived;
            let (left, bottom) = (derived.scene_rect.right(), derived.between_bars.bottom());
            let nodes = test.root().children_recursive();
            let boxes = nodes.filter_map(|node| node.accesskit_node().bounding_box());
            let boxes = boxes.filter(|rect| rect.x0 as f32 >= left && rect.width() > 0.0);
            // Containers reach as far as they could.
            let lowest = boxes
                .filter(|rect| rect.height() < 60.0)
                .map(|rect| rect.y1 as f32)
                .fold(0.0_f32, f32::max);
            // Lists of layers and modifiers may scroll.
            let is_list = [Tab::Shape, Tab::Plants].contains(tab);
            if lowest > bottom && !is_list {
                wrong.push(format!("{language:?} {tab}: {lowest} > {bottom}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn simple_mode_leaves_out_what_does_nothing_and_advanced_settings() {
    let mut scene = Scene::default();
    scene.water.enabled = false;
    let mut test = tab_of(scene.clone(), Tab::Water);
    assert!(shows(&test, "Water") && !shows(&test, "Waves") && !shows(&test, "Clarity"));
    scene.water.enabled = true;
    test.state_mut().ui.persisted.scene = scene.clone();
    test.run_steps(10);
    assert!(shows(&test, "Waves") && !shows(&test, "Clarity"));
    // A setting that the scene uses is shown, with a mark.
    scene.water.clarity = 0.5;
    let mut test = tab_of(scene, Tab::Water);
    let all = labels(&test);
    let place = all.iter().position(|label| label == "Clarity").unwrap();
    assert_eq!(all[place + 1], "•");
    assert!(!shows(&test, "Beach"));
    // All shows the rest.
    click_label(&mut test, "All");
    assert!(shows(&test, "Beach"));
    assert!(test.state().ui.persisted.panel_view.all);
    click_label(&mut test, "Simple");
    assert!(!shows(&test, "Beach"));
}

#[test]
fn the_note_at_the_end_counts_what_is_left_out_and_shows_it() {
    let mut test = tab_of(Scene::default(), Tab::Analysis);
    let advanced = ["Labels", "Legend", "Snap to rivers"];
    assert!(advanced.iter().all(|label| !shows(&test, label)));
    let note = test.get_by_label_contains("more settings in All").rect();
    crate::desk::click(&mut test, note.center());
    test.run_steps(30);
    assert!(advanced.iter().all(|label| shows(&test, label)));
    let notes = test.query_all_by_label_contains("more settings in All");
    assert_eq!(notes.count(), 0);
}

#[test]
fn a_slider_that_hides_rows_above_it_can_be_dragged_on() {
    // Folds of limestone are advanced; with none the row below stays the same slider.
    let mut scene = Scene::default();
    scene.rock.kind = RockKind::Limestone;
    scene.rock.variety = 0.2;
    let mut test = tab_of(scene, Tab::Rock);
    assert!(shows(&test, "Bed variety"));
    let joints = rect(&test, Role::Slider, "Joints");
    let from = along(joints, 0.2, 0.8);
    press(&mut test, from[0], true);
    // While it is dragged, a row above would leave.
    test.state_mut().ui.persisted.scene.rock.variety = Scene::default().rock.variety;
    for at in &from {
        test.event(Event::PointerMoved(*at));
        test.run_steps(1);
    }
    assert!(shows(&test, "Bed variety"));
    press(&mut test, from[6], false);
    test.event(Event::PointerGone);
    test.run_steps(4);
    assert!(!shows(&test, "Bed variety"));
    let joints = self::scene(&test).rock.joints;
    assert!((joints - 0.8).abs() < 0.05, "{joints}");
}

#[test]
fn tabs_show_their_sections_and_a_second_click_shows_all() {
    let mut test = first_start(TALL, |state| {
        state.persisted.panel_view = PanelView {
            tab: Tab::Analysis,
            one_list: false,
            all: true,
        };
    });
    for tab in Tab::ALL {
        click_label(&mut test, &format!("Tab {tab}"));
        assert_eq!(test.state().ui.persisted.panel_view.tab, *tab);
        for (_, title, of) in Scene::SECTIONS {
            let headers = test.query_all_by_role_and_label(Role::Button, title);
            assert_eq!(headers.count() > 0, of == tab, "{title} on {tab}");
        }
    }
    click_label(&mut test, "Tab Analysis");
    assert!(test.state().ui.persisted.panel_view.one_list);
    for (_, title, _) in Scene::SECTIONS {
        let mut headers = test.query_all_by_role_and_label(Role::Button, title);
        assert!(headers.next().is_some(), "{title}");
    }
    click_label(&mut test, "Tab Light");
    let view = test.state().ui.persisted.panel_view;
    assert_eq!((view.tab, view.one_list), (Tab::Light, false));
}

#[test]
fn tab_and_mode_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let persisted = Persisted {
        panel_view: PanelView {
            tab: Tab::Water,
            one_list: true,
            all: true,
        },
        ..Persisted::default()
    };
    settings::save(folder.path(), &persisted).unwrap();
    let (read, error) = settings::load(folder.path());
    assert_eq!((read.panel_view, error), (persisted.panel_view, None));
}

#[test]
fn a_search_finds_settings_of_every_tab_and_both_modes() {
    let mut test = tab_of(Scene::default(), Tab::Plants);
    key(&mut test, Modifiers::COMMAND, Key::F);
    test.event(Event::Text("max. error".to_owned()));
    test.run_steps(10);
    assert!(shows(&test, "Max. error"));
    // A tab ends the search.
    click_label(&mut test, "Tab Light");
    assert!(test.state().ui.transient.filter.query.is_empty());
    assert!(shows(&test, "Sun bearing"));
}

#[test]
fn artists_find_what_they_look_for() {
    let mut test = tab_of(import::start().clone(), Tab::Land);
    let words = [
        ("resolution", "Iterations"),
        ("world size", "Tile size"),
        ("gradient", "Palette"),
        ("lens", "Field of view"),
        ("focal", "Field of view"),
        ("snow", "Snowfall"),
        ("ridge", "Generator"),
        ("star", "Light from"),
        ("contrast", "Exposure"),
        ("warp", "Generator"),
        ("roughness", "H"),
        ("amplitude", "Height scale"),
        ("sea level", "Water level"),
        ("sunset", "Sun elevation"),
        ("azimuth", "Sun bearing"),
        ("mist", "Fog density"),
        ("brightness", "Exposure"),
        ("beach", "Beach"),
        ("cliff", "Kind"),
        ("trees", "Density"),
        ("stones", "Roughness"),
        ("wireframe", "Render type"),
        ("topographic", "Contours"),
        ("zoom", "Field of view"),
    ];
    let mut missed = Vec::new();
    for (typed, label) in words {
        key(&mut test, Modifiers::COMMAND, Key::F);
        test.event(Event::Text(typed.to_owned()));
        test.run_steps(10);
        if !shows(&test, label) {
            missed.push((typed, label, labels(&test)));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

#[test]
fn other_words_are_of_existing_settings() {
    struct Check;
    impl TableVisitor for Check {
        fn visit<T: Params>(&mut self, place: &str, _: &mut T) {
            let is_key = |key: &str| T::PARAMS.iter().any(|param| param.key == key);
            let keys = T::SYNONYMS.iter().map(|(key, _)| key).chain(T::ADVANCED);
            keys.for_each(|key| assert!(is_key(key), "{place}.{key}"));
        }
    }
    crate::messages::full().visit_tables(&mut Check);
}

#[test]
fn the_command_palette_runs_actions_and_shows_settings() {
    let mut test = first_start(USUAL, |_| ());
    let open = |test: &mut Test, words: &str| {
        let both = Modifiers {
            shift: true,
            ..Modifiers::COMMAND
        };
        key(test, both, Key::P);
        test.event(Event::Text(words.to_owned()));
        test.run_steps(6);
        assert!(test.state().ui.transient.dialogs.command_palette.is_some());
    };
    open(&mut test, "statistics");
    key(&mut test, Modifiers::NONE, Key::Enter);
    assert!(test.state().ui.persisted.statistics);
    assert!(test.state().ui.transient.dialogs.command_palette.is_none());
    // The second of those found, by an arrow key.
    open(&mut test, "zoom");
    key(&mut test, Modifiers::NONE, Key::ArrowDown);
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(4);
    assert!(test.state().ui.persisted.zoom < 1.0);
    test.state_mut()
        .ui
        .apply(landform::app::commands::Action::Zoom(1.0));
    test.run_steps(4);
    // A setting of another tab.
    open(&mut test, "exposure");
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(10);
    assert!(shows(&test, "Exposure") && !shows(&test, "Iterations"));
    key(&mut test, Modifiers::NONE, Key::Escape);
    // A preset.
    open(&mut test, "presets canyon");
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(4);
    let canyon = import::presets().iter().find(|p| p.name == "canyon");
    assert_eq!(scene(&test), canyon.unwrap().scene());
    // What an action is for.
    open(&mut test, "unreal");
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(4);
    assert!(test.state().ui.persisted.exporting.shown);
    // Esc closes it.
    open(&mut test, "x");
    key(&mut test, Modifiers::NONE, Key::Escape);
    test.run_steps(4);
    assert!(test.state().ui.transient.dialogs.command_palette.is_none());
}

#[test]
fn keys_open_menus_and_walk_through_them() {
    let mut test = first_start(USUAL, |_| ());
    let is_open = |test: &Test, item: &str| test.query_all_by_label_contains(item).next().is_some();
    key(&mut test, Modifiers::NONE, Key::F10);
    test.run_steps(6);
    assert!(is_open(&test, "Save scene"));
    key(&mut test, Modifiers::NONE, Key::Escape);
    test.run_steps(6);
    assert!(!is_open(&test, "Save scene"));
    let before = scene(&test);
    for (letter, item) in [
        (Key::F, "Save scene"),
        (Key::E, "Copy scene"),
        (Key::V, "Automatic detail"),
        (Key::H, "About Landform"),
    ] {
        key(&mut test, Modifiers::ALT, letter);
        test.run_steps(6);
        assert!(is_open(&test, item), "{item}");
        key(&mut test, Modifiers::NONE, Key::Escape);
        test.run_steps(6);
        assert!(!is_open(&test, item), "{item}");
    }
    // V alone shows variations; with Alt it does not.
    assert!(!test.state().ui.transient.variations.shown);
    assert_eq!(scene(&test), before);
    // The second item of Help: the keys.
    key(&mut test, Modifiers::ALT, Key::H);
    test.run_steps(6);
    key(&mut test, Modifiers::NONE, Key::ArrowDown);
    test.run_steps(2);
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(6);
    assert!(test.state().ui.transient.dialogs.keys);
}

#[test]
fn a_number_box_calculates() {
    let mut test = tab_of(Scene::default(), Tab::Land);
    let at = rect(&test, Role::SpinButton, "Height scale").center();
    crate::desk::click(&mut test, at);
    key(&mut test, Modifiers::COMMAND, Key::A);
    test.event(Event::Text("0.3*3".to_owned()));
    key(&mut test, Modifiers::NONE, Key::Enter);
    test.run_steps(4);
    assert!((scene(&test).surface.height_scale - 0.9).abs() < 1e-6);
}
