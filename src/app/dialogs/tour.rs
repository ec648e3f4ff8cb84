//! Tour window in a corner of the scene.

use egui::{Align2, Button, Context, Rect, RichText, Ui};

use super::{GAP, has_room, room_in, scrolled};
use crate::app::commands::{Action, TourAction};
use crate::app::floating::window;
use crate::app::state::tour::{STEPS, Tour};
use crate::app::theme;
use crate::util::language::{mark, tr};

/// Title of the window.
pub const TITLE: &str = mark("A tour");

/// Width of the text and height of the buttons below it, in points.
const WIDTH: f32 = 300.0;
const BUTTONS: f32 = 30.0;

/// Draw the present step, if the tour is running.
pub fn tour_ui(ctx: &Context, tour: Option<&Tour>, scene: Rect, actions: &mut Vec<Action>) {
    let Some(tour) = tour.filter(|_| has_room(scene)) else {
        return;
    };
    let mut open = true;
    window(ctx, TITLE, Align2::LEFT_TOP, scene, &[])
        .open(&mut open)
        .resizable(false)
        .show(ctx, |ui| {
            ui.set_width(WIDTH.min(scene.width() - 4.0 * GAP));
            scrolled(ui, room_in(scene) - BUTTONS, |ui| step_ui(ui, tour));
            ui.add_space(8.0);
            buttons_ui(ui, tour, actions);
        });
    if !open {
        actions.push(Action::Tour(TourAction::End));
    }
}

fn step_ui(ui: &mut Ui, tour: &Tour) {
    let step = &STEPS[tour.step];
    let count = tr!("{} of {}", tour.step + 1, STEPS.len());
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(tr(step.title)).heading().strong());
        ui.weak(count);
    });
    ui.add_space(4.0);
    ui.label(tr(step.text));
    ui.add_space(6.0);
    let (mark, color) = match tour.is_tried() {
        true => ("✔ ", theme::ACCENT),
        false => ("", ui.visuals().strong_text_color()),
    };
    ui.label(RichText::new(format!("{mark}{}", tr(step.tries))).color(color));
}

fn buttons_ui(ui: &mut Ui, tour: &Tour, actions: &mut Vec<Action>) {
    ui.horizontal(|ui| {
        let is_last = tour.step + 1 == STEPS.len();
        let back = ui.add_enabled(tour.step > 0, Button::new(tr("Back")));
        if back.clicked() {
            actions.push(Action::Tour(TourAction::Back));
        }
        let words = if is_last { tr("End") } else { tr("Next") };
        let help = match is_last {
            true => tr("Your own scene comes back."),
            false => tr("The next step."),
        };
        if ui.button(words).on_hover_text(help).clicked() {
            let action = match is_last {
                true => TourAction::End,
                false => TourAction::Next,
            };
            actions.push(Action::Tour(action));
        }
    });
}
