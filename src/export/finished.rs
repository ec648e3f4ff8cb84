//! Check for finished output files, so that a repeated run can skip them.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use ::png::Decoder;
use ::png::text_metadata::TEXtChunk;

use super::commit::fits_beside;
use super::portable::portable;
use super::request::{MapRequest, PictureRequest, as_json, is_same};
use crate::formats::png::PICTURE_CHUNK;
use crate::formats::recipe::scene_as_json;
use crate::formats::sidecar;
use crate::import;
use crate::scene::Scene;

/// True if a file is a map or mesh of this scene and request, with all companion files intact.
pub fn is_map(path: &Path, request: &MapRequest, scene: &Scene) -> bool {
    sidecar::fitting(path).is_some_and(|said| {
        is_same(said.request.as_ref(), &as_json(request, scene))
            && is_same(said.scene.as_ref(), &scene_as_json(&portable(scene, path)))
            && fits_beside(path, &said)
    })
}

/// True if a file is a complete picture of this scene and request.
pub fn is_picture(path: &Path, request: PictureRequest, scene: &Scene) -> bool {
    let wanted = as_json(&request, scene).to_string();
    let shows = || {
        let held = import::scene(path).ok().flatten();
        // Input files may have been renamed, so their portable names are compared.
        held.is_some_and(|held| portable(&held, path) == portable(scene, path))
    };
    holds_whole(path, &wanted).unwrap_or(false) && shows()
}

/// True if a picture holds this request and all of its pixels decode with valid checksums.
fn holds_whole(path: &Path, request: &str) -> io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut reader = Decoder::new(BufReader::new(File::open(path)?)).read_info()?;
    let texts = &reader.info().uncompressed_latin1_text;
    let holds = |text: &TEXtChunk| text.keyword == PICTURE_CHUNK && text.text == request;
    if !texts.iter().any(holds) {
        return Ok(false);
    }
    while reader.next_row()?.is_some() {}
    reader.finish()?;
    Ok(true)
}
