//! Which control has the keyboard, and how the keyboard gets into the panel.

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{Context, FocusDirection, Id, Ui};

/// Whether what is typed goes into a text.
#[must_use]
pub fn is_typing(ctx: &Context) -> bool {
    let focused = ctx.memory(|memory| memory.focused());
    focused.is_some_and(|id| TextEditState::load(ctx, id).is_some())
}

/// Selects the text of a box, so that typing begins anew.
pub fn select_all(ctx: &Context, id: Id) {
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    // A cursor after the end is at the end.
    let all = CCursorRange::two(CCursor::default(), CCursor::new(usize::MAX));
    state.cursor.set_char_range(Some(all));
    state.store(ctx, id);
}

/// The way of the keyboard into the panel and through it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanelFocus {
    /// Whether the keyboard goes into the panel as soon as that is drawn.
    enters: bool,
    /// The control that had the keyboard when the panel was last drawn.
    last: Option<Id>,
}

impl PanelFocus {
    /// Sends the keyboard into the panel.
    pub fn send(&mut self) {
        self.enters = true;
    }

    /// Gives the keyboard to the next control if it was sent into the panel.
    pub fn enter(&mut self, ui: &Ui) {
        if std::mem::take(&mut self.enters) {
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
            // It shows at the next frame.
            ui.ctx().request_repaint();
        }
    }

    /// Scrolls to a control of `ui` that the keyboard has come to, where that is out of sight.
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
