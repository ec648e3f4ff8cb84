//! Round lengths for scale bars.

use std::fmt;

/// Units of [`RoundLength`], each with its power of ten in metres.
const UNITS: [(i32, &str); 5] = [(3, "km"), (0, "m"), (-2, "cm"), (-3, "mm"), (-6, "µm")];

/// Length of 1, 2 or 5 times a power of ten metres.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RoundLength {
    digit: u32,
    power: i32,
}

impl RoundLength {
    /// Longest round length of at most so many metres; `None` if that is not a positive length.
    #[must_use]
    pub fn within(metres: f64) -> Option<Self> {
        if !metres.is_normal() || metres < 0.0 {
            return None;
        }
        let power = metres.log10().floor() as i32;
        let lengths = [(1, power + 1), (5, power), (2, power), (1, power)];
        let mut lengths = lengths
            .map(|(digit, power)| Self { digit, power })
            .into_iter();
        // If the logarithm was rounded up, even the last candidate may be slightly too long.
        let fits = lengths.find(|length| length.metres() <= metres);
        Some(fits.unwrap_or(Self {
            digit: 5,
            power: power - 1,
        }))
    }

    /// Length in metres.
    #[must_use]
    pub fn metres(self) -> f64 {
        // Dividing by a power of ten is exact, multiplying by its inverse is not.
        match self.power {
            power if power < 0 => f64::from(self.digit) / 10f64.powi(-power),
            power => f64::from(self.digit) * 10f64.powi(power),
        }
    }
}

impl fmt::Display for RoundLength {
    /// Format in km, m, cm, mm or µm, such as `20 cm`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let largest = UNITS.iter().find(|(power, _)| *power <= self.power);
        let (unit, name) = largest.unwrap_or(&UNITS[UNITS.len() - 1]);
        let zeros = |count: i32| "0".repeat(count.max(0) as usize);
        match self.power - unit {
            shift if shift < 0 => write!(f, "0.{}{} {name}", zeros(-shift - 1), self.digit),
            shift => write!(f, "{}{} {name}", self.digit, zeros(shift)),
        }
    }
}
