//! The JSON file that Landform writes beside a file of heights, and when it is believed.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek};
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::recipe::scene_of_json;
use super::samples::{Meaning, Samples, in_half_tiles, tile_size_m};
use super::sum::{Adds, ByteSum};
use crate::scene::Scene;

/// A sidecar of more bytes is not one.
const MOST_BYTES: u64 = 4 << 20;
/// Bytes that are read at once for a checksum.
const BLOCK: usize = 1 << 16;

/// What a sidecar says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sidecar {
    /// Columns and rows.
    pub size: Option<(u64, u64)>,
    /// Heights in half tiles of the lowest and the highest step.
    range: Option<(f64, f64)>,
    /// Whether its floats are metres, or run from 0 to 1: metres at 0 and at 1.
    metres: Option<(f64, f64)>,
    /// Whether the southern row comes first.
    south_first: bool,
    /// Metres from one sample to the next.
    step_m: Option<f64>,
    /// Metres of the tile whose halves heights are.
    tile_m: Option<f32>,
    /// Whether the file holds heights, not a map made of them.
    pub of_heights: bool,
    /// The scene that the file was made from; why not, if it cannot be read.
    pub scene: Option<Result<Scene, String>>,
}

/// What lies beside a file.
#[derive(Clone, Debug, PartialEq)]
// There is one at a time.
#[allow(clippy::large_enum_variant)]
pub enum Neighbour {
    /// No sidecar of Landform's.
    Nothing,
    /// One that belongs to another version of the file.
    Other,
    /// One that belongs to the file.
    Own(Sidecar),
}

/// Where the sidecar of a file lies: `x.r16` has `x.r16.json`.
#[must_use]
pub fn sidecar_of(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".json");
    path.into()
}

/// Whether a file has a sidecar that belongs to it.
#[must_use]
pub fn has_sidecar(file: &Path) -> bool {
    beside(file).is_some()
}

/// The sidecar beside a file, if it belongs to it.
pub fn beside(file: &Path) -> Option<Sidecar> {
    match look_beside(file) {
        Neighbour::Own(sidecar) => Some(sidecar),
        _ => None,
    }
}

/// What lies beside a file. A sidecar belongs to it if `bytes` and `checksum` are those of the
/// file, not of another version of it.
pub fn look_beside(file: &Path) -> Neighbour {
    let Some(value) = json(file) else {
        return Neighbour::Nothing;
    };
    let program = value["program"].as_str().unwrap_or_default();
    let (Some(length), Some(sum)) = (value["bytes"].as_u64(), value["checksum"].as_str()) else {
        return Neighbour::Nothing;
    };
    let found = content_of(file);
    match found {
        Some(found) if found == (length, sum.to_owned()) => Neighbour::Own(Sidecar::of(&value)),
        Some(_) if program.starts_with("landform ") => Neighbour::Other,
        _ => Neighbour::Nothing,
    }
}

/// All that the sidecar beside a file says, if it belongs to that very file.
#[must_use]
pub fn fitting_sidecar(file: &Path) -> Option<Value> {
    let value = json(file)?;
    let (length, sum) = (value["bytes"].as_u64()?, value["checksum"].as_str()?);
    let fits = content_of(file)? == (length, sum.to_owned());
    fits.then_some(value)
}

/// Length and checksum of a file. A pipe would wait for its other end when it is opened.
fn content_of(file: &Path) -> Option<(u64, String)> {
    let mut file = Some(file)
        .filter(|file| file.is_file())
        .map(File::open)?
        .ok()?;
    checksum(&mut file).ok()
}

/// The sidecar of a file, whatever it says.
fn json(file: &Path) -> Option<Value> {
    let sidecar = sidecar_of(file);
    if !sidecar.is_file() {
        return None;
    }
    let text = File::open(sidecar).ok()?;
    let mut bytes = Vec::new();
    text.take(MOST_BYTES + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MOST_BYTES {
        return None;
    }
    serde_json::from_slice(&bytes).ok()
}

/// The length of a file and a checksum of all its bytes.
///
/// # Errors
/// The file cannot be read.
pub fn checksum(file: &mut (impl Read + Seek)) -> io::Result<(u64, String)> {
    file.rewind()?;
    let mut sum = ByteSum::new(0, 0);
    let mut block = vec![0; BLOCK];
    let mut length = 0;
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok((length, format!("sum64 {}", sum.sum().text()))),
            Ok(count) => {
                sum.add(&block[..count]);
                length += count as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

impl Sidecar {
    /// What is there of it; each part may be missing.
    fn of(value: &Value) -> Self {
        let number = |key: &str| value[key].as_f64();
        let pair = |first: Option<f64>, second: Option<f64>| Some((first?, second?));
        let range = &value["range"];
        Self {
            size: value["width"].as_u64().zip(value["height"].as_u64()),
            range: pair(range[0].as_f64(), range[1].as_f64()),
            metres: match value["unit"].as_str() {
                Some("metres") => Some((0.0, 1.0)),
                Some("0 to 1") => pair(number("metres_at_0"), number("metres_from_0_to_1")),
                _ => None,
            },
            south_first: value["row_order"]
                .as_str()
                .is_some_and(|order| order.starts_with("south")),
            step_m: number("metres_per_sample"),
            tile_m: number("tile_size_m").map(|size| size as f32),
            of_heights: value["map"].is_null(),
            scene: value.get("scene").map(scene_of_json),
        }
    }

    /// Metres from one sample to the next.
    pub fn step_m(&self) -> Option<f64> {
        self.step_m
    }

    /// Adds to samples what their file cannot say; what the numbers mean if `says_unit`.
    pub fn apply(&self, samples: &mut Samples, says_unit: bool) {
        let (rows, columns) = (samples.grid.rows(), samples.grid.columns());
        if self.size != Some((columns as u64, rows as u64)) {
            return;
        }
        if self.south_first {
            samples.turn();
        }
        if samples.tile_size_m.is_none() {
            let size = |step| tile_size_m(step, rows as u64, columns as u64);
            samples.tile_size_m = self.step_m.and_then(size);
        }
        if !says_unit {
            return;
        }
        match &mut samples.meaning {
            Meaning::Levels { heights, .. } => {
                if heights.is_none() {
                    *heights = self.range;
                    samples.steps_tile_m = self.tile_m;
                }
            }
            meaning @ Meaning::Numbers => {
                *meaning = Meaning::Heights;
                if let (Some((at_0, span)), Some(size)) = (self.metres, samples.tile_size_m) {
                    for value in samples.grid.as_mut_slice() {
                        *value = in_half_tiles(at_0 + f64::from(*value) * span, size);
                    }
                }
            }
            Meaning::Heights => {}
        }
    }
}
