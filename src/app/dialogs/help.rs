//! Windows of the Help menu: the list of keys, the tour, and the version of the program.

use egui::{Align2, Button, Context, Grid, Rect, RichText, ScrollArea, Ui};

use super::{GAP, has_room, middle, room_in, scrolled, sheet};
use crate::app::commands::{Action, TourAction};
use crate::app::controls::button;
use crate::app::floating::window;
use crate::app::state::Derived;
use crate::app::state::tour::{STEPS, Tour};
use crate::app::theme;
use crate::util::language::{mark, tr};

/// Title of the dialog.
pub const KEYS_TITLE: &str = mark("Keys");

/// Heading with its entries: keys as printed on the keyboard, and their effect.
type KeyGroup = (&'static str, &'static [(&'static str, &'static str)]);

/// Table of all keys and mouse actions.
const KEYS: &[KeyGroup] = &[
    (
        mark("Look around"),
        &[
            ("1 2 3 4", mark("orbit, fly, walk, straight down")),
            (
                mark("Left drag"),
                mark("orbit; flying and walking: look around; on the map: shift it"),
            ),
            (mark("Right or middle drag"), mark("shift the view")),
            (mark("Left drag on the sun"), mark("move the sun")),
            (mark("Wheel"), mark("zoom; flying and walking: speed")),
            (
                "W A S D",
                mark("fly or walk (Shift: faster); keys by their position on the keyboard"),
            ),
            ("Q E", mark("down, up; in view straight down: zoom")),
            ("⬅ ➡", mark("turn by 3°")),
            ("⬆ ⬇", mark("move by a fortieth of a tile")),
            (
                mark("Shift ⬆ ⬇"),
                mark("rise, sink by a fortieth of a tile"),
            ),
            (
                mark("Home"),
                mark("reset the camera to that of the preset or the file"),
            ),
        ],
    ),
    (
        mark("Pins, while they are edited on the map"),
        &[
            (mark("Click"), mark("a new pin")),
            (mark("Drag"), mark("move the pin")),
            (mark("Shift drag, wheel"), mark("raise, lower the pin")),
            (mark("Right click, Delete"), mark("remove the pin")),
        ],
    ),
    (
        mark("Cross-section, while it is drawn on the map"),
        &[
            (mark("Drag"), mark("a line from A to B; at an end: move it")),
            (mark("Right click"), mark("remove the line")),
        ],
    ),
    (
        mark("Watershed, while its point is picked"),
        &[
            ("B", mark("start or stop picking it")),
            (
                mark("Click"),
                mark("show the land that drains to this point"),
            ),
            (mark("Right click"), mark("remove it")),
        ],
    ),
    (
        mark("Variations"),
        &[
            ("V", mark("show or hide them")),
            (mark("Click, Enter"), mark("use it")),
            (
                mark("Shift click, Shift Enter"),
                mark("open it in a new window"),
            ),
            ("⬅ ➡ ⬆ ⬇", mark("go to the next one")),
        ],
    ),
    (
        mark("Presets and history"),
        &[
            ("P", mark("show or hide the sheet of presets")),
            (mark("Click, Enter"), mark("open it")),
            (
                mark("Shift click, Shift Enter"),
                mark("open it in a new window"),
            ),
            (
                mark("Right click"),
                mark("name and tags of your own, remove it"),
            ),
            (
                "H",
                mark("show or hide the history; click a state to go back to it"),
            ),
        ],
    ),
    (
        mark("Film"),
        &[
            ("F5", mark("show or hide the timeline")),
            (mark("Space"), mark("play the film, or stop it")),
            ("K", mark("a key frame at this time")),
            (
                mark("Drag on the timeline"),
                mark("move through time; on a key frame: move it"),
            ),
        ],
    ),
    (
        mark("Settings"),
        &[
            ("R", mark("a random seed")),
            (mark("Ctrl Z"), mark("undo")),
            (mark("Ctrl Shift Z, Ctrl Y"), mark("redo")),
            (
                mark("Ctrl C, Ctrl V"),
                mark("copy, paste the scene as text"),
            ),
            (
                mark("Double-click"),
                mark("reset this setting to the preset or the file"),
            ),
            (mark("Ctrl F"), mark("find a setting; Esc shows all again")),
            (
                mark("Ctrl Shift P"),
                mark("every action and setting, found by name"),
            ),
            (
                mark("F10, Alt F, E, V, H"),
                mark("the menus: the first, File, Edit, View, Help"),
            ),
            ("F4", mark("show or hide the panel")),
            ("F3", mark("show or hide the statistics")),
            (
                "F11",
                mark("show only the landscape, full screen, and back"),
            ),
        ],
    ),
    (
        mark("Compare"),
        &[
            ("C", mark("keep the scene as A and go on with B")),
            ("X", mark("switch between A and B")),
            (
                mark("Shift X"),
                mark("A and B side by side; drag the divider"),
            ),
        ],
    ),
    (
        mark("Without a mouse"),
        &[
            (
                mark("Tab, Shift Tab"),
                mark("move to the panel; next, previous control"),
            ),
            (mark("⬅ ➡, Home, End"), mark("move a slider; to its ends")),
            ("⬆ ⬇", mark("change the choice of a drop-down list")),
            (mark("Space, Enter"), mark("press, switch, fold")),
            ("F6", mark("move to the panel; back to the landscape")),
        ],
    ),
    (
        mark("Files and help"),
        &[
            (mark("F12, Ctrl P"), mark("save the picture")),
            (mark("Ctrl S"), mark("save the scene in its file")),
            (mark("Ctrl Shift S"), mark("save the scene in another file")),
            (mark("Ctrl E"), mark("export the height map or mesh")),
            (mark("Ctrl N"), mark("new scene")),
            (mark("Ctrl O"), mark("open a scene or an image")),
            (mark("Ctrl Q"), mark("quit")),
            (mark("Ctrl + − 0"), mark("larger, smaller, usual text size")),
            ("F1", mark("these keys")),
            (mark("Esc"), mark("close the open window or menu")),
        ],
    ),
];

/// Draw the dialog; closing it clears `open`.
pub fn keys_ui(ctx: &Context, open: &mut bool, derived: &Derived) {
    let area = middle(derived);
    let (width, room) = (area.width() - 4.0 * GAP, room_in(area));
    sheet(KEYS_TITLE, open, area).show(ctx, |ui| {
        ScrollArea::both()
            .max_width(width)
            .min_scrolled_width(width)
            .max_height(room)
            .min_scrolled_height(room)
            .show(ui, |ui| KEYS.iter().for_each(|group| group_ui(ui, group)));
    });
}

fn group_ui(ui: &mut Ui, (heading, keys): &KeyGroup) {
    ui.label(RichText::new(tr(heading)).strong().color(theme::ACCENT));
    Grid::new(heading)
        .num_columns(2)
        .min_col_width(150.0)
        .spacing([16.0, 3.0])
        .show(ui, |ui| {
            for (keys, effect) in *keys {
                ui.label(RichText::new(tr(keys)).strong());
                ui.label(tr(effect));
                ui.end_row();
            }
        });
    ui.add_space(6.0);
}

/// Title of the window.
pub const TOUR_TITLE: &str = mark("A tour");

/// Width of the text and height of the buttons below it, in points.
const TOUR_WIDTH: f32 = 300.0;
const BUTTONS: f32 = 30.0;

/// Draw the present step, if the tour is running.
pub fn tour_ui(ctx: &Context, tour: Option<&Tour>, scene: Rect, actions: &mut Vec<Action>) {
    let Some(tour) = tour.filter(|_| has_room(scene)) else {
        return;
    };
    let mut open = true;
    window(ctx, TOUR_TITLE, Align2::LEFT_TOP, scene, &[])
        .open(&mut open)
        .resizable(false)
        .show(ctx, |ui| {
            ui.set_width(TOUR_WIDTH.min(scene.width() - 4.0 * GAP));
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
        let (words, help, action) = match is_last {
            true => (
                tr("End"),
                tr("Your own scene is restored."),
                TourAction::End,
            ),
            false => (tr("Next"), tr("The next step."), TourAction::Next),
        };
        if button(ui, words, help) {
            actions.push(Action::Tour(action));
        }
    });
}

/// Title of the dialog.
pub const ABOUT_TITLE: &str = mark("About Landform");

/// Draw the dialog; closing it clears `open`.
pub fn about_ui(ctx: &Context, open: &mut bool, derived: &Derived) {
    sheet(ABOUT_TITLE, open, middle(derived))
        .default_width(380.0)
        .show(ctx, |ui| {
            ui.heading(tr!("Landform {}", env!("CARGO_PKG_VERSION")));
            ui.label(tr(
                "Fractal landscapes: measured, exact, instant. A viewer, a command and a library.",
            ));
            ui.add_space(6.0);
            ui.label(tr("Based on Paul Martz's program for his article \
                     “Generating Random Fractal Terrain” (1996), and taken further."));
            ui.add_space(6.0);
            ui.label(tr!("Licence: {}", env!("CARGO_PKG_LICENSE")));
        });
}
