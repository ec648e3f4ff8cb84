//! The keys: what they do to the camera, and which actions they ask for.

use egui::{Context, Event, FocusDirection, Key, Modifiers, Popup};

use crate::app::commands::{Action, Command, Compare, PictureFile, Purpose};
use crate::app::controls::focus::is_typing;
use crate::app::dialogs::escape;
use crate::app::state::UiState;
use crate::app::state::notices::{Cause, Severity};
use crate::app::tools::camera;
use crate::language::tr;
use crate::scene::{Camera, CameraMode};

/// Degrees that an arrow key turns, and half tiles that it moves: Martz's.
const TURN: f32 = 3.0;
const MOVE: f32 = 0.05;

/// Keys and what they ask for.
type Shortcuts = &'static [(Modifiers, Key, Action)];

// The longer combination first: without Shift, Ctrl+S would answer to both.
const ALWAYS: Shortcuts = &[
    (Modifiers::NONE, Key::F1, Action::ToggleKeys),
    (Modifiers::NONE, Key::F3, Action::ToggleStatistics),
    (Modifiers::NONE, Key::F4, Action::TogglePanel),
    (Modifiers::NONE, Key::F5, Action::ToggleTimeline),
    (Modifiers::NONE, Key::F11, Action::ToggleFullScreen),
    (Modifiers::NONE, Key::F12, SAVE_PICTURE),
    (Modifiers::COMMAND, Key::P, SAVE_PICTURE),
    (CTRL_SHIFT, Key::S, Action::Ask(Purpose::SaveScene)),
    (Modifiers::COMMAND, Key::S, Action::Save),
    (Modifiers::COMMAND, Key::F, Action::FindSetting),
    (Modifiers::COMMAND, Key::N, Action::New),
    (Modifiers::COMMAND, Key::E, Action::ToggleExport),
    (Modifiers::COMMAND, Key::O, Action::Ask(Purpose::Open)),
    (Modifiers::COMMAND, Key::Q, Action::Window(Command::Quit)),
];

// The longer combination first: without Shift, Ctrl+Z would answer to both.
const NOT_WHILE_TYPING: Shortcuts = &[
    (CTRL_SHIFT, Key::Z, Action::Redo),
    (Modifiers::COMMAND, Key::Z, Action::Undo),
    (Modifiers::COMMAND, Key::Y, Action::Redo),
    (Modifiers::NONE, Key::V, Action::ToggleVariations),
    (Modifiers::NONE, Key::P, Action::ToggleBrowser),
];

/// What a key does to a scene that is seen; a sheet over it turns these off.
const OF_SCENE: Shortcuts = &[
    (Modifiers::NONE, Key::R, Action::RandomSeed),
    (Modifiers::NONE, Key::B, Action::ToggleWatershed),
    (Modifiers::NONE, Key::C, Action::Compare(Compare::Keep)),
    (Modifiers::SHIFT, Key::X, Action::Compare(Compare::Both)),
    (Modifiers::NONE, Key::X, Action::Compare(Compare::Flick)),
    (Modifiers::NONE, Key::H, Action::ToggleHistory),
    (Modifiers::NONE, Key::K, Action::SetKey),
    (Modifiers::NONE, Key::Num1, mode(CameraMode::Orbit)),
    (Modifiers::NONE, Key::Num2, mode(CameraMode::Fly)),
    (Modifiers::NONE, Key::Num3, mode(CameraMode::Walk)),
    (Modifiers::NONE, Key::Num4, mode(CameraMode::Top)),
];

// The same, but a control that has the keyboard knows these itself.
const OF_SCENE_WITHOUT_FOCUS: Shortcuts = &[
    (Modifiers::NONE, Key::Home, Action::ResetCamera),
    (Modifiers::NONE, Key::Space, Action::PlayFilm),
];

const CTRL_SHIFT: Modifiers = Modifiers {
    shift: true,
    ..Modifiers::COMMAND
};
const SAVE_PICTURE: Action = Action::Window(Command::SavePicture(PictureFile::Free));

const fn mode(mode: CameraMode) -> Action {
    Action::CameraMode(mode)
}

/// Every shortcut: its modifiers, its key and what it asks for.
pub fn all() -> impl Iterator<Item = &'static (Modifiers, Key, Action)> {
    [ALWAYS, NOT_WHILE_TYPING, OF_SCENE, OF_SCENE_WITHOUT_FOCUS]
        .into_iter()
        .flatten()
}

/// Reads the keys: moves the camera, returns actions. While a text is typed, or a file is being
/// asked for, only combinations that no text box knows are read; while a sheet covers the scene,
/// none of those that act on the scene alone; while another control has the keyboard, all but those
/// that move it.
pub fn keys(ctx: &Context, state: &mut UiState) -> Vec<Action> {
    if state.transient.dialogs.asks() {
        return Vec::new();
    }
    if escape::wants_to_close(ctx, state) {
        escape::close_topmost(ctx, state);
    }
    let mut actions: Vec<_> = move_focus(ctx, state).into_iter().collect();
    let transient = &state.transient;
    // The dialog that asks for the name of a preset is typed in, wherever its focus is.
    if is_typing(ctx) || transient.browser.keeping.is_some() {
        actions.extend(pressed(ctx, &[ALWAYS]));
        return actions;
    }
    let scene_is_seen = !transient.covers_scene();
    let has_focus = ctx.wants_keyboard_input();
    let mut lists = vec![ALWAYS, NOT_WHILE_TYPING];
    if scene_is_seen {
        lists.push(OF_SCENE);
    }
    if scene_is_seen && !has_focus {
        lists.push(OF_SCENE_WITHOUT_FOCUS);
    }
    actions.extend(pressed(ctx, &lists));
    actions.extend(clipboard(ctx, state));
    // On a sheet they go from scene to scene, in a menu or a list from choice to choice.
    if scene_is_seen && !has_focus && !Popup::is_any_open(ctx) {
        arrows(ctx, &mut state.persisted.scene.camera);
    }
    actions
}

/// Whether a key opens something that is typed in next.
#[must_use]
pub fn opens_text(event: &Event, is_typing: bool) -> bool {
    let lists: &[Shortcuts] = match is_typing {
        true => &[ALWAYS],
        false => &[ALWAYS, NOT_WHILE_TYPING],
    };
    matches!(
        asked_by(event, lists),
        Some(Action::ToggleBrowser | Action::FindSetting | Action::Ask(_) | Action::Save)
    )
}

/// Tab and F6 lead into the panel, which is shown for it; F6 leads out again. From control to
/// control egui goes by itself.
fn move_focus(ctx: &Context, state: &mut UiState) -> Option<Action> {
    let focused = ctx.memory(|memory| memory.focused());
    let f6 = ctx.input_mut(|input| input.consume_key(Modifiers::NONE, Key::F6));
    let tab = ctx.input(|input| input.key_pressed(Key::Tab) && !input.modifiers.any());
    match focused {
        Some(_) if f6 => {
            ctx.memory_mut(|memory| memory.stop_text_input());
            None
        }
        None if f6 || tab => {
            // egui would begin with the menu.
            ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
            state.transient.panel_focus.send();
            (!state.shows_panel()).then_some(Action::TogglePanel)
        }
        _ => None,
    }
}

/// The actions of the keys pressed since the last frame, in their order, each as often as it was
/// pressed: a slow frame swallows none.
fn pressed(ctx: &Context, lists: &[Shortcuts]) -> Vec<Action> {
    let mut actions = Vec::new();
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let action = asked_by(event, lists);
            let stays = action.is_none();
            actions.extend(action.cloned());
            stays
        });
    });
    actions
}

/// The action that an event asks for, if it presses one of these shortcuts.
fn asked_by(event: &Event, lists: &[Shortcuts]) -> Option<&'static Action> {
    let Event::Key {
        key,
        modifiers,
        pressed: true,
        ..
    } = event
    else {
        return None;
    };
    let mut all = lists.iter().copied().flatten();
    let found = all.find(|(with, of, _)| of == key && modifiers.matches_logically(*with));
    found.map(|(_, _, action)| action)
}

/// Puts the scene on the clipboard as text, and says so.
pub fn copy_scene(ctx: &Context, state: &mut UiState) {
    ctx.copy_text(state.persisted.scene.to_short_toml());
    let words = tr("The scene is on the clipboard, as text.");
    let notices = &mut state.transient.notices;
    notices.say(Cause::Itself, Severity::Done, words);
}

/// Copies the scene, or asks for the one that is pasted.
fn clipboard(ctx: &Context, state: &mut UiState) -> Option<Action> {
    let (mut copies, mut pasted) = (false, None);
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            match event {
                Event::Copy => copies = true,
                Event::Paste(text) => pasted = Some(text.clone()),
                _ => return true,
            }
            false
        });
    });
    if copies {
        copy_scene(ctx, state);
    }
    pasted.map(Action::Paste)
}

fn arrows(ctx: &Context, moved: &mut Camera) {
    let count =
        |modifiers, key| ctx.input_mut(|input| input.count_and_consume_key(modifiers, key)) as f32;
    let rise = count(Modifiers::SHIFT, Key::ArrowUp) - count(Modifiers::SHIFT, Key::ArrowDown);
    let ahead = count(Modifiers::NONE, Key::ArrowUp) - count(Modifiers::NONE, Key::ArrowDown);
    let right = count(Modifiers::NONE, Key::ArrowRight) - count(Modifiers::NONE, Key::ArrowLeft);
    if right != 0.0 {
        camera::turn(moved, right * TURN);
    }
    if rise != 0.0 || ahead != 0.0 {
        camera::travel(moved, 0.0, rise * MOVE, ahead * MOVE);
    }
}
