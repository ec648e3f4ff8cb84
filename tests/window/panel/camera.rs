//! Cameras in the window: modes, bookmarks, the path, and the window "Picture".

use std::time::Duration;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Rect, pos2, vec2};
use egui_kittest::kittest::Queryable;
use glam::Vec2;

use landform::app::dialogs::picture::frame_of;
use landform::app::state::output::{MOST_SIDE, Photo, PhotoScale};
use landform::app::state::{PanelView, Persisted, Shown};
use landform::camera::{Ground, place_seen};
use landform::heightmap::Heightmap;
use landform::render::RenderRequest;
use landform::scene::{Bookmark, Camera, CameraMode, KeyFrame, RenderType, Scene};

use crate::desk::{Test, scene};

fn desk(scene: Scene, photo: Photo) -> Test {
    let persisted = Persisted {
        scene,
        photo,
        panel_view: PanelView::EVERYTHING,
        ..Persisted::default()
    };
    let hill = [0.0, 0.1, 0.0, 0.1, 0.4, 0.1, 0.0, 0.1, 0.0];
    let ground = Ground::new(&Heightmap::new(3, 3, true, hill.to_vec()), 1);
    let mut test = crate::desk::desk(vec2(1280.0, 3900.0), persisted, |ui| {
        ui.derived.terrain = ground
    });
    for section in ["Film", "Camera"] {
        test.get_by_label(section).click();
        test.run_steps(30);
    }
    test
}

fn camera(test: &Test) -> Camera {
    test.state().ui.persisted.scene.camera.clone()
}

fn press(test: &mut Test, key: Key) {
    test.key_press(key);
    test.run_steps(2);
}

fn click(test: &mut Test, label: &str) {
    test.get_by_role_and_label(Role::Button, label).click();
    test.run_steps(3);
}

fn eye_above_ground(test: &Test) -> f32 {
    let eye = camera(test).eye().as_vec3();
    let ground = test.state().ui.derived.terrain.as_ref().expect("a ground");
    eye.y - ground.height(eye.x, eye.z)
}

#[test]
fn keys_switch_the_mode_and_the_eye_stays() {
    let mut test = desk(Scene::default(), Photo::default());
    let eye = camera(&test).eye().as_vec3();
    for (key, mode) in [
        (Key::Num2, CameraMode::Fly),
        (Key::Num4, CameraMode::Top),
        (Key::Num1, CameraMode::Orbit),
    ] {
        press(&mut test, key);
        assert_eq!(camera(&test).mode, mode);
        assert!(
            (camera(&test).eye().as_vec3() - eye).length() < 1e-4,
            "{mode}"
        );
    }
    press(&mut test, Key::Num3);
    test.run_steps(120);
    assert_eq!(camera(&test).mode, CameraMode::Walk);
    assert!((eye_above_ground(&test) - 0.0018).abs() < 2e-4);
    // Undo brings the eye back, and nothing does the step again.
    for _ in 0..4 {
        test.key_press_modifiers(Modifiers::COMMAND, Key::Z);
        test.run_steps(60);
    }
    assert_eq!(scene(&test), Scene::default());
    assert_eq!(test.state().ui.transient.history.undo_what(), None);
}

#[test]
fn ground_lifting_a_walker_adds_no_undo_step() {
    let mut scene_ = Scene::default();
    scene_.camera.mode = CameraMode::Walk;
    let mut test = desk(scene_, Photo::default());
    test.run_steps(120);
    let (seed, eye) = (scene(&test).surface.seed, camera(&test).eye().as_vec3());
    let undo_what = |test: &Test| {
        let history = &test.state().ui.transient.history;
        history.undo_what().map(str::to_owned)
    };
    assert_eq!(undo_what(&test), None, "nobody has done anything yet");
    press(&mut test, Key::R);
    // Another seed, another ground.
    let higher = Heightmap::new(3, 3, true, vec![0.5; 9]);
    test.state_mut().ui.derived.terrain = Ground::new(&higher, 1);
    test.run_steps(120);
    assert!(
        camera(&test).eye().as_vec3().y > eye.y + 0.05,
        "the eye is lifted"
    );
    test.key_press_modifiers(Modifiers::COMMAND, Key::Z);
    test.run_steps(3);
    assert_eq!(scene(&test).surface.seed, seed);
    assert_eq!(undo_what(&test), None);
}

#[test]
fn wheel_zooms_to_the_point_under_mouse() {
    for mode in [CameraMode::Orbit, CameraMode::Top] {
        let mut scene = Scene::default();
        (scene.camera.mode, scene.camera.distance) = (mode, 1.2);
        let mut test = desk(scene, Photo::default());
        let rect = test.state().ui.derived.scene_rect;
        // Right of and below the middle.
        let at = rect.lerp_inside(vec2(0.6, 0.55));
        let seen = |test: &Test| {
            let ground = test.state().ui.derived.terrain.as_ref().expect("a ground");
            let off = Vec2::new(0.2, -0.1);
            let place = place_seen(&camera(test), ground, off, rect.aspect_ratio());
            {
                let place = place.expect("ground under the mouse");
                Vec2::new(place.x as f32, place.z as f32)
            }
        };
        let (before, start) = (seen(&test), camera(&test));
        test.event(Event::PointerMoved(at));
        test.event(Event::MouseWheel {
            unit: egui::MouseWheelUnit::Line,
            delta: vec2(0.0, 3.0),
            modifiers: Modifiers::NONE,
        });
        test.run_steps(60);
        let now = camera(&test);
        assert!(now.distance < start.distance * 0.9, "{mode}");
        assert_ne!(now.target, start.target, "{mode}");
        let off = seen(&test).distance(before);
        assert!(off < 0.01, "{mode}: {off}");
    }
}

fn turn_the_wheel(test: &mut Test, lines: f32) {
    test.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, lines),
        modifiers: Modifiers::NONE,
    });
    test.run_steps(60);
}

#[test]
fn wheel_approaches_a_map_and_home_shows_all() {
    let mut whole = Scene::default();
    whole.view.render_type = RenderType::Map;
    let mut test = desk(whole.clone(), Photo::default());
    let rect = test.state().ui.derived.scene_rect;
    let at = rect.lerp_inside(vec2(0.55, 0.6));
    let size = (rect.width() as u32, rect.height() as u32);
    let filled = landform::render::flat_rectangle([2.0, 2.0], size);
    let off = (at - rect.center()) / rect.size() * 2.0;
    let before = Vec2::new(off.x / filled[0], off.y / filled[1]);
    test.event(Event::PointerMoved(at));
    // It does not wait for the wheel to say where it is.
    test.run_steps(2);
    assert_eq!(scene(&test).camera, whole.camera);
    turn_the_wheel(&mut test, 3.0);
    let near = scene(&test);
    assert!(!near.is_flat() && near.camera.bearing == 0.0);
    let ground = test.state().ui.derived.terrain.clone().expect("a ground");
    let seen = place_seen(
        &near.camera,
        &ground,
        Vec2::new(off.x, -off.y),
        rect.aspect_ratio(),
    );
    let seen = seen.expect("the place under the mouse");
    let moved = Vec2::new(seen.x as f32, seen.z as f32).distance(before);
    assert!(moved < 0.01, "{moved}");
    let shown = 2.0 * near.camera.distance * (near.camera.fov.to_radians() * 0.5).tan();
    assert!(shown < 2.0 / filled[1] * 0.9, "{shown}");
    // A drag shifts it.
    test.drag_at(at);
    test.run_steps(2);
    test.event(Event::PointerMoved(at + vec2(40.0, 0.0)));
    test.run_steps(2);
    test.drop_at(at + vec2(40.0, 0.0));
    test.run_steps(2);
    let target = scene(&test).camera.target;
    assert!(target[0] < near.camera.target[0] - 0.01, "{target:?}");
    test.key_press(Key::Home);
    test.run_steps(120);
    assert!(scene(&test).is_flat());
}

#[test]
fn status_line_states_the_view_width() {
    let mut scene = Scene::default();
    scene.surface.tile_size_m = 100.0;
    (scene.camera.mode, scene.camera.distance) = (CameraMode::Top, 2.0);
    scene.camera.fov = 90.0;
    let mut test = desk(scene, Photo::default());
    test.state_mut().ui.derived.shown = Some(Shown {
        rows: 257,
        columns: 257,
        stride: 2,
        requested_hurst: None,
        made_in: Duration::ZERO,
        coarse: false,
        place: None,
    });
    test.run_steps(2);
    // Two half tiles above the ground 90° show four of them, 50 m each.
    let aspect = test.state().ui.derived.scene_rect.aspect_ratio();
    let across = format!("{:.1} m", 200.0 * aspect);
    assert!(
        test.query_by_label(&format!("{across} across")).is_some(),
        "{across}"
    );
    assert!(test.query_by_label("19.5 cm a sample").is_some());
    // The sky is as wide as it likes.
    test.state_mut().ui.persisted.scene.view.render_type = RenderType::Sky;
    test.run_steps(2);
    assert!(test.query_by_label_contains(" across").is_none());
}

#[test]
fn walking_follows_ground_and_wheel_sets_speed() {
    let mut scene = Scene::default();
    scene.camera.mode = CameraMode::Walk;
    scene.camera.speed = 10.0;
    scene.camera.bearing = 0.0;
    scene.camera = scene
        .camera
        .clone()
        .with_eye(glam::DVec3::new(0.1, 0.5, 0.9));
    let mut test = desk(scene, Photo::default());
    test.run_steps(60);
    test.key_down(Key::W);
    for _ in 0..200 {
        test.run_steps(1);
        let height = eye_above_ground(&test);
        // 360 m a second over the hill's edges: no smooth way is nearer to the ground.
        assert!((0.0008..0.0100).contains(&height), "{height}");
    }
    test.key_up(Key::W);
    test.run_steps(90);
    assert!((eye_above_ground(&test) - 0.0018).abs() < 2e-4);
    assert!(camera(&test).eye().as_vec3().z < 0.0, "over the hill");
    let middle = test.state().ui.derived.scene_rect.center();
    test.event(Event::PointerMoved(middle));
    test.event(Event::MouseWheel {
        unit: egui::MouseWheelUnit::Line,
        delta: vec2(0.0, -3.0),
        modifiers: Modifiers::NONE,
    });
    test.run_steps(60);
    assert!(camera(&test).speed < 10.0);
    let (eye, bearing) = (camera(&test).eye().as_vec3(), camera(&test).bearing);
    test.event(Event::PointerButton {
        pos: middle,
        button: PointerButton::Primary,
        pressed: true,
        modifiers: Modifiers::NONE,
    });
    for step in 1..=10 {
        test.event(Event::PointerMoved(middle + vec2(step as f32 * 10.0, 0.0)));
        test.run_steps(1);
    }
    assert!(
        (camera(&test).eye().as_vec3() - eye).length() < 1e-3,
        "looking moves nothing"
    );
    assert!((camera(&test).bearing - bearing).abs() > 5.0);
}

#[test]
fn bookmarks_are_added_named_visited_and_removed() {
    let mut test = desk(Scene::default(), Photo::default());
    let first = camera(&test);
    click(&mut test, "Bookmark this view");
    press(&mut test, Key::ArrowUp);
    press(&mut test, Key::ArrowRight);
    click(&mut test, "Bookmark this view");
    let names = |test: &Test| -> Vec<String> {
        let bookmarks = scene(test).bookmarks;
        bookmarks
            .into_iter()
            .map(|bookmark| bookmark.name)
            .collect()
    };
    assert_eq!(names(&test), ["view 1", "view 2"]);
    let boxes = |test: &Test| {
        test.get_by_role_and_label(Role::TextInput, "2.")
            .rect()
            .center()
    };
    let at = boxes(&test);
    crate::desk::click(&mut test, at);
    test.key_press_modifiers(Modifiers::COMMAND, Key::A);
    test.event(Event::Text("view 1".to_owned()));
    test.run_steps(2);
    assert_eq!(names(&test), ["view 1", "view 2"], "no name twice");
    test.key_press_modifiers(Modifiers::COMMAND, Key::A);
    test.event(Event::Text("the bay".to_owned()));
    test.run_steps(2);
    assert_eq!(names(&test), ["view 1", "the bay"]);
    press(&mut test, Key::Escape);
    let go = |test: &mut Test, index: usize| {
        let all: Vec<_> = test.get_all_by_role_and_label(Role::Button, "Go").collect();
        all[index].click();
        drop(all);
        test.run_steps(20);
    };
    go(&mut test, 0);
    let on_the_way = camera(&test);
    assert!(on_the_way != first && on_the_way != scene(&test).bookmarks[1].camera);
    test.run_steps(90);
    assert_eq!(camera(&test), first);
    let all: Vec<_> = test.get_all_by_role_and_label(Role::Button, "✖").collect();
    all[0].click();
    drop(all);
    test.run_steps(3);
    assert_eq!(names(&test), ["the bay"]);
}

#[test]
fn film_is_made_played_and_stopped_in_its_section() {
    let mut start = Scene::default();
    let bookmark = |name: &str, bearing: f32| Bookmark {
        name: name.to_owned(),
        camera: Camera {
            bearing,
            ..Camera::default()
        },
    };
    start.bookmarks = vec![bookmark("a", 0.0), bookmark("b", 90.0)];
    start.film.repeats = false;
    let mut test = desk(start, Photo::default());
    click(&mut test, "From bookmarks");
    click(&mut test, "Add key frame");
    let times: Vec<f32> = scene(&test).path.frames.iter().map(|f| f.time).collect();
    assert_eq!(times, [0.0, 3.0, 6.0]);
    click(&mut test, "Play");
    test.run_steps(90);
    let bearing = camera(&test).bearing;
    assert!((20.0..70.0).contains(&bearing), "{bearing}");
    click(&mut test, "Stop");
    let there = camera(&test);
    test.run_steps(30);
    assert_eq!(camera(&test), there);
    click(&mut test, "Play");
    test.run_steps(60 * 7);
    let last: KeyFrame = scene(&test).path.frames[2].clone();
    assert_eq!(camera(&test), last.camera);
    assert!(!test.state().ui.transient.timeline.is_playing());
}

#[test]
fn the_window_picture_says_how_it_is_taken() {
    let photo = Photo {
        shown: true,
        ..Photo::default()
    };
    let mut test = desk(Scene::default(), photo);
    assert_eq!(
        Photo::default().shot((800, 600)),
        RenderRequest::new((800, 600))
    );
    test.get_by_label("Transparent").click();
    test.run_steps(3);
    let photo = test.state().ui.persisted.photo.clone();
    assert!(photo.transparent && photo.shot((8, 6)).transparent);
    assert!(
        test.query_by_label_contains("pixels, without panels")
            .is_some()
    );
    click(&mut test, "Save picture…");
    assert!(test.state().ui.transient.dialogs.asks());
    let large = Photo {
        scale: PhotoScale::Times(4),
        samples: 99,
        ..Photo::default()
    };
    let shot = large.shot((4000, 1000));
    assert_eq!((shot.size, shot.samples), ((MOST_SIDE, MOST_SIDE / 4), 16));
    let own = Photo {
        scale: PhotoScale::Pixels,
        size: [300, 200],
        ..Photo::default()
    };
    assert_eq!(own.shot((4000, 1000)).size, (300, 200));
}

#[test]
fn sizes_of_pictures_have_names() {
    let photo = Photo {
        shown: true,
        ..Photo::default()
    };
    let mut test = desk(Scene::default(), photo);
    for (name, [width, height]) in PhotoScale::NAMED {
        let before = test.state().ui.persisted.photo.scale;
        let shown = match before {
            PhotoScale::Fixed([width, height]) => format!("{width} × {height}"),
            _ => "Window size".to_owned(),
        };
        test.get_by(|node| node.value().is_some_and(|value| value.ends_with(&shown)))
            .click();
        test.run_steps(5);
        test.get_by_label(&format!("{name} {width} × {height}"))
            .click();
        test.run_steps(5);
        let photo = test.state().ui.persisted.photo.clone();
        assert_eq!(photo.shot((800, 600)).size, (width, height), "{name}");
        let words = format!("{width} × {height} pixels");
        assert!(test.query_by_label_contains(&words).is_some(), "{name}");
    }
}

#[test]
fn the_frame_shows_what_a_picture_of_another_shape_contains() {
    let view = Rect::from_min_size(pos2(100.0, 50.0), vec2(1000.0, 500.0));
    assert_eq!(frame_of((2000, 1000), view), None);
    assert_eq!(frame_of((1001, 500), view), None);
    let square = frame_of((2048, 2048), view).unwrap();
    assert_eq!(
        (square.center(), square.size()),
        (view.center(), vec2(500.0, 500.0))
    );
    let wide = frame_of((4000, 1000), view).unwrap();
    assert_eq!((wide.center(), wide.height()), (view.center(), 500.0));
    assert!(wide.width() > view.width());
}

#[test]
fn the_dialog_says_what_samples_cost() {
    let photo = Photo {
        shown: true,
        samples: 4,
        ..Photo::default()
    };
    let mut test = desk(Scene::default(), photo);
    assert!(test.query_by_label_contains("4 times as long").is_some());
    assert!(
        test.query_by_label_contains("Wider than the view")
            .is_none()
    );
    let state = test.state_mut();
    state.ui.persisted.photo.samples = 1;
    state.ui.persisted.photo.scale = PhotoScale::Fixed([8000, 100]);
    state.ui.persisted.folder = Some("/pictures of mine".into());
    test.run_steps(3);
    assert!(test.query_by_label_contains("the quickest").is_some());
    assert!(
        test.query_by_label_contains("Wider than the view")
            .is_some()
    );
    assert!(test.query_by_label_contains("/pictures of mine").is_some());
}
