//! Round numbers: how far apart contours and the ticks of plots are.

/// The largest number of contours between the lowest and the highest point: more would only hide
/// the ground.
pub const MOST_CONTOURS: f64 = 400.0;
/// The largest number of contours where the interval is chosen automatically.
const AUTOMATIC: f64 = 15.0;

/// The least number of 1, 2 and 5 times a power of ten that is not below `least`, or 1 if `least`
/// is not above 0.
#[must_use]
pub fn round_step(least: f64) -> f64 {
    if !(least.is_finite() && least > 0.0) {
        return 1.0;
    }
    let exponent = least.log10().floor() as i32;
    // Division keeps decimals exact: 1/10 is nearer to a tenth than ten to the power −1 may be.
    let power = |times: f64, exponent: i32| match exponent {
        exponent if exponent < 0 => times / 10f64.powi(-exponent),
        exponent => times * 10f64.powi(exponent),
    };
    let steps = [1.0, 2.0, 5.0].map(|times| power(times, exponent));
    let found = steps.into_iter().find(|step| *step >= least * (1.0 - 1e-9));
    found.unwrap_or_else(|| power(1.0, exponent + 1))
}

/// The round number after `step`, which is a round number itself.
#[must_use]
pub fn next_step(step: f64) -> f64 {
    round_step(step * 1.001)
}

/// The distance from contour to contour for heights that span `range`, in the same unit: `asked`,
/// unless that makes more than [`MOST_CONTOURS`]. If `asked` is 0, it is a round number that makes
/// 6 to 15 contours.
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

/// Whether the contour at `index` times the interval is one of the heavier, labelled ones: every
/// fifth is.
#[must_use]
pub fn is_heavy(index: i64) -> bool {
    index % 5 == 0
}
