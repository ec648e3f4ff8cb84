//! File dialog for opening and saving.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use egui::{Align2, Context, Event, Key, vec2};
use egui_file_dialog::{
    DialogState, Disks, FileDialog, FileDialogLabels, FileSystem, Metadata, NativeFileSystem,
    UserDirectories,
};

use crate::app::commands::{Command, PictureFile, Purpose};
use crate::app::controls::select_all;
use crate::app::state::{Dialogs, FileQuestion, Persisted, document};
use crate::app::typed_ahead::TypedAhead;
use crate::files::import::{self, reason};
use crate::util::language::tr;
use crate::util::words::{self, named};

/// Create a file dialog that starts in `folder`. For saving it suggests a name made of `stem` and
/// the extension of the format that the dialog of the export has.
#[must_use]
pub fn ask(
    purpose: Purpose,
    folder: Option<&Path>,
    stem: &str,
    persisted: &Persisted,
) -> FileQuestion {
    let format = persisted.exporting.format();
    let film = persisted.filming.extension();
    let plants = persisted.plant_export.extension();
    let mut dialog = FileDialog::with_file_system(Arc::new(NamedErrors))
        .labels(labels(purpose))
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
        Purpose::Folder => dialog.title(&tr!("Where to put the folder {stem}", stem)),
        Purpose::SavePicture => dialog
            .title(tr("Save the picture (.png)"))
            .default_file_name(&format!("{stem}-picture.png")),
        Purpose::Film => dialog
            .title(&tr!("Export the film (.{film})", film))
            .default_file_name(&format!("{stem}.{film}")),
        Purpose::Plants => dialog
            .title(&tr!("Export the plants (.{plants})", plants))
            .default_file_name(&format!("{stem}-plants.{plants}")),
    };
    match purpose {
        Purpose::Open | Purpose::Input(_) => dialog.pick_file(),
        Purpose::Folder => dialog.pick_directory(),
        _ => dialog.save_file(),
    }
    FileQuestion {
        purpose,
        extension: match purpose {
            Purpose::Film => film,
            Purpose::Plants => plants,
            _ => format.extension,
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
    // A slash typed without focus opens the path box.
    let has_focus = ctx.memory(|memory| memory.focused().is_some());
    let opens_path = !has_focus && ctx.input(|input| input.key_pressed(Key::Slash));
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
    *folder = match purpose {
        Purpose::Folder => Some(path.clone()),
        _ => path.parent().map(Path::to_owned),
    };
    let command = command(purpose, extension, path).map(Some);
    command.inspect_err(|_| dialogs.after_saving = None)
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
        Purpose::Folder => Command::ExportFolder(path),
        Purpose::Film => Command::ExportFilm(with_extension(path, extension, true)?),
        Purpose::Plants => Command::ExportPlants(with_extension(path, extension, true)?),
        Purpose::SavePicture => {
            Command::SavePicture(PictureFile::Named(with_extension(path, "png", false)?))
        }
    })
}

/// Path with `extension` appended if it has none, or if it has another and `always`. The dialog has
/// confirmed replacing the file as typed, but not one with the appended extension, so an existing
/// one is refused.
fn with_extension(path: PathBuf, extension: &str, always: bool) -> Result<PathBuf, String> {
    let is_enough = |typed: &OsStr| !always || typed.eq_ignore_ascii_case(extension);
    if path.extension().is_some_and(is_enough) {
        return Ok(path);
    }
    let mut whole = path.into_os_string();
    whole.push(".");
    whole.push(extension);
    let whole = PathBuf::from(whole);
    if !whole.exists() {
        return Ok(whole);
    }
    Err(tr!(
        "this file already exists; type its whole name to replace it: {whole}",
        whole = named(&whole)
    ))
}

/// Native file system whose folder errors include the path.
struct NamedErrors;

impl FileSystem for NamedErrors {
    fn metadata(&self, path: &Path) -> io::Result<Metadata> {
        NativeFileSystem.metadata(path)
    }

    fn is_dir(&self, path: &Path) -> bool {
        NativeFileSystem.is_dir(path)
    }

    fn is_file(&self, path: &Path) -> bool {
        NativeFileSystem.is_file(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let read = NativeFileSystem.read_dir(path);
        read.map_err(|error| {
            let named = words::named(path);
            let words = match error.kind() {
                ErrorKind::NotFound => tr!("there is no such file or folder: {named}", named),
                _ => tr!("cannot read: {}: {}", reason(&error), named),
            };
            io::Error::new(error.kind(), words::window(&words))
        })
    }

    fn get_disks(&self, canonicalize_paths: bool) -> Disks {
        NativeFileSystem.get_disks(canonicalize_paths)
    }

    fn is_path_hidden(&self, path: &Path) -> bool {
        NativeFileSystem.is_path_hidden(path)
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        NativeFileSystem.create_dir(path)
    }

    fn user_dirs(&self, canonicalize_paths: bool) -> Option<UserDirectories> {
        NativeFileSystem.user_dirs(canonicalize_paths)
    }

    fn current_dir(&self) -> io::Result<PathBuf> {
        NativeFileSystem.current_dir()
    }
}

/// Labels in the interface's language.
fn labels(purpose: Purpose) -> FileDialogLabels {
    let open = match purpose {
        Purpose::Folder => tr("Save here"),
        _ => tr("Open"),
    };
    let said = str::to_owned;
    let sign = |sign: &str, words: &str| format!("{sign}  {words}");
    FileDialogLabels {
        cancel: said(tr("Cancel")),
        overwrite: said(tr("Overwrite")),
        reload: sign("⟲", tr("Reload")),
        working_directory: sign("↗", tr("Go to working directory")),
        show_hidden: sign("", tr("Show hidden")),
        show_system_files: sign("", tr("Show system files")),
        heading_pinned: said(tr("Pinned")),
        heading_places: said(tr("Places")),
        heading_devices: said(tr("Devices")),
        heading_removable_devices: said(tr("Removable devices")),
        home_dir: sign("🏠", tr("Home folder")),
        desktop_dir: sign("🖵", tr("Desktop")),
        documents_dir: sign("🗐", tr("Documents")),
        downloads_dir: sign("📥", tr("Downloads")),
        audio_dir: sign("🎵", tr("Audio")),
        pictures_dir: sign("🖼", tr("Pictures")),
        videos_dir: sign("🎞", tr("Videos")),
        pin_folder: sign("📌", tr("Pin")),
        unpin_folder: sign("✖", tr("Unpin")),
        rename_pinned_folder: sign("✏", tr("Rename")),
        selected_directory: said(tr("Selected folder:")),
        selected_file: said(tr("Selected file:")),
        selected_items: said(tr("Selected items:")),
        file_name: said(tr("File name:")),
        file_filter_all_files: said(tr("All files")),
        save_extension_any: said(tr("Any")),
        open_button: sign("🗀", open),
        save_button: sign("📥", tr("Save")),
        cancel_button: sign("🚫", tr("Cancel")),
        overwrite_file_modal_text: said(tr("already exists. Do you want to overwrite it?")),
        err_empty_folder_name: said(tr("The name of a folder cannot be empty.")),
        err_empty_file_name: said(tr("The name of a file cannot be empty.")),
        err_directory_exists: said(tr("There is already a folder with that name.")),
        err_file_exists: said(tr("There is already a file with that name.")),
        ..FileDialogLabels::default()
    }
}
