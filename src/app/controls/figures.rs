//! Formatting of numbers, lengths, areas and durations for display.

use std::time::Duration;

use crate::util::language::{mark, tr, translated};
use crate::util::numbers::{area_words, fixed, length_words};

/// Format a number with as many decimals as it needs, at least `fewest`. A number that needs more
/// than `most` + 2 decimals was computed, not typed, and is rounded to `most`.
#[must_use]
pub fn short(value: f64, fewest: usize, most: usize) -> String {
    (fewest..=most + 2)
        .map(|decimals| fixed(value, decimals))
        .find(|text| {
            text.parse()
                .is_ok_and(|shown: f64| (shown - value).abs() < 1e-9)
        })
        .unwrap_or_else(|| fixed(value, most))
}

/// Format a number for a box of `room` characters. From a million on it is written as a power of
/// ten where that is shorter, with all digits. Other numbers get as many decimals as fit.
#[must_use]
pub fn narrow(value: f64, fewest: usize, most: usize, room: usize) -> String {
    const WIDE: f64 = 1e6;
    let plain = short(value, fewest, most);
    let power = format!("{value:e}");
    if value.abs() >= WIDE && power.len() < plain.len() {
        return power;
    }
    let Some(point) = plain.find('.').filter(|_| plain.len() > room) else {
        return plain;
    };
    fixed(value, room.saturating_sub(point + 1))
}

/// Format a length, in millimetres to kilometres, in the user's language.
#[must_use]
pub fn shown_length(metres: f64) -> String {
    with_unit(&length_words(metres))
}

/// Format an area, in square metres or square kilometres, in the user's language.
#[must_use]
pub fn shown_area(square_metres: f64) -> String {
    with_unit(&area_words(square_metres))
}

/// Translate the unit of a number with a unit.
fn with_unit(words: &str) -> String {
    const _: [&str; 6] = [
        mark("mm"),
        mark("cm"),
        mark("m"),
        mark("km"),
        mark("m²"),
        mark("km²"),
    ];
    match words.rsplit_once(' ') {
        Some((number, unit)) => format!("{number} {}", translated(unit)),
        None => words.to_owned(),
    }
}

/// Format a short duration in milliseconds or seconds, with two or three digits.
#[must_use]
pub fn short_time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ms if ms < 10.0 => tr!("{ms} ms", ms = format_args!("{ms:.1}")),
        ms if ms < 1000.0 => tr!("{ms} ms", ms = format_args!("{ms:.0}")),
        ms => tr!("{} s", format_args!("{:.1}", ms / 1000.0)),
    }
}

/// Format a long duration with one or two units: `40 s`, `5 min`, `2 h 10 min`.
#[must_use]
pub fn rough_time(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => tr!("{} s", seconds.max(1)),
        seconds @ 100..5400 => tr!("{} min", (seconds + 30) / 60),
        seconds => tr!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_fit_narrow_boxes_and_read_back() {
        for (value, text) in [
            (999_999.0, "999999"),
            (1e6, "1e6"),
            (1e15, "1e15"),
            (-1.25e9, "-1.25e9"),
            (1_234_567.0, "1234567"),
            (0.5, "0.5"),
        ] {
            assert_eq!(narrow(value, 0, 1, 8), text);
            assert_eq!(text.parse::<f64>().unwrap(), value);
        }
    }

    #[test]
    fn decimals_that_do_not_fit_are_left_out() {
        for (value, room, text) in [
            (15_420.42, 6, "15420"),
            (1542.042, 6, "1542.0"),
            (-0.1254, 8, "-0.1254"),
            (123_456.0, 4, "123456"),
        ] {
            assert_eq!(narrow(value, 0, 2, room), text);
        }
    }
}
