//! Overwrite check for existing files: Landform's own files are replaced, others only with the user's
//! consent.

use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::{Path, PathBuf};

use super::error::Failure;
use crate::files::export::{ExportError, Output, check_outputs};

/// Refuse output files that cannot be written, that are also inputs, or that exist and were not written by
/// Landform, unless `force` is set. On a terminal, the user is asked.
///
/// # Errors
/// A file is refused; no file is changed.
pub fn check_replaced<'a>(
    files: impl IntoIterator<Item = &'a Output> + Clone,
    reads: &[PathBuf],
    force: bool,
) -> Result<(), Failure> {
    let may_replace = |path: &Path| force || is_confirmed(path);
    match check_outputs(files, reads, &may_replace) {
        Err(ExportError::Foreign { path }) => Err(Failure::failed(format!(
            "the file is there and not from Landform, or was changed since, allowed with --force: {}",
            crate::util::words::named(&path)
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
        crate::util::words::named(path)
    );
    let asked = stderr()
        .write_all(&crate::util::words::terminal(&question))
        .and_then(|()| stdin().read_line(&mut answer));
    asked.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}
