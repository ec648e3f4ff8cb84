//! Editable list of steps: each can be folded, renamed, switched, soloed, moved by dragging or by
//! buttons, duplicated and removed.

use std::sync::Arc;
use std::time::Duration;

use egui::collapsing_header::paint_default_icon;
use egui::{
    Button, Checkbox, Color32, Context, CursorIcon, DragAndDrop, Id, Key, Label, Rect, Response,
    RichText, Sense, Stroke, TextEdit, TextStyle, TextWrapMode, Ui, Vec2, WidgetInfo, WidgetText,
    WidgetType, vec2,
};

use super::finder::{Finder, shows_all};
use super::row::tour_unfolds;
use crate::app::controls::number::short_time;
use crate::app::controls::{select_all, sides};
use crate::app::state::Folds;
use crate::app::theme;
use crate::modify::{MOST_NAME_LETTERS, Named};
use crate::scene::Scene;
use crate::util::language::{mark, tr};

/// Size of the drag handle, in points.
const HANDLE: egui::Vec2 = vec2(12.0, 20.0);
/// Size of the fold button and of its triangle, in points.
const FOLD: egui::Vec2 = vec2(13.0, 20.0);
const TRIANGLE: f32 = 12.0;
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
    /// Name given by the user; empty for that of the kind.
    pub name: &'a mut String,
    /// Name of the step's kind.
    pub kind: &'a str,
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
    /// True if the kind, the name or a switch differs from the preset or file, or the step is missing
    /// there.
    pub differs: bool,
}

impl Head<'_> {
    fn title(&self) -> &str {
        match self.name.as_str() {
            "" => self.kind,
            name => name,
        }
    }

    fn time_words(&self) -> Option<String> {
        self.time.filter(|_| *self.on).map(short_time)
    }
}

const TIME: &str = mark("Time that this step took when it was last computed.");

/// Width of the buttons at the end of a head with the gaps between them, in points.
const ICONS: f32 = 84.0;

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

/// Draw a list of at most `most` steps in the section `id`. Each has the header returned by `head`
/// and, below it, the content drawn by `options` unless it is folded. During a search every step
/// counts as open.
pub fn list_ui<T: Named + Clone + PartialEq + Send + Sync + 'static>(
    ui: &mut Ui,
    (id, most): (&str, usize),
    items: &mut Vec<T>,
    folds: &mut Folds,
    head: impl Fn(usize, &mut T) -> Head<'_>,
    mut options: impl FnMut(&mut Ui, &mut Folds, usize, &mut T),
) {
    let list = ui.id().with(id);
    let count = items.len();
    follow(ui, id, items, folds);
    let added = ui.data_mut(|data| data.remove_temp::<usize>(added_id(id)));
    let mut change = None;
    let mut places = Vec::with_capacity(count);
    for (index, item) in items.iter_mut().enumerate() {
        let step = ui.push_id((id, index), |ui| {
            let dragged = Dragged { list, index };
            let room = count < most;
            let Some(finder) = Finder::of(ui) else {
                let mut open = folds.is_item_open(id, index) || tour_unfolds(ui, id);
                let head = head(index, item);
                change = head_ui(ui, head, Some(&mut open), dragged, (count, room)).or(change);
                folds.note_item(id, index, open);
                if open {
                    options(ui, folds, index, item);
                }
                ui.add_space(4.0);
                return;
            };
            let title = format!("{}. {}", index + 1, head(index, item).title());
            finder.section(&title, || {
                let head = head(index, item);
                let words = [
                    head.title(),
                    head.kind,
                    head.help,
                    "on",
                    "solo",
                    tr("on"),
                    tr("Solo"),
                ];
                if finder.admits_head(ui, &words, head.differs) {
                    change = head_ui(ui, head, None, dragged, (count, room)).or(change);
                }
                options(ui, folds, index, item);
            });
        });
        let place = step.response.rect;
        // Search results stay where they are.
        if added == Some(index) && Finder::of(ui).is_none() {
            ui.scroll_to_rect(place, None);
        }
        places.push(place);
    }
    let Some(change) = drag_ui(ui, list, &places).or(change) else {
        return;
    };
    let mut origins: Vec<_> = (0..count).map(Some).collect();
    match change {
        Change::Move { from, to } => {
            let (item, origin) = (items.remove(from), origins.remove(from));
            items.insert(to, item);
            origins.insert(to, origin);
        }
        Change::Double(index) => {
            items.insert(index + 1, items[index].clone());
            origins.insert(index + 1, None);
            scroll_to_added(ui.ctx(), id, index + 1);
        }
        Change::Remove(index) => {
            items.remove(index);
            origins.remove(index);
        }
    }
    folds.follow_items(id, &origins);
    ui.data_mut(|data| data.insert_temp(items_id(id), Arc::new(items.clone())));
}

/// Scroll to an item in the next frame, since it was just added to the list in section `id`.
pub fn scroll_to_added(ctx: &Context, id: &str, index: usize) {
    ctx.data_mut(|data| data.insert_temp(added_id(id), index));
    ctx.request_repaint();
}

fn added_id(id: &str) -> Id {
    Id::new((id, "added item"))
}

fn items_id(id: &str) -> Id {
    Id::new((id, "items"))
}

/// Let the folds follow their items where something else than the list has changed it since the last
/// frame, such as undo.
fn follow<T: Named + Clone + PartialEq + Send + Sync + 'static>(
    ui: &Ui,
    id: &str,
    items: &[T],
    folds: &mut Folds,
) {
    let last = ui.data(|data| data.get_temp::<Arc<Vec<T>>>(items_id(id)));
    if last.as_ref().is_some_and(|last| **last == *items) {
        return;
    }
    if let Some(last) = last {
        folds.follow_items(id, &origins(&last, items));
    }
    ui.data_mut(|data| data.insert_temp(items_id(id), Arc::new(items.to_vec())));
}

/// Former index of each item of a list; `None` for a new one. An item that has changed is still the
/// same if its place and its kind are.
fn origins<T: Named + PartialEq>(before: &[T], now: &[T]) -> Vec<Option<usize>> {
    let equal = |old: usize, new: usize| before[old] == now[new];
    let rules: [&dyn Fn(usize, usize) -> bool; 3] = [
        &|old, new| old == new && equal(old, new),
        &equal,
        &|old, new| old == new && before[old].kind_name() == now[new].kind_name(),
    ];
    let mut origins = vec![None; now.len()];
    let mut is_taken = vec![false; before.len()];
    for rule in rules {
        for (new, origin) in origins.iter_mut().enumerate() {
            let mut all = 0..before.len();
            if let (None, Some(old)) = (*origin, all.find(|old| !is_taken[*old] && rule(*old, new)))
            {
                (*origin, is_taken[old]) = (Some(old), true);
            }
        }
    }
    origins
}

/// Draw the header line of one step; `open` is `None` where it cannot be folded.
fn head_ui(
    ui: &mut Ui,
    mut head: Head<'_>,
    open: Option<&mut bool>,
    dragged: Dragged,
    (count, room): (usize, bool),
) -> Option<Change> {
    let index = dragged.index;
    let mut change = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        if count > 1 {
            handle_ui(ui, head.title()).dnd_set_drag_payload(dragged);
        }
        if let Some(open) = open {
            fold_button_ui(ui, open, head.title());
        }
        let switch = ui.add(Checkbox::without_text(head.on));
        let on = *head.on;
        switch.widget_info(|| WidgetInfo::selected(WidgetType::Checkbox, true, on, head.title()));
        switch.on_hover_text(head.switch);
        if let Some(solo) = &mut head.solo {
            solo_ui(ui, solo);
        }
        let time = head.time_words();
        // A name that needs the room of the time has it: the time is in its tooltip, too.
        let widths = [head.title(), time.as_deref().unwrap_or_default()].map(|words| {
            let text = WidgetText::from(words);
            let galley =
                text.into_galley(ui, Some(TextWrapMode::Extend), f32::MAX, TextStyle::Body);
            galley.size().x
        });
        let is_time_shown = widths[0] + widths[1] + ICONS <= ui.available_width();
        // The name takes the space left by the buttons, so that a long one does not push them off the
        // panel.
        let name = |ui: &mut Ui| name_ui(ui, dragged.list.with((index, "name")), &mut head);
        sides(ui, name, |ui| {
            // Tight, so that long names fit, but no icon reaches over its button.
            ui.spacing_mut().item_spacing.x = 2.0;
            ui.spacing_mut().button_padding.x = 1.0;
            if let Some(time) = time.filter(|_| is_time_shown) {
                let text = RichText::new(time).small().weak();
                ui.label(text).on_hover_text(tr(TIME));
            }
            let mut button = |text: &str, enabled: bool, help: &str| {
                let button = ui.add_enabled(enabled, Button::new(text).small());
                let button = button.on_hover_text(help);
                button.on_disabled_hover_text(help).clicked()
            };
            let to = |to| Some(Change::Move { from: index, to });
            if button("⏶", index > 0, tr("Apply this step earlier.")) {
                change = to(index - 1);
            }
            if button("⏷", index + 1 < count, tr("Apply this step later.")) {
                change = to(index + 1);
            }
            let help = match room {
                true => tr("Put a copy of this step after it."),
                false => tr("Put a copy of this step after it: the list is full."),
            };
            if button("🗐", room, help) {
                change = Some(Change::Double(index));
            }
            if button("✖", true, tr("Remove this step.")) {
                change = Some(Change::Remove(index));
            }
        });
    });
    change
}

/// Draw the button that folds a step or opens it.
fn fold_button_ui(ui: &mut Ui, open: &mut bool, title: &str) {
    let (rect, button) = ui.allocate_exact_size(FOLD, Sense::click());
    *open ^= button.clicked();
    let (is_enabled, is_open) = (ui.is_enabled(), *open);
    let name = tr!("Unfold {title}", title);
    let kind = WidgetType::CollapsingHeader;
    button.widget_info(|| WidgetInfo::selected(kind, is_enabled, is_open, &name));
    let triangle = Rect::from_center_size(rect.center(), Vec2::splat(TRIANGLE));
    let openness = if is_open { 1.0 } else { 0.0 };
    paint_default_icon(ui, openness, &button.clone().with_new_rect(triangle));
    button.on_hover_text(tr("Show the settings of this step, or only its name."));
}

/// Name that is being typed.
#[derive(Clone, Default)]
struct Draft {
    text: String,
    /// True until the box has received the keyboard focus.
    is_new: bool,
}

/// Draw the name of a step. A double click turns it into a text box.
fn name_ui(ui: &mut Ui, id: Id, head: &mut Head<'_>) {
    if let Some(draft) = ui.data(|data| data.get_temp::<Draft>(id)) {
        rename_ui(ui, id, head, draft);
        return;
    }
    let name = RichText::new(head.title());
    let (name, idle) = match *head.on && !head.acts {
        false => (name.strong(), ""),
        true => (name.weak(), tr("\n\nInactive now: another step is soloed.")),
    };
    // Names are not Tab stops.
    let name = ui.add(Label::new(name).truncate().sense(Sense::CLICK));
    if name.double_clicked() {
        let text = head.name.clone();
        ui.data_mut(|data| data.insert_temp(id, Draft { text, is_new: true }));
        ui.ctx().request_repaint();
    }
    name.on_hover_ui(|ui| {
        ui.strong(head.kind);
        ui.label(format!("{}{idle}", head.help));
        if let Some(time) = head.time_words() {
            ui.label(format!("{} {time}", tr(TIME)));
        }
        ui.weak(tr("Double-click the name to change it."));
    });
}

/// Draw the box in which a step is renamed. Enter, or a click elsewhere, accepts the text; Esc gives
/// up.
fn rename_ui(ui: &mut Ui, id: Id, head: &mut Head<'_>, Draft { mut text, is_new }: Draft) {
    if is_new {
        ui.memory_mut(|memory| memory.request_focus(id));
        select_all(ui.ctx(), id);
    }
    let edit = TextEdit::singleline(&mut text)
        .id(id)
        .hint_text(head.kind)
        .char_limit(MOST_NAME_LETTERS)
        .desired_width(ui.available_width() - 8.0);
    let edit = ui.add(edit);
    // A drag elsewhere also ends typing, not only a click.
    if ui.input(|input| input.pointer.any_pressed()) && !edit.contains_pointer() {
        edit.surrender_focus();
    }
    if edit.has_focus() {
        ui.data_mut(|data| {
            data.insert_temp(
                id,
                Draft {
                    text,
                    is_new: false,
                },
            )
        });
        return;
    }
    ui.data_mut(|data| data.remove_temp::<Draft>(id));
    if edit.lost_focus() && !ui.input(|input| input.key_pressed(Key::Escape)) {
        text.retain(|letter| !letter.is_control());
        text.trim().clone_into(head.name);
    }
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
