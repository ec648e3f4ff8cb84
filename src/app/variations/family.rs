//! Family tree of variations, from left to right.

use std::sync::Arc;

use egui::{Pos2, Rect, ScrollArea, Sense, Stroke, Ui, Vec2, vec2};

use crate::app::small_picture::{frame, picture_button};
use crate::app::state::family::Placed;
use crate::app::state::thumbnails::Thumbnails;
use crate::scene::Scene;
use crate::util::language::tr;

/// Size of a thumbnail, and offset from one to the next, in points.
const PICTURE: Vec2 = vec2(72.0, 42.0);
const STEP: Vec2 = vec2(88.0, 50.0);
/// Number of rows visible at once.
const ROWS: usize = 3;

/// Draw the tree and return the clicked scene. If `comes_in_sight`, scroll to the present scene
/// once.
pub fn family_ui(
    ui: &mut Ui,
    placed: &[Placed],
    shown: &Scene,
    gallery: &mut Thumbnails,
    comes_in_sight: &mut bool,
) -> Option<Arc<Scene>> {
    let count = |of: fn(&Placed) -> usize| placed.iter().map(of).max().unwrap_or(0) + 1;
    let (columns, rows) = (count(|one| one.column), count(|one| one.row));
    let size = vec2(columns as f32 * STEP.x, rows as f32 * STEP.y) - (STEP - PICTURE);
    let mut clicked = None;
    // At least a third of the window is left for the sheet.
    let room = ui.ctx().content_rect().height() * 0.3;
    ScrollArea::both()
        .max_height((rows.min(ROWS) as f32 * STEP.y).min(room.max(STEP.y)))
        .auto_shrink([false, true])
        .show(ui, |ui| {
            let (area, _) = ui.allocate_exact_size(size, Sense::hover());
            let rect = |column: usize, row: usize| {
                let corner: Pos2 = area.min + STEP * vec2(column as f32, row as f32);
                Rect::from_min_size(corner, PICTURE)
            };
            for one in placed {
                if let Some((column, row)) = one.parent {
                    let from = rect(column, row).right_center();
                    let to = rect(one.column, one.row).left_center();
                    let bend = Pos2::new(from.x + (STEP.x - PICTURE.x) / 2.0, from.y);
                    let line = Stroke::new(1.0, ui.visuals().weak_text_color());
                    let points = [from, bend, Pos2::new(bend.x, to.y), to];
                    ui.painter().line(points.to_vec(), line);
                }
            }
            for (index, one) in placed.iter().enumerate() {
                let rect = rect(one.column, one.row);
                let name = tr!("Ancestor {}", index + 1);
                let id = ui.id().with(("ancestor", index));
                let response = picture_button(ui, rect, id, &name, (&one.scene, gallery));
                let looked_at = response.hovered() || response.has_focus();
                let is_shown = *one.scene == *shown;
                frame(ui, rect, looked_at, is_shown);
                if is_shown && std::mem::take(comes_in_sight) {
                    ui.scroll_to_rect(rect, None);
                }
                if response.clicked() {
                    clicked = Some(Arc::clone(&one.scene));
                }
            }
        });
    clicked
}
