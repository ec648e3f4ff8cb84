//! Slider with a number box.

use std::ops::RangeInclusive;

use egui::{Id, Key, Modifiers, Response, Slider, SliderClamping, Ui, vec2};

use super::row::{Row, double_clicked};
use super::value::decimals;
use crate::app::controls::figures::narrow;
use crate::app::controls::number::{add_sized, number_box, read, whole_number_box};
use crate::util::language::tr;
use crate::util::param::spans_scales;

/// Width of the number box, in points.
const VALUE_WIDTH: f32 = 56.0;
/// Capacity of the number box in characters.
const VALUE_ROOM: usize = 7;

/// Slider with a number box.
pub struct SliderBox<'a> {
    /// Range of the slider.
    pub slider: RangeInclusive<f64>,
    /// Range of valid numbers.
    pub allowed: RangeInclusive<f64>,
    /// True for whole numbers.
    pub whole: bool,
    /// Unit; empty for none.
    pub unit: &'a str,
}

impl SliderBox<'_> {
    /// Draw both controls and return the new number; `None` if a double-click resets it.
    pub fn edit(&self, ui: &mut Ui, before: f64, label: Id, row: &Row<'_>) -> Option<f64> {
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
            "px" => tr(" px"),
            _ => "",
        };
        let number = if self.whole {
            whole_number_box(ui, value, self.allowed.clone())
        } else {
            number_box(ui, value, self.allowed.clone())
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
