//! Dialog "Film": options for exporting the animation.

use std::time::Duration;

use egui::{Align2, Button, Context, Grid, Rect, RichText, Slider, Ui, vec2};

use super::{has_room, room_in, scrolled};
use crate::app::commands::{Action, Purpose};
use crate::app::controls::drop_down::drop_down;
use crate::app::controls::figures::rough_time;
use crate::app::controls::number::{number_box, reader};
use crate::app::floating::window;
use crate::app::state::Derived;
use crate::app::state::filming::Filming;
use crate::app::state::photo::MOST_SIDE;
use crate::camera::film;
use crate::render::MOST_SAMPLES;
use crate::scene::Scene;
use crate::util::language::{mark, tr};

/// Title of the dialog.
pub const TITLE: &str = mark("Film");
/// Width of the drop-down, in points.
const FORMAT_WIDTH: f32 = 120.0;

/// Draw the dialog over the scene.
pub fn film_ui(
    ctx: &Context,
    filming: &mut Filming,
    scene: &mut Scene,
    derived: &Derived,
    actions: &mut Vec<Action>,
) {
    let area = derived.scene_rect;
    if !filming.shown || !has_room(area) {
        return;
    }
    let mut open = true;
    window(ctx, TITLE, Align2::LEFT_TOP, area, &[])
        .open(&mut open)
        .resizable(false)
        .show(ctx, |ui| {
            scrolled(ui, room_in(area), |ui| {
                contents_ui(ui, filming, scene, derived, actions);
            });
        });
    filming.shown &= open;
}

fn contents_ui(
    ui: &mut Ui,
    filming: &mut Filming,
    scene: &mut Scene,
    derived: &Derived,
    actions: &mut Vec<Action>,
) {
    Grid::new("film")
        .num_columns(2)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            format_ui(ui, filming);
            ui.end_row();
            let label = ui.label(tr("Size")).id;
            ui.horizontal(|ui| {
                for side in &mut filming.size {
                    let number = number_box(ui, side, 1..=MOST_SIDE).suffix(tr(" px"));
                    ui.add(number).labelled_by(label);
                }
            });
            ui.end_row();
            let label = ui.label(tr("Pictures a second")).id;
            let fps = number_box(ui, &mut scene.film.fps, 1..=120);
            ui.add(fps).labelled_by(label);
            ui.end_row();
            let label = ui.label(tr("Samples")).id;
            let samples = 1..=MOST_SAMPLES;
            let parser = reader(ui, samples.clone());
            let slider = Slider::new(&mut filming.samples, samples).custom_parser(parser);
            ui.add(slider.update_while_editing(false))
                .labelled_by(label)
                .on_hover_text(tr(
                    "Samples averaged per pixel: more are smoother, and take longer in proportion.",
                ));
            ui.end_row();
        });
    ui.weak(forecast(filming, scene, derived));
    ui.add_space(6.0);
    let is_film = film::is_film(scene);
    ui.vertical_centered_justified(|ui| {
        let button = Button::new(RichText::new(tr("Export the film…")).strong());
        let button = ui.add_enabled(is_film, button.min_size(vec2(0.0, 26.0)));
        let nothing =
            tr("Nothing changes with time yet: set key frames, or take a ready-made film.");
        if button.on_disabled_hover_text(nothing).clicked() {
            actions.push(Action::Ask(Purpose::Film));
        }
    });
}

fn format_ui(ui: &mut Ui, filming: &mut Filming) {
    let label = ui.label(tr("Format")).id;
    let formats: Vec<_> = Filming::formats().collect();
    let chosen = formats.iter().position(|(name, _)| *name == filming.format);
    let margin = ui.available_width() - FORMAT_WIDTH;
    let choice = |ui: &mut Ui, index: usize| {
        let (name, help) = formats[index];
        let choice = ui.selectable_label(chosen == Some(index), name);
        choice.on_hover_text(help).clicked()
    };
    let shown = filming.format.clone();
    let (_, now) = drop_down(ui, label, margin, &shown, (chosen, formats.len()), choice);
    if let Some((name, _)) = now.and_then(|index| formats.get(index)) {
        (*name).clone_into(&mut filming.format);
    }
}

/// Number of frames, and the estimated time if each pixel takes as long as on screen.
fn forecast(filming: &Filming, scene: &Scene, derived: &Derived) -> String {
    let count = film::pictures(scene);
    let screen = pixels_of(derived.scene_rect, derived.pixels_per_point);
    let own = f64::from(filming.size[0]) * f64::from(filming.size[1]);
    let each = derived.draw_time.as_secs_f64() * own / screen * f64::from(filming.samples);
    let time = Duration::from_secs_f64((each * f64::from(count)).clamp(0.0, 1e7));
    let about = if derived.draw_time.is_zero() {
        String::new()
    } else {
        tr!(", about {} or more", rough_time(time))
    };
    tr!(
        "1 picture in {} s{}" | "{n} pictures in {} s{}" % count,
        format_args!("{:.2}", film::seconds(scene)),
        about
    )
}

fn pixels_of(area: Rect, scale: f32) -> f64 {
    f64::from((area.area() * scale * scale).max(1.0))
}
