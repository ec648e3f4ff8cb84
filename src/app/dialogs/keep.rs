//! Dialog for the name and the tags of a user preset.

use egui::{Button, Context, Grid, Key, TextEdit, Ui};

use super::{middle, sheet};
use crate::app::commands::{Action, Own};
use crate::app::controls::focus::select_all;
use crate::app::own_preset::objection;
use crate::app::state::Derived;
use crate::app::state::browser::{Browser, Keeping};
use crate::util::language::{mark, tr};

/// Title of the dialog.
pub const TITLE: &str = mark("Preset of your own");

/// Width of the text boxes, in points.
const WIDTH: f32 = 260.0;

/// Draw the dialog if a preset is being saved.
pub fn keep_ui(ctx: &Context, browser: &mut Browser, derived: &Derived, actions: &mut Vec<Action>) {
    let Some(mut keeping) = browser.keeping.take() else {
        return;
    };
    let mut open = true;
    sheet(TITLE, &mut open, middle(derived))
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
        let edit = ui.add(edit.desired_width(WIDTH)).labelled_by(label);
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
        (None, true) => ui.weak(tr("It takes the place of the one with that name.")),
        (None, false) => ui.weak(tr(
            "A scene file in the settings folder; tags have commas between them.",
        )),
    };
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let words = if replaces { tr("Replace") } else { tr("Keep") };
        let button = ui.add_enabled(objection.is_none(), Button::new(words));
        if button.clicked() || (entered && objection.is_none()) {
            actions.push(Action::Own(Own::Keep));
        }
        if ui.button(tr("Cancel")).clicked() {
            actions.push(Action::Own(Own::KeepNot));
        }
    });
}
