//! Watershed read-out: measurements of the catchment, in a corner of the scene while its outlet is
//! picked.

use egui::{Context, Frame};

use super::{GAP, has_room};
use crate::app::controls::watershed::watershed_figures;
use crate::app::floating::{self, FreeSpace};
use crate::app::state::{Derived, Transient};
use crate::scene::Scene;
use crate::util::language::tr;

/// Width of the contents, in points.
const WIDTH: f32 = 230.0;

/// Draw the measurements if the tool is active. Mouse clicks pass through to the scene.
pub fn watershed_ui(
    ctx: &Context,
    scene: &Scene,
    transient: &Transient,
    derived: &Derived,
    space: &mut FreeSpace,
) {
    let rect = derived.scene_rect;
    if !transient.tool.picks_watershed(scene) || !has_room(rect) {
        return;
    }
    floating::card(ctx, floating::WATERSHED, space, |ui| {
        Frame::window(&ctx.style()).show(ui, |ui| {
            ui.set_width(WIDTH.min(rect.width() - 2.0 * GAP - 16.0));
            ui.strong(tr("Watershed"));
            let georeference = derived
                .shown
                .as_ref()
                .and_then(|shown| shown.place.as_ref());
            watershed_figures(ui, scene, derived.watershed.as_deref(), georeference);
        });
    });
}
