//! Coordinate reference systems read through GDAL and PROJ: coordinate unit, ellipsoid, and ground lengths.

use std::path::Path;
use std::time::Duration;

use super::{Gdal, GdalError};
use crate::terrain::geo::{Ellipsoid, Unit};
use crate::util::job::Job;

/// Coordinate reference system, parsed from its well-known text (WKT2, ISO 19162).
#[derive(Clone, Debug, PartialEq)]
pub struct Crs {
    /// The well-known text.
    pub wkt: String,
    /// The unit of the coordinates.
    pub unit: Unit,
    /// The ellipsoid, if the system has one.
    pub ellipsoid: Option<Ellipsoid>,
    /// Metres per unit of height, if the system has heights.
    pub height_unit_m: Option<f64>,
    /// True if the heights are depths, positive downwards.
    pub is_depth: bool,
    /// The name of the system.
    pub name: String,
}

impl Crs {
    /// Parse a well-known text; `None` if the system does not have two horizontal axes.
    #[must_use]
    pub fn of_wkt(wkt: &str) -> Option<Self> {
        let (horizontal, vertical) = match wkt.find("VERTCRS[") {
            Some(at) => wkt.split_at(at),
            None => (wkt, ""),
        };
        // A bound system contains its own definition first, then its target.
        let horizontal = horizontal.split("TARGETCRS[").next()?;
        let axes = horizontal
            .find("CS[Cartesian,2]")
            .or(horizontal.find("CS[ellipsoidal"))?;
        let axes = &horizontal[axes..];
        let positive = |number: &f64| *number > 0.0 && number.is_finite();
        let factor = |word| numbers_of(axes, word).first().copied().filter(positive);
        let unit = if axes.starts_with("CS[ellipsoidal") {
            Unit::Degrees(rounded(factor("ANGLEUNIT[")?.to_degrees()))
        } else {
            Unit::Metres(factor("LENGTHUNIT[")?)
        };
        // Some ellipsoids are given in feet.
        let body = horizontal
            .split_once("ELLIPSOID[")
            .map_or("", |(_, body)| body);
        let unit_of_body = numbers_of(body, "LENGTHUNIT[")
            .first()
            .copied()
            .unwrap_or(1.0);
        let ellipsoid = match numbers_of(horizontal, "ELLIPSOID[")[..] {
            [axis, inverse_flattening, ..] => Some(Ellipsoid {
                semi_major_m: axis * unit_of_body,
                inverse_flattening,
            }),
            _ => None,
        };
        let height_unit_m = numbers_of(vertical, "LENGTHUNIT[").last().copied();
        Some(Self {
            wkt: wkt.to_owned(),
            unit,
            ellipsoid: ellipsoid.filter(|body| positive(&body.semi_major_m)),
            height_unit_m: height_unit_m.filter(positive),
            is_depth: vertical.contains(",down,"),
            name: wkt.split('"').nth(1).unwrap_or_default().to_owned(),
        })
    }
}

/// Remove the rounding error of a factor in degrees: sixteen digits of radians do not give exactly 1.
fn rounded(factor: f64) -> f64 {
    let whole = (factor * 1e9).round() / 1e9;
    if (factor - whole).abs() < 1e-12 {
        whole
    } else {
        factor
    }
}

/// Parse the numbers after the name in the first element of a kind: `WORD["name",1,2,…`.
fn numbers_of(text: &str, word: &str) -> Vec<f64> {
    let Some((_, rest)) = text.split_once(word) else {
        return Vec::new();
    };
    let after_name = rest.split('"').nth(2).unwrap_or_default();
    let parts = after_name.trim_start_matches(',').split([',', ']', '[']);
    parts.map_while(|part| part.trim().parse().ok()).collect()
}

/// Ground lengths, in metres, of a step east and a step south at a point, both given in units of the system.
///
/// A geographic system needs only the ellipsoid. For a projected system, PROJ computes longitudes and
/// latitudes of four points around the given one, on the system's own ellipsoid.
///
/// # Errors
/// PROJ cannot map the point to the ground.
pub fn lengths_on_ground(
    gdal: &Gdal,
    crs: &Crs,
    [x, y]: [f64; 2],
    [east, south]: [f64; 2],
    job: &Job,
) -> Result<[f64; 2], GdalError> {
    let no_place = || GdalError::Failed {
        words: format!("{} has no place on the ground at {x}, {y}", crs.name),
    };
    let ellipsoid = match (crs.ellipsoid, crs.unit) {
        (Some(ellipsoid), Unit::Metres(_)) => ellipsoid,
        // An engineering system is a plane without an ellipsoid.
        (None, Unit::Metres(unit)) => return Ok([east, south].map(|step| step.abs() * unit)),
        (ellipsoid, Unit::Degrees(unit)) => {
            let degree = ellipsoid.ok_or_else(no_place)?.metres_of_degree(y * unit);
            return Ok([
                east.abs() * unit * degree[0],
                south.abs() * unit * degree[1],
            ]);
        }
    };
    let points = [
        [x - east / 2.0, y],
        [x + east / 2.0, y],
        [x, y - south / 2.0],
        [x, y + south / 2.0],
    ];
    let input: String = points
        .iter()
        .map(|[x, y]| format!("{x:.17e} {y:.17e}\n"))
        .collect();
    let body = match ellipsoid.inverse_flattening {
        0.0 => format!("+R={}", ellipsoid.semi_major_m),
        inverse => format!("+a={} +rf={inverse}", ellipsoid.semi_major_m),
    };
    let target = format!("+proj=longlat {body} +no_defs");
    let arguments = ["-s_srs", &crs.wkt, "-t_srs", &target];
    let output = gdal.run_with_input("gdaltransform", arguments, input, job)?;
    let text = String::from_utf8_lossy(&output.stdout);
    let place = |line: &str| {
        let mut numbers = line.split_whitespace().map(str::parse::<f64>);
        let place = [numbers.next()?.ok()?, numbers.next()?.ok()?];
        place.iter().all(|n| n.is_finite()).then_some(place)
    };
    let places: Vec<[f64; 2]> = text.lines().filter_map(place).collect();
    let [west, east, north, south] = places[..] else {
        return Err(no_place());
    };
    let length = |from: [f64; 2], to: [f64; 2]| {
        let degree = ellipsoid.metres_of_degree((from[1] + to[1]) / 2.0);
        // A step may cross the 180th meridian.
        let across = (to[0] - from[0] + 540.0).rem_euclid(360.0) - 180.0;
        (across * degree[0]).hypot((to[1] - from[1]) * degree[1])
    };
    let lengths = [length(west, east), length(north, south)];
    if lengths
        .iter()
        .all(|length| *length > 0.0 && length.is_finite())
    {
        Ok(lengths)
    } else {
        Err(no_place())
    }
}

/// Write a small GeoTIFF with a given coordinate reference system, so that its tags hold the system as
/// GeoTIFF keys.
///
/// The system can be any code or text that GDAL accepts.
///
/// # Errors
/// GDAL does not support the system, or the file cannot be written.
pub fn keys_file(
    gdal: &Gdal,
    system: &str,
    folder: &Path,
    job: &Job,
) -> Result<std::path::PathBuf, GdalError> {
    let (from, to) = (folder.join("system.asc"), folder.join("system.tif"));
    let grid = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n0 0\n0 0\n";
    std::fs::write(&from, grid).map_err(|error| GdalError::Failed {
        words: error.to_string(),
    })?;
    let arguments = [
        "-q".as_ref(),
        "-of".as_ref(),
        "GTiff".as_ref(),
        "-a_srs".as_ref(),
        system.as_ref(),
        from.as_os_str(),
        to.as_os_str(),
    ];
    gdal.run("gdal_translate", arguments, 0, Duration::from_secs(20), job)?;
    Ok(to)
}
