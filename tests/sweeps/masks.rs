//! Masks on the land in the real window: while they are looked at, and never in what is saved.

use std::time::Duration;

use egui::{Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::Queryable;

use crate::desk::{desk, of_scene};
use crate::screen::{SIZE, Window, check_picture, seen, wait_for, x_server_seen};
use landform::app::settings;
use landform::app::state::Persisted;
use landform::mask::{By, Mask};
use landform::modify::{Modifier, ModifierKind};
use landform::scene::{RenderType, Scene};

/// A window whose panel shows little but a step under a mask, which acts above height 0.
fn persisted(render_type: RenderType) -> Persisted {
    let mut scene = Scene::default();
    scene.surface.iterations = 6;
    scene.teximage.iterations = 6;
    scene.view.render_type = render_type;
    scene.modifiers = vec![Modifier::new(ModifierKind::Level)];
    scene.modifiers[0].mask = Mask::new(By::Height);
    scene.modifiers[0].mask.height.low = 0.0;
    scene.modifiers[0].mask.height.high = 9.0;
    scene.modifiers[0].mask.height.soft = 0.0;
    let mut persisted = of_scene(scene);
    for section in ["Landscape", "Textures", "Drawing", "generator", "Layers"] {
        persisted.folds.note(section, true, false);
    }
    persisted
}

/// Where the mask's head and the scene are.
fn layout(persisted: &Persisted) -> (Pos2, Rect) {
    let size = vec2(SIZE.0 as f32, SIZE.1 as f32);
    let mut test = desk(size, persisted.clone(), |_| ());
    test.run_steps(40);
    let head = test.get_by_label("Mask").rect();
    (head.center(), test.state().ui.derived.scene_rect)
}

#[test]
fn mask_shows_on_land_while_looked_at() {
    for render_type in [RenderType::Map, RenderType::Landscape] {
        let home = tempfile::tempdir().unwrap();
        let (_server, display) = x_server_seen(home.path());
        let persisted = persisted(render_type);
        settings::save(&home.path().join("config"), &persisted).unwrap();
        let (head, scene_rect) = layout(&persisted);
        let window = Window::open(&display, home.path(), None);
        let title = window.title();
        let point = |at: Pos2| {
            let [x, y] = [at.x, at.y].map(|x| x.to_string());
            window.xdotool(&["mousemove", "--window", &window.id, &x, &y]);
        };
        // The pixels of the scene, red, green and blue, once nothing moves.
        let look = || {
            let mut last = Vec::new();
            wait_for("rest", || {
                std::thread::sleep(Duration::from_millis(700));
                let now = seen(home.path());
                (std::mem::replace(&mut last, now.clone()) == now).then_some(now)
            });
            let pixels = last.chunks_exact(4).enumerate().filter(|(index, _)| {
                let (row, column) = (index / SIZE.0 as usize, index % SIZE.0 as usize);
                let at = pos2(column as f32 + 0.5, row as f32 + 0.5);
                scene_rect.shrink(2.0).contains(at)
            });
            let pixels = pixels.map(|(_, bytes)| [bytes[2], bytes[1], bytes[0]]);
            pixels.collect::<Vec<_>>()
        };
        let away = pos2(scene_rect.left() + 40.0, scene_rect.bottom() - 40.0);
        point(away);
        let first = wait_for("a picture", || {
            let now = look();
            now.iter().any(|pixel| *pixel != now[0]).then_some(now)
        });
        point(head);
        let masked = look();
        check_colors(&first, &masked, render_type);
        point(away);
        assert!(look() == first, "{render_type}: it is gone when it is left");

        point(head);
        window.xdotool(&["click", "1"]);
        point(away);
        assert!(look() == masked, "{render_type}: it stays while it is open");
        let size = scene_rect.size().round();
        check_picture(&window.save_picture(), (size.x as u32, size.y as u32));
        // The message about the file goes by itself.
        let again = || (look() == masked).then_some(());
        wait_for("the mask after the picture", again);
        point(head);
        window.xdotool(&["click", "1"]);
        point(away);
        assert!(
            look() == first,
            "{render_type}: it is gone when it is closed"
        );
        assert_eq!(window.title(), title, "nothing is changed");
        window.quit();
    }
}

/// Checks that a part of the land has become more like the mask's colour, and nothing else changed.
fn check_colors(plain: &[[u8; 3]], masked: &[[u8; 3]], render_type: RenderType) {
    let pairs = plain.iter().zip(masked);
    let changed: Vec<_> = pairs.filter(|(a, b)| a != b).collect();
    let part = changed.len() as f64 / plain.len() as f64;
    assert!((0.03..0.8).contains(&part), "{render_type}: {part}");
    let magenta = changed.iter().filter(|(before, after)| {
        let mixed = |channel: usize, full: f64| {
            let wanted = f64::from(before[channel]) * 0.5 + 0.5 * full;
            (f64::from(after[channel]) - wanted).abs() < 4.0
        };
        mixed(0, 255.0) && mixed(1, 0.0) && mixed(2, 184.0)
    });
    let share = magenta.count() as f64 / changed.len() as f64;
    // Along the edges the weights lie between.
    assert!(share > 0.6, "{render_type}: {share}");
}
