//! Compass card with the sun as a handle. It is an azimuthal equidistant projection of the sky: the
//! centre is the zenith, the ring is the horizon, and directions below the horizon lie outside it.

use egui::{
    Align2, Color32, Context, CursorIcon, FontId, Pos2, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    WidgetType, pos2, vec2,
};
use glam::Vec3;

use crate::app::floating::{self, FreeSpace};
use crate::app::theme;
use crate::app::tools::sun;
use crate::scene::{Light, Scene, SunBy};
use crate::util::language::tr;

/// Radius of the horizon ring, in points.
const HORIZON: f32 = 40.0;
/// Radius of the whole compass, in points.
const RADIUS: f32 = 58.0;
/// Lowest elevation shown, in degrees.
const LOWEST: f32 = -30.0;
/// Radius of the sun handle, in points.
const SUN: f32 = 6.0;
/// Colour of the sun.
const SUNLIGHT: Color32 = Color32::from_rgb(0xFF, 0xD8, 0x6B);

/// Draw the compass and let the mouse drag its sun.
pub fn compass_ui(ctx: &Context, scene: &mut Scene, space: &mut FreeSpace) {
    let size = vec2(2.0 * RADIUS, 2.0 * RADIUS + 18.0);
    // If the scene is too small, the card is not drawn.
    floating::card(ctx, floating::COMPASS, space, |ui| {
        let (rect, response) = ui.allocate_exact_size(size, Sense::DRAG);
        let middle = pos2(rect.center().x, rect.top() + RADIUS);
        let north = match scene.is_flat() {
            true => 0.0,
            false => scene.camera.bearing,
        };
        face_ui(ui, middle, north);
        if !scene.render_type().is_lit() {
            return;
        }
        let dial = Dial { middle, north };
        let light = &mut scene.light;
        let name = tr!("Sun: {}", sun::words(light));
        response.widget_info(|| WidgetInfo::labeled(WidgetType::Other, true, &name));
        if let Some(at) = response.interact_pointer_pos()
            && response.dragged()
        {
            light.point_to(dial.direction(at));
        }
        let is_used = response.hovered() || response.dragged();
        dial.sun_ui(ui, light, is_used);
        let icon = match response.dragged() {
            true => CursorIcon::Grabbing,
            false => CursorIcon::Grab,
        };
        let words = sun::words(light);
        let below = Align2::CENTER_BOTTOM.pos_in_rect(&rect);
        let text = (&*words, 11.0, Color32::WHITE);
        shadowed_text(ui, below, Align2::CENTER_BOTTOM, text);
        response.on_hover_cursor(icon).on_hover_text(tr(
            "Drag the sun: the middle is straight up, the ring is the horizon.",
        ));
    });
}

/// Mapping between directions and compass positions.
struct Dial {
    middle: Pos2,
    /// Bearing that points up on the screen, in degrees.
    north: f32,
}

impl Dial {
    fn at(&self, (bearing, elevation): (f32, f32)) -> Pos2 {
        let angle = (bearing - self.north).to_radians();
        let away = HORIZON * (1.0 - elevation / 90.0);
        self.middle + vec2(angle.sin(), -angle.cos()) * away
    }

    /// Unit vector of the direction at a compass position.
    fn direction(&self, at: Pos2) -> Vec3 {
        let off = at - self.middle;
        let bearing = off.x.atan2(-off.y) + self.north.to_radians();
        let elevation = 90.0 * (1.0 - off.length() / HORIZON);
        let elevation = elevation.clamp(LOWEST, 90.0).to_radians();
        let level = elevation.cos();
        let (east, south) = (bearing.sin() * level, -bearing.cos() * level);
        Vec3::new(east, elevation.sin(), south)
    }

    fn sun_ui(&self, ui: &Ui, light: &Light, is_used: bool) {
        let painter = ui.painter();
        if light.by == SunBy::Time {
            // Path of the sun on the chosen day.
            let mut light = light.clone();
            let way = (0..=96).map(|quarter| {
                light.hour = quarter as f32 * 0.25;
                light.angles()
            });
            let way = way.filter(|(_, elevation)| *elevation > LOWEST);
            let dots = way.map(|angles| Shape::circle_filled(self.at(angles), 1.0, SUNLIGHT));
            painter.extend(dots);
        }
        let angles = light.angles();
        let sun = self.at(angles);
        let line = Stroke::new(1.0, SUNLIGHT.gamma_multiply(0.6));
        painter.line_segment([self.middle, sun], line);
        if is_used {
            painter.circle_filled(sun, SUN + 4.0, SUNLIGHT.gamma_multiply(0.3));
        }
        let color = match angles.1 > 0.0 {
            true => SUNLIGHT,
            false => theme::PANEL,
        };
        painter.circle(sun, SUN, color, Stroke::new(1.5, SUNLIGHT));
    }
}

/// Draw the ring with ticks and the four cardinal directions.
fn face_ui(ui: &Ui, middle: Pos2, north: f32) {
    let painter = ui.painter();
    painter.circle_filled(middle, RADIUS, Color32::from_black_alpha(110));
    let white = |width: f32, alpha: u8| Stroke::new(width, Color32::from_white_alpha(alpha));
    painter.circle_stroke(middle, HORIZON, white(1.5, 170));
    painter.circle_stroke(middle, HORIZON * 0.5, white(0.5, 70));
    for eighth in 0..8 {
        let angle = (eighth as f32 * 45.0 - north).to_radians();
        let way: Vec2 = vec2(angle.sin(), -angle.cos());
        let tick = [middle + way * (HORIZON - 3.0), middle + way * HORIZON];
        painter.line_segment(tick, white(1.0, 170));
        let (name, color) = match eighth {
            0 => (tr("N"), theme::ERROR),
            2 => (tr("E"), Color32::WHITE),
            4 => (tr("S"), Color32::WHITE),
            6 => (tr("W"), Color32::WHITE),
            _ => continue,
        };
        let at = middle + way * (HORIZON + 9.0);
        shadowed_text(ui, at, Align2::CENTER_CENTER, (name, 12.0, color));
    }
}

/// Draw text of this size and colour with a shadow, legible on any background.
fn shadowed_text(ui: &Ui, at: Pos2, align: Align2, (words, size, color): (&str, f32, Color32)) {
    let (painter, font) = (ui.painter(), FontId::proportional(size));
    let shade = Color32::from_black_alpha(200);
    painter.text(at + vec2(1.0, 1.0), align, words, font.clone(), shade);
    painter.text(at, align, words, font, color);
}
