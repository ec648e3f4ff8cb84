//! Numbers as they are shown.

use std::time::Duration;

/// A number with as many decimals as it needs, from `fewest` on; one that needs more than two
/// beyond `most` was not typed, and is rounded to `most`.
#[must_use]
pub fn short(value: f64, fewest: usize, most: usize) -> String {
    (fewest..=most + 2)
        .map(|decimals| format!("{value:.decimals$}"))
        .find(|text| {
            text.parse()
                .is_ok_and(|shown: f64| (shown - value).abs() < 1e-9)
        })
        .unwrap_or_else(|| format!("{value:.most$}"))
}

/// A duration in two or three digits.
#[must_use]
pub fn short_time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ms if ms < 10.0 => format!("{ms:.1} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.1} s", ms / 1000.0),
    }
}
