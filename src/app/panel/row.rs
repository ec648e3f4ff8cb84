//! Row of the panel: label on the left, control on the right, with the same tooltip on both.

use egui::{Align, Id, Label, Layout, PointerButton, Response, RichText, Sense, Ui, vec2};

use super::finder::Finder;
use super::tour_highlight;
use crate::app::theme;
use crate::util::language::{tr, translated};

/// Fraction of a row's width for its label.
const LABEL_PART: f32 = 0.37;

/// Width of the change mark in points; the mark helps users who do not see green.
const MARK: f32 = 11.0;

/// Setting shown in a row.
pub struct Row<'a> {
    /// Label.
    pub label: &'a str,
    /// Help: effect, unit, range and default.
    pub help: &'a str,
    /// True if the value differs from the preset or file.
    pub differs: bool,
    /// Reason if the setting has no effect now.
    pub unused: Option<&'a str>,
    /// Further search words, such as its key and choices.
    pub words: &'a [&'a str],
}

impl Row<'_> {
    /// Draw the row. `add` draws the control, which is named by the label with the given id.
    /// Returns true if the label was double-clicked, and the result of `add`; `None` if a search
    /// hides the row.
    pub fn show<R>(&self, ui: &mut Ui, add: impl FnOnce(&mut Ui, Id) -> R) -> Option<(bool, R)> {
        if let Some(finder) = Finder::of(ui) {
            let words = [&[self.label, self.help], self.words].concat();
            if !finder.admits(ui, &words, self.differs) {
                return None;
            }
        }
        let inner = ui.horizontal(|ui| {
            let height = ui.spacing().interact_size.y;
            let width = (ui.available_width() * LABEL_PART).floor();
            let layout = Layout::left_to_right(Align::Center);
            let label = ui.allocate_ui_with_layout(vec2(width, height), layout, |ui| {
                ui.set_min_size(vec2(width, height));
                let mut text = RichText::new(self.label);
                if self.unused.is_some() {
                    text = text.weak();
                } else if self.differs {
                    text = text.color(theme::ACCENT);
                }
                let changed = self.differs && self.unused.is_none();
                if changed {
                    // The mark needs space even after a long label.
                    ui.set_max_width(width - MARK);
                    ui.spacing_mut().item_spacing.x = 3.0;
                }
                // Labels are not Tab stops; the controls are.
                let label = ui.add(Label::new(text).truncate().sense(Sense::CLICK));
                if changed {
                    let mark = RichText::new("•").color(theme::ACCENT);
                    ui.add(Label::new(mark).extend())
                        .on_hover_text(tr("Changed. Double-click the name to take it back."));
                }
                label
            });
            let label = self.explain(label.inner);
            let reset = label.double_clicked();
            let enabled = self.unused.is_none();
            let added = ui.add_enabled_ui(enabled, |ui| add(ui, label.id)).inner;
            (reset, added)
        });
        tour_highlight::mark(ui, self.label, inner.response.rect);
        Some(inner.inner)
    }

    /// Attach the tooltip to a control of the row.
    pub fn explain(&self, response: Response) -> Response {
        let unused = self
            .unused
            .map(|reason| tr!("No effect now: {}.", translated(reason)));
        let show = |ui: &mut Ui| {
            ui.strong(self.label);
            ui.label(self.help);
            if let Some(unused) = &unused {
                ui.colored_label(theme::ERROR, unused);
            }
        };
        response.on_hover_ui(show).on_disabled_hover_ui(show)
    }
}

/// True if a control that senses only drags, such as a slider, was double-clicked.
pub fn double_clicked(response: &Response) -> bool {
    response.enabled()
        && response.contains_pointer()
        && response
            .ctx
            .input(|input| input.pointer.button_double_clicked(PointerButton::Primary))
}
