//! Controls shared by panels, dialogs and bars: drop-downs, number boxes, plots, keyboard focus and
//! the figures of a watershed.

pub mod lengths;
pub mod number;
pub mod ramp;

use egui::text::{CCursor, CCursorRange};
use egui::text_edit::TextEditState;
use egui::{
    Align, Button, ComboBox, Context, EventFilter, FocusDirection, Grid, Id, Key, Label, Layout,
    Modifiers, Response, RichText, Sense, Ui, UiBuilder, vec2,
};
use egui_plot::{AxisHints, Plot, uniform_grid_spacer};
use number::{shown_area, shown_length};

use crate::app::theme;
use crate::pipeline::{ShownWatershed, pour_point};
use crate::scene::Scene;
use crate::terrain::geo::Georeference;
use crate::terrain::measure::IN_THE_SEA;
use crate::util::language::tr;
use crate::util::numbers::{fixed, metres_per_unit};

/// Draw a button with a tooltip. Returns true if it was clicked.
pub fn button(ui: &mut Ui, words: &str, help: &str) -> bool {
    ui.button(words).on_hover_text(help).clicked()
}

/// Draw a button that can be disabled, with the tooltips `help` and, while it is disabled, `why`.
/// Returns true if it was clicked.
pub fn button_if(ui: &mut Ui, enabled: bool, words: &str, help: &str, why: &str) -> bool {
    let button = ui.add_enabled(enabled, Button::new(words));
    let button = button.on_hover_text(help).on_disabled_hover_text(why);
    button.clicked()
}

/// Draw the rest of a line with `right` at its right end and `left` in the space before that. Unlike
/// in a layout from right to left, the keyboard reaches both sides in the order in which they are
/// read. Neither side can widen the panel.
pub fn sides<R>(ui: &mut Ui, left: impl FnOnce(&mut Ui), right: impl FnOnce(&mut Ui) -> R) -> R {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let (line, place) = ui.allocate_exact_size(size, Sense::hover());
    let id = place.id.with("right side");
    let width = ui.data(|data| data.get_temp(id)).unwrap_or(0.0);
    let gap = ui.spacing().item_spacing.x;
    let middle = line.right() - width;
    let mut side = |rect| {
        let layout = Layout::left_to_right(Align::Center);
        ui.new_child(UiBuilder::new().max_rect(rect).layout(layout))
    };
    let end = (middle - gap).max(line.left());
    left(&mut side(line.with_max_x(end)));
    let mut right_side = side(line.with_min_x(middle));
    let value = right(&mut right_side);
    let drawn = right_side.min_rect().width();
    if (drawn - width).abs() > 0.5 {
        ui.data_mut(|data| data.insert_temp(id, drawn));
        ui.ctx()
            .request_discard("the right side of a line has a new width");
    }
    value
}

/// Draw a figure: its name and its value with the same tooltip, for two columns of a grid.
pub fn figure_ui(ui: &mut Ui, name: &str, value: String, help: &str) {
    ui.add(Label::new(RichText::new(name).weak()))
        .on_hover_text(help);
    let value = RichText::new(value).color(ui.visuals().strong_text_color());
    ui.add(Label::new(value)).on_hover_text(help);
}

/// Maximum height of an open list in points; most lists fit without scrolling.
const MOST_LIST_HEIGHT: f32 = 520.0;

/// Draw a drop-down of `count` choices, as wide as the available width less `margin`. `label` is
/// the id of its label, `chosen` the index of the current choice. `choice` draws the entry of an
/// index and returns true if it was clicked. Returns the response and the new choice.
pub fn drop_down(
    ui: &mut Ui,
    label: Id,
    margin: f32,
    shown: &str,
    (mut chosen, count): (Option<usize>, usize),
    mut choice: impl FnMut(&mut Ui, usize) -> bool,
) -> (Response, Option<usize>) {
    let room = ui.ctx().content_rect().height() - 80.0;
    let height = MOST_LIST_HEIGHT.min(room).max(60.0);
    let combo = ComboBox::from_id_salt(label)
        .width(ui.available_width() - margin)
        .selected_text(shown)
        .truncate()
        .height(height)
        .show_ui(ui, |ui| {
            for index in 0..count {
                if choice(ui, index) {
                    chosen = Some(index);
                }
            }
        });
    let response = combo.response.labelled_by(label);
    let chosen = chosen_by_keys(&response, chosen, count);
    (response, chosen)
}

/// Draw a drop-down of values, each with its text and a tooltip. Returns true if one was chosen.
pub fn choose<T: PartialEq + Clone>(
    ui: &mut Ui,
    label: Id,
    shown: &str,
    value: &mut T,
    choices: impl IntoIterator<Item = (T, String, &'static str)>,
) -> bool {
    let choices: Vec<_> = choices.into_iter().collect();
    // A value that is not in the list counts as the first.
    let before = choices.iter().position(|(choice, ..)| choice == value);
    let before = before.or(Some(0));
    let mut clicked = false;
    let choice = |ui: &mut Ui, index: usize| {
        let (_, text, help) = &choices[index];
        let chosen = ui.selectable_label(before == Some(index), text);
        let chosen = chosen.on_hover_text(*help).clicked();
        clicked |= chosen;
        chosen
    };
    let (_, after) = drop_down(ui, label, 8.0, shown, (before, choices.len()), choice);
    let chosen = after.filter(|_| clicked || after != before);
    if let Some(index) = chosen {
        *value = choices[index].0.clone();
    }
    chosen.is_some()
}

/// Apply the arrow keys while the drop-down has the focus. Returns the new choice.
fn chosen_by_keys(response: &Response, chosen: Option<usize>, count: usize) -> Option<usize> {
    if !response.has_focus() {
        return chosen;
    }
    let ctx = &response.ctx;
    let filter = EventFilter {
        vertical_arrows: true,
        ..EventFilter::default()
    };
    ctx.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ctx.input_mut(|input| input.count_and_consume_key(Modifiers::NONE, key));
    let (up, down) = (pressed(Key::ArrowUp), pressed(Key::ArrowDown));
    if (up, down) == (0, 0) {
        return chosen;
    }
    // Without a choice the arrow keys begin after the last entry.
    let index = (chosen.unwrap_or(count) + down).saturating_sub(up);
    Some(index.min(count.saturating_sub(1)))
}

/// True if a text field has the keyboard focus.
#[must_use]
pub fn is_typing(ctx: &Context) -> bool {
    let focused = ctx.memory(|memory| memory.focused());
    focused.is_some_and(|id| TextEditState::load(ctx, id).is_some())
}

/// Select the whole text of a box, so that typing replaces it.
pub fn select_all(ctx: &Context, id: Id) {
    let mut state = TextEditState::load(ctx, id).unwrap_or_default();
    // egui clamps the cursor to the end of the text.
    let all = CCursorRange::two(CCursor::default(), CCursor::new(usize::MAX));
    state.cursor.set_char_range(Some(all));
    state.store(ctx, id);
}

/// Keyboard focus in the panel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PanelFocus {
    /// True if the panel takes the focus when it is drawn next.
    enters: bool,
    /// Control that had the focus when the panel was last drawn.
    last: Option<Id>,
}

impl PanelFocus {
    /// Request the focus for the panel.
    pub fn send(&mut self) {
        self.enters = true;
    }

    /// Move the focus to the next control if it was requested for the panel.
    pub fn enter(&mut self, ui: &Ui) {
        if std::mem::take(&mut self.enters) {
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::Next));
            // The new focus is visible only in the next frame.
            ui.ctx().request_repaint();
        }
    }

    /// Scroll to the focused control of `ui` if it is out of sight.
    pub fn follow(&mut self, ui: &Ui) {
        let now = ui.memory(|memory| memory.focused());
        if now == std::mem::replace(&mut self.last, now) {
            return;
        }
        let control = now.and_then(|now| ui.ctx().read_response(now));
        if let Some(control) = control.filter(|control| control.layer_id == ui.layer_id()) {
            let inside = ui.clip_rect().x_range().contains(control.rect.center().x);
            if inside && !ui.clip_rect().contains_rect(control.rect) {
                ui.scroll_to_rect(control.rect, None);
            }
        }
    }
}

/// Formatter for the value of a tick.
pub type TickFormat = fn(f64) -> String;

/// Create a plot that fills the width. Ticks are `steps` apart in x and y, `words` formats their
/// labels, and the labels of the y axis have `margin` points of width.
pub fn still_plot<'a>(
    name: &'static str,
    height: f32,
    margin: f32,
    steps: [f64; 2],
    words: [TickFormat; 2],
) -> Plot<'a> {
    let every = |step: f64| uniform_grid_spacer(move |_| [step; 3]);
    let [x, y] = [AxisHints::new_x(), AxisHints::new_y()];
    let label = |axis: AxisHints<'a>, words: TickFormat| {
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

/// Draw the figures of the scene's watershed, or a hint if there is none. The outlet is in map
/// coordinates where the map is georeferenced.
pub fn watershed_figures(
    ui: &mut Ui,
    scene: &Scene,
    shown: Option<&ShownWatershed>,
    georeference: Option<&Georeference>,
) {
    let Some(asked) = scene.analysis.watershed else {
        ui.weak(tr("Click on the land."));
        return;
    };
    let place = |[x, z]: [f32; 2]| format!("x {}, z {}", fixed(x, 3), fixed(z, 3));
    let Some(shown) = shown else {
        let words = match pour_point(scene) {
            Some(_) => "…",
            None => tr("not available while a single pass is shown"),
        };
        ui.weak(format!("{}: {words}", place(asked)));
        return;
    };
    let watershed = &shown.watershed;
    if watershed.is_empty() {
        let words = tr!("{} is {}.", place(shown.outlet), tr(IN_THE_SEA));
        ui.add(Label::new(words).wrap());
        return;
    }
    let metres = metres_per_unit(scene.surface.tile_size_m);
    let outlet = georeference.map_or_else(
        || place(shown.outlet),
        |georeference| georeference.format_point(shown.outlet_from_corner),
    );
    let away = shown_length(f64::from(watershed.moved) * metres);
    // The analysis fills depressions even if rivers and lakes are off in the picture.
    let outlet = match (watershed.moved > 0.0, watershed.in_lake) {
        (false, _) => outlet,
        (true, true) => tr!(
            "{outlet}, where this hollow overflows, {away} away",
            outlet,
            away
        ),
        (true, false) => tr!("{outlet}, in the river {away} away", outlet, away),
    };
    let area = shown_area(watershed.area * metres * metres);
    let share = format!("{:.2}", watershed.share * 100.0);
    let longest = shown_length(watershed.longest * metres);
    let ends_in = tr(watershed.end.words()).to_owned();
    let outlet_help = tr(
        "The dot. A point close to a river snaps to the river; a point in a hollow, with or \
         without a lake in the picture, snaps to the place where its water overflows.",
    );
    let drains = tr("The land that drains through the outlet.");
    let spring = tr("From its spring to the outlet.");
    let goes = tr("Where the water goes from the outlet.");
    let share = tr!("{} % of the land", share);
    let rows = [
        (tr("Area"), area, drains),
        (tr("Share"), share, tr("Of all land above the sea.")),
        (tr("Longest river"), longest, spring),
        (tr("Outlet"), outlet, outlet_help),
        (tr("Ends in"), ends_in, goes),
    ];
    Grid::new("watershed figures")
        .num_columns(2)
        .spacing([10.0, 3.0])
        .show(ui, |ui| {
            for (label, value, help) in rows {
                figure_ui(ui, label, value, help);
                ui.end_row();
            }
        });
}
