//! What the mouse does over the scene, by the tool that is chosen: the picture is not egui's.

pub mod camera;
mod map_view;
pub mod pins;
pub mod section;
mod watershed;

use egui::{CentralPanel, Context, Frame, Sense};

use crate::app::state::UiState;
use crate::app::state::tool::Tool;
use crate::app::steer;

/// Fills the part of the window that the scene is drawn in.
pub fn scene_ui(ctx: &Context, state: &mut UiState) {
    CentralPanel::default().frame(Frame::NONE).show(ctx, |ui| {
        let is_seen_from_a_camera = !state.persisted.scene.render_type().is_flat();
        let ground = is_seen_from_a_camera
            .then(|| steer::ground(state))
            .flatten();
        let UiState {
            persisted,
            transient,
            derived,
        } = state;
        let (scene, tool) = (&mut persisted.scene, &mut transient.tool);
        let rect = ui.max_rect();
        derived.scene_rect = rect;
        let response = ui.interact(rect, ui.id().with("scene"), Sense::CLICK | Sense::DRAG);
        if !tool.suits(scene) {
            *tool = Tool::Camera;
        }
        let mut click = None;
        match tool {
            Tool::Camera => camera::pointer(&response, &mut scene.camera, ground.as_ref()),
            Tool::Pins(tool) => {
                let (tiles, ground) = (scene.view.tile, derived.ground.as_deref());
                pins::pins_ui(ui, &response, &mut scene.surface, tiles, ground, tool);
            }
            Tool::Section(tool) => {
                if section::section_ui(ui, &response, scene, derived, tool) {
                    transient.profile_hidden = false;
                }
            }
            Tool::Watershed => click = watershed::watershed_ui(&response, scene, ground.as_ref()),
        }
        if let Some(click) = click {
            watershed::click(ctx, state, &click);
        }
    });
}
