//! What the watershed measures, in a corner of the scene while its point is picked.

use egui::{Align2, Area, Context, Frame, Id, Order, vec2};

use super::{GAP, NARROWEST};
use crate::app::controls::watershed::watershed_figures;
use crate::app::state::{Derived, Transient};
use crate::language::tr;
use crate::scene::Scene;

/// Width of the contents, in points.
const WIDTH: f32 = 230.0;

/// Draws the figures while the tool is in use. What is below is clicked as if they were not there.
pub fn watershed_ui(ctx: &Context, scene: &Scene, transient: &Transient, derived: &Derived) {
    let rect = derived.scene_rect;
    if !transient.tool.picks_watershed(scene) || rect.width() < NARROWEST {
        return;
    }
    Area::new(Id::new("watershed read-out"))
        .order(Order::Background)
        .pivot(Align2::RIGHT_TOP)
        .fixed_pos(rect.right_top() + vec2(-GAP, GAP))
        .constrain_to(rect)
        .interactable(false)
        .show(ctx, |ui| {
            Frame::window(&ctx.style()).show(ui, |ui| {
                ui.set_width(WIDTH.min(rect.width() - 2.0 * GAP - 16.0));
                ui.strong(tr("Watershed"));
                watershed_figures(ui, scene, derived.watershed.as_deref());
            });
        });
}
