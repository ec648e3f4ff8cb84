//! The interface without a window: what tests of it share.
#![allow(dead_code)]

use std::time::Duration;

use egui::{Event, Modifiers, PointerButton, Pos2, Vec2, vec2};
use egui_kittest::Harness;

use landform::app::commands::Command;
use landform::app::state::document::Document;
use landform::app::state::{PanelView, Persisted, Shown, UiState};
use landform::app::{theme, ui};
use landform::camera::Ground;
use landform::heightmap::Heightmap;
use landform::scene::Scene;

/// The interface and the commands it has made so far.
#[derive(Default)]
pub struct Desk {
    pub ui: UiState,
    pub commands: Vec<Command>,
    themed: bool,
}

pub type Test = Harness<'static, Desk>;

/// The interface in so many points, a few frames after its start with `persisted` and what
/// `prepare` changes.
pub fn desk(size: Vec2, persisted: Persisted, prepare: impl FnOnce(&mut UiState)) -> Test {
    let mut desk = Desk {
        ui: UiState::new(persisted),
        ..Desk::default()
    };
    prepare(&mut desk.ui);
    let frame = |ctx: &egui::Context, desk: &mut Desk| {
        if !std::mem::replace(&mut desk.themed, true) {
            theme::apply(ctx);
        }
        let commands = ui(ctx, &mut desk.ui);
        desk.commands.extend(commands);
    };
    let mut test = Harness::builder()
        .with_size(size)
        .with_step_dt(1.0 / 60.0)
        .with_max_steps(200)
        .build_state(frame, desk);
    test.run_steps(3);
    test
}

/// What is remembered of a window in which `scene` was opened, with all settings in one list.
pub fn of_scene(scene: Scene) -> Persisted {
    Persisted {
        document: Document::unnamed(scene.clone()),
        panel_view: PanelView::EVERYTHING,
        scene,
        ..Persisted::default()
    }
}

/// The interface of a usual window in which `scene` is shown over level ground.
pub fn over_level_ground(scene: Scene) -> Test {
    let flat = Heightmap::new(17, 17, true, vec![0.125; 17 * 17]);
    desk(vec2(1280.0, 720.0), of_scene(scene), |ui| {
        ui.derived.terrain = Ground::new(&flat, 1);
        ui.derived.shown = Some(Shown {
            rows: 17,
            columns: 17,
            stride: 1,
            requested_hurst: None,
            made_in: Duration::ZERO,
            coarse: false,
            place: None,
        });
    })
}

/// The scene as it is set by now.
pub fn scene(test: &Test) -> Scene {
    test.state().ui.persisted.scene.clone()
}

/// Presses the mouse at a place, or lets go of it.
pub fn press(test: &mut Test, at: Pos2, pressed: bool) {
    test.event(Event::PointerMoved(at));
    test.event(Event::PointerButton {
        pos: at,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    test.run_steps(2);
}

/// Clicks at a place with that button, while these keys are held.
pub fn click_with(test: &mut Test, at: Pos2, button: PointerButton, modifiers: Modifiers) {
    test.event(Event::PointerMoved(at));
    test.input_mut().modifiers = modifiers;
    for pressed in [true, false] {
        test.event(Event::PointerButton {
            pos: at,
            button,
            pressed,
            modifiers,
        });
        test.run_steps(1);
    }
    test.input_mut().modifiers = Modifiers::NONE;
    test.run_steps(2);
}

/// Presses and lets go of the mouse at a place.
pub fn click(test: &mut Test, at: Pos2) {
    press(test, at, true);
    press(test, at, false);
}
