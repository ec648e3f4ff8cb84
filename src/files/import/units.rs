//! Units of length, by their names in GDAL, UDUNITS and ESRI software.

use crate::terrain::geo::{FOOT, SURVEY_FOOT};

/// Names of units, with their length in metres.
const UNITS: &[(&[&str], f64)] = &[
    (&["m", "metre", "meter"], 1.0),
    (&["mm", "millimetre", "millimeter"], 1e-3),
    (&["cm", "centimetre", "centimeter"], 1e-2),
    (&["dm", "decimetre", "decimeter"], 1e-1),
    (&["km", "kilometre", "kilometer"], 1e3),
    (
        &[
            "ft",
            "foot",
            "feet",
            "international foot",
            "international feet",
        ],
        FOOT,
    ),
    (
        &[
            "us survey foot",
            "us survey feet",
            "us ft",
            "ftus",
            "foot us",
            "survey foot",
            "ft us",
        ],
        SURVEY_FOOT,
    ),
    (&["in", "inch", "inche"], 0.0254),
    (&["yd", "yard"], 0.9144),
    (&["fathom", "fm", "ftm"], 1.8288),
    (&["mi", "mile"], 1609.344),
    (&["nmi", "nautical mile"], 1852.0),
];

/// The length of a unit in metres; `None` for an unknown name. Case and a plural s are ignored.
pub fn metres_of(name: &str) -> Option<f64> {
    let plain = name.trim().to_lowercase().replace(['_', '-'], " ");
    let found = |name: &str| {
        let mut units = UNITS.iter();
        units
            .find(|(names, _)| names.contains(&name))
            .map(|(_, metres)| *metres)
    };
    found(&plain).or_else(|| found(plain.strip_suffix('s')?))
}
