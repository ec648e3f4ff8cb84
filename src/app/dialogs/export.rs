//! Dialog "Export": format, size and height range of a height map or mesh, a forecast of the file,
//! and the numbers to enter in a game engine. The dialog only edits settings; the worker computes
//! the forecast and shows the quantisation of heights on the terrain.

use std::ops::RangeInclusive;

use egui::{Align2, Context, Grid, Id, Label, RichText, Ui};

use super::{GAP, has_room, main_button, room_in, scrolled};
use crate::app::commands::{Action, Purpose};
use crate::app::controls::choose;
use crate::app::controls::number::{number_box, shown_length};
use crate::app::floating::window;
use crate::app::state::output::{Exporting, Triangles};
use crate::app::state::{Derived, Shown};
use crate::app::theme;
use crate::files::export::{
    ENGINES, Engine, EngineSize, Forecast, Format, MeshUnit, Resolution, Span, formats_of_map,
    pictures_of,
};
use crate::fractal::refinement::Refinement;
use crate::generate::{MAX_ITERATIONS, MAX_ITERATIONS_IN_MEMORY};
use crate::scene::Scene;
use crate::shading::maps::{HEIGHTS, MAPS};
use crate::shading::snow;
use crate::shading::texture::Palette;
use crate::util::language::{mark, tr};
use crate::util::numbers::fixed;

/// Title of the dialog.
pub const TITLE: &str = mark("Export");
/// Width of the window's contents, in points.
const WIDTH: f32 = 300.0;

/// Draw the dialog over the scene.
pub fn export_ui(
    ctx: &Context,
    exporting: &mut Exporting,
    derived: &Derived,
    of: &Scene,
    actions: &mut Vec<Action>,
) {
    let scene = derived.scene_rect;
    if !exporting.shown || !has_room(scene) {
        return;
    }
    let width = WIDTH.min(scene.width() - 2.0 * GAP - 16.0);
    let mut open = true;
    window(ctx, TITLE, Align2::RIGHT_TOP, scene, &[])
        .open(&mut open)
        .default_height(room_in(scene))
        .resizable(false)
        .show(ctx, |ui| {
            scrolled(ui, room_in(scene), |ui| {
                ui.set_width(width - 8.0);
                if let Some(engine) = exporting.folder_for() {
                    folder_ui(ui, exporting, engine, derived, of);
                    if main_button(ui, derived.shown.is_some(), tr("Export the folder…"), "") {
                        actions.push(Action::Ask(Purpose::Folder));
                    }
                    return;
                }
                choices_ui(ui, exporting, derived, of);
                outcome_ui(ui, exporting, derived);
                if main_button(ui, true, tr("Export…"), "") {
                    actions.push(Action::Ask(Purpose::Export));
                }
            });
        });
    exporting.shown &= open;
}

/// Draw the choices for a folder with everything for an engine, and what it will hold.
fn folder_ui(
    ui: &mut Ui,
    exporting: &mut Exporting,
    engine: &'static Engine,
    derived: &Derived,
    scene: &Scene,
) {
    let map = derived.shown.as_ref().map(Shown::map_size);
    let size = |samples| map.map(|map| EngineSize::new(engine, samples, map));
    grid_ui(ui, |ui| {
        row_ui(ui, tr("Engine"), |ui, label| {
            engine_ui(ui, label, exporting)
        });
        row_ui(ui, tr("Samples"), |ui, label| {
            let nearest = match size(None) {
                Some(Ok(size)) => tr!("nearest: {}", size.size[0].max(size.size[1])),
                _ => tr!("nearest: {}", "–"),
            };
            let help = tr("The size of the engine that is nearest to that of the map.");
            let name = |samples: &usize| samples.to_string();
            let more = tr("A map with fewer samples is refined first; one with more loses detail.");
            let sizes = engine.sizes.iter();
            let sizes = sizes.map(|samples| (Some(*samples), name(samples), more));
            let mut chosen = exporting.samples_for(engine);
            let shown = chosen.as_ref().map_or_else(|| nearest.clone(), name);
            let choices = std::iter::once((None, nearest.clone(), help)).chain(sizes);
            choose(ui, label, &shown, &mut chosen, choices);
            exporting.folder_samples = chosen;
        });
    });
    everything_ui(ui, exporting, engine);
    let words = tr(
        "Heights, the water's surface, a mask for each material (black if the land has none of it), colours, plants, the \
         scene, previews, and landform.json, which names them and the numbers to enter.",
    );
    note_ui(ui, words);
    ui.separator();
    match size(exporting.samples_for(engine)) {
        Some(Ok(size)) => {
            ui.add(Label::new(size.forecast(scene)).wrap());
            if let Some(words) = size.refined() {
                note_ui(ui, &words);
            }
            if let Some(Ok(forecast)) = &derived.forecast {
                heading_ui(ui, engine);
                numbers_ui(ui, engine, forecast);
                if !forecast.is_exact {
                    note_ui(
                        ui,
                        tr(
                            "Estimated from the map on screen: the exact numbers will be in landform.json.",
                        ),
                    );
                }
            }
        }
        Some(Err(error)) => {
            let words = RichText::new(error.to_string()).color(ui.visuals().error_fg_color);
            ui.add(Label::new(words).wrap());
        }
        None => {}
    }
    ui.add_space(6.0);
}

/// Draw the choice between a file and a folder with everything for an engine.
fn everything_ui(ui: &mut Ui, exporting: &mut Exporting, engine: &Engine) {
    ui.checkbox(
        &mut exporting.folder,
        tr!("Everything for {}, in a folder", engine.name),
    )
    .on_hover_text(tr(
        "Writes all files that the engine needs at once, in a size that it takes.",
    ));
}

/// Draw the number of files into which masks go.
fn masks_ui(ui: &mut Ui, exporting: &Exporting, scene: &Scene) {
    let mut builtin = Palette::builtin().iter();
    let palette = builtin.find(|palette| palette.name == scene.view.palette);
    let count = palette.map(|palette| pictures_of(exporting.map(), palette));
    if let Some(count) = count.filter(|count| *count > 1) {
        let words = tr!("1 file" | "{n} files, whose names differ where {{band}} stands" % count);
        note_ui(ui, &words);
    }
}

/// Draw a grid of labels and controls.
fn grid_ui(ui: &mut Ui, rows: impl FnOnce(&mut Ui)) {
    let label_width = (ui.available_width() * 0.3).floor();
    Grid::new("choices")
        .num_columns(2)
        .min_col_width(label_width)
        .max_col_width(ui.available_width() - label_width - 10.0)
        .spacing([10.0, 4.0])
        .show(ui, rows);
}

/// Draw the forecast of the file, below the choices.
fn outcome_ui(ui: &mut Ui, exporting: &mut Exporting, derived: &Derived) {
    ui.separator();
    match &derived.forecast {
        _ if !exporting.map().is_heights() => {}
        Some(Ok(forecast)) => forecast_ui(ui, exporting, forecast),
        Some(Err(words)) => {
            ui.colored_label(ui.visuals().error_fg_color, words);
        }
        None => {
            ui.weak(tr("measuring …"));
        }
    }
    ui.add_space(6.0);
}

/// Draw all controls.
fn choices_ui(ui: &mut Ui, exporting: &mut Exporting, derived: &Derived, scene: &Scene) {
    let tile_size_m = scene.surface.tile_size_m;
    grid_ui(ui, |ui| {
        row_ui(ui, tr("Engine"), |ui, label| {
            engine_ui(ui, label, exporting)
        });
        row_ui(ui, tr("Content"), |ui, label| map_ui(ui, label, exporting));
        row_ui(ui, tr("Format"), |ui, id| format_ui(ui, id, exporting));
        if exporting.map().is_of_the_ground() {
            if exporting.region.is_none() {
                row_ui(ui, tr("Samples"), |ui, label| {
                    samples_ui(ui, label, exporting, derived);
                });
            }
            if let Some(shown) = derived.shown.as_ref().filter(|shown| shown.rows > 1) {
                row_ui(ui, tr("Finer levels"), |ui, label| {
                    levels_ui(ui, label, exporting, shown);
                });
                if exporting.region.is_some() {
                    row_ui(ui, tr("Region"), |ui, label| {
                        part_ui(ui, label, exporting, shown, tile_size_m);
                    });
                }
            }
        }
        if !exporting.map().holds_heights() {
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
    let help = match map.is_heights() {
        true => tr(format.help),
        false => tr(map.help),
    };
    ui.add(Label::new(RichText::new(help).weak()).wrap());
    masks_ui(ui, exporting, scene);
    if let Some(engine) = exporting.engine().filter(|_| exporting.region.is_none()) {
        everything_ui(ui, exporting, engine);
    }
    // In one line where both fit, since low windows have little room.
    ui.horizontal_wrapped(|ui| {
        if map.is_heights() && snow::is_shown(scene) {
            ui.checkbox(&mut exporting.snow, tr("With the snow"))
                .on_hover_text(tr(
                    "Writes the heights of the surface of the snow instead of those of the ground below it.",
                ));
        }
        if map.holds_heights() && !format.is_mesh() {
            ui.add_enabled_ui(!format.says_north, |ui| {
                ui.checkbox(&mut exporting.flip, tr("Southern row first"))
                    .on_hover_text(tr("For programs that read the bottom row first."))
                    .on_disabled_hover_text(tr("This format already records which row is north."));
            });
        }
    });
    if !map.is_heights() || format.is_mesh() {
        return;
    }
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
    let formats = formats_of_map(exporting.map()).into_iter();
    let formats = formats.map(|format| (format.name.to_owned(), text(format), tr(format.help)));
    let shown = text(exporting.format());
    choose(ui, label, &shown, &mut exporting.format, formats);
}

fn map_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let maps = MAPS.iter();
    let maps = maps.map(|map| (map.name.to_owned(), tr(map.name).to_owned(), tr(map.help)));
    let shown = tr(exporting.map().name);
    choose(ui, label, shown, &mut exporting.map, maps);
}

/// Draw the row for the number of samples.
fn samples_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting, derived: &Derived) {
    let of = |samples: Resolution| {
        let shown = derived.shown.as_ref();
        let full = |side: usize, stride: usize| side.saturating_sub(1) * stride + 1;
        shown.map_or(String::new(), |shown| {
            let side = |side| full(side, shown.stride << exporting.levels.min(MOST_LEVELS));
            let [rows, columns] = samples.of(side(shown.rows), side(shown.columns));
            format!(": {columns} × {rows}")
        })
    };
    let name = |samples: Resolution| {
        let words = match samples {
            Resolution::AsIs => tr("as it is"),
            Resolution::PowerOfTwo => "2ⁿ",
            Resolution::PowerOfTwoPlusOne => "2ⁿ + 1",
            Resolution::Unreal => tr("Unreal sizes"),
            Resolution::Exactly(_) => tr("exactly"),
        };
        words.to_owned() + &of(samples)
    };
    let exactly = match exporting.samples {
        Resolution::Exactly(side) => side,
        _ => 1000,
    };
    let exactly = Resolution::Exactly(exactly);
    let choices = [
        Resolution::AsIs,
        Resolution::PowerOfTwo,
        Resolution::PowerOfTwoPlusOne,
        Resolution::Unreal,
        exactly,
    ];
    let help = |samples: Resolution| match samples {
        Resolution::AsIs => tr("As many samples as the map has."),
        Resolution::PowerOfTwo => {
            tr("Without the last row and column, which repeat the first where the map tiles.")
        }
        Resolution::PowerOfTwoPlusOne => tr("One more than a power of two: Unity's sizes."),
        Resolution::Unreal => tr("The nearest of the sizes that Unreal recommends; interpolated."),
        Resolution::Exactly(_) => tr("Any number; interpolated."),
    };
    let is_mesh = exporting.format().is_mesh();
    let choices = choices.into_iter();
    let choices = choices.filter(|samples| !is_mesh || *samples != Resolution::PowerOfTwo);
    let choices = choices.map(|samples| (samples, name(samples), help(samples)));
    let shown = name(exporting.samples);
    ui.vertical(|ui| {
        choose(ui, label, &shown, &mut exporting.samples, choices);
        if let Resolution::Exactly(side) = &mut exporting.samples {
            let most = crate::files::import::MAX_SIDE;
            ui.add(number_box(ui, side, 2..=most).suffix(tr(" samples")));
        }
    });
}

/// Maximum number of detail levels beyond the map in a file of the whole map.
const MOST_LEVELS: u32 = MAX_ITERATIONS_IN_MEMORY - 1;

/// Draw the row for the number of detail levels beyond the map's last iteration.
fn levels_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting, shown: &Shown) {
    let cells = (shown.rows.max(shown.columns) - 1) * shown.stride;
    let level = cells.next_power_of_two().ilog2();
    let most = match exporting.region {
        Some(_) => MAX_ITERATIONS,
        None => MAX_ITERATIONS_IN_MEMORY,
    };
    let range: RangeInclusive<u32> = 0..=most.saturating_sub(level);
    let mut levels = exporting.levels.min(*range.end());
    let number = ui.add(number_box(ui, &mut levels, range));
    if levels != exporting.levels {
        exporting.set_levels(levels);
    }
    number.labelled_by(label).on_hover_text(tr(
        "Each level halves the distance between samples: the new detail is as rough as the \
         ground, and all heights stay.",
    ));
}

/// Maximum number of samples along each side of a region.
const MOST_SIDE: usize = 1 << 20;

/// Draw the row for the region, if one is exported. `shown` is the map on screen, `tile_size_m` the
/// side of its tiles in metres.
fn part_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting, shown: &Shown, tile_size_m: f32) {
    let cells = [shown.columns, shown.rows].map(|side| ((side - 1) * shown.stride) as u64);
    let [columns, rows] = cells.map(|cells| cells << exporting.levels.min(Refinement::MOST_LEVELS));
    let choices = [
        (None, tr("the whole map"), tr("All samples.")),
        (
            exporting.region,
            tr("a rectangle"),
            tr("Samples of only a part of the map, down to the limit of the numbers' precision."),
        ),
    ];
    let choices = choices.map(|(region, name, help)| (region, name.to_owned(), help));
    ui.vertical(|ui| {
        choose(ui, label, tr("a rectangle"), &mut exporting.region, choices);
        let levels = exporting.levels;
        let Some(region) = &mut exporting.region else {
            return;
        };
        let sides = [
            ("x", columns, &mut region.column, &mut region.columns),
            ("z", rows, &mut region.row, &mut region.rows),
        ];
        for (axis, last, first, count) in sides {
            *first = (*first).min(last);
            *count = (*count).clamp(1, MOST_SIDE.min((last - *first) as usize + 1));
            ui.horizontal(|ui| {
                ui.add(number_box(ui, first, 0..=last).prefix(format!("{axis} ")));
                let most = MOST_SIDE.min((last - *first) as usize + 1);
                ui.add(number_box(ui, count, 1..=most).suffix(tr(" samples")));
            });
        }
        let longest = cells[0].max(cells[1]).max(1);
        let apart = f64::from(tile_size_m) / longest as f64 / f64::from(levels).exp2();
        let words = tr!(
            "Level {} + {levels}: {} × {} samples, {} apart",
            longest.next_power_of_two().ilog2(),
            region.columns,
            region.rows,
            shown_length(apart),
            levels
        );
        ui.label(RichText::new(words).small().weak());
    });
}

/// Allowed limits of a height range.
const ANY: RangeInclusive<f32> = f32::MIN..=f32::MAX;

/// Draw the row for the height range.
fn span_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let is_whole = exporting.format().levels.is_some();
    let kind = |span: Span| match (span, is_whole) {
        (Span::Own, true) => tr("the map's range"),
        (Span::Own, false) => tr("usual for the format"),
        (Span::Heights(..), _) => tr("between two heights"),
        (Span::MetresBetween(..), _) => tr("between two heights in m"),
        (Span::Metres, true) => tr("one step per metre"),
        (Span::Metres, false) => tr("metres"),
        (Span::Unit, _) => tr("0 to 1"),
    };
    let (heights, metres) = match exporting.span {
        Span::Heights(low, high) => ((low, high), (low * 1000.0, high * 1000.0)),
        Span::MetresBetween(low, high) => ((low / 1000.0, high / 1000.0), (low, high)),
        _ => ((-1.0, 1.0), (-1000.0, 1000.0)),
    };
    let mut choices = vec![
        (
            Span::Own,
            tr(
                "The lowest and highest heights become the lowest and highest numbers; \
                 floating-point numbers follow the convention of the format.",
            ),
        ),
        (
            Span::Metres,
            tr("Whole numbers: one step per metre. Floating-point numbers: metres."),
        ),
    ];
    if is_whole {
        let between = tr("The same range for every map, so that neighbours fit together.");
        choices.push((Span::Heights(heights.0, heights.1), between));
        choices.push((Span::MetresBetween(metres.0, metres.1), between));
    } else {
        choices.push((Span::Unit, tr("0 is the lowest height, 1 the highest.")));
    }
    if !choices.iter().any(|(span, _)| *span == exporting.span) {
        exporting.span = Span::Own;
    }
    let choices = choices.into_iter();
    let choices = choices.map(|(span, help)| (span, kind(span).to_owned(), help));
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
            ui.label(tr("to"));
            ui.add(number_box(ui, high, ANY).speed(speed).suffix(suffix));
            // The upper limit stays above the lower one, since an empty range is not valid.
            if *high <= *low {
                *high = if *low == below { *high } else { *low };
                *high = high.max(*low + speed as f32);
            }
        });
    });
}

/// Draw the row for the triangles.
fn triangles_ui(ui: &mut Ui, label: Id, exporting: &mut Exporting) {
    let kind = |triangles: Triangles| match triangles {
        Triangles::All => tr("two per cell"),
        Triangles::AtMost(_) => tr("at most"),
        Triangles::Within(_) => tr("as few as the error allows"),
    };
    let choices = [
        (Triangles::All, tr("Every sample is a corner.")),
        (
            Triangles::AtMost(100_000),
            tr("Placed where they are needed most, without cracks."),
        ),
        (
            Triangles::Within(1.0),
            tr("No sample is farther than this from the surface of the mesh, which has no cracks."),
        ),
    ];
    let choices = choices.map(|(choice, help)| {
        // The number entered before is kept.
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
                ui.add(drag.speed(0.05).suffix(tr(" m")));
            }
        }
        let mesh = exporting.format().mesh();
        if mesh.is_some_and(|mesh| mesh.has_open_unit) {
            let mut metres = exporting.mesh_unit == MeshUnit::Metres;
            let shown = ui.checkbox(&mut metres, tr("In metres"));
            shown.on_hover_text(tr("Off: 1 is half a tile."));
            exporting.mesh_unit = match metres {
                true => MeshUnit::Metres,
                false => MeshUnit::Own,
            };
        }
        if mesh.is_some_and(|mesh| mesh.is_printed) {
            let size = number_box(ui, &mut exporting.print_size_mm, 1.0..=10_000.0);
            ui.add(size.suffix(tr(" mm across")));
        }
    });
}

/// Draw the forecast and the numbers.
fn forecast_ui(ui: &mut Ui, exporting: &Exporting, forecast: &Forecast) {
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
        let help = tr("Triangles of the ground, without sides and base.");
        figures.push((tr("Triangles"), triangles.to_string(), help));
    }
    // A region's height range is not known yet: it can lie in finer levels of detail than the map.
    let is_whole = exporting.region.is_none();
    if let Some(steps) = forecast.steps.filter(|_| is_whole) {
        let used = tr!("{} of {}", steps.used, steps.of);
        let help = tr("Number of different height values; a small number shows as terraces.");
        figures.push((tr("Levels used"), used, help));
        let help = tr("Height difference between one whole number and the next.");
        figures.push((tr("One step"), shown_length(steps.metres), help));
    }
    table_ui(ui, "forecast", &figures);
    if let Some(map_size) = forecast.interpolated_from {
        let size = [forecast.rows, forecast.columns];
        note_ui(ui, &interpolated(map_size, size));
    }
    if is_whole && !forecast.is_exact {
        let words = tr(
            "Estimated from the map on screen: the exact numbers are in the .json beside the file.",
        );
        note_ui(ui, words);
    }
    let Some(engine) = exporting.engine().filter(|_| is_whole) else {
        return;
    };
    let format = exporting.format();
    heading_ui(ui, engine);
    if engine.opens(format) {
        note_ui(ui, opened_words(format, exporting.mesh_unit));
    } else if engine.reads(format) {
        numbers_ui(ui, engine, forecast);
    } else {
        let formats = engine.formats.iter().chain(engine.meshes);
        let formats: Vec<_> = formats.map(|format| format.name).collect();
        note_ui(ui, &tr!("{} reads {}.", engine.name, formats.join(", ")));
    }
}

fn heading_ui(ui: &mut Ui, engine: &Engine) {
    ui.add_space(4.0);
    let heading = RichText::new(tr!("Numbers to type into {}", engine.name)).strong();
    ui.label(heading.color(theme::ACCENT));
}

/// Draw the numbers to type into an engine that reads the file.
fn numbers_ui(ui: &mut Ui, engine: &Engine, forecast: &Forecast) {
    note_ui(ui, engine.place);
    let numbers = (engine.numbers)(&forecast.scaling).into_iter();
    let numbers = numbers.map(|(name, number)| (name, plain(number), tr("Click to copy.")));
    table_ui(ui, "engine numbers", &numbers.collect::<Vec<_>>());
    note_ui(ui, (engine.note)(&forecast.scaling));
}

/// Text on how an engine opens a mesh.
fn opened_words(format: &Format, unit: MeshUnit) -> &'static str {
    match format.mesh() {
        Some(mesh) if mesh.is_printed => tr("Opens directly, in the millimetres of the print."),
        Some(mesh) if mesh.has_open_unit && unit != MeshUnit::Metres => {
            tr("Opens directly; tick \"In metres\" for its true size.")
        }
        _ => tr("Opens directly, in metres: no numbers to type in."),
    }
}

/// Text on resampling the map to a file of another size.
fn interpolated([rows, columns]: [usize; 2], size: [usize; 2]) -> String {
    if size[0].max(size[1]) > rows.max(columns) {
        tr!(
            "Larger than the map of {columns} × {rows} samples: the samples in between are \
             interpolated and add no detail. For more detail, use more iterations or levels \
             below.",
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
