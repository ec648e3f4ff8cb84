//! The real window on a screen of 3840 × 2160 pixels, drawn in software: whatever it draws, it
//! answers. Needs Xvfb and xdotool, as `tests/window` does.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use landform::app::picture::frame_budget::{QUARTER, STEPS};

use crate::pictures::scene;
use crate::screen::{LONG_PATIENCE, Window, wait_up_to, x_server_of};

const SIZE: (u32, u32) = (3840, 2160);

fn wait_for<T>(what: &str, look: impl FnMut() -> Option<T>) -> T {
    wait_up_to(LONG_PATIENCE, what, look)
}

/// A picture that takes seconds on a machine without a graphics card.
const SCENE: &str = "view.render_type=landscape surface.iterations=9 view.tile=3 \
    water.enabled=true camera.pitch=15 camera.distance=1.5";

/// What the program says about its own work, in milliseconds.
struct Log(PathBuf);

impl Log {
    fn numbers(&self, before: &str, after: &str) -> Vec<u64> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let lines = text.lines().filter_map(|line| line.split_once(before));
        let words = lines.filter_map(|(_, rest)| rest.split_once(after));
        words.filter_map(|(ms, _)| ms.parse().ok()).collect()
    }

    /// How each picture was reduced: 0 is as the scene says.
    fn steps(&self) -> Vec<u64> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let words = text
            .lines()
            .filter_map(|line| line.split_once(" ms, step "));
        words.filter_map(|(_, step)| step.parse().ok()).collect()
    }

    /// The times of each picture with the scene's own detail.
    fn pictures(&self) -> Vec<u64> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let lines = text.lines().filter(|line| line.ends_with("step 0"));
        let words = lines.filter_map(|line| line.split_once("picture ")?.1.split_once(" ms"));
        words.filter_map(|(ms, _)| ms.parse().ok()).collect()
    }

    /// How often something was drawn between events, after the first so many times.
    fn pieces(&self, seen: usize) -> usize {
        self.numbers("] piece ", " ms").len() - seen
    }
}

fn open(display: &str, home: &Path) -> (Window, Log) {
    let file = home.join("scene.toml");
    fs::write(&file, scene(SCENE).to_toml()).unwrap();
    let log = home.join("log");
    let window = Window::open_sized(display, home, Some(&file), SIZE, |command| {
        let log = File::create(&log).unwrap();
        command.env("RUST_LOG", "landform::app=debug").stderr(log)
    });
    (window, Log(log))
}

#[test]
fn large_window_responds_while_drawing_and_saving() {
    let _alone = crate::alone();
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_of(SIZE);
    let (window, log) = open(&display, home.path());
    wait_for("the picture", || log.pictures().first().copied());
    // At rest it is drawn in many pieces; how long they take is measured by `make bench-render`.
    let pieces = log.pieces(0);
    assert!(pieces > 10, "{pieces} pieces");

    // A key turns the camera: a coarser picture comes first, long before the fine one; then a quarter
    // of the pixels.
    let coarse = log.numbers("picture ", " ms").len();
    window.key("Right");
    wait_for("a coarse picture", || {
        (log.numbers("picture ", " ms").len() > coarse).then_some(())
    });
    assert_eq!(log.pictures().len(), 1, "the fine one comes later");
    wait_for("the fine picture", || {
        (log.pictures().len() > 1).then_some(())
    });
    let steps = log.steps().split_off(coarse);
    let is_small = |step: &u64| STEPS[*step as usize].scale < 0.5;
    assert!(steps.first().is_some_and(is_small), "{steps:?}");
    assert!(steps.ends_with(&[QUARTER as u64, 0]), "{steps:?}");

    // The window also answers while the picture is saved.
    let seen = log.pieces(0);
    window.save_picture();
    assert!(log.pieces(seen) > 0);

    // At rest nothing is drawn, and nothing waits to be.
    wait_for("rest", || {
        let seen = log.pieces(0);
        // It settles.
        window.title();
        (log.pieces(seen) == 0).then_some(())
    });
    // The status line was drawn again after the fine picture, so it calls none coarser.
    let text = fs::read_to_string(&log.0).unwrap();
    let last = |words: &str| text.rfind(words).expect(words);
    assert!(last("] frame ") > last(" step 0"));
    window.quit();
}

#[test]
fn the_first_picture_is_a_coarse_one() {
    let _alone = crate::alone();
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_of((1280, 720));
    let path = home.path().join("log");
    let window = Window::start(&display, home.path(), |command| {
        let log = File::create(&path).unwrap();
        command.env("RUST_LOG", "landform::app=debug").stderr(log)
    });
    let log = Log(path);
    // The scene that the program starts with has levels below its last iteration in sight.
    wait_for("the whole picture", || {
        log.steps().contains(&0).then_some(())
    });
    let first = log.steps()[0];
    assert!(first >= QUARTER as u64, "step {first}");
    window.quit();
}
