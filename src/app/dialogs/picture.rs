//! Dialogs "Picture" and "Film": options for saving an image or the animation; the window renders
//! it.

use std::path::Path;
use std::time::Duration;

use egui::{
    Align2, Checkbox, Color32, Context, Grid, Id, Label, LayerId, Order, Rect, RichText, Slider,
    Stroke, StrokeKind, Ui, pos2, vec2,
};

use super::{has_room, main_button, scene_window};
use crate::app::commands::{Action, Purpose};
use crate::app::controls::drop_down;
use crate::app::controls::number::{number_box, reader, rough_time};
use crate::app::state::Derived;
use crate::app::state::key_frames;
use crate::app::state::output::{Filming, MOST_SIDE, Photo, PhotoScale};
use crate::camera::film;
use crate::files::export::FilmFormat;
use crate::render::MOST_SAMPLES;
use crate::scene::Scene;
use crate::util::language::{mark, tr};
use crate::util::words::named;

/// Title of the dialog.
pub const PICTURE_TITLE: &str = mark("Picture");

/// Width of the contents of the dialog "Picture", in points.
const PICTURE_WIDTH: f32 = 260.0;

/// Draw the dialog "Picture" over the scene, and the frame of the picture. `folder` is where the file dialog starts.
pub fn photo_ui(
    ctx: &Context,
    photo: &mut Photo,
    derived: &Derived,
    (of, folder): (&Scene, Option<&Path>),
    actions: &mut Vec<Action>,
) {
    let scene = derived.scene_rect;
    if !photo.shown || !has_room(scene) {
        return;
    }
    let scale = ctx.pixels_per_point();
    let size = (scene.size() * scale).round();
    let pixels = (size.x as u32, size.y as u32);
    // A flat plan is whole in a picture of any shape.
    let frame = frame_of(photo.shot(pixels).size, scene).filter(|_| !of.is_flat());
    if let Some(frame) = frame {
        frame_ui(ctx, frame, scene);
    }
    let is_wider = frame.is_some_and(|frame| frame.width() > scene.width());
    let mut open = true;
    scene_window(
        ctx,
        PICTURE_TITLE,
        Align2::LEFT_TOP,
        scene,
        &mut open,
        |ui| {
            ui.set_max_width(PICTURE_WIDTH.min(ui.available_width()));
            picture_contents_ui(ui, photo, pixels);
            notes_ui(ui, photo, pixels, derived);
            if is_wider {
                let words = tr("Wider than the view: it shows more at both sides.");
                ui.add(weak(words.to_owned()).wrap());
            }
            if let Some(folder) = folder {
                ui.add(weak(tr!("Folder: {}", named(folder))).wrap());
            }
            ui.add_space(6.0);
            if main_button(ui, true, tr("Save picture…"), "") {
                actions.push(Action::Ask(Purpose::SavePicture));
            }
        },
    );
    photo.shown &= open;
}

/// Part of the view in `scene` that a picture of this size shows; `None` if it is as wide as the view. A picture has the
/// height of the view, whatever its size, so one that is wider shows more at both sides, and its frame is wider than
/// the view.
#[must_use]
pub fn frame_of((width, height): (u32, u32), scene: Rect) -> Option<Rect> {
    let wide = scene.height() * width as f32 / height.max(1) as f32;
    // Rounding of the size makes no frame.
    let is_same = (wide - scene.width()).abs() < 1.5;
    (!is_same).then(|| Rect::from_center_size(scene.center(), vec2(wide, scene.height())))
}

/// Shade what the picture leaves out, and draw its frame.
fn frame_ui(ctx: &Context, frame: Rect, scene: Rect) {
    let layer = LayerId::new(Order::Background, Id::new("frame of the picture"));
    let painter = ctx.layer_painter(layer).with_clip_rect(scene);
    for side in [
        Rect::from_min_max(scene.min, pos2(frame.left(), scene.bottom())),
        Rect::from_min_max(pos2(frame.right(), scene.top()), scene.max),
    ] {
        if side.is_positive() {
            painter.rect_filled(side, 0, Color32::from_black_alpha(150));
        }
    }
    painter.rect_stroke(
        frame,
        0,
        Stroke::new(3.0, Color32::BLACK),
        StrokeKind::Inside,
    );
    let line = Stroke::new(1.0, Color32::WHITE);
    painter.rect_stroke(frame.shrink(1.0), 0, line, StrokeKind::Inside);
}

/// Weak text.
fn weak(words: String) -> Label {
    Label::new(RichText::new(words).weak())
}

/// Draw what the picture will be, and what it costs.
fn notes_ui(ui: &mut Ui, photo: &Photo, window: (u32, u32), derived: &Derived) {
    let shot = photo.shot(window);
    let (width, height) = shot.size;
    let words = tr!("{width} × {height} pixels, without panels", width, height);
    ui.add(weak(words).wrap());
    let samples = shot.samples;
    let cost = tr!("1 sample a pixel: the quickest"
        | "{n} samples a pixel: smoother edges, {n} times as long" % samples);
    let area =
        f64::from(width) * f64::from(height) / (f64::from(window.0) * f64::from(window.1)).max(1.0);
    let seconds = derived.draw_time.as_secs_f64() * area * f64::from(samples);
    let about = match derived.draw_time.is_zero() {
        true => String::new(),
        false => tr!(
            ", about {} or more",
            rough_time(Duration::from_secs_f64(seconds.clamp(0.0, 1e7)))
        ),
    };
    ui.add(weak(cost + &about).wrap());
}

fn picture_contents_ui(ui: &mut Ui, photo: &mut Photo, window: (u32, u32)) {
    Grid::new("picture")
        .num_columns(2)
        .spacing([10.0, 4.0])
        .show(ui, |ui| {
            let label = ui.label(tr("Size"));
            size_ui(ui, label.id, photo, window);
            ui.end_row();
            samples_ui(ui, &mut photo.samples);
            ui.label(tr("Background"));
            ui.add(Checkbox::new(&mut photo.transparent, tr("Transparent")))
                .on_hover_text(tr(
                    "No sky and no background: transparent where there is no landscape.",
                ));
            ui.end_row();
        });
}

/// Draw the row for the samples per pixel.
fn samples_ui(ui: &mut Ui, samples: &mut u32) {
    let label = ui.label(tr("Antialias")).id;
    let allowed = 1..=MOST_SAMPLES;
    let parser = reader(ui, allowed.clone());
    let slider = Slider::new(samples, allowed).custom_parser(parser);
    ui.add(slider.update_while_editing(false))
        .labelled_by(label)
        .on_hover_text(tr(
            "Samples averaged per pixel: more are smoother, and take longer in proportion.",
        ));
    ui.end_row();
}

const SCALES: [PhotoScale; 8] = [
    PhotoScale::Times(1),
    PhotoScale::Fixed(PhotoScale::NAMED[0].1),
    PhotoScale::Fixed(PhotoScale::NAMED[1].1),
    PhotoScale::Fixed(PhotoScale::NAMED[2].1),
    PhotoScale::Fixed(PhotoScale::NAMED[3].1),
    PhotoScale::Times(2),
    PhotoScale::Times(4),
    PhotoScale::Pixels,
];
/// Width of the drop-down, in points.
const DROP_DOWN_WIDTH: f32 = 150.0;

fn scale_name(scale: PhotoScale) -> String {
    match scale {
        PhotoScale::Times(1) => tr("Window size").to_owned(),
        PhotoScale::Times(times) => tr!("{times} × the window", times),
        PhotoScale::Fixed(size) => {
            let [width, height] = size;
            let mut named = PhotoScale::NAMED.iter();
            let name = named.find(|(_, named)| *named == size);
            let name = name.map_or("", |(name, _)| tr(name));
            format!("{name} {width} × {height}").trim().to_owned()
        }
        PhotoScale::Pixels => tr("Width × height").to_owned(),
    }
}

fn size_ui(ui: &mut Ui, label: Id, photo: &mut Photo, window: (u32, u32)) {
    ui.vertical(|ui| {
        let chosen = SCALES.iter().position(|scale| *scale == photo.scale);
        let margin = ui.available_width() - DROP_DOWN_WIDTH;
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

/// Title of the dialog.
pub const FILM_TITLE: &str = mark("Film");

/// Draw the dialog "Film" over the scene.
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
    scene_window(ctx, FILM_TITLE, Align2::LEFT_TOP, area, &mut open, |ui| {
        film_contents_ui(ui, filming, scene, derived, actions);
    });
    filming.shown &= open;
}

fn film_contents_ui(
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
            film_size_ui(ui, label, filming);
            ui.end_row();
            let label = ui.label(tr("Frame rate")).id;
            let fps = number_box(ui, &mut scene.film.fps, 1..=120);
            ui.add(fps).labelled_by(label);
            ui.end_row();
            samples_ui(ui, &mut filming.samples);
        });
    if !film::is_film(scene) {
        return first_steps_ui(ui, scene);
    }
    ui.weak(forecast(filming, scene, derived));
    ui.add_space(6.0);
    if main_button(ui, true, tr("Export the film…"), "") {
        actions.push(Action::Ask(Purpose::Film));
    }
}

/// Draw width and height, which are even, and the button that links them.
fn film_size_ui(ui: &mut Ui, label: Id, filming: &mut Filming) {
    ui.horizontal(|ui| {
        for side in 0..2 {
            let mut pixels = filming.size[side];
            let number = number_box(ui, &mut pixels, 2..=MOST_SIDE).suffix(tr(" px"));
            let number = ui.add(number).labelled_by(label);
            number.on_hover_text(tr("An even number, which video needs."));
            if pixels != filming.size[side] {
                filming.set_side(side, pixels);
            }
        }
        let sign = if filming.linked { "🔒" } else { "🔓" };
        let lock = ui.selectable_label(filming.linked, sign);
        if lock
            .on_hover_text(tr("Keeps the proportions of width and height."))
            .clicked()
        {
            filming.set_linked(!filming.linked);
        }
    });
}

/// Explain how to make a film, with a button for the next step.
fn first_steps_ui(ui: &mut Ui, scene: &mut Scene) {
    ui.add_space(6.0);
    ui.label(tr(
        "A film needs two key frames: add this view, move the camera, then add that view. Or choose \
         Ready-made in the timeline (F5).",
    ));
    let words = match scene.path.frames.is_empty() {
        true => tr("Add this view as the first key frame"),
        false => tr("Add this view as the next key frame"),
    };
    let why = tr("At most 100 key frames, and 10 hours.");
    if main_button(ui, key_frames::has_room(scene), words, why) {
        key_frames::add_view(scene);
    }
}

fn format_ui(ui: &mut Ui, filming: &mut Filming) {
    let label = ui.label(tr("Format")).id;
    let formats: Vec<_> = Filming::formats().collect();
    let chosen = formats.iter().position(|(name, _)| *name == filming.format);
    let margin = ui.available_width() - DROP_DOWN_WIDTH;
    let needs_ffmpeg = |name: &str| FilmFormat::named(name).is_some_and(|f| f.needs_ffmpeg);
    let shown = |name: &str| match needs_ffmpeg(name) {
        true => tr!("{name} (needs ffmpeg)", name),
        false => name.to_owned(),
    };
    let choice = |ui: &mut Ui, index: usize| {
        let (name, help) = formats[index];
        let choice = ui.selectable_label(chosen == Some(index), shown(name));
        choice.on_hover_text(help).clicked()
    };
    ui.vertical(|ui| {
        let words = filming.format.clone();
        let (_, now) = drop_down(ui, label, margin, &words, (chosen, formats.len()), choice);
        if let Some((name, _)) = now.and_then(|index| formats.get(index)) {
            (*name).clone_into(&mut filming.format);
        }
        if needs_ffmpeg(&filming.format) {
            ui.weak(tr("The program ffmpeg must be installed."));
        }
    });
}

/// Number of frames, and the estimated time if each pixel takes as long as on screen.
fn forecast(filming: &Filming, scene: &Scene, derived: &Derived) -> String {
    let count = film::pictures(scene);
    let scale = derived.pixels_per_point;
    let screen = f64::from((derived.scene_rect.area() * scale * scale).max(1.0));
    let own = f64::from(filming.size[0]) * f64::from(filming.size[1]);
    let each = derived.draw_time.as_secs_f64() * own / screen * f64::from(filming.samples);
    let time = Duration::from_secs_f64((each * f64::from(count)).clamp(0.0, 1e7));
    let about = match derived.draw_time.is_zero() {
        true => String::new(),
        false => tr!(", about {} or more", rough_time(time)),
    };
    tr!(
        "1 picture in {} s{}" | "{n} pictures in {} s{}" % count,
        format_args!("{:.2}", film::seconds(scene)),
        about
    )
}
