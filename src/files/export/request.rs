//! Export requests as JSON, stored in the sidecar or in a picture's text chunk. A later run compares them
//! to find out if a file is already what it would write. They are serialized from the option structs, so
//! that no option can be missed.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use ::png::Decoder;
use serde::{Serialize, Serializer};
use serde_json::Value;

use super::format::Format;
use super::options::Options;
use super::portable::portable;
use crate::files::formats::checksum::checksum_at;
use crate::files::formats::png::PICTURE_CHUNK;
use crate::files::formats::recipe::scene_as_json;
use crate::files::formats::sidecar;
use crate::files::import::{self, is_builtin, reads};
use crate::scene::Scene;
use crate::shading::maps::Map;

/// Request for one file of a map.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MapRequest {
    #[serde(flatten)]
    options: Options,
    /// Row and column of the tile.
    tile: Option<(u32, u32)>,
    /// First band of a mask picture.
    pub(super) band: Option<usize>,
}

/// Request for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PictureRequest {
    /// Picture size in pixels, width and height.
    pub size: (u32, u32),
    /// Samples per pixel.
    pub samples: u32,
    /// True for a transparent background.
    pub transparent: bool,
}

impl MapRequest {
    /// Request for one file of a map: all of it or a tile; for masks, from a band on.
    pub fn new(
        options: &Options,
        format: &'static Format,
        tile: Option<(u32, u32)>,
        band: Option<usize>,
    ) -> Self {
        Self {
            options: Options {
                format: Some(format),
                map: Some(options.map()),
                ..*options
            },
            tile,
            band,
        }
    }

    /// True if a file is a map or mesh of this scene and request, with all companion files intact.
    pub fn is_fulfilled(&self, path: &Path, scene: &Scene) -> bool {
        sidecar::fitting(path).is_some_and(|sidecar| {
            let mut companions = sidecar.beside.iter();
            is_same(sidecar.request.as_ref(), &as_json(self, scene))
                && portable(scene, path)
                    .is_ok_and(|scene| is_same(sidecar.scene.as_ref(), &scene_as_json(&scene)))
                && companions.all(|file| file.fits(&path.with_file_name(&file.file)))
        })
    }
}

impl PictureRequest {
    /// True if a file is a complete picture of this scene and request.
    pub(super) fn is_fulfilled(&self, path: &Path, scene: &Scene) -> bool {
        let wanted = as_json(self, scene).to_string();
        let shows = || {
            let held = import::scene(path).ok().flatten();
            // Input files may have been renamed, so their portable names are compared.
            let portable = |scene: &Scene| portable(scene, path).ok();
            held.is_some_and(|held| {
                portable(scene).is_some_and(|wanted| portable(&held) == Some(wanted))
            })
        };
        holds_whole(path, &wanted).unwrap_or(false) && shows()
    }
}

/// Request as JSON, with the checksums of the scene's input files.
pub fn as_json(request: &impl Serialize, scene: &Scene) -> Value {
    let mut value = json_of(request);
    let sums: Vec<_> = reads(scene).iter().filter_map(|file| sum(file)).collect();
    if !sums.is_empty() {
        value["inputs"] = sums.into();
    }
    value
}

/// Value as JSON with numbers as short as in a scene file: 0.7, not 0.699999988.
fn json_of(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// True if JSON that was read equals the JSON form of a value.
fn is_same(read: Option<&Value>, value: &Value) -> bool {
    read == Some(&json_of(value))
}

/// True if a picture holds this request and all of its pixels decode with valid checksums.
fn holds_whole(path: &Path, request: &str) -> io::Result<bool> {
    if !path.is_file() {
        return Ok(false);
    }
    let mut reader = Decoder::new(BufReader::new(File::open(path)?)).read_info()?;
    let texts = &reader.info().uncompressed_latin1_text;
    let mut texts = texts.iter();
    if !texts.any(|text| text.keyword == PICTURE_CHUNK && text.text == request) {
        return Ok(false);
    }
    while reader.next_row()?.is_some() {}
    reader.finish()?;
    Ok(true)
}

fn sum(file: &Path) -> Option<String> {
    if is_builtin(file) {
        return None;
    }
    let (length, sum) = checksum_at(file)?;
    Some(format!("{length} bytes, {sum}"))
}

impl Serialize for Map {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(self.name)
    }
}
