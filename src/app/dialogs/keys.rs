//! List of keyboard shortcuts and mouse actions, opened with F1.

use egui::{Context, Grid, RichText, ScrollArea, Ui};

use super::{GAP, middle, room_in, sheet};
use crate::app::state::Derived;
use crate::app::theme;
use crate::util::language::{mark, tr};

/// Title of the dialog.
pub const TITLE: &str = mark("Keys");

/// Entry of the list: one or several keys and their effect.
struct KeyHelp {
    /// Keys, as printed on the keyboard.
    keys: &'static str,
    /// Effect of the keys.
    what: &'static str,
}

/// Heading with its entries.
type KeyGroup = (&'static str, &'static [KeyHelp]);

const fn key(keys: &'static str, what: &'static str) -> KeyHelp {
    KeyHelp { keys, what }
}

/// Table of all keys and mouse actions.
const KEYS: &[KeyGroup] = &[
    (
        mark("Look around"),
        &[
            key("1 2 3 4", mark("orbit, fly, walk, straight down")),
            key(
                mark("Left drag"),
                mark("orbit; flying and walking: look around; on the map: shift it"),
            ),
            key(mark("Right or middle drag"), mark("shift the view")),
            key(mark("Left drag on the sun"), mark("move the sun")),
            key(mark("Wheel"), mark("zoom; flying and walking: speed")),
            key(
                "W A S D",
                mark("fly or walk (Shift: faster); the keys at that place"),
            ),
            key("Q E", mark("down, up; in view straight down: zoom")),
            key("⬅ ➡", mark("turn by 3°")),
            key("⬆ ⬇", mark("move by 0.05 half tiles")),
            key(mark("Shift ⬆ ⬇"), mark("rise, sink by 0.05 half tiles")),
            key(
                mark("Home"),
                mark("camera as the preset or the file has it"),
            ),
        ],
    ),
    (
        mark("Pins, while they are edited on the map"),
        &[
            key(mark("Click"), mark("a new pin")),
            key(mark("Drag"), mark("move the pin")),
            key(mark("Shift drag, wheel"), mark("raise, lower the pin")),
            key(mark("Right click, Delete"), mark("remove the pin")),
        ],
    ),
    (
        mark("Cross-section, while it is drawn on the map"),
        &[
            key(mark("Drag"), mark("a line from A to B; at an end: move it")),
            key(mark("Right click"), mark("remove the line")),
        ],
    ),
    (
        mark("Watershed, while its point is picked"),
        &[
            key("B", mark("begin or end to pick it")),
            key(mark("Click"), mark("the land that drains there")),
            key(mark("Right click"), mark("remove it")),
        ],
    ),
    (
        mark("Variations"),
        &[
            key("V", mark("show or hide them")),
            key(mark("Click, Enter"), mark("take it over")),
            key(
                mark("Shift click, Shift Enter"),
                mark("open it in a window of its own"),
            ),
            key("⬅ ➡ ⬆ ⬇", mark("to the next one")),
        ],
    ),
    (
        mark("Presets and history"),
        &[
            key("P", mark("show or hide the sheet of presets")),
            key(mark("Click, Enter"), mark("open it")),
            key(
                mark("Shift click, Shift Enter"),
                mark("open it in a window of its own"),
            ),
            key(
                mark("Right click"),
                mark("name and tags of your own, remove it"),
            ),
            key(
                "H",
                mark("show or hide the last states; a click goes to one"),
            ),
        ],
    ),
    (
        mark("Film"),
        &[
            key("F5", mark("show or hide the timeline")),
            key(mark("Space"), mark("play the film, or stop it")),
            key("K", mark("a key frame at this time")),
            key(
                mark("Drag on the timeline"),
                mark("go through time; at a key frame: move it"),
            ),
        ],
    ),
    (
        mark("Settings"),
        &[
            key("R", mark("a random seed")),
            key(mark("Ctrl Z"), mark("undo")),
            key(mark("Ctrl Shift Z, Ctrl Y"), mark("redo")),
            key(
                mark("Ctrl C, Ctrl V"),
                mark("copy, paste the scene as text"),
            ),
            key(
                mark("Double-click"),
                mark("this setting as the preset or the file has it"),
            ),
            key(mark("Ctrl F"), mark("find a setting; Esc shows all again")),
            key("F4", mark("show or hide the panel")),
            key("F3", mark("show or hide the statistics")),
            key(
                "F11",
                mark("the landscape alone on the whole screen, and back"),
            ),
        ],
    ),
    (
        mark("Compare"),
        &[
            key("C", mark("keep the scene as A and go on with B")),
            key("X", mark("all of A, all of B, in turns")),
            key(
                mark("Shift X"),
                mark("A and B side by side; drag the divider"),
            ),
        ],
    ),
    (
        mark("Without a mouse"),
        &[
            key(
                mark("Tab, Shift Tab"),
                mark("into the panel; the next, the last control"),
            ),
            key(mark("⬅ ➡, Home, End"), mark("move a slider; to its ends")),
            key("⬆ ⬇", mark("another choice of a drop-down")),
            key(mark("Space, Enter"), mark("press, switch, fold")),
            key("F6", mark("into the panel; back to the landscape")),
        ],
    ),
    (
        mark("Files and help"),
        &[
            key(mark("F12, Ctrl P"), mark("save the picture")),
            key(mark("Ctrl S"), mark("save the scene in its file")),
            key(mark("Ctrl Shift S"), mark("save the scene in another file")),
            key(mark("Ctrl E"), mark("export the height map or mesh")),
            key(mark("Ctrl N"), mark("new scene")),
            key(mark("Ctrl O"), mark("open a scene or an image")),
            key(mark("Ctrl Q"), mark("quit")),
            key(
                mark("Ctrl + − 0"),
                mark("larger, smaller, usual size of all words"),
            ),
            key("F1", mark("these keys")),
            key(mark("Esc"), mark("close what is open")),
        ],
    ),
];

/// Draw the dialog; closing it clears `open`.
pub fn keys_ui(ctx: &Context, open: &mut bool, derived: &Derived) {
    let area = middle(derived);
    let (width, room) = (area.width() - 4.0 * GAP, room_in(area));
    sheet(TITLE, open, area).show(ctx, |ui| {
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
            for key in *keys {
                ui.label(RichText::new(tr(key.keys)).strong());
                ui.label(tr(key.what));
                ui.end_row();
            }
        });
    ui.add_space(6.0);
}
