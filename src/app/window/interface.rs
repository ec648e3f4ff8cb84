//! Interface drawn by egui over the scene.

use egui::epaint::ClippedShape;
use egui::{Context, Event, Pos2, TexturesDelta, ViewportCommand, ViewportId};
use egui_glium::EguiGlium;
use egui_glium::egui_winit::EventResponse;
use glium::glutin::surface::WindowSurface;
use glium::{Display, Surface};
use winit::event::WindowEvent;
use winit::window::Window;

/// Distance in points within which two presses are at the same place, as in egui.
const SAME_PLACE: f32 = 6.0;

/// Frames until what a click or a key opens is laid out: egui measures a menu in its first frame.
const LAYOUT_FRAMES: u32 = 2;

/// egui context, the shapes it wants painted, and the input that waits for the next frame.
pub struct Interface {
    egui: EguiGlium,
    /// Shapes from the last run, not painted yet.
    shapes: Vec<ClippedShape>,
    textures: TexturesDelta,
    /// Events left to later frames.
    waiting: Vec<Event>,
    /// Frames that pass before these.
    pause: u32,
}

impl Interface {
    /// Interface of a window, not painted yet.
    #[must_use]
    pub fn new(display: &Display<WindowSurface>, window: &Window) -> Self {
        Self {
            egui: EguiGlium::new(ViewportId::ROOT, display, window, window),
            shapes: Vec::new(),
            textures: TexturesDelta::default(),
            waiting: Vec::new(),
            pause: 0,
        }
    }

    /// Context of egui.
    #[must_use]
    pub fn context(&self) -> &Context {
        self.egui.egui_ctx()
    }

    /// Pass an event to egui.
    pub fn on_event(&mut self, window: &Window, event: &WindowEvent) -> EventResponse {
        self.egui.on_event(window, event)
    }

    /// Lay out the interface and handle its input.
    pub fn run(&mut self, window: &Window, ui: impl FnMut(&Context)) {
        let mut input = self.egui.egui_winit.take_egui_input(window);
        input.events.splice(0..0, self.waiting.drain(..));
        let is_ready = self.pause == 0;
        let now = if is_ready {
            one_frame(&input.events)
        } else {
            0
        };
        self.waiting = input.events.split_off(now);
        self.pause = if self.waiting.is_empty() {
            0
        } else if input.events.iter().any(opens) {
            LAYOUT_FRAMES
        } else {
            self.pause.saturating_sub(1)
        };
        let output = self.context().run(input, ui);
        let state = &mut self.egui.egui_winit;
        state.handle_platform_output(window, output.platform_output);
        let outputs = output.viewport_output.into_values();
        let mut commands = outputs.flat_map(|output| output.commands);
        if commands.any(|command| command == ViewportCommand::RequestPaste) {
            let text = state.clipboard_text().unwrap_or_default();
            state.egui_input_mut().events.push(Event::Paste(text));
            self.context().request_repaint();
        }
        if !self.waiting.is_empty() {
            self.context().request_repaint();
        }
        self.shapes = output.shapes;
        self.textures.append(output.textures_delta);
    }

    /// Draw the interface over `target`, the window.
    pub fn paint(&mut self, display: &Display<WindowSurface>, target: &mut impl Surface) {
        let scale = self.context().pixels_per_point();
        let shapes = std::mem::take(&mut self.shapes);
        let primitives = self.context().tessellate(shapes, scale);
        let textures = std::mem::take(&mut self.textures);
        let painter = &mut self.egui.painter;
        for (id, delta) in &textures.set {
            painter.set_texture(display, *id, delta);
        }
        painter.paint_primitives(display, target, scale, &primitives);
        // Only after painting, which may still use these textures.
        for id in textures.free {
            painter.free_texture(id);
        }
    }
}

/// Number of events to handle in this frame. The others wait: the release of a button that is pressed
/// in this frame, all that follows once the mouse has left the place of a press or release, what is
/// typed after a click, and a click after something is typed.
///
/// egui looks for the widget under the mouse once a frame. So in a slow frame the first of two clicks
/// would be lost, a click on a slider would be no drag, a drag would begin where it ended, and a text
/// box opened by a click would miss what is typed into it.
fn one_frame(events: &[Event]) -> usize {
    // Place of the last press or release, and true for a press.
    let mut button: Option<(Pos2, bool)> = None;
    let mut has_typed = false;
    let waits = |event: &Event| {
        let is_far = |at: &Pos2| button.is_some_and(|(place, _)| place.distance(*at) > SAME_PLACE);
        match event {
            Event::PointerMoved(at) => is_far(at),
            Event::PointerButton { pos, pressed, .. } => {
                let is_held = button.is_some_and(|(_, pressed)| pressed);
                let waits = is_far(pos) || (is_held && !pressed) || (has_typed && *pressed);
                button = Some((*pos, *pressed));
                waits
            }
            event if is_typed(event) => {
                has_typed = true;
                button.is_some_and(|(_, pressed)| !pressed)
            }
            _ => false,
        }
    };
    events.iter().position(waits).unwrap_or(events.len())
}

/// True if a menu, a sheet or a dialog may open at the event: the end of a click, or a key.
fn opens(event: &Event) -> bool {
    matches!(event, Event::PointerButton { pressed: false, .. }) || is_typed(event)
}

fn is_typed(event: &Event) -> bool {
    let is_text = matches!(event, Event::Text(_) | Event::Paste(_) | Event::Ime(_));
    is_text || matches!(event, Event::Key { pressed: true, .. })
}

#[cfg(test)]
mod tests {
    use egui::{Key, Modifiers, PointerButton, pos2};

    use super::*;

    fn click(x: f32, pressed: bool) -> Event {
        Event::PointerButton {
            pos: pos2(x, 0.0),
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        }
    }

    #[test]
    fn each_place_of_a_button_has_its_frame() {
        let to = |x: f32| Event::PointerMoved(pos2(x, 0.0));
        let key = Event::Key {
            key: Key::A,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::NONE,
        };
        let (down, up) = (|x| click(x, true), |x| click(x, false));
        let rows: [(&[Event], usize); 10] = [
            (&[], 0),
            (&[to(0.0), key.clone(), to(50.0), down(50.0)], 3),
            (&[to(0.0), to(50.0), down(50.0)], 3),
            // Two clicks.
            (&[to(0.0), down(0.0), up(0.0), to(90.0), down(90.0)], 2),
            (&[up(0.0), to(90.0), down(90.0)], 1),
            // A click that opens a text box.
            (&[up(0.0), key, to(90.0)], 1),
            // A double click, with an unsteady hand.
            (&[down(0.0), up(0.0), to(3.0), down(3.0), up(3.0)], 1),
            (&[up(0.0), to(3.0), down(3.0), up(3.0)], 3),
            // A drag.
            (&[to(0.0), down(0.0), to(2.0), to(90.0), up(90.0)], 3),
            (&[to(80.0), to(90.0), up(90.0), to(200.0)], 3),
        ];
        for (events, expected) in rows {
            assert_eq!(one_frame(events), expected, "{events:?}");
        }
    }
}
