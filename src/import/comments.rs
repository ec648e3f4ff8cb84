//! Scenes in the comment lines of text files and headers: TOML between two lines,
//! `landform scene begin` and `landform scene end`, each line after the format's comment mark.

use std::io;

use super::source::Source;
use crate::scene::Scene;

/// Comments are looked for in so many bytes at the start and at the end of a file.
const PART: u64 = 1 << 20;

/// The scene between the two lines; `mark` begins each line.
pub fn scene(source: &mut Source<'_>, mark: &str) -> Option<Scene> {
    let head = source.head(PART).ok()?;
    scene_in(&head, mark).or_else(|| scene_in(&source.tail(PART).ok()?, mark))
}

/// Whether there is the line before a scene.
pub fn hold_scene(source: &mut Source<'_>, mark: &str) -> io::Result<bool> {
    let begin = format!("{mark}landform scene begin");
    let is_there = |bytes: &[u8]| {
        let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
        lines.any(|line| line == begin.as_bytes())
    };
    Ok(is_there(&source.head(PART)?) || is_there(&source.tail(PART)?))
}

/// The scene in comment lines among `bytes`, most of which need not be text.
pub fn scene_in(bytes: &[u8], mark: &str) -> Option<Scene> {
    let begin = format!("{mark}landform scene begin");
    let end = format!("{mark}landform scene end");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
    lines.by_ref().find(|line| *line == begin.as_bytes())?;
    let mut text = String::new();
    for line in lines {
        if line == end.as_bytes() {
            return Scene::parse(&text).ok();
        }
        let line = std::str::from_utf8(line).ok()?;
        // Programs that pass comments on may cut the blank off an empty one.
        text.push_str(
            line.strip_prefix(mark)
                .or((line == mark.trim()).then_some(""))?,
        );
        text.push('\n');
    }
    None
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
