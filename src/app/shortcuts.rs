//! Keyboard shortcuts and camera keys.

use egui::{Context, Event, FocusDirection, Key, Modifiers, Popup};

use crate::app::commands::{Action, Command, Compare, PictureFile, Purpose};
use crate::app::controls::is_typing;
use crate::app::dialogs;
use crate::app::state::UiState;
use crate::app::state::notices::{Cause, Severity};
use crate::app::tools::camera;
use crate::scene::{Camera, CameraMode};
use crate::util::language::tr;

/// Step of an arrow key: turn in degrees, move in half tiles; both as in Martz's program.
const TURN: f32 = 3.0;
const MOVE: f32 = 0.05;

/// Table of key combinations and their actions.
type Shortcuts = &'static [(Modifiers, Key, Action)];

// Longer combinations come first: without Shift, Ctrl+S would match both.
const ALWAYS: Shortcuts = &[
    (Modifiers::NONE, Key::F1, Action::ToggleKeys),
    (Modifiers::NONE, Key::F3, Action::ToggleStatistics),
    (Modifiers::NONE, Key::F4, Action::TogglePanel),
    (Modifiers::NONE, Key::F5, Action::ToggleTimeline),
    (Modifiers::NONE, Key::F11, Action::ToggleFullScreen),
    (Modifiers::NONE, Key::F12, SAVE_PICTURE),
    (Modifiers::NONE, Key::F10, Action::OpenMenu(0)),
    (Modifiers::ALT, Key::F, Action::OpenMenu(0)),
    (Modifiers::ALT, Key::E, Action::OpenMenu(1)),
    (Modifiers::ALT, Key::V, Action::OpenMenu(2)),
    (Modifiers::ALT, Key::H, Action::OpenMenu(3)),
    (CTRL_SHIFT, Key::P, Action::ToggleCommandPalette),
    (Modifiers::COMMAND, Key::P, SAVE_PICTURE),
    (CTRL_SHIFT, Key::S, Action::Ask(Purpose::SaveScene)),
    (Modifiers::COMMAND, Key::S, Action::Save),
    (Modifiers::COMMAND, Key::F, Action::FindSetting),
    (Modifiers::COMMAND, Key::N, Action::New),
    (Modifiers::COMMAND, Key::E, Action::ToggleExport),
    (Modifiers::COMMAND, Key::O, Action::Ask(Purpose::Open)),
    (Modifiers::COMMAND, Key::Q, Action::Window(Command::Quit)),
];

// Longer combinations come first: without Shift, Ctrl+Z would match both.
const NOT_WHILE_TYPING: Shortcuts = &[
    (CTRL_SHIFT, Key::Z, Action::Redo),
    (Modifiers::COMMAND, Key::Z, Action::Undo),
    (Modifiers::COMMAND, Key::Y, Action::Redo),
    (Modifiers::NONE, Key::V, Action::ToggleVariations),
    (Modifiers::NONE, Key::P, Action::ToggleBrowser),
];

/// Keys that act on the visible scene; disabled while a sheet covers it.
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

// Keys that act on the scene unless a control has the focus, since controls use these keys
// themselves.
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

/// All shortcuts: modifiers, key and action.
pub fn all() -> impl Iterator<Item = &'static (Modifiers, Key, Action)> {
    [ALWAYS, NOT_WHILE_TYPING, OF_SCENE, OF_SCENE_WITHOUT_FOCUS]
        .into_iter()
        .flatten()
}

/// Handle the keyboard: move the camera and return actions. While a text box has the focus or a
/// file dialog is open, only combinations that text boxes do not use are handled. While a sheet
/// covers the scene, keys that act on the scene are ignored; while another control has the focus,
/// keys that operate it are ignored.
pub fn keys(ctx: &Context, state: &mut UiState) -> Vec<Action> {
    if state.transient.dialogs.asks() {
        return Vec::new();
    }
    if dialogs::wants_to_close(ctx, state) {
        dialogs::close_topmost(ctx, state);
    }
    let mut actions: Vec<_> = move_focus(ctx, state).into_iter().collect();
    let transient = &state.transient;
    // The dialog for the name of a preset takes text wherever its focus is.
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
    // On a sheet, arrow keys move between thumbnails; in a menu or list, between choices.
    if scene_is_seen && !has_focus && !Popup::is_any_open(ctx) {
        arrows(ctx, &mut state.persisted.scene.camera);
    }
    actions
}

/// True if the key opens something that takes typed text, or may ask a question.
#[must_use]
pub fn opens_text_or_asks(event: &Event, is_typing: bool) -> bool {
    let lists: &[Shortcuts] = match is_typing {
        true => &[ALWAYS],
        false => &[ALWAYS, NOT_WHILE_TYPING],
    };
    asked_by(event, lists).is_some_and(|action| {
        use Action::{Ask, FindSetting, Save, ToggleBrowser, ToggleCommandPalette};
        let opens = matches!(
            action,
            ToggleBrowser | FindSetting | ToggleCommandPalette | Ask(_) | Save
        );
        opens || action.takes_the_document()
    })
}

/// Handle Tab and F6, which move the focus into the panel and show it if needed; F6 also leaves it.
/// Inside the panel egui moves the focus.
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
            // By default egui would focus the menu bar first.
            ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
            state.transient.panel_focus.send();
            (!state.shows_panel()).then_some(Action::TogglePanel)
        }
        _ => None,
    }
}

/// Actions of the keys pressed since the last frame, in order and with repetitions, so that a slow
/// frame loses none.
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

/// Action of the shortcut that an event triggers, if any.
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
    // Alt opens menus, and no other shortcut has it.
    let found = all.find(|(with, of, _)| {
        of == key && modifiers.matches_logically(*with) && modifiers.alt == with.alt
    });
    found.map(|(_, _, action)| action)
}

/// Copy the scene to the clipboard as text and confirm it with a message.
pub fn copy_scene(ctx: &Context, state: &mut UiState) {
    ctx.copy_text(state.persisted.scene.to_short_toml());
    let words = tr("The scene is on the clipboard, as text.");
    let notices = &mut state.transient.notices;
    notices.say(Cause::Itself, Severity::Done, words);
}

/// Handle copy and paste of whole scenes.
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
