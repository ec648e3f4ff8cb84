//! Keys that are typed before the box they are meant for has the keyboard.
//!
//! A box takes the keyboard in the frame in which it is first drawn, and hears keys from the next
//! frame on. In a slow window a whole word may come with the key that opens the box. So such a key
//! has a frame to itself: what was typed before it is heard first, and what is typed after it waits.

use egui::{Context, Event};

/// Keyboard events that wait for the next frame.
#[derive(Debug, Default)]
pub struct TypedAhead {
    waiting: Vec<Event>,
    /// For how many frames all of them have been asked to wait.
    frames: u32,
}

/// The most frames that all of them wait: nothing may keep the keyboard for good.
const MOST_FRAMES: u32 = 3;

impl TypedAhead {
    /// Lets an event come before those that wait.
    pub fn put_first(&mut self, event: Event) {
        self.waiting.insert(0, event);
    }

    /// Adds the events that waited to those of this frame. Then all keyboard events wait if `all`,
    /// else the ones around the first that `needs_a_frame`. To be called once a frame, before
    /// anybody looks at events.
    pub fn hold_back(&mut self, ctx: &Context, all: bool, needs_a_frame: impl Fn(&Event) -> bool) {
        self.frames = if all { self.frames + 1 } else { 0 };
        let all = all && self.frames <= MOST_FRAMES;
        let held = ctx.input_mut(|input| {
            let new = std::mem::take(&mut input.events);
            let (typed, others) = new.into_iter().partition(is_typed);
            input.events = others;
            let mut typed: Vec<Event> = self.waiting.drain(..).chain::<Vec<Event>>(typed).collect();
            let now = match all {
                true => 0,
                false => heard_now(&typed, needs_a_frame),
            };
            let held = typed.split_off(now);
            input.events.extend(typed);
            held
        });
        if !held.is_empty() {
            ctx.request_repaint();
        }
        self.waiting = held;
    }
}

fn is_typed(event: &Event) -> bool {
    let texts = matches!(event, Event::Text(_) | Event::Ime(_));
    let edits = matches!(event, Event::Copy | Event::Cut | Event::Paste(_));
    texts || edits || matches!(event, Event::Key { .. })
}

/// How many of the events are heard in this frame: those before the first that needs one to itself,
/// or that one with the letter it writes.
fn heard_now(typed: &[Event], needs_a_frame: impl Fn(&Event) -> bool) -> usize {
    let Some(first) = typed.iter().position(needs_a_frame) else {
        return typed.len();
    };
    let is_press = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
    let comes_before = |event: &Event| is_press(event) || matches!(event, Event::Text(_));
    if typed[..first].iter().any(comes_before) {
        return first;
    }
    let after = &typed[first + 1..];
    let own = match after.first() {
        Some(Event::Text(_)) => 1,
        _ => 0,
    };
    let next = |event: &Event| is_press(event) || !matches!(event, Event::Key { .. });
    let until = after[own..].iter().position(next);
    until.map_or(typed.len(), |until| first + 1 + own + until)
}
