//! `.glb`: the scene stored in the extras of a binary glTF file.

use std::io::SeekFrom;

use serde::Deserialize;
use serde_json::Value;

use super::reader::{Holding, Reader};
use super::recipe::{Recipe, rest};
use super::source::{Broken, Source};
use crate::files::formats::checksum::ByteSum;
use crate::files::formats::glb::{BEFORE_BINARY, BEFORE_JSON, JSON, MARK, SAMPLES, SCENE};
use crate::files::formats::recipe::scene_of_json;

/// Reader of binary glTF meshes.
pub const READER: Reader = Reader {
    name: "GLB",
    extensions: &["glb"],
    mark: Some(|bytes| bytes.starts_with(MARK)),
    holds: Holding::Mesh,
    recipe,
};

/// The size limit of the JSON chunk, in bytes.
const MOST_JSON: u64 = 16 << 20;

#[derive(Deserialize)]
struct Document {
    asset: Asset,
}

#[derive(Deserialize)]
struct Asset {
    #[serde(default)]
    extras: Value,
}

/// Read the scene from the JSON chunk and check it against the binary chunk.
///
/// The JSON chunk follows a header of 12 bytes and its own length and type. The checksum covers the binary
/// chunk that comes next.
fn recipe(source: &mut Source<'_>) -> Result<Recipe, Broken> {
    let head = source.head(BEFORE_JSON as u64)?;
    let (Some(length), Some(name)) = (head.get(12..16), head.get(16..20)) else {
        return Ok(Recipe::None);
    };
    let length = length
        .iter()
        .rev()
        .fold(0, |sum, b| sum << 8 | u64::from(*b));
    if name != JSON || length > MOST_JSON {
        return Ok(Recipe::None);
    }
    let head = source.head(BEFORE_JSON as u64 + length)?;
    let text = head.get(BEFORE_JSON..).unwrap_or_default();
    let document = match serde_json::from_slice::<Document>(text) {
        Ok(document) => document,
        Err(error) => {
            let words = format!("its recipe cannot be read ({error})");
            return Ok(Recipe::Useless(words));
        }
    };
    let extras = document.asset.extras;
    let Some(scene) = extras.get(SCENE) else {
        return Ok(Recipe::None);
    };
    let stated = extras.get(SAMPLES).and_then(Value::as_str);
    Ok(Recipe::of(scene_of_json(scene), stated, || {
        let binary = length + (BEFORE_JSON + BEFORE_BINARY) as u64;
        source.bytes.seek(SeekFrom::Start(binary))?;
        rest(source, ByteSum::new(0, 0))
    }))
}
