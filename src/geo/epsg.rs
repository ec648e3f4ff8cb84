//! What the coordinates of a system are, by the system's code in the EPSG dataset.

use std::sync::LazyLock;

use super::{FOOT, SURVEY_FOOT};

/// The foot of the British survey of 1936, in metres.
const BRITISH_FOOT: f64 = 0.304_800_749_1;

/// The unit of coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Unit {
    /// Degrees of longitude and latitude.
    Degrees,
    /// A length of this many metres.
    Metres(f64),
}

/// World maps whose metres are longer than those of the ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stretch {
    /// Mercator's projection: by the cosine of the latitude, both ways.
    Mercator,
    /// Equidistant cylindrical projections: by the cosine of the latitude, eastwards.
    Cylindrical,
}

/// What is known about a system.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Unit(Unit),
    Stretched(Stretch),
    /// Coordinates that are not two on the ground; the text says what they are.
    Other(&'static str),
}

/// Ranges of codes and the kind of system each stands for.
type Ranges = Vec<(u16, u16, Kind)>;

static SYSTEMS: LazyLock<Ranges> = LazyLock::new(|| {
    let text = include_str!("../../assets/epsg.txt");
    let words = text.lines().filter(|line| !line.starts_with('#'));
    let mut kind = Kind::Unit(Unit::Metres(1.0));
    let mut ranges = Vec::new();
    for word in words.flat_map(str::split_whitespace) {
        match word {
            "degrees" => kind = Kind::Unit(Unit::Degrees),
            "ft" => kind = Kind::Unit(Unit::Metres(FOOT)),
            "us-ft" => kind = Kind::Unit(Unit::Metres(SURVEY_FOOT)),
            "compound" | "vertical" | "geocentric" => kind = Kind::Other(word),
            "mercator" => kind = Kind::Stretched(Stretch::Mercator),
            "cylindrical" => kind = Kind::Stretched(Stretch::Cylindrical),
            codes => {
                let (first, last) = codes.split_once('-').unwrap_or((codes, codes));
                let code = |text: &str| text.parse().expect("a code");
                ranges.push((code(first), code(last), kind));
            }
        }
    }
    ranges
});

fn kind_of(code: u16) -> Option<Kind> {
    let found = |(first, last, _): &&(u16, u16, Kind)| (*first..=*last).contains(&code);
    SYSTEMS.iter().find(found).map(|(_, _, kind)| *kind)
}

/// The unit of a system's coordinates; metres if the list knows nothing else.
#[must_use]
pub fn unit_of(code: u16) -> Unit {
    match kind_of(code) {
        Some(Kind::Unit(unit)) => unit,
        _ => Unit::Metres(1.0),
    }
}

/// The word for a system whose coordinates are not two on the ground: `compound`, `vertical` or
/// `geocentric`. `None` for other systems.
#[must_use]
pub fn no_map(code: u16) -> Option<&'static str> {
    match kind_of(code) {
        Some(Kind::Other(what)) => Some(what),
        _ => None,
    }
}

/// How a system's metres are longer than those of the ground; `None` if they are not.
#[must_use]
pub fn stretch_of(code: u16) -> Option<Stretch> {
    match kind_of(code) {
        Some(Kind::Stretched(stretch)) => Some(stretch),
        _ => None,
    }
}

/// The unit of a vertical system in metres; `None` if it is not known.
#[must_use]
pub fn vertical_unit_of(code: u16) -> Option<f64> {
    match code {
        5614 | 6130..=6132 | 8050 | 8051 | 8228 | 8897 => Some(FOOT),
        5702 | 6358..=6360 | 8052 | 8053 => Some(SURVEY_FOOT),
        5754 => Some(BRITISH_FOOT),
        // These codes mean user-defined, or undefined.
        0 | 32_767.. => None,
        _ => Some(1.0),
    }
}

/// A unit of length in metres.
pub(super) fn length(code: u16) -> Option<f64> {
    match code {
        9001 => Some(1.0),
        9002 => Some(FOOT),
        9003 => Some(SURVEY_FOOT),
        9036 => Some(1000.0),
        _ => None,
    }
}

/// The code of a unit of length; if it has none, the code for a user-defined unit.
pub(super) fn code_of_length(metres: f64) -> u16 {
    let is_it = |code: &u16| length(*code).is_some_and(|known| (known / metres - 1.0).abs() < 1e-9);
    (9001..=9036).find(is_it).unwrap_or(super::OWN)
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
        for (code, what) in [
            (7423, Some("compound")),
            (9518, Some("compound")),
            (5703, Some("vertical")),
            (4978, Some("geocentric")),
            (4326, None),
            (4979, None),
            (25_832, None),
            (3857, None),
        ] {
            assert_eq!(no_map(code), what, "{code}");
        }
        assert_eq!(stretch_of(3857), Some(Stretch::Mercator));
        assert_eq!(stretch_of(4087), Some(Stretch::Cylindrical));
        assert_eq!(stretch_of(25_832), None);
        assert_eq!(vertical_unit_of(6360), Some(SURVEY_FOOT));
        assert_eq!(vertical_unit_of(5703), Some(1.0));
    }
}
