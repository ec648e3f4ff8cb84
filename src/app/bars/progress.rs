//! The bars of work under way.

use std::time::Duration;

use egui::{Color32, Frame, Margin, ProgressBar, Stroke, Ui};

use crate::app::commands::Command;
use crate::app::state::Progress;
use crate::app::theme;
use crate::language::tr;

/// Work shorter than this shows no bar: a flash tells nobody anything.
pub const BAR_FROM: Duration = Duration::from_millis(300);
/// Room that words and button need beside a bar, and the width of a bar, in points.
const BESIDE: f32 = 260.0;
const LEAST_BAR: f32 = 40.0;
const MOST_BAR: f32 = 200.0;

/// Whether work has a bar.
#[must_use]
pub fn has_bar(work: &Progress) -> bool {
    work.elapsed >= BAR_FROM
}

/// Draws a bar for each piece of work that takes long, within that width; returns a cancel that was
/// asked for.
pub fn progress_ui(ui: &mut Ui, progress: &[Progress], width: f32) -> Option<Command> {
    let mut command = None;
    for work in progress.iter().filter(|work| has_bar(work)) {
        command = bar_ui(ui, work, width).or(command);
    }
    command
}

fn bar_ui(ui: &mut Ui, work: &Progress, room: f32) -> Option<Command> {
    let frame = Frame::new()
        .fill(Color32::from_rgba_unmultiplied(18, 21, 26, 230))
        .stroke(Stroke::new(1.0, theme::ACCENT.gamma_multiply(0.5)))
        .corner_radius(6)
        .inner_margin(Margin::symmetric(10, 6));
    let cancelled = frame.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.label(&work.what);
            let width = (room - BESIDE).clamp(LEAST_BAR, MOST_BAR);
            let bar = ProgressBar::new(work.done)
                .desired_width(width)
                .desired_height(12.0);
            ui.add(bar.fill(theme::ACCENT.gamma_multiply(0.8)));
            ui.button(tr("Cancel")).clicked()
        })
        .inner
    });
    cancelled.inner.then(|| work.cancel.clone())
}
