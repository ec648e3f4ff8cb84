//! Every screen of the window: sheets, dialogs, bars and tools, without a display.
#![allow(dead_code)]

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use egui::Vec2;

use crate::desk::{Test, desk, of_scene};
use crate::messages::full;
use landform::app::commands::{Action, Compare, TourAction};
use landform::app::state::output::PhotoScale;
use landform::app::state::palettes::PaletteEditor;
use landform::app::state::{Measured, PanelView, Shown, UiState};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::language::Language;
use landform::measure::{self, Statistics};
use landform::modify::{Modifier, ModifierKind};
use landform::param::Tab;
use landform::pipeline::Pipeline;
use landform::scene::palette::Palette;
use landform::scene::{RenderType, Scene};

/// A tab of the panel in simple mode.
fn show(state: &mut UiState, tab: Tab) {
    state.persisted.panel_view = PanelView {
        tab,
        ..PanelView::default()
    };
}

/// A screen, and what opens it.
pub type Screen = (&'static str, fn(&mut UiState));

pub const SCREENS: &[Screen] = &[
    ("the panel", |_| ()),
    ("the tab Land", |state| show(state, Tab::Land)),
    ("the tab Shape", |state| show(state, Tab::Shape)),
    ("the tab Rock", |state| show(state, Tab::Rock)),
    ("the tab Water", |state| show(state, Tab::Water)),
    ("the tab Plants", |state| show(state, Tab::Plants)),
    ("the tab Light", |state| show(state, Tab::Light)),
    ("the tab View", |state| show(state, Tab::View)),
    ("the tab Analysis", |state| show(state, Tab::Analysis)),
    ("the command palette", |state| {
        drop(state.apply(Action::ToggleCommandPalette))
    }),
    ("keys", |state| state.transient.dialogs.keys = true),
    ("about", |state| state.transient.dialogs.about = true),
    ("export", |state| state.persisted.exporting.shown = true),
    ("export of a folder", |state| {
        state.persisted.exporting.shown = true;
        state.persisted.exporting.engine = Some("Unreal".to_owned());
        state.persisted.exporting.folder = true;
    }),
    ("picture", |state| {
        state.persisted.photo.shown = true;
        state.persisted.photo.samples = 16;
        state.persisted.photo.scale = PhotoScale::Fixed(PhotoScale::NAMED[3].1);
        state.derived.draw_time = Duration::from_millis(20);
    }),
    ("film", |state| state.persisted.filming.shown = true),
    ("export of plants", |state| {
        state.persisted.plant_export.shown = true;
        state.persisted.plant_export.format = "glb".to_owned();
        state.derived.most_plants = Some(1_234_567);
    }),
    ("palette editor", |state| {
        let base = Palette::builtin()[1].clone();
        let editor = PaletteEditor::new(&state.persisted.scene, base);
        state.transient.palettes.editor = Some(editor);
    }),
    ("statistics", |state| state.persisted.statistics = true),
    ("timeline", |state| state.persisted.timeline = true),
    ("compass", |state| state.persisted.compass = true),
    ("history", |state| state.persisted.history = true),
    ("variations", |state| {
        drop(state.apply(Action::ToggleVariations))
    }),
    ("presets", |state| drop(state.apply(Action::ToggleBrowser))),
    ("a tour", |state| {
        drop(state.apply(Action::Tour(TourAction::Begin)))
    }),
    ("comparing", |state| {
        state.apply(Action::Compare(Compare::Keep));
        let scene = &mut state.persisted.scene;
        scene.surface.hurst = 0.2;
        scene.view.antialias = !scene.view.antialias;
        scene.view.render_type = RenderType::Lines;
        scene.camera.pitch += 5.0;
        state.apply(Action::Compare(Compare::List));
    }),
    ("a question", |state| {
        state.persisted.scene.surface.seed += 1;
        state.apply(Action::New);
    }),
];

/// The interface in a language and a few frames after `open`.
pub fn speaking(language: Language, size: Vec2, open: impl FnOnce(&mut UiState)) -> Test {
    let mut scene = full();
    scene.surface.iterations = 4;
    scene.modifiers = ModifierKind::ALL
        .iter()
        .map(|kind| Modifier::new(*kind))
        .collect();
    let mut persisted = of_scene(scene);
    persisted.language = Some(language);
    for section in ["Analysis", "Fog", "Film", "Camera"] {
        persisted.folds.note(section, false, true);
    }
    let mut test = desk(size, persisted, |state| {
        state.derived.shown = Some(Shown {
            rows: 65,
            columns: 65,
            stride: 1,
            requested_hurst: Some(0.7),
            made_in: Duration::from_millis(20),
            coarse: false,
            place: None,
        });
        state.derived.measured = Some(Measured {
            statistics: measured(),
            requested_hurst: Some(0.7),
            stride: 2,
            outdated: false,
        });
        open(state);
    });
    test.run_steps(30);
    test
}

/// All measures of a small map.
fn measured() -> Arc<Statistics> {
    static MEASURED: OnceLock<Arc<Statistics>> = OnceLock::new();
    let measure = || {
        let mut scene = Scene::default();
        scene.surface.iterations = 6;
        let landscape = Pipeline::default().run(&scene, &Inputs::default(), &Job::new());
        let map = landscape.unwrap().heights;
        Arc::new(measure::statistics(&map, Some(0.0), &Job::new()).unwrap())
    };
    Arc::clone(MEASURED.get_or_init(measure))
}
