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

/// The code of EPSG of the whole system, which comes last in its text.
pub fn epsg(text: &str) -> Option<u16> {
    let text: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    let inner = text.strip_suffix("]]")?;
    let (_, last) = inner.rsplit_once('[')?;
    let code = last.strip_prefix("\"EPSG\",")?;
    code.trim_matches('"').parse().ok()
}
