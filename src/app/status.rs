//! The status line, and the bars of work under way.

use std::time::Duration;

use egui::{
    Align, Align2, Area, Color32, Context, Frame, Id, Label, Layout, Margin, Order, ProgressBar,
    Rangef, Rect, RichText, Stroke, TopBottomPanel, Ui, pos2, vec2,
};

use crate::app::commands::Command;
use crate::app::state::{Derived, Progress};
use crate::app::theme;

/// Work shorter than this shows no bar: a flash tells nobody anything.
pub const BAR_FROM: Duration = Duration::from_millis(300);
/// Room that a bar needs, in points, with the words and the button beside it.
const BAR_WIDTH: f32 = 320.0;
const BAR_HEIGHT: f32 = 60.0;
/// Where bars are drawn.
const PROGRESS: &str = "progress";

/// Draws the line at the bottom of the window.
pub fn status_ui(ctx: &Context, derived: &Derived) {
    TopBottomPanel::bottom("status")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(8, 3)))
        .show(ctx, |ui| {
            ui.style_mut().override_text_style = Some(egui::TextStyle::Small);
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                for (index, (text, help)) in parts(derived).into_iter().enumerate() {
                    if index > 0 {
                        ui.add_space(4.0);
                        ui.label(RichText::new("·").weak());
                        ui.add_space(4.0);
                    }
                    ui.add(Label::new(text).truncate()).on_hover_text(help);
                }
            });
        });
}

/// Fewer samples a side have no two lags to estimate H from.
const SMALLEST_MEASURED: usize = 33;

/// What the line says, each part with its tooltip.
fn parts(derived: &Derived) -> Vec<(String, &'static str)> {
    let Some(shown) = &derived.shown else {
        return vec![("making the landscape…".to_owned(), "No landscape yet.")];
    };
    let samples = shown.rows as u64 * shown.columns as u64;
    let whole = |count: usize| (count - 1) * shown.stride + 1;
    let note = match (shown.coarse, shown.stride) {
        (true, _) => " (coarse, the full one is under way)".to_owned(),
        (false, 1) => String::new(),
        (false, stride) => format!(", one in {stride} shown"),
    };
    let measured = match derived.measured_hurst {
        _ if shown.columns < SMALLEST_MEASURED => "too small to measure".to_owned(),
        Some(Some(hurst)) => format!("measured {hurst:.2}"),
        Some(None) => "nothing to measure".to_owned(),
        None => "measured …".to_owned(),
    };
    let requested = shown
        .requested_hurst
        .map_or("–".to_owned(), |h| format!("{h:.2}"));
    vec![
        (
            format!(
                "{} × {} samples{note}",
                whole(shown.columns),
                whole(shown.rows)
            ),
            "Columns and rows of the height map. Of a very large one the window shows every \
             second, fourth … sample; files have them all.",
        ),
        (
            format!("H {requested}, {measured}"),
            "Hurst exponent as set, and as estimated from the map itself.",
        ),
        (
            format!("made in {}", short_time(shown.made_in)),
            "Time it took to make the landscape.",
        ),
        (
            format!("{} in memory", bytes(samples * 4)),
            "Memory that the heights shown take up.",
        ),
        (
            format!(
                "drawn in {}{}",
                short_time(derived.draw_time),
                reduction(derived)
            ),
            "Time it took to draw the last picture of the landscape. While something moves, it \
             may be drawn coarser to stay smooth (menu View, Automatic detail).",
        ),
    ]
}

/// How much coarser than the scene says the picture is.
fn reduction(derived: &Derived) -> String {
    match derived.reduced {
        None => String::new(),
        Some((coarser, scale)) if coarser > 1.0 || scale < 1.0 => {
            format!(", {:.1}× coarser", coarser / scale)
        }
        Some(_) => ", not antialiased".to_owned(),
    }
}

/// A duration in two or three digits.
pub fn short_time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}

fn bytes(bytes: u64) -> String {
    let kb = bytes as f64 / 1000.0;
    match kb {
        kb if kb < 1.0 => format!("{bytes} bytes"),
        kb if kb < 1000.0 => format!("{kb:.0} kB"),
        kb if kb < 100_000.0 => format!("{:.1} MB", kb / 1000.0),
        kb => format!("{:.0} MB", kb / 1000.0),
    }
}

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
    let (pivot, place, room) = match free.span() >= BAR_WIDTH {
        true => {
            let middle = pos2(free.center(), scene.top() + 10.0);
            (Align2::CENTER_TOP, middle, free.span())
        }
        false => {
            let middle = scene.center_bottom() - vec2(0.0, 10.0);
            (Align2::CENTER_BOTTOM, middle, scene.width())
        }
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
            ui.button("Cancel").clicked()
        })
        .inner
    });
    cancelled.inner.then_some(match work.landscape {
        true => Command::CancelLandscape,
        false => Command::CancelFile,
    })
}
