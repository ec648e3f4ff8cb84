//! What lies in the place of a file: whatever it is, nothing of somebody else's is lost, nothing
//! waits for ever, and nothing is made before all places are known to be free. Every format, map
//! and command that writes is tried, as the lists in the code have them.
#![cfg(unix)]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::common::{folder, names, succeed};
use landform::export::{self, Options};
use landform::inputs::Inputs;
use landform::maps::MAPS;
use landform::scene::Scene;

mod devices;
mod obstacles;
mod whose;

const PATIENCE: Duration = Duration::from_secs(60);

/// Runs `landform`, which must end by itself.
#[track_caller]
fn run<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a OsStr>) -> Output {
    let child = Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id().to_string();
    let (done, waiting) = std::sync::mpsc::channel();
    // Read all the while: a full pipe would make it wait for us.
    std::thread::spawn(move || done.send(child.wait_with_output().unwrap()));
    waiting.recv_timeout(PATIENCE).unwrap_or_else(|_| {
        drop(Command::new("kill").args(["-9", &id]).status());
        panic!("it hangs");
    })
}

#[track_caller]
fn words(folder: &Path, arguments: &str) -> Output {
    run(folder, arguments.split_whitespace().map(OsStr::new))
}

/// The contents of another program's file.
const MINE: &[u8] = b"{ \"landform\": \"a word of geography, as in landform 0.1.0\" }\n";

/// All that there is in a folder, with what it is and holds.
fn contents(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    for name in names(folder) {
        let path = folder.join(&name);
        let there = fs::symlink_metadata(&path).unwrap();
        let held = match there.is_file() {
            true => fs::read(&path).unwrap(),
            false => Vec::new(),
        };
        all.push((name, format!("{:?} {held:?}", there.file_type())));
    }
    all
}
