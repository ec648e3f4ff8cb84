//! Sheet of variations in place of the scene: controls above, thumbnails of the variations in the
//! middle, the family tree of their ancestors below.

mod bar;
mod family;
mod grid;
mod words;

use egui::{CentralPanel, Context, TopBottomPanel};

use crate::app::commands::Action;
use crate::app::small_picture::cover;
use crate::app::state::UiState;
use crate::app::theme;

/// Draw the sheet and push the user's requests to `actions`.
pub fn variations_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    let UiState {
        persisted,
        transient,
        derived,
    } = state;
    let sheet = &mut transient.variations;
    sheet.update(&persisted.scene, &persisted.varying);
    cover(ctx, derived, |ui, bare| {
        TopBottomPanel::top("what varies")
            .frame(bare.fill(theme::PANEL))
            .show_inside(ui, |ui| {
                bar::bar_ui(ui, &mut persisted.varying, sheet, actions);
            });
        let placed = sheet.family.placed();
        let gallery = &mut transient.gallery;
        let mut chosen = None;
        if placed.len() > 1 {
            TopBottomPanel::bottom("family tree")
                .frame(bare.fill(theme::PANEL))
                .show_inside(ui, |ui| {
                    let (scene, comes) = (&persisted.scene, &mut sheet.comes_in_sight);
                    chosen = family::family_ui(ui, &placed, scene, gallery, comes);
                });
        }
        CentralPanel::default()
            .frame(bare)
            .show_inside(ui, |ui| grid::grid_ui(ui, sheet, gallery, actions));
        // Large thumbnails are rendered first.
        gallery.put_large_first();
        if let Some(scene) = chosen {
            sheet.family.go_back(&scene);
            actions.push(Action::Become(Box::new((*scene).clone())));
        }
    });
}
