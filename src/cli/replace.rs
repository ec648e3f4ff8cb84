//! Files that exist already: ours are replaced, others only if the user says so.

use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::{Path, PathBuf};

use super::error::Failure;
use crate::export::{ExportError, Output, check_outputs};

/// Refuses files that cannot be written, files that are read as well, and existing files that
/// Landform did not write, unless `force` is set. At a terminal the user is asked.
///
/// # Errors
/// A file is refused; all files stay as they are.
pub fn check_replaced<'a>(
    files: impl IntoIterator<Item = &'a Output> + Clone,
    reads: &[PathBuf],
    force: bool,
) -> Result<(), Failure> {
    let may_replace = |path: &Path| force || is_confirmed(path);
    match check_outputs(files, reads, &may_replace) {
        Err(ExportError::Foreign { path }) => Err(Failure::failed(format!(
            "the file is there and not from Landform, or was changed since, allowed with --force: {}",
            crate::words::named(&path)
        ))),
        Err(error @ ExportError::OneName { .. }) => Err(Failure::usage(error)),
        checked => Ok(checked?),
    }
}

fn is_confirmed(path: &Path) -> bool {
    if !(stdin().is_terminal() && stderr().is_terminal()) {
        return false;
    }
    let mut answer = String::new();
    let question = format!(
        "replace {}, which is not from Landform, or was changed since? [y/N] ",
        crate::words::named(path)
    );
    let asked = stderr()
        .write_all(&crate::words::terminal(&question))
        .and_then(|()| stdin().read_line(&mut answer));
    asked.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}
