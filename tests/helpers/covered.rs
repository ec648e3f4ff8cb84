//! Which controls something lies over that floats.
#![allow(dead_code)]

use std::time::Duration;

use egui::{Id, LayerId, Order, Rect, Vec2, vec2};

use crate::desk::Test;
use crate::screens::{SCREENS, speaking};
use landform::app::commands::{Action, Command};
use landform::app::state::{Progress, UiState};
use landform::language::Language;
use landform::scene::{RenderType, Scene};

/// A tiny window, small ones, a huge one.
pub const SIZES: [Vec2; 4] = [
    vec2(480.0, 320.0),
    vec2(800.0, 600.0),
    vec2(1280.0, 720.0),
    vec2(3840.0, 2160.0),
];

/// What lies in the layout, all at once.
fn everything_below(state: &mut UiState) {
    state.persisted.timeline = true;
    state.persisted.history = true;
    state.persisted.compass = true;
}

/// A screen: its name, and what makes it of the usual one.
type Screen = (&'static str, fn(&mut UiState));

/// Screens besides those of all texts.
const MORE: &[Screen] = &[
    ("everything below the scene", everything_below),
    ("everything below a sheet", |state| {
        everything_below(state);
        drop(state.apply(Action::ToggleBrowser));
    }),
    ("windows side by side", |state| {
        everything_below(state);
        state.persisted.statistics = true;
        state.persisted.exporting.shown = true;
    }),
    ("a cross-section", |state| {
        state.persisted.scene.view.render_type = RenderType::Map;
        state.persisted.scene.section.from = [-0.9, 0.2];
        state.persisted.scene.section.to = [0.9, 0.9];
        state.apply(Action::DrawSection(true));
    }),
    ("a watershed", |state| {
        state.persisted.compass = true;
        state.apply(Action::ToggleWatershed);
    }),
    ("the full screen", |state| state.toggle_full_screen()),
    ("a sheet on the full screen", |state| {
        state.toggle_full_screen();
        drop(state.apply(Action::ToggleVariations));
    }),
    ("a preset that is kept", |state| {
        let scene = Scene::default();
        state.transient.browser.begin_keeping("dusk", &scene);
    }),
];

/// The names of all screens.
pub fn screens() -> impl Iterator<Item = &'static (&'static str, fn(&mut UiState))> {
    SCREENS.iter().chain(MORE)
}

/// Each screen with messages and work under way, in that size and language: which controls are
/// covered, and by what.
pub fn covered_on(size: Vec2, language: Language) -> Vec<String> {
    let mut all = Vec::new();
    for (name, open) in screens() {
        let mut test = speaking(language, size, |state| {
            open(state);
            say_all(state);
        });
        test.run_steps(10);
        let found = covered(&test).into_iter();
        all.extend(found.map(|what| format!("{name} at {size} in {language:?}: {what}")));
    }
    all
}

/// Messages of every kind, and work under way.
pub fn say_all(state: &mut UiState) {
    let notices = &mut state.transient.notices;
    notices.done("Saved a picture in a folder with a name of a usual length");
    notices
        .warn("Something should be known of this landscape, at some length, in two lines or three");
    notices.error("cannot read: no such file or directory: /home/somebody/landscapes/valley.toml");
    state.derived.progress = vec![Progress {
        what: "Making the landscape".to_owned(),
        done: 0.4,
        elapsed: Duration::from_secs(2),
        cancel: Command::CancelLandscape,
    }];
}

/// Something on screen that can be used, or floats.
struct Piece {
    layer: LayerId,
    rect: Rect,
}

/// Which controls are covered by what floats, but for windows that the user has opened over each
/// other, and questions, which turn the rest off.
pub fn covered(test: &Test) -> Vec<String> {
    let asks = test.state().ui.transient.dialogs.asks();
    if asks {
        return Vec::new();
    }
    let scene = test.state().ui.derived.scene_rect;
    let floating = floating(test);
    let is_card = |layer: LayerId| {
        let cards = ["compass", "progress", "notices"].map(Id::new);
        cards.contains(&layer.id)
    };
    let mut all = Vec::new();
    for control in controls(test, scene) {
        // The handle between two scenes is as high as they are, and is held anywhere.
        let is_divider = control.rect.height() > scene.height() - 2.0;
        for above in &floating {
            let is_own = above.layer == control.layer;
            let is_window = |layer: LayerId| layer.order == Order::Middle && !is_card(layer);
            let are_windows = is_window(above.layer) && is_window(control.layer);
            let common = above.rect.shrink(0.6).intersect(control.rect.shrink(0.6));
            if !is_own && !are_windows && !is_divider && common.is_positive() {
                let (layer, rect) = (control.layer.short_debug_format(), control.rect);
                let by = above.layer.short_debug_format();
                all.push(format!("{rect} of {layer} by {by} at {}", above.rect));
            }
        }
    }
    all
}

/// Windows and cards.
fn floating(test: &Test) -> Vec<Piece> {
    test.ctx.memory(|memory| {
        let layers = memory.areas().visible_layer_ids().into_iter();
        let layers = layers.filter(|layer| layer.order == Order::Middle);
        let pieces = layers.filter_map(|layer| {
            let rect = memory.area_rect(layer.id)?;
            Some(Piece { layer, rect })
        });
        pieces.collect()
    })
}

/// Every control but the scene itself, and but the frames and titles of windows.
fn controls(test: &Test, scene: Rect) -> Vec<Piece> {
    let areas: Vec<Rect> = floating(test).iter().map(|piece| piece.rect).collect();
    test.ctx.viewport(|viewport| {
        let layers = viewport.prev_pass.widgets.layers();
        let widgets = layers.flat_map(|(_, widgets)| widgets);
        let usable = widgets.filter(|widget| widget.enabled && widget.sense.interactive());
        let pieces = usable.map(|widget| Piece {
            layer: widget.layer_id,
            rect: widget.interact_rect,
        });
        let is_control = |piece: &Piece| {
            let is_all = piece.rect.contains_rect(scene.shrink(1.0));
            let is_window = areas
                .iter()
                .any(|area| piece.rect.contains_rect(area.shrink(2.0)));
            piece.rect.is_positive() && !is_all && !is_window
        };
        pieces.filter(is_control).collect()
    })
}
