//! What is in the real window's picture and around it: the sun in the mouse, settings that were found,
//! steps that are doubled, and the whole screen.

use egui::accesskit::Role;
use egui::{Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable;

use crate::desk::{Test, desk, of_scene};
use crate::screen::{SIZE, Window, check_picture, x_server};
use landform::camera::seen_at;
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{CameraMode, Scene};

/// The same interface without a window, where `query` is searched for in the panel.
fn layout(scene: &Scene, query: &str) -> Test {
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut test = desk(size, of_scene(scene.clone()), |_| ());
    test.state_mut().ui.transient.filter.query = query.to_owned();
    test.run_steps(4);
    test
}

/// Where the control of that role and name is, if it is searched for so.
fn found(scene: &Scene, query: &str, role: Role, label: &str) -> Rect {
    let test = layout(scene, query);
    test.get_by_role_and_label(role, label).rect()
}

/// A land with its sun above it.
fn sunlit() -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.surface.height_scale = 0.3;
    (scene.camera.mode, scene.camera.distance) = (CameraMode::Fly, 0.2);
    (scene.camera.bearing, scene.camera.pitch) = (180.0, -5.0);
    scene.camera.target = [0.0, 0.6, 0.0];
    (scene.light.bearing, scene.light.elevation) = (175.0, 18.0);
    scene.modifiers = vec![Modifier::new(ModifierKind::Terrace)];
    scene
}

#[test]
fn real_window_drags_sun_finds_settings_doubles_steps() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let opened = sunlit();
    let rect = layout(&opened, "").state().ui.derived.scene_rect;
    let size = (rect.width().round() as u32, rect.height().round() as u32);
    let file = home.path().join("sunlit.toml");
    std::fs::write(&file, opened.to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    let look = |size| check_picture(&window.save_picture(), size);
    let (first, scene) = look(size);
    assert_eq!(scene, opened);

    // From its disc to the right.
    let at = seen_at(
        &opened.camera,
        opened.light.direction(),
        rect.aspect_ratio(),
    )
    .unwrap();
    let sun = rect.center() + vec2(at.x, -at.y) * rect.size() * 0.5;
    window.drag(Rect::from_min_size(sun, vec2(120.0, 0.0)), 0.0, 1.0);
    let (moved, scene) = look(size);
    assert_eq!(scene.camera, opened.camera);
    assert!(scene.light.bearing > 178.0, "{}", scene.light.bearing);
    assert!(moved != first);

    let search = |query: &str| {
        window.xdotool(&["key", "ctrl+f"]);
        window.xdotool(&["type", query]);
    };
    search("fog density");
    let slider = found(&scene, "fog density", Role::Slider, "Fog density");
    window.drag(slider, 0.02, 0.6);
    let (_, foggy) = look(size);
    assert!(foggy.fog.density > 1.0, "{}", foggy.fog.density);

    search("terrace");
    let click = |at: Pos2| {
        let [x, y] = [at.x, at.y].map(|at| at.round().to_string());
        window.xdotool(&["mousemove", "--window", &window.id, &x, &y, "click", "1"]);
    };
    click(found(&foggy, "terrace", Role::Button, "🗐").center());
    let (_, doubled) = look(size);
    let terrace = foggy.modifiers[0].clone();
    assert_eq!(doubled.modifiers, [terrace.clone(), terrace]);
    let test = layout(&doubled, "terrace");
    let solo = test.get_all_by_label("Solo").next().unwrap();
    click(solo.rect().center());
    let (_, soloed) = look(size);
    assert!(soloed.modifiers[0].solo && soloed.modifiers_on().count() == 1);
    window.key("ctrl+z");
    let (_, undone) = look(size);
    assert_eq!(undone, doubled);

    window.key("F11");
    let (whole, scene) = look(SIZE);
    assert_eq!(scene, doubled);
    assert!(whole.width() > size.0 && whole.height() > size.1);
    window.key("F11");
    let (_, scene) = look(size);
    assert_eq!(scene, doubled);
    window.quit();
}
