//! Progress bars of running jobs.

use std::time::Duration;

use egui::{Color32, Frame, Margin, ProgressBar, Stroke, Ui};

use crate::app::commands::Command;
use crate::app::state::Progress;
use crate::app::theme;
use crate::util::language::tr;

/// Running time before a job gets a progress bar; a shorter flash would be of no use.
pub const BAR_FROM: Duration = Duration::from_millis(300);
/// Width reserved for label and button beside a bar, and limits of the bar's width, in points.
const BESIDE: f32 = 260.0;
const LEAST_BAR: f32 = 40.0;
const MOST_BAR: f32 = 200.0;

/// True if the job has been running long enough for a progress bar.
#[must_use]
pub fn has_bar(work: &Progress) -> bool {
    work.elapsed >= BAR_FROM
}

/// Draw a progress bar for each long job, within this width; returns the command of a pressed
/// Cancel button.
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
