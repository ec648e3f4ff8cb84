//! History strip below the scene: thumbnails of the last states. Hovering one previews it over the
//! scene, a click restores it.

use std::sync::Arc;

use egui::{
    Context, Frame, Id, LayerId, Margin, Rect, ScrollArea, Sense, TopBottomPanel, Vec2, pos2, vec2,
};

use crate::app::commands::Action;
use crate::app::state::UiState;
use crate::app::state::history::State;
use crate::app::thumbnail::{caption, frame, picture, picture_button};
use crate::scene::Scene;
use crate::util::language::tr;

/// Maximum number of states shown.
const MOST: usize = 50;
/// Size of a thumbnail and gap between two, in points.
const PICTURE: Vec2 = vec2(112.0, 70.0);
const GAP: f32 = 6.0;

/// Draw the strip if it is enabled and no sheet covers the scene.
pub fn history_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let transient = &mut state.transient;
    let covered = transient.covers_scene();
    let (strip, gallery) = (&mut transient.strip, &mut transient.gallery);
    strip.looked_at = None;
    if !state.persisted.history || covered {
        strip.in_sight = None;
        return;
    }
    let (states, now) = transient.history.states(MOST);
    TopBottomPanel::bottom("history")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(8, 5)))
        .show(ctx, |ui| {
            ScrollArea::horizontal()
                .auto_shrink([false, true])
                .show(ui, |ui| {
                    let step = PICTURE.x + GAP;
                    let size = vec2(step * states.len() as f32 - GAP, PICTURE.y);
                    let (area, _) = ui.allocate_exact_size(size, Sense::hover());
                    for (index, State { scene, what }) in states.iter().enumerate() {
                        let corner = pos2(area.left() + step * index as f32, area.top());
                        let rect = Rect::from_min_size(corner, PICTURE);
                        let name = match index == now {
                            true => tr("The scene now").to_owned(),
                            false => tr!("State {}", index + 1),
                        };
                        let id = Id::new(("state", index));
                        let response = picture_button(ui, rect, id, &name, (scene, gallery));
                        let looked_at = response.hovered() || response.has_focus();
                        frame(ui, rect, looked_at, index == now);
                        if looked_at && !what.is_empty() {
                            caption(ui.painter(), rect, what);
                        }
                        let is_in_sight = |seen: &Arc<Scene>| Arc::ptr_eq(seen, scene);
                        if index == now && !strip.in_sight.as_ref().is_some_and(is_in_sight) {
                            strip.in_sight = Some(Arc::clone(scene));
                            ui.scroll_to_rect(rect, None);
                        }
                        if looked_at && index != now {
                            strip.looked_at = Some(Arc::clone(scene));
                        }
                        if response.clicked() && index != now {
                            actions.push(Action::GoToState(Arc::clone(scene)));
                        }
                    }
                });
        });
}

/// Draw the hovered state over the scene.
pub fn state_ui(ctx: &Context, state: &mut UiState) {
    let transient = &mut state.transient;
    let Some(scene) = transient.strip.looked_at.clone() else {
        return;
    };
    let rect = state.derived.scene_rect;
    let painter = ctx.layer_painter(LayerId::background());
    let painter = painter.with_clip_rect(rect);
    picture(&painter, rect, &scene, &mut transient.gallery);
    // The large preview is rendered before the thumbnails of the strip.
    transient.gallery.put_large_first();
}
