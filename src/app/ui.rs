//! The whole interface as one function of its state, without OpenGL: the window calls it, and so
//! do the tests.

use egui::{CentralPanel, Color32, Context, Frame, Margin, Sense, SidePanel, Stroke, StrokeKind};

use crate::app::commands::Command;
use crate::app::dialogs::dialogs_ui;
use crate::app::export::export_ui;
use crate::app::fonts;
use crate::app::input;
use crate::app::menu::menu_ui;
use crate::app::notices::notices_ui;
use crate::app::number;
use crate::app::panel::{Facts, view_options_ui};
use crate::app::passes;
use crate::app::photo::photo_ui;
use crate::app::pins;
use crate::app::section;
use crate::app::state::{Persisted, UiState};
use crate::app::statistics::statistics_ui;
use crate::app::status::{progress_ui, status_ui};
use crate::app::steer;
use crate::app::theme;
use crate::app::unsaved::{changed_ui, unsaved_ui};

/// Least width of the panel in points.
pub const PANEL_WIDTH: f32 = 312.0;
/// Most of the window's width that it takes.
const WIDEST_PANEL: f32 = 0.8;
/// A settings file may ask for this much at most; more would leave no way back.
const LEAST_ZOOM: f32 = 0.5;
const MOST_ZOOM: f32 = 3.0;
/// Windows narrower than this show either the panel or the scene.
const NARROW: f32 = 560.0;
/// Seconds without movement after which a camera move, or typing, is one step of undo.
const CAMERA_SETTLES: f64 = 0.5;
const TYPING_SETTLES: f64 = 1.0;

/// Draws everything but the scene itself and changes `state` by what the user does. Returns
/// the commands that need files, the worker or the window.
pub fn ui(ctx: &Context, state: &mut UiState) -> Vec<Command> {
    zoom(ctx, state);
    state.derived.narrow = ctx.content_rect().width() < NARROW;
    input::note_flying(ctx);
    let mut commands = input::keys(ctx, state);
    menu_ui(ctx, state, &mut commands);
    status_ui(ctx, &state.derived);
    panel_ui(ctx, state, &mut commands);
    scene_ui(ctx, state);
    statistics_ui(ctx, &mut state.persisted.statistics, &state.derived);
    section::profile_ui(ctx, &state.persisted.scene, &state.derived);
    export_ui(
        ctx,
        &mut state.persisted.exporting,
        &state.derived,
        &mut commands,
    );
    let scene_rect = state.derived.scene_rect;
    photo_ui(ctx, &mut state.persisted.photo, scene_rect, &mut commands);
    commands.extend(progress_ui(ctx, &state.derived.progress, scene_rect));
    if let Some(words) = number::take_words(ctx) {
        state.transient.notices.note_number(words);
    }
    notices_ui(ctx, &mut state.transient.notices, scene_rect);
    let persisted = &mut state.persisted;
    match dialogs_ui(ctx, &mut state.transient.dialogs, &mut persisted.folder) {
        Ok(asked) => commands.extend(asked),
        Err(words) => state.transient.notices.error(words),
    }
    unsaved_ui(ctx, state, &mut commands);
    changed_ui(ctx, &mut state.transient.dialogs, &mut commands);
    drop_ui(ctx, scene_rect, &mut commands);
    let for_the_window = commands
        .into_iter()
        .filter_map(|command| state.apply(command))
        .collect();
    passes::play(ctx, state);
    steer::steer(ctx, state);
    settle(ctx, state);
    fonts::complete(ctx, &mut state.transient.fonts);
    state.transient.typing = input::is_typing(ctx);
    for_the_window
}

/// Takes up the zoom that was kept, then keeps what the user makes of it.
fn zoom(ctx: &Context, state: &mut UiState) {
    match std::mem::replace(&mut state.transient.zoomed, true) {
        true => state.persisted.zoom = ctx.zoom_factor(),
        false => ctx.set_zoom_factor(state.persisted.zoom.clamp(LEAST_ZOOM, MOST_ZOOM)),
    }
}

fn panel_ui(ctx: &Context, state: &mut UiState, commands: &mut Vec<Command>) {
    if !state.shows_panel() {
        return;
    }
    // A sliver of the scene stays, to see what an edit does.
    let widest = ctx.content_rect().width() * WIDEST_PANEL;
    let narrowest = PANEL_WIDTH.min(widest);
    let panel = SidePanel::right("view options")
        .resizable(true)
        .default_width(state.persisted.panel_width)
        .width_range(narrowest..=widest.max(narrowest))
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(8, 6)))
        .show(ctx, |ui| {
            let persisted = &mut state.persisted;
            let facts = Facts {
                baseline: &persisted.document.baseline,
                seeds: &persisted.seeds,
                times: &state.derived.times,
                playing: state.transient.playing.is_some(),
                travelling: state.transient.journey.is_some(),
            };
            let Persisted { scene, folds, .. } = persisted;
            view_options_ui(ui, scene, folds, &facts, commands);
        });
    // What a narrow window leaves of it is not what was wished.
    if ctx.is_being_dragged(egui::Id::new("view options").with("__resize")) {
        state.persisted.panel_width = panel.response.rect.width();
    }
}

/// The part of the window that the scene is drawn in: mouse only, the picture is not egui's.
fn scene_ui(ctx: &Context, state: &mut UiState) {
    CentralPanel::default().frame(Frame::NONE).show(ctx, |ui| {
        let rect = ui.max_rect();
        state.derived.scene_rect = rect;
        let response = ui.interact(rect, ui.id().with("scene"), Sense::CLICK | Sense::DRAG);
        let scene = &mut state.persisted.scene;
        if pins::is_editing(ctx, scene) {
            let ground = state.derived.ground.as_deref();
            pins::pins_ui(ui, &response, &mut scene.surface, scene.view.tile, ground);
        } else if section::is_drawing(ctx, scene) {
            section::section_ui(ui, &response, scene, &state.derived);
        } else {
            input::pointer(&response, &mut scene.camera);
        }
    });
}

/// Files dragged over the window: the scene is framed, and dropped files are opened.
fn drop_ui(ctx: &Context, scene: egui::Rect, commands: &mut Vec<Command>) {
    let (hovering, dropped) = ctx.input(|input| {
        let dropped: Vec<_> = input
            .raw
            .dropped_files
            .iter()
            .filter_map(|f| f.path.clone())
            .collect();
        (!input.raw.hovered_files.is_empty(), dropped)
    });
    commands.extend(dropped.into_iter().next_back().map(Command::Open));
    if hovering {
        let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::new("drop"));
        let painter = ctx.layer_painter(layer);
        painter.rect_filled(scene, 0, Color32::from_black_alpha(120));
        let frame = Stroke::new(2.0, theme::ACCENT);
        painter.rect_stroke(scene.shrink(8.0), 8, frame, StrokeKind::Inside);
        painter.text(
            scene.center(),
            egui::Align2::CENTER_CENTER,
            "Drop a scene or an image to open it",
            egui::FontId::proportional(16.0),
            Color32::WHITE,
        );
    }
}

/// Lets undo and the list of seeds take note of changes once they have settled.
fn settle(ctx: &Context, state: &mut UiState) {
    let transient = &mut state.transient;
    let scene = &state.persisted.scene;
    let now = ctx.input(|input| input.time);
    if transient.last_scene.as_ref() != Some(scene) {
        transient.last_scene = Some(scene.clone());
        transient.changed_at = now;
    }
    let wait = if ctx.wants_keyboard_input() {
        TYPING_SETTLES
    } else if transient.history.only_camera_moved(scene) || pins::wheel_turns(ctx) {
        CAMERA_SETTLES
    } else {
        0.0
    };
    let held = ctx.input(|input| input.pointer.any_down())
        || input::is_flying(ctx)
        || transient.playing.is_some()
        || transient.journey.is_some()
        || transient.steering.is_moving();
    let settled = !held && now - transient.changed_at >= wait;
    if transient.history.watch(scene, settled) {
        ctx.request_repaint_after_secs(wait.max(0.05) as f32);
    } else {
        state.persisted.seeds.watch(scene.surface.seed);
    }
}
