//! `.prj`: the coordinate reference system of a file beside it, as well-known text (ISO 19162, or
//! what ESRI's programs write).

use crate::geo::Unit;

/// The unit of its coordinates.
pub fn unit(text: &str) -> Option<Unit> {
    let text = text.to_ascii_uppercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if has(&["PROJCS[", "PROJCRS[", "PROJECTEDCRS["]) {
        // The last unit is that of the whole system, unless one of heights follows.
        let horizontal = text.split("VERT").next().unwrap_or(&text);
        let (_, last) = horizontal.rsplit_once("UNIT[")?;
        let (_, number) = last.split_once(',')?;
        let end = number.find([',', ']']).unwrap_or(number.len());
        let metres: f64 = number[..end].trim().parse().ok()?;
        return (metres > 0.0 && metres.is_finite()).then_some(Unit::Metres(metres));
    }
    let degrees = [
        "GEOGCS[",
        "GEOGCRS[",
        "GEOGRAPHICCRS[",
        "GEODCRS[",
        "GEOGRAPHIC",
    ];
    if has(&degrees) {
        return Some(Unit::Degrees);
    }
    None
}

/// The code of EPSG of a system: stated at the end of its text or, of the most usual ones, by its
/// name.
pub fn epsg(text: &str) -> Option<u16> {
    stated(text).or_else(|| named(text))
}

/// As in `PROJCS["…",…,AUTHORITY["EPSG","32632"]]`.
fn stated(text: &str) -> Option<u16> {
    let is_letter = |letter: &char| !letter.is_whitespace();
    let text: String = text.chars().filter(is_letter).collect();
    let (_, last) = text.strip_suffix("]]")?.rsplit_once('[')?;
    let code = last.strip_prefix("\"EPSG\",")?;
    code.trim_matches('"').parse().ok()
}

/// As in `PROJCS["WGS_1984_UTM_Zone_32N",…]`.
fn named(text: &str) -> Option<u16> {
    let (_, name) = text.split_once('"')?;
    let (name, _) = name.split_once('"')?;
    let words: Vec<_> = name
        .split(['_', ' ', '/'])
        .map(str::to_ascii_uppercase)
        .collect();
    let words: Vec<_> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !word.is_empty())
        .collect();
    let (datum, zone) = match words[..] {
        ["GCS", "WGS", "1984"] | ["WGS", "84"] => return Some(4326),
        ["GCS", "ETRS", "1989"] | ["ETRS89"] => return Some(4258),
        ["GCS", "NORTH", "AMERICAN", "1983"] | ["NAD83"] => return Some(4269),
        [ref datum @ .., "UTM", "ZONE", zone] => (datum, zone),
        _ => return None,
    };
    let (number, is_north) = match zone.strip_suffix('N') {
        Some(number) => (number, true),
        None => (zone.strip_suffix('S')?, false),
    };
    let number: u16 = number.parse().ok()?;
    let (first, zones) = match (datum, is_north) {
        (["WGS", "1984" | "84"], true) => (32_600, 1..=60),
        (["WGS", "1984" | "84"], false) => (32_700, 1..=60),
        (["ETRS", "1989"] | ["ETRS89"], true) => (25_800, 28..=38),
        (["NAD", "1983"] | ["NAD83"], true) => (26_900, 1..=23),
        _ => return None,
    };
    zones.contains(&number).then_some(first + number)
}
