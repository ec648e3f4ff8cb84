//! The sidecar: what the file of a map cannot say itself, as JSON beside it; `x.png` has
//! `x.png.json`. Writers fill in this struct and readers find it again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::checksum::checksum_at;
use super::program::is_program;

/// The [`Sidecar::row_order`] of most files.
pub const NORTH_FIRST: &str = "north to south, each west to east";
/// The [`Sidecar::row_order`] of flipped files.
pub const SOUTH_FIRST: &str = "south to north, each west to east";
/// The [`Sidecar::unit`] of heights as they are.
pub const HALF_TILES: &str = "half tiles";
/// The [`Sidecar::unit`] of heights in metres.
pub const METRES: &str = "metres";
/// The [`Sidecar::unit`] of heights from 0, the lowest, to 1, the highest.
pub const ONE: &str = "0 to 1";

/// The [`Sidecar::no_data`] of floats that are no number (NaN).
pub const NO_NUMBER: &str = "nan";

/// A sidecar of more bytes is not ours.
const MOST_BYTES: u64 = 16 << 20;

/// What a sidecar says. Parts that do not suit a file are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sidecar {
    /// The length of the file that it belongs to.
    pub bytes: Option<u64>,
    /// The checksum of that file, see [`checksum`].
    pub checksum: Option<String>,
    /// The other files that belong to it, such as the texture of a mesh.
    pub beside: Vec<Companion>,
    /// The program that wrote it, with its version.
    pub program: String,
    /// The name of the file.
    pub file: String,
    /// One line about the format.
    pub format: Option<String>,
    /// Columns.
    pub width: Option<u64>,
    /// Rows.
    pub height: Option<u64>,
    /// Where in the map these samples lie.
    pub region: Option<PartOfMap>,
    /// Which row comes first: [`NORTH_FIRST`] or [`SOUTH_FIRST`].
    pub row_order: Option<String>,
    /// Metres from one sample to the next.
    pub metres_per_sample: Option<Spacing>,
    /// Metres along the tile whose halves are the unit of heights.
    pub tile_size_m: Option<f64>,
    /// The lowest number of the map; of heights in half tiles.
    pub min: Option<f64>,
    /// The highest number of the map.
    pub max: Option<f64>,
    /// The height in half tiles that the heights in the file are above, where 32 bits cannot tell
    /// them apart; those that are said here are not.
    pub base: Option<f64>,
    /// The same in metres.
    pub base_m: Option<f64>,
    /// The lowest height in metres.
    pub min_m: Option<f64>,
    /// The highest height in metres.
    pub max_m: Option<f64>,
    /// The level of the water in metres.
    pub water_level_m: Option<f64>,
    /// The seed of the ground.
    pub seed: Option<u64>,
    /// The scene that the file was made from.
    pub scene: Option<Value>,
    /// What was asked for.
    pub request: Option<Value>,
    /// Where on earth it lies.
    pub place: Option<OnEarth>,
    /// The heights, or other numbers, of the lowest and the highest whole number.
    pub range: Option<(f64, f64)>,
    /// The same in metres.
    pub range_m: Option<(f64, f64)>,
    /// The lowest and the highest whole number.
    pub steps: Option<(u32, u32)>,
    /// The number of samples without data, or [`NO_NUMBER`]; missing where all hold data.
    pub no_data: Option<Value>,
    /// The unit of floats, or of another map than the heights.
    pub unit: Option<String>,
    /// The height of the number 0.
    pub metres_at_0: Option<f64>,
    /// From there to the height of the highest whole number.
    pub metres_from_0_to_highest: Option<f64>,
    /// From there to the height of the float 1.
    pub metres_from_0_to_1: Option<f64>,
    /// What to type where in engines that read the format.
    pub engines: BTreeMap<String, Map<String, Value>>,
    /// The name of the map, unless it is the heights.
    pub map: Option<String>,
    /// One line about that map.
    pub meaning: Option<String>,
    /// The bands of the palette in a picture of masks.
    pub bands: Vec<BandInPicture>,
}

/// A file that lies beside another and belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Companion {
    /// Its name.
    pub file: String,
    /// Its length.
    pub bytes: u64,
    /// Its checksum, see [`checksum`].
    pub checksum: String,
}

/// A rectangle of a map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartOfMap {
    /// Its first row.
    pub row: u64,
    /// Its first column.
    pub column: u64,
    /// Rows of the map.
    pub map_rows: u64,
    /// Columns of the map.
    pub map_columns: u64,
}

/// Metres from one sample to the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Spacing {
    /// Both ways alike.
    Square(f64),
    /// Eastwards and southwards.
    EastSouth([f64; 2]),
}

/// A place on earth, in the coordinates of a system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnEarth {
    /// The system's code as `EPSG:N`, if it has one.
    pub crs: Option<String>,
    /// The place of the north-western sample.
    pub north_western_sample: [f64; 2],
    /// The way from a sample to the next one eastwards.
    pub next_sample_east: [f64; 2],
    /// The way from a sample to the next one southwards.
    pub next_sample_south: [f64; 2],
}

/// A band of the palette and where in a picture of masks it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BandInPicture {
    /// Its number from 0, the lowest.
    pub band: usize,
    /// Its channel: grey, red, green, blue or alpha.
    pub channel: String,
    /// Its colour as `#rrggbb`.
    pub color: String,
}

impl Sidecar {
    /// Its JSON. What tells which files it belongs to comes first.
    #[must_use]
    pub fn text(&self) -> String {
        let mut all = match serde_json::to_value(self) {
            Ok(Value::Object(all)) => all,
            _ => Map::new(),
        };
        all.retain(|_, value| ![json!(null), json!([]), json!({})].contains(value));
        let mut first = String::new();
        for key in ["bytes", "checksum", "beside"] {
            if let Some(value) = all.remove(key) {
                first += &format!("\n  \"{key}\": {value},");
            }
        }
        let text = format!("{:#}\n", Value::Object(all));
        text.replacen('{', &format!("{{{first}"), 1)
    }

    /// What the file at `path` says, if it is JSON such as this. What is not of its type is
    /// missing, as in a sidecar of a later program.
    #[must_use]
    pub fn read(path: &Path) -> Option<Self> {
        // A pipe would wait for its other end when it is opened.
        if !path.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        let file = File::open(path).ok()?;
        file.take(MOST_BYTES).read_to_end(&mut bytes).ok()?;
        let all = serde_json::from_slice::<Map<String, Value>>(&bytes).ok()?;
        let is_sound = |(key, value): &(String, Value)| {
            let alone = Map::from_iter([(key.clone(), value.clone())]);
            Self::deserialize(alone).is_ok()
        };
        let sound = all.into_iter().filter(is_sound);
        Self::deserialize(sound.collect::<Map<_, _>>()).ok()
    }

    /// What the file at `path` says, if it is a sidecar that Landform wrote, whatever has become
    /// of the file that it belongs to.
    #[must_use]
    pub fn read_own(path: &Path) -> Option<Self> {
        let is_ours = |sidecar: &Self| {
            is_program(sidecar.program.as_bytes())
                && !sidecar.file.is_empty()
                && sidecar.content().is_some()
        };
        Self::read(path).filter(is_ours)
    }

    /// Length and checksum of the file that it belongs to.
    #[must_use]
    pub fn content(&self) -> Option<(u64, &str)> {
        Some((self.bytes?, self.checksum.as_deref()?))
    }

    /// Whether the file holds heights, not a map made of them.
    #[must_use]
    pub fn is_of_heights(&self) -> bool {
        self.map.is_none()
    }

    /// Metres from one sample to the next, if that is the same both ways.
    #[must_use]
    pub fn step_m(&self) -> Option<f64> {
        match self.metres_per_sample? {
            Spacing::Square(step) => Some(step),
            Spacing::EastSouth(_) => None,
        }
    }

    /// Columns and rows.
    #[must_use]
    pub fn size(&self) -> Option<(u64, u64)> {
        self.width.zip(self.height)
    }
}

/// Where the sidecar of a file lies: `x.r16` has `x.r16.json`.
#[must_use]
pub fn sidecar_of(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".json");
    path.into()
}

/// What lies beside a file.
#[derive(Clone, Debug, PartialEq)]
// There is one at a time.
#[allow(clippy::large_enum_variant)]
pub enum FoundSidecar {
    /// No sidecar of Landform's.
    Nothing,
    /// A sidecar that belongs to another version of the file.
    OfAnother,
    /// The file's sidecar.
    Fits(Sidecar),
}

/// What lies beside a file. A sidecar belongs to it if length and checksum are those of the file,
/// not of another version of it.
#[must_use]
pub fn look_beside(file: &Path) -> FoundSidecar {
    let Some(sidecar) = Sidecar::read(&sidecar_of(file)) else {
        return FoundSidecar::Nothing;
    };
    let Some(said) = sidecar.content() else {
        return FoundSidecar::Nothing;
    };
    match checksum_at(file) {
        Some((length, sum)) if (length, sum.as_str()) == said => FoundSidecar::Fits(sidecar),
        Some(_) if sidecar.program.starts_with("landform ") => FoundSidecar::OfAnother,
        _ => FoundSidecar::Nothing,
    }
}

/// The sidecar beside a file, if it belongs to it.
#[must_use]
pub fn fitting(file: &Path) -> Option<Sidecar> {
    match look_beside(file) {
        FoundSidecar::Fits(sidecar) => Some(sidecar),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sidecar_reads_back_and_says_first_what_it_belongs_to() {
        let sidecar = Sidecar {
            bytes: Some(7),
            checksum: Some("sum64 0".to_owned()),
            beside: vec![Companion {
                file: "x.mtl".to_owned(),
                bytes: 3,
                checksum: "sum64 1".to_owned(),
            }],
            file: "x.obj".to_owned(),
            metres_per_sample: Some(Spacing::EastSouth([0.5, 0.25])),
            range: Some((-1.0, f64::from(0.7_f32))),
            ..Sidecar::default()
        };
        let text = sidecar.text();
        assert!(
            text.starts_with("{\n  \"bytes\": 7,\n  \"checksum\": \"sum64 0\",\n  \"beside\": [")
        );
        assert_eq!(serde_json::from_str::<Sidecar>(&text).ok(), Some(sidecar));
    }

    #[test]
    fn what_is_not_of_its_type_is_missing_alone() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.json");
        let text = r#"{"bytes": 7, "checksum": "s", "seed": "7", "range": [null, 1], "width": 3}"#;
        std::fs::write(&path, text).expect("a file");
        let sidecar = Sidecar::read(&path).expect("a sidecar");
        assert_eq!(sidecar.content(), Some((7, "s")));
        assert_eq!(
            (sidecar.seed, sidecar.range, sidecar.width),
            (None, None, Some(3))
        );
    }

    #[test]
    fn json_of_other_programs_says_nothing() {
        let sidecar: Sidecar = serde_json::from_str("{\"a\": 1}").expect("JSON");
        assert_eq!(sidecar, Sidecar::default());
        assert_eq!(sidecar.content(), None);
    }
}
