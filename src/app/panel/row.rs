//! One line of the panel: words at the left, control at the right, the same help on both.

use egui::{Align, Id, Label, Layout, PointerButton, Response, RichText, Sense, Ui, vec2};

use super::finder::Finder;
use super::signpost;
use crate::app::theme;
use crate::language::{tr, translated};

/// Part of a row that its words take.
const LABEL_PART: f32 = 0.37;

/// Width of the mark of what was changed, for those who see no green.
const MARK: f32 = 11.0;

/// What a row says about its setting.
pub struct Row<'a> {
    /// The words at the left.
    pub label: &'a str,
    /// What it does, its unit, range and default.
    pub help: &'a str,
    /// Whether it differs from what the preset or the file had.
    pub differs: bool,
    /// Why it has no effect now, if it has none.
    pub unused: Option<&'a str>,
    /// More words that it is found by: its key, its choices.
    pub words: &'a [&'a str],
}

impl Row<'_> {
    /// Draws the row. `add` draws the control, which is named by the label with the given id.
    /// Returns whether the label was double-clicked, and what `add` returns; `None` if other settings
    /// are looked for.
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
                    // Room for the mark, whatever the words.
                    ui.set_max_width(width - MARK);
                    ui.spacing_mut().item_spacing.x = 3.0;
                }
                // Not a stop on the way of the Tab key: the control is.
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
        signpost::mark(ui, self.label, inner.response.rect);
        Some(inner.inner)
    }

    /// Gives a control of the row its tooltip.
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

/// Whether a control that senses drags only, such as a slider, was double-clicked.
pub fn double_clicked(response: &Response) -> bool {
    response.enabled()
        && response.contains_pointer()
        && response
            .ctx
            .input(|input| input.pointer.button_double_clicked(PointerButton::Primary))
}
