//! File system of the file dialog: the native one, with the path added to error messages.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use egui_file_dialog::{Disks, FileSystem, Metadata, NativeFileSystem, UserDirectories};

use crate::files::import::reason;
use crate::util::language::tr;
use crate::util::words;

/// Native file system whose folder errors include the path.
pub struct NamedErrors;

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
