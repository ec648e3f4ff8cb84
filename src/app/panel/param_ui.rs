//! A control for any parameter, from its table.

use egui::{Checkbox, Id, Ui, WidgetInfo, WidgetType};

use super::row::Row;
use super::seed_box::seed_box;
use super::slider_box::SliderBox;
use super::text_box::{draft_error_ui, text_box};
use super::value::{Value, shortest};
use crate::app::controls::drop_down::drop_down;
use crate::param::{Field, Param, Params};

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

/// Does the same as [`param_ui`] for a parameter that has no effect now if `unused` says why.
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
                let text = text_box(ui, text, T::EMPTY, label, &row, &check);
                Edit::Value(Value::Text(text))
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

/// The words of [`help_text`], with what a double-click goes back to if that is not the default.
fn help_with<T: Params>(param: &Param<T>, was: &Value) -> String {
    let help = help_text(param);
    if *was == Value::of(param, &T::default()) {
        return help;
    }
    let was = was.clone().words(param);
    let was = if was.is_empty() { T::EMPTY } else { &was };
    format!("{} to {was}.", help.trim_end_matches('.'))
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
            let value = slider_box.edit(ui, shortest(value), label, row);
            value.map_or(Edit::Reset, |value| Edit::Value(Value::Float(value as f32)))
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
            let value = slider_box.edit(ui, f64::from(value), label, row);
            value.map_or(Edit::Reset, |value| {
                Edit::Value(Value::Int(value.round() as u32))
            })
        }
        (_, Value::Seed(value)) => {
            let width = ui.available_width();
            Edit::Value(Value::Seed(seed_box(ui, value, width, label, row)))
        }
        (_, Value::Switch(mut value)) => {
            let response = ui.add(Checkbox::without_text(&mut value));
            response
                .widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, value, row.label));
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
