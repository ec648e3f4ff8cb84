//! The bars of work under way.

use std::time::Duration;

use egui::{
    Align2, Area, Color32, Context, Frame, Id, Margin, Order, ProgressBar, Rangef, Rect, Stroke,
    Ui, pos2, vec2,
};

use crate::app::commands::Command;
use crate::app::state::Progress;
use crate::app::theme;
use crate::language::tr;

/// Work shorter than this shows no bar: a flash tells nobody anything.
pub const BAR_FROM: Duration = Duration::from_millis(300);
/// Room that a bar needs, in points, with the words and the button beside it.
const BAR_WIDTH: f32 = 320.0;
const BAR_HEIGHT: f32 = 60.0;
/// Where bars are drawn.
const PROGRESS: &str = "progress";

/// Draws a bar for each piece of work that takes long; returns a cancel that was asked for.
pub fn progress_ui(ctx: &Context, progress: &[Progress], scene: Rect) -> Option<Command> {
    let long = progress.iter().filter(|work| work.elapsed >= BAR_FROM);
    let long: Vec<_> = long.collect();
    if long.is_empty() {
        return None;
    }
    let mut command = None;
    let free = free_top(ctx, scene);
    // Without room beside the windows it lies at the lower end.
    let (pivot, place, room) = if free.span() >= BAR_WIDTH {
        let middle = pos2(free.center(), scene.top() + 10.0);
        (Align2::CENTER_TOP, middle, free.span())
    } else {
        let middle = scene.center_bottom() - vec2(0.0, 10.0);
        (Align2::CENTER_BOTTOM, middle, scene.width())
    };
    Area::new(Id::new(PROGRESS))
        .pivot(pivot)
        .fixed_pos(place)
        .constrain_to(scene)
        .show(ctx, |ui| {
            for work in long {
                command = bar_ui(ui, work, room).or(command.take());
            }
        });
    command
}

/// The widest part of the scene's upper end that no window covers: a bar must hide no title.
fn free_top(ctx: &Context, scene: Rect) -> Rangef {
    let mut covered: Vec<Rangef> = ctx.memory(|memory| {
        let windows = memory.areas().visible_layer_ids().into_iter();
        let windows = windows.filter(|layer| layer.order == Order::Middle);
        let windows = windows.filter(|layer| layer.id != Id::new(PROGRESS));
        let rects = windows.filter_map(|layer| memory.area_rect(layer.id));
        let above = rects.filter(|rect| rect.top() < scene.top() + BAR_HEIGHT);
        above.map(|rect| rect.x_range()).collect()
    });
    covered.sort_by(|a, b| a.min.total_cmp(&b.min));
    let (mut left, mut widest) = (scene.left(), Rangef::new(0.0, 0.0));
    let end = Rangef::new(scene.right(), scene.right());
    for range in covered.into_iter().chain([end]) {
        if range.min - left > widest.span() {
            widest = Rangef::new(left, range.min);
        }
        left = left.max(range.max);
    }
    widest
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
            let width = (room - 260.0).clamp(40.0, 200.0);
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
