//! What `gdalinfo -json` says of a file.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::{Crs, Gdal, GdalError};
use crate::job::Job;

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The name of the driver that reads it.
    pub driver: String,
    /// Columns.
    pub columns: u64,
    /// Rows.
    pub rows: u64,
    /// From columns and rows to coordinates: x, its change a column and a row, y, its change a column and a row.
    pub transform: Option<[f64; 6]>,
    /// The coordinate reference system.
    pub crs: Option<Crs>,
    /// Whether the file states a system, even one that is not understood.
    pub states_system: bool,
    /// Whether it is placed by points alone.
    pub has_points: bool,
    /// Its bands.
    pub bands: Vec<Band>,
    /// The names of the files that it consists of.
    pub files: Vec<String>,
    /// Names and descriptions of the maps or pages that it consists of.
    pub parts: Vec<(String, String)>,
    /// Its own items, `name=value`.
    pub items: Vec<(String, String)>,
    /// Whether the lowest number of its grey is white.
    pub is_min_white: bool,
}

/// A band of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// The type of its numbers, such as `Int16`.
    pub kind: String,
    /// What it is of a picture, such as `Red` or `Palette`.
    pub color: String,
    /// The word for the unit of its numbers, if there is one.
    pub unit: String,
    /// What numbers are multiplied by, and what is then added.
    pub scale: Option<(f64, f64)>,
    /// Whether some samples may hold no data.
    pub may_miss_data: bool,
    /// Its items, `name=value`.
    pub items: Vec<(String, String)>,
}

impl Band {
    /// Bytes of a number that holds all of the band's.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        if matches!(
            self.kind.as_str(),
            "Byte" | "Int8" | "Int16" | "UInt16" | "Float16" | "Float32"
        ) {
            4
        } else {
            8
        }
    }

    /// The value of an item, in any case.
    #[must_use]
    pub fn item(&self, name: &str) -> Option<&str> {
        let found = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(name);
        self.items
            .iter()
            .find(found)
            .map(|(_, value)| value.as_str())
    }
}

/// What GDAL says of the file, or of the part of one, of that name, and the text in which it does.
///
/// # Errors
/// GDAL does not know its format, or it is broken.
pub fn info(gdal: &Gdal, name: &OsStr, job: &Job) -> Result<(Info, String), GdalError> {
    // Some formats of text are read to their end for their size.
    let length = std::fs::metadata(Path::new(name)).map_or(0, |found| found.len());
    let silence = Duration::from_secs(8 + (length >> 23));
    let arguments = ["-json".as_ref(), "-norat".as_ref(), "-noct".as_ref(), name];
    let output = gdal.run("gdalinfo", arguments, length.min(1 << 30), silence, job)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let info = Info::of_text(&text).ok_or_else(|| GdalError::Failed {
        words: "gdalinfo does not say what the file holds".to_owned(),
    })?;
    Ok((info, text))
}

impl Info {
    /// The same numbers on the grid of another file.
    #[must_use]
    pub fn lying_as(self, other: Self) -> Self {
        Self {
            bands: self.bands,
            items: self.items,
            ..other
        }
    }

    /// What a text of `gdalinfo -json` says.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        parse(&serde_json::from_str(&without_bare_numbers(text)).ok()?)
    }
}

/// JSON knows no NaN and no infinity; GDAL writes them all the same.
fn without_bare_numbers(text: &str) -> String {
    let mut plain = text.to_owned();
    for bare in ["-nan", "nan", "NaN", "-inf", "inf", "-Infinity", "Infinity"] {
        for end in [",", "\n"] {
            plain = plain.replace(&format!(":{bare}{end}"), &format!(":null{end}"));
        }
    }
    plain
}

fn parse(value: &Value) -> Option<Info> {
    let size = |at: usize| value["size"][at].as_u64();
    let transform = value["geoTransform"].as_array().and_then(|numbers| {
        let numbers: Vec<f64> = numbers.iter().filter_map(Value::as_f64).collect();
        <[f64; 6]>::try_from(numbers).ok()
    });
    let wkt = value["coordinateSystem"]["wkt"]
        .as_str()
        .unwrap_or_default();
    let metadata = &value["metadata"];
    let parts = metadata["SUBDATASETS"].as_object().map(|parts| {
        let part = |index: usize| {
            let text = |end: &str| {
                Some(
                    parts
                        .get(&format!("SUBDATASET_{index}_{end}"))?
                        .as_str()?
                        .to_owned(),
                )
            };
            Some((text("NAME")?, text("DESC").unwrap_or_default()))
        };
        (1..).map_while(part).collect()
    });
    let files = value["files"].as_array().into_iter().flatten();
    let files = files.filter_map(|file| Some(file.as_str()?.to_owned()));
    Some(Info {
        files: files.collect(),
        driver: value["driverShortName"].as_str()?.to_owned(),
        columns: size(0)?,
        rows: size(1)?,
        transform,
        crs: Crs::of_wkt(wkt),
        states_system: !wkt.is_empty(),
        has_points: !value["gcps"].is_null() || !metadata["GEOLOCATION"].is_null(),
        bands: value["bands"].as_array()?.iter().map(band).collect(),
        parts: parts.unwrap_or_default(),
        items: items(&metadata[""]),
        is_min_white: metadata["IMAGE_STRUCTURE"]["MINISWHITE"] == "YES",
    })
}

fn band(value: &Value) -> Band {
    let text = |name: &str| value[name].as_str().unwrap_or_default().to_owned();
    let (scale, offset) = (value["scale"].as_f64(), value["offset"].as_f64());
    let scale = (scale.unwrap_or(1.0), offset.unwrap_or(0.0));
    Band {
        kind: text("type"),
        color: text("colorInterpretation"),
        unit: text("unit"),
        scale: (scale != (1.0, 0.0)).then_some(scale),
        may_miss_data: value.get("noDataValue").is_some() || value.get("mask").is_some(),
        items: items(&value["metadata"][""]),
    }
}

fn items(value: &Value) -> Vec<(String, String)> {
    let items = value.as_object().into_iter().flatten();
    let item = |(name, value): (&String, &Value)| {
        (name.clone(), value.as_str().unwrap_or_default().to_owned())
    };
    items.map(item).collect()
}
