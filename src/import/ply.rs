//! `.ply`: the scene in the comments of a mesh's header.

use super::source::Source;
use super::{Format, comments, format};
use crate::scene::Scene;

/// The format.
pub const FORMAT: Format = Format {
    name: "PLY",
    extensions: &["ply"],
    mark: Some(|bytes| bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r\n")),
    read: format::mesh,
    scene,
    is_heights: false,
    is_mesh: true,
};

const MARK: &str = "comment ";

fn scene(source: &mut Source<'_>) -> Option<Scene> {
    comments::scene(source, MARK).or_else(|| every_comment(&source.head(1 << 20).ok()?))
}

/// Before 0.2 the comments after the first, which names the program, were the scene.
fn every_comment(head: &[u8]) -> Option<Scene> {
    let end = b"\nend_header";
    let length = head.windows(end.len()).position(|part| part == end)?;
    let header = std::str::from_utf8(&head[..length]).ok()?;
    let mut comments = header.lines().filter_map(|line| line.strip_prefix(MARK));
    comments
        .next()
        .filter(|first| first.starts_with("landform "))?;
    let text: Vec<_> = comments.collect();
    (!text.is_empty()).then(|| Scene::parse(&text.join("\n")).ok())?
}
