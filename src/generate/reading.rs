//! Overrides for reading the numbers of an input file, for files without or with wrong metadata.
//! Settings are texts so that each can be left empty; then the file's own metadata count.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::Surface;
use crate::util::param::{Param, Params, choice, choice_param, text_param};

choice! {
    /// Unit of the numbers in an input file.
    pub enum InputUnit: "input unit" {
        #[default]
        Auto = "auto", "As stated in the file, otherwise guessed from its numbers; a message says \
                what was assumed.";
        Metres = "m", "Metres, whatever the file says.";
        Feet = "ft", "Feet of 0.3048 m, whatever the file says.";
        Unit = "unit", "Half tiles, the unit of heights in a scene; for whole numbers, the \
                highest possible one is 1.";
    }
}

choice! {
    /// Byte order of numbers in a file without a header.
    pub enum ByteOrder: "byte order" {
        #[default]
        Little = "little", "The low byte first, as Windows, Unity and Unreal write.";
        Big = "big", "The high byte first, as in older Macintosh files.";
    }
}

choice! {
    /// Coding of heights in the colours of an input picture.
    pub enum InputCoding: "input coding" {
        #[default]
        None = "none", "Brightness.";
        TerrainRgb = "terrain-rgb", "Heights as encoded by Mapbox and MapTiler: 0.1 m per step, \
                      from -10000 m.";
        Terrarium = "terrarium", "Heights as encoded by Mapzen and AWS: 1/256 m per step, from \
                     -32768 m.";
        Gsi = "gsi", "Heights as encoded by Japan's Geospatial Information Authority: 1 cm per \
                      step.";
    }
}

choice! {
    /// Allowed sources of a virtual file's samples.
    pub enum InputSources: "input sources" {
        #[default]
        Folder = "folder", "Only from files in its own folder and its subfolders.";
        Anywhere = "anywhere", "From any file on this computer.";
    }
}

/// Settings for reading an input file. Where a setting is empty or `auto`, the file's metadata count.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Reading {
    /// Unit of the numbers; default `auto`.
    pub unit: InputUnit,
    /// `LOW,HIGH`: heights, in that unit, of 0 and of the highest possible whole number, or in a file of
    /// floats of its lowest and its highest sample; default empty.
    pub range: String,
    /// `X` or `X,Y`: distance between samples in metres, eastwards and southwards; default empty.
    pub spacing: String,
    /// Number that marks missing data, or `none`; default empty.
    pub no_data: String,
    /// `WIDTHxHEIGHT` in samples, for files without a header; default empty.
    pub size: String,
    /// Byte order, for files without a header; default `little`.
    pub order: ByteOrder,
    /// Number of the band, from 1, or of the page or map in a file with several; default empty.
    pub band: String,
    /// Coding of heights in the colours of a picture; default `none`.
    pub coding: InputCoding,
    /// Allowed sources of a VRT's samples; default `folder`.
    pub sources: InputSources,
}

/// Marker of missing data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NoData {
    /// Markers declared by the file.
    AsFile,
    /// No marker: all numbers are data.
    Nothing,
    /// This number.
    Number(f64),
}

impl Params for Reading {
    const KEPT: &'static [&'static str] = &[
        "unit", "range", "spacing", "no_data", "size", "order", "band", "coding", "sources",
    ];

    const EMPTY: &'static str = "as the file says";
    const PARAMS: &'static [Param<Self>] = &[
        choice_param!(unit: InputUnit, "Input unit", "Unit of the numbers in the input file."),
        text_param!(range, "Input range", check: |_, text| range(text).map(|_| ()),
            "LOW,HIGH in the input's unit, metres by default: for whole numbers, the heights of 0 \
             and of the highest possible number; for floats, the heights of the lowest and the \
             highest sample."),
        text_param!(spacing, "Input spacing", check: |_, text| spacing(text).map(|_| ()),
            "X or X,Y: metres from one sample of the input file to the next, eastwards and southwards."),
        text_param!(no_data, "Input no data", check: |_, text| no_data(text).map(|_| ()),
            "Number that marks missing data in the input file, or none."),
        text_param!(size, "Input size", check: |_, text| size(text).map(|_| ()),
            "WIDTHxHEIGHT in samples, for an input file without a header (.raw, .r16, .r32)."),
        choice_param!(order: ByteOrder, "Input byte order",
            "Which byte of a number comes first in an input file without a header."),
        text_param!(band, "Input band", check: |_, text| band(text).map(|_| ()),
            "Number of the band to read, from 1; for a file with several pages or maps, the \
             number of the page or map."),
        choice_param!(coding: InputCoding, "Input coding",
            "How the colours of the input picture encode heights."),
        choice_param!(sources: InputSources, "Input sources",
            "Where a virtual file (.vrt) may read its samples from."),
    ];
}

impl Reading {
    /// True if no setting overrides the file's metadata.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Lowest and highest height, in the unit of the numbers; `None` if the file decides.
    ///
    /// # Errors
    /// The text is not a range; the message states what is allowed.
    pub fn range(&self) -> Result<Option<(f64, f64)>, String> {
        range(&self.range)
    }

    /// Distance between samples in metres, eastwards and southwards; `None` if the file decides.
    ///
    /// # Errors
    /// The text is not a spacing; the message states what is allowed.
    pub fn spacing(&self) -> Result<Option<[f64; 2]>, String> {
        spacing(&self.spacing)
    }

    /// Marker of missing data.
    ///
    /// # Errors
    /// The text is not such a number; the message states what is allowed.
    pub fn no_data(&self) -> Result<NoData, String> {
        no_data(&self.no_data)
    }

    /// Number of the band, page or map, from 1; `None` to take the first suitable one.
    ///
    /// # Errors
    /// The text is not such a number; the message states what is allowed.
    pub fn band(&self) -> Result<Option<usize>, String> {
        band(&self.band)
    }

    /// Number of columns and of rows; `None` if the file decides.
    ///
    /// # Errors
    /// The text is not a size; the message states what is allowed.
    pub fn size(&self) -> Result<Option<(u64, u64)>, String> {
        size(&self.size)
    }
}

impl Surface {
    /// Path of the input, and its reading settings.
    #[must_use]
    pub fn input_as_read(&self) -> (Option<PathBuf>, Reading) {
        (self.input.clone(), self.reading.clone())
    }
}

fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|n: &f64| n.is_finite())
}

fn range(text: &str) -> Result<Option<(f64, f64)>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let both = text
        .split_once(',')
        .and_then(|(low, high)| Some((number(low)?, number(high)?)));
    let both = both.filter(|(low, high)| low < high);
    both.map(Some)
        .ok_or_else(|| "LOW,HIGH, two numbers, the lower first, or empty".to_owned())
}

fn spacing(text: &str) -> Result<Option<[f64; 2]>, String> {
    /// Distances between samples, in metres, that give a valid tile size of a scene.
    const SPACINGS: std::ops::RangeInclusive<f64> = 1e-6..=1e9;
    if text.is_empty() {
        return Ok(None);
    }
    let both = match text.split_once(',') {
        Some((x, y)) => number(x).zip(number(y)),
        None => number(text).map(|both| (both, both)),
    };
    let both = both.filter(|(x, y)| SPACINGS.contains(x) && SPACINGS.contains(y));
    both.map(|(x, y)| Some([x, y]))
        .ok_or_else(|| "X or X,Y in metres, each above 0, or empty".to_owned())
}

fn no_data(text: &str) -> Result<NoData, String> {
    match text.trim() {
        "" => Ok(NoData::AsFile),
        "none" => Ok(NoData::Nothing),
        text => text
            .parse()
            .map(NoData::Number)
            .map_err(|_| "a number, none, or empty".to_owned()),
    }
}

fn size(text: &str) -> Result<Option<(u64, u64)>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let side = |text: &str| text.trim().parse().ok().filter(|side: &u64| *side > 0);
    text.split_once('x')
        .and_then(|(width, height)| Some(Some((side(width)?, side(height)?))))
        .ok_or_else(|| "WIDTHxHEIGHT in samples, or empty".to_owned())
}

fn band(text: &str) -> Result<Option<usize>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = text.trim().parse().ok().filter(|number| *number > 0);
    number
        .map(Some)
        .ok_or_else(|| "a whole number from 1, or empty".to_owned())
}
