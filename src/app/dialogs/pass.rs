//! Card "Heights after the pass": the numbers of a small lattice next to the picture, as in the
//! figures of Martz's article. New ones are marked.

use egui::{Color32, Context, Frame, Grid, RichText, Ui};

use super::has_room;
use crate::app::floating::{self, FreeSpace};
use crate::app::state::{Derived, ShownPass};
use crate::fractal::passes::Point;
use crate::util::language::tr;
use crate::util::numbers::fixed;

/// Maximum number of points along a side; more would not fit next to the picture.
const MOST_POINTS: usize = 9;

/// Colour of new points, as in the picture.
const NEW: Color32 = Color32::from_rgb(255, 148, 31);

/// Draw the card while a pass with few points is on screen. Mouse clicks pass through to the scene.
pub fn heights_ui(ctx: &Context, derived: &Derived, space: &mut FreeSpace) {
    let few = |pass: &&ShownPass| pass.heights.columns() <= MOST_POINTS;
    let Some(pass) = derived.pass.as_ref().filter(few) else {
        return;
    };
    if !has_room(derived.scene_rect) {
        return;
    }
    floating::card(ctx, floating::HEIGHTS, space, |ui| {
        Frame::window(&ctx.style()).show(ui, |ui| {
            ui.strong(tr("Heights after the pass"));
            lattice_ui(ui, pass);
            ui.weak(tr(
                "1 is half a tile. North is at the top; new ones are orange.",
            ));
        });
    });
}

/// Draw a number for each point of the lattice, and a dot where there is no point yet.
fn lattice_ui(ui: &mut Ui, pass: &ShownPass) {
    Grid::new("heights after the pass")
        .spacing([8.0, 2.0])
        .show(ui, |ui| {
            for row in 0..pass.heights.rows() {
                for column in 0..pass.heights.columns() {
                    let words = fixed(pass.heights.at(row, column), 2);
                    // Numbers with and without a sign end in one line.
                    let words = RichText::new(format!("{words:>5}")).monospace();
                    match pass.points.at(row, column) {
                        Point::Absent => ui.weak(RichText::new("  ·").monospace()),
                        Point::Old => ui.label(words),
                        Point::New => ui.label(words.strong().color(NEW)),
                    };
                }
                ui.end_row();
            }
        });
}
