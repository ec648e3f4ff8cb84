//! The window of the tour, in a corner of the scene.

use egui::{Align2, Button, Context, Id, Rect, RichText, Window, pos2};

use super::{GAP, NARROWEST};
use crate::app::commands::{Action, TourAction};
use crate::app::state::tour::{STEPS, Tour};
use crate::app::theme;
use crate::language::{mark, tr};

/// The title of the window.
pub const TITLE: &str = mark("A tour");

/// Width of the text, in points.
const WIDTH: f32 = 300.0;

/// Draws the step of the tour, if it is taken.
pub fn tour_ui(ctx: &Context, tour: Option<&Tour>, scene: Rect, actions: &mut Vec<Action>) {
    let Some(tour) = tour.filter(|_| scene.width() >= NARROWEST) else {
        return;
    };
    let mut open = true;
    let step = &STEPS[tour.step];
    Window::new(tr(TITLE))
        .id(Id::new(TITLE))
        .open(&mut open)
        .pivot(Align2::LEFT_TOP)
        .default_pos(pos2(scene.left() + GAP, scene.top() + GAP))
        .resizable(false)
        .constrain_to(scene)
        .show(ctx, |ui| {
            ui.set_width(WIDTH.min(scene.width() - 4.0 * GAP));
            let count = tr!("{} of {}", tour.step + 1, STEPS.len());
            ui.horizontal(|ui| {
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
            ui.add_space(8.0);
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
        });
    if !open {
        actions.push(Action::Tour(TourAction::End));
    }
}
