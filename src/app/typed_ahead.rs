//! Type-ahead: buffers keys typed before their text box or question has the focus.
//!
//! A text box takes the focus in the frame in which it is first drawn, and receives keys from the
//! next frame on; so does the first answer of a question. In a slow window a whole word, or the
//! answer, may arrive together with the key that opens the box or asks the question. So such a key
//! gets a frame of its own: earlier keys are handled before it, and later keys wait for the next
//! frame. So do Tab and Enter in a text box: what is typed before them belongs to this box, what is
//! typed after them does not.

use egui::{Context, Event, FocusDirection, Key};

/// Buffer of keyboard events that wait for the next frame.
#[derive(Debug, Default)]
pub struct TypedAhead {
    waiting: Vec<Event>,
    /// Number of consecutive frames in which all events had to wait.
    frames: u32,
}

/// Maximum number of frames that all events wait, so that the keyboard is never blocked for good.
const MOST_FRAMES: u32 = 3;

impl TypedAhead {
    /// Insert an event before those that wait.
    pub fn put_first(&mut self, event: Event) {
        self.waiting.insert(0, event);
    }

    /// True if an event waits for the next frame.
    fn holds(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Put the waiting events before those of this frame. Then hold back all keyboard events if
    /// `all`, else those that must not share a frame with the first that `needs_a_frame`. `arrows` is
    /// true where the arrow keys move the focus. Call it once a frame, before any event is read.
    pub fn hold_back(
        &mut self,
        ctx: &Context,
        all: bool,
        arrows: bool,
        needs_a_frame: impl Fn(&Event) -> bool,
    ) {
        let had_waiting = self.holds();
        self.frames = if all { self.frames + 1 } else { 0 };
        let all = all && self.frames <= MOST_FRAMES;
        let (held, direction) = ctx.input_mut(|input| {
            let new = std::mem::take(&mut input.events);
            let (typed, others) = new.into_iter().partition(is_typed);
            input.events = others;
            let mut typed: Vec<Event> = self.waiting.drain(..).chain::<Vec<Event>>(typed).collect();
            let now = match all {
                true => 0,
                false => heard_now(&typed, needs_a_frame),
            };
            let held = typed.split_off(now);
            let direction = typed
                .iter()
                .rev()
                .find_map(|event| direction(event, arrows));
            input.events.extend(typed);
            (held, direction.unwrap_or(FocusDirection::None))
        });
        if !held.is_empty() {
            ctx.request_repaint();
        }
        self.waiting = held;
        // egui moves the focus by the keys that arrived, not by those that are handled now.
        if had_waiting || self.holds() {
            ctx.memory_mut(|memory| memory.move_focus(direction));
        }
    }
}

/// True if a text box hands on the focus at the key: Tab or Enter.
#[must_use]
pub fn leaves_text(event: &Event) -> bool {
    matches!(
        event,
        Event::Key {
            key: Key::Tab | Key::Enter,
            pressed: true,
            ..
        }
    )
}

/// Where a key moves the focus. Many controls use the arrows themselves: sliders, lists, text boxes.
fn direction(event: &Event, arrows: bool) -> Option<FocusDirection> {
    let Event::Key {
        key,
        pressed: true,
        modifiers,
        ..
    } = event
    else {
        return None;
    };
    match key {
        Key::Tab if modifiers.shift => Some(FocusDirection::Previous),
        Key::Tab => Some(FocusDirection::Next),
        _ if !arrows => None,
        Key::ArrowUp => Some(FocusDirection::Up),
        Key::ArrowDown => Some(FocusDirection::Down),
        Key::ArrowLeft => Some(FocusDirection::Left),
        Key::ArrowRight => Some(FocusDirection::Right),
        _ => None,
    }
}

fn is_typed(event: &Event) -> bool {
    let texts = matches!(event, Event::Text(_) | Event::Ime(_));
    let edits = matches!(event, Event::Copy | Event::Cut | Event::Paste(_));
    texts || edits || matches!(event, Event::Key { .. })
}

/// Number of events to handle in this frame: those before the first that needs its own frame, or
/// that one with the letter it produces.
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
    let own = usize::from(matches!(after.first(), Some(Event::Text(_))));
    let next = |event: &Event| is_press(event) || !matches!(event, Event::Key { .. });
    let until = after[own..].iter().position(next);
    until.map_or(typed.len(), |until| first + 1 + own + until)
}
