//! The interface without a window: every control, undo, keys, settings and the worker.

use std::collections::HashSet;
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, Rect, pos2, vec2};
use egui_kittest::kittest::{NodeT, Queryable};

use landform::app::commands::{Command, PictureFile};
use landform::app::panel::param_ui::help_text;
use landform::app::settings;
use landform::app::state::{Measured, MeasuredHurst, PanelView, Persisted, Progress, SeedHistory};
use landform::app::worker::{COARSE_ITERATIONS, Made, Worker};
use landform::generate::{Generator, Images, Surface};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::measure::{Statistics, statistics};
use landform::modify::{Modifier, ModifierKind};
use landform::param::{Field, Param, Params, TableVisitor, Tables};
use landform::pipeline::{Landscape, Pipeline};
use landform::scene::{Camera, Clouds, Fog, Light, RenderType, Scene, Teximage, View};
use landform::snow::SnowAmount;

use crate::desk::{Test, press, scene};

mod camera;
mod compare;
mod controls;
mod export;
mod figures;
mod film;
mod finder;
mod formula;
mod hands;
mod items;
mod kept;
mod keyboard;
mod keys;
mod lengths;
mod lists;
mod looks;
mod masks;
mod palette;
mod plants;
mod scripts;
mod section;
mod solo;
mod sun;
mod tabs;
mod worker;

/// High enough that every section fits without scrolling.
const TALL: egui::Vec2 = vec2(1280.0, 3900.0);

fn desk(size: egui::Vec2, scene: Scene) -> Test {
    crate::desk::desk(size, crate::desk::of_scene(scene), |_| ())
}

fn tall() -> Test {
    tall_of(RenderType::Rendered)
}

/// The same of a scene of that render type.
fn tall_of(render_type: RenderType) -> Test {
    let mut scene = Scene::default();
    scene.view.render_type = render_type;
    let mut test = desk(TALL, scene);
    for section in ["Fog", "Film", "Camera"] {
        test.get_by_label(section).click();
        // The section unfolds.
        test.run_steps(30);
    }
    test
}

fn rect(test: &Test, role: Role, label: &str) -> Rect {
    test.get_by_role_and_label(role, label).rect()
}

/// Drags along the points, one frame each.
fn drag(test: &mut Test, points: &[Pos2]) {
    press(test, points[0], true);
    for point in points {
        test.event(Event::PointerMoved(*point));
        test.run_steps(1);
    }
    press(test, points[points.len() - 1], false);
    test.event(Event::PointerGone);
    test.run_steps(2);
}

/// Points from a part of a slider to another: 0 is its left end, 1 its right.
fn along(rect: Rect, from: f32, to: f32) -> Vec<Pos2> {
    let at = |t: f32| pos2(egui::lerp(rect.left()..=rect.right(), t), rect.center().y);
    (0..=6)
        .map(|i| at(from + (to - from) * i as f32 / 6.0))
        .collect()
}

fn key(test: &mut Test, modifiers: Modifiers, key: Key) {
    test.key_press_modifiers(modifiers, key);
    test.run_steps(2);
}

/// One step changes the scene, undo brings the old one back, redo the new one.
#[track_caller]
fn check_one_step(test: &mut Test, what: &str, act: impl FnOnce(&mut Test)) {
    let before = scene(test);
    act(test);
    test.run_steps(60);
    let after = scene(test);
    assert_ne!(before, after, "{what} changes nothing");
    after.validate().unwrap();
    key(test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(test), before, "undo of {what}");
    key(test, Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(scene(test), after, "redo of {what}");
    key(test, Modifiers::COMMAND, Key::Z);
    assert_eq!(scene(test), before, "second undo of {what}");
}

fn next(worker: &Worker) -> Made {
    let outbox = worker.wait(Duration::from_secs(120));
    outbox.made.expect("a landscape within 120 s")
}
