//! Where a layer or a modifier acts, below its other settings. While the pointer is there, or it is
//! open, the mask is seen on the land.

use egui::{RichText, Ui};

use super::fold_ui;
use super::options::options_ui;
use super::param_ui::{param_row, param_ui};
use crate::app::state::folds::Folds;
use crate::app::state::mask_sight::MaskSight;
use crate::language::tr;
use crate::mask::Mask;
use crate::param::Params;
use crate::pipeline::MaskOf;

/// Draws the mask of a step, which `was` so in the preset or the file.
pub fn mask_ui(
    ui: &mut Ui,
    folds: &mut Folds,
    sight: &mut MaskSight,
    of: MaskOf,
    mask: &mut Mask,
    was: &Mask,
) {
    let id = match of {
        MaskOf::Layer(index) => format!("layer-{}-mask", index + 1),
        MaskOf::Modifier(index) => format!("modifier-{}-mask", index + 1),
    };
    let was_open = folds.is_open(&id, false);
    let part = ui.scope(|ui| {
        let title = RichText::new(tr("Mask")).small();
        fold_ui(ui, folds, &id, title, false, |ui, _| {
            param_ui(ui, Mask::param("by"), mask, was);
            options_ui(ui, mask, was.clone());
            let invert = Mask::param("invert");
            let unused = mask.unused("invert");
            param_row(ui, invert, mask, was, unused);
        });
    });
    if ui.is_enabled() && !mask.is_none() {
        let open = folds.is_open(&id, false);
        let pointed = ui.rect_contains_pointer(part.response.rect);
        sight.note(of, pointed || (open && !was_open), open);
    }
}
