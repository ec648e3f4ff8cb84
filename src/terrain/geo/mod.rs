//! Georeferencing: the coordinate reference system (CRS) of a map as GeoTIFF keys (GeoTIFF 1.1, OGC 2019),
//! and the coordinates of its samples.
//!
//! The georeference of an imported map is kept and written again on export.
//!
//! Only systems that need no projection database are built in: longitude and latitude within a metre of WGS
//! 84, and transverse Mercator zones (UTM, MGA), whose metres differ from ground metres by less than a
//! thousandth. For all other systems, GDAL supplies the units; see [`crate::files::gdal`].

mod system;

pub use system::{Ellipsoid, METRES_UNIT, Unit, code_of_text, known_unit, well_known_text};

/// The international foot in metres.
pub const FOOT: f64 = 0.3048;
/// The US survey foot, in metres.
pub const SURVEY_FOOT: f64 = 1200.0 / 3937.0;

/// GTModelType: the kind of coordinates; 1 is projected, 2 is geographic (degrees).
pub const MODEL_KEY: u16 = 1024;
/// GTRasterType: 1 for samples as areas, with coordinates at the sample's corner; 2 for samples as points.
pub const RASTER_KEY: u16 = 1025;
/// GeographicType: the EPSG code of a geographic system.
pub const GEOGRAPHIC_KEY: u16 = 2048;
/// ProjectedCSType: the EPSG code of a projected system.
pub const PROJECTED_KEY: u16 = 3072;
/// GTCitation: the name of the whole coordinate reference system.
const CITATION_KEY: u16 = 1026;
/// ProjLinearUnits: the code of the linear unit of the coordinates.
pub const LINEAR_UNIT_KEY: u16 = 3076;
/// ProjLinearUnitSize: the linear unit of the coordinates, in metres.
pub const LINEAR_SIZE_KEY: u16 = 3077;
/// VerticalCSType: the EPSG code of a vertical system.
pub const VERTICAL_KEY: u16 = 4096;
/// VerticalUnits: the code of the unit of the heights.
pub const VERTICAL_UNIT_KEY: u16 = 4099;

/// The key value that means "user-defined".
const OWN: u16 = 32_767;
/// GeoTIFF tags of a coordinate reference system, kept unchanged.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Keys {
    /// GeoKeyDirectory: a header of four numbers, then four numbers per key.
    pub directory: Vec<u16>,
    /// GeoDoubleParams: the floating-point values of the keys.
    pub doubles: Vec<f64>,
    /// GeoAsciiParams: the text values of the keys.
    pub text: String,
}

impl Keys {
    /// Make the keys of the system with an EPSG code and a coordinate unit, with samples as areas.
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

    /// Keys for a file without heights, or with heights in metres.
    ///
    /// Vertical keys are kept only if the file has heights and the keys state metres.
    #[must_use]
    pub fn with_heights_in_metres(&self, has_heights: bool) -> Self {
        /// VerticalCSType, its citation, its datum and its units.
        const OF_HEIGHTS: std::ops::RangeInclusive<u16> = 4096..=4099;
        let is_vertical = |entry: &[u16; 4]| OF_HEIGHTS.contains(&entry[0]);
        let entries = self.directory.as_chunks::<4>().0;
        let has_any = entries.iter().skip(1).any(is_vertical);
        let is_metres = self.short(VERTICAL_UNIT_KEY) == Some(METRES_UNIT);
        if !has_any || (has_heights && is_metres) {
            return self.clone();
        }
        // The citation names the whole system, including the vertical part.
        let kept = entries.iter().skip(1);
        let kept = kept.filter(|entry| !is_vertical(entry) && entry[0] != CITATION_KEY);
        let kept: Vec<_> = kept.copied().collect();
        Self {
            directory: directory(&kept),
            ..self.clone()
        }
    }

    /// The same system with heights stated in metres.
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

    /// True if no system is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.directory.is_empty()
    }

    /// The entries of the directory, each as key, tag that holds the value (0 if none), number of values, and
    /// the value itself or its offset in that tag.
    pub fn entries(&self) -> impl Iterator<Item = [u16; 4]> {
        self.directory.as_chunks::<4>().0.iter().skip(1).copied()
    }

    /// The value of a key stored as a short integer; `None` if the key is missing.
    #[must_use]
    pub fn short(&self, key: u16) -> Option<u16> {
        let found = |entry: &[u16; 4]| entry[0] == key && entry[1] == 0;
        self.entries().find(found).map(|entry| entry[3])
    }

    /// The EPSG code of the system, if it has one.
    #[must_use]
    pub fn epsg(&self) -> Option<u16> {
        let code = self.short(PROJECTED_KEY).or(self.short(GEOGRAPHIC_KEY));
        code.filter(|code| (1024..OWN).contains(code))
    }

    /// True if coordinates refer to the north-western corner of a sample, not to its centre.
    #[must_use]
    pub fn is_area(&self) -> bool {
        self.short(RASTER_KEY) != Some(2)
    }
}

/// Georeference of a map: its system, its origin and its two axes, in the coordinates of the system.
#[derive(Clone, Debug, PartialEq)]
pub struct Georeference {
    /// The coordinate reference system; empty if it is not known.
    pub keys: Keys,
    /// The unit of the coordinates.
    pub unit: Unit,
    /// The well-known text of a system that is not built in; otherwise empty.
    pub text: String,
    /// The coordinates of the north-western sample.
    pub origin: [f64; 2],
    /// The vector along a row, as long as the map's longer side.
    pub east: [f64; 2],
    /// The vector down a column, over the same number of cells as [`Georeference::east`].
    pub south: [f64; 2],
}

impl Georeference {
    /// The well-known text (WKT) of the system, if it is known.
    #[must_use]
    pub fn well_known_text(&self) -> Option<String> {
        let known = self.keys.epsg().and_then(well_known_text);
        known.or_else(|| Some(self.text.clone()).filter(|text| !text.is_empty()))
    }

    /// The coordinates of a sample, and the vectors to the next sample eastwards and southwards, on a map
    /// with `cells` cells along its longer side.
    #[must_use]
    pub fn at(&self, row: u64, column: u64, cells: u64) -> ([f64; 2], [f64; 2], [f64; 2]) {
        let part = |way: [f64; 2]| way.map(|way| way / cells.max(1) as f64);
        let (east, south) = (part(self.east), part(self.south));
        let (row, column) = (row as f64, column as f64);
        let place = [0, 1].map(|axis| self.origin[axis] + column * east[axis] + row * south[axis]);
        (place, east, south)
    }

    /// The coordinates of a point given in half tiles east and south of the north-western sample.
    #[must_use]
    pub fn point(&self, from_corner: [f64; 2]) -> [f64; 2] {
        // The map's longer side has a length of two half tiles.
        let [east, south] = from_corner.map(|half_tiles| half_tiles * 0.5);
        [0, 1].map(|axis| self.origin[axis] + self.east[axis] * east + self.south[axis] * south)
    }

    /// Format the coordinates of [`Georeference::point`] with the code of their system, such as "30.25000° S,
    /// 70.75000° W (EPSG:4326)".
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

/// Parse the EPSG code in `EPSG:N`; `None` if the text is empty.
///
/// # Errors
/// The text is not such a code; the message states the allowed form.
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

/// Make a GeoKeyDirectory of version 1.1.0.
fn directory(keys: &[[u16; 4]]) -> Vec<u16> {
    let head = [1, 1, 0, keys.len() as u16];
    head.into_iter().chain(keys.concat()).collect()
}

/// Parse the two coordinates in `X,Y`; `None` if the text is empty.
///
/// # Errors
/// The text is not two coordinates; the message states the allowed form.
pub fn parse_origin(text: &str) -> Result<Option<[f64; 2]>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let number = |text: &str| text.trim().parse().ok().filter(|n: &f64| n.is_finite());
    text.split_once(',')
        .and_then(|(x, y)| Some(Some([number(x)?, number(y)?])))
        .ok_or_else(|| "X,Y, the coordinates of the north-western sample, or empty".to_owned())
}
