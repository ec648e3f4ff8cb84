//! Status line at the bottom of the window.

use egui::{Align, Context, Frame, Label, Layout, Margin, RichText, TextStyle, TopBottomPanel, Ui};

use super::spot;
use crate::app::controls::figures::{short_time, shown_length};
use crate::app::state::{Derived, MeasuredHurst, Reduction, UiState};
use crate::app::steer;
use crate::camera::width_seen;
use crate::pipeline::least_cell;
use crate::util::language::tr;
use crate::util::numbers::{fixed, metres_per_unit};

/// Draw the status line.
pub fn status_ui(ctx: &Context, state: &UiState) {
    TopBottomPanel::bottom("status")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(8, 3)))
        .show(ctx, |ui| {
            ui.style_mut().override_text_style = Some(egui::TextStyle::Small);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                pointed_ui(ui, state);
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    for (index, (text, help)) in parts(state).into_iter().enumerate() {
                        if index > 0 {
                            ui.add_space(4.0);
                            ui.label(RichText::new("·").weak());
                            ui.add_space(4.0);
                        }
                        ui.add(Label::new(text).truncate()).on_hover_text(help);
                    }
                });
            });
        });
}

/// Maximum fraction of the status line used for the point under the mouse.
const POINTED_PART: f32 = 0.6;

/// Draw the read-out of the point under the mouse, as many parts as fit.
fn pointed_ui(ui: &mut Ui, state: &UiState) {
    let derived = &state.derived;
    let Some((spot, shown)) = derived.pointed.as_ref().zip(derived.shown.as_ref()) else {
        return;
    };
    let mut words = spot::words(spot, shown, state.persisted.scene.surface.tile_size_m);
    let room = ui.available_width() * POINTED_PART;
    let font = TextStyle::Small.resolve(ui.style());
    while !words.is_empty() {
        let color = ui.visuals().strong_text_color();
        let galley = ui
            .painter()
            .layout_no_wrap(words.join(" · "), font.clone(), color);
        if galley.size().x <= room {
            ui.add(Label::new(galley).extend());
            ui.add_space(12.0);
            return;
        }
        words.pop();
    }
}

/// Minimum number of samples a side to estimate the Hurst exponent H: smaller maps lack the two
/// lags needed.
const SMALLEST_MEASURED: usize = 33;

/// Texts of the status line, each with its tooltip.
fn parts(state: &UiState) -> Vec<(String, &'static str)> {
    let derived = &state.derived;
    let Some(shown) = &derived.shown else {
        return vec![(
            tr("making the landscape…").to_owned(),
            tr("No landscape yet."),
        )];
    };
    let samples = shown.rows as u64 * shown.columns as u64;
    let whole = |count: usize| (count - 1) * shown.stride + 1;
    let note = match (shown.coarse, shown.stride) {
        (true, _) => tr(" (coarse, the full one is under way)").to_owned(),
        (false, 1) => String::new(),
        (false, stride) => tr!(", one in {stride} shown", stride),
    };
    let measured = match derived.measured_hurst {
        _ if shown.columns < SMALLEST_MEASURED => tr("too small to measure").to_owned(),
        MeasuredHurst::Estimated(hurst) => {
            tr!("measured {hurst}", hurst = fixed(hurst, 2))
        }
        MeasuredHurst::Undefined => tr("nothing to measure").to_owned(),
        MeasuredHurst::Pending => tr("measured …").to_owned(),
    };
    let requested = shown
        .requested_hurst
        .map_or("–".to_owned(), |h| format!("{h:.2}"));
    let tile_size_m = state.persisted.scene.surface.tile_size_m;
    let cells = whole(shown.columns.max(shown.rows)).max(2) - 1;
    let across = across(state).map(|half_tiles| {
        let metres = half_tiles * metres_per_unit(tile_size_m);
        (
            tr!("{} across", shown_length(metres)),
            tr("How wide the view is at the ground in the middle of the picture."),
        )
    });
    let mut parts: Vec<_> = across.into_iter().collect();
    parts.extend([
        (
            tr!(
                "{} × {} samples{note}",
                whole(shown.columns),
                whole(shown.rows),
                note
            ),
            tr(
                "Columns and rows of the height map. Of a very large one the window shows every \
                 second, fourth … sample; files have them all.",
            ),
        ),
        match levels_seen(state) {
            None => (
                tr!(
                    "{} a sample",
                    shown_length(f64::from(tile_size_m) / cells as f64)
                ),
                tr("Distance from one sample of the height map to the next."),
            ),
            Some(levels) => {
                let side = f64::from(tile_size_m) / cells as f64 / f64::from(levels).exp2();
                (
                    tr!(
                        "level {} + {levels}, {} a sample",
                        cells.next_power_of_two().ilog2(),
                        shown_length(side),
                        levels
                    ),
                    tr(
                        "Iterations of the map, and levels that the picture shows below them where \
                         the camera is nearest; distance from one sample to the next there.",
                    ),
                )
            }
        },
        (
            format!("H {requested}, {measured}"),
            tr("Hurst exponent as set, and as estimated from the map itself."),
        ),
        (
            tr!("made in {}", short_time(shown.made_in)),
            tr("Time it took to make the landscape."),
        ),
        match derived.memory {
            Some(all) => (
                tr!("{} of {} in memory", bytes(samples * 4), bytes(all)),
                tr("Memory that the heights shown take up, of all that the program does."),
            ),
            None => (
                tr!("{} in memory", bytes(samples * 4)),
                tr("Memory that the heights shown take up."),
            ),
        },
        (
            tr!(
                "drawn in {}{}",
                short_time(derived.draw_time),
                reduction(derived)
            ),
            tr(
                "Time it took to draw the last picture of the landscape. While something moves, it \
                 may be drawn coarser to stay smooth (menu View, Automatic detail).",
            ),
        ),
    ]);
    if state.persisted.picture_rate {
        let count = derived.pictures_shown;
        parts.insert(
            0,
            (
                tr!("{count} pictures/s", count),
                tr("Pictures of the landscape that were shown in the last second. At rest none is drawn."),
            ),
        );
    }
    parts
}

/// Width of the view in half tiles, measured at the ground in the centre of the image; `None` if
/// there is no ground, or no camera.
fn across(state: &UiState) -> Option<f64> {
    let scene = &state.persisted.scene;
    if scene.is_flat() || !scene.render_type().shows_ground() {
        return None;
    }
    let aspect = state.derived.scene_rect.aspect_ratio();
    width_seen(&steer::drawn(state).camera, &steer::ground(state)?, aspect)
}

/// Number of detail levels beyond the map's own that are displayed; `None` if there are none.
fn levels_seen(state: &UiState) -> Option<u32> {
    let camera = steer::drawn(state).camera;
    let derived = &state.derived;
    let rows = (derived.scene_rect.height() * derived.pixels_per_point).max(1.0);
    let pixel = 2.0 * (camera.fov.to_radians() * 0.5).tan() / rows;
    let cell = least_cell(&state.persisted.scene, pixel.into())?;
    let depth = steer::ground(state)?.depth(&camera, cell)?;
    let stride = derived.shown.as_ref()?.stride;
    let levels = (depth.levels[1] + 1 - depth.levels[0]).checked_sub(stride.ilog2())?;
    (levels > 0).then_some(levels)
}

/// Note on the reduced level of detail of the image, compared with the scene's setting.
fn reduction(derived: &Derived) -> String {
    match derived.reduced {
        None => String::new(),
        Some(Reduction { coarser, scale }) if coarser > 1.0 || scale < 1.0 => {
            tr!(", {}× coarser", format_args!("{:.1}", coarser / scale))
        }
        Some(_) => tr(", not antialiased").to_owned(),
    }
}

fn bytes(bytes: u64) -> String {
    let kb = bytes as f64 / 1000.0;
    match kb {
        kb if kb < 1.0 => tr!("{bytes} bytes", bytes),
        kb if kb < 1000.0 => tr!("{kb} kB", kb = format_args!("{kb:.0}")),
        kb if kb < 100_000.0 => tr!("{} MB", format_args!("{:.1}", kb / 1000.0)),
        kb => tr!("{} MB", format_args!("{:.0}", kb / 1000.0)),
    }
}
