//! Georeferencing: the coordinate reference system (CRS) of a map as GeoTIFF keys (GeoTIFF 1.1, OGC 2019),
//! and the coordinates of its samples.
//!
//! The georeference of an imported map is kept and written again on export.
//!
//! Only systems that need no projection database are built in: longitude and latitude within a metre of WGS
//! 84, and transverse Mercator zones (UTM, MGA), whose metres differ from ground metres by less than a
//! thousandth. For all other systems, GDAL supplies the units; see [`crate::files::gdal`].

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

// Coordinate units, reference ellipsoids, and the coordinate reference systems that are built in, with their
// well-known text (WKT).

/// GeoTIFF's unit code of the metre.
pub const METRES_UNIT: u16 = 9001;

/// The unit of a coordinate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// An angle of longitude or latitude: degrees per unit.
    Degrees(f64),
    /// A length: metres per unit.
    Metres(f64),
}

/// Reference ellipsoid: the shape of a planetary body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ellipsoid {
    /// The semi-major axis, in metres.
    pub semi_major_m: f64,
    /// The inverse flattening; 0 for a sphere.
    pub inverse_flattening: f64,
}

impl Ellipsoid {
    /// The ellipsoid of the World Geodetic System of 1984.
    pub const WGS_84: Self = Self {
        semi_major_m: 6_378_137.0,
        inverse_flattening: 298.257_223_563,
    };

    /// Lengths of one degree at a latitude in degrees, eastwards and southwards, in metres.
    ///
    /// They follow from the radii of curvature in the prime vertical and in the meridian.
    #[must_use]
    pub fn metres_of_degree(self, latitude: f64) -> [f64; 2] {
        /// The smallest cosine used: at the poles, a degree of longitude has no length.
        const NARROWEST: f64 = 0.002;
        let flattening = match self.inverse_flattening {
            0.0 => 0.0,
            inverse => 1.0 / inverse,
        };
        let eccentricity2 = flattening * (2.0 - flattening);
        let latitude = latitude.clamp(-90.0, 90.0).to_radians();
        let w2 = 1.0 - eccentricity2 * latitude.sin().powi(2);
        let vertical = self.semi_major_m / w2.sqrt();
        let meridian = self.semi_major_m * (1.0 - eccentricity2) / (w2 * w2.sqrt());
        let degree = 1_f64.to_radians();
        [
            vertical * latitude.cos().max(NARROWEST) * degree,
            meridian * degree,
        ]
    }
}

/// Built-in geographic systems, all within a metre of WGS 84: EPSG code, ESRI's name, EPSG's name, and true
/// for the WGS 84 ellipsoid, false for GRS 1980.
const GEOGRAPHIC: [(u16, &str, &str, bool); 5] = [
    (4326, "WGS_1984", "WGS 84", true),
    (4269, "North_American_1983", "NAD83", false),
    (4258, "ETRS_1989", "ETRS89", false),
    (4283, "GDA_1994", "GDA94", false),
    (7844, "GDA2020", "GDA2020", false),
];

/// Built-in transverse Mercator zones: EPSG code minus zone number, zone numbers, geographic system, true if
/// northern, and the name without the zone number.
const ZONES: [(u16, std::ops::RangeInclusive<u16>, u16, bool, &str); 6] = [
    (32_600, 1..=60, 4326, true, "WGS_1984_UTM_Zone_"),
    (32_700, 1..=60, 4326, false, "WGS_1984_UTM_Zone_"),
    (25_800, 28..=38, 4258, true, "ETRS_1989_UTM_Zone_"),
    (26_900, 1..=23, 4269, true, "NAD_1983_UTM_Zone_"),
    (28_300, 48..=58, 4283, false, "GDA_1994_MGA_Zone_"),
    (7_800, 46..=59, 7844, false, "GDA2020_MGA_Zone_"),
];

/// The coordinate unit of a built-in system; `None` for any other code, which needs GDAL.
#[must_use]
pub fn known_unit(code: u16) -> Option<Unit> {
    if GEOGRAPHIC.iter().any(|(known, ..)| *known == code) {
        return Some(Unit::Degrees(1.0));
    }
    zone(code).map(|_| Unit::Metres(1.0))
}

/// The index in [`ZONES`] and the zone number of an EPSG code.
fn zone(code: u16) -> Option<(usize, u16)> {
    let number = |(index, (first, numbers, ..)): (
        usize,
        &(u16, std::ops::RangeInclusive<u16>, u16, bool, &str),
    )| {
        let number = code.checked_sub(*first)?;
        numbers.contains(&number).then_some((index, number))
    };
    ZONES.iter().enumerate().find_map(number)
}

/// The well-known text of a built-in system, in the ESRI dialect that `.prj` files use.
#[must_use]
pub fn well_known_text(code: u16) -> Option<String> {
    let geographic = |code: u16| {
        let (_, name, _, is_wgs) = GEOGRAPHIC.iter().find(|(known, ..)| *known == code)?;
        let spheroid = if *is_wgs {
            "\"WGS_1984\",6378137.0,298.257223563"
        } else {
            "\"GRS_1980\",6378137.0,298.257222101"
        };
        Some(format!(
            "GEOGCS[\"GCS_{name}\",DATUM[\"D_{name}\",SPHEROID[{spheroid}]],PRIMEM[\"Greenwich\",0.0],UNIT[\"Degree\",0.0174532925199433]]"
        ))
    };
    let Some((index, number)) = zone(code) else {
        return geographic(code);
    };
    let (_, _, base, is_north, name) = &ZONES[index];
    // Names of the Australian zones (MGA) do not contain the hemisphere.
    let hemisphere = match (name.contains("UTM"), is_north) {
        (false, _) => "",
        (true, true) => "N",
        (true, false) => "S",
    };
    let meridian = f64::from(number) * 6.0 - 183.0;
    let northing = if *is_north { 0.0 } else { 10_000_000.0 };
    Some(format!(
        "PROJCS[\"{name}{number}{hemisphere}\",{},PROJECTION[\"Transverse_Mercator\"],PARAMETER[\"False_Easting\",500000.0],\
         PARAMETER[\"False_Northing\",{northing:.1}],PARAMETER[\"Central_Meridian\",{meridian:.1}],PARAMETER[\"Scale_Factor\",0.9996],\
         PARAMETER[\"Latitude_Of_Origin\",0.0],UNIT[\"Meter\",1.0]]",
        geographic(*base)?
    ))
}

/// EPSG's name of a built-in system, such as `WGS 84 / UTM zone 32N`.
fn epsg_name(code: u16) -> Option<String> {
    let geographic = |code: u16| {
        let (_, _, name, _) = GEOGRAPHIC.iter().find(|(known, ..)| *known == code)?;
        Some((*name).to_owned())
    };
    let Some((index, number)) = zone(code) else {
        return geographic(code);
    };
    let (_, _, base, is_north, name) = &ZONES[index];
    let base = geographic(*base)?;
    Some(match (name.contains("UTM"), is_north) {
        (true, true) => format!("{base} / UTM zone {number}N"),
        (true, false) => format!("{base} / UTM zone {number}S"),
        (false, _) => format!("{base} / MGA zone {number}"),
    })
}

/// Find the built-in system that the text of a `.prj` file describes.
///
/// The text must state the EPSG code, or name the system as ESRI or EPSG does. Its unit and its projection
/// parameters must match those of the system.
#[must_use]
pub fn code_of_text(text: &str) -> Option<u16> {
    let plain: String = text.split_whitespace().collect();
    let name = text.split('"').nth(1)?.trim();
    let stated = || {
        let (_, last) = plain.strip_suffix("]]")?.rsplit_once('[')?;
        let code = last.strip_prefix("\"EPSG\",")?;
        code.trim_matches('"').parse::<u16>().ok()
    };
    // ESRI's names have underscores, EPSG's have none.
    let is_named = |code: &u16| {
        let known = well_known_text(*code).unwrap_or_default();
        known.split('"').nth(1) == Some(name) || epsg_name(*code).as_deref() == Some(name)
    };
    let mut zones = ZONES
        .iter()
        .flat_map(|(first, numbers, ..)| numbers.clone().map(move |n| first + n));
    let named = || {
        let mut codes = GEOGRAPHIC.iter().map(|(code, ..)| *code);
        codes.find(is_named).or_else(|| zones.find(is_named))
    };
    let code = stated()
        .or_else(named)
        .filter(|code| known_unit(*code).is_some())?;
    // The last unit belongs to the coordinates, unless a vertical system follows.
    let (_, unit) = plain.rsplit_once("UNIT[")?;
    let unit: f64 = unit.split(',').nth(1)?.trim_end_matches(']').parse().ok()?;
    let wanted = match known_unit(code)? {
        Unit::Degrees(_) => 1_f64.to_radians(),
        Unit::Metres(metres) => metres,
    };
    let capitals = plain.to_ascii_uppercase();
    // A name alone is not reliable, so the projection parameters are compared as well.
    let parameter = |text: &str, name: &str| {
        let (_, rest) = text.split_once(&format!("\"{name}\","))?;
        rest.split([']', ',']).next()?.parse::<f64>().ok()
    };
    let known = well_known_text(code)
        .unwrap_or_default()
        .to_ascii_uppercase();
    let is_other = |name: &&str| {
        let both = parameter(&capitals, name).zip(parameter(&known, name));
        both.is_some_and(|(said, known)| said != known)
    };
    let names = [
        "CENTRAL_MERIDIAN",
        "SCALE_FACTOR",
        "FALSE_EASTING",
        "FALSE_NORTHING",
    ];
    if names.iter().any(is_other) || capitals.contains("VERT") {
        return None;
    }
    ((unit / wanted - 1.0).abs() < 1e-6).then_some(code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_are_as_long_as_textbooks_say() {
        let [east, south] = Ellipsoid::WGS_84.metres_of_degree(45.0);
        assert!((east - 78_846.8).abs() < 0.1, "{east}");
        assert!((south - 111_131.8).abs() < 0.1, "{south}");
        let moon = Ellipsoid {
            semi_major_m: 1_737_400.0,
            inverse_flattening: 0.0,
        };
        let [east, south] = moon.metres_of_degree(0.0);
        assert_eq!(east, south);
    }

    #[test]
    fn texts_lead_back_to_their_codes() {
        for code in [
            4326, 4269, 4258, 4283, 7844, 32_632, 32_718, 25_833, 26_911, 28_355, 7_855,
        ] {
            let text = well_known_text(code).expect("a text");
            assert_eq!(code_of_text(&text), Some(code), "{text}");
        }
        for code in [3857, 2056, 25_899, 4979] {
            assert_eq!(known_unit(code), None, "{code}");
        }
    }
}
