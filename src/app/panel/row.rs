//! Row of the panel: label on the left, control on the right, with the same tooltip on both. The
//! row of the present tour step has a frame around it, and is scrolled into view when the step
//! begins.
//!
//! Like [`Finder`], the tour highlight is a tag on egui's stack of areas, so that sections and rows
//! need not pass it on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::style::ScrollAnimation;
use egui::{
    Align, Id, InputState, Label, Layout, PointerButton, Rect, Response, RichText, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, UiKind, UiStackInfo, vec2,
};

use super::finder::Finder;
use super::simple::{self, Level};
use crate::app::state::tour::{Place, Tour};
use crate::app::theme;
use crate::util::language::{tr, translated};

/// Fraction of a row's width for its label.
const LABEL_PART: f32 = 0.37;

/// Width of the change mark in points; the mark helps users who do not see green.
const MARK: f32 = 11.0;

/// Setting shown in a row.
#[derive(Default)]
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
    /// Importance of the setting.
    pub level: Level,
}

impl Row<'_> {
    /// Draw the row. `add` draws the control, which is named by the label with the given id.
    /// Returns true if the label was double-clicked, and the result of `add`; `None` if a search
    /// or the simple mode hides the row.
    pub fn show<R>(&self, ui: &mut Ui, add: impl FnOnce(&mut Ui, Id) -> R) -> Option<(bool, R)> {
        if simple::leaves_out(ui, self.label, self.level, self.unused.is_some()) {
            return None;
        }
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
                let is_advanced = self.level == Level::Used && !changed && simple::is_on(ui);
                if changed || is_advanced {
                    // The mark needs space even after a long label.
                    ui.set_max_width(width - MARK);
                    ui.spacing_mut().item_spacing.x = 3.0;
                }
                // Labels are not Tab stops; the controls are.
                let label = ui.add(Label::new(text).truncate().sense(Sense::CLICK));
                if changed {
                    let mark = RichText::new("•").color(theme::ACCENT);
                    ui.add(Label::new(mark).extend())
                        .on_hover_text(tr("Changed. Double-click the name to reset it."));
                }
                if is_advanced {
                    ui.add(Label::new(RichText::new("•").weak()).extend())
                        .on_hover_text(tr("An advanced setting that this scene uses."));
                }
                label
            });
            let label = self.explain(label.inner);
            let reset = label.double_clicked();
            let enabled = self.unused.is_none();
            let added = ui.add_enabled_ui(enabled, |ui| add(ui, label.id)).inner;
            (reset, added)
        });
        mark_tour(ui, self.label, inner.response.rect);
        Some(inner.inner)
    }

    /// Attach the tooltip to a control of the row.
    pub fn explain(&self, response: Response) -> Response {
        let unused = self.unused;
        let unused = unused.map(|reason| tr!("No effect now: {}.", translated(reason)));
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
    let is_clicked =
        |input: &InputState| input.pointer.button_double_clicked(PointerButton::Primary);
    response.enabled() && response.contains_pointer() && response.ctx.input(is_clicked)
}

/// Name of the tag.
const TOUR_TAG: &str = "signpost";
/// Gap between the row and its frame, in points.
const ROOM: f32 = 2.0;

/// Tag that identifies the highlighted row.
struct TourHighlight {
    place: Place,
    /// True until the row has been scrolled into view.
    leads: bool,
    /// True once the row was found in this frame; later rows of the same name are ignored.
    is_passed: AtomicBool,
    /// True once the whole row is visible.
    is_seen: AtomicBool,
}

/// Draw the content of `add` with the row of the tour step framed. When the step begins, the row's
/// section is unfolded and the row is scrolled into view.
pub fn tour_scope(ui: &mut Ui, mut tour: Option<&mut Tour>, add: impl FnOnce(&mut Ui)) {
    let sign = tour.as_ref().and_then(|tour| {
        Some(Arc::new(TourHighlight {
            place: tour.place()?,
            leads: tour.leads,
            is_passed: AtomicBool::new(false),
            is_seen: AtomicBool::new(false),
        }))
    });
    let mut info = UiStackInfo::new(UiKind::GenericArea);
    if let Some(sign) = &sign {
        info = info.with_tag_value(TOUR_TAG, sign.clone());
    }
    // The scope exists with and without a tour, so that widget ids inside do not change.
    ui.scope_builder(UiBuilder::new().ui_stack_info(info), add);
    if let (Some(tour), Some(sign)) = (&mut tour, sign) {
        tour.leads &= !sign.is_seen.load(Ordering::Relaxed);
    }
}

fn tour_of(ui: &Ui) -> Option<Arc<TourHighlight>> {
    let mut tags = ui.stack().iter().map(|area| area.tags());
    tags.find_map(|tags| tags.get_downcast(TOUR_TAG).cloned())
}

/// True if the section with this name must be unfolded now.
pub fn tour_unfolds(ui: &Ui, section: &str) -> bool {
    tour_of(ui).is_some_and(|sign| sign.leads && sign.place.section == section)
}

/// Draw the frame around a row, if it is the highlighted one.
fn mark_tour(ui: &Ui, label: &str, row: Rect) {
    let Some(sign) = tour_of(ui).filter(|sign| tr(sign.place.label) == label) else {
        return;
    };
    if sign.is_passed.swap(true, Ordering::Relaxed) {
        return;
    }
    let frame = row.expand(ROOM);
    let stroke = Stroke::new(1.0, theme::ACCENT);
    ui.painter()
        .rect_stroke(frame, 3, stroke, StrokeKind::Outside);
    if ui.clip_rect().contains_rect(row) {
        sign.is_seen.store(true, Ordering::Relaxed);
    } else if sign.leads {
        // Without an animation, since the next frame would request the scroll again before it has
        // finished.
        ui.scroll_to_rect_animation(frame, Some(Align::Center), ScrollAnimation::none());
    }
}
