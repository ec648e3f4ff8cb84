//! Dialog "Picture": options for saving an image; the window renders it.

use egui::{Align2, Button, Checkbox, Context, Grid, Id, Rect, RichText, Slider, Ui, vec2};

use super::{has_room, room_in, scrolled};
use crate::app::commands::{Action, Purpose};
use crate::app::controls::drop_down::drop_down;
use crate::app::controls::number::{number_box, reader};
use crate::app::floating::window;
use crate::app::state::photo::{MOST_SIDE, Photo, PhotoScale};
use crate::render::MOST_SAMPLES;
use crate::util::language::{mark, tr};

/// Title of the dialog.
pub const TITLE: &str = mark("Picture");

/// Draw the dialog over the scene.
pub fn photo_ui(ctx: &Context, photo: &mut Photo, scene: Rect, actions: &mut Vec<Action>) {
    if !photo.shown || !has_room(scene) {
        return;
    }
    let scale = ctx.pixels_per_point();
    let pixels = (
        (scene.width() * scale).round() as u32,
        (scene.height() * scale).round() as u32,
    );
    let mut open = true;
    window(ctx, TITLE, Align2::LEFT_TOP, scene, &[])
        .open(&mut open)
        .resizable(false)
        .show(ctx, |ui| {
            scrolled(ui, room_in(scene), |ui| {
                contents_ui(ui, photo, pixels, actions)
            });
        });
    photo.shown &= open;
}

fn contents_ui(ui: &mut Ui, photo: &mut Photo, window: (u32, u32), actions: &mut Vec<Action>) {
    Grid::new("picture")
        .num_columns(2)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            let label = ui.label(tr("Size"));
            size_ui(ui, label.id, photo, window);
            ui.end_row();
            let label = ui.label(tr("Samples"));
            let samples = 1..=MOST_SAMPLES;
            let parser = reader(ui, samples.clone());
            let slider = Slider::new(&mut photo.samples, samples).custom_parser(parser);
            ui.add(slider.update_while_editing(false))
                .labelled_by(label.id)
                .on_hover_text(tr(
                    "Samples averaged per pixel: more are smoother, and take longer in proportion.",
                ));
            ui.end_row();
            ui.label(tr("Background"));
            ui.add(Checkbox::new(&mut photo.transparent, tr("Transparent")))
                .on_hover_text(tr(
                    "No sky and no background: transparent where there is no landscape.",
                ));
            ui.end_row();
        });
    let (width, height) = photo.shot(window).size;
    ui.weak(tr!(
        "{width} × {height} pixels, without panels",
        width,
        height
    ));
    ui.add_space(6.0);
    ui.vertical_centered_justified(|ui| {
        let button = Button::new(RichText::new(tr("Save picture…")).strong());
        if ui.add(button.min_size(vec2(0.0, 26.0))).clicked() {
            actions.push(Action::Ask(Purpose::SavePicture));
        }
    });
}

const SCALES: [PhotoScale; 4] = [
    PhotoScale::Times(1),
    PhotoScale::Times(2),
    PhotoScale::Times(4),
    PhotoScale::Pixels,
];
/// Width of the drop-down, in points.
const SIZE_WIDTH: f32 = 120.0;

fn scale_name(scale: PhotoScale) -> String {
    match scale {
        PhotoScale::Times(1) => tr("As the window").to_owned(),
        PhotoScale::Times(times) => tr!("{times} × the window", times),
        PhotoScale::Pixels => tr("Width × height").to_owned(),
    }
}

fn size_ui(ui: &mut Ui, label: Id, photo: &mut Photo, window: (u32, u32)) {
    ui.vertical(|ui| {
        let chosen = SCALES.iter().position(|scale| *scale == photo.scale);
        let margin = ui.available_width() - SIZE_WIDTH;
        let choice = |ui: &mut Ui, index: usize| {
            let chosen = photo.scale == SCALES[index];
            let choice = ui.selectable_label(chosen, scale_name(SCALES[index]));
            choice.clicked()
        };
        let shown = scale_name(photo.scale);
        let place = (chosen, SCALES.len());
        let (combo, chosen) = drop_down(ui, label, margin, &shown, place, choice);
        combo.on_hover_text(tr!(
            "The scene in the window has {} × {} pixels.",
            window.0,
            window.1
        ));
        if let Some(chosen) = chosen {
            photo.scale = SCALES[chosen];
        }
        if photo.scale == PhotoScale::Pixels {
            ui.horizontal(|ui| {
                for side in &mut photo.size {
                    let number = number_box(ui, side, 1..=MOST_SIDE).suffix(tr(" px"));
                    let number = ui.add(number).labelled_by(label);
                    number.on_hover_text(tr!(
                        "1 to {MOST_SIDE}; `landform render --size` goes to 16384.",
                        MOST_SIDE
                    ));
                }
            });
        }
    });
}
