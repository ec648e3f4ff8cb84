//! Dialog "Export": format, size and height range of a height map or mesh, a forecast of the file,
//! and the numbers to enter in a game engine. The dialog only edits settings; the worker computes
//! the forecast and shows the quantisation of heights on the terrain.

use egui::{Align2, Button, Context, RichText, Ui, vec2};

use super::{GAP, has_room, room_in, scrolled};
use crate::app::commands::{Action, Purpose};
use crate::app::floating::window;
use crate::app::state::Derived;
use crate::app::state::exporting::Exporting;
use crate::util::language::{mark, tr};

mod choices;
mod forecast;
mod part;
mod samples;
mod span;
mod triangles;

use choices::choices_ui;
use forecast::forecast_ui;

/// Title of the dialog.
pub const TITLE: &str = mark("Export");
/// Width of the window's contents, in points.
const WIDTH: f32 = 300.0;

/// Draw the dialog over the scene.
pub fn export_ui(
    ctx: &Context,
    exporting: &mut Exporting,
    derived: &Derived,
    tile_size_m: f32,
    actions: &mut Vec<Action>,
) {
    let scene = derived.scene_rect;
    if !exporting.shown || !has_room(scene) {
        return;
    }
    let width = WIDTH.min(scene.width() - 2.0 * GAP - 16.0);
    let height = room_in(scene);
    let mut open = true;
    window(ctx, TITLE, Align2::RIGHT_TOP, scene, &[])
        .open(&mut open)
        .default_height(height)
        .resizable(false)
        .show(ctx, |ui| {
            scrolled(ui, height, |ui| {
                ui.set_width(width - 8.0);
                contents_ui(ui, exporting, derived, tile_size_m, actions);
            });
        });
    exporting.shown &= open;
}

fn contents_ui(
    ui: &mut Ui,
    exporting: &mut Exporting,
    derived: &Derived,
    tile_size_m: f32,
    actions: &mut Vec<Action>,
) {
    choices_ui(ui, exporting, derived, tile_size_m);
    ui.separator();
    match &derived.forecast {
        _ if !exporting.map().is_heights() => {}
        Some(Ok(forecast)) => forecast_ui(ui, exporting, forecast),
        Some(Err(words)) => {
            ui.colored_label(ui.visuals().error_fg_color, words);
        }
        None => {
            ui.weak(tr("measuring …"));
        }
    }
    ui.add_space(6.0);
    ui.vertical_centered_justified(|ui| {
        let button = Button::new(RichText::new(tr("Export…")).strong());
        if ui.add(button.min_size(vec2(0.0, 26.0))).clicked() {
            actions.push(Action::Ask(Purpose::Export));
        }
    });
}
