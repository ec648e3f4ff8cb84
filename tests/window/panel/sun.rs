//! The sun in the sky and on the compass, the place under the mouse, the whole screen, and the
//! pictures of a second.

use super::*;

use crate::desk::over_level_ground as open;
use landform::camera::seen_at;
use landform::scene::{CameraMode, SunBy};

/// A scene whose sun is in the picture, over level ground.
fn sunlit(by: SunBy) -> Scene {
    let mut scene = Scene::default();
    scene.surface.iterations = 4;
    (scene.camera.mode, scene.camera.bearing) = (CameraMode::Fly, 180.0);
    (scene.camera.pitch, scene.camera.distance) = (-10.0, 0.2);
    scene.camera.target = [0.0, 0.5, 0.0];
    scene.light.by = by;
    (scene.light.bearing, scene.light.elevation) = (175.0, 15.0);
    // Near noon of a winter's day.
    (scene.light.hour, scene.light.day, scene.light.latitude) = (11.5, 355, 47.0);
    scene
}

/// Where the sun is seen in the window.
fn sun(test: &Test) -> Pos2 {
    let (scene, rect) = (scene(test), test.state().ui.derived.scene_rect);
    let at = seen_at(&scene.camera, scene.light.direction(), rect.aspect_ratio());
    let at = at.expect("the sun is ahead");
    rect.center() + vec2(at.x, -at.y) * rect.size() * 0.5
}

#[test]
fn sun_follows_the_mouse_in_one_undo_step() {
    let mut test = open(sunlit(SunBy::Angles));
    let from = sun(&test);
    let to = from + vec2(120.0, -60.0);
    check_one_step(&mut test, "the sun", |test| {
        let before = scene(test);
        drag(test, &[from, from.lerp(to, 0.5), to]);
        let after = scene(test);
        assert!(sun(test).distance(to) < 1.5, "{} {to}", sun(test));
        assert_eq!(after.camera, before.camera, "the view stays");
        assert!(after.light.bearing > before.light.bearing);
        assert!(after.light.elevation > before.light.elevation);
    });
    // Beside it the mouse moves the view.
    let before = scene(&test);
    let beside = from + vec2(200.0, 30.0);
    drag(&mut test, &[beside, beside + vec2(40.0, 0.0)]);
    let after = scene(&test);
    assert_eq!(after.light, before.light);
    assert_ne!(after.camera.bearing, before.camera.bearing);
}

#[test]
fn sun_by_time_stays_on_its_daily_path() {
    let mut test = open(sunlit(SunBy::Time));
    let from = sun(&test);
    check_one_step(&mut test, "the hour", |test| {
        let before = scene(test).light;
        let to = from + vec2(150.0, -80.0);
        drag(test, &[from, from.lerp(to, 0.5), to]);
        let after = scene(test).light;
        assert!(after.hour > before.hour + 0.2, "{}", after.hour);
        let hour = after.hour;
        assert_eq!(after, Light { hour, ..before });
    });
}

#[test]
fn sun_behind_land_or_horizon_cannot_be_held() {
    for hide in [
        (|scene: &mut Scene| scene.light.elevation = -2.0) as fn(&mut Scene),
        |scene| scene.camera.mode = CameraMode::Top,
        |scene| scene.view.render_type = RenderType::Triangles,
    ] {
        let mut scene_ = sunlit(SunBy::Angles);
        let at = sun(&open(scene_.clone()));
        hide(&mut scene_);
        let mut test = open(scene_);
        let before = scene(&test);
        drag(&mut test, &[at, at + vec2(60.0, -30.0)]);
        assert_eq!(scene(&test).light, before.light);
    }
}

#[test]
fn compass_turns_with_view_and_moves_the_sun() {
    let mut test = open(sunlit(SunBy::Angles));
    assert!(!labels(&test).iter().any(|label| label.starts_with("Sun: ")));
    test.state_mut().ui.persisted.compass = true;
    test.run_steps(4);
    let compass = |test: &Test| {
        let label = labels(test)
            .into_iter()
            .find(|label| label.starts_with("Sun: "));
        test.get_by_label(&label.unwrap()).rect()
    };
    let rect = compass(&test);
    let scene_rect = test.state().ui.derived.scene_rect;
    assert!(scene_rect.contains_rect(rect), "{rect} in {scene_rect}");
    let middle = pos2(rect.center().x, rect.top() + rect.width() * 0.5);
    // The view is to the south, so what is to the left is in the east; half way up is 45°.
    check_one_step(&mut test, "the sun", |test| {
        drag(
            test,
            &[middle, middle - vec2(10.0, 0.0), middle - vec2(20.0, 0.0)],
        );
        let light = scene(test).light;
        assert!((light.bearing - 90.0).abs() < 0.5, "{}", light.bearing);
        assert!((light.elevation - 45.0).abs() < 0.5, "{}", light.elevation);
    });
    // A map that is seen whole has north above.
    let shown = &mut test.state_mut().ui.persisted.scene;
    shown.camera.mode = CameraMode::Orbit;
    shown.view.render_type = RenderType::Teximage;
    test.run_steps(4);
    drag(
        &mut test,
        &[middle, middle - vec2(0.0, 30.0), middle - vec2(0.0, 40.0)],
    );
    let light = scene(&test).light;
    assert!(
        light.bearing.min(360.0 - light.bearing) < 0.5,
        "{}",
        light.bearing
    );
    assert!(light.elevation.abs() < 0.5, "{}", light.elevation);
}

fn labels(test: &Test) -> Vec<String> {
    let nodes = test.root().children_recursive();
    let texts = nodes.flat_map(|node| {
        let node = node.accesskit_node();
        [node.label(), node.value()].map(|text| text.map(|text| text.to_string()))
    });
    texts.flatten().collect()
}

/// What the status line says of the place under the mouse.
fn said(test: &Test) -> Option<String> {
    labels(test)
        .into_iter()
        .find(|label| label.starts_with("height "))
}

#[test]
fn status_line_describes_the_place_under_mouse() {
    let mut map = sunlit(SunBy::Angles);
    map.view.render_type = RenderType::Map;
    map.camera = Camera::default();
    let mut test = open(map.clone());
    assert_eq!(said(&test), None, "there is no mouse");
    let rect = test.state().ui.derived.scene_rect;
    let point = |test: &mut Test, at: Pos2| {
        test.event(Event::PointerMoved(at));
        test.run_steps(3);
        said(test)
    };
    let side = rect.height().min(rect.width());
    let words = point(&mut test, rect.center()).unwrap();
    let wanted = "height 125.0 m · slope 0.0° · column 8, row 8 · tile 0.5000, 0.5000";
    assert_eq!(words, wanted);
    let west = point(&mut test, rect.center() - vec2(side * 0.23, 0.0)).unwrap();
    assert!(west.contains("column 4, row 8 · tile 0.2"), "{west}");
    assert_eq!(
        point(&mut test, rect.left_top() + vec2(2.0, 2.0)),
        None,
        "beside the map"
    );
    let panel = pos2(rect.right() + 100.0, 300.0);
    assert_eq!(point(&mut test, panel), None);
    // Seen in space, it is the ground under the mouse; over the sky there is none.
    map.view.render_type = RenderType::Landscape;
    map.camera.pitch = 30.0;
    test.state_mut().ui.persisted.scene = map;
    let words = point(&mut test, rect.center()).unwrap();
    assert!(
        words.contains("height 125.0 m") && words.contains("slope 0.0°"),
        "{words}"
    );
    assert_eq!(point(&mut test, rect.center_top() + vec2(0.0, 3.0)), None);
    test.event(Event::PointerGone);
    test.run_steps(3);
    assert_eq!(said(&test), None);
}

#[test]
fn f11_shows_only_the_scene_until_esc() {
    let mut test = open(sunlit(SunBy::Angles));
    let before = test.state().ui.derived.scene_rect;
    let all = Rect::from_min_size(Pos2::ZERO, vec2(1280.0, 720.0));
    for back in [Key::F11, Key::Escape] {
        key(&mut test, Modifiers::NONE, Key::F11);
        test.run_steps(3);
        assert_eq!(test.state().ui.derived.scene_rect, all);
        assert!(test.query_by_label("View Options").is_none());
        key(&mut test, Modifiers::NONE, Key::F4);
        test.run_steps(3);
        assert!(test.query_by_label("View Options").is_some());
        key(&mut test, Modifiers::NONE, Key::F4);
        key(&mut test, Modifiers::NONE, back);
        test.run_steps(3);
        assert_eq!(test.state().ui.derived.scene_rect, before, "{back:?}");
        assert!(test.state().ui.persisted.panel && !test.state().ui.transient.full_screen);
    }
}

#[test]
fn the_status_line_counts_pictures_on_request() {
    let mut test = open(sunlit(SunBy::Angles));
    test.state_mut().ui.derived.pictures_shown = 27;
    test.run_steps(3);
    let is_told = |test: &Test| labels(test).iter().any(|label| label == "27 pictures/s");
    assert!(!is_told(&test));
    test.get_by_label("View").click();
    test.run_steps(4);
    test.get_by_label("Frame rate").click();
    test.run_steps(4);
    assert!(is_told(&test));
}
