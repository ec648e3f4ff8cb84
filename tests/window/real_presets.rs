//! Own presets and the strip of states in the real window: what is kept is a file, what is clicked is
//! the picture of a render.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Pos2, vec2};
use egui_kittest::kittest::Queryable;

use crate::desk::{Test, desk, of_scene};
use crate::real_variations::{cut, is_the_same, rendered};
use crate::screen::{SIZE, Window, check_picture, seen, wait_for, x_server, x_server_seen};
use landform::app::settings::{self, own_presets::read_all};
use landform::import;
use landform::render::HeadlessRenderer;
use landform::scene::Scene;

/// The same window without a window, with that key pressed.
fn layout(scene: &Scene, key: Key) -> Test {
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut test = desk(size, of_scene(scene.clone()), |_| ());
    test.key_press_modifiers(Modifiers::NONE, key);
    test.run_steps(3);
    test
}

fn place(test: &Test, label: &str) -> Pos2 {
    let button = test.get_by_role_and_label(Role::Button, label);
    button.rect().center()
}

#[test]
fn scene_is_kept_left_and_opened_again() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_seen(home.path());
    let mut opened = Scene::default();
    opened.surface.iterations = 5;
    let file = home.path().join("opened.toml");
    std::fs::write(&file, opened.to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    let size = image::image_dimensions(window.save_picture()).unwrap();

    // It is kept, under a name that is typed.
    let sheet = layout(&opened, Key::P);
    window.key("p");
    window.click(place(&sheet, "Save as preset…"));
    window.key("ctrl+a");
    window.xdotool(&["type", "Flat land"]);
    window.key("Tab");
    window.xdotool(&["type", "plain, test"]);
    window.key("Return");
    let folder = home.path().join("config/presets");
    let kept = wait_for("the preset", || read_all(&folder).0.pop());
    assert_eq!((&kept.name[..], &*kept.scene), ("Flat land", &opened));
    assert_eq!(kept.tags, ["plain", "test"]);
    window.key("Escape");

    // Another preset, and undo.
    let canyon = import::presets().iter().find(|p| p.name == "canyon");
    let canyon = canyon.unwrap();
    window.key("p");
    let mut with_own = layout(&opened, Key::P);
    with_own.state_mut().ui.transient.browser.own = vec![kept];
    with_own.run_steps(3);
    window.click(place(&with_own, canyon.name));
    let (_, scene) = check_picture(&window.save_picture(), size);
    assert_eq!(scene, canyon.scene());
    window.key("ctrl+z");
    let (_, scene) = check_picture(&window.save_picture(), size);
    assert_eq!(scene, opened);

    // States: two other seeds, and back by a click on the first.
    for _ in 0..2 {
        window.key("r");
        let (_, other) = check_picture(&window.save_picture(), size);
        assert_ne!(other, opened);
    }
    let mut strip = layout(&opened, Key::H);
    for seed in [2, 3] {
        strip.state_mut().ui.persisted.scene.surface.seed += seed;
        strip.run_steps(3);
    }
    window.key("h");
    // The mouse over it shows it in the scene's place.
    let rect = strip.state().ui.derived.scene_rect;
    let expected = rendered(&mut HeadlessRenderer::new().unwrap(), &opened, rect);
    let first = place(&strip, "State 1");
    let [x, y] = [first.x, first.y].map(|at| at.round().to_string());
    let is_shown = || is_the_same(&cut(&seen(home.path()), rect), &expected);
    assert!(!is_shown());
    window.xdotool(&["mousemove", "--window", &window.id, &x, &y]);
    wait_for("the first state", || is_shown().then_some(()));
    window.click(first);
    window.key("h");
    window.xdotool(&["mousemove", "--window", &window.id, "300", "200"]);
    let (_, scene) = check_picture(&window.save_picture(), size);
    assert_eq!(scene, opened);
    window.key("ctrl+shift+z");
    let (_, scene) = check_picture(&window.save_picture(), size);
    assert_ne!(scene.surface.seed, opened.surface.seed);
    window.quit();
}

#[test]
fn a_preset_typed_in_one_slow_frame_has_its_name_and_tags() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let mut flat = Scene::default();
    flat.surface.iterations = 4;
    let persisted = of_scene(flat.clone());
    settings::save(&home.path().join("config"), &persisted).unwrap();
    let window = Window::open(&display, home.path(), None);
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    let button = place(&layout(&Scene::default(), Key::P), "Save as preset…");
    let [x, y] = [button.x, button.y].map(|at| at.round().to_string());
    window.while_stopped(|| {
        for act in [
            &["key", "p"][..],
            &["mousemove", "--window", &window.id, &x, &y, "click", "1"],
            &["key", "ctrl+a"],
            &["type", "Flat land"],
            &["key", "Tab"],
            &["type", "plain, test"],
            &["key", "Return"],
        ] {
            window.xdotool_unheard(act);
        }
    });
    let folder = home.path().join("config/presets");
    let kept = wait_for("the preset", || read_all(&folder).0.pop());
    assert_eq!((&kept.name[..], &*kept.scene), ("Flat land", &flat));
    assert_eq!(kept.tags, ["plain", "test"]);
}

#[test]
fn closing_never_asks_about_scenes_kept_as_presets() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_seen(home.path());
    let mut flat = Scene::default();
    flat.surface.iterations = 4;
    settings::save(&home.path().join("config"), &of_scene(flat)).unwrap();
    let window = Window::open(&display, home.path(), None);
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    window.key("r");
    let is_changed = || window.title().starts_with('•');
    wait_for("another scene", || is_changed().then_some(()));
    window.key("p");
    window.click(place(&layout(&Scene::default(), Key::P), "Save as preset…"));
    window.key("ctrl+a");
    window.xdotool(&["type", "Found"]);
    window.key("Return");
    let folder = home.path().join("config/presets");
    wait_for("the preset", || read_all(&folder).0.pop());
    window.key("Escape");
    wait_for("the title", || (!is_changed()).then_some(()));
    window.key("ctrl+q");
    window.ended();
}
