//! Mouse tools over the scene. The scene is drawn outside egui, so the tools only handle input and
//! draw overlays.

pub mod camera;
mod divider;
mod map_view;
pub mod pins;
pub mod pointed;
pub mod section;
pub mod sun;
mod watershed;

use egui::{CentralPanel, Context, Frame, Response, Sense, Vec2};

use crate::app::state::UiState;
use crate::app::state::tool::Tool;
use crate::app::steer;
use crate::scene::RenderType;
use map_view::{MapView, side_shown};

/// Handle the mouse in the part of the window that shows the scene.
pub fn scene_ui(ctx: &Context, state: &mut UiState) {
    CentralPanel::default().frame(Frame::NONE).show(ctx, |ui| {
        let rect = ui.max_rect();
        let response = ui.interact(rect, ui.id().with("scene"), Sense::CLICK | Sense::DRAG);
        come_over_the_map(&response, state);
        let is_seen_from_a_camera = !state.persisted.scene.is_flat();
        let ground = is_seen_from_a_camera
            .then(|| steer::ground(state))
            .flatten();
        let UiState {
            persisted,
            transient,
            derived,
        } = state;
        let (scene, tool) = (&mut persisted.scene, &mut transient.tool);
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
                if section::section_ui(ui, &response, scene, derived, tool) {
                    transient.profile_hidden = false;
                }
            }
            Tool::Watershed => click = watershed::watershed_ui(&response, scene, ground.as_ref()),
        }
        if let Some(compared) = &mut transient.compared {
            divider::divider_ui(ui, rect, compared);
        }
        if let Some(click) = click {
            watershed::click(ctx, state, &click);
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
