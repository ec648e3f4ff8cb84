//! Search box of the panel.

use egui::{Align, Button, Key, Layout, RichText, TextEdit, Ui};

use crate::app::controls::focus::select_all;
use crate::app::state::filter::Filter;
use crate::util::language::tr;

/// Draw the search box and the button that filters for changed settings.
pub fn search_ui(ui: &mut Ui, filter: &mut Filter) {
    ui.horizontal(|ui| {
        let label = ui.label(tr("Find")).id;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let changed = ui.add(Button::new(tr("• Changed")).selected(filter.only_changed));
            let help = tr("Show only the settings that differ from the preset or the file.");
            if changed.on_hover_text(help).clicked() {
                filter.only_changed ^= true;
            }
            if filter.is_on() {
                let all = ui.add(Button::new("🗙"));
                if all.on_hover_text(tr("Show all settings (Esc).")).clicked() {
                    filter.clear();
                }
            }
            // A fixed id keeps the focus when buttons appear beside the box.
            let id = label.with("find");
            if std::mem::take(&mut filter.asks) {
                ui.memory_mut(|memory| memory.request_focus(id));
                select_all(ui.ctx(), id);
            }
            let edit = TextEdit::singleline(&mut filter.query)
                .id(id)
                .hint_text(tr("a setting…"))
                .desired_width(ui.available_width() - 8.0);
            let edit = ui.add(edit).labelled_by(label);
            // A drag elsewhere also ends typing, not only a click.
            if ui.input(|input| input.pointer.any_pressed()) && !edit.contains_pointer() {
                edit.surrender_focus();
            }
            if edit.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
                filter.clear();
            }
            edit.on_hover_text(tr(
                "Words in the name, the key, the help or the choices of settings, or in the title \
                 of their section (Ctrl F). Esc shows all settings again.",
            ));
        });
    });
    ui.add_space(2.0);
}

/// Draw a message that nothing was found.
pub fn nothing_ui(ui: &mut Ui, filter: &mut Filter) {
    let query = filter.query.trim();
    let words = match (query.is_empty(), filter.only_changed) {
        (true, _) => tr("Nothing differs from the preset or the file.").to_owned(),
        (false, false) => tr!("No setting here has to do with “{query}”.", query),
        (false, true) => {
            tr!(
                "No setting that has to do with “{query}” differs from the preset or the file.",
                query
            )
        }
    };
    ui.add_space(8.0);
    ui.label(RichText::new(words).weak());
    ui.add_space(4.0);
    if ui.button(tr("Show all settings")).clicked() {
        filter.clear();
    }
}
