//! The window "Picture": how large a picture for a file is, how smooth, and with or without a
//! background. It edits its settings; the window takes the picture.

use egui::{Align2, Button, Checkbox, Context, Grid, Id, Rect, RichText, Ui};
use egui::{Slider, Window, pos2, vec2};
use serde::{Deserialize, Serialize};

use crate::app::commands::Command;
use crate::app::dialogs::Purpose;
use crate::app::drop_down::drop_down;
use crate::app::number::{number_box, reader};
use crate::render::{MOST_SAMPLES, Shot};

/// Longest side of a picture taken in the window, which holds it in memory; `landform render`
/// goes to 16,384.
pub const MOST_SIDE: u32 = 8192;
/// Space to the edges of the scene.
const GAP: f32 = 8.0;
/// Narrower scenes show no window.
const NARROWEST: f32 = 160.0;

/// How a picture for a file is taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Photo {
    /// Whether the window is open.
    pub shown: bool,
    /// How many times as wide and high as the scene in the window: 1, 2 or 4; 0 is `size`.
    pub times: u32,
    /// Width and height in pixels where they are chosen freely.
    pub size: [u32; 2],
    /// Samples a pixel, 1…16.
    pub samples: u32,
    /// Neither sky nor background.
    pub transparent: bool,
}

impl Default for Photo {
    fn default() -> Self {
        Self {
            shown: false,
            times: 1,
            size: [3840, 2160],
            samples: 1,
            transparent: false,
        }
    }
}

impl Photo {
    /// What is asked of the renderer, of a scene that fills `window` pixels. Too large sides
    /// become the longest, in the same shape.
    #[must_use]
    pub fn shot(&self, window: (u32, u32)) -> Shot {
        let (width, height) = match self.times {
            0 => (self.size[0], self.size[1]),
            times => (
                window.0.saturating_mul(times),
                window.1.saturating_mul(times),
            ),
        };
        let longest = width.max(height).max(1);
        let fit = |side: u32| match longest > MOST_SIDE {
            true => (u64::from(side) * u64::from(MOST_SIDE) / u64::from(longest)) as u32,
            false => side,
        };
        Shot {
            samples: self.samples.clamp(1, MOST_SAMPLES),
            transparent: self.transparent,
            ..Shot::new((fit(width).max(1), fit(height).max(1)))
        }
    }
}

/// Draws the window over the scene.
pub fn photo_ui(ctx: &Context, photo: &mut Photo, scene: Rect, commands: &mut Vec<Command>) {
    if !photo.shown || scene.width() < NARROWEST {
        return;
    }
    let scale = ctx.pixels_per_point();
    let pixels = (
        (scene.width() * scale).round() as u32,
        (scene.height() * scale).round() as u32,
    );
    let mut open = true;
    Window::new("Picture")
        .open(&mut open)
        .pivot(Align2::LEFT_TOP)
        .default_pos(pos2(scene.left() + GAP, scene.top() + GAP))
        .resizable(false)
        .constrain_to(scene)
        .show(ctx, |ui| {
            contents_ui(ui, photo, pixels, commands);
        });
    photo.shown &= open;
}

fn contents_ui(ui: &mut Ui, photo: &mut Photo, window: (u32, u32), commands: &mut Vec<Command>) {
    Grid::new("picture")
        .num_columns(2)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            let label = ui.label("Size");
            size_ui(ui, label.id, photo, window);
            ui.end_row();
            let label = ui.label("Samples");
            let samples = 1..=MOST_SAMPLES;
            let parser = reader(ui, samples.clone());
            let slider = Slider::new(&mut photo.samples, samples).custom_parser(parser);
            ui.add(slider.update_while_editing(false))
                .labelled_by(label.id)
                .on_hover_text(
                    "Samples averaged per pixel: more are smoother, and take longer in proportion.",
                );
            ui.end_row();
            ui.label("Background");
            ui.add(Checkbox::new(&mut photo.transparent, "Transparent"))
                .on_hover_text(
                    "No sky and no background: transparent where there is no landscape.",
                );
            ui.end_row();
        });
    let (width, height) = photo.shot(window).size;
    ui.weak(format!("{width} × {height} pixels, without panels"));
    ui.add_space(6.0);
    ui.vertical_centered_justified(|ui| {
        let button = Button::new(RichText::new("Save picture…").strong());
        if ui.add(button.min_size(vec2(0.0, 26.0))).clicked() {
            commands.push(Command::Ask(Purpose::SavePicture));
        }
    });
}

/// How many times as large as the window; 0 is a size of its own.
const TIMES: [u32; 4] = [1, 2, 4, 0];
/// Width of the drop-down, in points.
const SIZE_WIDTH: f32 = 120.0;

fn size_ui(ui: &mut Ui, label: Id, photo: &mut Photo, window: (u32, u32)) {
    ui.vertical(|ui| {
        let name = |times: u32| match times {
            0 => "Width × height".to_owned(),
            1 => "As the window".to_owned(),
            times => format!("{times} × the window"),
        };
        let index = TIMES.iter().position(|times| *times == photo.times);
        let place = (index.unwrap_or(0), TIMES.len());
        let margin = ui.available_width() - SIZE_WIDTH;
        let choice = |ui: &mut Ui, index: usize| {
            let chosen = photo.times == TIMES[index];
            ui.selectable_label(chosen, name(TIMES[index])).clicked()
        };
        let shown = name(photo.times);
        let (combo, index) = drop_down(ui, label, margin, &shown, place, choice);
        combo.on_hover_text(format!(
            "The scene in the window has {} × {} pixels.",
            window.0, window.1
        ));
        photo.times = TIMES[index];
        if photo.times == 0 {
            ui.horizontal(|ui| {
                for side in &mut photo.size {
                    let number = number_box(ui, side, 1..=MOST_SIDE).suffix(" px");
                    ui.add(number).on_hover_text(format!(
                        "1 to {MOST_SIDE}; `landform render --size` goes to 16384."
                    ));
                }
            });
        }
    });
}
