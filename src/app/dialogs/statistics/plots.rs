//! Plots of terrain statistics: height histogram, variogram of second differences, power spectrum,
//! creases, and slope against drainage area.

use egui::{Color32, Stroke, TextStyle, Ui};
use egui_plot::{Bar, BarChart, Corner, HLine, Legend, Line, LineStyle, Plot, PlotPoints, Points};

use crate::app::controls::plot::{Words, still_plot, tick};
use crate::app::theme;
use crate::terrain::measure::{
    Crease, Histogram, Line as Fit, Rivers, SlopeOfArea, Spectrum, Variation,
};
use crate::util::language::tr;
use crate::util::numbers::fixed;

const HEIGHT: f32 = 118.0;
/// Margin for tick labels, in points.
const MARGIN: f32 = 34.0;
const POINT: Color32 = Color32::from_rgb(0xD5, 0xDA, 0xE1);
const THEORY: Color32 = Color32::from_rgb(0xE6, 0xB4, 0x5A);

fn plot<'a>(name: &'static str, steps: [f64; 2], words: [Words; 2]) -> Plot<'a> {
    let plot = still_plot(name, HEIGHT, MARGIN, steps, words);
    plot.set_margin_fraction(egui::vec2(0.03, 0.08))
}

/// Log-log plot: x to base 2, y to base 10.
fn log_log<'a>(name: &'static str, points: &[[f64; 2]], legend: Corner) -> Plot<'a> {
    let span = |axis: usize| {
        let values = points.iter().map(|point| point[axis]);
        values.clone().fold(f64::MIN, f64::max) - values.fold(f64::MAX, f64::min)
    };
    let steps = [(span(0) / 9.0).ceil(), (span(1) / 5.0).ceil()];
    plot(
        name,
        steps.map(|step| step.max(1.0)),
        [power_of_two, power_of_ten],
    )
    .legend(
        Legend::default()
            .position(legend)
            .text_style(TextStyle::Small)
            .background_alpha(0.6)
            .follow_insertion_order(true),
    )
}

/// Round number at or above a fifth of `range`.
fn round_step(range: f64) -> f64 {
    crate::shading::analysis::round_step(range / 5.0)
}

fn power_of_two(power: f64) -> String {
    // The bars leave room to the left of 1.
    match power {
        power if power < 0.0 => String::new(),
        power => format!("{}", power.exp2().round()),
    }
}

/// Label of a power of ten: 0.01, 1, 100; 1e-5 where that is shorter.
fn power_of_ten(power: f64) -> String {
    let power = power.round() as i32;
    match power {
        -2..=3 => format!("{}", 10f64.powi(power)),
        power => format!("1e{power}"),
    }
}

/// Draw the height histogram.
pub fn histogram_ui(ui: &mut Ui, histogram: &Histogram) {
    // A flat map has a single bar; it gets a visible width.
    let width = match histogram.bin_width() {
        width if width > 0.0 => width,
        _ => 0.01,
    };
    let bar = |(bin, count): (usize, &u64)| {
        Bar::new(histogram.centre(bin), *count as f64)
            .width(width * 0.92)
            .fill(theme::ACCENT.gamma_multiply(0.85))
            .stroke(Stroke::NONE)
    };
    let bars = histogram.counts.iter().enumerate().map(bar).collect();
    let formatter =
        |bar: &Bar, _: &BarChart| tr!("{} samples\nat {}", bar.value, fixed(bar.argument, 3));
    let range = (width * histogram.counts.len() as f64).max(1e-6);
    plot("histogram", [round_step(range), 1.0], [tick, tick])
        .show_axes([true, false])
        .include_y(0.0)
        .show_grid([true, false])
        .show(ui, |plot| {
            plot.bar_chart(
                BarChart::new("samples", bars)
                    .color(theme::ACCENT)
                    .element_formatter(Box::new(formatter)),
            );
        });
}

/// Draw slope against drainage area, with the fitted line whose slope is −θ.
pub fn rivers_ui(ui: &mut Ui, rivers: &Rivers) {
    let point = |class: &SlopeOfArea| [class.area.log2(), class.slope.log10()];
    let points: Vec<_> = rivers.classes.iter().map(point).collect();
    let ends = [rivers.classes.first(), rivers.classes.last()];
    let ends = ends.into_iter().flatten().map(|class| class.area);
    let line = rivers.line.map(|fit| (fit, line_of(fit, ends)));
    log_log("slope against area", &points, Corner::RightTop)
        .label_formatter(|_, at| {
            let (area, slope) = (at.x.exp2(), 10f64.powf(at.y));
            tr!(
                "{area} samples drain\nslope {slope}",
                area = format_args!("{area:.0}"),
                slope = fixed(slope, 3)
            )
        })
        .show(ui, |plot| {
            if let Some((fit, line)) = line {
                plot.line(
                    Line::new(format!("θ = {}", fixed(-fit.slope, 2)), line)
                        .color(theme::ACCENT)
                        .width(1.5),
                );
            }
            plot.points(dots(points));
        });
}

/// Draw the mean squares of the second differences against their lag, with the fitted line whose
/// slope is 2H.
pub fn variations_ui(ui: &mut Ui, variations: &[Variation], fit: Fit) {
    let point = |v: &Variation| [(v.lag as f64).log2(), v.mean_square.log10()];
    let points: Vec<_> = variations.iter().map(point).collect();
    let ends = [variations.first(), variations.last()];
    let ends = ends.into_iter().flatten().map(|v| v.lag as f64);
    let line = line_of(fit, ends);
    log_log("variations", &points, Corner::LeftTop)
        .label_formatter(|_, at| {
            let (lag, mean_square) = (at.x.exp2(), 10f64.powf(at.y));
            tr!(
                "lag {lag}\nmean square {mean_square}",
                lag = format_args!("{lag:.0}"),
                mean_square = format_args!("{mean_square:.2e}")
            )
        })
        .show(ui, |plot| {
            plot.line(
                Line::new(format!("H = {}", fixed(fit.slope / 2.0, 2)), line)
                    .color(theme::ACCENT)
                    .width(1.5),
            );
            plot.points(dots(points));
        });
}

/// Draw power against frequency, with the fitted line and the theoretical one.
pub fn spectrum_ui(ui: &mut Ui, spectrum: &Spectrum, theory: Option<f64>) {
    let Some(fit) = spectrum.line else {
        return;
    };
    // A logarithmic axis cannot show zero power.
    let rings = spectrum.rings.iter().filter(|ring| ring.power > 0.0);
    let points: Vec<[f64; 2]> = rings
        .map(|ring| [ring.frequency.log2(), ring.power.log10()])
        .collect();
    let whole = [spectrum.rings.first(), spectrum.rings.last()];
    let whole: Vec<f64> = whole.into_iter().flatten().map(|r| r.frequency).collect();
    log_log("spectrum", &points, Corner::LeftBottom)
        .label_formatter(|_, at| {
            let (frequency, power) = (at.x.exp2(), 10f64.powf(at.y));
            tr!(
                "{frequency} waves a side\npower {power}",
                frequency = format_args!("{frequency:.1}"),
                power = format_args!("{power:.2e}")
            )
        })
        .show(ui, |plot| {
            if let Some(slope) = theory {
                let line = line_of(fit.with_slope(slope), whole);
                plot.line(
                    Line::new(tr!("theory {slope}", slope = fixed(slope, 2)), line)
                        .color(THEORY)
                        .style(LineStyle::dashed_loose())
                        .width(1.0),
                );
            }
            let (low, high) = spectrum.fitted;
            plot.line(
                Line::new(
                    tr!("slope {}", fixed(fit.slope, 2)),
                    line_of(fit, [low, high]),
                )
                .color(theme::ACCENT)
                .width(1.5),
            );
            plot.points(dots(points));
        });
}

/// Draw the crease ratio of each level of grid lines.
pub fn creases_ui(ui: &mut Ui, crease: &Crease) {
    let bar = |(index, level): (usize, &crate::terrain::measure::CreaseLevel)| {
        Bar::new(index as f64, level.ratio)
            .name(tr!("{} at every {}", fixed(level.ratio, 2), level.spacing))
            .width(0.6)
            .fill(theme::ACCENT.gamma_multiply(0.85))
            .stroke(Stroke::NONE)
    };
    let bars = crease.levels.iter().enumerate().map(bar).collect();
    let highest = crease.levels.iter().map(|level| level.ratio);
    let highest = highest.fold(1.0, f64::max);
    let steps = [1.0, round_step(highest * 1.5)];
    plot("creases", steps, [power_of_two, tick])
        .height(HEIGHT * 0.75)
        .include_y(0.0)
        .show_grid([false, true])
        .show(ui, |plot| {
            plot.bar_chart(
                BarChart::new("bend", bars)
                    .color(theme::ACCENT)
                    .element_formatter(Box::new(|bar: &Bar, _: &BarChart| bar.name.clone())),
            );
            plot.hline(
                HLine::new(tr("no creases"), 1.0)
                    .color(THEORY)
                    .style(LineStyle::dashed_loose())
                    .width(1.0),
            );
        });
}

fn dots<'a>(points: Vec<[f64; 2]>) -> Points<'a> {
    Points::new(tr("measured"), points).color(POINT).radius(2.0)
}

/// Line fitted in natural logarithms, converted to the axes of a log-log plot.
fn line_of<'a>(fit: Fit, at: impl IntoIterator<Item = f64>) -> PlotPoints<'a> {
    let point = |x: f64| [x.log2(), fit.at(x.ln()) / std::f64::consts::LN_10];
    at.into_iter().map(point).collect::<Vec<_>>().into()
}
