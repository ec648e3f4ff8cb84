//! Mouse and keys: what they do to the camera, and which commands they make.

use egui::{Context, FocusDirection, Key, KeyboardShortcut, Modifiers, PointerButton, Response};

use crate::app::camera;
use crate::app::commands::Command;
use crate::app::dialogs::Purpose;
use crate::app::escape;
use crate::app::state::UiState;
use crate::camera::Wish;
use crate::scene::{Camera, CameraMode};

/// Degrees that an arrow key turns, and half tiles that it moves: Martz's.
const TURN: f32 = 3.0;
const MOVE: f32 = 0.05;
/// A point of scrolling brings the target nearer, or makes flying faster, by this part.
const ZOOM_PER_POINT: f32 = 1.0 / 400.0;

/// A key, or several, and what it does: the list that F1 shows.
pub struct KeyHelp {
    /// As printed on the keys.
    pub keys: &'static str,
    /// What it does.
    pub what: &'static str,
}

/// A heading and its keys.
pub type KeyGroup = (&'static str, &'static [KeyHelp]);

const fn key(keys: &'static str, what: &'static str) -> KeyHelp {
    KeyHelp { keys, what }
}

/// Every key and mouse button.
pub const KEYS: &[KeyGroup] = &[
    (
        "Look around",
        &[
            key("1 2 3 4", "orbit, fly, walk, straight down"),
            key(
                "Left drag",
                "go around the target; flying and walking: look",
            ),
            key("Right or middle drag", "shift the view"),
            key("Wheel", "nearer, farther; flying and walking: speed"),
            key("W A S D", "fly or walk (Shift: faster)"),
            key("Q E", "sink, rise; straight down: nearer, farther"),
            key("⬅ ➡", "turn by 3°"),
            key("⬆ ⬇", "move by 0.05 half tiles"),
            key("Shift ⬆ ⬇", "rise, sink by 0.05 half tiles"),
            key("Home", "camera as the preset or the file has it"),
        ],
    ),
    (
        "Pins, while they are edited on the map",
        &[
            key("Click", "a new pin"),
            key("Drag", "move the pin"),
            key("Shift drag, wheel", "raise, lower the pin"),
            key("Right click, Delete", "remove the pin"),
        ],
    ),
    (
        "Cross-section, while it is drawn on the map",
        &[
            key("Drag", "a line from A to B; at an end: move it"),
            key("Right click", "remove the line"),
        ],
    ),
    (
        "Settings",
        &[
            key("R", "another seed"),
            key("Ctrl Z", "undo"),
            key("Ctrl Shift Z, Ctrl Y", "redo"),
            key(
                "Double-click",
                "this setting as the preset or the file has it",
            ),
            key("Tab", "show or hide the panel"),
            key("F3", "show or hide the statistics"),
        ],
    ),
    (
        "Files and help",
        &[
            key("F12, Ctrl P", "save the picture"),
            key("Ctrl S", "save the scene in its file"),
            key("Ctrl Shift S", "save the scene in another file"),
            key("Ctrl E", "export the height map or mesh"),
            key("Ctrl N", "new scene"),
            key("Ctrl O", "open a scene or an image"),
            key("Ctrl Q", "quit"),
            key("Ctrl + − 0", "larger, smaller, usual size of all words"),
            key("F1", "these keys"),
            key("Esc", "close what is open"),
        ],
    ),
];

// The longer combination first: without Shift, Ctrl+S would answer to both.
const ALWAYS: &[(Modifiers, Key, Command)] = &[
    (Modifiers::NONE, Key::F1, Command::ToggleKeys),
    (Modifiers::NONE, Key::F3, Command::ToggleStatistics),
    (Modifiers::NONE, Key::F12, Command::SavePicture(None)),
    (Modifiers::COMMAND, Key::P, Command::SavePicture(None)),
    (CTRL_SHIFT, Key::S, Command::Ask(Purpose::SaveScene)),
    (Modifiers::COMMAND, Key::S, Command::Save),
    (Modifiers::COMMAND, Key::N, Command::New),
    (Modifiers::COMMAND, Key::E, Command::ToggleExport),
    (Modifiers::COMMAND, Key::O, Command::Ask(Purpose::Open)),
    (Modifiers::COMMAND, Key::Q, Command::Quit),
];

// The longer combination first: without Shift, Ctrl+Z would answer to both.
const NOT_WHILE_TYPING: &[(Modifiers, Key, Command)] = &[
    (CTRL_SHIFT, Key::Z, Command::Redo),
    (Modifiers::COMMAND, Key::Z, Command::Undo),
    (Modifiers::COMMAND, Key::Y, Command::Redo),
    (Modifiers::NONE, Key::R, Command::RandomSeed),
    (Modifiers::NONE, Key::Tab, Command::TogglePanel),
    (Modifiers::NONE, Key::Home, Command::ResetCamera),
    (
        Modifiers::NONE,
        Key::Num1,
        Command::CameraMode(CameraMode::Orbit),
    ),
    (
        Modifiers::NONE,
        Key::Num2,
        Command::CameraMode(CameraMode::Fly),
    ),
    (
        Modifiers::NONE,
        Key::Num3,
        Command::CameraMode(CameraMode::Walk),
    ),
    (
        Modifiers::NONE,
        Key::Num4,
        Command::CameraMode(CameraMode::Top),
    ),
];

const CTRL_SHIFT: Modifiers = Modifiers {
    shift: true,
    ..Modifiers::COMMAND
};

const FLYING: [Key; 6] = [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E];

/// Reads the keys: moves the camera, returns commands. While a control has the keyboard, or a
/// file is being asked for, only combinations that no text box knows are read.
pub fn keys(ctx: &Context, state: &mut UiState) -> Vec<Command> {
    if state.transient.dialogs.asks() {
        return Vec::new();
    }
    if escape::wants_to_close(ctx, state) {
        escape::close_topmost(ctx, state);
    }
    let typing = ctx.wants_keyboard_input();
    let mut commands = shortcuts(ctx, ALWAYS);
    if typing {
        return commands;
    }
    if ctx.input(|input| input.key_pressed(Key::Tab)) {
        // egui would give the keyboard to the next control.
        ctx.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    }
    commands.extend(shortcuts(ctx, NOT_WHILE_TYPING));
    arrows(ctx, &mut state.persisted.scene.camera);
    commands
}

fn shortcuts(ctx: &Context, list: &[(Modifiers, Key, Command)]) -> Vec<Command> {
    let pressed = |(modifiers, key, _): &&(Modifiers, Key, Command)| {
        ctx.input_mut(|input| input.consume_shortcut(&KeyboardShortcut::new(*modifiers, *key)))
    };
    let made = list.iter().filter(pressed);
    made.map(|(_, _, command)| command.clone()).collect()
}

fn arrows(ctx: &Context, view: &mut Camera) {
    let count =
        |modifiers, key| ctx.input_mut(|input| input.count_and_consume_key(modifiers, key)) as f32;
    let rise = count(Modifiers::SHIFT, Key::ArrowUp) - count(Modifiers::SHIFT, Key::ArrowDown);
    let ahead = count(Modifiers::NONE, Key::ArrowUp) - count(Modifiers::NONE, Key::ArrowDown);
    let right = count(Modifiers::NONE, Key::ArrowRight) - count(Modifiers::NONE, Key::ArrowLeft);
    if right != 0.0 {
        camera::turn(view, right * TURN);
    }
    if rise != 0.0 || ahead != 0.0 {
        camera::travel(view, 0.0, rise * MOVE, ahead * MOVE);
    }
}

/// Whether a flying key is held.
#[must_use]
pub fn is_flying(ctx: &Context) -> bool {
    !ctx.wants_keyboard_input() && flying_keys(ctx).iter().any(|held| *held)
}

/// Which of [`FLYING`] are held and were not pressed as part of a shortcut.
fn flying_keys(ctx: &Context) -> [bool; FLYING.len()] {
    let of_shortcut = shortcut_keys(ctx);
    let held = ctx.input(|input| FLYING.map(|key| input.key_down(key)));
    std::array::from_fn(|index| held[index] && !of_shortcut[index])
}

fn shortcut_keys(ctx: &Context) -> [bool; FLYING.len()] {
    ctx.data(|data| data.get_temp(shortcut_id()))
        .unwrap_or_default()
}

fn shortcut_id() -> egui::Id {
    egui::Id::new("flying keys that belong to a shortcut")
}

/// Remembers which flying keys were pressed with Ctrl until they are let go, since whoever
/// lets go of Ctrl+S a little late at the S does not want to fly. To be called before shortcuts
/// take their keys.
pub fn note_shortcuts(ctx: &Context) {
    let before = shortcut_keys(ctx);
    let now: [bool; FLYING.len()] = ctx.input(|input| {
        let pressed_with_command = |key: Key| {
            input.events.iter().any(|event| {
                matches!(event, egui::Event::Key { key: pressed, pressed: true, modifiers, .. }
                    if *pressed == key && modifiers.command)
            })
        };
        std::array::from_fn(|index| {
            let key = FLYING[index];
            input.key_down(key)
                && (before[index] || input.modifiers.command || pressed_with_command(key))
        })
    });
    ctx.data_mut(|data| data.insert_temp(shortcut_id(), now));
}

/// Where the flying keys ask the camera to go.
#[must_use]
pub fn wish(ctx: &Context) -> Wish {
    if !is_flying(ctx) {
        return Wish::default();
    }
    let [w, a, s, d, q, e] = flying_keys(ctx).map(|held| f32::from(u8::from(held)));
    Wish {
        right: d - a,
        up: e - q,
        ahead: w - s,
        fast: ctx.input(|input| input.modifiers.shift),
    }
}

/// What the mouse does over the scene.
pub fn pointer(response: &Response, view: &mut Camera) {
    let moved = response.drag_delta();
    if moved != egui::Vec2::ZERO {
        let primary = response.dragged_by(PointerButton::Primary);
        if primary && view.mode == CameraMode::Orbit {
            camera::orbit(view, moved.x, moved.y);
        } else if view.mode == CameraMode::Walk || (primary && view.mode == CameraMode::Fly) {
            camera::look(view, moved.x, moved.y);
        } else {
            camera::pan(view, moved.x, moved.y, response.rect.height());
        }
    }
    if response.hovered() {
        let scrolled = response.ctx.input(|input| input.smooth_scroll_delta.y);
        if scrolled != 0.0 {
            let factor = (scrolled * ZOOM_PER_POINT).exp();
            match view.mode {
                CameraMode::Orbit | CameraMode::Top => camera::zoom(view, factor),
                CameraMode::Fly | CameraMode::Walk => camera::hurry(view, factor),
            }
        }
    }
}
