//! Drawing of scene thumbnails: on a sheet, in a list, over the scene.

use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{
    Align2, CentralPanel, Color32, Context, FontId, Frame, Id, Margin, Painter, Rect, Response,
    Sense, Stroke, StrokeKind, Ui, Vec2, WidgetInfo, WidgetType, pos2, vec2,
};

use crate::app::state::Derived;
use crate::app::state::thumbnails::{Look, Thumbnails};
use crate::app::theme;
use crate::scene::Scene;

/// Margin around a caption, in points.
const MARGIN: Vec2 = vec2(5.0, 3.0);

/// Draw a sheet in place of the scene; `add` receives the frame for its parts.
pub fn cover(ctx: &Context, derived: &mut Derived, add: impl FnOnce(&mut Ui, Frame)) {
    CentralPanel::default()
        .frame(Frame::NONE.fill(theme::BACKGROUND))
        .show(ctx, |ui| {
            (derived.scene_rect, derived.pixels_per_point) =
                (ui.max_rect(), ctx.pixels_per_point());
            add(ui, Frame::NONE.inner_margin(Margin::symmetric(8, 6)));
        });
}

/// Draw the thumbnail of a scene, or a placeholder or error text if there is none yet.
pub fn picture(painter: &Painter, rect: Rect, scene: &Arc<Scene>, gallery: &mut Thumbnails) {
    let pixels = rect.size() * painter.ctx().pixels_per_point();
    let size = (pixels.x.round() as u32, pixels.y.round() as u32);
    let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
    if size.0 == 0 || size.1 == 0 {
        return;
    }
    match gallery.look(scene, size) {
        Look::Picture(texture) => {
            painter.image(texture.id(), rect, whole, Color32::WHITE);
        }
        Look::Coming => {
            painter.rect_filled(rect, 2, theme::PANEL);
        }
        Look::Failed(words) => {
            painter.rect_filled(rect, 2, theme::PANEL);
            let room = rect.shrink(MARGIN.x);
            let font = FontId::proportional(11.0);
            let words = painter.layout(words.to_owned(), font, theme::ERROR, room.width());
            let painter = painter.with_clip_rect(rect);
            painter.galley(room.min, words, theme::ERROR);
        }
    }
}

/// Clickable thumbnail with an accessible name.
pub fn picture_button(
    ui: &Ui,
    rect: Rect,
    id: Id,
    name: &str,
    (scene, gallery): (&Arc<Scene>, &mut Thumbnails),
) -> Response {
    let response = ui.interact(rect, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(WidgetType::Button, true, name));
    if ui.is_rect_visible(rect) {
        picture(ui.painter(), rect, scene, gallery);
    }
    response
}

/// Draw the frame of a thumbnail that has the mouse or focus, or shows the present scene.
pub fn frame(ui: &Ui, rect: Rect, looked_at: bool, is_own: bool) {
    let width = match (looked_at, is_own) {
        (true, _) => 2.0,
        (false, true) => 1.0,
        (false, false) => return,
    };
    let stroke = Stroke::new(width, theme::ACCENT);
    ui.painter()
        .rect_stroke(rect, 2, stroke, StrokeKind::Inside);
}

/// Draw a caption over the lower edge of a thumbnail, clipped to it.
pub fn caption(painter: &Painter, rect: Rect, words: &str) {
    let font = FontId::proportional(11.0);
    let room = rect.shrink2(MARGIN);
    let painter = painter.with_clip_rect(rect);
    let width = room.width();
    let mut job = LayoutJob::simple(words.to_owned(), font, Color32::WHITE, width);
    job.wrap.max_rows = 3;
    let words = painter.layout_job(job);
    let place = Align2::LEFT_BOTTOM.align_size_within_rect(words.size(), room);
    let behind = Rect::from_min_max(pos2(rect.left(), place.top() - MARGIN.y), rect.max);
    let behind = behind.shrink2(vec2(1.0, 0.0));
    painter.rect_filled(behind, 0, Color32::from_black_alpha(150));
    painter.galley(place.min, words, Color32::WHITE);
}
