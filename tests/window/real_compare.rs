//! Two scenes compared in the real window.

use std::time::Duration;

use crate::real::layout;
use crate::screen::{SIZE, Window, check_picture, seen, wait_for, x_server_seen};
use landform::scene::{RenderType, Scene};

/// Points at the top of the picture that have the scenes' names, and beside the divider.
const NAMES: u32 = 44;
const DIVIDER: u32 = 12;

#[test]
fn picture_shows_kept_scene_beside_present_one() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_seen(home.path());
    let (_, rect) = layout();
    let size = (rect.width().round() as u32, rect.height().round() as u32);
    let mut scene = Scene::default();
    scene.surface.iterations = 5;
    scene.view.render_type = RenderType::Triangles;
    scene.camera.pitch = 50.0;
    let file = home.path().join("kept.toml");
    std::fs::write(&file, scene.to_toml()).unwrap();
    // No hint over the picture.
    std::fs::create_dir_all(home.path().join("config")).unwrap();
    std::fs::write(
        home.path().join("config/settings.toml"),
        "has_dragged = true\n",
    )
    .unwrap();
    let window = Window::open(&display, home.path(), Some(&file));
    let (kept, _) = check_picture(&window.save_picture(), size);
    for key in ["c", "r", "Right"] {
        window.key(key);
    }
    // Seen from elsewhere by now, so both are drawn anew.
    let (present, of_present) = check_picture(&window.save_picture(), size);
    assert_ne!(of_present.surface.seed, scene.surface.seed);
    assert!(kept != present);
    scene.camera = of_present.camera.clone();
    let kept = rendered(&scene, size);
    // The pixels of the screen are those of A left of a column, of B right of it.
    let shows = |column: u32| {
        let pixels = seen(home.path());
        let place = |x: u32, y: u32| {
            let (x, y) = (x + rect.left() as u32, y + rect.top() as u32);
            &pixels[4 * (y * SIZE.0 + x) as usize..][..3]
        };
        let mut all = (NAMES..size.1).flat_map(|y| (0..size.0).map(move |x| (x, y)));
        all.all(|(x, y)| {
            let picture = if x < column { &kept } else { &present };
            let [r, g, b] = picture.get_pixel(x, y).0;
            let near = x.abs_diff(column) < DIVIDER && column > 0 && column < size.0;
            near || place(x, y) == [b, g, r]
        })
    };
    for (key, column) in [
        ("x", size.0),
        ("x", 0),
        ("shift+x", size.0 / 2),
        ("Escape", 0),
    ] {
        window.key(key);
        wait_for(key, || {
            std::thread::sleep(Duration::from_millis(100));
            shows(column).then_some(())
        });
    }
    window.quit();
}

fn rendered(scene: &Scene, size: (u32, u32)) -> image::RgbImage {
    let inputs = landform::import::inputs(scene).unwrap();
    let job = landform::job::Job::new();
    let landscape = landform::pipeline::Pipeline::default().run(scene, &inputs, &job);
    let picture = landform::render::picture(&landscape.unwrap(), size).unwrap();
    let pixels = picture.as_slice().iter().flatten().copied().collect();
    image::RgbImage::from_raw(size.0, size.1, pixels).unwrap()
}
