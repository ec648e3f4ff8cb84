//! Window "Statistics": terrain measures of the landscape on screen, as figures and plots. The
//! worker computes them, only while the window is open.

use egui::{Align2, Context, Grid, Label, RichText, Ui, vec2};

use super::{GAP, has_room, room_in};
use crate::app::controls::figures::shown_length;
use crate::app::floating::window;
use crate::app::state::{Derived, Measured};
use crate::app::theme;
use crate::terrain::measure::{Rivers, spectral_slope};
use crate::util::language::{mark, tr};
use crate::util::numbers::{fixed, metres_per_unit};

mod plots;

/// Title of the window.
pub const TITLE: &str = mark("Statistics");
/// Width of the window's contents, in points.
const WIDTH: f32 = 300.0;
/// Height of all contents, in points.
const CONTENTS: f32 = 1010.0;

/// Draw the window. `tile_size_m` is the side of a tile in metres; closing the window clears
/// `open`.
pub fn statistics_ui(ctx: &Context, open: &mut bool, derived: &Derived, tile_size_m: f32) {
    let scene = derived.scene_rect;
    if !*open || !has_room(scene) {
        return;
    }
    let width = WIDTH.min(scene.width() - 2.0 * GAP - 16.0);
    let height = room_in(scene);
    window(ctx, TITLE, Align2::LEFT_TOP, scene, &[])
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
                Some(measured) => contents_ui(ui, measured, tile_size_m),
                None => {
                    ui.weak(tr("measuring …"));
                }
            }
        });
}

fn contents_ui(ui: &mut Ui, measured: &Measured, tile_size_m: f32) {
    table_ui(ui, measured, tile_size_m);
    let statistics = &measured.statistics;
    heading(
        ui,
        tr("Heights"),
        tr("How many samples have which height, in 64 bins from the lowest to the highest."),
    );
    plots::histogram_ui(ui, &statistics.histogram);
    if let Some(line) = crate::terrain::measure::variation_line(&statistics.variations) {
        heading(
            ui,
            tr("Roughness at each distance"),
            tr(
                "Mean square of the second differences between samples at a distance, the lag. \
                 The slope of the line is 2H.",
            ),
        );
        plots::variations_ui(ui, &statistics.variations, line);
    }
    if statistics.spectrum.line.is_some() {
        heading(
            ui,
            tr("Power spectrum"),
            tr(
                "Mean power of the waves by their number along a side. The fit leaves out the very \
                 long and the very short ones; theory is −(2H + 2) for a surface, −(2H + 1) for a \
                 ridge.",
            ),
        );
        plots::spectrum_ui(ui, &statistics.spectrum, theory(measured));
    }
    if let Some(crease) = &statistics.crease {
        heading(
            ui,
            tr("Creases"),
            tr(
                "Mean square bend across grid lines whose index is a multiple of 1, 2, 4 …, over \
                 that of the fine lines: 1 where the lattice does not show.",
            ),
        );
        plots::creases_ui(ui, crease);
    }
    if let Some(rivers) = statistics
        .rivers
        .as_ref()
        .filter(|rivers| rivers.line.is_some())
    {
        heading(
            ui,
            tr("Slope against area"),
            tr(
                "Mean slope of all samples that drain about the same area. The line falls by θ: 0.35 to \
                 0.6 where rivers have made the land, about 0.1 on a fractal.",
            ),
        );
        plots::rivers_ui(ui, rivers);
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

fn table_ui(ui: &mut Ui, measured: &Measured, tile_size_m: f32) {
    let label_width = (ui.available_width() * 0.46).floor();
    Grid::new("figures")
        .num_columns(2)
        .min_col_width(label_width)
        .max_col_width(ui.available_width() - label_width - 10.0)
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            for Figure { label, value, help } in figures(measured, tile_size_m) {
                ui.add(Label::new(label).truncate()).on_hover_text(help);
                let value = RichText::new(value).color(ui.visuals().strong_text_color());
                ui.add(Label::new(value).truncate()).on_hover_text(help);
                ui.end_row();
            }
        });
}

struct Figure {
    label: &'static str,
    value: String,
    help: &'static str,
}

/// Rows of the table; undefined values are shown as a dash.
fn figures(measured: &Measured, tile_size_m: f32) -> Vec<Figure> {
    let statistics = &measured.statistics;
    let measures = &statistics.measures;
    let known = |value: Option<f64>| value.map_or("–".to_owned(), |v| fixed(v, 2));
    let asked = |words: &str, value: Option<f64>| {
        value.map_or(String::new(), |v| format!(" ({words} {})", fixed(v, 2)))
    };
    let in_metres = |half_tiles: f64| shown_length(half_tiles * metres_per_unit(tile_size_m));
    let requested = measured.requested_hurst.map(f64::from);
    let slope = statistics.spectrum.line.map(|line| line.slope);
    let stride = match measured.stride {
        1 => String::new(),
        stride => tr!(", one in {stride}", stride),
    };
    let wrap = measures.wrap_error;
    let rivers = statistics.rivers.as_ref();
    let figure = |label, value, help| Figure { label, value, help };
    let no_data = (measures.no_data > 0).then(|| {
        let share = measures.no_data as f64 / (measures.width * measures.height) as f64;
        figure(
            tr("Without data"),
            format!("{} ({} %)", measures.no_data, fixed(share * 100.0, 2)),
            tr(
                "Samples that were filled from their neighbours. Heights and slopes are those of the \
                 others; H, the spectrum and rivers see them as ground.",
            ),
        )
    });
    let size = figure(
        tr("Samples"),
        format!("{} × {}{stride}", measures.width, measures.height),
        tr("Columns and rows measured."),
    );
    let figures = vec![
        figure(
            tr("Lowest, highest"),
            format!("{}, {}", fixed(measures.min, 3), fixed(measures.max, 3)),
            tr("In half tiles."),
        ),
        figure(
            tr("Lowest, highest in m"),
            format!(
                "{}, {}",
                in_metres(measures.min.into()),
                in_metres(measures.max.into())
            ),
            tr("The same by the tile size."),
        ),
        figure(
            tr("Mean ± deviation"),
            format!("{} ± {}", fixed(measures.mean, 3), fixed(measures.std, 3)),
            tr("Mean height and standard deviation, in half tiles."),
        ),
        figure(
            tr("Mean ± deviation in m"),
            format!("{} ± {}", in_metres(measures.mean), in_metres(measures.std)),
            tr("The same by the tile size."),
        ),
        figure(
            tr("Slope"),
            fixed(measures.rms_slope, 3),
            tr("Root mean square of height over distance between neighbouring samples."),
        ),
        figure(
            "H",
            known(measures.hurst) + &asked(tr("set"), requested),
            tr("Hurst exponent as estimated from the heights, and as set."),
        ),
        figure(
            tr("Fractal dimension"),
            known(measures.fractal_dimension)
                + measures
                    .dimension_note()
                    .map_or("", |_| tr(" (H is above 1)")),
            measures
                .dimension_note()
                .unwrap_or(tr("3 − H of a surface, 2 − H of a ridge.")),
        ),
        figure(
            tr("Spectral slope"),
            known(slope) + &asked(tr("theory"), theory(measured)),
            tr("Slope of the power spectrum, and the one that H as set should have."),
        ),
        figure(
            tr("H of the spectrum"),
            known(statistics.spectrum.hurst(is_profile(measured))),
            tr("H read from the spectral slope; rougher than the one above."),
        ),
        figure(
            tr("Creases"),
            known(statistics.crease.as_ref().map(|crease| crease.ratio)),
            tr(
                "Mean square bend across every eighth grid line over that across the others: 1 is \
                 none, more shows the lattice of the subdivision.",
            ),
        ),
        figure(
            tr("Wrap error"),
            tr!("{}, slope {}", fixed(wrap.height, 3), fixed(wrap.slope, 3)),
            tr("Largest mismatch of height and of slope across opposite edges."),
        ),
        figure(
            tr("Drainage density"),
            known(rivers.map(|rivers| rivers.density)),
            tr(
                "Length of all channels over the area of the land, per half tile. A channel drains a \
                 thousandth of the map or more.",
            ),
        ),
        figure(
            tr("Longest river"),
            known(rivers.map(|rivers| rivers.longest)),
            tr("From its spring to the sea or the border, in half tiles."),
        ),
        figure(
            tr("Longest river in m"),
            rivers.map_or("–".to_owned(), |rivers| in_metres(rivers.longest)),
            tr("The same by the tile size."),
        ),
        figure(
            tr("Lakes, pits"),
            rivers.map_or("–".to_owned(), |rivers| {
                format!("{} %, {}", fixed(rivers.lakes * 100.0, 1), rivers.pits)
            }),
            tr(
                "Share of the land that lies under lakes if every hollow is full, and how many hollows \
                 there are.",
            ),
        ),
        figure(
            tr("Concavity θ"),
            known(rivers.and_then(Rivers::concavity)),
            tr("How fast slope falls with the area that drains: slope ∝ area^−θ."),
        ),
        figure(
            tr("Hypsometric integral"),
            known(rivers.and_then(|rivers| rivers.hypsometric_integral)),
            tr(
                "Mean height from 0 at the lowest to 1 at the highest: about 0.6 of young land, below \
                 0.35 of old.",
            ),
        ),
    ];
    [size].into_iter().chain(no_data).chain(figures).collect()
}
