//! Translated labels of the file dialog.

use egui_file_dialog::FileDialogLabels;

use crate::util::language::tr;

/// Labels in the interface's language.
pub fn labels() -> FileDialogLabels {
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
        open_button: sign("🗀", tr("Open")),
        save_button: sign("📥", tr("Save")),
        cancel_button: sign("🚫", tr("Cancel")),
        overwrite_file_modal_text: said(tr("already exists. Do you want to overwrite it?")),
        err_empty_folder_name: said(tr("The name of a folder cannot be empty.")),
        err_empty_file_name: said(tr("The name of a file cannot be empty.")),
        err_directory_exists: said(tr("There is a folder of that name.")),
        err_file_exists: said(tr("There is a file of that name.")),
        ..FileDialogLabels::default()
    }
}
