//! The files that are being written, so that they can be removed where nothing else runs any more.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

static PARTS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// A file that is being written; forgotten when this is dropped.
#[derive(Debug)]
pub struct Part(PathBuf);

impl Part {
    /// Remembers a file.
    pub fn new(path: &Path) -> Self {
        let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
        parts.push(path.to_owned());
        Self(path.to_owned())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut parts = PARTS.lock().unwrap_or_else(PoisonError::into_inner);
        parts.retain(|part| *part != self.0);
    }
}

/// Removes every file that is being written: for a program that ends without dropping what it
/// holds. It waits for nobody and takes no memory where paths are short.
pub fn remove_parts() {
    if let Ok(parts) = PARTS.try_lock() {
        for part in parts.iter() {
            let _ = fs::remove_file(part);
        }
    }
}
