//! The question about changes that are not saved.

use egui::{Button, Context, Id, Modal, Popup, RichText};

use crate::app::commands::Command;
use crate::app::state::UiState;

/// What is to be done about the changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Keep them in a file, then go on.
    Save,
    /// Let them go.
    Discard,
    /// Do not go on.
    Cancel,
}

/// Draws the question while something waits for its answer.
pub fn unsaved_ui(ctx: &Context, state: &UiState, commands: &mut Vec<Command>) {
    let Some(waiting) = &state.transient.dialogs.unsaved else {
        return;
    };
    // A menu above the question would hear Esc first.
    Popup::close_all(ctx);
    let name = state.persisted.document.name();
    let modal = Modal::new(Id::new("unsaved changes")).show(ctx, |ui| {
        ui.set_width(300.0);
        ui.label(RichText::new(format!("Save the changes to “{name}”?")).heading());
        ui.label(match **waiting {
            Command::Quit => "They are lost otherwise.",
            _ => "Undo brings them back, as long as this window is open.",
        });
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            let mut button = |text: &str, answer: Answer| {
                let button = ui.add(Button::new(text));
                if button.clicked() {
                    commands.push(Command::Answer(answer));
                }
                button
            };
            let save = button("Save", Answer::Save);
            button("Discard", Answer::Discard);
            button("Cancel", Answer::Cancel);
            if ui.memory(|memory| memory.focused().is_none()) {
                save.request_focus();
            }
        });
    });
    if modal.should_close() {
        commands.push(Command::Answer(Answer::Cancel));
    }
}
