//! The watershed in the real window: picked with the mouse, taken back, drawn as it is rendered.

use egui::{Pos2, Rect, pos2, vec2};

use crate::desk::{desk, of_scene};
use crate::real::check_picture;
use crate::screen::{SIZE, Window, wait_for, x_server};
use landform::app::settings;
use landform::app::state::Persisted;
use landform::scene::{RenderType, Scene};

fn persisted(render_type: RenderType) -> Persisted {
    let mut scene = Scene::default();
    scene.surface.iterations = 7;
    scene.view.render_type = render_type;
    scene.camera.pitch = 60.0;
    of_scene(scene)
}

fn scene_rect(persisted: &Persisted) -> Rect {
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut test = desk(size, persisted.clone(), |_| ());
    test.run_steps(10);
    test.state().ui.derived.scene_rect
}

#[test]
fn a_click_colours_the_land_that_drains_there() {
    for render_type in [
        RenderType::Map,
        RenderType::Triangles,
        RenderType::Landscape,
    ] {
        let home = tempfile::tempdir().unwrap();
        let (_server, display) = x_server();
        let persisted = persisted(render_type);
        settings::save(&home.path().join("config"), &persisted).unwrap();
        let rect = scene_rect(&persisted);
        let size = (rect.width().round() as u32, rect.height().round() as u32);
        let window = Window::open(&display, home.path(), None);
        let click = |at: Pos2, button: &str| {
            let [x, y] = [at.x, at.y].map(|x| x.to_string());
            window.xdotool(&["mousemove", "--window", &window.id, &x, &y]);
            window.xdotool(&["click", button]);
        };
        // The picture, as soon as its scene has or has not a point.
        let saved = |has_point: bool| {
            wait_for("the picture", || {
                let saved = check_picture(&window.save_picture(), size);
                (saved.1.analysis.watershed.is_some() == has_point).then_some(saved)
            })
        };
        let (plain, _) = saved(false);
        let at = rect.center() + vec2(0.1, 0.1) * rect.height();
        // Without the tool a click does nothing.
        click(at, "1");
        assert!(saved(false).0 == plain);
        window.key("b");
        click(at, "1");
        let (colored, scene) = saved(true);
        assert_eq!(scene.view.render_type, render_type);
        let changed = plain.pixels().zip(colored.pixels()).filter(|(a, b)| a != b);
        assert!(changed.count() > 20, "{render_type}");
        let [x, z] = scene.analysis.watershed.unwrap();
        if render_type == RenderType::Map {
            assert!((x - z).abs() < 0.01 && x > 0.1, "{x} {z}");
        }
        // Elsewhere it moves there, and undo takes it back, step by step.
        click(rect.center() - vec2(0.1, 0.05) * rect.height(), "1");
        let moved = wait_for("the other point", || {
            let (_, scene) = saved(true);
            scene.analysis.watershed.filter(|point| *point != [x, z])
        });
        assert!(moved[0] < x, "{moved:?}");
        window.key("ctrl+z");
        wait_for("the first point", || {
            (saved(true).0 == colored).then_some(())
        });
        window.key("ctrl+z");
        assert!(saved(false).0 == plain);
        // Esc ends the tool.
        window.key("Escape");
        click(at, "1");
        assert!(saved(false).0 == plain);
        window.key("b");
        click(at, "1");
        assert!(saved(true).0 == colored);
        click(pos2(at.x, at.y), "3");
        assert!(saved(false).0 == plain, "{render_type}");
        window.quit();
    }
}
