//! `.glb`, `.obj`, `.ply`: the scene stored in a mesh. `.stl` has it in its sidecar.

use std::io::{BufRead, Read, SeekFrom};

use serde::Deserialize;
use serde_json::Value;

use super::reader::{Broken, Holding, Reader, Recipe, Source, recipe_in_comments, sum_of_rest};
use crate::files::formats::checksum::{ByteSum, Sum, TextSum};
use crate::files::formats::recipe::scene_of_json;
use crate::files::formats::{glb, obj, ply};

/// Reader of binary glTF meshes.
pub const GLB: Reader = Reader {
    name: "GLB",
    extensions: &["glb"],
    mark: Some(|bytes| bytes.starts_with(glb::MARK)),
    holds: Holding::Mesh,
    recipe: recipe_of_glb,
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
fn recipe_of_glb(source: &mut Source<'_>) -> Result<Recipe, Broken> {
    let head = source.head(glb::BEFORE_JSON as u64)?;
    let (Some(length), Some(name)) = (head.get(12..16), head.get(16..20)) else {
        return Ok(Recipe::None);
    };
    let length = (length.iter().rev()).fold(0, |sum, b| sum << 8 | u64::from(*b));
    if name != glb::JSON || length > MOST_JSON {
        return Ok(Recipe::None);
    }
    let head = source.head(glb::BEFORE_JSON as u64 + length)?;
    let text = head.get(glb::BEFORE_JSON..).unwrap_or_default();
    let document = match serde_json::from_slice::<Document>(text) {
        Ok(document) => document,
        Err(error) => {
            let words = format!("its recipe cannot be read ({error})");
            return Ok(Recipe::Useless(words));
        }
    };
    let extras = document.asset.extras;
    let Some(scene) = extras.get(glb::SCENE) else {
        return Ok(Recipe::None);
    };
    let stated = extras.get(glb::SAMPLES).and_then(Value::as_str);
    Ok(Recipe::of(scene_of_json(scene), stated, || {
        let binary = length + (glb::BEFORE_JSON + glb::BEFORE_BINARY) as u64;
        source.bytes.seek(SeekFrom::Start(binary))?;
        sum_of_rest(source, ByteSum::new(0, 0))
    }))
}

// `.obj`: the scene stored in the comments of a Wavefront mesh.

/// Reader of Wavefront meshes.
pub const OBJ: Reader = Reader {
    name: "OBJ",
    extensions: &["obj"],
    mark: None,
    holds: Holding::Mesh,
    recipe: |source| {
        recipe_in_comments(source, obj::COMMENT, |source| {
            sum_of_rest(source, TextSum::default())
        })
    },
};

// `.ply`: the scene stored in the header comments of a mesh.

/// Reader of PLY meshes.
pub const PLY: Reader = Reader {
    name: "PLY",
    extensions: &["ply"],
    mark: Some(|bytes| {
        let rest = bytes.strip_prefix(ply::MARK.as_bytes());
        rest.is_some_and(|rest| rest.starts_with(b"\n") || rest.starts_with(b"\r\n"))
    }),
    holds: Holding::Mesh,
    recipe: |source| recipe_in_comments(source, ply::COMMENT, sum_of_body),
};

/// The size limit of a header line, in bytes.
const MOST_LINE: u64 = 1 << 20;

/// The checksum of all bytes after the header.
fn sum_of_body(source: &mut Source<'_>) -> Result<Sum, Broken> {
    loop {
        let mut line = Vec::new();
        (&mut *source.bytes)
            .take(MOST_LINE)
            .read_until(b'\n', &mut line)?;
        match line.trim_ascii_end() {
            _ if line.is_empty() => return Err(Broken::cut_short()),
            line if line == ply::END_OF_HEAD.as_bytes() => {
                return sum_of_rest(source, ByteSum::new(0, 0));
            }
            _ => {}
        }
    }
}

/// Reader of STL meshes.
pub const STL: Reader = Reader {
    name: "STL",
    extensions: &["stl"],
    mark: None,
    holds: Holding::Mesh,
    recipe: |_| Ok(Recipe::None),
};
