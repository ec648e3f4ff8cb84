//! Bookmarks and key frames of the camera path.

use egui::{Align, Button, Layout, RichText, Ui};

use super::Facts;
use super::finder::part_ui;
use super::param_ui::table_ui;
use super::row::Row;
use super::text_box::{draft_error_ui, text_box};
use crate::app::commands::Action;
use crate::app::controls::number::number_box;
use crate::scene::{Bookmark, KeyFrame, MOST_BOOKMARKS, MOST_SECONDS, Scene};
use crate::util::language::tr;

/// Time between a new key frame and the one before, in seconds.
const STEP: f32 = 3.0;
/// Minimum time between two key frames, in seconds.
const LEAST: f32 = 0.01;
/// Maximum number of key frames that the panel adds.
const MOST_FRAMES: usize = 100;

/// Draw bookmarks and the camera path.
pub fn journey_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let was = facts.baseline;
    let differs = scene.bookmarks != was.bookmarks;
    part_ui(ui, &[tr("Bookmarks"), "views"], differs, |ui| {
        bookmarks_ui(ui, scene, actions);
    });
    let differs = scene.path.frames != was.path.frames;
    part_ui(ui, &[tr("Camera path"), tr("key frames")], differs, |ui| {
        path_ui(ui, scene, facts, actions);
    });
    table_ui(ui, &mut scene.path, &was.path, |_| None);
}

/// Draw the list of bookmarks.
fn bookmarks_ui(ui: &mut Ui, scene: &mut Scene, actions: &mut Vec<Action>) {
    heading(ui, tr("Bookmarks"));
    let mut removed = None;
    let names: Vec<_> = scene.bookmarks.iter().map(|b| b.name.clone()).collect();
    for (index, bookmark) in scene.bookmarks.iter_mut().enumerate() {
        let line = line_ui(ui, index, |ui, label| {
            let go = button(ui, tr("Go"), tr("Fly to this view."));
            let row = Row {
                label: tr("Name"),
                help: tr("Its name, also for `landform render --bookmark`."),
                differs: false,
                unused: None,
                words: &[],
            };
            let check = |text: &str| check_name(text, index, &names);
            bookmark.name = text_box(ui, &bookmark.name, tr("none"), label, &row, &check);
            go
        });
        draft_error_ui(ui, line.label, false);
        if line.removed {
            removed = Some(index);
        }
        if line.inner {
            actions.push(Action::GoTo(Box::new(bookmark.camera.clone())));
        }
    }
    if let Some(index) = removed {
        scene.bookmarks.remove(index);
    }
    let room = scene.bookmarks.len() < MOST_BOOKMARKS;
    let add = ui.add_enabled(room, Button::new(tr("Bookmark this view")));
    if add
        .on_hover_text(tr("Keeps this view in the scene, under a name."))
        .on_disabled_hover_text(tr("At most 100 bookmarks."))
        .clicked()
    {
        let name = free_name(&names);
        let camera = scene.camera.clone();
        scene.bookmarks.push(Bookmark { name, camera });
    }
}

/// Draw the key frames of the camera path.
fn path_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    heading(ui, tr("Camera path"));
    let mut removed = None;
    let times: Vec<_> = scene.path.frames.iter().map(|frame| frame.time).collect();
    for (index, frame) in scene.path.frames.iter_mut().enumerate() {
        let line = line_ui(ui, index, |ui, label| {
            let go = button(ui, tr("Go"), tr("Fly to this key frame."));
            let before = index.checked_sub(1).and_then(|before| times.get(before));
            let least = before.map_or(0.0, |before| before + LEAST);
            let most = times
                .get(index + 1)
                .map_or(MOST_SECONDS, |after| after - LEAST);
            let number = number_box(ui, &mut frame.time, least..=most.max(least))
                .clamp_existing_to_range(false)
                .speed(0.02)
                .max_decimals(2)
                .suffix(tr(" s"));
            ui.add(number)
                .labelled_by(label)
                .on_hover_text(tr("When the camera gets there, in seconds from the start."));
            go
        });
        if line.removed {
            removed = Some(index);
        }
        if line.inner {
            actions.push(Action::GoTo(Box::new(frame.camera.clone())));
        }
    }
    if let Some(index) = removed {
        scene.path.frames.remove(index);
    }
    ui.horizontal_wrapped(|ui| {
        let frames = scene.path.frames.len();
        let last = scene.path.frames.last().map(|frame| frame.time);
        let time = last.map_or(0.0, |last| last + STEP);
        let room = frames < MOST_FRAMES && time <= MOST_SECONDS;
        let add = ui.add_enabled(room, Button::new(tr("Add key frame")));
        if add
            .on_hover_text(tr(
                "Adds this view, three seconds after the last key frame.",
            ))
            .on_disabled_hover_text(tr("At most 100 key frames, and 10 hours."))
            .clicked()
        {
            let camera = scene.camera.clone();
            scene.path.frames.push(KeyFrame { time, camera });
        }
        let some = scene.bookmarks.len() > 1;
        let all = ui.add_enabled(some, Button::new(tr("From bookmarks")));
        if all
            .on_hover_text(tr("Replaces the path by one from bookmark to bookmark."))
            .on_disabled_hover_text(tr("A path needs two bookmarks or more."))
            .clicked()
        {
            scene.path.frames = path_of(&scene.bookmarks);
        }
        let words = if facts.travelling {
            tr("Stop")
        } else {
            tr("Play")
        };
        let play = ui.add_enabled(frames > 1, Button::new(words));
        if play
            .on_hover_text(tr(
                "Fly along the path; `landform film` makes a film of it.",
            ))
            .on_disabled_hover_text(tr("A path needs two key frames or more."))
            .clicked()
        {
            actions.push(Action::PlayFilm);
        }
    });
}

fn path_of(bookmarks: &[Bookmark]) -> Vec<KeyFrame> {
    let bookmarks = bookmarks.iter().take(MOST_FRAMES).enumerate();
    let frame = |(index, bookmark): (usize, &Bookmark)| KeyFrame {
        time: index as f32 * STEP,
        camera: bookmark.camera.clone(),
    };
    bookmarks.map(frame).collect()
}

fn heading(ui: &mut Ui, words: &str) {
    ui.add_space(4.0);
    ui.label(RichText::new(words).strong());
}

fn button(ui: &mut Ui, words: &str, help: &str) -> bool {
    ui.add(Button::new(words).small())
        .on_hover_text(help)
        .clicked()
}

struct Line<R> {
    label: egui::Id,
    removed: bool,
    inner: R,
}

/// Draw a numbered line with a remove button at the right and the content of `add` in between.
fn line_ui<R>(ui: &mut Ui, index: usize, add: impl FnOnce(&mut Ui, egui::Id) -> R) -> Line<R> {
    ui.horizontal(|ui| {
        let label = ui.label(format!("{}.", index + 1)).id;
        let rest = Layout::right_to_left(Align::Center);
        let (removed, inner) = ui
            .with_layout(rest, |ui| {
                let removed = button(ui, "✖", tr("Remove this line."));
                (removed, add(ui, label))
            })
            .inner;
        Line {
            label,
            removed,
            inner,
        }
    })
    .inner
}

/// Check the name of a bookmark; the error describes valid names.
fn check_name(text: &str, index: usize, names: &[String]) -> Result<(), String> {
    let mut others = names
        .iter()
        .enumerate()
        .filter(|(other, _)| *other != index);
    let twice = others.any(|(_, name)| name == text);
    if text.is_empty() || text.chars().count() > 100 || twice {
        return Err(tr("1 to 100 characters that no other bookmark has as its name").to_owned());
    }
    Ok(())
}

/// Name not used by any bookmark.
fn free_name(names: &[String]) -> String {
    let mut all = (1_usize..).map(|number| tr!("view {number}", number));
    all.find(|name| !names.contains(name)).unwrap_or_default()
}
