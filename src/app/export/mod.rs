//! The window "Export": format, size and range of a height map or mesh, what the file will be
//! like, and the numbers for an engine. It edits its settings; the worker makes the forecast, and
//! shows the steps of whole numbers on the terrain.

use egui::{
    Align2, Button, ComboBox, Context, DragValue, Grid, Label, RichText, ScrollArea, Ui, Window,
    pos2, vec2,
};
use serde::{Deserialize, Serialize};

use crate::app::commands::Command;
use crate::app::dialogs::Purpose;
use crate::app::state::Derived;
use crate::app::theme;
use crate::export::{ENGINES, Engine, FORMATS, Forecast, Format, Options, Samples, Span};

pub mod preview;

/// What is chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Exporting {
    /// Whether the window is open.
    pub shown: bool,
    /// Name of the format.
    pub format: String,
    /// Samples a side.
    pub samples: Samples,
    /// What the numbers mean.
    pub span: Span,
    /// Southern row first.
    pub flip: bool,
    /// The engine that the file is for; empty for any program.
    pub engine: String,
    /// Whether the terrain is shown as the file will hold it.
    pub preview: bool,
}

impl Default for Exporting {
    fn default() -> Self {
        Self {
            shown: false,
            format: USUAL.to_owned(),
            samples: Samples::default(),
            span: Span::default(),
            flip: false,
            engine: String::new(),
            preview: false,
        }
    }
}

impl Exporting {
    /// The format chosen; the first if a settings file names one that there is not.
    #[must_use]
    pub fn format(&self) -> &'static Format {
        Format::named(&self.format).unwrap_or(&FORMATS[0])
    }

    /// As the exporter wants it.
    #[must_use]
    pub fn options(&self) -> Options {
        let format = self.format();
        Options {
            format: Some(format),
            span: self.span,
            samples: self.samples,
            flip: self.flip && !format.says_north,
            ..Options::default()
        }
    }

    fn engine(&self) -> Option<&'static Engine> {
        ENGINES.iter().find(|engine| engine.name == self.engine)
    }
}

/// The format that most programs read.
const USUAL: &str = "png";
/// Width of the window's contents, in points.
const WIDTH: f32 = 300.0;
/// Space to the edges of the scene.
const GAP: f32 = 8.0;
/// Title bar and margins.
const FRAME: f32 = 50.0;
/// Narrower scenes, beside a panel that is open in a narrow window, show no window.
const NARROWEST: f32 = 160.0;

/// Draws the window over the scene.
pub fn export_ui(
    ctx: &Context,
    exporting: &mut Exporting,
    derived: &Derived,
    commands: &mut Vec<Command>,
) {
    let scene = derived.scene_rect;
    if !exporting.shown || scene.width() < NARROWEST {
        return;
    }
    let width = WIDTH.min(scene.width() - 2.0 * GAP - 16.0);
    let height = (scene.height() - 2.0 * GAP - FRAME).max(40.0);
    let mut open = true;
    Window::new("Export")
        .open(&mut open)
        .pivot(Align2::RIGHT_TOP)
        .default_pos(pos2(scene.right() - GAP, scene.top() + GAP))
        .default_height(height)
        .resizable(false)
        .constrain_to(scene)
        .show(ctx, |ui| {
            ScrollArea::vertical()
                .max_height(height)
                .min_scrolled_height(height)
                .show(ui, |ui| {
                    ui.set_width(width - 8.0);
                    contents_ui(ui, exporting, derived, commands);
                });
        });
    exporting.shown &= open;
}

fn contents_ui(
    ui: &mut Ui,
    exporting: &mut Exporting,
    derived: &Derived,
    commands: &mut Vec<Command>,
) {
    choices_ui(ui, exporting, derived);
    ui.separator();
    match &derived.forecast {
        Some(Ok(forecast)) => forecast_ui(ui, exporting, forecast),
        Some(Err(words)) => {
            ui.colored_label(ui.visuals().error_fg_color, words);
        }
        None => {
            ui.weak("measuring …");
        }
    }
    ui.add_space(6.0);
    ui.vertical_centered_justified(|ui| {
        let button = Button::new(RichText::new("Export…").strong());
        if ui.add(button.min_size(vec2(0.0, 26.0))).clicked() {
            commands.push(Command::Ask(Purpose::Export));
        }
    });
}

fn choices_ui(ui: &mut Ui, exporting: &mut Exporting, derived: &Derived) {
    let label_width = (ui.available_width() * 0.3).floor();
    Grid::new("choices")
        .num_columns(2)
        .min_col_width(label_width)
        .max_col_width(ui.available_width() - label_width - 10.0)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            ui.label("For");
            engine_ui(ui, exporting);
            ui.end_row();
            ui.label("Format");
            format_ui(ui, exporting);
            ui.end_row();
            ui.label("Samples");
            samples_ui(ui, exporting, derived);
            ui.end_row();
            if !exporting.format().mesh {
                ui.label("Numbers");
                span_ui(ui, exporting);
                ui.end_row();
            }
        });
    let format = exporting.format();
    ui.add(Label::new(RichText::new(format.help).weak()).wrap());
    ui.add_enabled_ui(!format.says_north, |ui| {
        ui.checkbox(&mut exporting.flip, "Southern row first")
            .on_hover_text("For programs that read images upwards.")
            .on_disabled_hover_text("This format says itself where north is.");
    });
    ui.add_enabled_ui(format.levels.is_some(), |ui| {
        ui.checkbox(&mut exporting.preview, "Show the steps on the terrain")
            .on_hover_text("Draws the landscape as the whole numbers of the file give it back.")
            .on_disabled_hover_text("Floats have no steps.");
    });
}

/// A box of choices as wide as there is room.
fn choose<T: PartialEq>(
    ui: &mut Ui,
    id: &str,
    shown: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, &'static str)>,
) -> bool {
    let mut changed = false;
    ComboBox::from_id_salt(id)
        .width(ui.available_width() - 8.0)
        .selected_text(shown)
        .truncate()
        .show_ui(ui, |ui| {
            for (choice, text, help) in choices {
                let chosen = ui.selectable_value(value, choice, text);
                changed |= chosen.on_hover_text(help).clicked();
            }
        });
    changed
}

fn engine_ui(ui: &mut Ui, exporting: &mut Exporting) {
    const ANY: &str = "any program";
    let any = (String::new(), ANY.to_owned(), "No engine in particular.");
    let engines = ENGINES
        .iter()
        .map(|engine| (engine.name.to_owned(), engine.name.to_owned(), engine.note));
    let shown = match exporting.engine.as_str() {
        "" => ANY.to_owned(),
        name => name.to_owned(),
    };
    let choices = std::iter::once(any).chain(engines);
    if choose(ui, "engine", &shown, &mut exporting.engine, choices)
        && let Some(engine) = exporting.engine()
    {
        exporting.format = engine.formats[0].to_owned();
        exporting.samples = engine.samples;
        (exporting.span, exporting.flip) = (Span::Own, false);
    }
}

fn format_ui(ui: &mut Ui, exporting: &mut Exporting) {
    let text = |format: &Format| format!("{} (.{})", format.name, format.extension);
    let formats = FORMATS
        .iter()
        .map(|format| (format.name.to_owned(), text(format), format.help));
    let shown = text(exporting.format());
    choose(ui, "format", &shown, &mut exporting.format, formats);
}

fn samples_ui(ui: &mut Ui, exporting: &mut Exporting, derived: &Derived) {
    let of = |samples: Samples| {
        let shown = derived.shown.as_ref();
        let full = |side: usize, stride: usize| side.saturating_sub(1) * stride + 1;
        shown.map_or(String::new(), |shown| {
            let side = |side| full(side, shown.stride);
            let [rows, columns] = samples.of(side(shown.rows), side(shown.columns));
            format!(": {columns} × {rows}")
        })
    };
    let name = |samples: Samples| {
        let words = match samples {
            Samples::AsIs => "as it is",
            Samples::PowerOfTwo => "2ⁿ",
            Samples::PowerOfTwoPlusOne => "2ⁿ + 1",
            Samples::Unreal => "Unreal's",
            Samples::Exactly(_) => "exactly",
        };
        words.to_owned() + &of(samples)
    };
    let exactly = match exporting.samples {
        Samples::Exactly(side) => side,
        _ => 1000,
    };
    let mut choices = vec![
        (Samples::AsIs, "As many as the map has."),
        (
            Samples::PowerOfTwo,
            "Without the last row and column, which in a map that tiles are its first.",
        ),
        (
            Samples::PowerOfTwoPlusOne,
            "One more than a power of two: Unity's sizes.",
        ),
        (
            Samples::Unreal,
            "The nearest of the sizes that Unreal recommends; interpolated.",
        ),
        (
            Samples::Exactly(exactly),
            "A number of your own; interpolated.",
        ),
    ];
    if exporting.format().mesh {
        choices.retain(|(samples, _)| *samples != Samples::PowerOfTwo);
    }
    let choices = choices
        .into_iter()
        .map(|(samples, help)| (samples, name(samples), help));
    let shown = name(exporting.samples);
    ui.vertical(|ui| {
        choose(ui, "samples", &shown, &mut exporting.samples, choices);
        if let Samples::Exactly(side) = &mut exporting.samples {
            let most = crate::import::MAX_SIDE;
            ui.add(DragValue::new(side).range(2..=most).suffix(" samples"));
        }
    });
}

fn span_ui(ui: &mut Ui, exporting: &mut Exporting) {
    let is_whole = exporting.format().levels.is_some();
    let kind = |span: Span| match (span, is_whole) {
        (Span::Own, true) => "the map's range",
        (Span::Own, false) => "as is usual",
        (Span::Heights(..), _) => "between two heights",
        (Span::MetresBetween(..), _) => "between two heights in m",
        (Span::Metres, true) => "a step a metre",
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
            "Lowest and highest height become the lowest and highest number; floats as is usual \
             in the format.",
        ),
        (
            Span::Metres,
            "Whole numbers: a step a metre. Floats: metres.",
        ),
    ];
    if is_whole {
        let between = "The same range for every map, so that several fit together.";
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
        choose(ui, "span", shown, &mut exporting.span, choices);
        let (low, high, speed, suffix) = match &mut exporting.span {
            Span::Heights(low, high) => (low, high, 0.01, ""),
            Span::MetresBetween(low, high) => (low, high, 1.0, " m"),
            _ => return,
        };
        ui.horizontal(|ui| {
            let below = *low;
            ui.add(DragValue::new(low).speed(speed).suffix(suffix));
            ui.label("to");
            ui.add(DragValue::new(high).speed(speed).suffix(suffix));
            // An empty range is none.
            if *high <= *low {
                *high = if *low == below { *high } else { *low };
                *high = high.max(*low + speed as f32);
            }
        });
    });
}

fn forecast_ui(ui: &mut Ui, exporting: &Exporting, forecast: &Forecast) {
    let mut figures = vec![
        (
            "Size",
            format!("{} × {} samples", forecast.columns, forecast.rows),
            "Columns and rows in the file.",
        ),
        (
            "File",
            format!("about {}", bytes(forecast.bytes)),
            "Told from some rows of the map.",
        ),
    ];
    if let Some(steps) = forecast.steps {
        figures.push((
            "Levels used",
            format!("{} of {}", steps.used, steps.of),
            "Different numbers that occur: few show as terraces.",
        ));
        figures.push((
            "One step",
            length(steps.metres),
            "Height from one number to the next.",
        ));
    }
    table_ui(ui, "forecast", &figures);
    let Some(engine) = exporting.engine() else {
        return;
    };
    ui.add_space(4.0);
    ui.label(
        RichText::new(format!("To type into {}", engine.name))
            .strong()
            .color(theme::ACCENT),
    );
    if !engine.formats.contains(&exporting.format().name) {
        let formats = engine.formats.join(", ");
        ui.label(format!("{} reads {formats}.", engine.name));
        return;
    }
    ui.add(Label::new(RichText::new(engine.place).weak()).wrap());
    let numbers = (engine.numbers)(&forecast.scaling).into_iter();
    let numbers: Vec<_> = numbers
        .map(|(name, number)| (name, plain(number), "Click to copy."))
        .collect();
    table_ui(ui, "engine numbers", &numbers);
    ui.add(Label::new(RichText::new(engine.note).weak()).wrap());
}

/// Names and values; a click copies a value.
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

/// At most four decimals, without zeros at the end.
fn plain(number: f64) -> String {
    let text = format!("{number:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

fn bytes(count: u64) -> String {
    let count = count as f64;
    match count {
        _ if count < 1e3 => format!("{count:.0} bytes"),
        _ if count < 1e6 => format!("{:.0} kB", count / 1e3),
        _ if count < 1e9 => format!("{:.1} MB", count / 1e6),
        _ => format!("{:.1} GB", count / 1e9),
    }
}

fn length(metres: f64) -> String {
    match metres {
        _ if metres < 0.01 => format!("{:.2} mm", metres * 1000.0),
        _ if metres < 1.0 => format!("{:.1} cm", metres * 100.0),
        _ => format!("{metres:.2} m"),
    }
}
