//! The sections that are tables of settings and nothing else.

use egui::Ui;

use super::landscape::VIEW_KEYS;
use super::palette::palette_ui;
use super::param_ui::{param_row, table_ui};
use crate::param::Params;
use crate::scene::relevance::Inactive;
use crate::scene::{PairVisitor, Scene, View};

/// Draws the palette, the finer map and the cloud map.
pub fn textures_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, inactive: &Inactive) {
    palette_ui(
        ui,
        &mut scene.view,
        &was.view,
        inactive.reason("view", "palette"),
    );
    let (teximage, clouds) = (&mut scene.teximage, &mut scene.clouds);
    table_ui(ui, teximage, &was.teximage, |key| {
        inactive.reason("teximage", key)
    });
    table_ui(ui, clouds, &was.clouds, |key| {
        inactive.reason("clouds", key)
    });
}

/// Draws how the landscape is drawn.
pub fn drawing_ui(ui: &mut Ui, scene: &mut Scene, was: &Scene, inactive: &Inactive) {
    for param in View::PARAMS {
        if !VIEW_KEYS.contains(&param.key) {
            let unused = inactive.reason("view", param.key);
            param_row(ui, param, &mut scene.view, &was.view, unused);
        }
    }
}

/// Draws the rows of one table of the scene's list.
pub fn listed_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    was: &Scene,
    place: &'static str,
    inactive: &Inactive,
) {
    struct Listed<'a> {
        ui: &'a mut Ui,
        place: &'static str,
        inactive: &'a Inactive,
    }
    impl PairVisitor for Listed<'_> {
        fn visit<T: Params>(&mut self, place: &'static str, table: &mut T, was: &T) {
            if place != self.place {
                return;
            }
            for param in T::PARAMS {
                let unused = self.inactive.reason(place, param.key);
                param_row(self.ui, param, table, was, unused);
            }
        }
    }
    let mut listed = Listed {
        ui,
        place,
        inactive,
    };
    scene.visit_pairs(was, &mut listed);
}
