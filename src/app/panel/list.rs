//! Editable list of steps: each can be switched, soloed, moved by dragging or by buttons,
//! duplicated and removed.

use std::time::Duration;

use egui::{
    Align, Button, Checkbox, Color32, CursorIcon, DragAndDrop, Id, Label, Layout, Rect, Response,
    RichText, Sense, Stroke, Ui, WidgetInfo, WidgetType, vec2,
};

use super::finder::{Finder, shows_all};
use crate::app::controls::number::short_time;
use crate::app::theme;
use crate::scene::Scene;
use crate::util::language::tr;

/// Size of the drag handle, in points.
const HANDLE: egui::Vec2 = vec2(12.0, 20.0);
/// Size of the solo button, in points.
const SOLO: egui::Vec2 = vec2(17.0, 17.0);
/// Distance from the panel's upper or lower end at which a drag scrolls it, and the scroll step, in
/// points.
const SCROLL_MARGIN: f32 = 24.0;
const SCROLL_STEP: f32 = 8.0;

/// Header of one step.
pub struct Head<'a> {
    /// Tooltip of the on/off switch.
    pub switch: &'static str,
    /// Name of the step.
    pub name: &'a str,
    /// One-line description.
    pub help: &'a str,
    /// On/off switch.
    pub on: &'a mut bool,
    /// Solo switch: only soloed steps are applied; `None` for steps without one.
    pub solo: Option<&'a mut bool>,
    /// False if other steps are soloed and this one is not.
    pub acts: bool,
    /// Computation time, if the step was applied.
    pub time: Option<Duration>,
    /// True if the kind or a switch differs from the preset or file, or the step is missing there.
    pub differs: bool,
}

/// Edit of the list.
#[derive(Clone, Copy)]
enum Change {
    Move { from: usize, to: usize },
    Double(usize),
    Remove(usize),
}

/// Step being dragged.
#[derive(Clone, Copy)]
struct Dragged {
    list: Id,
    index: usize,
}

/// Draw a list of at most `most` steps. Each has the header returned by `head` and, below it, the
/// content drawn by `options`.
pub fn list_ui<T: Clone>(
    ui: &mut Ui,
    (id, most): (&str, usize),
    items: &mut Vec<T>,
    head: impl Fn(usize, &mut T) -> Head<'_>,
    mut options: impl FnMut(&mut Ui, usize, &mut T),
) {
    let list = ui.id().with(id);
    let count = items.len();
    let mut change = None;
    let mut places = Vec::with_capacity(count);
    for (index, item) in items.iter_mut().enumerate() {
        let step = ui.push_id((id, index), |ui| {
            let dragged = Dragged { list, index };
            let room = count < most;
            let Some(finder) = Finder::of(ui) else {
                change = head_ui(ui, head(index, item), dragged, (count, room)).or(change);
                options(ui, index, item);
                ui.add_space(4.0);
                return;
            };
            let title = format!("{}. {}", index + 1, head(index, item).name);
            finder.section(&title, || {
                let head = head(index, item);
                let words = [head.name, head.help, "on", "solo", tr("on"), tr("Solo")];
                if finder.admits_head(ui, &words, head.differs) {
                    change = head_ui(ui, head, dragged, (count, room)).or(change);
                }
                options(ui, index, item);
            });
        });
        places.push(step.response.rect);
    }
    match drag_ui(ui, list, &places).or(change) {
        Some(Change::Move { from, to }) => {
            let item = items.remove(from);
            items.insert(to, item);
        }
        Some(Change::Double(index)) => items.insert(index + 1, items[index].clone()),
        Some(Change::Remove(index)) => drop(items.remove(index)),
        None => {}
    }
}

/// Draw the header line of one step.
fn head_ui(
    ui: &mut Ui,
    head: Head<'_>,
    dragged: Dragged,
    (count, room): (usize, bool),
) -> Option<Change> {
    let index = dragged.index;
    let mut change = None;
    ui.horizontal(|ui| {
        if count > 1 {
            handle_ui(ui, head.name).dnd_set_drag_payload(dragged);
        }
        let switch = ui.add(Checkbox::without_text(head.on));
        let on = *head.on;
        switch.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, head.name));
        switch.on_hover_text(head.switch);
        if let Some(solo) = head.solo {
            solo_ui(ui, solo);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 3.0;
            let mut button = |text: &str, enabled: bool, help: &str| {
                let button = ui.add_enabled(enabled, Button::new(text).small());
                let button = button.on_hover_text(help);
                button.on_disabled_hover_text(help).clicked()
            };
            if button("✖", true, tr("Remove this step.")) {
                change = Some(Change::Remove(index));
            }
            let help = match room {
                true => tr("Put a copy of this step after it."),
                false => tr("Put a copy of this step after it: the list is full."),
            };
            if button("🗐", room, help) {
                change = Some(Change::Double(index));
            }
            let to = |to| Some(Change::Move { from: index, to });
            if button("⏷", index + 1 < count, tr("Apply this step later.")) {
                change = to(index + 1);
            }
            if button("⏶", index > 0, tr("Apply this step earlier.")) {
                change = to(index - 1);
            }
            if let Some(time) = head.time.filter(|_| on) {
                let text = RichText::new(short_time(time)).small().weak();
                let help = tr("Time that this step took when it was last computed.");
                ui.label(text).on_hover_text(help);
            }
            // The name takes the space left by the buttons, so that a long one does not push them
            // off the panel.
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let name = RichText::new(head.name);
                let (name, idle) = match on && !head.acts {
                    false => (name.strong(), ""),
                    true => (name.weak(), tr("\n\nInactive now: another step is soloed.")),
                };
                let title = ui.add(Label::new(name).truncate());
                title.on_hover_text(format!("{}{idle}", head.help));
            });
        });
    });
    change
}

/// Draw the solo button.
fn solo_ui(ui: &mut Ui, solo: &mut bool) {
    let (color, text) = match *solo {
        true => (theme::WARNING, RichText::new("S").color(Color32::BLACK)),
        false => (Color32::TRANSPARENT, RichText::new("S").weak()),
    };
    // The button keeps its minimum size whatever the letter's width.
    ui.spacing_mut().button_padding.x = 0.0;
    let button = Button::new(text).fill(color).min_size(SOLO).small();
    let button = ui.add(button);
    let is_on = *solo;
    button.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, is_on, tr("Solo")));
    let help = tr(
        "Solo: only this layer or modifier acts, with any others that are soloed. Solo also \
         applies to files and pictures, until you end it.",
    );
    if button.on_hover_text(help).clicked() {
        *solo ^= true;
    }
}

/// Draw a note that steps are soloed, with a button that ends it.
pub fn end_solo_ui(ui: &mut Ui, scene: &mut Scene) {
    if !scene.is_soloed() || !shows_all(ui) {
        return;
    }
    ui.horizontal(|ui| {
        let words = RichText::new(tr("Only soloed steps act.")).small();
        ui.label(words.color(theme::WARNING));
        let button = ui.add(Button::new(tr("End solo")).small());
        let help = tr("Applies all layers and modifiers that are on again.");
        if button.on_hover_text(help).clicked() {
            scene.end_solo();
        }
    });
}

/// Draw the drag handle: six dots.
fn handle_ui(ui: &mut Ui, name: &str) -> Response {
    let (rect, handle) = ui.allocate_exact_size(HANDLE, Sense::drag());
    handle.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, tr!("Move {name}", name)));
    let color = ui.style().interact(&handle).fg_stroke.color;
    for row in -1..=1 {
        for side in [-2.0, 2.0] {
            let dot = rect.center() + vec2(side, row as f32 * 4.0);
            ui.painter().circle_filled(dot, 1.2, color);
        }
    }
    handle
        .on_hover_cursor(CursorIcon::Grab)
        .on_hover_text(tr("Drag to apply this step earlier or later."))
}

/// Draw the insertion line while a step of this list is dragged. Returns the move when it is
/// dropped.
fn drag_ui(ui: &Ui, list: Id, places: &[Rect]) -> Option<Change> {
    let ctx = ui.ctx();
    let dragged = DragAndDrop::payload::<Dragged>(ctx).filter(|dragged| dragged.list == list)?;
    let pointer = ctx.input(|input| input.pointer.latest_pos())?;
    let from = dragged.index;
    let above = places.iter().filter(|place| place.center().y < pointer.y);
    let gap = above.count();
    let (first, last) = (places.first()?, places.last()?);
    let y = places.get(gap).map_or(last.bottom(), |place| place.top()) - 3.0;
    let line = Stroke::new(2.0, theme::ACCENT);
    ui.painter().hline(first.x_range(), y, line);
    ctx.set_cursor_icon(CursorIcon::Grabbing);
    let seen = ui.clip_rect();
    let step = match pointer.y {
        y if y < seen.top() + SCROLL_MARGIN => SCROLL_STEP,
        y if y > seen.bottom() - SCROLL_MARGIN => -SCROLL_STEP,
        _ => 0.0,
    };
    if step != 0.0 {
        ui.scroll_with_delta(vec2(0.0, step));
        ctx.request_repaint();
    }
    if !ctx.input(|input| input.pointer.any_released()) {
        return None;
    }
    DragAndDrop::clear_payload(ctx);
    // Removing the step shifts the following ones up by one.
    let to = if gap > from { gap - 1 } else { gap };
    (to != from).then_some(Change::Move { from, to })
}
