//! Window "Palette editor": the ramp of the scene's palette with its stops, the colour and the height of the chosen
//! stop, and a name under which the palette is saved as the user's own.
//!
//! The first edit gives the scene a palette of its own, so that it is the same on every machine. Every edit is
//! a change of the scene, which undo takes back.

use egui::{
    Align2, Button, Color32, Context, CursorIcon, Id, Pos2, Rect, Response, Sense, Stroke,
    TextEdit, Ui, WidgetInfo, WidgetType, pos2, vec2,
};

use super::{has_room, main_button, scene_window};
use crate::app::commands::{Action, Command};
use crate::app::controls::number::number_box;
use crate::app::controls::ramp::paint_ramp;
use crate::app::own_preset::{is_same, palette_objection};
use crate::app::state::Derived;
use crate::app::state::palettes::{PaletteEditor, Palettes, add_stop, move_stop};
use crate::app::theme;
use crate::scene::Scene;
use crate::scene::palette::{MOST_STOPS, Palette};
use crate::util::language::{mark, tr};

/// Title of the window.
pub const TITLE: &str = mark("Palette editor");
/// Size of the ramp, in points.
const WIDTH: f32 = 300.0;
const HEIGHT: f32 = 28.0;
/// Size of the handle of a stop, in points.
const HANDLE: f32 = 12.0;

/// Draw the window if it is open.
pub fn palette_window_ui(
    ctx: &Context,
    palettes: &mut Palettes,
    scene: &mut Scene,
    derived: &Derived,
    actions: &mut Vec<Action>,
) {
    let area = derived.scene_rect;
    let Some(mut editor) = palettes.editor.take() else {
        return;
    };
    if !has_room(area) {
        palettes.editor = Some(editor);
        return;
    }
    if scene.palette.is_none() && scene.view.palette != editor.base_name {
        // The user has chosen another palette meanwhile. One from a file is read by the window.
        match Palette::named(&scene.view.palette) {
            Ok(base) => editor = PaletteEditor::new(scene, base.clone()),
            Err(_) => return,
        }
    }
    let before = editor.palette(scene);
    let mut palette = before.clone();
    let mut open = true;
    scene_window(ctx, TITLE, Align2::LEFT_TOP, area, &mut open, |ui| {
        contents_ui(ui, &mut palette, &mut editor.chosen, &palettes.own, actions);
    });
    if palette != before {
        scene.palette = Some(palette);
    }
    palettes.editor = Some(editor).filter(|_| open);
}

fn contents_ui(
    ui: &mut Ui,
    palette: &mut Palette,
    chosen: &mut usize,
    own: &[Palette],
    actions: &mut Vec<Action>,
) {
    ui.set_width(WIDTH + HANDLE);
    *chosen = (*chosen).min(palette.stops.len() - 1);
    ramp_ui(ui, palette, chosen);
    stop_ui(ui, palette, *chosen);
    ui.horizontal(|ui| {
        let room = palette.stops.len() < MOST_STOPS;
        let add = ui.add_enabled(room, Button::new(tr("Add stop")));
        let help =
            tr("Adds a stop after the chosen one. A double click on the ramp adds one there.");
        if add.on_hover_text(help).clicked() {
            let stops = &palette.stops;
            let (from, to) = match stops.get(*chosen + 1) {
                Some(next) => (stops[*chosen].at, next.at),
                None => (stops[chosen.saturating_sub(1)].at, stops[*chosen].at),
            };
            *chosen = add_stop(palette, rounded((from + to) * 0.5));
        }
        let several = palette.stops.len() > 1;
        let remove = ui.add_enabled(several, Button::new(tr("Remove stop")));
        if remove
            .on_disabled_hover_text(tr("A palette needs a stop."))
            .clicked()
        {
            palette.stops.remove(*chosen);
            *chosen = chosen.saturating_sub(1);
        }
    });
    ui.separator();
    ui.horizontal(|ui| {
        let label = ui.label(tr("Name")).id;
        let edit = TextEdit::singleline(&mut palette.name).desired_width(f32::INFINITY);
        ui.add(edit).labelled_by(label);
    });
    let objection = palette_objection(&palette.name);
    let replaces = own.iter().any(|own| is_same(&own.name, &palette.name));
    ui.weak(match (objection, replaces) {
        (Some(words), _) => words,
        (None, true) => tr("It replaces the palette with that name."),
        (None, false) => tr("The scene keeps its palette in any case."),
    });
    ui.add_space(4.0);
    let valid = objection.is_none();
    if main_button(
        ui,
        valid,
        tr("Save as your own"),
        objection.unwrap_or_default(),
    ) {
        actions.push(Command::KeepPalette(Box::new(palette.clone())).into());
    }
}

/// Draw the ramp, and below it a handle for each stop.
fn ramp_ui(ui: &mut Ui, palette: &mut Palette, chosen: &mut usize) {
    let size = vec2(WIDTH + HANDLE, HEIGHT + HANDLE + 6.0);
    let (place, _) = ui.allocate_exact_size(size, Sense::hover());
    let ramp = Rect::from_min_size(place.min + vec2(HANDLE * 0.5, 0.0), vec2(WIDTH, HEIGHT));
    let id = ui.id().with("ramp");
    let response = ui.interact(ramp, id, Sense::click());
    let help = tr("Double click: adds a stop here.");
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Image, true, tr("Ramp")));
    paint_ramp(ui, palette, ramp);
    let at = |x: f32| rounded(((x - ramp.left()) / ramp.width()).clamp(0.0, 1.0));
    if response.double_clicked()
        && let Some(pointer) = response.interact_pointer_pos()
        && palette.stops.len() < MOST_STOPS
    {
        *chosen = add_stop(palette, at(pointer.x));
    }
    response.on_hover_text(help);
    let middle = ramp.bottom() + 3.0 + HANDLE * 0.5;
    for index in 0..palette.stops.len() {
        let x = ramp.left() + palette.stops[index].at * ramp.width();
        let handle = handle_ui(ui, id, index, pos2(x, middle), palette, *chosen == index);
        if handle.clicked() || handle.drag_started() {
            *chosen = index;
        }
        if handle.dragged()
            && let Some(pointer) = handle.interact_pointer_pos()
        {
            move_stop(palette, index, at(pointer.x));
        }
    }
}

/// Draw the handle of a stop.
fn handle_ui(
    ui: &Ui,
    id: Id,
    index: usize,
    center: Pos2,
    palette: &Palette,
    chosen: bool,
) -> Response {
    let rect = Rect::from_center_size(center, vec2(HANDLE, HANDLE));
    let handle = ui.interact(rect, id.with(index), Sense::click_and_drag());
    let name = tr!("Stop {}", index + 1);
    handle.widget_info(|| WidgetInfo::selected(WidgetType::RadioButton, true, chosen, &name));
    let [r, g, b] = bytes(palette.stops[index].color);
    let line = match chosen || handle.hovered() {
        true => Stroke::new(2.0, theme::ACCENT),
        false => Stroke::new(1.0, ui.visuals().strong_text_color()),
    };
    let radius = HANDLE * 0.5 - 1.0;
    ui.painter()
        .circle(center, radius, Color32::from_rgb(r, g, b), line);
    handle.on_hover_cursor(CursorIcon::ResizeHorizontal)
}

/// Draw the colour and the height of a stop.
fn stop_ui(ui: &mut Ui, palette: &mut Palette, index: usize) {
    ui.horizontal(|ui| {
        ui.label(tr!("Stop {}", index + 1));
        let before = bytes(palette.stops[index].color);
        let mut color = before;
        ui.color_edit_button_srgb(&mut color)
            .on_hover_text(tr("Colour of the stop."));
        if color != before {
            palette.stops[index].color = color.map(|v| f32::from(v) / 255.0);
        }
        let label = ui.label(tr("Height")).id;
        let mut at = palette.stops[index].at;
        let number = number_box(ui, &mut at, 0.0..=1.0)
            .speed(0.002)
            .max_decimals(3);
        let help = tr("Height of the stop, from the lowest, 0, to the highest, 1.");
        let number = ui.add(number).labelled_by(label).on_hover_text(help);
        if number.changed() {
            move_stop(palette, index, at);
        }
    });
}

fn bytes(color: [f32; 3]) -> [u8; 3] {
    color.map(|v| (v * 255.0).round() as u8)
}

/// A position to three digits, as it is shown.
fn rounded(at: f32) -> f32 {
    (at * 1000.0).round() / 1000.0
}
