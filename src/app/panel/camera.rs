//! Sections of the panel for the camera with its bookmarks, and for the film with its key frames.

use egui::{Button, Id, RichText, Ui, vec2};

use super::Facts;
use super::finder::{part_ui, shows_all};
use super::param_ui::{draft_error_ui, table_ui, text_box};
use super::row::Row;
use crate::app::commands::Action;
use crate::app::controls::lengths::{LIMIT, length_box};
use crate::app::controls::number::number_box;
use crate::app::controls::{button_if, sides};
use crate::app::state::key_frames::{MOST_FRAMES, STEP, add_view, has_room};
use crate::camera::film;
use crate::scene::relevance::Inactive;
use crate::scene::{Bookmark, Camera, KeyFrame, MOST_BOOKMARKS, MOST_SECONDS, Scene};
use crate::util::language::tr;

/// Draw the section.
pub fn camera_ui(
    ui: &mut Ui,
    camera: &mut Camera,
    was: &Camera,
    inactive: &Inactive,
    actions: &mut Vec<Action>,
) {
    let mode = camera.mode;
    table_ui(ui, camera, was, |key| inactive.reason("camera", key));
    if camera.mode != mode {
        // The mode is changed elsewhere, because keeping the eye in place needs the ground.
        let wanted = std::mem::replace(&mut camera.mode, mode);
        actions.push(Action::CameraMode(wanted));
    }
    target_ui(ui, camera, was.target, inactive.reason("camera", "fov"));
    if !shows_all(ui) {
        return;
    }
    let help = tr("Resets the camera to that of the preset or the file (key Home).");
    if button_if(ui, *camera != *was, tr("Reset camera"), help, help) {
        actions.push(Action::ResetCamera);
    }
}

fn target_ui(ui: &mut Ui, camera: &mut Camera, was: [f64; 3], unused: Option<&str>) {
    let row = Row {
        label: tr("Target"),
        help: tr(
            "The point that the camera looks at, from the middle of the first tile: east, up, south.\n\n\
             In the unit of the distance. Default: 0, 0, 0. Double-click to reset.",
        ),
        differs: camera.target != was,
        unused,
        words: &["target"],
        ..Row::default()
    };
    let shown = row.show(ui, |ui, label| {
        let gap = ui.spacing().item_spacing.x;
        let width = (ui.available_width() - 2.0 * gap) / 3.0;
        let size = vec2(width, ui.spacing().interact_size.y);
        for value in &mut camera.target {
            row.explain(length_box(ui, value, LIMIT, size, "", 0.01).labelled_by(label));
        }
    });
    if let Some((true, ())) = shown {
        camera.target = was;
    }
}

/// Minimum time between two key frames, in seconds.
const LEAST: f32 = 0.01;

/// Draw the bookmarks of the section "Camera".
pub fn journey_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    let differs = scene.bookmarks != facts.baseline.bookmarks;
    part_ui(ui, &[tr("Bookmarks"), "views"], differs, |ui| {
        bookmarks_ui(ui, scene, actions);
    });
}

/// Draw the section "Film": the key frames of the camera, the settings of the film, and its export.
pub fn film_section_ui(
    ui: &mut Ui,
    scene: &mut Scene,
    inactive: &Inactive,
    facts: &Facts<'_>,
    actions: &mut Vec<Action>,
) {
    let was = facts.baseline;
    let differs = scene.path.frames != was.path.frames;
    part_ui(ui, &[tr("Key frames"), "camera path"], differs, |ui| {
        frames_ui(ui, scene, facts, actions);
    });
    table_ui(ui, &mut scene.film, &was.film, |key| {
        inactive.reason("film", key)
    });
    table_ui(ui, &mut scene.path, &was.path, |_| None);
    if shows_all(ui) {
        let help = tr("Writes the film as MP4, WebM, GIF, animated PNG or pictures.");
        if button_if(ui, true, tr("Export film…"), help, help) {
            actions.push(Action::ToggleFilming);
        }
    }
}

/// Draw the list of bookmarks.
fn bookmarks_ui(ui: &mut Ui, scene: &mut Scene, actions: &mut Vec<Action>) {
    heading(ui, tr("Bookmarks"));
    let mut removed = None;
    let names: Vec<_> = scene.bookmarks.iter().map(|b| b.name.clone()).collect();
    for (index, bookmark) in scene.bookmarks.iter_mut().enumerate() {
        let line = line_ui(ui, index, tr("Fly to this view."), |ui, label| {
            let row = Row {
                label: tr("Name"),
                help: tr("Name of the bookmark, also for `landform render --bookmark`."),
                ..Row::default()
            };
            let check = |text: &str| check_name(text, index, &names);
            bookmark.name = text_box(ui, &bookmark.name, tr("none"), label, &row, &check);
        });
        draft_error_ui(ui, line.label, false);
        removed = line.removed.then_some(index).or(removed);
        if line.goes {
            actions.push(Action::GoTo(Box::new(bookmark.camera.clone())));
        }
    }
    if let Some(index) = removed {
        scene.bookmarks.remove(index);
    }
    let room = scene.bookmarks.len() < MOST_BOOKMARKS;
    let help = tr("Saves this view in the scene, under a name.");
    let why = tr("At most 100 bookmarks.");
    if button_if(ui, room, tr("Bookmark this view"), help, why) {
        let name = free_name(&names);
        let camera = scene.camera.clone();
        scene.bookmarks.push(Bookmark { name, camera });
    }
}

/// Draw the key frames of the camera.
fn frames_ui(ui: &mut Ui, scene: &mut Scene, facts: &Facts<'_>, actions: &mut Vec<Action>) {
    heading(ui, tr("Key frames"));
    let mut removed = None;
    let times: Vec<_> = scene.path.frames.iter().map(|frame| frame.time).collect();
    for (index, frame) in scene.path.frames.iter_mut().enumerate() {
        let line = line_ui(ui, index, tr("Fly to this key frame."), |ui, label| {
            let before = index.checked_sub(1).and_then(|before| times.get(before));
            let least = before.map_or(0.0, |before| before + LEAST);
            let after = times.get(index + 1);
            let most = after.map_or(MOST_SECONDS, |after| after - LEAST);
            let number = number_box(ui, &mut frame.time, least..=most.max(least))
                .clamp_existing_to_range(false)
                .speed(0.02)
                .max_decimals(2)
                .suffix(tr(" s"));
            ui.add(number)
                .labelled_by(label)
                .on_hover_text(tr("When the camera gets there, in seconds from the start."));
        });
        removed = line.removed.then_some(index).or(removed);
        if line.goes {
            actions.push(Action::GoTo(Box::new(frame.camera.clone())));
        }
    }
    if let Some(index) = removed {
        scene.path.frames.remove(index);
    }
    ui.horizontal_wrapped(|ui| {
        let help = tr("Adds this view, three seconds after the last key frame.");
        let why = tr("At most 100 key frames, and 10 hours.");
        if button_if(ui, has_room(scene), tr("Add key frame"), help, why) {
            add_view(scene);
        }
        let some = scene.bookmarks.len() > 1;
        let help = tr("Replaces the key frames by the bookmarks, three seconds apart.");
        let why = tr("A film needs two bookmarks or more.");
        if button_if(ui, some, tr("From bookmarks"), help, why) {
            scene.path.frames = path_of(&scene.bookmarks);
        }
        let words = match facts.travelling {
            true => tr("Stop"),
            false => tr("Play"),
        };
        let help = tr("Plays the film, or stops it (Space).");
        let why = tr("A film needs two key frames or more.");
        if button_if(ui, film::is_film(scene), words, help, why) {
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

fn small_button(ui: &mut Ui, words: &str, help: &str) -> bool {
    let button = ui.add(Button::new(words).small());
    button.on_hover_text(help).clicked()
}

struct Line {
    label: Id,
    removed: bool,
    goes: bool,
}

/// Draw a numbered line with the content of `add`, a button that sends the camera there, and one that
/// removes the line.
fn line_ui(ui: &mut Ui, index: usize, going: &str, add: impl FnOnce(&mut Ui, Id)) -> Line {
    let line = ui.horizontal(|ui| {
        let label = ui.label(format!("{}.", index + 1)).id;
        let left = |ui: &mut Ui| add(ui, label);
        sides(ui, left, |ui| Line {
            label,
            goes: small_button(ui, tr("Go"), going),
            removed: small_button(ui, "✖", tr("Remove this line.")),
        })
    });
    line.inner
}

/// Check the name of a bookmark; the error describes valid names.
fn check_name(text: &str, index: usize, names: &[String]) -> Result<(), String> {
    let mut all = names.iter().enumerate();
    let twice = all.any(|(other, name)| other != index && name == text);
    if text.is_empty() || text.chars().count() > 100 || twice {
        return Err(tr("1 to 100 characters, and not the name of another bookmark").to_owned());
    }
    Ok(())
}

/// Name not used by any bookmark.
fn free_name(names: &[String]) -> String {
    let mut all = (1_usize..).map(|number| tr!("view {number}", number));
    all.find(|name| !names.contains(name)).unwrap_or_default()
}
