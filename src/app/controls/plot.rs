//! Static plots: the pointer shows values, but does not zoom or pan.

use egui::Sense;
use egui_plot::{AxisHints, Plot, uniform_grid_spacer};

use crate::app::theme;

/// Formatter for the value of a tick.
pub type Words = fn(f64) -> String;

/// Create a plot that fills the width. Ticks are `steps` apart in x and y, `words` formats their
/// labels, and the labels of the y axis have `margin` points of width.
pub fn still_plot<'a>(
    name: &'static str,
    height: f32,
    margin: f32,
    steps: [f64; 2],
    words: [Words; 2],
) -> Plot<'a> {
    let every = |step: f64| uniform_grid_spacer(move |_| [step; 3]);
    let [x, y] = [AxisHints::new_x(), AxisHints::new_y()];
    let label = |axis: AxisHints<'a>, words: Words| {
        // The closest spacing at which labels fit.
        let axis = axis.label_spacing(12.0..=13.0);
        axis.formatter(move |mark, _| words(mark.value))
    };
    Plot::new(name)
        .height(height)
        .allow_zoom(false)
        .allow_drag(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_axis_zoom_drag(false)
        .allow_double_click_reset(false)
        .sense(Sense::hover())
        .custom_x_axes(vec![label(x, words[0])])
        .custom_y_axes(vec![label(y, words[1]).min_thickness(margin)])
        .x_grid_spacer(every(steps[0]))
        .y_grid_spacer(every(steps[1]))
        .cursor_color(theme::ACCENT.gamma_multiply(0.4))
}

/// Format a tick value without the rounding errors of accumulated steps; a negative zero becomes 0.
#[must_use]
pub fn tick(value: f64) -> String {
    format!("{}", (value * 1e6).round() / 1e6 + 0.0)
}
