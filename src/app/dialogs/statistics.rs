//! Window "Statistics": terrain measures of the landscape on screen, as figures and plots. The
//! worker computes them, only while the window is open.

use egui::{Align2, Color32, Context, Grid, Label, RichText, Stroke, TextStyle, Ui, vec2};
use egui_plot::{Bar, BarChart, Corner, HLine, Legend, Line, LineStyle, Plot, PlotPoints, Points};

use super::{GAP, has_room, room_in};
use crate::app::controls::number::shown_length;
use crate::app::controls::{TickFormat, still_plot, tick};
use crate::app::floating::window;
use crate::app::state::{Derived, Measured};
use crate::app::theme;
use crate::plants::{LayerCount, PlantCount};
use crate::scene::{PlantKind, PlantLayer, Scene};
use crate::shading::snow::SnowAmount;
use crate::terrain::measure::{
    Crease, Histogram, Landform, Line as Fit, REFERENCES, Rivers, SHARES, SlopeOfArea,
    SlopesAtScale, Spectrum, Variation, spectral_slope,
};
use crate::util::language::{mark, tr};
use crate::util::numbers::{fixed, metres_per_unit};

/// Title of the window.
pub const TITLE: &str = mark("Statistics");
/// Width of the window's contents, in points.
const WIDTH: f32 = 300.0;
/// Height of all contents, in points.
const CONTENTS: f32 = 1500.0;

/// Draw the window. Closing it clears `open`.
pub fn statistics_ui(ctx: &Context, open: &mut bool, derived: &Derived, scene: &Scene) {
    let rect = derived.scene_rect;
    if !*open || !has_room(rect) {
        return;
    }
    let width = WIDTH.min(rect.width() - 2.0 * GAP - 16.0);
    let height = room_in(rect);
    window(ctx, TITLE, Align2::LEFT_TOP, rect, &[])
        .open(open)
        .default_size(vec2(width, height.min(CONTENTS)))
        .max_width(width)
        .min_width(width)
        .min_height(40.0)
        .max_height(height)
        .vscroll(true)
        .show(ctx, |ui| {
            ui.set_width(width - 8.0);
            match &derived.measured {
                Some(measured) => contents_ui(ui, measured, derived, scene),
                None => {
                    ui.weak(tr("measuring …"));
                }
            }
        });
}

fn contents_ui(ui: &mut Ui, measured: &Measured, derived: &Derived, scene: &Scene) {
    table_ui(ui, measured, derived, scene);
    let tile_size_m = scene.surface.tile_size_m;
    let statistics = &measured.statistics;
    heading(
        ui,
        tr("Heights"),
        tr("Histogram of the heights in metres, in 64 bins from the lowest to the highest."),
    );
    histogram_ui(ui, &statistics.histogram, metres_per_unit(tile_size_m));
    if let Some(line) = crate::terrain::measure::variation_line(&statistics.variations) {
        heading(
            ui,
            tr("Roughness at each distance"),
            tr(
                "Mean square of the second differences between samples at a distance, the lag. \
                 The slope of the line is 2H.",
            ),
        );
        variations_ui(ui, &statistics.variations, line);
    }
    if statistics.spectrum.line.is_some() {
        heading(
            ui,
            tr("Power spectrum"),
            tr(
                "Mean power of the waves against their number along a side. The fit leaves out \
                 the very long and the very short ones; in theory the slope is −(2H + 2) for a \
                 surface and −(2H + 1) for a ridge.",
            ),
        );
        spectrum_ui(ui, &statistics.spectrum, theory(measured));
    }
    if let Some(crease) = &statistics.crease {
        heading(
            ui,
            tr("Creases"),
            tr(
                "Mean square bend across grid lines whose index is a multiple of 1, 2, 4 …, \
                 divided by that of the fine lines: 1 means that the lattice does not show.",
            ),
        );
        creases_ui(ui, crease);
    }
    if !statistics.slopes.is_empty() {
        heading(
            ui,
            tr("Slopes at each distance"),
            tr(
                "The slope that a half, three quarters and so on of the land do not exceed, between samples \
                 at a distance; below that, real land to compare with.",
            ),
        );
        slopes_ui(ui, &statistics.slopes, tile_size_m);
    }
    if let Some(landforms) = &statistics.landforms {
        heading(
            ui,
            tr("Landforms"),
            tr(
                "Shares of the land by what rises and falls around it, up to 15 samples away \
                 (geomorphons, Jasiewicz and Stepinski 2013), and those of real land.",
            ),
        );
        landforms_ui(ui, landforms);
    }
    let rivers = statistics.rivers.as_ref();
    if let Some(rivers) = rivers.filter(|rivers| rivers.line.is_some()) {
        heading(
            ui,
            tr("Slope against area"),
            tr(
                "Mean slope of all samples that drain about the same area. The line falls by θ: 0.35 to \
                 0.6 where rivers have made the land, about 0.1 on a fractal.",
            ),
        );
        rivers_ui(ui, rivers);
    }
    if measured.outdated {
        ui.weak(tr("measuring …"));
    }
}

fn heading(ui: &mut Ui, text: &str, help: &str) {
    ui.add_space(6.0);
    ui.label(RichText::new(text).strong().color(theme::ACCENT))
        .on_hover_text(help);
}

/// True for a one-dimensional profile, whose spectral slope depends on H differently from a
/// surface's.
fn is_profile(measured: &Measured) -> bool {
    measured.statistics.measures.height == 1
}

/// Spectral slope expected for the requested Hurst exponent.
fn theory(measured: &Measured) -> Option<f64> {
    let hurst = f64::from(measured.requested_hurst?);
    Some(spectral_slope(hurst, is_profile(measured)))
}

fn table_ui(ui: &mut Ui, measured: &Measured, derived: &Derived, scene: &Scene) {
    let tile_size_m = scene.surface.tile_size_m;
    let label_width = (ui.available_width() * 0.46).floor();
    Grid::new("figures")
        .num_columns(2)
        .min_col_width(label_width)
        .max_col_width(ui.available_width() - label_width - 10.0)
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            let snow = derived.snow.as_ref();
            let snow = snow.map(|snow| snow_figures(snow, tile_size_m));
            let plants = derived.plants.as_ref();
            let plants = plants.map(|plants| plant_figures(plants, &scene.plants));
            let figures = figures(measured, tile_size_m).into_iter();
            let figures = figures.chain(snow.into_iter().flatten());
            for (label, value, help) in figures.chain(plants.into_iter().flatten()) {
                ui.add(Label::new(label).truncate()).on_hover_text(help);
                let value = RichText::new(value).color(ui.visuals().strong_text_color());
                ui.add(Label::new(value).truncate()).on_hover_text(help);
                ui.end_row();
            }
        });
}

/// Rows of the table; undefined values are shown as a dash.
fn figures(measured: &Measured, tile_size_m: f32) -> Vec<(&'static str, String, &'static str)> {
    let statistics = &measured.statistics;
    let measures = &statistics.measures;
    let known = |value: Option<f64>| value.map_or("–".to_owned(), |v| fixed(v, 2));
    let asked = |words: &str, value: Option<f64>| {
        value.map_or(String::new(), |v| format!(" ({words} {})", fixed(v, 2)))
    };
    let in_metres = |half_tiles: f64| shown_length(half_tiles * metres_per_unit(tile_size_m));
    let [lowest, highest] = [measures.min, measures.max].map(|height| in_metres(height.into()));
    let requested = measured.requested_hurst.map(f64::from);
    let slope = statistics.spectrum.line.map(|line| line.slope);
    let stride = match measured.stride {
        1 => String::new(),
        stride => tr!(", one in {stride}", stride),
    };
    let (wrap, note) = (measures.wrap_error, measures.dimension_note());
    let rivers = statistics.rivers.as_ref();
    let no_data = (measures.no_data > 0).then(|| {
        let share = measures.no_data as f64 / (measures.width * measures.height) as f64;
        (
            tr("Without data"),
            format!("{} ({} %)", measures.no_data, fixed(share * 100.0, 2)),
            tr(
                "Samples without data, filled from their neighbours. Heights and slopes are \
                 measured without them; H, the spectrum and rivers include them.",
            ),
        )
    });
    let size = (
        tr("Samples"),
        format!("{} × {}{stride}", measures.width, measures.height),
        tr("Columns and rows measured."),
    );
    let figures = vec![
        (
            tr("Lowest, highest"),
            format!("{lowest}, {highest}"),
            tr("Heights of the lowest and the highest sample."),
        ),
        (
            tr("Mean ± deviation"),
            format!("{} ± {}", in_metres(measures.mean), in_metres(measures.std)),
            tr("Mean height and standard deviation."),
        ),
        (
            tr("Slope"),
            format!(
                "{} ({}°)",
                fixed(measures.rms_slope, 3),
                fixed(measures.rms_slope.atan().to_degrees(), 1)
            ),
            tr("Root mean square of height over distance between neighbouring samples."),
        ),
        (
            "H",
            known(measures.hurst) + &asked(tr("set"), requested),
            tr(
                "Hurst exponent as set, and as estimated from the map itself, which layers, modifiers and rock have changed.",
            ),
        ),
        (
            tr("Fractal dimension"),
            known(measures.fractal_dimension) + note.map_or("", |_| tr(" (H is above 1)")),
            note.unwrap_or(tr("3 − H of a surface, 2 − H of a ridge.")),
        ),
        (
            tr("Spectral slope"),
            known(slope) + &asked(tr("theory"), theory(measured)),
            tr("Slope of the power spectrum, and the slope expected from the H that is set."),
        ),
        (
            tr("H of the spectrum"),
            known(statistics.spectrum.hurst(is_profile(measured))),
            tr("H from the spectral slope; a less exact estimate than the one above."),
        ),
        (
            tr("Creases"),
            known(statistics.crease.as_ref().map(|crease| crease.ratio)),
            tr(
                "Mean square bend across every eighth grid line, divided by that across the \
                 others: 1 means no creases; above 1 the lattice of the subdivision shows.",
            ),
        ),
        (
            tr("Wrap error"),
            tr!(
                "{}, slope {}",
                in_metres(wrap.height.into()),
                fixed(wrap.slope, 3)
            ),
            tr("Largest mismatch of height and of slope across opposite edges."),
        ),
        (
            tr("Drainage density"),
            rivers.map_or("–".to_owned(), |rivers| {
                let kilometre = 1000.0 / metres_per_unit(tile_size_m);
                tr!("{} per km", fixed(rivers.density * kilometre, 2))
            }),
            tr(
                "Total length of all channels divided by the area of the land. A channel drains a \
                 thousandth of the map or more.",
            ),
        ),
        (
            tr("Longest river"),
            rivers.map_or("–".to_owned(), |rivers| in_metres(rivers.longest)),
            tr("From its spring to the sea or the border."),
        ),
        (
            tr("Lakes, pits"),
            rivers.map_or("–".to_owned(), |rivers| {
                format!("{} %, {}", fixed(rivers.lakes * 100.0, 1), rivers.pits)
            }),
            tr(
                "Share of the land that lies under lakes if every hollow is full, and how many hollows \
                 there are.",
            ),
        ),
        (
            tr("Concavity θ"),
            known(rivers.and_then(Rivers::concavity)),
            tr(
                "How quickly the slope of rivers decreases with their drainage area: slope ∝ \
                area^−θ.",
            ),
        ),
        (
            tr("Hypsometric integral"),
            known(rivers.and_then(|rivers| rivers.hypsometric_integral)),
            tr(
                "Mean height on a scale from 0 (lowest) to 1 (highest): about 0.6 for young land, \
                 below 0.35 for old.",
            ),
        ),
    ];
    [size].into_iter().chain(no_data).chain(figures).collect()
}

/// Rows of the table about the snow.
fn snow_figures(snow: &SnowAmount, tile_size_m: f32) -> [(&'static str, String, &'static str); 3] {
    let in_metres = |half_tiles: f64| shown_length(half_tiles * metres_per_unit(tile_size_m));
    let [mean, greatest] = [snow.mean_depth, snow.greatest_depth].map(in_metres);
    [
        (
            tr("Under snow"),
            format!("{} %", fixed(snow.covered * 100.0, 1)),
            tr("Share of the map whose ground is hidden by snow."),
        ),
        (
            tr("Snow depth"),
            tr!("{mean}, at most {greatest}", mean, greatest),
            tr("Mean depth of the snow where it hides the ground, and the greatest depth."),
        ),
        (
            tr("Snow per area"),
            in_metres(snow.per_area),
            tr("Volume of all snow divided by the area of the map."),
        ),
    ]
}

/// Rows of the table about the plants of `layers`.
fn plant_figures<'a>(
    plants: &PlantCount,
    layers: &'a [PlantLayer],
) -> Vec<(&'a str, String, &'static str)> {
    let amount = |count: u64| {
        let per_hectare = fixed(count as f64 / plants.hectares, 1);
        tr!("{count}, {per_hectare} per hectare", count, per_hectare)
    };
    let all = (
        tr("Plants"),
        amount(plants.all()),
        tr("Number of all plants and stones."),
    );
    let forest = (
        tr("Forest"),
        format!("{} %", fixed(plants.forest * 100.0, 1)),
        tr(
            "Share of the map that is forest: squares of half a hectare of which crowns of trees cover more than \
             a tenth.",
        ),
    );
    let of_layer = |layer: &LayerCount| {
        // The count may be older than the scene.
        let same = layers.get(layer.layer).filter(|now| now.kind == layer.kind);
        let name = same.map_or("", |now| &now.name);
        (
            if name.is_empty() {
                tr(layer.kind.name())
            } else {
                name
            },
            amount(layer.count),
            tr(PlantKind::HELPS[layer.kind as usize]),
        )
    };
    let layers = plants.layers.iter().map(of_layer);
    [all, forest].into_iter().chain(layers).collect()
}

const PLOT_HEIGHT: f32 = 118.0;
/// Margin for tick labels, in points.
const MARGIN: f32 = 34.0;
const POINT: Color32 = Color32::from_rgb(0xD5, 0xDA, 0xE1);
const THEORY: Color32 = Color32::from_rgb(0xE6, 0xB4, 0x5A);

fn plot<'a>(name: &'static str, steps: [f64; 2], words: [TickFormat; 2]) -> Plot<'a> {
    let plot = still_plot(name, PLOT_HEIGHT, MARGIN, steps, words);
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
/// Draw the histogram of heights; `metres` are those of a half tile.
fn histogram_ui(ui: &mut Ui, histogram: &Histogram, metres: f64) {
    // A flat map has a single bar; it gets a visible width.
    let width = match histogram.bin_width() * metres {
        width if width > 0.0 => width,
        _ => 0.01 * metres,
    };
    let bars = histogram.counts.iter().enumerate();
    let bars =
        bars.map(|(bin, count)| bar(histogram.centre(bin) * metres, *count as f64, width * 0.92));
    let bars = BarChart::new("samples", bars.collect()).color(theme::ACCENT);
    let formatter =
        |bar: &Bar, _: &BarChart| tr!("{} samples\nat {}", bar.value, shown_length(bar.argument));
    let range = (width * histogram.counts.len() as f64).max(1e-6);
    plot("histogram", [round_step(range), 1.0], [tick, tick])
        .show_axes([true, false])
        .include_y(0.0)
        .show_grid([true, false])
        .show(ui, |plot| {
            plot.bar_chart(bars.element_formatter(Box::new(formatter)))
        });
}

fn bar(at: f64, height: f64, width: f64) -> Bar {
    let bar = Bar::new(at, height).width(width);
    bar.fill(theme::ACCENT.gamma_multiply(0.85))
        .stroke(Stroke::NONE)
}

/// Draw a table: its first row names the columns, and the first cell of each row is a name.
fn grid_ui(ui: &mut Ui, name: &str, rows: impl Iterator<Item = Vec<String>>) {
    Grid::new(name).spacing([10.0, 2.0]).show(ui, |ui| {
        for (index, row) in rows.enumerate() {
            for (column, cell) in row.into_iter().enumerate() {
                let is_name = index == 0 || column == 0;
                let text = RichText::new(cell).small();
                let text = if is_name {
                    text.weak()
                } else {
                    text.color(ui.visuals().strong_text_color())
                };
                ui.label(text);
            }
            ui.end_row();
        }
    });
}

/// Table of the slopes at each distance, with those of real land.
fn slopes_ui(ui: &mut Ui, slopes: &[SlopesAtScale], tile_size_m: f32) {
    let row = |name: String, slopes: &[f64; 4]| {
        let slopes = slopes.iter().map(|slope| format!("{}°", fixed(*slope, 1)));
        std::iter::once(name).chain(slopes).collect()
    };
    let shares = SHARES.iter().map(|share| format!("{} %", share * 100.0));
    let head = std::iter::once(String::new()).chain(shares).collect();
    let own = slopes.iter().map(|at| {
        let metres = at.spacing * metres_per_unit(tile_size_m);
        row(shown_length(metres), &at.slopes)
    });
    let places = REFERENCES.iter().map(|place| {
        let name = format!("{}, {}", tr(place.name), shown_length(place.spacing_m));
        row(name, &place.slopes)
    });
    grid_ui(ui, "slopes", std::iter::once(head).chain(own).chain(places));
}

/// Table of the shares of landforms, with those of real land.
fn landforms_ui(ui: &mut Ui, landforms: &[f64; 10]) {
    let places = REFERENCES.iter().map(|place| tr(place.name).to_owned());
    let head = [String::new(), tr("here").to_owned()];
    let head = head.into_iter().chain(places).collect();
    let rows = Landform::ALL.iter().enumerate().map(|(index, (_, name))| {
        let shares = REFERENCES.iter().map(|place| place.landforms[index]);
        let shares = std::iter::once(landforms[index]).chain(shares);
        let shares = shares.map(|share| format!("{} %", fixed(share * 100.0, 1)));
        std::iter::once(tr(name).to_owned()).chain(shares).collect()
    });
    grid_ui(ui, "landforms", std::iter::once(head).chain(rows));
}

/// Draw slope against drainage area, with the fitted line whose slope is −θ.
fn rivers_ui(ui: &mut Ui, rivers: &Rivers) {
    let point = |class: &SlopeOfArea| [class.area.log2(), class.slope.log10()];
    let points: Vec<_> = rivers.classes.iter().map(point).collect();
    let ends = [rivers.classes.first(), rivers.classes.last()];
    let ends = ends.into_iter().flatten().map(|class| class.area);
    let line = rivers.line.map(|fit| {
        let name = format!("θ = {}", fixed(-fit.slope, 2));
        fitted(name, line_of(fit, ends))
    });
    let plot = log_log("slope against area", &points, Corner::RightTop);
    let plot = plot.label_formatter(|_, at| {
        let (area, slope) = (at.x.exp2(), 10f64.powf(at.y));
        tr!(
            "{area} samples drain\nslope {slope}",
            area = format_args!("{area:.0}"),
            slope = fixed(slope, 3)
        )
    });
    show(ui, plot, line, points);
}

/// Draw the mean squares of the second differences against their lag, with the fitted line whose
/// slope is 2H.
fn variations_ui(ui: &mut Ui, variations: &[Variation], fit: Fit) {
    let point = |v: &Variation| [(v.lag as f64).log2(), v.mean_square.log10()];
    let points: Vec<_> = variations.iter().map(point).collect();
    let ends = [variations.first(), variations.last()];
    let ends = ends.into_iter().flatten().map(|v| v.lag as f64);
    let name = format!("H = {}", fixed(fit.slope / 2.0, 2));
    let plot = log_log("variations", &points, Corner::LeftTop);
    let plot = plot.label_formatter(|_, at| {
        let (lag, mean_square) = (at.x.exp2(), 10f64.powf(at.y));
        tr!(
            "lag {lag}\nmean square {mean_square}",
            lag = format_args!("{lag:.0}"),
            mean_square = format_args!("{mean_square:.2e}")
        )
    });
    show(ui, plot, [fitted(name, line_of(fit, ends))], points);
}

/// Draw power against frequency, with the fitted line and the theoretical one.
fn spectrum_ui(ui: &mut Ui, spectrum: &Spectrum, theory: Option<f64>) {
    let Some(fit) = spectrum.line else {
        return;
    };
    // A logarithmic axis cannot show zero power.
    let rings = spectrum.rings.iter().filter(|ring| ring.power > 0.0);
    let points: Vec<[f64; 2]> = rings
        .map(|ring| [ring.frequency.log2(), ring.power.log10()])
        .collect();
    let whole = [spectrum.rings.first(), spectrum.rings.last()];
    let whole = whole.into_iter().flatten().map(|r| r.frequency);
    let theory = theory.map(|slope| {
        let name = tr!("theory {slope}", slope = fixed(slope, 2));
        Line::new(name, line_of(fit.with_slope(slope), whole))
            .color(THEORY)
            .style(LineStyle::dashed_loose())
            .width(1.0)
    });
    let (low, high) = spectrum.fitted;
    let name = tr!("slope {}", fixed(fit.slope, 2));
    let line = fitted(name, line_of(fit, [low, high]));
    let plot = log_log("spectrum", &points, Corner::LeftBottom);
    let plot = plot.label_formatter(|_, at| {
        let (frequency, power) = (at.x.exp2(), 10f64.powf(at.y));
        tr!(
            "{frequency} waves a side\npower {power}",
            frequency = format_args!("{frequency:.1}"),
            power = format_args!("{power:.2e}")
        )
    });
    show(ui, plot, theory.into_iter().chain([line]), points);
}

fn fitted(name: String, line: PlotPoints<'_>) -> Line<'_> {
    Line::new(name, line).color(theme::ACCENT).width(1.5)
}

/// Draw a plot of lines and of measured points.
fn show<'a>(
    ui: &mut Ui,
    plot: Plot<'a>,
    lines: impl IntoIterator<Item = Line<'a>>,
    points: Vec<[f64; 2]>,
) {
    plot.show(ui, |plot| {
        lines.into_iter().for_each(|line| plot.line(line));
        let points = Points::new(tr("measured"), points);
        plot.points(points.color(POINT).radius(2.0));
    });
}

/// Draw the crease ratio of each level of grid lines.
fn creases_ui(ui: &mut Ui, crease: &Crease) {
    let bars = crease.levels.iter().enumerate().map(|(index, level)| {
        let name = tr!("{} at every {}", fixed(level.ratio, 2), level.spacing);
        bar(index as f64, level.ratio, 0.6).name(name)
    });
    let bars = BarChart::new("bend", bars.collect()).color(theme::ACCENT);
    let bars = bars.element_formatter(Box::new(|bar: &Bar, _: &BarChart| bar.name.clone()));
    let highest = crease.levels.iter().map(|level| level.ratio);
    let highest = highest.fold(1.0, f64::max);
    let steps = [1.0, round_step(highest * 1.5)];
    plot("creases", steps, [power_of_two, tick])
        .height(PLOT_HEIGHT * 0.75)
        .include_y(0.0)
        .show_grid([false, true])
        .show(ui, |plot| {
            plot.bar_chart(bars);
            plot.hline(
                HLine::new(tr("no creases"), 1.0)
                    .color(THEORY)
                    .style(LineStyle::dashed_loose())
                    .width(1.0),
            );
        });
}

/// Line fitted in natural logarithms, converted to the axes of a log-log plot.
fn line_of<'a>(fit: Fit, at: impl IntoIterator<Item = f64>) -> PlotPoints<'a> {
    let point = |x: f64| [x.log2(), fit.at(x.ln()) / std::f64::consts::LN_10];
    at.into_iter().map(point).collect::<Vec<_>>().into()
}
