//! Where on a body a map lies: its coordinate reference system, as GeoTIFF stores it, and the places
//! of its corners. What was known about an imported map is exported with it again.
//!
//! Only systems that need no knowledge are known here: longitude and latitude within a metre of WGS 84, and
//! the zones of transverse Mercator, whose metres are those of the ground to a thousandth. Of every other
//! system GDAL says what its units are, see [`crate::gdal`].

mod system;

pub use system::{Ellipsoid, METRES_UNIT, Unit, code_of_text, known_unit, well_known_text};

/// The international foot in metres.
pub const FOOT: f64 = 0.3048;
/// The foot of surveys in the United States, in metres.
pub const SURVEY_FOOT: f64 = 1200.0 / 3937.0;

/// GTModelType: what coordinates are; 1 is projected, 2 is degrees.
pub const MODEL_KEY: u16 = 1024;
/// GTRasterType: with 1 a sample is an area, and places are those of its corner; with 2 a sample is
/// a point.
pub const RASTER_KEY: u16 = 1025;
/// GeographicType: a code of EPSG.
pub const GEOGRAPHIC_KEY: u16 = 2048;
/// ProjectedCSType: a code of EPSG.
pub const PROJECTED_KEY: u16 = 3072;
/// GTCitation: the name of the whole system.
const CITATION_KEY: u16 = 1026;
/// ProjLinearUnits: the code of the unit of length.
pub const LINEAR_UNIT_KEY: u16 = 3076;
/// ProjLinearUnitSize: the unit of length in metres.
pub const LINEAR_SIZE_KEY: u16 = 3077;
/// VerticalCSType: a code of EPSG.
pub const VERTICAL_KEY: u16 = 4096;
/// VerticalUnits: the code of the unit of heights.
pub const VERTICAL_UNIT_KEY: u16 = 4099;

/// The code that means "user-defined".
const OWN: u16 = 32_767;
/// The tags in which GeoTIFF holds a coordinate reference system, unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// GeoKeyDirectory: a head of four numbers, then four numbers for each key.
    pub directory: Vec<u16>,
    /// GeoDoubleParams: the keys' real numbers.
    pub doubles: Vec<f64>,
    /// GeoAsciiParams: the keys' texts.
    pub text: String,
}

impl Keys {
    /// The system with this EPSG code, whose coordinates have that unit, with samples as areas.
    #[must_use]
    pub fn of_epsg(code: u16, unit: Unit) -> Self {
        let (model, kind) = match unit {
            Unit::Degrees(_) => (2, GEOGRAPHIC_KEY),
            Unit::Metres(_) => (1, PROJECTED_KEY),
        };
        let keys = [
            [MODEL_KEY, 0, 1, model],
            [RASTER_KEY, 0, 1, 1],
            [kind, 0, 1, code],
        ];
        Self {
            directory: directory(&keys),
            ..Self::default()
        }
    }

    /// The keys for a file that holds no heights, or heights in metres, whatever heights the keys
    /// were made for: what they say about heights stays only if it is true of metres.
    #[must_use]
    pub fn with_heights_in_metres(&self, has_heights: bool) -> Self {
        /// The keys VerticalCSType, its name, its datum and its units.
        const OF_HEIGHTS: std::ops::RangeInclusive<u16> = 4096..=4099;
        let is_vertical = |entry: &[u16; 4]| OF_HEIGHTS.contains(&entry[0]);
        let entries = self.directory.as_chunks::<4>().0;
        let has_any = entries.iter().skip(1).any(is_vertical);
        let is_metres = self.short(VERTICAL_UNIT_KEY) == Some(METRES_UNIT);
        if !has_any || (has_heights && is_metres) {
            return self.clone();
        }
        // The name of the whole system names the heights, too.
        let kept = entries.iter().skip(1);
        let kept = kept.filter(|entry| !is_vertical(entry) && entry[0] != CITATION_KEY);
        let kept: Vec<_> = kept.copied().collect();
        Self {
            directory: directory(&kept),
            ..self.clone()
        }
    }

    /// The same system, whose heights are stated to be in metres.
    #[must_use]
    pub fn stating_metres(&self) -> Self {
        let entries = self.entries().filter(|entry| entry[0] != VERTICAL_UNIT_KEY);
        let mut entries: Vec<_> = entries
            .chain([[VERTICAL_UNIT_KEY, 0, 1, METRES_UNIT]])
            .collect();
        entries.sort_by_key(|entry| entry[0]);
        Self {
            directory: directory(&entries),
            ..self.clone()
        }
    }

    /// Whether no system is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// The entries of the directory: key, tag that holds its value or 0, how many values, value or its
    /// place in that tag.
    pub fn entries(&self) -> impl Iterator<Item = [u16; 4]> {
        self.directory.as_chunks::<4>().0.iter().skip(1).copied()
    }

    /// The value of a key that is a short number; `None` if the key is missing.
    #[must_use]
    pub fn short(&self, key: u16) -> Option<u16> {
        let found = |entry: &[u16; 4]| entry[0] == key && entry[1] == 0;
        self.entries().find(found).map(|entry| entry[3])
    }

    /// The system's EPSG code, if it has one.
    #[must_use]
    pub fn epsg(&self) -> Option<u16> {
        let code = self.short(PROJECTED_KEY).or(self.short(GEOGRAPHIC_KEY));
        code.filter(|code| (1024..OWN).contains(code))
    }

    /// Whether a place is that of a sample's north-western corner, not of its middle.
    #[must_use]
    pub fn is_area(&self) -> bool {
        self.short(RASTER_KEY) != Some(2)
    }
}

/// Where a map lies, in the coordinates of its system.
#[derive(Clone, Debug, PartialEq)]
pub struct Georeference {
    /// The system; empty if it is not known.
    pub keys: Keys,
    /// What one of its coordinates is.
    pub unit: Unit,
    /// The well-known text of a system that is not known here; else empty.
    pub text: String,
    /// The place of the north-western sample.
    pub origin: [f64; 2],
    /// The vector along a row over as many cells as the map's longer side has.
    pub east: [f64; 2],
    /// The vector down a column over as many cells.
    pub south: [f64; 2],
}

impl Georeference {
    /// The well-known text of its system, if that is known.
    #[must_use]
    pub fn well_known_text(&self) -> Option<String> {
        let known = self.keys.epsg().and_then(well_known_text);
        known.or_else(|| Some(self.text.clone()).filter(|text| !text.is_empty()))
    }

    /// The place of a sample, and the vectors to the next sample eastwards and southwards, on a map
    /// of `cells` cells along its longer side.
    #[must_use]
    pub fn at(&self, row: u64, column: u64, cells: u64) -> ([f64; 2], [f64; 2], [f64; 2]) {
        let part = |way: [f64; 2]| way.map(|way| way / cells.max(1) as f64);
        let (east, south) = (part(self.east), part(self.south));
        let (row, column) = (row as f64, column as f64);
        let place = [0, 1].map(|axis| self.origin[axis] + column * east[axis] + row * south[axis]);
        (place, east, south)
    }

    /// The coordinates of a point that is given in half tiles east and south of the north-western
    /// sample.
    #[must_use]
    pub fn point(&self, from_corner: [f64; 2]) -> [f64; 2] {
        // The map's longer side is two half tiles.
        let [east, south] = from_corner.map(|half_tiles| half_tiles * 0.5);
        [0, 1].map(|axis| self.origin[axis] + self.east[axis] * east + self.south[axis] * south)
    }

    /// The coordinates of [`Georeference::point`] with the code of their system, such as
    /// "30.25000° S, 70.75000° W (EPSG:4326)".
    #[must_use]
    pub fn format_point(&self, from_corner: [f64; 2]) -> String {
        let [x, y] = self.point(from_corner);
        let system = self
            .keys
            .epsg()
            .map_or_else(String::new, |code| format!(" (EPSG:{code})"));
        match self.unit {
            Unit::Degrees(unit) => {
                let side = |degrees: f64, sides: [&str; 2]| {
                    let side = sides[usize::from(degrees < 0.0)];
                    format!("{:.5}° {side}", degrees.abs())
                };
                let [x, y] = [x, y].map(|angle| angle * unit);
                format!("{}, {}{system}", side(y, ["N", "S"]), side(x, ["E", "W"]))
            }
            Unit::Metres(_) => format!("E {x:.1}, N {y:.1}{system}"),
        }
    }
}

/// The code in `EPSG:N`; `None` if the text is empty.
///
/// # Errors
/// The text is not such a code; the message says what is allowed.
pub fn parse_crs(text: &str) -> Result<Option<u16>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let code = text
        .split_once(':')
        .filter(|(name, _)| name.eq_ignore_ascii_case("epsg"));
    // In GeoTIFF 32767 means "user-defined".
    let code = code.and_then(|(_, code)| code.trim().parse().ok());
    let code = code.filter(|code| (1024..OWN).contains(code));
    let wrong = || "EPSG:N, N from 1024 to 32766, or empty".to_owned();
    code.map(Some).ok_or_else(wrong)
}

/// A key directory of version 1.1.0.
fn directory(keys: &[[u16; 4]]) -> Vec<u16> {
    let head = [1, 1, 0, keys.len() as u16];
    head.into_iter().chain(keys.concat()).collect()
}

/// The two coordinates in `X,Y`; `None` if the text is empty.
///
/// # Errors
/// The text is not two coordinates; the message says what is allowed.
pub fn parse_origin(text: &str) -> Result<Option<[f64; 2]>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f64| n.is_finite());
    text.split_once(',')
        .and_then(|(x, y)| Some(Some([number(x)?, number(y)?])))
        .ok_or_else(|| "X,Y, the coordinates of the north-western sample, or empty".to_owned())
}
