//! `.glb`: the scene in the extras of a binary glTF file.

use serde::Deserialize;

use super::source::Source;
use super::{Format, format};
use crate::scene::Scene;

/// The format.
pub const FORMAT: Format = Format {
    name: "GLB",
    extensions: &["glb"],
    mark: Some(|bytes| bytes.starts_with(b"glTF")),
    read: format::mesh,
    scene,
    is_heights: false,
    is_mesh: true,
};

/// JSON of more bytes is not ours.
const MOST_JSON: u64 = 16 << 20;

#[derive(Deserialize)]
struct Document {
    asset: Asset,
}

#[derive(Deserialize)]
struct Asset {
    extras: Extras,
}

#[derive(Deserialize)]
struct Extras {
    scene: Scene,
}

/// The first chunk is JSON, after a header of 12 bytes, its own length and its name.
fn scene(source: &mut Source<'_>) -> Option<Scene> {
    const BEFORE: usize = 20;
    let head = source.head(BEFORE as u64).ok()?;
    let (length, name) = (head.get(12..16)?, head.get(16..20)?);
    let length = u64::from(u32::from_le_bytes(length.try_into().ok()?));
    if name != b"JSON" || length > MOST_JSON {
        return None;
    }
    let head = source.head(BEFORE as u64 + length).ok()?;
    let document: Document = serde_json::from_slice(head.get(BEFORE..)?).ok()?;
    let scene = document.asset.extras.scene;
    scene.validate().ok().map(|()| scene)
}
