//! Sun handle: drag the sun's disc in the sky to change the direction of the light.

use egui::{
    Color32, CursorIcon, FontId, PointerButton, Pos2, Rect, Response, Stroke, Ui, Vec2, vec2,
};

use super::camera::in_picture;
use crate::app::theme;
use crate::camera::{Ground, above_ground, direction_seen, place_seen, seen_at};
use crate::scene::{Camera, CameraMode, Light, RenderType, Scene, SunBy};
use crate::util::language::tr;

/// Pick radius of the sun, in points.
const REACH: f32 = 16.0;

/// Let the mouse drag the sun; `held` is the offset from the mouse to the sun during a drag.
/// Returns true during a drag, so that the camera stays.
pub fn sun_ui(
    ui: &Ui,
    response: &Response,
    scene: &mut Scene,
    ground: Option<&Ground>,
    held: &mut Option<Vec2>,
) -> bool {
    if !response.dragged_by(PointerButton::Primary) && !response.drag_stopped() {
        *held = None;
    }
    let Some(camera) = sky_camera(scene, ground) else {
        *held = None;
        return false;
    };
    let rect = response.rect;
    let sun = place_of_sun(&camera, &scene.light, rect);
    let reached = |at: Pos2| {
        let sun = sun.filter(|sun| sun.distance(at) <= REACH)?;
        is_free(&camera, scene, ground, sun, rect).then_some(sun - at)
    };
    if response.drag_started_by(PointerButton::Primary) {
        let pressed = ui.input(|input| input.pointer.press_origin());
        *held = pressed.and_then(reached);
    }
    let Some(off) = *held else {
        let hovered = response.hover_pos().and_then(reached);
        if let Some((_, sun)) = hovered.zip(sun) {
            ui.ctx().set_cursor_icon(CursorIcon::Grab);
            ring(ui, sun, None);
        }
        return false;
    };
    ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
    if let Some(at) = response.interact_pointer_pos() {
        if response.drag_delta() != Vec2::ZERO {
            let towards = in_picture(at + off, rect);
            let direction = direction_seen(&camera, towards, rect.aspect_ratio());
            scene.light.point_to(direction);
        }
        let sun = place_of_sun(&camera, &scene.light, rect);
        ring(ui, sun.unwrap_or(at), Some(&words(&scene.light)));
    }
    if response.drag_stopped() {
        *held = None;
    }
    true
}

/// Short text with the sun's position.
#[must_use]
pub fn words(light: &Light) -> String {
    let (bearing, elevation) = light.angles();
    let [bearing, elevation] = [bearing, elevation].map(|angle| format!("{angle:.0}"));
    let angles = tr!("{bearing}°, {elevation}° high", bearing, elevation);
    match light.by {
        SunBy::Angles => angles,
        SunBy::Time => {
            let minutes = (light.hour * 60.0).round() as u32;
            format!("{}:{:02}, {angles}", minutes / 60, minutes % 60)
        }
    }
}

/// Camera of the sky, if the view shows the sun's disc.
fn sky_camera(scene: &Scene, ground: Option<&Ground>) -> Option<Camera> {
    let camera = scene.sky_camera();
    match (scene.render_type(), ground) {
        _ if scene.camera.mode == CameraMode::Top => None,
        (RenderType::Landscape, Some(ground)) => Some(above_ground(&camera, ground)),
        (RenderType::Landscape | RenderType::Sky, _) => Some(camera),
        _ => None,
    }
}

/// Window position of the sun.
fn place_of_sun(camera: &Camera, light: &Light, rect: Rect) -> Option<Pos2> {
    let direction = light.direction();
    let at = seen_at(camera, direction, rect.aspect_ratio())?;
    let half = rect.size() * 0.5;
    Some(rect.center() + vec2(at.x * half.x, -at.y * half.y))
}

/// True if the sun is visible there: above the horizon and not hidden by terrain.
fn is_free(camera: &Camera, scene: &Scene, ground: Option<&Ground>, sun: Pos2, rect: Rect) -> bool {
    let at = in_picture(sun, rect);
    let hides = |ground| place_seen(camera, ground, at, rect.aspect_ratio()).is_some();
    let is_hidden = scene.render_type() == RenderType::Landscape && ground.is_some_and(hides);
    scene.light.direction().y > 0.0 && !is_hidden
}

/// Draw a ring around the sun, with a label.
fn ring(ui: &Ui, sun: Pos2, words: Option<&str>) {
    let painter = ui.painter();
    let radius = REACH - 2.0;
    painter.circle_stroke(sun, radius, Stroke::new(3.5, Color32::from_black_alpha(90)));
    painter.circle_stroke(sun, radius, Stroke::new(1.5, theme::WARNING));
    if let Some(words) = words {
        let font = FontId::proportional(12.0);
        let galley = painter.layout_no_wrap(words.to_owned(), font, Color32::WHITE);
        let corner = sun + vec2(radius + 8.0, -galley.size().y * 0.5);
        let beside = Rect::from_min_size(corner, galley.size());
        // The label must not leave the window.
        let clip = ui.clip_rect().shrink(4.0);
        let aside = vec2((clip.right() - beside.right()).min(0.0), 0.0);
        let beside = beside.translate(aside);
        painter.rect_filled(beside.expand(4.0), 4, Color32::from_black_alpha(150));
        painter.galley(beside.min, galley, Color32::WHITE);
    }
}
