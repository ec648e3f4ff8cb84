//! The whole interface as one function of its state, without OpenGL, so that tests can run it
//! without a window.

use std::path::Path;
use std::sync::Arc;

use egui::{
    Color32, Context, Frame, InputOptions, InputState, Margin, SidePanel, Stroke, StrokeKind,
    ViewportCommand,
};

use crate::app::bars::compass::compass_ui;
use crate::app::bars::history::{history_ui, state_ui};
use crate::app::bars::menu::menu_ui;
use crate::app::bars::messages::{hint_ui, message_bar_ui, message_cards_ui, note_hand};
use crate::app::bars::status::status_ui;
use crate::app::bars::timeline::timeline_ui;
use crate::app::browser::browser_ui;
use crate::app::commands::{Action, Command};
use crate::app::controls::number::{Verdict, take_verdict};
use crate::app::controls::{is_typing, lengths};
use crate::app::dialogs::analysis::{profile_ui, watershed_ui};
use crate::app::dialogs::command_palette::command_palette_ui;
use crate::app::dialogs::differences::differences_ui;
use crate::app::dialogs::export::export_ui;
use crate::app::dialogs::file::{self, file_ui};
use crate::app::dialogs::help::{about_ui, keys_ui, tour_ui};
use crate::app::dialogs::palette::palette_window_ui;
use crate::app::dialogs::pass::heights_ui;
use crate::app::dialogs::picture::{film_ui, photo_ui};
use crate::app::dialogs::plants::plants_ui;
use crate::app::dialogs::questions::{self, changed_ui, keep_ui, unsaved_ui};
use crate::app::dialogs::reader::reader_ui;
use crate::app::dialogs::statistics::statistics_ui;
use crate::app::floating::{self, FreeSpace};
use crate::app::panel::{Facts, Kept, view_options_ui};
use crate::app::state::notices::{Cause, Notices, Severity};
use crate::app::state::{PANEL_WIDTH, Persisted, UiState, timeline};
use crate::app::tools::map::pointed;
use crate::app::tools::scene_ui;
use crate::app::variations::variations_ui;
use crate::app::{shortcuts, steer, text, theme, typed_ahead};
use crate::util::language;
use crate::util::language::tr;
use crate::util::lengths::Lengths;

/// Maximum width of the panel as a fraction of the window's.
const WIDEST_PANEL: f32 = 0.8;
/// Allowed zoom factors. A settings file with more would leave no way back.
const LEAST_ZOOM: f32 = 0.5;
const MOST_ZOOM: f32 = 3.0;
/// Window width in points below which either the panel or the scene is shown.
const NARROW: f32 = 560.0;
/// Idle time in seconds after which a camera move, or typing, becomes one undo step.
const CAMERA_SETTLES: f64 = 0.5;
const TYPING_SETTLES: f64 = 1.0;

/// Draw everything but the scene itself and apply the user's edits to `state`. Returns the commands
/// for the window.
pub fn ui(ctx: &Context, state: &mut UiState) -> Vec<Command> {
    language::speak_here(state.language());
    zoom(ctx, state);
    let tile_size_m = state.persisted.scene.surface.tile_size_m;
    let height_range = state.derived.height_range;
    lengths::set(ctx, Lengths::of(tile_size_m), height_range);
    accept_slow_clicks(ctx);
    state.derived.narrow = ctx.content_rect().width() < NARROW;
    hold_back(ctx, state);
    state.transient.flying.note(ctx);
    let camera = state.persisted.scene.camera.clone();
    let mut actions = shortcuts::keys(ctx, state);
    state.derived.pointed = pointed(ctx, state);
    if !state.transient.full_screen {
        menu_ui(ctx, state, &mut actions);
        status_ui(ctx, state);
    }
    state.transient.gallery.begin();
    timeline_ui(ctx, state, &mut actions);
    history_ui(ctx, state, &mut actions);
    state.derived.between_bars = ctx.available_rect();
    panel_ui(ctx, state, &mut actions);
    state.transient.mask_sight.settle();
    message_bar_ui(ctx, state, &mut actions);
    if state.transient.browser.shown {
        browser_ui(ctx, state, &mut actions);
    } else if state.transient.variations.shown {
        variations_ui(ctx, state, &mut actions);
    } else {
        scene_ui(ctx, state);
    }
    note_hand(ctx, state, &camera);
    state_ui(ctx, state);
    above_scene_ui(ctx, state, &mut actions);
    let actions = actions.into_iter();
    let commands = actions.filter_map(|action| do_in_egui(ctx, state, action));
    let commands = commands.collect();
    let now = ctx.input(|input| input.time);
    let (scene, playing) = (&mut state.persisted.scene, &mut state.transient.playing);
    if let Some(seconds) = timeline::play_passes(now, scene, playing) {
        ctx.request_repaint_after_secs(seconds as f32);
    }
    steer::steer(ctx, state);
    settle(ctx, state);
    state.transient.fonts.search(ctx);
    text::redraw_from_right(ctx);
    state.transient.typing = is_typing(ctx);
    floating::place_tooltips(ctx, state.derived.scene_rect);
    commands
}

/// Carry out an action, also one that needs egui. Returns the resulting command for the window, if
/// any.
fn do_in_egui(ctx: &Context, state: &mut UiState, action: Action) -> Option<Command> {
    match action {
        Action::CopyScene => shortcuts::copy_scene(ctx, state),
        Action::RequestPaste => ctx.send_viewport_cmd(ViewportCommand::RequestPaste),
        _ => {}
    }
    state.apply(action)
}

/// Let a click of the mouse take any time. egui measures a click from frame to frame, so with its
/// limit a quick click would be lost in a slow frame. On a touch screen the limit stays, since a
/// longer touch opens a context menu there.
fn accept_slow_clicks(ctx: &Context) {
    let is_touched = ctx.input(InputState::any_touches);
    ctx.options_mut(|options| {
        options.input_options.max_click_duration = match is_touched {
            true => InputOptions::default().max_click_duration,
            false => f64::INFINITY,
        };
    });
}

/// Delay keys until the text box or question that they are typed for has the focus.
fn hold_back(ctx: &Context, state: &mut UiState) {
    let transient = &mut state.transient;
    let dialogs = &transient.dialogs;
    let (asks_file, asks) = (dialogs.file.is_some(), dialogs.asks_question());
    let types = is_typing(ctx);
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    let awaits = transient.awaits_text() || (asks && !questions::has_focus(ctx));
    let typed_ahead = &mut transient.typed_ahead;
    typed_ahead.hold_back(ctx, awaits, asks, |event| {
        (types && typed_ahead::leaves_text(event))
            || match (asks, asks_file) {
                (true, _) => questions::acts_first(event),
                (_, true) => file::acts_first(event, has_focus),
                _ => shortcuts::opens_text_or_asks(event, types),
            }
    });
}

/// Draw the windows, messages and dialogs above the scene.
fn above_scene_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let scene_rect = state.derived.scene_rect;
    if !state.transient.covers_scene() {
        scene_windows_ui(ctx, state, actions);
    }
    let UiState {
        persisted,
        transient,
        derived,
    } = state;
    keep_ui(ctx, &mut transient.browser, derived, actions);
    keys_ui(ctx, &mut transient.dialogs.keys, derived);
    about_ui(ctx, &mut transient.dialogs.about, derived);
    reader_ui(ctx, &mut transient.dialogs.chapter, derived);
    if let Some(verdict) = take_verdict(ctx) {
        note_number(&mut transient.notices, verdict);
    }
    // Elements with a fixed position come first, so that the cards avoid them.
    let mut space = FreeSpace::of(ctx, scene_rect);
    if !transient.covers_scene() {
        watershed_ui(ctx, &persisted.scene, transient, derived, &mut space);
        heights_ui(ctx, derived, &mut space);
        if persisted.compass {
            compass_ui(ctx, &mut persisted.scene, &mut space);
        }
    }
    message_cards_ui(ctx, state, &mut space, actions);
    hint_ui(ctx, state, &space);
    let UiState {
        persisted,
        transient,
        ..
    } = state;
    let (dialogs, typed_ahead) = (&mut transient.dialogs, &mut transient.typed_ahead);
    match file_ui(ctx, dialogs, typed_ahead, &mut persisted.folder) {
        Ok(command) => actions.extend(command.map(Action::Window)),
        Err(words) => transient.notices.error(words),
    }
    command_palette_ui(ctx, state, actions);
    unsaved_ui(ctx, state, actions);
    changed_ui(ctx, &mut state.transient.dialogs, actions);
    drop_ui(ctx, scene_rect, actions);
}

/// Draw the windows that belong to the scene; hidden while a sheet covers it.
fn scene_windows_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let UiState {
        persisted,
        transient,
        derived,
    } = state;
    let scene_rect = derived.scene_rect;
    statistics_ui(ctx, &mut persisted.statistics, derived, &persisted.scene);
    profile_ui(
        ctx,
        &persisted.scene,
        derived,
        &mut transient.profile_hidden,
    );
    let compared = transient.compared.as_mut();
    differences_ui(ctx, &persisted.scene, compared, derived, actions);
    export_ui(
        ctx,
        &mut persisted.exporting,
        derived,
        &persisted.scene,
        actions,
    );
    let beside = persisted.document.file.as_deref().and_then(Path::parent);
    let folder = persisted.folder.as_deref().or(beside);
    let of = (&persisted.scene, folder);
    photo_ui(ctx, &mut persisted.photo, derived, of, actions);
    let filming = &mut persisted.filming;
    film_ui(ctx, filming, &mut persisted.scene, derived, actions);
    let palettes = &mut transient.palettes;
    palette_window_ui(ctx, palettes, &mut persisted.scene, derived, actions);
    let plants = &mut persisted.plant_export;
    plants_ui(ctx, plants, derived, &persisted.scene, actions);
    if let Some(tour) = &mut transient.tour {
        tour.watch(&persisted.scene, persisted.exporting.shown);
    }
    tour_ui(ctx, transient.tour.as_ref(), scene_rect, actions);
}

/// Show why the last typed number was changed, or remove that message.
fn note_number(notices: &mut Notices, verdict: Verdict) {
    match verdict {
        Verdict::AsTyped => notices.settle(&Cause::Number),
        Verdict::Remark(words) => notices.say(Cause::Number, Severity::Warning, words),
    }
}

/// Apply the stored zoom factor, then store the user's changes to it.
fn zoom(ctx: &Context, state: &mut UiState) {
    if std::mem::replace(&mut state.transient.zoomed, true) {
        state.persisted.zoom = ctx.zoom_factor();
    } else {
        ctx.set_zoom_factor(state.persisted.zoom.clamp(LEAST_ZOOM, MOST_ZOOM));
    }
}

fn panel_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    if !state.shows_panel() {
        return;
    }
    let UiState {
        persisted,
        transient,
        derived,
    } = state;
    // Part of the scene stays visible, to show the effect of an edit.
    let widest = ctx.content_rect().width() * WIDEST_PANEL;
    let narrowest = PANEL_WIDTH.min(widest);
    let panel = SidePanel::right("view options")
        .resizable(true)
        .default_width(persisted.panel_width)
        .width_range(narrowest..=widest.max(narrowest))
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(8, 6)))
        .show(ctx, |ui| {
            let facts = Facts {
                baseline: &persisted.document.baseline,
                seeds: &persisted.seeds,
                times: &derived.times,
                watershed: derived.watershed.as_deref(),
                shown: derived.shown.as_ref(),
                tool: &transient.tool,
                palettes: &transient.palettes.own,
                shows_profile: !transient.profile_hidden,
                playing: transient.playing.is_some(),
                travelling: transient.timeline.is_playing(),
            };
            let Persisted {
                scene,
                panel_view,
                folds,
                ..
            } = persisted;
            let kept = Kept {
                view: panel_view,
                folds,
                focus: &mut transient.panel_focus,
                sight: &mut transient.mask_sight,
                filter: &mut transient.filter,
                tour: transient.tour.as_mut(),
            };
            view_options_ui(ui, scene, kept, &facts, actions);
        });
    // Only a width that the user has dragged is stored, not one forced by a narrow window.
    if ctx.is_being_dragged(egui::Id::new("view options").with("__resize")) {
        persisted.panel_width = panel.response.rect.width();
    }
}

/// Handle files dragged over the window: frame the scene while they hover, open the last one
/// dropped.
fn drop_ui(ctx: &Context, scene: egui::Rect, actions: &mut Vec<Action>) {
    let (hovering, dropped) = ctx.input(|input| {
        let dropped: Vec<_> = input
            .raw
            .dropped_files
            .iter()
            .filter_map(|f| f.path.clone())
            .collect();
        (!input.raw.hovered_files.is_empty(), dropped)
    });
    let last = dropped.into_iter().next_back();
    actions.extend(last.map(|file| Command::Open(file).into()));
    if hovering {
        let layer = egui::LayerId::new(egui::Order::Foreground, egui::Id::new("drop"));
        let painter = ctx.layer_painter(layer);
        painter.rect_filled(scene, 0, Color32::from_black_alpha(120));
        let frame = Stroke::new(2.0, theme::ACCENT);
        painter.rect_stroke(scene.shrink(8.0), 8, frame, StrokeKind::Inside);
        painter.text(
            scene.center(),
            egui::Align2::CENTER_CENTER,
            tr("Drop a scene or an image to open it"),
            egui::FontId::proportional(16.0),
            Color32::WHITE,
        );
    }
}

/// Commit changes to the undo history and the seed list once they have settled.
fn settle(ctx: &Context, state: &mut UiState) {
    let now = ctx.input(|input| input.time);
    let before = Arc::clone(&state.transient.snapshot);
    let scene = &state.snapshot();
    let transient = &mut state.transient;
    if !Arc::ptr_eq(scene, &before) {
        transient.changed_at = now;
    }
    let wait = if ctx.wants_keyboard_input() {
        TYPING_SETTLES
    } else if transient.history.only_camera_moved(scene) || transient.tool.wheel_turns(now) {
        CAMERA_SETTLES
    } else {
        0.0
    };
    let held = ctx.input(|input| input.pointer.any_down())
        || transient.flying.is_held(ctx)
        || transient.playing.is_some()
        || transient.timeline.is_playing()
        || transient.steering.is_moving();
    let settled = !held && now - transient.changed_at >= wait;
    if transient.history.watch(scene, settled) {
        ctx.request_repaint_after_secs(wait.max(0.05) as f32);
    } else {
        state.persisted.seeds.watch(scene.surface.seed);
    }
}
