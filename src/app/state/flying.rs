//! Keys for flying and walking (WASD, Q, E), by their position on the keyboard: W is the key above
//! S, whatever is printed on it.

use egui::{Context, Event, Key};

use crate::app::controls::is_typing;
use crate::camera::Wish;

const KEYS: [Key; 6] = [Key::W, Key::A, Key::S, Key::D, Key::Q, Key::E];

/// State of the six keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flying {
    held: [bool; KEYS.len()],
    /// Pressed since the last frame, possibly released again.
    pressed: [bool; KEYS.len()],
    /// Pressed as part of a shortcut.
    of_shortcut: [bool; KEYS.len()],
}

impl Flying {
    /// Record the key events. Call it once a frame, before shortcuts consume their keys.
    pub fn note(&mut self, ctx: &Context) {
        self.pressed = Default::default();
        ctx.input(|input| {
            input.events.iter().for_each(|event| self.note_event(event));
            for index in 0..KEYS.len() {
                self.of_shortcut[index] |= self.held[index] && input.modifiers.command;
            }
        });
    }

    fn note_event(&mut self, event: &Event) {
        match event {
            Event::Key {
                key,
                physical_key,
                pressed,
                modifiers,
                ..
            } => {
                let place = physical_key.unwrap_or(*key);
                if let Some(index) = KEYS.iter().position(|key| *key == place) {
                    self.held[index] = *pressed;
                    self.pressed[index] |= *pressed && !modifiers.command;
                    // It counts as a shortcut until it is released: a slow release of S after
                    // Ctrl+S must not fly.
                    self.of_shortcut[index] &= *pressed;
                    self.of_shortcut[index] |= *pressed && modifiers.command;
                }
            }
            Event::WindowFocused(false) => *self = Self::default(),
            _ => {}
        }
    }

    /// Keys that currently steer the camera.
    fn asking(&self, ctx: &Context) -> [bool; KEYS.len()] {
        let typing = is_typing(ctx);
        let asks = |index: usize| self.held[index] || self.pressed[index];
        std::array::from_fn(|index| !typing && asks(index) && !self.of_shortcut[index])
    }

    /// True if any key steers the camera.
    #[must_use]
    pub fn is_held(&self, ctx: &Context) -> bool {
        self.asking(ctx).contains(&true)
    }

    /// Direction in which the keys steer the camera.
    #[must_use]
    pub fn wish(&self, ctx: &Context) -> Wish {
        if !self.is_held(ctx) {
            return Wish::default();
        }
        let [w, a, s, d, q, e] = self.asking(ctx).map(|held| f32::from(u8::from(held)));
        Wish {
            right: d - a,
            up: e - q,
            ahead: w - s,
            fast: ctx.input(|input| input.modifiers.shift),
        }
    }
}
