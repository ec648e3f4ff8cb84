//! Generic control for a parameter, built from its table entry.

use egui::{Checkbox, Id, Ui, WidgetInfo, WidgetType};

use super::row::Row;
use super::seed_box::seed_box;
use super::slider_box::SliderBox;
use super::text_box::{draft_error_ui, text_box};
use super::value::{shortest, words};
use crate::app::controls::drop_down::drop_down;
use crate::scene::relevance::Inactive;
use crate::util::language::tr;
use crate::util::param::{Kind, PairVisitor, Param, Params, Tables, Value, path};

/// Draw a row for each parameter of a table. `was` is the table in the preset or file; `unused`
/// returns the reason if a parameter has no effect. Returns true if anything changed.
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

/// Draw the rows of the table `key` of `owner`, which is at `place` in the scene, empty for the scene
/// itself. `was` is the owner in the preset or file.
pub fn listed_ui<T: Tables>(
    ui: &mut Ui,
    owner: &mut T,
    was: &T,
    place: &str,
    key: &str,
    inactive: &Inactive,
) {
    struct Rows<'a> {
        ui: &'a mut Ui,
        place: &'a str,
        inactive: &'a Inactive,
    }
    impl PairVisitor for Rows<'_> {
        fn visit<T: Params>(&mut self, table: &mut T, was: &T) {
            table_ui(self.ui, table, was, |key| {
                self.inactive.reason(self.place, key)
            });
        }
    }
    let mut rows = Rows {
        ui,
        place: &path(place, key),
        inactive,
    };
    owner.visit_pair(was, key, &mut rows);
}

/// Draw the row of one parameter. Returns true if it changed.
pub fn param_ui<T: Params>(ui: &mut Ui, param: &Param<T>, owner: &mut T, was: &T) -> bool {
    param_row(ui, param, owner, was, None)
}

/// Draw the row of one parameter, disabled with a reason if `unused` is given. Returns true if it
/// changed.
pub fn param_row<T: Params>(
    ui: &mut Ui,
    param: &Param<T>,
    owner: &mut T,
    was: &T,
    unused: Option<&str>,
) -> bool {
    let setting = Setting::of(param);
    let value = param.value(owner);
    let check = |text: &str| param.check_text(owner, text);
    let after = setting.show(ui, value, param.value(was), unused, &check);
    let changed = after.is_some();
    if let Some(value) = after {
        param.set(owner, value);
    }
    changed
}

/// Tooltip of a parameter: its effect, unit, range and default.
#[must_use]
pub fn help_text<T: Params>(param: &Param<T>) -> String {
    Setting::of(param).help_text()
}

/// Parameter without the type of its owner, so that the drawing code is compiled only once.
struct Setting {
    key: &'static str,
    label: &'static str,
    unit: &'static str,
    help: &'static str,
    kind: Kind,
    default: Value,
    /// Meaning of an empty text.
    empty: &'static str,
}

impl Setting {
    fn of<T: Params>(param: &Param<T>) -> Self {
        Self {
            key: param.key,
            label: param.label,
            unit: param.unit,
            help: param.help,
            kind: param.kind(),
            default: param.value(&T::default()),
            empty: T::EMPTY,
        }
    }

    /// Draw the row of the setting. `was` is the value in the preset or file, `unused` the reason
    /// if the setting has no effect; `check` returns the valid values if a text is invalid. Returns
    /// the new value if it changed.
    fn show(
        &self,
        ui: &mut Ui,
        value: Value,
        was: Value,
        unused: Option<&str>,
        check: &dyn Fn(&str) -> Result<(), String>,
    ) -> Option<Value> {
        let row = Row {
            label: tr(self.label),
            help: &self.help_with(&was),
            differs: value != was,
            unused,
            words: &self.words(),
        };
        let (reset, (mut edit, label)) = row.show(ui, |ui, label| {
            let edit = match (self.kind, &value) {
                (Kind::Text, Value::Text(text)) => {
                    let text = text_box(ui, text, tr(self.empty), label, &row, check);
                    Edit::Value(Value::Text(text))
                }
                _ => control(ui, self, value.clone(), label, &row),
            };
            (edit, label)
        })?;
        if reset {
            edit = Edit::Reset;
        }
        if self.kind == Kind::Text {
            draft_error_ui(ui, label, reset);
        }
        let after = match edit {
            Edit::Value(value) => value,
            Edit::Reset => was,
        };
        (after != value).then_some(after)
    }

    fn help_text(&self) -> String {
        self.help_with(&self.default)
    }

    /// Help text with the reset value, if that is not the default.
    fn help_with(&self, was: &Value) -> String {
        let mut facts = Vec::new();
        if !self.unit.is_empty() {
            facts.push(tr!("Unit: {}.", tr(self.unit)));
        }
        facts.extend(self.kind.range().map(|range| format!("{range}.")));
        facts.push(tr!("Default: {}.", self.value_words(&self.default)));
        facts.push(match *was == self.default {
            true => tr("Double-click to reset.").to_owned(),
            false => tr!("Double-click to reset to {}.", self.value_words(was)),
        });
        format!("{}\n\n{}", tr(self.help), facts.join(" "))
    }

    /// Search words of the setting besides its name and help.
    fn words(&self) -> Vec<&'static str> {
        let choices: &[&str] = match self.kind {
            Kind::Choice { names, .. } => names,
            _ => &[],
        };
        let shown = choices.iter().map(|choice| tr(choice));
        // English words are included, because articles and other users use them.
        let words = [self.key, self.label, self.help].into_iter();
        words.chain(choices.iter().copied()).chain(shown).collect()
    }

    fn value_words(&self, value: &Value) -> String {
        let words = words(&self.kind, value);
        if words.is_empty() {
            return tr(self.empty).to_owned();
        }
        words
    }
}

/// User's edit of a control.
enum Edit {
    Value(Value),
    Reset,
}

fn control(ui: &mut Ui, setting: &Setting, value: Value, label: Id, row: &Row<'_>) -> Edit {
    match (setting.kind, value) {
        (
            Kind::Float {
                min, max, slider, ..
            },
            Value::Float(value),
        ) => {
            let slider_box = SliderBox {
                slider: f64::from(slider.0)..=f64::from(slider.1),
                allowed: shortest(min)..=shortest(max),
                whole: false,
                unit: setting.unit,
            };
            let value = slider_box.edit(ui, shortest(value), label, row);
            value.map_or(Edit::Reset, |value| Edit::Value(Value::Float(value as f32)))
        }
        (
            Kind::Int {
                min,
                max,
                slider_max,
                ..
            },
            Value::Int(value),
        ) => {
            let slider_box = SliderBox {
                slider: f64::from(min)..=f64::from(slider_max),
                allowed: f64::from(min)..=f64::from(max),
                whole: true,
                unit: setting.unit,
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
        (Kind::Choice { names, helps, .. }, Value::Choice(index)) => {
            let choice = |ui: &mut Ui, i: usize| {
                let choice = ui.selectable_label(i == index, tr(names[i]));
                choice.on_hover_text(tr(helps[i])).clicked()
            };
            let place = (Some(index), names.len());
            let (combo, chosen) = drop_down(ui, label, 0.0, tr(names[index]), place, choice);
            row.explain(combo);
            Edit::Value(Value::Choice(chosen.unwrap_or(index)))
        }
        (_, value) => Edit::Value(value),
    }
}
