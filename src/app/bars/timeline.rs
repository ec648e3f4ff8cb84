//! Timeline of the scene's animation, below the scene: playhead, key frames and buttons to edit
//! them.

use egui::{
    Align2, Context, FontId, Frame, Margin, Painter, Pos2, Rect, Response, Sense, Shape, Stroke,
    TopBottomPanel, Ui, pos2, vec2,
};

use crate::app::commands::Action;
use crate::app::controls::number::number_box;
use crate::app::controls::{self, button_if};
use crate::app::state::UiState;
use crate::app::state::timeline::{Mark, Timeline, move_mark};
use crate::app::theme;
use crate::camera::film::{self, Ready};
use crate::scene::{MOST_SECONDS, Scene};
use crate::util::language::tr;

/// Height of the ruler with both rows of key frames, and of its scale, in points.
const HEIGHT: f32 = 46.0;
const SCALE: f32 = 16.0;
/// Pick radius of a key frame, in points.
const NEAR: f32 = 6.0;
/// Width of a scale label, in points.
const LABEL: f32 = 24.0;
/// Minimum distance between two labels of the scale, in points.
const APART: f32 = 56.0;

/// Draw the timeline if it is enabled and no sheet covers the scene.
pub fn timeline_ui(ctx: &Context, state: &mut UiState, actions: &mut Vec<Action>) {
    if !state.persisted.timeline || state.transient.covers_scene() {
        return;
    }
    state.transient.timeline.watch(&state.persisted.scene);
    TopBottomPanel::bottom("timeline")
        .frame(Frame::side_top_panel(&ctx.style()).inner_margin(Margin::symmetric(8, 5)))
        .show(ctx, |ui| {
            ui.horizontal_wrapped(|ui| buttons_ui(ui, state, actions));
            ui.add_space(2.0);
            ruler_ui(ui, state, actions);
        });
}

fn buttons_ui(ui: &mut Ui, state: &mut UiState, actions: &mut Vec<Action>) {
    let timeline = &state.transient.timeline;
    let scene = &mut state.persisted.scene;
    let is_film = film::is_film(scene);
    let mut button = |ui: &mut Ui, on: bool, words: &str, help: &str, action: Action| {
        if button_if(ui, on, words, help, help) {
            actions.push(action);
        }
    };
    let help = tr("To the beginning.");
    button(ui, true, "⏮", help, Action::ShowTime(0.0));
    let words = match timeline.is_playing() {
        true => tr("Pause"),
        false => tr("Play"),
    };
    let help = tr("Plays the film, or stops it (Space).");
    button(ui, is_film, words, help, Action::PlayFilm);
    ui.checkbox(&mut scene.film.repeats, tr("Loop"))
        .on_hover_text(tr("The film begins again at its end."));
    ui.label(tr!("{} s", format_args!("{:.2}", timeline.time())));
    ui.separator();
    let help = tr(
        "A key frame at this time: the camera, and every setting that you have changed since \
         the last one (K).",
    );
    button(ui, true, tr("Add key"), help, Action::SetKey);
    let help = tr("Removes the key frames at this time.");
    let there = timeline.is_at_a_key(scene);
    button(ui, there, tr("Delete key"), help, Action::RemoveKeys);
    ui.menu_button(tr("Ready-made"), |ui| {
        for (ready, help) in Ready::ALL.iter().zip(Ready::HELPS) {
            if controls::button(ui, tr(ready.name()), tr(help)) {
                actions.push(Action::UseReady(*ready));
            }
        }
    });
    ui.separator();
    let label = ui.label(tr("Length")).id;
    let seconds = number_box(ui, &mut scene.film.seconds, 0.0..=MOST_SECONDS)
        .speed(0.05)
        .max_decimals(2)
        .suffix(tr(" s"));
    ui.add(seconds)
        .labelled_by(label)
        .on_hover_text(tr("How long the film is; 0: until its last key frame."));
    let help = tr("Writes the film as MP4, WebM, GIF, animated PNG or pictures.");
    if button_if(ui, true, tr("Export film…"), help, help) {
        actions.push(Action::ToggleFilming);
    }
}

fn ruler_ui(ui: &mut Ui, state: &mut UiState, actions: &mut Vec<Action>) {
    let size = vec2(ui.available_width(), HEIGHT);
    let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
    let scene = &mut state.persisted.scene;
    let ruler = Ruler {
        area: area.shrink2(vec2(NEAR, 0.0)),
        span: Timeline::span(scene),
    };
    let painter = ui.painter_at(area);
    painter.rect_filled(area, 3, theme::BACKGROUND);
    ruler.draw_scale(&painter, ui.visuals().weak_text_color());
    let marks = ruler.marks(scene);
    let text = ui.visuals().text_color();
    for (mark, at) in &marks {
        let color = match mark {
            Mark::Camera(_) => theme::ACCENT,
            Mark::Settings(_) => theme::WARNING,
        };
        let dragged = state.transient.timeline.dragged == Some(*mark);
        let radius = if dragged { 6.0 } else { 4.5 };
        draw_mark(&painter, *at, radius, color);
    }
    let timeline = &mut state.transient.timeline;
    let x = ruler.x_of(timeline.time());
    let line = Stroke::new(1.5, text);
    painter.vline(x, area.y_range(), line);
    hand(&response, &ruler, &marks, timeline, scene, actions);
    if let Some((mark, _)) = response.hover_pos().and_then(|at| nearest(&marks, at)) {
        let words = words_of(scene, mark);
        response.on_hover_ui_at_pointer(|ui| drop(ui.label(words)));
    }
}

/// Handle the mouse: drag a key frame, or move the playhead.
fn hand(
    response: &Response,
    ruler: &Ruler,
    marks: &[(Mark, Pos2)],
    timeline: &mut Timeline,
    scene: &mut Scene,
    actions: &mut Vec<Action>,
) {
    let Some(at) = response.interact_pointer_pos() else {
        timeline.dragged = None;
        return;
    };
    let pressed = response.ctx.input(|input| input.pointer.press_origin());
    if response.drag_started() {
        let found = pressed.and_then(|at| nearest(marks, at));
        timeline.dragged = found.map(|(mark, _)| mark);
    }
    match timeline.dragged {
        Some(mark) if response.dragged() => move_mark(scene, mark, ruler.time_of(at.x)),
        Some(_) => timeline.dragged = None,
        None => {
            let time = match nearest(marks, at).filter(|_| response.clicked()) {
                Some((_, place)) => ruler.time_of(place.x),
                None => ruler.time_of(at.x),
            };
            if response.clicked() || response.dragged() {
                actions.push(Action::ShowTime(time));
            }
        }
    }
}

/// Key frame under the mouse and its position.
fn nearest(marks: &[(Mark, Pos2)], at: Pos2) -> Option<(Mark, Pos2)> {
    let near = marks.iter().filter(|(_, place)| place.distance(at) <= NEAR);
    let nearest = near.min_by(|(_, a), (_, b)| a.distance(at).total_cmp(&b.distance(at)));
    nearest.copied()
}

/// Tooltip of a key frame: the settings that it changes, one a line.
fn words_of(scene: &Scene, mark: Mark) -> String {
    const MOST: usize = 12;
    match mark {
        Mark::Camera(index) => {
            let time = scene.path.frames.get(index).map_or(0.0, |frame| frame.time);
            let time = format!("{time:.2}");
            tr!("Camera at {time} s: drag to move", time)
        }
        Mark::Settings(index) => {
            let Some(key) = scene.film.keys.get(index) else {
                return String::new();
            };
            let settings = scene.settings();
            let line = |(name, value): (&String, &toml::Value)| {
                let setting = settings.iter().find(|setting| setting.key == *name);
                let label = setting.map_or(name.as_str(), |setting| tr(setting.label));
                let value = value.to_string();
                format!("\n{label}: {}", value.trim_matches('"'))
            };
            let lines: Vec<_> = key.set.0.iter().map(line).collect();
            let more = lines.len().saturating_sub(MOST);
            let more = match more {
                0 => String::new(),
                more => tr!("\n… and {more} more", more),
            };
            let lines: String = lines.into_iter().take(MOST).collect();
            tr!(
                "Settings at {} s: drag to move{lines}{more}",
                format_args!("{:.2}", key.time),
                lines,
                more
            )
        }
    }
}

/// Mapping between time and horizontal position.
struct Ruler {
    area: Rect,
    span: f32,
}

impl Ruler {
    fn x_of(&self, time: f32) -> f32 {
        self.area.left() + self.area.width() * (time / self.span).min(1.0)
    }

    fn time_of(&self, x: f32) -> f32 {
        let part = (x - self.area.left()) / self.area.width().max(1.0);
        part.clamp(0.0, 1.0) * self.span
    }

    /// Marks of all key frames with their positions: camera keys above setting keys.
    fn marks(&self, scene: &Scene) -> Vec<(Mark, Pos2)> {
        let row = (HEIGHT - SCALE) / 2.0;
        let y = |row_: f32| self.area.top() + SCALE + row * (row_ + 0.5);
        let frames = scene.path.frames.iter().enumerate();
        let cameras = frames.map(|(index, frame)| (Mark::Camera(index), frame.time, 0.0));
        let keys = scene.film.keys.iter().enumerate();
        let settings = keys.map(|(index, key)| (Mark::Settings(index), key.time, 1.0));
        let all = cameras.chain(settings);
        // Key frames after the end have no effect.
        let all = all.filter(|(_, time, _)| *time <= self.span);
        all.map(|(mark, time, row)| (mark, pos2(self.x_of(time), y(row))))
            .collect()
    }

    /// Draw tick lines at round times, with labels.
    fn draw_scale(&self, painter: &Painter, color: egui::Color32) {
        let least = self.span * APART / self.area.width().max(1.0);
        let steps = [
            0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 600.0,
        ];
        let step = steps.into_iter().find(|step| *step >= least);
        let step = step.unwrap_or(3600.0);
        let line = Stroke::new(1.0, color.gamma_multiply(0.4));
        for index in 0..=(self.span / step) as u32 {
            let time = index as f32 * step;
            let x = self.x_of(time);
            painter.vline(x, self.area.y_range(), line);
            let decimals = usize::from(step < 1.0);
            let words = format!("{time:.decimals$}");
            // The last label goes to the left of its line for lack of space.
            let (align, beside) = match x + LABEL > self.area.right() {
                true => (Align2::RIGHT_TOP, -3.0),
                false => (Align2::LEFT_TOP, 3.0),
            };
            let at = pos2(x + beside, self.area.top() + 1.0);
            painter.text(at, align, words, FontId::proportional(10.0), color);
        }
    }
}

/// Draw a diamond-shaped mark.
fn draw_mark(painter: &Painter, at: Pos2, radius: f32, color: egui::Color32) {
    let corners = [(0.0, -radius), (radius, 0.0), (0.0, radius), (-radius, 0.0)];
    let corners = corners.map(|(x, y)| at + vec2(x, y)).to_vec();
    painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
}
