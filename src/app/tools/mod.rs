//! Mouse tools over the scene. The scene is drawn outside egui, so the tools only handle input and
//! draw overlays.

pub mod camera;
pub mod map;
pub mod pins;
pub mod sun;

use egui::{
    Align2, CentralPanel, Color32, Context, CursorIcon, FontId, Frame, Painter, Pos2, Rect,
    Response, Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};
use map::{MapView, side_shown};

use crate::app::state::UiState;
use crate::app::state::document::{Compared, Side};
use crate::app::state::tool::Tool;
use crate::app::{steer, theme};
use crate::scene::RenderType;

/// Handle the mouse in the part of the window that shows the scene.
pub fn scene_ui(ctx: &Context, state: &mut UiState) {
    CentralPanel::default().frame(Frame::NONE).show(ctx, |ui| {
        let rect = ui.max_rect();
        let response = ui.interact(rect, ui.id().with("scene"), Sense::CLICK | Sense::DRAG);
        come_over_the_map(&response, state);
        let is_seen_from_a_camera = !state.persisted.scene.is_flat();
        let ground = is_seen_from_a_camera.then(|| steer::ground(state));
        let ground = ground.flatten();
        let (transient, derived) = (&mut state.transient, &mut state.derived);
        let (scene, tool) = (&mut state.persisted.scene, &mut transient.tool);
        (derived.scene_rect, derived.pixels_per_point) = (rect, ctx.pixels_per_point());
        if !tool.suits(scene) {
            *tool = Tool::Camera;
        }
        let mut click = None;
        match tool {
            Tool::Camera => {
                let held = &mut transient.sun_held;
                if !sun::sun_ui(ui, &response, scene, ground.as_ref(), held) {
                    camera::pointer(&response, &mut scene.camera, ground.as_ref());
                }
            }
            Tool::Pins(tool) => {
                let ground = derived.ground.as_deref();
                pins::pins_ui(ui, &response, scene, ground, tool);
            }
            Tool::Section(tool) => {
                if map::section_ui(ui, &response, scene, derived, tool) {
                    transient.profile_hidden = false;
                }
            }
            Tool::Watershed => click = map::watershed_ui(&response, scene, ground.as_ref()),
        }
        if let Some(compared) = &mut transient.compared {
            divider_ui(ui, rect, compared);
        }
        if let Some(click) = click {
            map::apply_click(ctx, state, click);
        }
    });
}

/// Give a map shown as a whole an equivalent top-down camera as soon as the mouse zooms or pans it.
fn come_over_the_map(response: &Response, state: &mut UiState) {
    let scene = &mut state.persisted.scene;
    let tool = state.transient.tool;
    let moves = matches!(tool, Tool::Camera | Tool::Watershed);
    if !(moves && scene.is_flat() && scene.render_type() == RenderType::Map) {
        return;
    }
    let ctx = &response.ctx;
    let wheel = ctx.input(|input| input.smooth_scroll_delta.y);
    if (response.hovered() && wheel != 0.0) || response.drag_delta() != Vec2::ZERO {
        let side = side_shown(&state.derived);
        let view = MapView::new(response.rect, ctx.pixels_per_point(), scene, side);
        scene.camera = view.above(&scene.camera);
    }
}

/// Width of the strip that can be grabbed, in points.
const HOLD: f32 = 14.0;
/// Size of the knob, in points.
const KNOB: egui::Vec2 = vec2(14.0, 34.0);
/// Side of a name's background, and its distance from the edges, in points.
const NAME: f32 = 22.0;
const GAP: f32 = 8.0;
/// Minimum distance from the edges of the scene, in points.
const MARGIN: f32 = 10.0;

/// Draw the divider over the scene in `rect` and let the mouse drag it.
fn divider_ui(ui: &Ui, rect: Rect, compared: &mut Compared) {
    let painter = ui.painter().with_clip_rect(rect);
    match compared.side {
        Side::A => return name(&painter, rect.left_top(), 1.0, "A"),
        Side::B => return name(&painter, rect.right_top(), -1.0, "B"),
        Side::Both => {}
    }
    let least = (MARGIN / rect.width().max(1.0)).min(0.5);
    let x = rect.left() + compared.divider * rect.width();
    let strip = Rect::from_center_size(pos2(x, rect.center().y), vec2(HOLD, rect.height()));
    let held = ui.interact(strip, ui.id().with("divider"), Sense::drag());
    if held.dragged() {
        let moved = held.drag_delta().x / rect.width().max(1.0);
        compared.divider = (compared.divider + moved).clamp(least, 1.0 - least);
    }
    let is_held = held.hovered() || held.dragged();
    if is_held {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    let color = match is_held {
        true => theme::ACCENT,
        false => Color32::WHITE,
    };
    let x = rect.left() + compared.divider * rect.width();
    let shadow = Stroke::new(4.0, Color32::from_black_alpha(90));
    painter.vline(x, rect.y_range(), shadow);
    let line = Stroke::new(1.5, color);
    painter.vline(x, rect.y_range(), line);
    let knob = Rect::from_center_size(pos2(x, rect.center().y), KNOB);
    let fill = Color32::from_black_alpha(170);
    painter.rect(knob, 5, fill, line, StrokeKind::Inside);
    for side in [-2.0, 2.0] {
        let y = knob.shrink(10.0).y_range();
        painter.vline(x + side, y, Stroke::new(1.0, color));
    }
    name(&painter, pos2(x, rect.top()), -1.0, "A");
    name(&painter, pos2(x, rect.top()), 1.0, "B");
}

/// Draw a name next to an upper corner: to its right if `side` is 1, to its left if −1.
fn name(painter: &Painter, corner: Pos2, side: f32, name: &str) {
    let center = corner + vec2(side * (GAP + 0.5 * NAME), GAP + 0.5 * NAME);
    let ground = Rect::from_center_size(center, vec2(NAME, NAME));
    painter.rect_filled(ground, 5, Color32::from_black_alpha(170));
    let font = FontId::proportional(14.0);
    painter.text(center, Align2::CENTER_CENTER, name, font, Color32::WHITE);
}
