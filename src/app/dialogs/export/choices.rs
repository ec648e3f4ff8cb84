//! Controls of the dialog "Export".

use egui::{Grid, Id, Label, RichText, Ui};

use super::part::part_ui;
use super::samples::{levels_ui, samples_ui};
use super::span::span_ui;
use super::triangles::triangles_ui;
use crate::app::controls::drop_down::choose;
use crate::app::state::Derived;
use crate::app::state::exporting::Exporting;
use crate::files::export::{ENGINES, Format, Span, formats_of_map};
use crate::shading::maps::{HEIGHTS, MAPS};
use crate::util::language::{mark, tr};

/// Draw all controls.
pub fn choices_ui(ui: &mut Ui, exporting: &mut Exporting, derived: &Derived, tile_size_m: f32) {
    let label_width = (ui.available_width() * 0.3).floor();
    Grid::new("choices")
        .num_columns(2)
        .min_col_width(label_width)
        .max_col_width(ui.available_width() - label_width - 10.0)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            row_ui(ui, tr("For"), |ui, label| engine_ui(ui, label, exporting));
            row_ui(ui, tr("What"), |ui, label| map_ui(ui, label, exporting));
            row_ui(ui, tr("Format"), |ui, label| {
                format_ui(ui, label, exporting)
            });
            if exporting.map().is_of_the_ground() {
                if exporting.region.is_none() {
                    row_ui(ui, tr("Samples"), |ui, label| {
                        samples_ui(ui, label, exporting, derived);
                    });
                }
                if let Some(shown) = derived.shown.as_ref().filter(|shown| shown.rows > 1) {
                    row_ui(ui, tr("Levels below"), |ui, label| {
                        levels_ui(ui, label, exporting, shown);
                    });
                    if exporting.region.is_some() {
                        row_ui(ui, tr("Part"), |ui, label| {
                            part_ui(ui, label, exporting, shown, tile_size_m);
                        });
                    }
                }
            }
            if !exporting.map().is_heights() {
                return;
            }
            if exporting.format().is_mesh() {
                row_ui(ui, tr("Triangles"), |ui, label| {
                    triangles_ui(ui, label, exporting);
                });
            } else {
                row_ui(ui, tr("Numbers"), |ui, label| span_ui(ui, label, exporting));
            }
        });
    let (map, format) = (exporting.map(), exporting.format());
    let help = if map.is_heights() {
        tr(format.help)
    } else {
        tr(map.help)
    };
    ui.add(Label::new(RichText::new(help).weak()).wrap());
    if !map.is_heights() || format.is_mesh() {
        return;
    }
    ui.add_enabled_ui(!format.says_north, |ui| {
        ui.checkbox(&mut exporting.flip, tr("Southern row first"))
            .on_hover_text(tr("For programs that read the bottom row first."))
            .on_disabled_hover_text(tr("This format itself states where north is."));
    });
    ui.add_enabled_ui(format.levels.is_some(), |ui| {
        ui.checkbox(&mut exporting.preview, tr("Show the steps on the terrain"))
            .on_hover_text(tr("Shows the rounding that the file will have."))
            .on_disabled_hover_text(tr("Floating-point numbers have no steps."));
    });
}

/// Draw a grid row: a label and its control.
fn row_ui(ui: &mut Ui, words: &str, add: impl FnOnce(&mut Ui, Id)) {
    let label = ui.label(words).id;
    add(ui, label);
    ui.end_row();
}

fn engine_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    const ANY: &str = mark("any program");
    let any = (None, tr(ANY).to_owned(), tr("No engine in particular."));
    let engines = ENGINES.iter().map(|engine| {
        let name = engine.name.to_owned();
        (Some(name.clone()), name, engine.place)
    });
    let shown = exporting.engine().map_or(tr(ANY), |engine| engine.name);
    let choices = std::iter::once(any).chain(engines);
    if choose(ui, label, shown, &mut exporting.engine, choices)
        && let Some(engine) = exporting.engine()
    {
        exporting.format = engine.formats[0].name.to_owned();
        exporting.samples = engine.samples;
        exporting.map = HEIGHTS.name.to_owned();
        (exporting.span, exporting.flip) = (Span::Own, false);
    }
}

fn format_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let text = |format: &Format| format!("{} (.{})", format.name, format.extension);
    let formats = formats_of_map(exporting.map())
        .into_iter()
        .map(|format| (format.name.to_owned(), text(format), tr(format.help)));
    let shown = text(exporting.format());
    choose(ui, label, &shown, &mut exporting.format, formats);
}

fn map_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let maps = MAPS
        .iter()
        .map(|map| (map.name.to_owned(), tr(map.name).to_owned(), tr(map.help)));
    let shown = tr(exporting.map().name);
    choose(ui, label, shown, &mut exporting.map, maps);
}
