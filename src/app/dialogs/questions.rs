//! Questions to the user: unsaved changes, a file changed by another program, and the name and tags
//! of a user preset.

use egui::{Button, Context, Event, Grid, Id, Key, Modal, Popup, RichText, TextEdit, Ui};

use super::{middle, sheet};
use crate::app::commands::{Action, Answer, Command, Own, Purpose};
use crate::app::controls::select_all;
use crate::app::own_preset::objection;
use crate::app::state::browser::{Browser, Keeping};
use crate::app::state::{Derived, Dialogs, UiState};
use crate::util::language::{mark, tr};
use crate::util::words;

/// Draw the question about unsaved changes while an action waits for its answer.
pub fn unsaved_ui(ctx: &Context, state: &UiState, actions: &mut Vec<Action>) {
    let Some(waiting) = &state.transient.dialogs.unsaved else {
        return;
    };
    let name = state.persisted.document.name();
    let heading = tr!("Save the changes to “{name}”?", name);
    let words = match **waiting {
        Action::Window(Command::Quit) => tr("Otherwise they are lost."),
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

/// Draw the question about a changed file while it is waiting to be written.
pub fn changed_ui(ctx: &Context, dialogs: &mut Dialogs, actions: &mut Vec<Action>) {
    let Some(file) = &dialogs.changed else {
        return;
    };
    let name = file.file_name().unwrap_or(file.as_os_str());
    let name = words::window(&name.to_string_lossy());
    let heading = tr!("“{name}” has changed on the disk", name);
    let words = tr(
        "The file has changed since it was opened or saved here. Overwriting loses what it \
            contains now.",
    );
    // The focused first answer loses no data.
    let overwrite = Action::Window(Command::ReplaceScene(file.clone()));
    let answers = [
        (tr("Save as…"), Some(Action::Ask(Purpose::SaveScene))),
        (tr("Overwrite"), Some(overwrite)),
        (tr("Cancel"), None),
    ];
    let Some(action) = ask(ctx, "changed file", &heading, words, answers) else {
        return;
    };
    dialogs.changed = None;
    if action.is_none() {
        dialogs.after_saving = None;
    }
    actions.extend(action);
}

/// True if a control of a modal dialog has the focus, and not one behind it.
#[must_use]
pub fn has_focus(ctx: &Context) -> bool {
    let (focused, modal) = ctx.memory(|memory| (memory.focused(), memory.top_modal_layer()));
    let response = focused.and_then(|id| ctx.read_response(id));
    response.is_some_and(|response| Some(response.layer_id) == modal)
}

/// True if a question must react to the key before it handles the next one: the key moves the focus
/// or answers.
#[must_use]
pub fn acts_first(event: &Event) -> bool {
    let keys = [
        Key::Tab,
        Key::Enter,
        Key::Space,
        Key::Escape,
        Key::ArrowUp,
        Key::ArrowDown,
        Key::ArrowLeft,
        Key::ArrowRight,
    ];
    matches!(event, Event::Key { key, pressed: true, .. } if keys.contains(key))
}

/// Draw a modal question; returns the chosen answer. The first answer has the focus, Esc chooses
/// the last.
fn ask<T: Clone, const N: usize>(
    ctx: &Context,
    id: &str,
    heading: &str,
    words: &str,
    answers: [(&str, T); N],
) -> Option<T> {
    // An open menu would receive Esc first.
    Popup::close_all(ctx);
    let mut given = None;
    let last = answers.last().map(|(_, answer)| answer.clone());
    let modal = Modal::new(Id::new(id)).show(ctx, |ui| {
        ui.set_width(300.0);
        ui.label(RichText::new(heading).heading());
        ui.label(words);
        ui.add_space(8.0);
        ui.horizontal(|ui| {
            for (index, (text, answer)) in answers.into_iter().enumerate() {
                let button = ui.button(text);
                if button.clicked() {
                    given = Some(answer);
                }
                if index == 0 && ui.memory(|memory| memory.focused().is_none()) {
                    button.request_focus();
                }
            }
        });
    });
    given.or(last.filter(|_| modal.should_close()))
}

/// Title of the dialog.
pub const KEEP_TITLE: &str = mark("Preset of your own");

/// Width of the text boxes, in points.
const KEEP_WIDTH: f32 = 260.0;

/// Draw the dialog if a preset is being saved.
pub fn keep_ui(ctx: &Context, browser: &mut Browser, derived: &Derived, actions: &mut Vec<Action>) {
    let Some(mut keeping) = browser.keeping.take() else {
        return;
    };
    let mut open = true;
    sheet(KEEP_TITLE, &mut open, middle(derived))
        .show(ctx, |ui| contents_ui(ui, &mut keeping, browser, actions));
    if open {
        browser.keeping = Some(keeping);
    }
}

fn contents_ui(ui: &mut Ui, keeping: &mut Keeping, browser: &Browser, actions: &mut Vec<Action>) {
    let mut entered = false;
    let mut typed = |ui: &mut Ui, words: &str, text: &mut String, hint: &str, asks: bool| {
        let label = ui.label(words).id;
        let edit = TextEdit::singleline(text).hint_text(hint);
        let edit = ui.add(edit.desired_width(KEEP_WIDTH)).labelled_by(label);
        if asks {
            edit.request_focus();
            select_all(ui.ctx(), edit.id);
        }
        entered |= edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        ui.end_row();
    };
    Grid::new("preset of one's own")
        .num_columns(2)
        .show(ui, |ui| {
            let asks = std::mem::take(&mut keeping.asks);
            typed(ui, tr("Name"), &mut keeping.name, "", asks);
            let hint = tr("snow, evening");
            typed(ui, tr("Tags"), &mut keeping.tags, hint, false);
        });
    let objection = objection(&keeping.name);
    let replaces = keeping.replaces(&browser.own);
    match (objection, replaces) {
        (Some(words), _) => ui.weak(words),
        (None, true) => ui.weak(tr("It replaces the preset with that name.")),
        (None, false) => ui.weak(tr(
            "Saved as a scene file in the settings folder; separate tags with commas.",
        )),
    };
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let words = if replaces {
            tr("Replace")
        } else {
            tr("Save preset")
        };
        let button = ui.add_enabled(objection.is_none(), Button::new(words));
        if button.clicked() || (entered && objection.is_none()) {
            actions.push(Action::Own(Own::Keep));
        }
        if ui.button(tr("Cancel")).clicked() {
            actions.push(Action::Own(Own::KeepNot));
        }
    });
}
