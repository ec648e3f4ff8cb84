//! The list of keys that F1 shows.

use egui::{Context, Grid, RichText, ScrollArea, Ui};

use super::sheet;
use crate::app::theme;

/// The title of the dialog.
pub const TITLE: &str = "Keys";

/// A key, or several, and what it does: the list that F1 shows.
struct KeyHelp {
    /// The keys, as printed on them.
    keys: &'static str,
    /// What it does.
    what: &'static str,
}

/// A heading and its keys.
type KeyGroup = (&'static str, &'static [KeyHelp]);

const fn key(keys: &'static str, what: &'static str) -> KeyHelp {
    KeyHelp { keys, what }
}

/// Every key and mouse button.
const KEYS: &[KeyGroup] = &[
    (
        "Look around",
        &[
            key("1 2 3 4", "orbit, fly, walk, straight down"),
            key(
                "Left drag",
                "orbit; flying and walking: look around; on the map: shift it",
            ),
            key("Right or middle drag", "shift the view"),
            key("Left drag on the sun", "move the sun"),
            key("Wheel", "zoom; flying and walking: speed"),
            key(
                "W A S D",
                "fly or walk (Shift: faster); the keys at that place",
            ),
            key("Q E", "down, up; in view straight down: zoom"),
            key("⬅ ➡", "turn by 3°"),
            key("⬆ ⬇", "move by 0.05 half tiles"),
            key("Shift ⬆ ⬇", "rise, sink by 0.05 half tiles"),
            key("Home", "camera as the preset or the file has it"),
        ],
    ),
    (
        "Pins, while they are edited on the map",
        &[
            key("Click", "a new pin"),
            key("Drag", "move the pin"),
            key("Shift drag, wheel", "raise, lower the pin"),
            key("Right click, Delete", "remove the pin"),
        ],
    ),
    (
        "Cross-section, while it is drawn on the map",
        &[
            key("Drag", "a line from A to B; at an end: move it"),
            key("Right click", "remove the line"),
        ],
    ),
    (
        "Watershed, while its point is picked",
        &[
            key("B", "begin or end to pick it"),
            key("Click", "the land that drains there"),
            key("Right click", "remove it"),
        ],
    ),
    (
        "Variations",
        &[
            key("V", "show or hide them"),
            key("Click, Enter", "take it over"),
            key("Shift click, Shift Enter", "open it in a window of its own"),
            key("⬅ ➡ ⬆ ⬇", "to the next one"),
        ],
    ),
    (
        "Presets and history",
        &[
            key("P", "show or hide the sheet of presets"),
            key("Click, Enter", "open it"),
            key("Shift click, Shift Enter", "open it in a window of its own"),
            key("Right click", "name and tags of your own, remove it"),
            key("H", "show or hide the last states; a click goes to one"),
        ],
    ),
    (
        "Film",
        &[
            key("F5", "show or hide the timeline"),
            key("Space", "play the film, or stop it"),
            key("K", "a key frame at this time"),
            key(
                "Drag on the timeline",
                "go through time; at a key frame: move it",
            ),
        ],
    ),
    (
        "Settings",
        &[
            key("R", "a random seed"),
            key("Ctrl Z", "undo"),
            key("Ctrl Shift Z, Ctrl Y", "redo"),
            key("Ctrl C, Ctrl V", "copy, paste the scene as text"),
            key(
                "Double-click",
                "this setting as the preset or the file has it",
            ),
            key("Ctrl F", "find a setting; Esc shows all again"),
            key("F4", "show or hide the panel"),
            key("F3", "show or hide the statistics"),
            key("F11", "the landscape alone on the whole screen, and back"),
        ],
    ),
    (
        "Compare",
        &[
            key("C", "keep the scene as A and go on with B"),
            key("X", "all of A, all of B, in turns"),
            key("Shift X", "A and B side by side; drag the divider"),
        ],
    ),
    (
        "Without a mouse",
        &[
            key(
                "Tab, Shift Tab",
                "into the panel; the next, the last control",
            ),
            key("⬅ ➡, Home, End", "move a slider; to its ends"),
            key("⬆ ⬇", "another choice of a drop-down"),
            key("Space, Enter", "press, switch, fold"),
            key("F6", "into the panel; back to the landscape"),
        ],
    ),
    (
        "Files and help",
        &[
            key("F12, Ctrl P", "save the picture"),
            key("Ctrl S", "save the scene in its file"),
            key("Ctrl Shift S", "save the scene in another file"),
            key("Ctrl E", "export the height map or mesh"),
            key("Ctrl N", "new scene"),
            key("Ctrl O", "open a scene or an image"),
            key("Ctrl Q", "quit"),
            key("Ctrl + − 0", "larger, smaller, usual size of all words"),
            key("F1", "these keys"),
            key("Esc", "close what is open"),
        ],
    ),
];

/// Draws the dialog; its cross sets `open`.
pub fn keys_ui(ctx: &Context, open: &mut bool) {
    // Title and margins, so that the window never ends below the screen.
    let room = ctx.content_rect().height() - 60.0;
    sheet(TITLE, open).show(ctx, |ui| {
        ScrollArea::vertical()
            .max_height(room)
            .min_scrolled_height(room)
            .show(ui, |ui| KEYS.iter().for_each(|group| group_ui(ui, group)));
    });
}

fn group_ui(ui: &mut Ui, (heading, keys): &KeyGroup) {
    ui.label(RichText::new(*heading).strong().color(theme::ACCENT));
    Grid::new(heading)
        .num_columns(2)
        .min_col_width(150.0)
        .spacing([16.0, 3.0])
        .show(ui, |ui| {
            for key in *keys {
                ui.label(RichText::new(key.keys).strong());
                ui.label(key.what);
                ui.end_row();
            }
        });
    ui.add_space(6.0);
}
