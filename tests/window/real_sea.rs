//! The sea is switched on in a map, in the real window.

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::Queryable;

use crate::desk::{desk, of_scene};
use crate::screen::{SIZE, Window, check_render, x_server};
use landform::scene::{RenderType, Scene};

#[test]
fn a_map_gets_its_sea_in_the_window() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.view.render_type = RenderType::Map;
    let file = home.path().join("map.toml");
    std::fs::write(&file, scene.to_toml()).unwrap();

    // The same interface without a window tells where things are.
    let whole = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut test = desk(whole, of_scene(scene.clone()), |_| ());
    let rect = test.state().ui.derived.scene_rect;
    let size = (rect.width().round() as u32, rect.height().round() as u32);
    test.state_mut().ui.transient.filter.query = "water".to_owned();
    test.run_steps(4);
    let switch = test.get_by_role_and_label(Role::CheckBox, "Water").rect();

    let window = Window::open(&display, home.path(), Some(&file));
    let (dry, _) = check_render(&window.save_picture(), size);
    window.xdotool(&["key", "ctrl+f"]);
    window.xdotool(&["type", "water"]);
    window.click(switch.center());
    let (wet, saved) = check_render(&window.save_picture(), size);
    assert!(saved.water.enabled);
    let pairs = dry.pixels().zip(wet.pixels());
    let blue = pairs.filter(|(dry, wet)| dry != wet && wet[2] > wet[0]);
    assert!(blue.count() > 20_000);
    window.quit();
}
