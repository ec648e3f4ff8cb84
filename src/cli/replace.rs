//! Files that are there already: ours are replaced, others only if the user says so.

use std::io::{IsTerminal, Write, stderr, stdin};
use std::path::Path;

use super::error::Failure;
use crate::export::is_replaceable;

/// Refuses a file that is there and that Landform did not write, unless it is forced. At a
/// terminal the user is asked.
///
/// # Errors
/// The file stays.
pub fn check_replaced(path: &Path, force: bool) -> Result<(), Failure> {
    if force || is_replaceable(path) || is_confirmed(path) {
        return Ok(());
    }
    Err(Failure::failed(format!(
        "the file is there and not from Landform, allowed with --force: {}",
        crate::words::named(path)
    )))
}

fn is_confirmed(path: &Path) -> bool {
    if !(stdin().is_terminal() && stderr().is_terminal()) {
        return false;
    }
    let mut answer = String::new();
    let question = format!(
        "replace {}, which is not from Landform? [y/N] ",
        crate::words::named(path)
    );
    let asked = stderr()
        .write_all(&crate::words::terminal(&question))
        .and_then(|()| stdin().read_line(&mut answer));
    asked.is_ok() && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}
