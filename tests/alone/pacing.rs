//! Frames of the real window under an X server, while it flies. Needs Xvfb and xdotool, as
//! `tests/window` does. How many come in a second is measured by `make bench-render`.

use std::fs::{self, File};

use crate::pictures::scene;
use crate::screen::{Window, wait_for, x_server};

/// A map that a machine without a graphics card cannot draw whole thirty times a second.
const SCENE: &str = "view.render_type=triangles surface.iterations=10 surface.height_scale=0.45 \
    view.tile=3 light.shadows=true camera.mode=fly camera.distance=0.5 camera.pitch=10 \
    camera.target=[1.0,0.6,0.0]";

#[test]
fn frames_come_while_it_flies() {
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
    let frames = || {
        let text = fs::read_to_string(&log).unwrap();
        text.lines().filter(|line| line.contains("frame ")).count()
    };
    // The landscape is there, and the picture at rest.
    wait_for("the first picture", || (frames() > 3).then_some(()));
    window.xdotool(&["windowfocus", "--sync", &window.id]);
    let before = frames();
    window.xdotool(&["keydown", "w"]);
    wait_for("frames of a flight", || {
        (frames() >= before + 15).then_some(())
    });
    window.xdotool(&["keyup", "w"]);
    window.quit();
}
