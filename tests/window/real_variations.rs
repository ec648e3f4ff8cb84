//! Variations in the real window: its pictures are renders of their scenes, and what is taken over or
//! opened beside is one of them.

use std::fs;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, vec2};
use egui_kittest::kittest::Queryable;

use crate::desk::{desk, of_scene};
use crate::screen::{SIZE, Window, check_picture, seen, wait_for, x_server_seen};
use landform::app::state::variations::Varying;
use landform::import;
use landform::inputs::Inputs;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::render::HeadlessRenderer;
use landform::scene::Scene;

/// Where the pictures of the sheet are in a window of that scene: those of numbers 0, 1 …
fn places(scene: &Scene) -> Vec<Rect> {
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    // Below the sheet is the bar with the message of the picture that was saved.
    let mut test = desk(size, of_scene(scene.clone()), |ui| {
        ui.transient.notices.done("Saved");
    });
    test.key_press_modifiers(Modifiers::NONE, Key::V);
    test.run_steps(3);
    let labels = (0..9).map(|number| match number {
        0 => "The scene itself".to_owned(),
        number => format!("Variation {number}"),
    });
    let rect = |label: String| test.get_by_role_and_label(Role::Button, &label).rect();
    labels.map(rect).collect()
}

/// The upper half of a picture on the screen, where no words are, without its frame.
pub fn cut(screen: &[u8], rect: Rect) -> Vec<[u8; 3]> {
    let (left, right) = (rect.left() as usize + 2, rect.right() as usize - 2);
    let (top, bottom) = (rect.top() as usize + 2, rect.center().y as usize);
    let pixel = |x: usize, y: usize| {
        let at = 4 * (y * SIZE.0 as usize + x);
        [screen[at + 2], screen[at + 1], screen[at]]
    };
    (top..bottom)
        .flat_map(|y| (left..right).map(move |x| (x, y)))
        .map(|(x, y)| pixel(x, y))
        .collect()
}

/// Whether these are the same pictures, but for what a driver rounds otherwise where a picture is drawn in
/// other parts: one pixel in a thousand.
pub fn is_the_same(a: &[[u8; 3]], b: &[[u8; 3]]) -> bool {
    let is_other = |(a, b): &(&[u8; 3], &[u8; 3])| (0..3).any(|of| a[of].abs_diff(b[of]) > 2);
    let others = a.iter().zip(b).filter(is_other).count();
    a.len() == b.len() && others * 1000 <= a.len()
}

/// The same part of a render of the scene in that size.
pub fn rendered(studio: &mut HeadlessRenderer, scene: &Scene, rect: Rect) -> Vec<[u8; 3]> {
    let landscape = Pipeline::default()
        .run(scene, &Inputs::default(), &Job::new())
        .unwrap();
    let size = (rect.width().round() as u32, rect.height().round() as u32);
    let picture = studio.picture(&landscape, size).unwrap();
    let rows = 2..(rect.center().y as usize - rect.top() as usize);
    let pixels = rows.flat_map(|row| picture.row(row)[2..size.0 as usize - 2].to_vec());
    pixels.collect()
}

#[test]
fn thumbnails_are_renders_and_clicks_adopt_or_open() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_seen(home.path());
    let mut opened = Scene::default();
    opened.surface.iterations = 6;
    opened.camera.pitch = 50.0;
    let file = home.path().join("opened.toml");
    fs::write(&file, opened.to_toml()).unwrap();
    let places = places(&opened);
    let window = Window::open(&display, home.path(), Some(&file));
    let first = window.save_picture();
    window.key("v");

    let vary = Varying::default().vary(0);
    let mut studio = HeadlessRenderer::new().unwrap();
    let expected = places.iter().enumerate().map(|(number, rect)| {
        let scene = vary.variation(&opened, number as u32);
        rendered(&mut studio, &scene, *rect)
    });
    let expected: Vec<_> = expected.collect();
    for (number, rect) in places.iter().enumerate() {
        wait_for(&format!("picture {number}"), || {
            let shown = cut(&seen(home.path()), *rect);
            is_the_same(&shown, &expected[number]).then_some(())
        });
    }

    let click = |number: usize| {
        let at = places[number].center();
        let [x, y] = [at.x, at.y].map(|at| at.round().to_string());
        window.xdotool(&["mousemove", "--window", &window.id, &x, &y]);
        window.xdotool(&["click", "1"]);
    };
    // Beside: a window of its own, which goes on without this one.
    window.xdotool(&["keydown", "shift"]);
    click(5);
    window.xdotool(&["keyup", "shift"]);
    let other = wait_for("the other window", || {
        let found = window.xdotool(&["search", "--onlyvisible", "--name", "Landform"]);
        let mut found = found.lines().map(str::to_owned);
        found.find(|id| *id != window.id)
    });
    let kept = home.path().join("config/window-2.toml");
    let beside = vary.variation(&opened, 5);
    wait_for("its scene", || {
        let text = fs::read_to_string(&kept).ok()?;
        let seed = format!("seed = \"{}\"", beside.surface.seed);
        let plain = format!("seed = {}", beside.surface.seed);
        (text.contains(&seed) || text.contains(&plain)).then_some(())
    });
    window.xdotool(&["windowfocus", "--sync", &other, "key", "ctrl+q"]);
    wait_for("its end", || {
        let found = window.xdotool(&["search", "--onlyvisible", "--name", "Landform"]);
        (found.lines().count() == 1).then_some(())
    });

    click(3);
    let path = window.save_picture();
    let size = image::image_dimensions(&path).unwrap();
    let (_, taken) = check_picture(&path, size);
    assert_eq!(taken, vary.variation(&opened, 3));
    window.key("ctrl+z");
    window.key("Escape");
    // The message of the last picture is no longer below the scene, which is higher now.
    let path = window.save_picture();
    let size = image::image_dimensions(&path).unwrap();
    let (again, scene) = check_picture(&path, size);
    assert_eq!(scene, opened);
    assert!(again == image::open(first).unwrap().into_rgb8());
    assert_eq!(import::open(&file).unwrap(), opened);
    window.quit();
}
