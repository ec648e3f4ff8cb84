//! The watershed in the real window: picked with the mouse, taken back, drawn as it is rendered.

use std::sync::Arc;
use std::time::Duration;

use egui::{Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::NodeT;

use crate::desk::{desk, of_scene};
use crate::screen::{SIZE, Window, check_picture, wait_for, x_server};
use landform::app::settings;
use landform::app::state::tool::Tool;
use landform::app::state::{Persisted, Shown};
use landform::camera::Ground;
use landform::geo::{Georeference, Keys, Unit};
use landform::heightmap::Heightmap;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;
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

/// The words of the panel and of the read-out over the scene, for a watershed whose point is 0.3 half
/// tiles from the outlet, in a hollow or not.
fn outlet_words(in_hollow: bool, georeference: Option<Georeference>) -> String {
    let flat = Heightmap::new(17, 17, true, vec![0.125; 17 * 17]);
    let mut scene = Scene::default();
    scene.analysis.watershed = Some([0.0, 0.0]);
    scene.view.render_type = RenderType::Map;
    scene.surface.iterations = 4;
    let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
    let mut shown = (*landscape.unwrap().watershed.unwrap()).clone();
    shown.watershed.moved = 0.3;
    shown.watershed.in_lake = in_hollow;
    (shown.outlet, shown.outlet_from_corner) = ([0.5, 0.0], [1.5, 1.0]);
    let mut test = desk(vec2(1280.0, 900.0), of_scene(scene), |ui| {
        ui.derived.terrain = Ground::new(&flat, 1);
        ui.derived.shown = Some(Shown {
            rows: 17,
            columns: 17,
            stride: 1,
            requested_hurst: None,
            made_in: Duration::ZERO,
            coarse: false,
            place: georeference,
        });
        ui.derived.watershed = Some(Arc::new(shown));
        ui.transient.tool = Tool::Watershed;
    });
    test.run_steps(3);
    let nodes = test.root().children_recursive();
    let words = nodes.filter_map(|node| {
        node.accesskit_node()
            .label()
            .or(node.accesskit_node().value())
    });
    words
        .into_iter()
        .find(|words| words.contains(" m away"))
        .expect("the outlet is told")
}

#[test]
fn an_outlet_says_why_it_is_elsewhere() {
    assert_eq!(
        outlet_words(true, None),
        "x 0.500, z 0.000, where this hollow overflows, 300 m away"
    );
    assert_eq!(
        outlet_words(false, None),
        "x 0.500, z 0.000, in the river 300 m away"
    );
}

#[test]
fn an_outlet_on_earth_has_map_coordinates() {
    let georeference = Georeference {
        keys: Keys::of_epsg(25832, Unit::Metres(1.0)),
        unit: Unit::Metres(1.0),
        text: String::new(),
        origin: [600_000.0, 5_200_000.0],
        east: [2000.0, 0.0],
        south: [0.0, -2000.0],
    };
    let words = outlet_words(false, Some(georeference));
    assert!(
        words.starts_with("E 601500.0, N 5199000.0 (EPSG:25832)"),
        "{words}"
    );
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
