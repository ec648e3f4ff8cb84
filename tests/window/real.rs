//! The real window of the real program, under an X server of its own, driven by mouse and keys.
//!
//! Needs Xvfb, xdotool and OpenGL (`scripts/deps.sh test` installs them); without them it fails.

use std::process::Command;
use std::time::Duration;

use egui::accesskit::Role;
use egui::{Pos2, Rect, pos2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use crate::desk::{Test, click, desk, of_scene};
use crate::screen::{SIZE, Window, check_picture, seen, wait_for, x_server, x_server_seen};
use landform::app::state::document::Document;
use landform::app::state::{PanelView, Persisted, UiState};
use landform::app::{settings, theme, ui};
use landform::export::Span;
use landform::import;
use landform::scene::{RenderType, Scene};

/// The same interface laid out without a window: where the H slider and the scene are.
pub fn layout() -> (Rect, Rect) {
    let mut themed = false;
    let frame = |ctx: &egui::Context, state: &mut UiState| {
        if !std::mem::replace(&mut themed, true) {
            theme::apply(ctx);
        }
        ui(ctx, state);
    };
    let mut test = Harness::builder()
        .with_size(vec2(SIZE.0 as f32, SIZE.1 as f32))
        .build_state(frame, UiState::default());
    test.run_steps(5);
    let slider = test.get_by_role_and_label(Role::Slider, "H").rect();
    (slider, test.state().derived.scene_rect)
}

#[test]
fn window_is_dragged_reseeded_saved_and_restored() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let (slider, scene_rect) = layout();
    let size = (
        scene_rect.width().round() as u32,
        scene_rect.height().round() as u32,
    );

    // From high above, so that no random mountain hides all others.
    let mut opened = Scene::default();
    opened.camera.pitch = 50.0;
    let file = home.path().join("opened.toml");
    std::fs::write(&file, opened.to_toml()).unwrap();

    let window = Window::open(&display, home.path(), Some(&file));
    let (first, scene) = check_picture(&window.save_picture(), size);
    assert_eq!(scene, opened);

    window.drag(slider, 0.7, 0.2);
    let (dragged, scene) = check_picture(&window.save_picture(), size);
    assert!(
        (0.1..0.3).contains(&scene.surface.hurst),
        "{}",
        scene.surface.hurst
    );
    assert!(first != dragged, "H changes the picture");

    window.key("r");
    let (reseeded, with_seed) = check_picture(&window.save_picture(), size);
    assert_ne!(with_seed.surface.seed, scene.surface.seed);
    assert!(dragged != reseeded, "the seed changes the picture");

    window.key("ctrl+z");
    let name = window.save_picture();
    let (undone, scene_undone) = check_picture(&name, size);
    assert_eq!(scene_undone, scene);
    assert!(undone == dragged, "undo brings the same pixels back");
    let name = name.file_name().unwrap().to_str().unwrap();
    assert_eq!(
        name, "landform-diamond-square-seed-0-003.png",
        "no picture is overwritten"
    );
    window.terminate();

    let window = Window::open(&display, home.path(), None);
    let (_, again) = check_picture(&window.save_picture(), size);
    assert_eq!(again, scene, "the scene survives a restart");
    window.quit();
}

/// Small land, quick to make.
fn small() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    scene
}

/// The interface of a window with [`small`] land, without the window.
fn twin() -> Test {
    desk(
        vec2(SIZE.0 as f32, SIZE.1 as f32),
        of_scene(small()),
        |_| (),
    )
}

/// The scene of a real window with [`small`] land after clicks at these places, all in one frame. Its picture is
/// compared with a render of the scene; `twin` knows its size.
fn after_slow_clicks(twin: &Test, places: &[Pos2]) -> Scene {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let file = home.path().join("opened.toml");
    std::fs::write(&file, small().to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    std::fs::remove_file(window.save_picture()).unwrap();
    window.while_stopped(|| {
        for at in places {
            let [x, y] = [at.x, at.y].map(|at| at.round().to_string());
            let click = ["mousemove", "--window", &window.id, &x, &y, "click", "1"];
            window.xdotool_unheard(&click);
        }
    });
    let size = twin.state().ui.derived.scene_rect.size();
    let size = (size.x.round() as u32, size.y.round() as u32);
    let (_, scene) = check_picture(&window.save_picture(), size);
    window.quit();
    scene
}

#[test]
fn clicks_in_one_slow_frame_all_count() {
    let mut twin = twin();
    let sliders = twin.query_all_by_role(Role::Slider).take(3);
    let places: Vec<Pos2> = sliders
        .map(|slider| slider.rect().lerp_inside(vec2(0.3, 0.5)))
        .collect();
    places.iter().for_each(|at| click(&mut twin, *at));

    let scene = after_slow_clicks(&twin, &places);
    assert_eq!(scene, twin.state().ui.persisted.scene);
}

#[test]
fn a_list_opened_in_a_slow_frame_is_clicked() {
    let mut twin = twin();
    let list = twin
        .get_by_role_and_label(Role::ComboBox, "Render type")
        .rect();
    click(&mut twin, list.center());
    let map = twin.get_by_role_and_label(Role::Button, "map").rect();
    let scene = after_slow_clicks(&twin, &[list.center(), map.center()]);
    assert_eq!(scene.view.render_type, RenderType::Map);
}

#[test]
fn tabs_and_the_command_palette_set_what_is_drawn() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let mut persisted = of_scene(small());
    persisted.panel_view = PanelView::default();
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut twin = desk(size, persisted.clone(), |_| ());
    settings::save(&home.path().join("config"), &persisted).unwrap();
    let window = Window::open(&display, home.path(), None);
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    for (role, name) in [
        (Role::Button, "Tab Water"),
        (Role::CheckBox, "Water"),
        (Role::Button, "Tab Light"),
        (Role::CheckBox, "Fog"),
        (Role::Button, "Tab Land"),
        (Role::Button, "All"),
    ] {
        let at = twin.get_by_role_and_label(role, name).rect().center();
        click(&mut twin, at);
        twin.run_steps(10);
        window.click(at);
    }
    window.key("ctrl+shift+p");
    window.xdotool(&["type", "exposure"]);
    window.key("Return");
    window.key("Escape");
    window.key("ctrl+shift+p");
    window.xdotool(&["type", "another seed"]);
    window.key("Return");
    let twin = twin.state();
    let size = twin.ui.derived.scene_rect.size();
    let size = (size.x.round() as u32, size.y.round() as u32);
    let (_, scene) = check_picture(&window.save_picture(), size);
    let expected = &twin.ui.persisted.scene;
    assert!(scene.water.enabled && !scene.fog.enabled);
    assert_ne!(scene.surface.seed, expected.surface.seed);
    let seed = scene.surface.seed;
    let mut expected = expected.clone();
    expected.surface.seed = seed;
    assert_eq!(scene, expected);
    window.quit();
    let (kept, _) = settings::load(&home.path().join("config"));
    assert_eq!(kept.panel_view, twin.ui.persisted.panel_view);
}

#[test]
fn wheel_over_a_map_zooms_into_that_place() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let (_, scene_rect) = layout();
    let size = (
        scene_rect.width().round() as u32,
        scene_rect.height().round() as u32,
    );
    let mut opened = Scene::default();
    opened.surface.iterations = 6;
    opened.view.render_type = RenderType::Map;
    opened.analysis.hillshade = true;
    opened.analysis.contours = true;
    let file = home.path().join("map.toml");
    std::fs::write(&file, opened.to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    let (whole, scene) = check_picture(&window.save_picture(), size);
    assert_eq!(scene, opened);
    let at = scene_rect.lerp_inside(vec2(0.6, 0.4));
    let [x, y] = [at.x, at.y].map(|at| at.round().to_string());
    let mut distance = f32::INFINITY;
    // Into the map, and then below its samples.
    for turns in ["4", "30"] {
        let window_ = ["--window", &window.id, &x, &y];
        window.xdotool(&[&["mousemove"], &window_[..]].concat());
        window.xdotool(&["click", "--repeat", turns, "--delay", "20", "4"]);
        let (near, scene) = check_picture(&window.save_picture(), size);
        assert!(!scene.is_flat(), "{turns}");
        assert!(scene.camera.distance < 0.7 * distance, "{turns}");
        assert!(near != whole, "{turns}");
        distance = scene.camera.distance;
    }
    assert!(distance < 0.05, "{distance}");
    window.key("Home");
    let (again, scene) = check_picture(&window.save_picture(), size);
    assert!(scene.is_flat() && again == whole);
    window.quit();
}

#[test]
fn a_landscape_arrives_while_the_camera_flies() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    // So large that it takes its time to the graphics card.
    let mut opened = Scene::default();
    opened.surface.iterations = 11;
    let file = home.path().join("opened.toml");
    std::fs::write(&file, opened.to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    std::fs::remove_file(window.save_picture()).unwrap();
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    window.xdotool(&["keydown", "w"]);
    window.xdotool(&["key", "r"]);
    let path = window.save_picture();
    window.xdotool(&["keyup", "w"]);
    let scene = import::open(&path).unwrap();
    assert_ne!(scene.surface.seed, opened.surface.seed);
    assert_ne!(scene.camera, opened.camera);
    window.quit();
}

#[test]
fn saved_picture_omits_the_export_preview_steps() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let (_, scene_rect) = layout();
    let size = (
        scene_rect.width().round() as u32,
        scene_rect.height().round() as u32,
    );
    // Whole numbers of a metre are coarse steps on a hill of a few.
    let mut hill = Scene::default();
    hill.surface.tile_size_m = 20.0;
    let mut persisted = Persisted {
        document: Document::unnamed(hill.clone()),
        scene: hill.clone(),
        panel_view: PanelView::EVERYTHING,
        ..Persisted::default()
    };
    persisted.exporting.shown = true;
    persisted.exporting.preview = true;
    persisted.exporting.span = Span::Metres;
    let shown = |preview: bool| {
        persisted.exporting.preview = preview;
        settings::save(&home.path().join("config"), &persisted).unwrap();
        let window = Window::open(&display, home.path(), None);
        window.wait_for_title("Unnamed – Landform");
        let picture = check_picture(&window.save_picture(), size);
        // The steps come back, and a picture asked for on the way is whole as well.
        window.key("F12");
        let again = check_picture(&window.save_picture(), size);
        window.key("r");
        let other = check_picture(&window.save_picture(), size);
        assert!(other.0 != picture.0);
        window.terminate();
        assert!(again == picture);
        picture
    };
    let mut shown = shown;
    let (with, without) = (shown(true), shown(false));
    assert_eq!(with.1, hill);
    assert!(with == without, "the steps are another file's");
}

#[test]
fn without_a_display_there_is_one_line() {
    let output = Command::new(env!("CARGO_BIN_EXE_landform"))
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WAYLAND_SOCKET")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.starts_with("error: no display"), "{error}");
    assert!(
        error.contains("landform render") && error.lines().count() == 1,
        "{error}"
    );
}

#[test]
fn displays_that_do_not_answer_are_named() {
    let nowhere = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_landform"))
        .env("DISPLAY", ":4242")
        .env("WAYLAND_DISPLAY", "wayland-stale")
        .env("XDG_RUNTIME_DIR", nowhere.path())
        .env_remove("WAYLAND_SOCKET")
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8(output.stderr).unwrap();
    let words = "error: no display at WAYLAND_DISPLAY=wayland-stale, DISPLAY=:4242: ";
    assert!(
        error.starts_with(words) && error.lines().count() == 1,
        "{error}"
    );
}

#[test]
fn a_stale_wayland_display_does_not_hide_x11() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let window = Window::open_with(&display, home.path(), None, |command| {
        let command = command.env("WAYLAND_DISPLAY", "wayland-stale");
        command.env("XDG_RUNTIME_DIR", home.path())
    });
    window.quit();
}

/// Only what changed of the interface is painted again; after a change of size, all of it.
#[test]
fn partial_repainting_equals_full_repainting() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_seen(home.path());
    let (slider, scene_rect) = layout();
    // Its pictures are there at once, however busy the machine is.
    let mut scene = Scene::default();
    scene.surface.iterations = 3;
    scene.view.render_type = RenderType::Lines;
    let file = home.path().join("quick.toml");
    std::fs::write(&file, scene.to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    let at_rest = || {
        let mut last = Vec::new();
        wait_for("rest", || {
            std::thread::sleep(Duration::from_millis(700));
            let now = seen(home.path());
            (std::mem::replace(&mut last, now.clone()) == now).then_some(now)
        })
    };
    let point = |at: Pos2| {
        let [x, y] = [at.x, at.y].map(|x| x.to_string());
        window.xdotool(&["mousemove", "--window", &window.id, &x, &y]);
    };
    wait_for("a frame", || {
        seen(home.path()).iter().any(|byte| *byte > 0).then_some(())
    });
    let beginning = at_rest();
    let steps: [&dyn Fn(); 7] = [
        &|| window.drag(slider, 0.7, 0.2),
        // What lies under the mouse looks another way, and its help appears.
        &|| point(slider.center()),
        &|| drop(window.xdotool(&["click", "--repeat", "5", "5"])),
        &|| window.key("F1"),
        &|| window.key("Escape"),
        &|| window.key("ctrl+e"),
        &|| point(pos2(300.0, 200.0)),
    ];
    for (index, step) in steps.iter().enumerate() {
        step();
        let parts = at_rest();
        assert!(parts != beginning, "step {index} shows");
        let resize = |width: u32, height: u32| {
            let [width, height] = [width, height].map(|side| side.to_string());
            window.xdotool(&["windowsize", "--sync", &window.id, &width, &height]);
        };
        // A little larger, which moves no window in it.
        resize(SIZE.0 + 9, SIZE.1 + 7);
        at_rest();
        resize(SIZE.0, SIZE.1);
        let at_once = at_rest();
        let pairs = parts.chunks_exact(4).zip(at_once.chunks_exact(4));
        let off = pairs.enumerate().filter(|(index, (a, b))| {
            // The status line, below the picture, tells how long that took.
            let row = index / SIZE.0 as usize;
            a[..3] != b[..3] && (row as f32) < scene_rect.bottom()
        });
        let off = off.count();
        assert_eq!(off, 0, "pixels after step {index}");
    }
    window.quit();
}
