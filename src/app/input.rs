//! Mouse and keys: what they do to the camera, and which commands they make.

use egui::text_edit::TextEditState;
use egui::{Context, Event, FocusDirection, Id, Key, Modifiers, PointerButton, Response, Ui};

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
            key("Left drag", "orbit; flying and walking: look around"),
            key("Right or middle drag", "shift the view"),
            key("Wheel", "zoom; flying and walking: speed"),
            key(
                "W A S D",
                "fly or walk (Shift: faster); the keys at that place",
            ),
            key("Q E", "down, up; in view straight down: zoom"),
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
            key("R", "a random seed"),
            key("Ctrl Z", "undo"),
            key("Ctrl Shift Z, Ctrl Y", "redo"),
            key(
                "Double-click",
                "this setting as the preset or the file has it",
            ),
            key("F4", "show or hide the panel"),
            key("F3", "show or hide the statistics"),
        ],
    ),
    (
        "Without a mouse",
        &[
            key(
                "Tab, Shift Tab",
                "into the panel; the next, the last control",
            ),
            key("⬅ ➡, Home, End", "move a slider; to its ends"),
            key("⬆ ⬇", "another choice of a drop-down"),
            key("Space, Enter", "press, switch, fold"),
            key("F6", "into the panel; back to the landscape"),
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
    (Modifiers::NONE, Key::F4, Command::TogglePanel),
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

// A control that has the keyboard knows these itself.
const WITHOUT_FOCUS: &[(Modifiers, Key, Command)] =
    &[(Modifiers::NONE, Key::Home, Command::ResetCamera)];

const CTRL_SHIFT: Modifiers = Modifiers {
    shift: true,
    ..Modifiers::COMMAND
};

const FLYING: [Key; 6] = [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E];

/// Whether what is typed goes into a text.
#[must_use]
pub fn is_typing(ctx: &Context) -> bool {
    let focused = ctx.memory(|memory| memory.focused());
    focused.is_some_and(|id| TextEditState::load(ctx, id).is_some())
}

/// Reads the keys: moves the camera, returns commands. While a text is typed, or a file is being
/// asked for, only combinations that no text box knows are read; while another control has the
/// keyboard, all but those that move it.
pub fn keys(ctx: &Context, state: &mut UiState) -> Vec<Command> {
    if state.transient.dialogs.asks() {
        return Vec::new();
    }
    if escape::wants_to_close(ctx, state) {
        escape::close_topmost(ctx, state);
    }
    let mut commands = shortcuts(ctx, ALWAYS);
    commands.extend(move_focus(ctx, state));
    if is_typing(ctx) {
        return commands;
    }
    commands.extend(shortcuts(ctx, NOT_WHILE_TYPING));
    if !ctx.wants_keyboard_input() {
        commands.extend(shortcuts(ctx, WITHOUT_FOCUS));
        arrows(ctx, &mut state.persisted.scene.camera);
    }
    commands
}

/// Tab and F6 lead into the panel, which is shown for it; F6 leads out again. From control to
/// control egui goes by itself.
fn move_focus(ctx: &Context, state: &UiState) -> Option<Command> {
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
            ctx.data_mut(|data| data.insert_temp(into_panel_id(), true));
            (!state.shows_panel()).then_some(Command::TogglePanel)
        }
        _ => None,
    }
}

fn into_panel_id() -> Id {
    Id::new("the keyboard goes into the panel")
}

/// Gives the keyboard to the next control if it was sent into the panel.
pub fn enter_panel(ui: &Ui) {
    let wanted = ui.data_mut(|data| data.remove_temp::<bool>(into_panel_id()));
    if wanted.is_some() {
        ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
        // It shows at the next frame.
        ui.ctx().request_repaint();
    }
}

/// Scrolls to a control of `ui` that the keyboard has come to, where that is out of sight.
pub fn follow_focus(ui: &Ui) {
    let id = ui.id().with("focus before");
    let now = ui.memory(|memory| memory.focused());
    let before = ui.data(|data| data.get_temp::<Option<Id>>(id)).flatten();
    if now == before {
        return;
    }
    ui.data_mut(|data| data.insert_temp(id, now));
    let control = now.and_then(|now| ui.ctx().read_response(now));
    if let Some(control) = control.filter(|control| control.layer_id == ui.layer_id()) {
        let inside = ui.clip_rect().x_range().contains(control.rect.center().x);
        if inside && !ui.clip_rect().contains_rect(control.rect) {
            ui.scroll_to_rect(control.rect, None);
        }
    }
}

/// The choice of a drop-down after the arrow keys, while it has the keyboard.
pub fn chosen_by_keys(response: &Response, index: usize, count: usize) -> usize {
    if !response.has_focus() {
        return index;
    }
    let ctx = &response.ctx;
    let filter = egui::EventFilter {
        vertical_arrows: true,
        ..egui::EventFilter::default()
    };
    ctx.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let (up, down) = (pressed(Key::ArrowUp), pressed(Key::ArrowDown));
    if (up, down) == (0, 0) {
        return index;
    }
    (index + down)
        .saturating_sub(up)
        .min(count.saturating_sub(1))
}

/// The end that Home or End takes a slider to, while it has the keyboard.
pub fn end_by_keys(response: &Response, low: f64, high: f64) -> Option<f64> {
    let pressed = |key| {
        let ctx = &response.ctx;
        ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key))
    };
    match response.has_focus() {
        true if pressed(Key::Home) => Some(low),
        true if pressed(Key::End) => Some(high),
        _ => None,
    }
}

/// The commands of the keys pressed since the last frame, in their order, each as often as it was
/// pressed: a slow frame swallows none.
fn shortcuts(ctx: &Context, list: &[(Modifiers, Key, Command)]) -> Vec<Command> {
    let mut commands = Vec::new();
    let asks_for = |event: &Event| {
        let Event::Key {
            key,
            modifiers,
            pressed: true,
            ..
        } = event
        else {
            return None;
        };
        let mut list = list.iter();
        let found = list.find(|(with, of, _)| of == key && modifiers.matches_logically(*with));
        found.map(|(_, _, command)| command.clone())
    };
    ctx.input_mut(|input| {
        input.events.retain(|event| {
            let command = asks_for(event);
            let stays = command.is_none();
            commands.extend(command);
            stays
        });
    });
    commands
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

/// The keys of [`FLYING`], by their position on the keyboard: W is the key above S, whatever is
/// printed on it.
#[derive(Clone, Copy, Default)]
struct Flying {
    held: [bool; FLYING.len()],
    /// Pressed since the last frame, perhaps let go of as well.
    pressed: [bool; FLYING.len()],
    /// Pressed as part of a shortcut.
    of_shortcut: [bool; FLYING.len()],
}

impl Flying {
    fn of(ctx: &Context) -> Self {
        ctx.data(|data| data.get_temp(Self::id()))
            .unwrap_or_default()
    }

    fn id() -> egui::Id {
        egui::Id::new("flying keys")
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Key {
                key,
                physical_key,
                pressed,
                modifiers,
                ..
            } => {
                let place = physical_key.unwrap_or(*key);
                if let Some(index) = FLYING.iter().position(|key| *key == place) {
                    self.held[index] = *pressed;
                    self.pressed[index] |= *pressed && !modifiers.command;
                    // Until it is let go of: whoever lets go of Ctrl+S a little late at the S
                    // does not want to fly.
                    self.of_shortcut[index] &= *pressed;
                    self.of_shortcut[index] |= *pressed && modifiers.command;
                }
            }
            Event::WindowFocused(false) => *self = Self::default(),
            _ => {}
        }
    }

    /// Which of them ask to fly.
    fn asking(&self) -> [bool; FLYING.len()] {
        let asks = |index: usize| self.held[index] || self.pressed[index];
        std::array::from_fn(|index| asks(index) && !self.of_shortcut[index])
    }
}

/// Whether a flying key is held.
#[must_use]
pub fn is_flying(ctx: &Context) -> bool {
    !is_typing(ctx) && Flying::of(ctx).asking().contains(&true)
}

/// Takes note of the flying keys. To be called once a frame, before shortcuts take their keys.
pub fn note_flying(ctx: &Context) {
    let mut flying = Flying {
        pressed: [false; FLYING.len()],
        ..Flying::of(ctx)
    };
    ctx.input(|input| {
        input.events.iter().for_each(|event| flying.note(event));
        for index in 0..FLYING.len() {
            flying.of_shortcut[index] |= flying.held[index] && input.modifiers.command;
        }
    });
    ctx.data_mut(|data| data.insert_temp(Flying::id(), flying));
}

/// Where the flying keys ask the camera to go.
#[must_use]
pub fn wish(ctx: &Context) -> Wish {
    if !is_flying(ctx) {
        return Wish::default();
    }
    let [w, a, s, d, q, e] = Flying::of(ctx)
        .asking()
        .map(|held| f32::from(u8::from(held)));
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
