//! The status line at the bottom of the window.

use egui::{Align, Context, Frame, Label, Layout, Margin, RichText, TopBottomPanel};

use crate::app::controls::figures::short_time;
use crate::app::state::{Derived, MeasuredHurst, Reduction};

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
        MeasuredHurst::Estimated(hurst) => format!("measured {hurst:.2}"),
        MeasuredHurst::Undefined => "nothing to measure".to_owned(),
        MeasuredHurst::Pending => "measured …".to_owned(),
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
        Some(Reduction { coarser, scale }) if coarser > 1.0 || scale < 1.0 => {
            format!(", {:.1}× coarser", coarser / scale)
        }
        Some(_) => ", not antialiased".to_owned(),
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
