//! The language of the real window: chosen in its menu, kept for the next start, and never in a
//! picture.

use egui::{Pos2, vec2};
use egui_kittest::kittest::NodeT;

use crate::desk::{desk, of_scene};
use crate::screen::{SIZE, Window, check_picture, seen, x_server_seen};
use landform::scene::Scene;

/// Where to click, one after the other, to choose German.
fn way(scene: &Scene) -> Vec<Pos2> {
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut test = desk(size, of_scene(scene.clone()), |_| ());
    let mut way = Vec::new();
    for words in ["Edit", "🌐 Language", "Deutsch"] {
        let nodes = test.root().children_recursive();
        let is_it = |label: String| label.trim_end_matches('⏵').trim() == words;
        let mut named = nodes.filter(|node| node.accesskit_node().label().is_some_and(is_it));
        let node = named.next().unwrap_or_else(|| panic!("no {words:?}"));
        way.push(node.rect().center());
        node.click_accesskit();
        drop(named);
        test.run_steps(10);
    }
    way
}

#[test]
fn menu_language_is_kept_and_changes_no_picture() {
    let home = tempfile::tempdir().unwrap();
    let (_server, display) = x_server_seen(home.path());
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    let file = home.path().join("land.toml");
    std::fs::write(&file, scene.to_toml()).unwrap();
    let size = {
        let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
        let rect = desk(size, of_scene(scene.clone()), |_| ())
            .state()
            .ui
            .derived
            .scene_rect;
        (rect.width().round() as u32, rect.height().round() as u32)
    };
    // Before the first notice, which lies over nothing of the menu.
    // Letters may lie a little otherwise on a start.
    let alike = |a: &[u8], b: &[u8]| a.iter().zip(b).filter(|(a, b)| a != b).count() < 50;
    let menu = || seen(home.path())[..4 * SIZE.0 as usize * 22].to_vec();
    let window = Window::open(&display, home.path(), Some(&file));
    let (first, opened) = check_picture(&window.save_picture(), size);
    let english = menu();
    way(&scene).into_iter().for_each(|at| window.click(at));
    window.key("Escape");
    window.key("Escape");
    let (picture, there) = check_picture(&window.save_picture(), size);
    assert!(picture == first && there == scene);
    let german = menu();
    assert!(!alike(&german, &english));
    window.quit();
    let settings = std::fs::read_to_string(home.path().join("config/settings.toml")).unwrap();
    assert!(settings.contains("language = \"de\""), "{settings}");

    // The choice goes before the system's language, whose help is meant for other windows.
    let window = Window::open_with(&display, home.path(), Some(&file), |command| {
        command.env("LC_ALL", "ru_RU.UTF-8")
    });
    let (again, there) = check_picture(&window.save_picture(), size);
    assert_eq!(there, opened);
    assert!(again == first && alike(&menu(), &german));
    window.quit();

    let other = tempfile::tempdir().unwrap();
    let window = Window::open_with(&display, other.path(), Some(&file), |command| {
        command.env("LC_ALL", "ru_RU.UTF-8")
    });
    let (russian, _) = check_picture(&window.save_picture(), size);
    assert!(russian == first);
    assert!(!alike(&menu(), &german) && !alike(&menu(), &english));
    window.quit();
}
