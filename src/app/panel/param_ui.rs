//! Generic control for a parameter, built from its table entry: a slider with a number box, a
//! switch, a drop-down, a box for a seed or for a validated text.
//!
//! A typed text takes effect as soon as it is valid. Until then the landscape does not change, and
//! the line below shows the error.

use std::ops::RangeInclusive;

use egui::{
    Checkbox, FontSelection, Id, Key, Modifiers, Response, RichText, Slider, SliderClamping,
    TextEdit, TextStyle, Ui, WidgetInfo, WidgetType, vec2,
};

use super::row::{Row, double_clicked};
use super::simple::Level;
use crate::app::controls::number::{
    Verdict, add_sized, narrow, number_box, read, read_seed, report_verdict, seed_refusal, short,
    whole_number_box,
};
use crate::app::controls::{drop_down, lengths};
use crate::app::theme;
use crate::scene::relevance::Inactive;
use crate::shading::analysis::round_step;
use crate::util::language::tr;
use crate::util::lengths::{Lengths, scaled, scaled_range, shortest};
use crate::util::param::{Kind, PairVisitor, Param, Params, Tables, Value, path, spans_scales};

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
    let mut setting = Setting::of(param, lengths::shown(ui));
    if T::ALTITUDES.contains(&param.key) {
        setting.span_heights(lengths::height_range(ui));
    }
    let value = param.value(owner);
    let check = |text: &str| param.check_text(owner, text);
    let after = setting.show(ui, value, param.value(was), unused, &check);
    after.map(|value| param.set(owner, value)).is_some()
}

/// Other words for a parameter, separated by commas; empty for none.
pub fn synonyms<T: Params>(param: &Param<T>) -> &'static str {
    let words = T::SYNONYMS.iter().find(|(key, _)| *key == param.key);
    words.map_or("", |(_, words)| words)
}

/// Tooltip of a parameter: its effect, unit, range and default, in the units of the scene.
#[must_use]
pub fn help_text<T: Params>(param: &Param<T>) -> String {
    let setting = Setting::of(param, None);
    setting.help_with(&setting.default)
}

/// Number of round steps that the heights of the land span at least, where a slider ends at such a step.
const ROUND_STEPS: f64 = 10.0;
/// Part of a step that counts as an error of rounding.
const ROUNDING: f64 = 1e-6;

/// Parameter without the type of its owner, so that the drawing code is compiled only once.
struct Setting {
    key: &'static str,
    label: &'static str,
    /// Unit in which the number is shown.
    unit: &'static str,
    /// Number shown for 1 of the scene.
    scale: f64,
    help: &'static str,
    kind: Kind,
    default: Value,
    /// Meaning of an empty text.
    empty: &'static str,
    is_advanced: bool,
    /// Other words for it, separated by commas.
    synonyms: &'static str,
}

impl Setting {
    fn of<T: Params>(param: &Param<T>, lengths: Option<Lengths>) -> Self {
        let kind = param.kind();
        let (unit, scale) = lengths.map_or((param.unit, 1.0), |lengths| {
            lengths.unit_of(&kind, param.unit)
        });
        Self {
            key: param.key,
            label: param.label,
            unit,
            scale,
            help: param.help,
            kind,
            default: param.value(&T::default()),
            empty: T::EMPTY,
            is_advanced: T::ADVANCED.contains(&param.key),
            synonyms: synonyms(param),
        }
    }

    /// Let the slider span the heights of the land, between round numbers.
    fn span_heights(&mut self, heights: Option<(f32, f32)>) {
        let Some((low, high)) = heights.filter(|(low, high)| low < high) else {
            return;
        };
        if let Kind::Float { slider, .. } = &mut self.kind {
            let [low, high] = [low, high].map(|height| shortest(height) * self.scale);
            let step = round_step((high - low) / ROUND_STEPS);
            let ends = [
                (low / step + ROUNDING).floor(),
                (high / step - ROUNDING).ceil(),
            ];
            let [low, high] = ends.map(|end| (end * step / self.scale) as f32);
            *slider = (low, high);
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
            level: match (self.is_advanced, value == self.default) {
                (false, _) => Level::Basic,
                (true, false) => Level::Used,
                (true, true) => Level::Advanced,
            },
        };
        let (reset, (edited, label)) = row.show(ui, |ui, label| {
            let edited = match (self.kind, &value) {
                (Kind::Text, Value::Text(text)) => {
                    let text = text_box(ui, text, tr(self.empty), label, &row, check);
                    Some(Value::Text(text))
                }
                _ => self.control(ui, &value, label, &row),
            };
            (edited, label)
        })?;
        if self.kind == Kind::Text {
            draft_error_ui(ui, label, reset);
        }
        let after = edited.filter(|_| !reset).unwrap_or(was);
        (after != value).then_some(after)
    }

    /// Help text with the reset value, if that is not the default.
    fn help_with(&self, was: &Value) -> String {
        let mut facts = Vec::new();
        if !self.unit.is_empty() {
            facts.push(tr!("Unit: {}.", tr(self.unit)));
        }
        let range = scaled_range(self.kind, self.scale).range();
        facts.extend(range.map(|range| format!("{range}.")));
        facts.push(tr!("Default: {}.", self.value_words(&self.default)));
        facts.push(match *was == self.default {
            true => tr("Double-click to reset.").to_owned(),
            false => tr!(
                "Double-click to reset to {}, as in the preset or file.",
                self.value_words(was)
            ),
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
        let words = [self.key, self.label, self.help, self.synonyms].into_iter();
        let others = (!self.synonyms.is_empty()).then(|| tr(self.synonyms));
        let words = words.chain(others);
        words.chain(choices.iter().copied()).chain(shown).collect()
    }

    /// Draw the control. Returns the value in it, or `None` to reset it.
    fn control(&self, ui: &mut Ui, value: &Value, label: Id, row: &Row<'_>) -> Option<Value> {
        let kind = scaled_range(self.kind, self.scale);
        let shown = scaled(value, self.scale);
        let edited = control(ui, (kind, self.unit), shown.clone(), label, row)?;
        if edited == shown {
            // It may have been rounded.
            return Some(value.clone());
        }
        Some(match (scaled(&edited, self.scale.recip()), self.kind) {
            (Value::Float(value), Kind::Float { min, max, .. }) => {
                Value::Float(value.clamp(min, max))
            }
            (value, _) => value,
        })
    }

    fn value_words(&self, value: &Value) -> String {
        let kind = scaled_range(self.kind, self.scale);
        let words = words(&kind, &scaled(value, self.scale));
        let words = Some(words).filter(|words| !words.is_empty());
        words.unwrap_or_else(|| tr(self.empty).to_owned())
    }
}

/// Draw the control of a setting. Returns the value in it, or `None` to reset it.
fn control(
    ui: &mut Ui,
    (kind, unit): (Kind, &str),
    value: Value,
    label: Id,
    row: &Row<'_>,
) -> Option<Value> {
    match (kind, value) {
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
                unit,
            };
            let value = slider_box.edit(ui, shortest(value), label, row)?;
            Some(Value::Float(value as f32))
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
                unit,
            };
            let value = slider_box.edit(ui, f64::from(value), label, row)?;
            Some(Value::Int(value.round() as u32))
        }
        (_, Value::Seed(value)) => {
            let width = ui.available_width();
            Some(Value::Seed(seed_box(ui, value, width, label, row)))
        }
        (_, Value::Switch(mut value)) => {
            let response = ui.add(Checkbox::without_text(&mut value));
            response
                .widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, value, row.label));
            row.explain(response);
            Some(Value::Switch(value))
        }
        (Kind::Choice { names, helps, .. }, Value::Choice(index)) => {
            let choice = |ui: &mut Ui, i: usize| {
                let choice = ui.selectable_label(i == index, tr(names[i]));
                choice.on_hover_text(tr(helps[i])).clicked()
            };
            let place = (Some(index), names.len());
            let (combo, chosen) = drop_down(ui, label, 0.0, tr(names[index]), place, choice);
            row.explain(combo);
            Some(Value::Choice(chosen.unwrap_or(index)))
        }
        (_, value) => Some(value),
    }
}

/// Width of the number box, in points.
const VALUE_WIDTH: f32 = 56.0;
/// Capacity of the number box in characters.
const VALUE_ROOM: usize = 7;

/// Slider with a number box.
struct SliderBox<'a> {
    /// Range of the slider.
    slider: RangeInclusive<f64>,
    /// Range of valid numbers.
    allowed: RangeInclusive<f64>,
    /// True for whole numbers.
    whole: bool,
    /// Unit; empty for none.
    unit: &'a str,
}

impl SliderBox<'_> {
    /// Draw both controls and return the new number; `None` if a double-click resets it.
    fn edit(&self, ui: &mut Ui, before: f64, label: Id, row: &Row<'_>) -> Option<f64> {
        let mut value = before;
        let room = ui.available_width() - VALUE_WIDTH - ui.spacing().item_spacing.x;
        ui.spacing_mut().slider_width = room.max(20.0);
        let (low, high) = (*self.slider.start(), *self.slider.end());
        let mut slider = Slider::new(&mut value, self.slider.clone())
            .show_value(false)
            .clamping(SliderClamping::Never)
            .logarithmic(spans_scales(low, high));
        if self.whole {
            slider = slider.step_by(1.0).integer();
        }
        let slider = ui.add(slider).labelled_by(label);
        value = end_by_keys(&slider, low, high).unwrap_or(value);
        let reset = double_clicked(&slider);
        row.explain(slider);
        self.number_box(ui, &mut value, label, row);
        (!reset).then_some(value)
    }

    fn number_box(&self, ui: &mut Ui, value: &mut f64, label: Id, row: &Row<'_>) {
        let before = *value;
        let span = self.slider.end() - self.slider.start();
        let most = if self.whole { 0 } else { decimals(span) };
        let fewest = most.saturating_sub(1).min(2);
        // The box is narrow, so longer units appear only in the tooltip.
        let suffix = match self.unit {
            "°" => "°",
            "m" => tr(" m"),
            "km" => tr(" km"),
            "mm" => tr(" mm"),
            "px" => tr(" px"),
            _ => "",
        };
        let allowed = self.allowed.clone();
        let number = match self.whole {
            true => whole_number_box(ui, value, allowed),
            false => number_box(ui, value, allowed),
        };
        // A number that fills the box is shown without its unit.
        let beside_unit = VALUE_ROOM.saturating_sub(suffix.chars().count());
        let (suffix, room) = match narrow(before, fewest, most, beside_unit).len() > beside_unit {
            true => ("", VALUE_ROOM),
            false => (suffix, beside_unit),
        };
        let number = number
            .clamp_existing_to_range(false)
            .speed(span / 300.0)
            .max_decimals(most)
            .custom_formatter(move |value, _| narrow(value, fewest, most, room))
            .suffix(suffix);
        ui.spacing_mut().button_padding.x = 2.0;
        let size = vec2(VALUE_WIDTH, ui.spacing().interact_size.y);
        row.explain(add_sized(ui, size, number).labelled_by(label));
        // Entering and leaving the box is not an edit, although the shown number may be rounded.
        if read(&narrow(before, fewest, most, room)) == Some(*value) {
            *value = before;
        }
    }
}

/// End of the range chosen by Home or End while the slider has the focus.
fn end_by_keys(slider: &Response, low: f64, high: f64) -> Option<f64> {
    let ends = [(Key::Home, low), (Key::End, high)];
    let pressed = |key| {
        let ctx = &slider.ctx;
        slider.has_focus() && ctx.input_mut(|input| input.consume_key(Modifiers::NONE, key))
    };
    let end = ends.into_iter().find(|(key, _)| pressed(*key));
    end.map(|(_, end)| end)
}

/// Draw the box and return the seed. It is a text box because number boxes would round values above
/// 2^53. A typed seed takes effect when editing ends; an invalid one is red and leaves the old
/// seed.
pub fn seed_box(ui: &mut Ui, mut seed: u64, width: f32, label: Id, row: &Row<'_>) -> u64 {
    let id = label.with("seed");
    let typed = ui.data(|data| data.get_temp::<String>(id));
    let mut text = typed.clone().unwrap_or_else(|| seed.to_string());
    let valid = read_seed(&text).is_some();
    let mut edit = TextEdit::singleline(&mut text)
        .id(id)
        .desired_width(width - 8.0);
    if !valid {
        edit = edit.text_color(theme::ERROR);
    }
    let response = ui.add(edit).labelled_by(label);
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
                report_verdict(ui.ctx(), Verdict::AsTyped);
            }
            None => report_verdict(ui.ctx(), Verdict::Remark(seed_refusal(&text))),
        }
    }
    row.explain(response);
    seed
}

/// Text being edited; it can differ from the stored setting.
#[derive(Clone, Default)]
struct Draft {
    text: String,
    /// Value of the setting when editing began; another value discards the draft.
    of: String,
    /// Error: the valid values.
    error: Option<String>,
}

/// Draw the box, with `empty` as a hint while it has no text. `check` returns the valid values as
/// its error. Returns the last valid text.
pub fn text_box(
    ui: &mut Ui,
    value: &str,
    empty: &str,
    label: Id,
    row: &Row<'_>,
    check: &dyn Fn(&str) -> Result<(), String>,
) -> String {
    let (id, box_id) = (draft_id(label), label.with("text"));
    let focused = ui.memory(|memory| memory.has_focus(box_id));
    let draft = ui.data(|data| data.get_temp::<Draft>(id));
    let draft = draft.filter(|draft| focused || (draft.error.is_some() && draft.of == value));
    let was_wrong = draft.as_ref().is_some_and(|draft| draft.error.is_some());
    let mut text = draft.map_or_else(|| value.to_owned(), |draft| draft.text);
    let mut edit = TextEdit::singleline(&mut text)
        .id(box_id)
        .hint_text(empty)
        .font(FontSelection::Style(TextStyle::Monospace))
        .desired_width(ui.available_width() - 8.0);
    if was_wrong {
        edit = edit.text_color(theme::ERROR);
    }
    let response = row.explain(ui.add(edit).labelled_by(label));
    // An invalid draft may become valid after a change of another setting.
    let error = check(&text).err();
    let counts = error.is_none() && (response.changed() || was_wrong);
    let after = match counts {
        true => text.clone(),
        false => value.to_owned(),
    };
    if response.has_focus() || (error.is_some() && text != value) {
        let of = value.to_owned();
        ui.data_mut(|data| data.insert_temp(id, Draft { text, of, error }));
    } else {
        ui.data_mut(|data| data.remove_temp::<Draft>(id));
    }
    after
}

/// Draw the error of the draft in the box of `label`, if there is one; `reset` discards the draft.
pub fn draft_error_ui(ui: &mut Ui, label: Id, reset: bool) {
    let id = draft_id(label);
    if reset {
        ui.data_mut(|data| data.remove_temp::<Draft>(id));
    }
    let draft = ui.data(|data| data.get_temp::<Draft>(id));
    if let Some(error) = draft.and_then(|draft| draft.error) {
        let error = tr!("Allowed: {error}.", error);
        ui.label(RichText::new(error).small().color(theme::ERROR));
    }
}

fn draft_id(label: Id) -> Id {
    label.with("draft")
}

/// Value as shown in the panel.
fn words(kind: &Kind, value: &Value) -> String {
    match (kind, value) {
        (Kind::Float { slider, .. }, Value::Float(value)) => short(
            shortest(*value),
            0,
            decimals(f64::from(slider.1 - slider.0)),
        ),
        (_, Value::Switch(value)) => if *value { tr("on") } else { tr("off") }.to_owned(),
        (Kind::Choice { names, .. }, Value::Choice(index)) => tr(names[*index]).to_owned(),
        _ => kind.words(value),
    }
}

/// Number of significant decimals on a scale of this length: a thousandth of it or finer.
fn decimals(span: f64) -> usize {
    (3.0 - span.abs().max(1e-6).log10().floor()).clamp(0.0, 6.0) as usize
}
