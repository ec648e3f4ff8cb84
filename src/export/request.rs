//! Export requests as JSON, stored in the sidecar or in a picture's text chunk. A later run compares them
//! to find out if a file is already what it would write. They are serialized from the option structs, so
//! that no option can be missed.

use std::path::Path;

use serde::{Serialize, Serializer};
use serde_json::Value;

use super::format::Format;
use super::options::Options;
use crate::formats::checksum::checksum_at;
use crate::import::{is_builtin, reads};
use crate::maps::Map;
use crate::scene::Scene;

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
pub fn json_of(value: &impl Serialize) -> Value {
    let text = serde_json::to_string(value).unwrap_or_default();
    serde_json::from_str(&text).unwrap_or_default()
}

/// True if JSON that was read equals the JSON form of a value.
pub fn is_same(read: Option<&Value>, value: &Value) -> bool {
    read == Some(&json_of(value))
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
