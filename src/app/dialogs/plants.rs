//! Dialog "Plants": format of the file that holds the plants of the scene.

use egui::{Align2, Context, Grid, Label, RichText, Ui};

use super::{has_room, main_button, scene_window};
use crate::app::commands::{Action, Purpose};
use crate::app::controls::choose;
use crate::app::state::Derived;
use crate::app::state::output::{NO_PLANTS, PlantExport};
use crate::files::export::{MOST_NODES, PlantFormat};
use crate::scene::Scene;
use crate::util::language::{mark, tr};

/// Title of the dialog.
pub const TITLE: &str = mark("Plants");
/// Width of the window's contents, in points.
const WIDTH: f32 = 240.0;

/// Draw the dialog over the scene.
pub fn plants_ui(
    ctx: &Context,
    options: &mut PlantExport,
    derived: &Derived,
    scene: &Scene,
    actions: &mut Vec<Action>,
) {
    let area = derived.scene_rect;
    if !options.shown || !has_room(area) {
        return;
    }
    let mut open = true;
    scene_window(ctx, TITLE, Align2::LEFT_TOP, area, &mut open, |ui| {
        ui.set_max_width(WIDTH.min(ui.available_width()));
        choices_ui(ui, options);
        if let Some(most) = derived.most_plants {
            ui.weak(tr!("On the whole map: up to {most}", most));
        }
        ui.add_space(6.0);
        let has_plants = scene.plants_on().next().is_some();
        if main_button(ui, has_plants, tr("Export the plants…"), tr(NO_PLANTS)) {
            actions.push(Action::Ask(Purpose::Plants));
        }
    });
    options.shown &= open;
}

/// Draw the format, its description and its form.
fn choices_ui(ui: &mut Ui, options: &mut PlantExport) {
    Grid::new("plants")
        .num_columns(2)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            let label = ui.label(tr("Format")).id;
            let formats = PlantFormat::ALL.into_iter();
            let ending = |name: &str| format!(".{name}");
            let formats = formats.map(|(name, _, help)| (name.to_owned(), ending(name), tr(help)));
            let shown = ending(options.extension());
            choose(ui, label, &shown, &mut options.format, formats);
        });
    let (.., help) = options.format();
    ui.add(Label::new(RichText::new(tr(help)).weak()).wrap());
    if options.has_forms() {
        ui.checkbox(&mut options.nodes, tr("A node for each plant"))
            .on_hover_text(tr!(
                "For programs that lack the extension EXT_mesh_gpu_instancing; up to {MOST_NODES} plants.",
                MOST_NODES
            ));
    }
}
