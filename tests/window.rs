//! The real window of the real program, under an X server of its own, driven by mouse and keys.
//!
//! Needs Xvfb, xdotool and OpenGL (`scripts/deps.sh test` installs them); without them it fails.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Rect, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use landform::app::state::UiState;
use landform::app::{settings, theme, ui};
use landform::import;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::render;
use landform::scene::Scene;

const SIZE: (u32, u32) = (1280, 720);
const PATIENCE: Duration = Duration::from_secs(20);

/// A program that ends with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server on a free display number.
fn x_server() -> (Running, String) {
    let mut server = Command::new("Xvfb")
        // Without -noreset the server starts anew when the last window closes, and the next
        // window finds none for a moment.
        .args(["-displayfd", "1", "-noreset", "-nolisten", "tcp"])
        .arg("-screen")
        .arg("0")
        .arg(format!("{}x{}x24", SIZE.0, SIZE.1))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("Xvfb must be installed: scripts/deps.sh test");
    let mut number = String::new();
    let stdout = server.stdout.take().unwrap();
    BufReader::new(stdout).read_line(&mut number).unwrap();
    assert!(!number.trim().is_empty(), "Xvfb does not start");
    (Running(server), format!(":{}", number.trim()))
}

/// The window, its display, and the folders it may write to.
struct Window {
    program: Running,
    display: String,
    pictures: PathBuf,
    id: String,
}

impl Window {
    fn open(display: &str, home: &Path, scene: Option<&Path>) -> Self {
        let pictures = home.join("pictures");
        let program = Command::new(env!("CARGO_BIN_EXE_landform"))
            .args(["view", "--size", &format!("{}x{}", SIZE.0, SIZE.1)])
            .args(scene)
            .env("DISPLAY", display)
            .env_remove("WAYLAND_DISPLAY")
            .env("WINIT_X11_SCALE_FACTOR", "1")
            .env("HOME", home)
            .env(settings::FOLDER_VARIABLE, home.join("config"))
            .env(settings::PICTURES_VARIABLE, &pictures)
            .spawn()
            .unwrap();
        let mut window = Self {
            program: Running(program),
            display: display.to_owned(),
            pictures,
            id: String::new(),
        };
        window.id = wait_for("the window", || {
            let found = window.xdotool(&["search", "--onlyvisible", "--name", "Landform"]);
            found.lines().next().map(str::to_owned)
        });
        window
    }

    fn xdotool(&self, arguments: &[&str]) -> String {
        let output = Command::new("xdotool")
            .args(arguments)
            .env("DISPLAY", &self.display)
            .output()
            .expect("xdotool must be installed: scripts/deps.sh test");
        // The program takes a moment to see what was done.
        std::thread::sleep(Duration::from_millis(60));
        String::from_utf8(output.stdout).unwrap()
    }

    fn key(&self, key: &str) {
        self.xdotool(&["windowfocus", "--sync", &self.id]);
        self.xdotool(&["key", key]);
    }

    fn drag(&self, rail: Rect, from: f32, to: f32) {
        let y = rail.center().y.to_string();
        for step in 0..=8 {
            let part = from + (to - from) * step as f32 / 8.0;
            let x = egui::lerp(rail.left()..=rail.right(), part).to_string();
            self.xdotool(&["mousemove", "--window", &self.id, &x, &y]);
            if step == 0 {
                self.xdotool(&["mousedown", "1"]);
            }
        }
        self.xdotool(&["mouseup", "1"]);
    }

    fn saved(&self) -> BTreeSet<PathBuf> {
        let entries = fs::read_dir(&self.pictures).into_iter().flatten();
        let paths = entries.map(|entry| entry.unwrap().path());
        paths
            .filter(|path| path.extension().is_some_and(|e| e == "png"))
            .collect()
    }

    /// Presses F12; the file that appears.
    fn save_picture(&self) -> PathBuf {
        let before = self.saved();
        self.key("F12");
        wait_for("a picture", || {
            self.saved().difference(&before).next().cloned()
        })
    }

    /// Presses Ctrl+Q; the window closes and the program ends well.
    fn quit(mut self) {
        self.key("ctrl+q");
        let status = wait_for("the end", || self.program.0.try_wait().unwrap());
        assert!(status.success(), "{status}");
    }
}

#[track_caller]
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let started = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(started.elapsed() < PATIENCE, "{what} does not come");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The same interface laid out without a window: where the H slider and the scene are.
fn layout() -> (Rect, Rect) {
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

/// The picture and the scene that it holds; checked to be what a render of that scene is.
fn check_picture(path: &Path, size: (u32, u32)) -> (image::RgbImage, Scene) {
    let picture = image::open(path).unwrap().into_rgb8();
    assert_eq!(picture.dimensions(), size);
    let colors: BTreeSet<_> = picture.pixels().map(|pixel| pixel.0).collect();
    assert!(colors.len() > 500, "{} colours in {path:?}", colors.len());

    let scene = import::open(path).unwrap();
    let inputs = import::inputs(&scene).unwrap();
    let landscape = Pipeline::default()
        .run(&scene, &inputs, &Job::new())
        .unwrap();
    let rendered = render::picture(&landscape, size).unwrap();
    let rendered: Vec<u8> = rendered.as_slice().iter().flatten().copied().collect();
    assert!(
        picture.as_raw() == &rendered,
        "{path:?} is not what a render of its scene is"
    );
    (picture, scene)
}

#[test]
fn the_window_is_dragged_reseeded_and_saved_and_comes_back_as_it_was() {
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
    window.quit();

    let window = Window::open(&display, home.path(), None);
    let (_, again) = check_picture(&window.save_picture(), size);
    assert_eq!(again, scene, "the scene survives a restart");
    window.quit();
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
