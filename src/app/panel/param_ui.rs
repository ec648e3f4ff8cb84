//! A control for any parameter, from its table.

use std::ops::RangeInclusive;

use egui::{Checkbox, Id, Key, Modifiers, Response, Slider, SliderClamping, TextEdit, Ui};

use super::row::{Row, double_clicked};
use super::text_box::{draft_error_ui, text_box};
use crate::app::controls::drop_down::drop_down;
use crate::app::controls::figures::short;
use crate::app::controls::number::{
    Verdict, number_box, read_seed, say, seed_refusal, whole_number_box,
};
use crate::app::theme;
use crate::param::{Field, Param, Params};

/// Width of the box that holds a number.
const VALUE_WIDTH: f32 = 56.0;

/// Draws a row for each parameter of a table that `was` so in the preset or the file; `unused` says
/// why one has no effect. Returns whether anything changed.
pub fn table_ui<'a, T: Params>(
    ui: &mut Ui,
    owner: &mut T,
    was: &T,
    unused: impl Fn(&str) -> Option<&'a str>,
) -> bool {
    let mut changed = false;
    for param in T::PARAMS {
        changed |= param_row(ui, param, owner, was, unused(param.key));
    }
    changed
}

/// Draws the row of one parameter. Returns whether it changed.
pub fn param_ui<T: Params>(ui: &mut Ui, param: &Param<T>, owner: &mut T, was: &T) -> bool {
    param_row(ui, param, owner, was, None)
}

/// As [`param_ui`], for a parameter that has no effect now if `unused` says why.
pub fn param_row<T: Params>(
    ui: &mut Ui,
    param: &Param<T>,
    owner: &mut T,
    was: &T,
    unused: Option<&str>,
) -> bool {
    let before = Value::of(param, owner);
    let was = Value::of(param, was);
    let row = Row {
        label: param.label,
        help: &help_with(param, &was),
        differs: before != was,
        unused,
    };
    let (reset, value) = row.show(ui, |ui, label| {
        let value = match (&param.field, &before) {
            (Field::Text { check, .. }, Value::Text(text)) => {
                let check = |text: &str| check(owner, text);
                Edit::Value(Value::Text(text_box(
                    ui,
                    text,
                    T::EMPTY,
                    label,
                    &row,
                    &check,
                )))
            }
            _ => control(ui, param, before.clone(), label, &row),
        };
        (value, label)
    });
    let (mut value, label) = value;
    if reset {
        value = Edit::Reset;
    }
    if matches!(param.field, Field::Text { .. }) {
        draft_error_ui(ui, label, reset);
    }
    let after = match value {
        Edit::Value(value) => value,
        Edit::Reset => was,
    };
    let changed = after != before;
    if changed {
        after.put(param, owner);
    }
    changed
}

/// What a tooltip says: what the parameter does, its unit, its range, its default.
#[must_use]
pub fn help_text<T: Params>(param: &Param<T>) -> String {
    let mut facts = Vec::new();
    if !param.unit.is_empty() {
        facts.push(format!("Unit: {}.", param.unit));
    }
    match &param.field {
        Field::Float { min, max, .. } => facts.push(format!("{min} to {max}.")),
        Field::Int { min, max, .. } => facts.push(format!("{min} to {max}.")),
        Field::Seed { .. } => facts.push(format!("0 to {}.", u64::MAX)),
        Field::Switch { .. } | Field::Choice { .. } | Field::Text { .. } => {}
    }
    let default = Value::of(param, &T::default()).words(param);
    let default = if default.is_empty() {
        T::EMPTY
    } else {
        &default
    };
    facts.push(format!("Default: {default}."));
    facts.push("Double-click to reset.".to_owned());
    format!("{}\n\n{}", param.help, facts.join(" "))
}

/// As [`help_text`], with what a double-click goes back to if that is not the default.
fn help_with<T: Params>(param: &Param<T>, was: &Value) -> String {
    let help = help_text(param);
    if *was == Value::of(param, &T::default()) {
        return help;
    }
    let was = was.clone().words(param);
    let was = if was.is_empty() { T::EMPTY } else { &was };
    format!("{} to {was}.", help.trim_end_matches('.'))
}

/// The value of a parameter, whatever its type.
#[derive(Clone, Debug, PartialEq)]
enum Value {
    Float(f32),
    Int(u32),
    Seed(u64),
    Switch(bool),
    Choice(usize),
    Text(String),
}

impl Value {
    fn of<T>(param: &Param<T>, owner: &T) -> Self {
        match &param.field {
            Field::Float { get, .. } => Self::Float(get(owner)),
            Field::Int { get, .. } => Self::Int(get(owner)),
            Field::Seed { get, .. } => Self::Seed(get(owner)),
            Field::Switch { get, .. } => Self::Switch(get(owner)),
            Field::Choice { get, .. } => Self::Choice(get(owner)),
            Field::Text { get, .. } => Self::Text(get(owner)),
        }
    }

    fn put<T>(self, param: &Param<T>, owner: &mut T) {
        match (&param.field, self) {
            (Field::Float { set, .. }, Self::Float(value)) => set(owner, value),
            (Field::Int { set, .. }, Self::Int(value)) => set(owner, value),
            (Field::Seed { set, .. }, Self::Seed(value)) => set(owner, value),
            (Field::Switch { set, .. }, Self::Switch(value)) => set(owner, value),
            (Field::Choice { set, .. }, Self::Choice(value)) => set(owner, value),
            (Field::Text { set, .. }, Self::Text(value)) => set(owner, &value),
            // A value only ever comes from its own parameter.
            _ => {}
        }
    }

    fn words<T>(self, param: &Param<T>) -> String {
        match (self, &param.field) {
            (Self::Float(value), Field::Float { slider, .. }) => {
                short(shortest(value), 0, decimals(f64::from(slider.1 - slider.0)))
            }
            (Self::Float(value), _) => value.to_string(),
            (Self::Int(value), _) => value.to_string(),
            (Self::Seed(value), _) => value.to_string(),
            (Self::Switch(value), _) => if value { "on" } else { "off" }.to_owned(),
            (Self::Choice(index), Field::Choice { names, .. }) => names[index].to_owned(),
            (Self::Choice(index), _) => index.to_string(),
            (Self::Text(text), _) => text,
        }
    }
}

/// What the user did with a control.
enum Edit {
    Value(Value),
    Reset,
}

fn control<T>(ui: &mut Ui, param: &Param<T>, value: Value, label: Id, row: &Row<'_>) -> Edit {
    match (&param.field, value) {
        (
            Field::Float {
                min, max, slider, ..
            },
            Value::Float(value),
        ) => {
            let slider_box = SliderBox {
                slider: f64::from(slider.0)..=f64::from(slider.1),
                allowed: f64::from(*min)..=f64::from(*max),
                whole: false,
                unit: param.unit,
            };
            slider_box.edit(ui, shortest(value), label, row, |value| {
                Value::Float(value as f32)
            })
        }
        (
            Field::Int {
                min,
                max,
                slider_max,
                ..
            },
            Value::Int(value),
        ) => {
            let slider_box = SliderBox {
                slider: f64::from(*min)..=f64::from(*slider_max),
                allowed: f64::from(*min)..=f64::from(*max),
                whole: true,
                unit: param.unit,
            };
            slider_box.edit(ui, f64::from(value), label, row, |value| {
                Value::Int(value.round() as u32)
            })
        }
        (_, Value::Seed(value)) => {
            let width = ui.available_width();
            Edit::Value(Value::Seed(seed_box(ui, value, width, label, row)))
        }
        (_, Value::Switch(mut value)) => {
            let response = ui.add(Checkbox::without_text(&mut value));
            response.widget_info(|| {
                egui::WidgetInfo::selected(egui::WidgetType::Checkbox, true, value, row.label)
            });
            row.explain(response);
            Edit::Value(Value::Switch(value))
        }
        (Field::Choice { names, helps, .. }, Value::Choice(index)) => {
            let choice = |ui: &mut Ui, i: usize| {
                let choice = ui.selectable_label(i == index, names[i]);
                choice.on_hover_text(helps[i]).clicked()
            };
            let place = (Some(index), names.len());
            let (combo, chosen) = drop_down(ui, label, 0.0, names[index], place, choice);
            row.explain(combo);
            Edit::Value(Value::Choice(chosen.unwrap_or(index)))
        }
        (_, value) => Edit::Value(value),
    }
}

/// The `f64` that shows the same digits as the `f32`: 0.7, not 0.699999988.
fn shortest(value: f32) -> f64 {
    value.to_string().parse().unwrap_or(f64::from(value))
}

/// A slider and the box with its number.
struct SliderBox<'a> {
    slider: RangeInclusive<f64>,
    allowed: RangeInclusive<f64>,
    whole: bool,
    unit: &'a str,
}

impl SliderBox<'_> {
    fn edit(
        &self,
        ui: &mut Ui,
        before: f64,
        label: Id,
        row: &Row<'_>,
        wrap: impl Fn(f64) -> Value,
    ) -> Edit {
        let mut value = before;
        let room = ui.available_width() - VALUE_WIDTH - ui.spacing().item_spacing.x;
        ui.spacing_mut().slider_width = room.max(20.0);
        let (low, high) = (*self.slider.start(), *self.slider.end());
        let mut slider = Slider::new(&mut value, self.slider.clone())
            .show_value(false)
            .clamping(SliderClamping::Never)
            .logarithmic(low > 0.0 && high / low >= 500.0);
        if self.whole {
            slider = slider.step_by(1.0).integer();
        }
        let slider = ui.add(slider).labelled_by(label);
        value = end_by_keys(&slider, low, high).unwrap_or(value);
        let reset = double_clicked(&slider);
        row.explain(slider);
        self.number_box(ui, &mut value, label, row);
        if reset {
            Edit::Reset
        } else {
            Edit::Value(wrap(value))
        }
    }

    fn number_box(&self, ui: &mut Ui, value: &mut f64, label: Id, row: &Row<'_>) {
        let before = *value;
        let span = self.slider.end() - self.slider.start();
        let most = if self.whole { 0 } else { decimals(span) };
        let fewest = most.saturating_sub(1).min(2);
        // Longer units are in the tooltip only: the box is narrow.
        let suffix = match self.unit {
            "°" => "°",
            "m" => " m",
            "px" => " px",
            _ => "",
        };
        let number = if self.whole {
            whole_number_box(ui, value, self.allowed.clone())
        } else {
            number_box(ui, value, self.allowed.clone())
        };
        let number = number
            .clamp_existing_to_range(false)
            .speed(span / 300.0)
            .max_decimals(most)
            .custom_formatter(move |value, _| short(value, fewest, most))
            .suffix(suffix);
        ui.spacing_mut().button_padding.x = 2.0;
        let size = [VALUE_WIDTH, ui.spacing().interact_size.y];
        row.explain(ui.add_sized(size, number).labelled_by(label));
        // A look into the box is no edit: what it shows may be rounded.
        if short(*value, fewest, most) == short(before, fewest, most) {
            *value = before;
        }
    }
}

/// The end that Home or End takes a slider to, while it has the keyboard.
fn end_by_keys(slider: &Response, low: f64, high: f64) -> Option<f64> {
    let pressed = |key| {
        let ctx = &slider.ctx;
        ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key))
    };
    match slider.has_focus() {
        true if pressed(Key::Home) => Some(low),
        true if pressed(Key::End) => Some(high),
        _ => None,
    }
}

/// Decimals that mean something on a scale that long: at least a thousandth of it.
fn decimals(span: f64) -> usize {
    (3.0 - span.abs().max(1e-6).log10().floor()).clamp(0.0, 6.0) as usize
}

/// A box for a seed: a text, since a number box would round what is above 2^53. What is typed
/// counts once it is finished; what is no seed is red, and leaves the old one.
pub fn seed_box(ui: &mut Ui, seed: u64, width: f32, label: Id, row: &Row<'_>) -> u64 {
    let id = label.with("seed");
    let typed = ui.data(|data| data.get_temp::<String>(id));
    let mut text = match &typed {
        Some(typed) => typed.clone(),
        None => seed.to_string(),
    };
    let valid = read_seed(&text).is_some();
    let mut edit = TextEdit::singleline(&mut text)
        .id(id)
        .desired_width(width - 8.0);
    if !valid {
        edit = edit.text_color(theme::ERROR);
    }
    let response = ui.add(edit).labelled_by(label);
    let mut seed = seed;
    if response.has_focus() {
        if response.changed() {
            ui.data_mut(|data| data.insert_temp(id, text));
        }
    } else if typed.is_some() || response.changed() {
        ui.data_mut(|data| data.remove_temp::<String>(id));
        let given_up = ui.input(|input| input.key_pressed(Key::Escape));
        match read_seed(&text) {
            _ if given_up => {}
            Some(read) => {
                seed = read;
                say(ui.ctx(), Verdict::AsTyped);
            }
            None => say(ui.ctx(), Verdict::Remark(seed_refusal(&text))),
        }
    }
    row.explain(response);
    seed
}
