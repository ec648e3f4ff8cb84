//! Documents in the real window: what closing asks, what a crash and a shutdown leave, and what a
//! window looks like at its next start.

mod screen;

use std::fs;
use std::path::{Path, PathBuf};

use landform::app::settings;
use landform::import;
use landform::scene::{RenderType, Scene};
use screen::{Window, wait_for, x_server, x_server_of};

const OPENED: &str = "land.toml – Landform";
const CHANGED: &str = "• land.toml – Landform";

/// A scene that is quick to make and to draw.
fn plain(seed: u64) -> Scene {
    let mut scene = Scene::default();
    scene.surface.seed = seed;
    scene.surface.iterations = 4;
    scene.view.render_type = RenderType::Map;
    scene
}

/// A home with a scene file in it.
fn home() -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("land.toml");
    fs::write(&file, plain(7).to_toml()).unwrap();
    (home, file)
}

fn seed_in(file: &Path) -> u64 {
    import::open(file).unwrap().surface.seed
}

/// The seed in the window, by the picture that F12 saves.
fn seed_of(window: &Window) -> u64 {
    seed_in(&window.save_picture())
}

#[test]
fn saving_clears_the_mark_in_the_title_and_closing_asks_about_what_is_not_saved() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let mut window = Window::open(&display, home.path(), Some(&file));
    window.wait_for_title(OPENED);
    window.key("r");
    window.wait_for_title(CHANGED);
    window.key("ctrl+s");
    window.wait_for_title(OPENED);
    let saved = seed_in(&file);
    assert_ne!(saved, 7, "the file that is open is written");
    window.key("r");
    window.wait_for_title(CHANGED);
    // By the keys, by the desktop, and each time thought better of.
    window.key("ctrl+q");
    window.key("Escape");
    window.xdotool(&["windowquit", &window.id]);
    window.key("Escape");
    assert!(window.runs(), "it asks");
    assert_eq!(window.title(), CHANGED);
    // Discard.
    window.quit();
    assert_eq!(seed_in(&file), saved);

    let window = Window::open(&display, home.path(), None);
    window.wait_for_title(OPENED);
    assert_eq!(
        seed_of(&window),
        saved,
        "what was let go does not come back"
    );
    window.key("r");
    window.wait_for_title(CHANGED);
    window.key("ctrl+q");
    window.let_the_question_come();
    // Save, which has the keyboard.
    window.xdotool(&["key", "Return"]);
    window.ended();
    assert_ne!(seed_in(&file), saved);
}

#[test]
fn a_crash_and_a_shutdown_lose_nothing() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let window = Window::open(&display, home.path(), Some(&file));
    window.wait_for_title(OPENED);
    window.key("r");
    window.wait_for_title(CHANGED);
    let seed = seed_of(&window);
    let kept = home.path().join("config/window.toml");
    wait_for("the scene on the disk", || {
        let text = fs::read_to_string(&kept).ok()?;
        text.contains(&format!("seed = {seed}\n")).then_some(())
    });
    window.kill();

    let window = Window::open(&display, home.path(), None);
    window.wait_for_title(CHANGED);
    assert_eq!(seed_of(&window), seed);
    window.key("r");
    let seed = seed_of(&window);
    window.terminate();

    // Another file leaves what is not saved alone.
    let other = home.path().join("other.toml");
    fs::write(&other, plain(9).to_toml()).unwrap();
    let window = Window::open(&display, home.path(), Some(&other));
    window.wait_for_title("other.toml – Landform");
    window.quit();

    let window = Window::open(&display, home.path(), None);
    window.wait_for_title(CHANGED);
    assert_eq!(seed_of(&window), seed);
    assert_eq!(seed_in(&file), 7, "only the user writes the file");
    window.terminate();
}

#[test]
fn two_windows_keep_a_scene_each() {
    let (home, file) = home();
    let ((_one, display), (_two, other)) = (x_server(), x_server());
    let first = Window::open(&display, home.path(), Some(&file));
    first.wait_for_title(OPENED);
    let second = Window::open(&other, home.path(), None);
    second.wait_for_title("Unnamed – Landform");
    first.key("r");
    second.key("r");
    second.key("F4");
    second.key("F3");
    second.wait_for_title("• Unnamed – Landform");
    let seeds = [seed_of(&first), seed_of(&second)];
    second.terminate();
    first.terminate();
    let text = fs::read_to_string(home.path().join("config/settings.toml")).unwrap();
    assert!(text.contains("statistics = true"), "{text}");
    assert!(text.contains("panel = false"), "{text}");
    let first = Window::open(&display, home.path(), None);
    let second = Window::open(&other, home.path(), None);
    assert_eq!([seed_of(&first), seed_of(&second)], seeds);
    first.terminate();
    second.terminate();
}

/// Place and size of the window, in pixels.
fn geometry(window: &Window) -> String {
    let text = window.xdotool(&["getwindowgeometry", "--shell", &window.id]);
    let lines = text.lines().filter(|line| {
        let name = line.split('=').next().unwrap_or_default();
        ["X", "Y", "WIDTH", "HEIGHT"].contains(&name)
    });
    lines.collect::<Vec<_>>().join(" ")
}

/// The numbers of [`geometry`].
fn sides(window: &Window) -> [i32; 4] {
    let text = geometry(window);
    let number = |part: &str| part.split('=').nth(1)?.parse().ok();
    let numbers: Vec<i32> = text.split(' ').filter_map(number).collect();
    numbers.try_into().expect("x, y, width, height")
}

#[test]
fn a_window_comes_back_where_it_was_as_large_as_it_was() {
    let (home, _) = home();
    let (_server, display) = x_server();
    for scale in ["1", "2"] {
        let start = || {
            Window::start(&display, home.path(), |command| {
                command.env("WINIT_X11_SCALE_FACTOR", scale)
            })
        };
        let first = start();
        // Nothing of it is off the screen, which at scale 2 has no room for the size kept.
        wait_for("a window on the screen", || {
            let [x, y, width, height] = sides(&first);
            let fits = x >= 0 && y >= 0 && x + width <= 1280 && y + height <= 720;
            fits.then_some(())
        });
        let (size, place) = ("600 x 400", "X=90 Y=70 WIDTH=600 HEIGHT=400");
        let sides: Vec<_> = size.split(" x ").collect();
        first.xdotool(&["windowsize", &first.id, sides[0], sides[1]]);
        first.xdotool(&["windowmove", &first.id, "90", "70"]);
        wait_for("the place", || (geometry(&first) == place).then_some(()));
        // A moment for the window to hear of it.
        std::thread::sleep(std::time::Duration::from_millis(500));
        first.terminate();
        let second = start();
        wait_for("the same place", || {
            (geometry(&second) == place).then_some(())
        });
        second.terminate();
    }
}

#[test]
fn the_first_window_has_its_size_in_points() {
    let (home, file) = home();
    let (_server, display) = x_server_of((3000, 2000));
    let window = Window::start(&display, home.path(), |command| {
        let command = command.env("WINIT_X11_SCALE_FACTOR", "2");
        command.arg("view").arg(&file)
    });
    wait_for("1280 x 720 points", || {
        let place = geometry(&window);
        place.ends_with("WIDTH=2560 HEIGHT=1440").then_some(())
    });
    window.terminate();
}

#[test]
fn without_a_pictures_folder_a_picture_goes_home_and_its_whole_path_is_said() {
    let (home, file) = home();
    let (_server, display) = x_server();
    let log = home.path().join("log");
    let window = Window::open_with(&display, home.path(), Some(&file), |command| {
        command
            .env_remove(settings::PICTURES_VARIABLE)
            .env_remove("XDG_CONFIG_HOME")
            .env("RUST_LOG", "landform::app::notices=info")
            .stderr(fs::File::create(&log).unwrap())
    });
    window.wait_for_title(OPENED);
    window.key("F12");
    let picture = home.path().join("landform-diamond-square-seed-7-001.png");
    let words = format!("Saved {}", picture.display());
    wait_for("the words", || {
        let text = fs::read_to_string(&log).unwrap_or_default();
        text.contains(&words).then_some(())
    });
    assert_eq!(seed_in(&picture), 7);
    window.quit();
}
