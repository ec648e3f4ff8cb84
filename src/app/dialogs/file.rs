//! File dialog for opening and saving.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Align2, Context, Event, Key, vec2};
use egui_file_dialog::{DialogState, FileDialog};

use super::file_system::NamedErrors;
use super::file_words;
use crate::app::commands::{Command, PictureFile, Purpose};
use crate::app::controls::focus::select_all;
use crate::app::state::dialogs::{Dialogs, FileQuestion};
use crate::app::state::document;
use crate::app::typed_ahead::TypedAhead;
use crate::files::export::Format;
use crate::files::import;
use crate::util::language::tr;
use crate::util::words::named;

/// Create a file dialog that starts in `folder`. For saving it suggests a name made of `stem` and
/// the extension of the export's `format` or of the animation, `film`.
#[must_use]
pub fn ask(
    purpose: Purpose,
    folder: Option<&Path>,
    stem: &str,
    format: &'static Format,
    film: &'static str,
) -> FileQuestion {
    let mut dialog = FileDialog::with_file_system(Arc::new(NamedErrors))
        .labels(file_words::labels())
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
                .title(tr("Open a scene, a height map or an exported file"))
                .add_file_filter_extensions(tr("Scenes, maps and meshes"), all)
                .default_file_filter(tr("Scenes, maps and meshes"))
        }
        Purpose::Input(_) => dialog
            .title(tr("Open an input image or height map"))
            .add_file_filter_extensions(tr("Images and height maps"), import::map_extensions())
            .default_file_filter(tr("Images and height maps")),
        Purpose::SaveScene => dialog
            .title(tr("Save the scene"))
            .default_file_name(&format!("{stem}.{}", document::EXTENSION)),
        Purpose::Export => dialog
            .title(&tr!("Export as {}", format.name))
            .default_file_name(&format!("{stem}.{}", format.extension)),
        Purpose::SavePicture => dialog
            .title(tr("Save the picture (.png)"))
            .default_file_name(&format!("{stem}-picture.png")),
        Purpose::Film => dialog
            .title(&tr!("Export the film (.{film})", film))
            .default_file_name(&format!("{stem}.{film}")),
    };
    match purpose {
        Purpose::Open | Purpose::Input(_) => dialog.pick_file(),
        _ => dialog.save_file(),
    }
    FileQuestion {
        purpose,
        extension: if purpose == Purpose::Film {
            film
        } else {
            format.extension
        },
        dialog,
        is_new: true,
    }
}

/// True if the dialog reacts to a key before its text boxes: to some keys always, to others unless
/// a control has the focus.
#[must_use]
pub fn acts_first(event: &Event, has_focus: bool) -> bool {
    let Event::Key {
        key, pressed: true, ..
    } = event
    else {
        return false;
    };
    let opens_path = matches!(key, Key::Slash | Key::Backtick);
    let always = [Key::Enter, Key::Escape, Key::ArrowUp, Key::ArrowDown];
    always.contains(key) || (opens_path && !has_focus)
}

/// Draw the file dialog if it is open. Returns the command for the chosen file and remembers its
/// folder.
///
/// # Errors
/// Returns a message for the user if the chosen name cannot be written.
pub fn file_ui(
    ctx: &Context,
    dialogs: &mut Dialogs,
    typed_ahead: &mut TypedAhead,
    folder: &mut Option<PathBuf>,
) -> Result<Option<Command>, String> {
    let Some(FileQuestion {
        purpose,
        extension,
        dialog,
        is_new,
    }) = &mut dialogs.file
    else {
        return Ok(None);
    };
    let (purpose, extension) = (*purpose, *extension);
    // The dialog's size does not include its title bar.
    let room = ctx.content_rect().size() - vec2(24.0, 56.0);
    let config = dialog.config_mut();
    config.max_size = Some(room);
    config.default_size = config.default_size.min(room);
    *is_new = false;
    let opens_path = begins_path(ctx);
    let state = dialog.update(ctx).state().clone();
    if opens_path && let Some(path) = ctx.memory(|memory| memory.focused()) {
        // The dialog pre-fills the path box with the folder; a typed slash replaces it by an
        // absolute path.
        select_all(ctx, path);
        typed_ahead.put_first(Event::Text("/".to_owned()));
    }
    if state != DialogState::Open {
        dialogs.file = None;
    }
    if state == DialogState::Cancelled {
        dialogs.after_saving = None;
    }
    let DialogState::Picked(path) = state else {
        return Ok(None);
    };
    *folder = path.parent().map(Path::to_owned);
    let command = command(purpose, extension, path);
    command
        .map(Some)
        .inspect_err(|_| dialogs.after_saving = None)
}

/// True if a slash is typed without focus, which opens the path box.
fn begins_path(ctx: &Context) -> bool {
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    !has_focus && ctx.input(|input| input.key_pressed(Key::Slash))
}

/// Command for a chosen file.
fn command(purpose: Purpose, extension: &str, path: PathBuf) -> Result<Command, String> {
    Ok(match purpose {
        Purpose::Open => Command::Open(path),
        Purpose::Input(part) => Command::UseInput(part, path),
        Purpose::SaveScene => {
            Command::ReplaceScene(with_extension(path, document::EXTENSION, true)?)
        }
        Purpose::Export => Command::Export(with_extension(path, extension, false)?),
        Purpose::Film => Command::ExportFilm(with_extension(path, extension, true)?),
        Purpose::SavePicture => {
            Command::SavePicture(PictureFile::Named(with_extension(path, "png", false)?))
        }
    })
}

/// Path with `extension` appended if it has none, or if it has another and `always`. The dialog has
/// confirmed replacing the file as typed, but not one with the appended extension, so an existing
/// one is refused.
fn with_extension(path: PathBuf, extension: &str, always: bool) -> Result<PathBuf, String> {
    let typed = path.extension();
    let complete = typed.is_some_and(|typed| !always || typed.eq_ignore_ascii_case(extension));
    if complete {
        return Ok(path);
    }
    let mut whole = path.into_os_string();
    whole.push(".");
    whole.push(extension);
    let whole = PathBuf::from(whole);
    if whole.exists() {
        let whole = named(&whole);
        return Err(tr!(
            "there is such a file; type its whole name to replace it: {whole}",
            whole
        ));
    }
    Ok(whole)
}
