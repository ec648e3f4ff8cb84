//! Tour highlight: a frame around the setting of the present tour step, with scrolling to it when
//! the step begins.
//!
//! Like [`Finder`](super::finder::Finder), it is a tag on egui's stack of areas, so that sections
//! and rows need not pass it on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::style::ScrollAnimation;
use egui::{Align, Rect, Stroke, StrokeKind, Ui, UiBuilder, UiKind, UiStackInfo};

use crate::app::state::tour::{Place, Tour};
use crate::app::theme;
use crate::util::language::tr;

/// Name of the tag.
const TAG: &str = "signpost";
/// Gap between the row and its frame, in points.
const ROOM: f32 = 2.0;

/// Tag that identifies the highlighted row.
#[derive(Clone)]
struct TourHighlight(Arc<Sign>);

struct Sign {
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
pub fn scope(ui: &mut Ui, mut tour: Option<&mut Tour>, add: impl FnOnce(&mut Ui)) {
    let sign = tour.as_ref().and_then(|tour| {
        Some(TourHighlight(Arc::new(Sign {
            place: tour.place()?,
            leads: tour.leads,
            is_passed: AtomicBool::new(false),
            is_seen: AtomicBool::new(false),
        })))
    });
    let mut info = UiStackInfo::new(UiKind::GenericArea);
    if let Some(sign) = &sign {
        info = info.with_tag_value(TAG, sign.clone());
    }
    // The scope exists with and without a tour, so that widget ids inside do not change.
    ui.scope_builder(UiBuilder::new().ui_stack_info(info), add);
    if let (Some(tour), Some(sign)) = (&mut tour, sign) {
        tour.leads &= !sign.0.is_seen.load(Ordering::Relaxed);
    }
}

fn of(ui: &Ui) -> Option<TourHighlight> {
    let tagged = |area: &egui::UiStack| area.tags().get_downcast::<TourHighlight>(TAG).cloned();
    ui.stack().iter().find_map(tagged)
}

/// True if the section with this name must be unfolded now.
pub fn unfolds(ui: &Ui, section: &str) -> bool {
    of(ui).is_some_and(|sign| sign.0.leads && sign.0.place.section == section)
}

/// Draw the frame around a row, if it is the highlighted one.
pub fn mark(ui: &Ui, label: &str, row: Rect) {
    let Some(TourHighlight(sign)) = of(ui).filter(|sign| tr(sign.0.place.label) == label) else {
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
