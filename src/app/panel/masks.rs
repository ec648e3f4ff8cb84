//! Where a layer or a modifier acts, below its other settings.

use egui::{RichText, Ui};

use super::fold_ui;
use super::options::options_ui;
use super::param_ui::{param_row, param_ui};
use crate::app::state::folds::Folds;
use crate::mask::Mask;
use crate::param::Params;

/// Draws the mask of a step, which `was` so in the preset or the file; `id` keeps it folded.
pub fn mask_ui(ui: &mut Ui, folds: &mut Folds, id: &str, mask: &mut Mask, was: &Mask) {
    let title = RichText::new("Mask").small();
    fold_ui(ui, folds, id, title, false, |ui, _| {
        param_ui(ui, Mask::param("by"), mask, was);
        options_ui(ui, mask, was.clone());
        let invert = Mask::param("invert");
        let unused = mask.unused("invert");
        param_row(ui, invert, mask, was, unused);
    });
}
