//! The setting that the tour speaks of: its row is framed, and scrolled to when a step of the tour begins.
//!
//! Like the [`Finder`](super::finder::Finder) it goes with the panel as a tag on egui's stack of areas, so that
//! sections and rows need not hand it on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use egui::style::ScrollAnimation;
use egui::{Align, Rect, Stroke, StrokeKind, Ui, UiBuilder, UiKind, UiStackInfo};

use crate::app::state::tour::{Place, Tour};
use crate::app::theme;
use crate::language::tr;

/// The tag's name.
const TAG: &str = "signpost";
/// Points between the row and its frame.
const ROOM: f32 = 2.0;

/// Points to a row.
#[derive(Clone)]
struct Signpost(Arc<Sign>);

struct Sign {
    place: Place,
    /// Whether the row is to be seen.
    leads: bool,
    /// Whether the row has come in this frame: others of that name are not meant.
    is_passed: AtomicBool,
    /// Whether all of the row is to be seen by now.
    is_seen: AtomicBool,
}

/// Draws what `add` does, with the row of the tour's step framed. When the step begins, the row's section is
/// unfolded and the row comes into sight.
pub fn scope(ui: &mut Ui, mut tour: Option<&mut Tour>, add: impl FnOnce(&mut Ui)) {
    let sign = tour.as_ref().and_then(|tour| {
        Some(Signpost(Arc::new(Sign {
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
    // With and without: what is in it has the same ids.
    ui.scope_builder(UiBuilder::new().ui_stack_info(info), add);
    if let (Some(tour), Some(sign)) = (&mut tour, sign) {
        tour.leads &= !sign.0.is_seen.load(Ordering::Relaxed);
    }
}

fn of(ui: &Ui) -> Option<Signpost> {
    let tagged = |area: &egui::UiStack| area.tags().get_downcast::<Signpost>(TAG).cloned();
    ui.stack().iter().find_map(tagged)
}

/// Whether a section of that name is to be unfolded now.
pub fn unfolds(ui: &Ui, section: &str) -> bool {
    of(ui).is_some_and(|sign| sign.0.leads && sign.0.place.section == section)
}

/// Frames a row of that name, if it is the one.
pub fn mark(ui: &Ui, label: &str, row: Rect) {
    let Some(Signpost(sign)) = of(ui).filter(|sign| tr(sign.0.place.label) == label) else {
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
        // At once: another frame would ask for the same way again while it is gone.
        ui.scroll_to_rect_animation(frame, Some(Align::Center), ScrollAnimation::none());
    }
}
