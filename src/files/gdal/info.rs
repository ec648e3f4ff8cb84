//! Parser for the output of `gdalinfo -json`: grid size, geotransform, coordinate reference system and bands
//! of a file.

use std::ffi::OsStr;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::{Crs, Gdal, GdalError};
use crate::util::job::Job;

/// Description of a raster file by GDAL.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    /// The name of GDAL's driver for the format.
    pub driver: String,
    /// The number of columns.
    pub columns: u64,
    /// The number of rows.
    pub rows: u64,
    /// The geotransform, from columns and rows to coordinates: x, its change per column and per row, then y,
    /// its change per column and per row.
    pub transform: Option<[f64; 6]>,
    /// The coordinate reference system.
    pub crs: Option<Crs>,
    /// True if the file states a system, even one that could not be parsed.
    pub states_system: bool,
    /// True if the file has ground control points or geolocation arrays.
    pub has_points: bool,
    /// The bands of the file.
    pub bands: Vec<Band>,
    /// The names of all files of the data set.
    pub files: Vec<String>,
    /// Names and descriptions of the subdatasets or pages.
    pub parts: Vec<(String, String)>,
    /// The file's own metadata items, as name and value.
    pub items: Vec<(String, String)>,
    /// True if the lowest grey value is white.
    pub is_min_white: bool,
}

/// Raster band: one grid of numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Band {
    /// The sample type, such as `Int16`.
    pub kind: String,
    /// The colour interpretation, such as `Red` or `Palette`.
    pub color: String,
    /// The unit of the samples as GDAL gives it; empty if there is none.
    pub unit: String,
    /// Scale and offset: stored values are multiplied by the first, then the second is added.
    pub scale: Option<(f64, f64)>,
    /// True if some samples may hold no data.
    pub may_miss_data: bool,
    /// The band's metadata items, as name and value.
    pub items: Vec<(String, String)>,
}

impl Band {
    /// Bytes per sample of the float type that the band is decoded to: 4 or 8.
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

    /// The value of a metadata item; the case of the name is ignored.
    #[must_use]
    pub fn item(&self, name: &str) -> Option<&str> {
        let found = |(key, _): &&(String, String)| key.eq_ignore_ascii_case(name);
        self.items
            .iter()
            .find(found)
            .map(|(_, value)| value.as_str())
    }
}

/// Run `gdalinfo` on a file or on a subdataset. Returns the parsed description and the JSON text.
///
/// # Errors
/// GDAL does not support the format, or the file is broken.
pub fn info(gdal: &Gdal, name: &OsStr, job: &Job) -> Result<(Info, String), GdalError> {
    // GDAL reads some text formats to the end to find their size.
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
    /// The same bands and items on the grid of another file.
    #[must_use]
    pub fn lying_as(self, other: Self) -> Self {
        Self {
            bands: self.bands,
            items: self.items,
            ..other
        }
    }

    /// Parse the output of `gdalinfo -json`.
    #[must_use]
    pub fn of_text(text: &str) -> Option<Self> {
        parse(&serde_json::from_str(&without_bare_numbers(text)).ok()?)
    }
}

/// Replace NaN and infinity by null: GDAL writes both, although JSON has neither.
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
