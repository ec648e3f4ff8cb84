//! Whether a file that is to be replaced is one of ours.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use crate::import::has_sidecar;

/// Our files name the program near their beginning, or their sidecar does.
const HEAD_BYTES: u64 = 4096;

/// Whether a file may be replaced without asking: it is not there, it is a device, or Landform
/// wrote it, so that it can be made again from the scene that it carries.
#[must_use]
pub fn is_replaceable(path: &Path) -> bool {
    let is_file = fs::metadata(path).is_ok_and(|there| there.is_file());
    !is_file || is_empty(path) || names_us(path) || has_sidecar(path)
}

fn is_empty(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|there| there.len() == 0)
}

fn names_us(path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD_BYTES).read_to_end(&mut head));
    let name = b"landform";
    read.is_ok() && head.windows(name.len()).any(|bytes| bytes == name)
}
