//! Sidecar files: metadata that a map's file cannot hold, as JSON beside it; `x.png` has `x.png.json`.
//! Writers fill in this struct and readers parse it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::checksum::checksum_at;
use super::program::is_program;

/// Usual [`Sidecar::row_order`].
pub const NORTH_FIRST: &str = "north to south, each west to east";
/// [`Sidecar::row_order`] of flipped files.
pub const SOUTH_FIRST: &str = "south to north, each west to east";
/// [`Sidecar::unit`] of unconverted heights.
pub const HALF_TILES: &str = "half tiles";
/// [`Sidecar::unit`] of heights in metres.
pub const METRES: &str = "metres";
/// [`Sidecar::unit`] of normalized heights, from 0, the lowest, to 1, the highest.
pub const ONE: &str = "0 to 1";

/// [`Sidecar::colors`] of ground with the materials of `landscape`.
pub const BY_MATERIAL: &str = "material";
/// [`Sidecar::colors`] of ground with the palette's colours by height.
pub const BY_HEIGHT: &str = "height";

/// [`Sidecar::no_data`] of floats that use NaN.
pub const NO_NUMBER: &str = "nan";

/// Maximum size of a sidecar, in bytes; larger files are not sidecars.
const MOST_BYTES: u64 = 16 << 20;

/// Content of a sidecar. Fields that do not apply to a file are missing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sidecar {
    /// Length of the main file, in bytes.
    pub bytes: Option<u64>,
    /// Checksum of the main file, see [`checksum`].
    pub checksum: Option<String>,
    /// Companion files, such as the texture of a mesh.
    pub beside: Vec<Companion>,
    /// Program and version that wrote the file.
    pub program: String,
    /// Name of the main file.
    pub file: String,
    /// Description of the format in one line.
    pub format: Option<String>,
    /// Number of columns.
    pub width: Option<u64>,
    /// Number of rows.
    pub height: Option<u64>,
    /// Location of the samples in the map.
    pub region: Option<PartOfMap>,
    /// Row order: [`NORTH_FIRST`] or [`SOUTH_FIRST`].
    pub row_order: Option<String>,
    /// Sample spacing, in metres.
    pub metres_per_sample: Option<Spacing>,
    /// Tile size in metres; half a tile is the unit of heights.
    pub tile_size_m: Option<f64>,
    /// Lowest number of the map; heights are in half tiles.
    pub min: Option<f64>,
    /// Highest number of the map.
    pub max: Option<f64>,
    /// Base height in half tiles that was subtracted from the heights in the file, where absolute 32-bit
    /// heights are too coarse. Heights in this sidecar are absolute.
    pub base: Option<f64>,
    /// Base height, in metres.
    pub base_m: Option<f64>,
    /// Lowest height, in metres.
    pub min_m: Option<f64>,
    /// Highest height, in metres.
    pub max_m: Option<f64>,
    /// Water level, in metres.
    pub water_level_m: Option<f64>,
    /// Seed of the ground.
    pub seed: Option<u64>,
    /// Scene that the file was made from.
    pub scene: Option<Value>,
    /// Request that the file fulfils.
    pub request: Option<Value>,
    /// Georeference.
    pub place: Option<OnEarth>,
    /// Heights, or other numbers, that the lowest and the highest whole number stand for.
    pub range: Option<(f64, f64)>,
    /// Heights of the lowest and the highest whole number, in metres.
    pub range_m: Option<(f64, f64)>,
    /// Lowest and highest whole number.
    pub steps: Option<(u32, u32)>,
    /// Number that marks samples without data, or [`NO_NUMBER`]; missing if all samples hold data.
    pub no_data: Option<Value>,
    /// Unit of floats, or of a map other than the heights.
    pub unit: Option<String>,
    /// Height of the number 0, in metres.
    pub metres_at_0: Option<f64>,
    /// Height difference between the number 0 and the highest whole number, in metres.
    pub metres_from_0_to_highest: Option<f64>,
    /// Height difference between the floats 0 and 1, in metres.
    pub metres_from_0_to_1: Option<f64>,
    /// Import settings of engines that read the format.
    pub engines: BTreeMap<String, Map<String, Value>>,
    /// Name of the map; missing for heights.
    pub map: Option<String>,
    /// Description of the map in one line.
    pub meaning: Option<String>,
    /// Colours of the ground in an albedo or on a mesh: [`BY_MATERIAL`] or [`BY_HEIGHT`].
    pub colors: Option<String>,
    /// Bands of the palette in a mask picture.
    pub bands: Vec<BandInPicture>,
}

/// A companion file of an output file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Companion {
    /// File name.
    pub file: String,
    /// Length, in bytes.
    pub bytes: u64,
    /// Checksum, see [`checksum`].
    pub checksum: String,
}

impl Companion {
    /// True if a file has this length and checksum.
    #[must_use]
    pub fn fits(&self, path: &Path) -> bool {
        has_content(path, (self.bytes, &self.checksum))
    }
}

/// Rectangle of a map.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartOfMap {
    /// First row.
    pub row: u64,
    /// First column.
    pub column: u64,
    /// Number of rows of the map.
    pub map_rows: u64,
    /// Number of columns of the map.
    pub map_columns: u64,
}

/// Sample spacing, in metres.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Spacing {
    /// Equal spacing both ways.
    Square(f64),
    /// Spacing eastwards and southwards.
    EastSouth([f64; 2]),
}

/// Georeference in the coordinates of a reference system.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OnEarth {
    /// Code of the system as `EPSG:N`, if it has one.
    pub crs: Option<String>,
    /// Coordinates of the north-western sample.
    pub north_western_sample: [f64; 2],
    /// Step to the next sample eastwards.
    pub next_sample_east: [f64; 2],
    /// Step to the next sample southwards.
    pub next_sample_south: [f64; 2],
}

/// Band of the palette in a mask picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BandInPicture {
    /// Number of the band, from 0 for the lowest.
    pub band: usize,
    /// Channel: grey, red, green, blue or alpha.
    pub channel: String,
    /// Colour as `#rrggbb`.
    pub color: String,
}

impl Sidecar {
    /// JSON text. The fields that identify the files come first.
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

    /// Read a sidecar from JSON. Fields of the wrong type are treated as missing, so that sidecars of
    /// later versions can be read.
    #[must_use]
    pub fn read(path: &Path) -> Option<Self> {
        // Opening a pipe would block.
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

    /// Read a sidecar that Landform wrote, even if its main file has changed.
    #[must_use]
    pub fn read_own(path: &Path) -> Option<Self> {
        let is_ours = |sidecar: &Self| {
            is_program(sidecar.program.as_bytes())
                && !sidecar.file.is_empty()
                && sidecar.content().is_some()
        };
        Self::read(path).filter(is_ours)
    }

    /// Length and checksum of the main file.
    #[must_use]
    pub fn content(&self) -> Option<(u64, &str)> {
        Some((self.bytes?, self.checksum.as_deref()?))
    }

    /// True if a file has the length and checksum of the main file.
    #[must_use]
    pub fn fits(&self, path: &Path) -> bool {
        self.content()
            .is_some_and(|content| has_content(path, content))
    }

    /// True if the file holds heights, not a derived map.
    #[must_use]
    pub fn is_of_heights(&self) -> bool {
        self.map.is_none()
    }

    /// Sample spacing in metres, if it is the same both ways.
    #[must_use]
    pub fn step_m(&self) -> Option<f64> {
        match self.metres_per_sample? {
            Spacing::Square(step) => Some(step),
            Spacing::EastSouth(_) => None,
        }
    }

    /// Number of columns and rows.
    #[must_use]
    pub fn size(&self) -> Option<(u64, u64)> {
        self.width.zip(self.height)
    }
}

fn has_content(path: &Path, content: (u64, &str)) -> bool {
    checksum_at(path).is_some_and(|(length, sum)| (length, sum.as_str()) == content)
}

/// Path of a file's sidecar: `x.r16` has `x.r16.json`.
#[must_use]
pub fn sidecar_of(file: &Path) -> PathBuf {
    let mut path = file.as_os_str().to_owned();
    path.push(".json");
    path.into()
}

/// Name of the sidecar of a folder of files for an engine: that of the heights, whose companions are the others.
pub const FOLDER_SIDECAR: &str = "landform.json";

/// Sidecar of the folder of a file, if it lists the file.
#[must_use]
pub fn in_folder_of(file: &Path) -> Option<Sidecar> {
    let sidecar = Sidecar::read_own(&file.with_file_name(FOLDER_SIDECAR))?;
    let name = file.file_name()?.to_str()?;
    let is_listed = sidecar.file == name
        || sidecar
            .beside
            .iter()
            .any(|companion| companion.file == name);
    is_listed.then_some(sidecar)
}

/// Result of the search for a file's sidecar.
#[derive(Clone, Debug, PartialEq)]
// Never stored in bulk, so the size does not matter.
#[allow(clippy::large_enum_variant)]
pub enum FoundSidecar {
    /// No sidecar from Landform.
    Nothing,
    /// Sidecar of another version of the file.
    OfAnother,
    /// Sidecar of the file.
    Fits(Sidecar),
}

/// Find the sidecar of a file. It must have the length and checksum of the file; otherwise it belongs to
/// another version.
#[must_use]
pub fn look_beside(file: &Path) -> FoundSidecar {
    let of_folder = || in_folder_of(file).filter(|folder| file.ends_with(&folder.file));
    let Some(sidecar) = Sidecar::read(&sidecar_of(file)).or_else(of_folder) else {
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

/// Sidecar of a file, if it matches the file.
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
    fn sidecar_reads_back_and_identifies_its_file_first() {
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
    fn only_values_of_wrong_type_are_missing() {
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
