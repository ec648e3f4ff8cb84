//! Mask settings of a layer or modifier, below its other settings. The mask is shown as an overlay
//! on the terrain while the pointer is over them, or while they are open.

use egui::{RichText, Ui};

use super::param_ui::{listed_ui, param_row};
use super::{Facts, fold_ui};
use crate::app::state::folds::Folds;
use crate::app::state::mask_overlay::MaskOverlay;
use crate::modify::mask::Mask;
use crate::pipeline::MaskOf;
use crate::scene::Scene;
use crate::scene::relevance::{self, Inactive};
use crate::util::language::tr;
use crate::util::numbers::length_words;
use crate::util::param::Params;

/// Distance between the terrain's samples in metres; `None` if it is not known yet.
pub fn spacing_m(scene: &Scene, facts: &Facts<'_>) -> Option<f64> {
    let surface = &scene.surface;
    let cells = match relevance::iterations(surface) {
        None => f64::from(surface.iterations).exp2(),
        Some(_) => {
            let shown = facts.shown?;
            ((shown.rows.max(shown.columns) - 1) * shown.stride) as f64
        }
    };
    Some(f64::from(surface.tile_size_m) / cells)
}

/// Draw the mask settings of a step. `was` is the mask in the preset or file, `spacing_m` the
/// distance between the terrain's samples in metres.
pub fn mask_ui(
    ui: &mut Ui,
    folds: &mut Folds,
    sight: &mut MaskOverlay,
    of: MaskOf,
    (mask, was): (&mut Mask, &Mask),
    inactive: &Inactive,
    spacing_m: Option<f64>,
) {
    let (id, place) = match of {
        MaskOf::Layer(index) => (
            format!("layer-{}-mask", index + 1),
            format!("layers.{index}.mask"),
        ),
        MaskOf::Modifier(index) => (
            format!("modifier-{}-mask", index + 1),
            format!("modifiers.{index}.mask"),
        ),
    };
    let was_open = folds.is_open(&id, false);
    let part = ui.scope(|ui| {
        let title = RichText::new(tr("Mask")).small();
        fold_ui(ui, folds, &id, title, false, |ui, _| {
            let unused = |key| inactive.reason(&place, key);
            param_row(ui, Mask::param("by"), mask, was, unused("by"));
            let key = mask.by.key();
            listed_ui(ui, mask, was, &place, key, inactive);
            if let (Some(scale), Some(spacing)) = (mask.scale_m(), spacing_m)
                && spacing > f64::from(scale)
                && scale > 0.0
            {
                let words = tr!(
                    "Samples are {} apart, wider than the scale: the shape of the ground is that from sample to sample.",
                    length_words(spacing)
                );
                ui.label(RichText::new(words).small().weak());
            }
            param_row(ui, Mask::param("invert"), mask, was, unused("invert"));
        });
    });
    if ui.is_enabled() && !mask.is_none() {
        let open = folds.is_open(&id, false);
        let pointed = ui.rect_contains_pointer(part.response.rect);
        sight.note(of, pointed || (open && !was_open), open);
    }
}
