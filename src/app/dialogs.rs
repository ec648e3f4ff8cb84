//! Windows above the scene: asking for a file, the keys, what the program is.

use std::path::{Path, PathBuf};

use egui::{Align2, Context, Grid, RichText, ScrollArea, Ui, Window, vec2};
use egui_file_dialog::{DialogState, FileDialog};

use crate::app::commands::{Command, Part};
use crate::app::document;
use crate::app::input::{KEYS, KeyGroup};
use crate::app::theme;
use crate::export::Format;
use crate::import;

/// What a file is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To open a scene, or an image as the landscape.
    Open,
    /// To be the input image of a generator.
    Input(Part),
    /// To hold the scene.
    SaveScene,
    /// To hold the heights or the mesh.
    Export,
    /// To hold the picture.
    SavePicture,
}

/// What is open.
#[derive(Default)]
pub struct Dialogs {
    /// The list of keys.
    pub keys: bool,
    /// What the program is.
    pub about: bool,
    /// What waits for an answer about changes that are not saved.
    pub unsaved: Option<Box<Command>>,
    /// The file of the document that was not written, since it is not as it was.
    pub changed: Option<PathBuf>,
    /// What goes on once they are saved.
    pub after_saving: Option<Box<Command>>,
    /// Why it is asked for, the extension of an export, and the dialog.
    file: Option<(Purpose, &'static str, FileDialog)>,
}

impl Dialogs {
    /// Whether an answer is asked for, so that all keys are the dialog's.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.file.is_some() || self.unsaved.is_some() || self.changed.is_some()
    }

    /// Asks for a file, starting in `folder`, with a name made of `stem` where one is saved, and
    /// an export's extension of `format`.
    pub fn ask(
        &mut self,
        purpose: Purpose,
        folder: Option<&Path>,
        stem: &str,
        format: &'static Format,
    ) {
        let mut dialog = FileDialog::new()
            .as_modal(true)
            .movable(false)
            .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
            .default_size([680.0, 420.0])
            .min_size([260.0, 140.0])
            .title_bar(true)
            .show_devices(false);
        if let Some(folder) = folder.filter(|folder| folder.is_dir()) {
            dialog = dialog.initial_directory(folder.to_owned());
        }
        let mut dialog = match purpose {
            Purpose::Open => {
                let all = import::extensions();
                dialog
                    .title("Open a scene, a height map or an exported file")
                    .add_file_filter_extensions("Scenes, maps and meshes", all)
                    .default_file_filter("Scenes, maps and meshes")
            }
            Purpose::Input(_) => dialog
                .title("Open an input image or height map")
                .add_file_filter_extensions("Images and height maps", import::map_extensions())
                .default_file_filter("Images and height maps"),
            Purpose::SaveScene => dialog
                .title("Save the scene")
                .default_file_name(&format!("{stem}.{}", document::EXTENSION)),
            Purpose::Export => dialog
                .title(&format!("Export as {}", format.name))
                .default_file_name(&format!("{stem}.{}", format.extension)),
            Purpose::SavePicture => dialog
                .title("Save the picture (.png)")
                .default_file_name(&format!("{stem}-picture.png")),
        };
        match purpose {
            Purpose::Open | Purpose::Input(_) => dialog.pick_file(),
            _ => dialog.save_file(),
        }
        self.file = Some((purpose, format.extension, dialog));
    }

    /// Draws the file dialog; returns the file once one is picked.
    fn file_ui(&mut self, ctx: &Context) -> Option<(Purpose, &'static str, PathBuf)> {
        let (purpose, extension, dialog) = self.file.as_mut()?;
        let (purpose, extension) = (*purpose, *extension);
        // The dialog keeps no room for its title.
        let room = ctx.content_rect().size() - vec2(24.0, 56.0);
        let config = dialog.config_mut();
        config.max_size = Some(room);
        config.default_size = config.default_size.min(room);
        let state = dialog.update(ctx).state().clone();
        if state != DialogState::Open {
            self.file = None;
        }
        if state == DialogState::Cancelled {
            self.after_saving = None;
        }
        match state {
            DialogState::Picked(path) => Some((purpose, extension, path)),
            _ => None,
        }
    }
}

/// Draws what is open. Remembers the folder of a file that was picked.
///
/// # Errors
/// Words for the user: the name picked is none that can be written.
pub fn dialogs_ui(
    ctx: &Context,
    dialogs: &mut Dialogs,
    folder: &mut Option<PathBuf>,
) -> Result<Option<Command>, String> {
    keys_ui(ctx, &mut dialogs.keys);
    about_ui(ctx, &mut dialogs.about);
    let Some((purpose, extension, path)) = dialogs.file_ui(ctx) else {
        return Ok(None);
    };
    *folder = path.parent().map(Path::to_owned);
    let named = match purpose {
        Purpose::Open | Purpose::Input(_) => Ok(path),
        Purpose::SaveScene => with_extension(path, document::EXTENSION, true),
        Purpose::Export => with_extension(path, extension, false),
        Purpose::SavePicture => with_extension(path, "png", false),
    };
    let path = named.inspect_err(|_| dialogs.after_saving = None)?;
    Ok(Some(match purpose {
        Purpose::Open => Command::Open(path),
        Purpose::Input(part) => Command::UseInput(part, path),
        Purpose::SaveScene => Command::ReplaceScene(path),
        Purpose::Export => Command::Export(path),
        Purpose::SavePicture => Command::SavePicture(Some(path)),
    }))
}

/// The path with `extension` where none was typed, or with `always` where another was. The dialog
/// has asked about replacing the file of the name typed, but not one of the whole name.
fn with_extension(path: PathBuf, extension: &str, always: bool) -> Result<PathBuf, String> {
    let typed = path.extension();
    let complete = match always {
        true => typed.is_some_and(|typed| typed.eq_ignore_ascii_case(extension)),
        false => typed.is_some(),
    };
    if complete {
        return Ok(path);
    }
    let mut whole = path.into_os_string();
    whole.push(".");
    whole.push(extension);
    let whole = PathBuf::from(whole);
    match whole.exists() {
        true => Err(format!(
            "there is such a file; type its whole name to replace it: {}",
            crate::words::named(&whole)
        )),
        false => Ok(whole),
    }
}

fn window<'a>(title: &'a str, open: &'a mut bool) -> Window<'a> {
    Window::new(title)
        .open(open)
        .collapsible(false)
        .resizable(false)
        .anchor(Align2::CENTER_CENTER, [0.0, 0.0])
}

fn keys_ui(ctx: &Context, open: &mut bool) {
    // Title and margins, so that the window never ends below the screen.
    let room = ctx.content_rect().height() - 60.0;
    window("Keys", open).show(ctx, |ui| {
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

fn about_ui(ctx: &Context, open: &mut bool) {
    window("About Landform", open)
        .default_width(380.0)
        .show(ctx, |ui| {
            ui.heading(format!("Landform {}", env!("CARGO_PKG_VERSION")));
            ui.label(env!("CARGO_PKG_DESCRIPTION"));
            ui.add_space(6.0);
            ui.label(
                "Based on Paul Martz's program for his article \
             “Generating Random Fractal Terrain” (1996), and taken further.",
            );
            ui.add_space(6.0);
            ui.label(format!("Licence: {}", env!("CARGO_PKG_LICENSE")));
        });
}
