//! Coordinate units, reference ellipsoids, and the coordinate reference systems that are built in, with their
//! well-known text (WKT).

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
