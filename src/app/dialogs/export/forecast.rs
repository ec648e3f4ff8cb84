//! Forecast of an exported file, and the numbers to enter in a game engine.

use egui::{Grid, Label, RichText, Ui};

use crate::app::controls::figures::shown_length;
use crate::app::state::exporting::Exporting;
use crate::app::theme;
use crate::files::export::{Forecast, Format, MeshUnit};
use crate::util::language::tr;
use crate::util::numbers::fixed;

/// Draw the forecast and the numbers.
pub fn forecast_ui(ui: &mut Ui, exporting: &Exporting, forecast: &Forecast) {
    let mut figures = vec![
        (
            tr("Size"),
            tr!("{} × {} samples", forecast.columns, forecast.rows),
            tr("Columns and rows in the file."),
        ),
        (
            tr("File"),
            tr!("about {}", bytes(forecast.bytes)),
            tr("Estimated from some rows."),
        ),
    ];
    if let Some(triangles) = forecast.triangles {
        let figure = triangles.to_string();
        figures.push((
            tr("Triangles"),
            figure,
            tr("Triangles of the ground, without sides and base."),
        ));
    }
    // A region's height range is not known yet: it can lie in finer levels of detail than the map.
    let is_whole = exporting.region.is_none();
    if let Some(steps) = forecast.steps.filter(|_| is_whole) {
        figures.push((
            tr("Levels used"),
            tr!("{} of {}", steps.used, steps.of),
            tr("How many different numbers occur; few of them show as terraces."),
        ));
        figures.push((
            tr("One step"),
            shown_length(steps.metres),
            tr("Difference in height from one number to the next."),
        ));
    }
    table_ui(ui, "forecast", &figures);
    if let Some(map_size) = forecast.interpolated_from {
        note_ui(
            ui,
            &interpolated(map_size, [forecast.rows, forecast.columns]),
        );
    }
    if is_whole && !forecast.is_exact {
        note_ui(
            ui,
            tr(
                "Estimated from the map on screen: the exact numbers are in the .json beside the file.",
            ),
        );
    }
    let Some(engine) = exporting.engine().filter(|_| is_whole) else {
        return;
    };
    ui.add_space(4.0);
    ui.label(
        RichText::new(tr!("To type into {}", engine.name))
            .strong()
            .color(theme::ACCENT),
    );
    let format = exporting.format();
    if engine.opens(format) {
        note_ui(ui, opened_words(format, exporting.mesh_unit));
        return;
    }
    if !engine.reads(format) {
        let formats = engine.formats.iter().chain(engine.meshes);
        let formats: Vec<_> = formats.map(|format| format.name).collect();
        note_ui(ui, &tr!("{} reads {}.", engine.name, formats.join(", ")));
        return;
    }
    note_ui(ui, engine.place);
    let numbers = (engine.numbers)(&forecast.scaling).into_iter();
    let numbers: Vec<_> = numbers
        .map(|(name, number)| (name, plain(number), tr("Click to copy.")))
        .collect();
    table_ui(ui, "engine numbers", &numbers);
    note_ui(ui, (engine.note)(&forecast.scaling));
}

/// Text on how an engine opens a mesh.
fn opened_words(format: &Format, unit: MeshUnit) -> &'static str {
    match format.mesh() {
        Some(mesh) if mesh.is_printed => tr("Opens as it is, in the millimetres of the print."),
        Some(mesh) if mesh.has_open_unit && unit != MeshUnit::Metres => {
            tr("Opens as it is; its true size it has with \"In metres\" ticked.")
        }
        _ => tr("Opens as it is, in metres: there is nothing to type in."),
    }
}

/// Text on resampling the map to a file of another size.
fn interpolated([rows, columns]: [usize; 2], size: [usize; 2]) -> String {
    if size[0].max(size[1]) > rows.max(columns) {
        tr!(
            "Larger than the map of {columns} × {rows} samples: those between are interpolated and \
             add no detail. More iterations, or levels below, do.",
            columns,
            rows
        )
    } else {
        tr!(
            "Smaller than the map of {columns} × {rows} samples: its finest detail is lost.",
            columns,
            rows
        )
    }
}

/// Draw a note below the numbers.
fn note_ui(ui: &mut Ui, words: &str) {
    ui.add(Label::new(RichText::new(words).weak()).wrap());
}

/// Draw a table of names and values; a click copies a value.
fn table_ui(ui: &mut Ui, id: &str, rows: &[(&str, String, &str)]) {
    let label_width = (ui.available_width() * 0.42).floor();
    Grid::new(id)
        .num_columns(2)
        .min_col_width(label_width)
        .max_col_width(ui.available_width() - label_width - 10.0)
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            for (name, value, help) in rows {
                ui.add(Label::new(*name).truncate()).on_hover_text(*help);
                let text = RichText::new(value).color(ui.visuals().strong_text_color());
                let label = Label::new(text).truncate().sense(egui::Sense::click());
                if ui.add(label).on_hover_text(*help).clicked() {
                    ui.ctx().copy_text(value.clone());
                }
                ui.end_row();
            }
        });
}

/// Number with at most four decimals, without trailing zeros.
fn plain(number: f64) -> String {
    let text = fixed(number, 4);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn bytes(count: u64) -> String {
    let count = count as f64;
    match count {
        _ if count < 1e3 => tr!("{count} bytes", count = format_args!("{count:.0}")),
        _ if count < 1e6 => tr!("{} kB", format_args!("{:.0}", count / 1e3)),
        _ if count < 1e9 => tr!("{} MB", format_args!("{:.1}", count / 1e6)),
        _ => tr!("{} GB", format_args!("{:.1}", count / 1e9)),
    }
}
