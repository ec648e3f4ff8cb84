//! A film in the real window: what the timeline shows at a time is a render of the scene of that
//! time, and the exported film has these pictures.

use std::fs;

use crate::screen::{SIZE, Window, check_picture, wait_up_to, x_server};
use landform::scene::Scene;
use landform::{film, import};
use std::time::Duration;

const FILM: &str = r#"
surface.iterations = 6
clouds.iterations = 5
view.render_type = "landscape"
film.fps = 4
film.seconds = 4.0
path.frames = [
  { time = 0.0, camera = { mode = "fly", target = [0.0, 0.1, 0.0], distance = 1.0, pitch = 25.0 } },
  { time = 4.0, camera = { mode = "fly", target = [0.3, 0.1, 0.1], distance = 1.0, pitch = 30.0 } },
]
[[film.keys]]
time = 0.0
set = { "light.elevation" = 8.0, "surface.hurst" = 0.6 }
[[film.keys]]
time = 4.0
set = { "light.elevation" = 60.0, "surface.hurst" = 0.9 }
"#;

#[test]
fn timeline_shows_the_film_at_that_time() {
    let (_server, display) = x_server();
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("film.toml");
    fs::write(&file, FILM).unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    window.key("F4");
    window.key("F5");
    // In the middle of the ruler, which lies above the status line.
    let [x, y] = [SIZE.0 / 2, SIZE.1 - 60].map(|place| place.to_string());
    window.xdotool(&["mousemove", "--window", &window.id, &x, &y, "click", "1"]);
    let path = window.save_picture();
    let picture = image::open(&path).unwrap().into_rgb8();
    let (_, shown) = check_picture(&path, picture.dimensions());
    assert_eq!(shown.light.elevation, 34.0, "half way");
    let told = assert_cmd::Command::cargo_bin("landform")
        .unwrap()
        .args(["scene", "--at", "2"])
        .arg(&file)
        .output()
        .unwrap();
    let told = String::from_utf8(told.stdout).unwrap();
    assert_eq!(told, shown.to_short_toml());
    let film = import::open(&file).unwrap();
    assert_eq!(film::settings_at(&film, 2.0).surface, shown.surface);
    // Played, it has moved on, perhaps beyond its end to its beginning, and stops at a picture of the film.
    window.key("space");
    std::thread::sleep(Duration::from_millis(700));
    window.key("space");
    let before = window.saved();
    window.key("F12");
    let path = wait_up_to(Duration::from_secs(120), "a picture", || {
        window.saved().difference(&before).next().cloned()
    });
    let picture = image::open(&path).unwrap().into_rgb8();
    let (_, played) = check_picture(&path, picture.dimensions());
    let elevation = played.light.elevation;
    assert!((elevation - 34.0).abs() > 0.1, "{elevation}");
    let times = (0..=4000).map(|ms| ms as f32 / 1e3);
    let off = |scene: &Scene| (scene.light.elevation - elevation).abs();
    let at_time = times.map(|time| film::settings_at(&film, time));
    let nearest = at_time.min_by(|one, other| off(one).total_cmp(&off(other)));
    let nearest = nearest.unwrap();
    assert!(off(&nearest) < 0.05, "{elevation}");
    let roughness = (nearest.surface.hurst - played.surface.hurst).abs();
    assert!(roughness < 0.001, "{roughness} at {elevation}");
    window.quit();
}
