//! Frames of the real window under an X server, while it flies. Needs Xvfb and xdotool, as
//! `tests/window.rs` does.

use std::fs::{self, File};
use std::time::{Duration, Instant};

use glam::Vec2;
use landform::camera::{Ground, place_seen};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;

use crate::pictures::scene;
use crate::screen::{Window, wait_for, x_server};

/// A map that a machine without a graphics card cannot draw whole thirty times a second.
const SCENE: &str = "view.render_type=triangles surface.iterations=10 surface.height_scale=0.45 \
    view.tile=3 light.shadows=true camera.mode=fly camera.distance=0.5 camera.pitch=10 \
    camera.target=[1.0,0.6,0.0]";

#[test]
fn flying_does_not_stall() {
    let _alone = crate::alone();
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server();
    let file = home.path().join("flight.toml");
    fs::write(&file, scene(SCENE).to_toml()).unwrap();
    let log = home.path().join("log");
    let window = Window::open_with(&display, home.path(), Some(&file), |command| {
        let log = File::create(&log).unwrap();
        command
            .env("RUST_LOG", "landform::app::window=debug")
            .stderr(log)
    });
    let frames = || -> Vec<u64> {
        let text = fs::read_to_string(&log).unwrap();
        let lines = text.lines().filter_map(|line| line.split_once("frame "));
        let words = lines.filter_map(|(_, rest)| rest.split_once(" ms"));
        words.filter_map(|(ms, _)| ms.parse().ok()).collect()
    };
    // The landscape is there, and the picture at rest.
    wait_for("the first picture", || (frames().len() > 3).then_some(()));
    std::thread::sleep(Duration::from_millis(1500));
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    let before = frames().len();
    window.xdotool(&["keydown", "w"]);
    std::thread::sleep(Duration::from_secs(4));
    window.xdotool(&["keyup", "w"]);
    // The first frames teach the window how much it may draw.
    let mut flight = frames().split_off(before + 3);
    assert!(flight.len() >= 15, "only {} frames in 4 s", flight.len());
    flight.sort_unstable();
    let (median, most) = (flight[flight.len() / 2], flight[flight.len() - 1]);
    // 33 and 100 ms on a machine that has nothing else to do.
    assert!(median <= 150, "frames of {median} ms");
    assert!(most <= 600, "a frame of {most} ms");
    window.quit();
}

#[test]
fn a_place_that_was_looked_at_costs_next_to_nothing_when_it_is_looked_at_again() {
    let _alone = crate::alone();
    let scene = scene(
        "surface.iterations=9 surface.hurst=1 surface.height_scale=0.1 camera.pitch=60 camera.distance=0.001",
    );
    let landscape = Pipeline::default()
        .run(&scene, &Inputs::default(), &Job::new())
        .unwrap();
    let ground = Ground::of(&landscape).unwrap();
    let mut camera = scene.camera.clone();
    camera.target[1] = ground.height_near(camera.target[0], camera.target[2], 1e-9);
    let look = || {
        let began = Instant::now();
        let seen = place_seen(&camera, &ground, Vec2::new(0.1, -0.2), 1.6);
        (seen.expect("it is over the ground"), began.elapsed())
    };
    // What is below the samples is made when it is first asked for.
    let _ = ground.height_near(0.5, 0.5, 1e-9);
    let (first, cold) = look();
    let again: Vec<_> = (0..5).map(|_| look()).collect();
    assert!(again.iter().all(|(place, _)| *place == first));
    let warm = again.iter().map(|(_, time)| *time).min().unwrap();
    assert!(warm * 5 < cold, "{warm:?} after {cold:?}");
}
