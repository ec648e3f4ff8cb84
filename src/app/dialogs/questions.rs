//! Modal questions before saving or closing: unsaved changes, and a file changed by another
//! program.

use egui::{Button, Context, Id, Modal, Popup, RichText};

use crate::app::commands::{Action, Answer, Command, Purpose};
use crate::app::state::UiState;
use crate::app::state::dialogs::Dialogs;
use crate::util::language::tr;
use crate::util::words;

/// Draw the question about unsaved changes while an action waits for its answer.
pub fn unsaved_ui(ctx: &Context, state: &UiState, actions: &mut Vec<Action>) {
    let Some(waiting) = &state.transient.dialogs.unsaved else {
        return;
    };
    let name = state.persisted.document.name();
    let heading = tr!("Save the changes to “{name}”?", name);
    let words = match **waiting {
        Action::Window(Command::Quit) => tr("They are lost otherwise."),
        _ => tr("Undo brings them back, as long as this window is open."),
    };
    let answers = [
        (tr("Save"), Answer::Save),
        (tr("Discard"), Answer::Discard),
        (tr("Cancel"), Answer::Cancel),
    ];
    let answer = ask(ctx, "unsaved changes", &heading, words, answers);
    actions.extend(answer.map(Action::Answer));
}

/// Answer to the question about a file that another program has changed.
#[derive(Clone, Copy)]
enum ChangedFile {
    SaveAs,
    Overwrite,
    Cancel,
}

/// Draw the question about a changed file while it is waiting to be written.
pub fn changed_ui(ctx: &Context, dialogs: &mut Dialogs, actions: &mut Vec<Action>) {
    let Some(file) = &dialogs.changed else {
        return;
    };
    let name = file.file_name().unwrap_or(file.as_os_str());
    let name = words::window(&name.to_string_lossy());
    let heading = tr!("“{name}” has changed on the disk", name);
    let words =
        tr("It is not as it was opened or saved here. Overwriting loses what is in it now.");
    // The focused first answer loses no data.
    let answers = [
        (tr("Save as…"), ChangedFile::SaveAs),
        (tr("Overwrite"), ChangedFile::Overwrite),
        (tr("Cancel"), ChangedFile::Cancel),
    ];
    let Some(answer) = ask(ctx, "changed file", &heading, words, answers) else {
        return;
    };
    let file = dialogs.changed.take();
    match answer {
        ChangedFile::SaveAs => actions.push(Action::Ask(Purpose::SaveScene)),
        ChangedFile::Overwrite => {
            actions.extend(file.map(|file| Command::ReplaceScene(file).into()));
        }
        ChangedFile::Cancel => dialogs.after_saving = None,
    }
}

/// Draw a modal question; returns the chosen answer. The first answer has the focus, Esc chooses
/// the last.
fn ask<T: Copy, const N: usize>(
    ctx: &Context,
    id: &str,
    heading: &str,
    words: &str,
    answers: [(&str, T); N],
) -> Option<T> {
    // An open menu would receive Esc first.
    Popup::close_all(ctx);
    let mut given = None;
    let modal = Modal::new(Id::new(id)).show(ctx, |ui| {
        ui.set_width(300.0);
        ui.label(RichText::new(heading).heading());
        ui.label(words);
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            for (index, (text, answer)) in answers.into_iter().enumerate() {
                let button = ui.add(Button::new(text));
                if button.clicked() {
                    given = Some(answer);
                }
                if index == 0 && ui.memory(|memory| memory.focused().is_none()) {
                    button.request_focus();
                }
            }
        });
    });
    if modal.should_close() {
        given = given.or(answers.last().map(|(_, answer)| *answer));
    }
    given
}
