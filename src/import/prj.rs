//! `.prj`: the coordinate reference system of a file beside it, as well-known text (ISO 19162, or
//! what ESRI's programs write).

use crate::geo::{FOOT, Keys, Unit, unit_of};

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

/// Metres of the unit of heights, where it says what heights are.
pub fn height_unit(text: &str) -> Option<f64> {
    let text = text.to_ascii_uppercase();
    if let Some(system) = part(&text, &["VERT_CS[", "VERTCS[", "VERTCRS[", "VERTICALCRS["]) {
        let (_, last) = system.rsplit_once("UNIT[")?;
        let (_, number) = last.split_once(',')?;
        let end = number.find([',', ']']).unwrap_or(number.len());
        let metres: f64 = number[..end].trim().parse().ok()?;
        return (metres > 0.0 && metres.is_finite()).then_some(metres);
    }
    // As older programs of ESRI's write it.
    let mut lines = text.lines().map(str::split_whitespace);
    let mut unit = lines.find_map(|mut words| (words.next() == Some("ZUNITS")).then_some(words))?;
    match unit.next()? {
        "FEET" => Some(FOOT),
        "METERS" | "METRES" => Some(1.0),
        _ => None,
    }
}

/// The system of the coordinates: by its code of EPSG, else as its text says it.
pub fn keys(text: &str) -> Option<Keys> {
    let projected = ["PROJCS[", "PROJCRS[", "PROJECTEDCRS["];
    let geographic = ["GEOGCS[", "GEOGCRS[", "GEOGRAPHICCRS[", "GEODCRS["];
    let system = part(text, &projected).or_else(|| part(text, &geographic))?;
    let unit = unit(system)?;
    let is_same = |code: &u16| match (unit_of(*code), unit) {
        (Unit::Metres(of_code), Unit::Metres(said)) => (of_code / said - 1.0).abs() < 1e-6,
        (of_code, said) => of_code == said,
    };
    let code = epsg(system).filter(is_same);
    Some(match code {
        Some(code) => Keys::of_epsg(code),
        None => Keys::of_text(system, unit),
    })
}

/// The part of a text that begins with one of the words, each of which ends with the bracket that
/// the part ends with.
fn part<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let capitals = text.to_ascii_uppercase();
    let start = words.iter().filter_map(|word| capitals.find(word)).min()?;
    let (mut depth, mut is_quoted) = (0_u32, false);
    for (at, letter) in text[start..].char_indices() {
        match letter {
            '"' => is_quoted = !is_quoted,
            '[' if !is_quoted => depth += 1,
            ']' if !is_quoted && depth == 1 => return Some(&text[start..=start + at]),
            ']' if !is_quoted => depth = depth.saturating_sub(1),
            _ => {}
        }
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
