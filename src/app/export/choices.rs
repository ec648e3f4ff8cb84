//! The controls of the window "Export".

use std::ops::RangeInclusive;

use egui::{Grid, Id, Label, RichText, Ui};

use super::{Exporting, Triangles};
use crate::app::drop_down::drop_down;
use crate::app::number::number_box;
use crate::app::state::Derived;
use crate::export::{ENGINES, Format, MeshUnit, Resolution, Span, formats_of_map};
use crate::maps::{HEIGHTS, MAPS};

/// Draws them all.
pub fn choices_ui(ui: &mut Ui, exporting: &mut Exporting, derived: &Derived) {
    let label_width = (ui.available_width() * 0.3).floor();
    Grid::new("choices")
        .num_columns(2)
        .min_col_width(label_width)
        .max_col_width(ui.available_width() - label_width - 10.0)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            let label = ui.label("For").id;
            engine_ui(ui, label, exporting);
            ui.end_row();
            let label = ui.label("What").id;
            map_ui(ui, label, exporting);
            ui.end_row();
            let label = ui.label("Format").id;
            format_ui(ui, label, exporting);
            ui.end_row();
            if exporting.map().is_of_the_ground() {
                let label = ui.label("Samples").id;
                samples_ui(ui, label, exporting, derived);
                ui.end_row();
            }
            if !exporting.map().is_heights() {
                return;
            }
            if exporting.format().is_mesh() {
                let label = ui.label("Triangles").id;
                triangles_ui(ui, label, exporting);
                ui.end_row();
            } else {
                let label = ui.label("Numbers").id;
                span_ui(ui, label, exporting);
                ui.end_row();
            }
        });
    let (map, format) = (exporting.map(), exporting.format());
    let help = if map.is_heights() {
        format.help
    } else {
        map.help
    };
    ui.add(Label::new(RichText::new(help).weak()).wrap());
    if !map.is_heights() || format.is_mesh() {
        return;
    }
    ui.add_enabled_ui(!format.says_north, |ui| {
        ui.checkbox(&mut exporting.flip, "Southern row first")
            .on_hover_text("For programs that read the bottom row first.")
            .on_disabled_hover_text("This format itself states where north is.");
    });
    ui.add_enabled_ui(format.levels.is_some(), |ui| {
        ui.checkbox(&mut exporting.preview, "Show the steps on the terrain")
            .on_hover_text("Shows the rounding that the file will have.")
            .on_disabled_hover_text("Floating-point numbers have no steps.");
    });
}

/// A drop-down of values; returns whether one was chosen.
fn choose<T: PartialEq + Clone>(
    ui: &mut Ui,
    label: Id,
    shown: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, &'static str)>,
) -> bool {
    let choices: Vec<_> = choices.into_iter().collect();
    // What is not among them counts as the first.
    let before = choices.iter().position(|(choice, ..)| choice == value);
    let before = before.unwrap_or(0);
    let mut clicked = false;
    let choice = |ui: &mut Ui, index: usize| {
        let (_, text, help) = &choices[index];
        let chosen = ui.selectable_label(index == before, text);
        let chosen = chosen.on_hover_text(*help).clicked();
        clicked |= chosen;
        chosen
    };
    let (_, index) = drop_down(ui, label, 8.0, shown, (before, choices.len()), choice);
    let changed = clicked || index != before;
    if changed {
        *value = choices[index].0.clone();
    }
    changed
}

fn engine_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    const ANY: &str = "any program";
    let any = (String::new(), ANY.to_owned(), "No engine in particular.");
    let engines = ENGINES
        .iter()
        .map(|engine| (engine.name.to_owned(), engine.name.to_owned(), engine.place));
    let shown = match exporting.engine.as_str() {
        "" => ANY.to_owned(),
        name => name.to_owned(),
    };
    let choices = std::iter::once(any).chain(engines);
    if choose(ui, label, &shown, &mut exporting.engine, choices)
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
        .map(|format| (format.name.to_owned(), text(format), format.help));
    let shown = text(exporting.format());
    choose(ui, label, &shown, &mut exporting.format, formats);
}

fn map_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let maps = MAPS
        .iter()
        .map(|map| (map.name.to_owned(), map.name.to_owned(), map.help));
    let shown = exporting.map().name;
    choose(ui, label, shown, &mut exporting.map, maps);
}

fn triangles_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let kind = |triangles: Triangles| match triangles {
        Triangles::All => "two per cell",
        Triangles::AtMost(_) => "at most",
        Triangles::Within(_) => "as few as an error allows",
    };
    let choices = [
        (Triangles::All, "Every sample is a corner."),
        (
            Triangles::AtMost(100_000),
            "Placed where they are needed most, without cracks.",
        ),
        (
            Triangles::Within(1.0),
            "No sample is farther from the surface than this, without cracks.",
        ),
    ];
    let choices = choices.map(|(choice, help)| {
        // The number that was set stays.
        let same = kind(choice) == kind(exporting.triangles);
        let choice = if same { exporting.triangles } else { choice };
        (choice, kind(choice).to_owned(), help)
    });
    let shown = kind(exporting.triangles);
    ui.vertical(|ui| {
        choose(ui, label, shown, &mut exporting.triangles, choices);
        match &mut exporting.triangles {
            Triangles::All => {}
            Triangles::AtMost(count) => {
                ui.add(number_box(ui, count, 2..=1_000_000_000).speed(1000));
            }
            Triangles::Within(metres) => {
                let drag = number_box(ui, metres, 0.0..=10_000.0);
                ui.add(drag.speed(0.05).suffix(" m"));
            }
        }
        let mesh = exporting.format().mesh();
        if mesh.is_some_and(|mesh| mesh.has_open_unit) {
            let mut metres = exporting.mesh_unit == MeshUnit::Metres;
            let shown = ui.checkbox(&mut metres, "In metres");
            shown.on_hover_text("Otherwise 1 is half a tile.");
            exporting.mesh_unit = if metres {
                MeshUnit::Metres
            } else {
                MeshUnit::Own
            };
        }
        if mesh.is_some_and(|mesh| mesh.is_printed) {
            let size = number_box(ui, &mut exporting.print_size_mm, 1.0..=10_000.0);
            ui.add(size.suffix(" mm across"));
        }
    });
}

fn samples_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting, derived: &Derived) {
    let of = |samples: Resolution| {
        let shown = derived.shown.as_ref();
        let full = |side: usize, stride: usize| side.saturating_sub(1) * stride + 1;
        shown.map_or(String::new(), |shown| {
            let side = |side| full(side, shown.stride);
            let [rows, columns] = samples.of(side(shown.rows), side(shown.columns));
            format!(": {columns} × {rows}")
        })
    };
    let name = |samples: Resolution| {
        let words = match samples {
            Resolution::AsIs => "as it is",
            Resolution::PowerOfTwo => "2ⁿ",
            Resolution::PowerOfTwoPlusOne => "2ⁿ + 1",
            Resolution::Unreal => "Unreal's",
            Resolution::Exactly(_) => "exactly",
        };
        words.to_owned() + &of(samples)
    };
    let exactly = match exporting.samples {
        Resolution::Exactly(side) => side,
        _ => 1000,
    };
    let mut choices = vec![
        (Resolution::AsIs, "As many as the map has."),
        (
            Resolution::PowerOfTwo,
            "Without the last row and column, which repeat the first where the map tiles.",
        ),
        (
            Resolution::PowerOfTwoPlusOne,
            "One more than a power of two: Unity's sizes.",
        ),
        (
            Resolution::Unreal,
            "The nearest of the sizes that Unreal recommends; interpolated.",
        ),
        (Resolution::Exactly(exactly), "Any number; interpolated."),
    ];
    if exporting.format().is_mesh() {
        choices.retain(|(samples, _)| *samples != Resolution::PowerOfTwo);
    }
    let choices = choices
        .into_iter()
        .map(|(samples, help)| (samples, name(samples), help));
    let shown = name(exporting.samples);
    ui.vertical(|ui| {
        choose(ui, label, &shown, &mut exporting.samples, choices);
        if let Resolution::Exactly(side) = &mut exporting.samples {
            let most = crate::import::MAX_SIDE;
            ui.add(number_box(ui, side, 2..=most).suffix(" samples"));
        }
    });
}

/// Heights that a range may end at.
const ANY: RangeInclusive<f32> = f32::MIN..=f32::MAX;

fn span_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let is_whole = exporting.format().levels.is_some();
    let kind = |span: Span| match (span, is_whole) {
        (Span::Own, true) => "the map's range",
        (Span::Own, false) => "usual for the format",
        (Span::Heights(..), _) => "between two heights",
        (Span::MetresBetween(..), _) => "between two heights in m",
        (Span::Metres, true) => "one step per metre",
        (Span::Metres, false) => "metres",
        (Span::Unit, _) => "0 to 1",
    };
    let (heights, metres) = match exporting.span {
        Span::Heights(low, high) => ((low, high), (low * 1000.0, high * 1000.0)),
        Span::MetresBetween(low, high) => ((low / 1000.0, high / 1000.0), (low, high)),
        _ => ((-1.0, 1.0), (-1000.0, 1000.0)),
    };
    let mut choices = vec![
        (
            Span::Own,
            "The lowest and highest heights become the lowest and highest numbers; floating-point \
             numbers as is usual in the format.",
        ),
        (
            Span::Metres,
            "Whole numbers: one step per metre. Floating-point numbers: metres.",
        ),
    ];
    if is_whole {
        let between = "The same range for every map, so that neighbours fit together.";
        choices.push((Span::Heights(heights.0, heights.1), between));
        choices.push((Span::MetresBetween(metres.0, metres.1), between));
    } else {
        choices.push((Span::Unit, "0 is the lowest height, 1 the highest."));
    }
    if !choices.iter().any(|(span, _)| *span == exporting.span) {
        exporting.span = Span::Own;
    }
    let choices = choices
        .into_iter()
        .map(|(span, help)| (span, kind(span).to_owned(), help));
    let shown = kind(exporting.span);
    ui.vertical(|ui| {
        choose(ui, label, shown, &mut exporting.span, choices);
        let (low, high, speed, suffix) = match &mut exporting.span {
            Span::Heights(low, high) => (low, high, 0.01, ""),
            Span::MetresBetween(low, high) => (low, high, 1.0, " m"),
            _ => return,
        };
        ui.horizontal(|ui| {
            let below = *low;
            ui.add(number_box(ui, low, ANY).speed(speed).suffix(suffix));
            ui.label("to");
            ui.add(number_box(ui, high, ANY).speed(speed).suffix(suffix));
            // An empty range is none.
            if *high <= *low {
                *high = if *low == below { *high } else { *low };
                *high = high.max(*low + speed as f32);
            }
        });
    });
}
