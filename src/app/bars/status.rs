//! Status line at the bottom of the window.

use egui::{Align, Context, Frame, Label, Layout, Margin, RichText, TextStyle, TopBottomPanel, Ui};

use crate::app::controls::number::{short_time, shown_length};
use crate::app::state::{Derived, MeasuredHurst, Reduction, Shown, UiState};
use crate::app::steer;
use crate::camera::{Spot, width_seen};
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
    let mut words = spot_words(spot, shown, state.persisted.scene.surface.tile_size_m);
    let room = ui.available_width() * POINTED_PART;
    let font = TextStyle::Small.resolve(ui.style());
    while !words.is_empty() {
        let color = ui.visuals().strong_text_color();
        let painter = ui.painter();
        let galley = painter.layout_no_wrap(words.join(" · "), font.clone(), color);
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
        let words = tr("making the landscape…").to_owned();
        return vec![(words, tr("No landscape yet."))];
    };
    let samples = shown.rows as u64 * shown.columns as u64;
    let whole = |count: usize| (count - 1) * shown.stride + 1;
    let note = match (shown.coarse, shown.stride) {
        (true, _) => tr(" (coarse; the full map is being made)").to_owned(),
        (false, 1) => String::new(),
        (false, stride) => tr!(", one in {stride} shown", stride),
    };
    let measured = match derived.measured_hurst {
        _ if shown.columns < SMALLEST_MEASURED => tr("too small to measure").to_owned(),
        MeasuredHurst::Estimated(hurst) => {
            let hurst = fixed(hurst, 2);
            let scene = &state.persisted.scene;
            match scene.is_modified() && !scene.shows_pass() {
                true => tr!("measured {hurst} after modifiers", hurst),
                false => tr!("measured {hurst}", hurst),
            }
        }
        MeasuredHurst::Undefined => tr("nothing to measure").to_owned(),
        MeasuredHurst::Pending => tr("measured …").to_owned(),
    };
    let requested = shown
        .requested_hurst
        .map_or("–".to_owned(), |h| format!("{h:.2}"));
    let tile_size_m = state.persisted.scene.surface.tile_size_m;
    let cells = whole(shown.columns.max(shown.rows)).max(2) - 1;
    let cell = f64::from(tile_size_m) / cells as f64;
    let across = across(state).map(|half_tiles| {
        let across = shown_length(half_tiles * metres_per_unit(tile_size_m));
        let help = tr("How wide the view is at the ground in the middle of the picture.");
        (tr!("{} across", across), help)
    });
    let [columns, rows] = [shown.columns, shown.rows].map(whole);
    let reduction = reduction(derived);
    let mut parts: Vec<_> = across.into_iter().collect();
    parts.extend([
        (
            tr!("{} × {} samples{note}", columns, rows, note),
            tr(
                "Columns and rows of the height map. Of a very large map the window shows only \
                 every second, fourth … sample; files contain all of them.",
            ),
        ),
        match levels_seen(state) {
            None => (
                tr!("{} a sample", shown_length(cell)),
                tr("Distance from one sample of the height map to the next."),
            ),
            Some(levels) => {
                let side = cell / f64::from(levels).exp2();
                (
                    tr!(
                        "{} iterations + {levels} finer, {} a sample",
                        cells.next_power_of_two().ilog2(),
                        shown_length(side),
                        levels
                    ),
                    tr(
                        "Iterations of the map, plus the levels below them that the picture shows \
                         closest to the camera; then the distance between samples there.",
                    ),
                )
            }
        },
        (
            format!("H {requested}, {measured}"),
            tr("Hurst exponent as set, and as estimated from the map itself, which layers, modifiers and rock have changed."),
        ),
        (
            tr!("made in {}", short_time(shown.made_in)),
            tr("Time it took to make the landscape."),
        ),
        match derived.memory {
            Some(all) => (
                tr!("{} of {} in memory", bytes(samples * 4), bytes(all)),
                tr("Memory used by the heights shown, out of the memory used by the program."),
            ),
            None => (
                tr!("{} in memory", bytes(samples * 4)),
                tr("Memory used by the heights shown."),
            ),
        },
        (
            tr!("drawn in {}{}", short_time(derived.draw_time), reduction),
            tr(
                "Time it took to draw the last picture of the landscape. While something moves, it \
                 may be drawn coarser to stay smooth (menu View, Automatic detail).",
            ),
        ),
    ]);
    if state.persisted.picture_rate {
        let count = tr!("{count} pictures/s", count = derived.pictures_shown);
        let help = tr(
            "Pictures of the landscape shown in the last second. None are drawn while nothing \
             changes.",
        );
        parts.insert(0, (count, help));
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
    let ground = steer::measured_ground(state)?;
    width_seen(&steer::drawn(state).camera, &ground, aspect)
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

/// Texts for a ground point: height, slope, sample and coordinates, the most important first. The
/// tile has side `tile_size_m`.
fn spot_words(spot: &Spot, shown: &Shown, tile_size_m: f32) -> Vec<String> {
    let metres = spot.height * metres_per_unit(tile_size_m);
    let decimals = match metres.abs() {
        size if size < 10.0 => 2,
        size if size < 1000.0 => 1,
        _ => 0,
    };
    let metres = fixed(metres, decimals);
    let whole = |count: usize| ((count - 1) * shown.stride) as f64;
    let [column, row] = [(0, shown.columns), (1, shown.rows)]
        .map(|(axis, count)| (spot.on_tile[axis] * whole(count)).round());
    let coordinates = match &shown.place {
        Some(place) => place.format_point(spot.from_corner),
        None => tr!(
            "tile {}, {}",
            format_args!("{:.4}", spot.on_tile[0]),
            format_args!("{:.4}", spot.on_tile[1])
        ),
    };
    vec![
        tr!("height {metres} m", metres),
        tr!("slope {}°", fixed(spot.slope, 1)),
        tr!("column {column}, row {row}", column, row),
        coordinates,
    ]
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::terrain::geo::{Georeference, Keys, known_unit};

    fn shown(place: Option<Georeference>) -> Shown {
        Shown {
            rows: 65,
            columns: 129,
            stride: 2,
            requested_hurst: None,
            made_in: Duration::ZERO,
            coarse: false,
            place,
        }
    }

    /// A quarter of the tile east, half of it south; the tile is half as high as it is wide.
    const SPOT: Spot = Spot {
        height: 0.25,
        slope: 12.34,
        on_tile: [0.25, 0.5],
        from_corner: [0.5, 0.5],
    };

    #[test]
    fn places_are_in_metres_samples_and_tile_parts() {
        let words = spot_words(&SPOT, &shown(None), 2000.0);
        let wanted = [
            "height 250.0 m",
            "slope 12.3°",
            "column 64, row 64",
            "tile 0.2500, 0.5000",
        ];
        assert_eq!(words, wanted);
    }

    #[test]
    fn earth_map_has_coordinates_of_its_system() {
        let place = |code, origin, east, south| {
            let unit = known_unit(code).unwrap();
            let place = Georeference {
                keys: Keys::of_epsg(code, unit),
                unit,
                text: String::new(),
                origin,
                east,
                south,
            };
            spot_words(&SPOT, &shown(Some(place)), 2000.0)
                .pop()
                .unwrap()
        };
        let metres = place(
            25832,
            [600_000.0, 5_200_000.0],
            [4000.0, 0.0],
            [0.0, -4000.0],
        );
        assert_eq!(metres, "E 601000.0, N 5199000.0 (EPSG:25832)");
        let degrees = place(4326, [-71.0, -30.0], [1.0, 0.0], [0.0, -1.0]);
        assert_eq!(degrees, "30.25000° S, 70.75000° W (EPSG:4326)");
    }
}
