//! Keyboard focus: text fields, and the way into the panel and through it.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, FocusDirection, Id, Ui};

/// True if a text field has the keyboard focus.
#[must_use]
pub fn is_typing(ctx: &Context) -> bool {
    let focused = ctx.memory(|memory| memory.focused());
    focused.is_some_and(|id| TextEditState::load(ctx, id).is_some())
}

/// Select the whole text of a box, so that typing replaces it.
pub fn select_all(ctx: &Context, id: Id) {
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    // egui clamps the cursor to the end of the text.
    let all = CCursorRange::two(CCursor::default(), CCursor::new(usize::MAX));
    state.cursor.set_char_range(Some(all));
    state.store(ctx, id);
}

/// Keyboard focus in the panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanelFocus {
    /// True if the panel takes the focus when it is drawn next.
    enters: bool,
    /// Control that had the focus when the panel was last drawn.
    last: Option<Id>,
}

impl PanelFocus {
    /// Request the focus for the panel.
    pub fn send(&mut self) {
        self.enters = true;
    }

    /// Move the focus to the next control if it was requested for the panel.
    pub fn enter(&mut self, ui: &Ui) {
        if std::mem::take(&mut self.enters) {
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
            // The new focus is visible only in the next frame.
            ui.ctx().request_repaint();
        }
    }

    /// Scroll to the focused control of `ui` if it is out of sight.
    pub fn follow(&mut self, ui: &Ui) {
        let now = ui.memory(|memory| memory.focused());
        if now == std::mem::replace(&mut self.last, now) {
            return;
        }
        let control = now.and_then(|now| ui.ctx().read_response(now));
        if let Some(control) = control.filter(|control| control.layer_id == ui.layer_id()) {
            let inside = ui.clip_rect().x_range().contains(control.rect.center().x);
            if inside && !ui.clip_rect().contains_rect(control.rect) {
                ui.scroll_to_rect(control.rect, None);
            }
        }
    }
}
