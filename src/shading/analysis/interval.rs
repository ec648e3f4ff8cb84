//! Round intervals for contours and for the ticks of plots.

/// Maximum number of contours between the lowest and the highest point; more would hide the ground.
pub const MOST_CONTOURS: f64 = 400.0;
/// Maximum number of contours for an automatic interval.
const AUTOMATIC: f64 = 15.0;

/// Smallest of 1, 2 and 5 times a power of ten that is not below `least`; 1 if `least` is not above 0.
#[must_use]
pub fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let exponent = least.log10().floor() as i32;
    // Division keeps decimals exact: 1/10 is closer to a tenth than 10 to the power −1 may be.
    let power = |times: f64, exponent: i32| match exponent {
        exponent if exponent < 0 => times / 10f64.powi(-exponent),
        exponent => times * 10f64.powi(exponent),
    };
    let steps = [1.0, 2.0, 5.0].map(|times| power(times, exponent));
    // The tolerance lets a `least` that is itself round pass in spite of rounding errors.
    let found = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    found.unwrap_or_else(|| power(1.0, exponent + 1))
}

/// Next round number after `step`, which must be round itself.
#[must_use]
pub fn next_step(step: f64) -> f64 {
    // Slightly above `step`, so that rounding cannot return `step` itself.
    round_step(step * 1.001)
}

/// Contour interval for heights that span `range`, in the same unit: `asked`, unless that makes more than
/// [`MOST_CONTOURS`]. If `asked` is 0, a round number that makes 6 to 15 contours.
#[must_use]
pub fn spacing(asked: f64, range: f64) -> f64 {
    if asked > 0.0 {
        if range / asked <= MOST_CONTOURS {
            return asked;
        }
        return round_step(range / MOST_CONTOURS);
    }
    round_step(range / AUTOMATIC)
}

/// True for index contours, every fifth, which are drawn heavier and labelled.
#[must_use]
pub fn is_heavy(index: i64) -> bool {
    index % 5 == 0
}
