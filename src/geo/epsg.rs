//! The units of coordinates, by their codes in the EPSG dataset.

use std::sync::LazyLock;

use super::{FOOT, SURVEY_FOOT};

/// The unit of coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Degrees of longitude and latitude.
    Degrees,
    /// So many metres.
    Metres(f64),
}

/// Ranges of codes and their unit.
type Ranges = Vec<(u16, u16, Unit)>;

static SYSTEMS: LazyLock<Ranges> = LazyLock::new(|| {
    let text = include_str!("../../assets/epsg.txt");
    let words = text.lines().filter(|line| !line.starts_with('#'));
    let mut unit = Unit::Metres(1.0);
    let mut ranges = Vec::new();
    for word in words.flat_map(str::split_whitespace) {
        match word {
            "degrees" => unit = Unit::Degrees,
            "ft" => unit = Unit::Metres(FOOT),
            "us-ft" => unit = Unit::Metres(SURVEY_FOOT),
            codes => {
                let (first, last) = codes.split_once('-').unwrap_or((codes, codes));
                let code = |text: &str| text.parse().expect("a code");
                ranges.push((code(first), code(last), unit));
            }
        }
    }
    ranges
});

/// The unit of a system's coordinates; metres where the list knows nothing else.
#[must_use]
pub fn unit_of(code: u16) -> Unit {
    let found = |(first, last, _): &&(u16, u16, Unit)| (*first..=*last).contains(&code);
    let range = SYSTEMS.iter().find(found);
    range.map_or(Unit::Metres(1.0), |(_, _, unit)| *unit)
}

/// Metres of the unit of a vertical system.
#[must_use]
pub fn vertical_unit_of(code: u16) -> Option<f64> {
    match code {
        5614 | 6130..=6132 | 8050 | 8051 | 8228 | 8897 => Some(FOOT),
        5702 | 6358..=6360 | 8052 | 8053 => Some(SURVEY_FOOT),
        // Of one's own, or undefined.
        0 | 32_767.. => None,
        _ => Some(1.0),
    }
}

/// Metres of a unit of length.
pub(super) fn length(code: u16) -> Option<f64> {
    match code {
        9001 => Some(1.0),
        9002 => Some(FOOT),
        9003 => Some(SURVEY_FOOT),
        9036 => Some(1000.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_have_their_units() {
        for (code, unit) in [
            (4326, Unit::Degrees),
            (4258, Unit::Degrees),
            (6318, Unit::Degrees),
            (4087, Unit::Metres(1.0)),
            (25_832, Unit::Metres(1.0)),
            (2222, Unit::Metres(FOOT)),
            (2263, Unit::Metres(SURVEY_FOOT)),
            (32_632, Unit::Metres(1.0)),
        ] {
            assert_eq!(unit_of(code), unit, "{code}");
        }
        assert_eq!(vertical_unit_of(6360), Some(SURVEY_FOOT));
        assert_eq!(vertical_unit_of(5703), Some(1.0));
    }
}
