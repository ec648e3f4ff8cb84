//! Settings that are shown as without effect, on a few scenes; the sweeps have every preset.

use landform::modify::{Modifier, ModifierKind};
use landform::scene::relevance::Inactive;
use landform::scene::{CameraMode, RenderType, Scene};

use crate::effects::WorkerLoop;

fn height_scale(scene: &Scene) -> Option<&'static str> {
    Inactive::of(scene).reason("surface", "height_scale")
}

#[test]
fn height_scale_has_no_effect_under_normalize() {
    let mut scene = Scene::default();
    assert_eq!(height_scale(&scene), None);
    scene.modifiers.push(Modifier::new(ModifierKind::Normalize));
    assert!(height_scale(&scene).is_some_and(|reason| reason.contains("normalize")));
    scene.modifiers[0].strength = 0.5;
    assert_eq!(height_scale(&scene), None);
}

#[test]
fn labels_of_contours_act_in_every_map() {
    let mut scene = Scene::default();
    scene.analysis.contours = true;
    let labels = |scene: &Scene| Inactive::of(scene).reason("analysis", "labels");
    scene.view.render_type = RenderType::Triangles;
    assert!(labels(&scene).is_some());
    scene.view.render_type = RenderType::Map;
    assert_eq!(labels(&scene), None);
    scene.camera.mode = CameraMode::Top;
    assert!(!scene.is_flat() && labels(&scene).is_none());
}

#[test]
fn settings_act_unless_they_are_shown_as_idle() {
    let mut normalized = Scene::default();
    normalized
        .modifiers
        .push(Modifier::new(ModifierKind::Normalize));
    let mut ridge = normalized.clone();
    ridge.view.render_type = RenderType::Ridge;
    let mut pass = normalized.clone();
    pass.view.pass = Some(2.0);
    let scenes = [("normalized", normalized), ("ridge", ridge), ("pass", pass)];
    for (name, scene) in scenes {
        let wrongs = WorkerLoop::new(&scene).wrongs(&scene, true);
        assert!(wrongs.is_empty(), "{name}: {wrongs:#?}");
    }
}
