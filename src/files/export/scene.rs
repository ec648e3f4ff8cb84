//! Scene writer: TOML.

use std::path::{Path, absolute};

use super::error::ExportError;
use super::file::{OutputFile, commit};
use super::outputs::{Output, check_outputs};
use super::portable::{below, with_files};
use crate::files::import::reads;
use crate::scene::Scene;
use crate::util::job::Job;

/// Write a scene with every key spelt out. Input paths are written relative to the scene's folder if they
/// lie below it, else as absolute paths, so that the scene can be opened from anywhere.
///
/// # Errors
/// The file cannot be written.
pub fn scene(path: &Path, scene: &Scene) -> Result<(), ExportError> {
    scene_with_comment(path, scene, "")
}

/// As [`scene`], after a comment of one or several lines, given without comment marks.
///
/// # Errors
/// The file cannot be written.
pub fn scene_with_comment(path: &Path, scene: &Scene, comment: &str) -> Result<(), ExportError> {
    check_outputs(&[Output::plain(path)], &reads(scene), &|_| true)?;
    let target = OutputFile::create(path)?;
    let in_full = |file: &Path| absolute(file).unwrap_or_else(|_| file.to_owned());
    let scene = with_files(scene, path, |folder, file| {
        below(folder, file).unwrap_or_else(|| in_full(file))
    })?;
    let comment: String = comment.lines().map(|line| format!("# {line}\n")).collect();
    target.fill((comment + &scene.to_toml()).as_bytes())?;
    commit(vec![target.into()], &Job::new())
}
