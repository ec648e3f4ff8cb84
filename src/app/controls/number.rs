//! Numbers: boxes for them, parsing of typed ones with remarks where a number is not used as typed,
//! and formatting of numbers, lengths, areas and durations for display.

use std::ops::RangeInclusive;
use std::time::Duration;

use egui::emath::Numeric;
use egui::{Align, Context, DragValue, Id, Layout, Response, Sense, Ui, UiBuilder, Vec2};

use crate::util::language::{mark, tr, translated};
use crate::util::numbers::{area_words, fixed, length_words};

/// Create a box for a number within `allowed`. A typed value counts once it is complete; text that
/// is not a number leaves the old value. [`take_verdict`] returns the remark on it.
pub fn number_box<'a, N: Numeric>(
    ui: &Ui,
    value: &'a mut N,
    allowed: RangeInclusive<N>,
) -> DragValue<'a> {
    let parser = reader(ui, allowed.clone());
    DragValue::new(value)
        .range(allowed)
        .update_while_editing(false)
        .custom_parser(parser)
}

/// Create a [`number_box`] for a whole number stored as a float.
pub fn whole_number_box<'a>(
    ui: &Ui,
    value: &'a mut f64,
    allowed: RangeInclusive<f64>,
) -> DragValue<'a> {
    let whole = *allowed.start() as i64..=*allowed.end() as i64;
    number_box(ui, value, allowed).custom_parser(reader(ui, whole))
}

/// Add a number box of a fixed size to a row. While a longer number is typed the box grows to the
/// left over its neighbours, and the panel keeps its width.
pub fn add_sized(ui: &mut Ui, size: Vec2, number: DragValue<'_>) -> Response {
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    let layout = Layout::right_to_left(Align::Center);
    let mut over = ui.new_child(UiBuilder::new().max_rect(rect).layout(layout));
    over.spacing_mut().interact_size = size;
    over.add(number)
}

/// Create a parser for numbers within `allowed`, for the box of a slider. The slider must not
/// update its value while it is edited.
pub fn reader<N: Numeric>(
    ui: &Ui,
    allowed: RangeInclusive<N>,
) -> impl Fn(&str) -> Option<f64> + use<N> {
    let ctx = ui.ctx().clone();
    let (low, high) = (allowed.start().to_f64(), allowed.end().to_f64());
    move |text| {
        let read = read(text);
        let verdict = match read {
            None => Verdict::Remark(refusal(text)),
            Some(value) if value < low => {
                Verdict::Remark(tr!("{value} is below {low}, the least here", value, low))
            }
            Some(value) if value > high => {
                Verdict::Remark(tr!("{value} is above {high}, the most here", value, high))
            }
            Some(value) if N::INTEGRAL && value.fract() != 0.0 => Verdict::Remark(tr!(
                "{value} is not a whole number: {whole} is used",
                value,
                whole = value.round()
            )),
            Some(_) => Verdict::AsTyped,
        };
        report_verdict(&ctx, verdict);
        read
    }
}

/// Parse a number, or a calculation such as `0.3*3` or `(1 + 2)/4`. A comma is a decimal point, and
/// spaces between digits are ignored. A number with both points and commas, or with several of them,
/// is ambiguous and gives `None`.
#[must_use]
pub fn read(text: &str) -> Option<f64> {
    let value = read_number(text).or_else(|| calculate(text))?;
    value.is_finite().then_some(value)
}

/// Longest calculation in bytes, so that brackets within brackets cannot exhaust the stack.
const LONGEST: usize = 200;

/// Value of a calculation with `+ - * / ^` and brackets.
fn calculate(text: &str) -> Option<f64> {
    if text.len() > LONGEST {
        return None;
    }
    let text = text
        .replace(['\u{2212}', '–'], "-")
        .replace(['×', '·'], "*");
    let (value, rest) = sum(text.trim())?;
    rest.is_empty().then_some(value)
}

/// Value of a sum at the start of a text, and the rest.
fn sum(text: &str) -> Option<(f64, &str)> {
    let (mut value, mut rest) = product(text)?;
    while let Some(sign) = rest.chars().next().filter(|sign| "+-".contains(*sign)) {
        // Two signs next to each other are more often a slip than meant.
        let operand = rest[1..].trim_start();
        if operand.starts_with('-') {
            return None;
        }
        let (next, after) = product(operand)?;
        value = if sign == '+' {
            value + next
        } else {
            value - next
        };
        rest = after;
    }
    Some((value, rest))
}

fn product(text: &str) -> Option<(f64, &str)> {
    let (mut value, mut rest) = power(text)?;
    while let Some(sign) = rest.chars().next().filter(|sign| "*/".contains(*sign)) {
        let (next, after) = power(rest[1..].trim_start())?;
        value = if sign == '*' {
            value * next
        } else {
            value / next
        };
        rest = after;
    }
    Some((value, rest))
}

fn power(text: &str) -> Option<(f64, &str)> {
    if let Some(rest) = text
        .strip_prefix('-')
        .filter(|rest| !rest.starts_with(['-', ' ']))
    {
        let (value, rest) = power(rest)?;
        return Some((-value, rest));
    }
    let (base, rest) = match text.strip_prefix('(') {
        Some(inner) => {
            let (value, rest) = sum(inner.trim_start())?;
            (value, rest.strip_prefix(')')?.trim_start())
        }
        None => {
            let is_number = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,".contains(c);
            let end = text.find(|c| !is_number(c)).unwrap_or(text.len());
            (read_number(&text[..end])?, &text[end..])
        }
    };
    match rest.strip_prefix('^') {
        Some(exponent) => {
            let (exponent, rest) = power(exponent.trim_start())?;
            Some((base.powf(exponent), rest))
        }
        None => Some((base, rest)),
    }
}

fn read_number(text: &str) -> Option<f64> {
    let plain = without_spaces(text)?.replace('\u{2212}', "-");
    if plain.matches([',', '.']).count() > 1 {
        return None;
    }
    let number: f64 = plain.replace(',', ".").parse().ok()?;
    number.is_finite().then_some(number)
}

/// Parse a seed: a whole number that may have spaces between its digits.
#[must_use]
pub fn read_seed(text: &str) -> Option<u64> {
    without_spaces(text)?.parse().ok()
}

/// Remove spaces of any kind around the text and between digits; `None` if there are other spaces.
fn without_spaces(text: &str) -> Option<String> {
    let words: Vec<_> = text.split_whitespace().collect();
    let ends_in_digit = |word: &str| word.ends_with(|c: char| c.is_ascii_digit());
    let starts_with_digit = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let between_digits = |pair: &[&str]| ends_in_digit(pair[0]) && starts_with_digit(pair[1]);
    words.windows(2).all(between_digits).then(|| words.concat())
}

/// Message for a text that is not a number.
fn refusal(text: &str) -> String {
    tr!("`{}` is not a number: the old value stays", text.trim())
}

/// Message for a text that is not a seed.
pub fn seed_refusal(text: &str) -> String {
    match read(text) {
        Some(_) => tr!(
            "`{}` is not a seed, which is a whole number from 0 to {}: the old seed stays",
            text.trim(),
            u64::MAX
        ),
        None => refusal(text),
    }
}

/// Result of reading a typed number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Verdict {
    /// The number is used as typed.
    #[default]
    AsTyped,
    /// The number is changed or refused, for this reason.
    Remark(String),
}

/// Store the result of reading a typed number for [`take_verdict`].
pub fn report_verdict(ctx: &Context, verdict: Verdict) {
    ctx.data_mut(|data| data.insert_temp(verdict_id(), verdict));
}

/// Judge a number that has just been typed and was within its range, and is not used as typed for other
/// reasons. Nothing is said of numbers that are dragged.
pub fn judge_typed(ctx: &Context, judge: impl FnOnce() -> Verdict) {
    if ctx.data(|data| data.get_temp(verdict_id())) == Some(Verdict::AsTyped) {
        report_verdict(ctx, judge());
    }
}

/// Take the result for the number typed since the last call; `None` if none was typed.
#[must_use]
pub fn take_verdict(ctx: &Context) -> Option<Verdict> {
    ctx.data_mut(|data| data.remove_temp(verdict_id()))
}

fn verdict_id() -> Id {
    Id::new("verdict on a number")
}

/// Format a number with as many decimals as it needs, at least `fewest`. A number that needs more
/// than `most` + 2 decimals was computed, not typed, and is rounded to `most`.
#[must_use]
pub fn short(value: f64, fewest: usize, most: usize) -> String {
    let is_exact = |text: &String| {
        let shown = text.parse();
        shown.is_ok_and(|shown: f64| (shown - value).abs() < 1e-9)
    };
    let mut texts = (fewest..=most + 2).map(|decimals| fixed(value, decimals));
    let exact = texts.find(is_exact);
    exact.unwrap_or_else(|| fixed(value, most))
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
    const _: [&str; 4] = [mark("mm"), mark("cm"), mark("m"), mark("km")];
    const _: [&str; 2] = [mark("m²"), mark("km²")];
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
    fn commas_are_decimal_points_and_spaces_are_spaces() {
        let numbers = [
            ("2,25", 2.25),
            ("0,5", 0.5),
            (",5", 0.5),
            ("-,5", -0.5),
            ("\u{2212}3", -3.0),
            (" 7 ", 7.0),
            ("12 345", 12_345.0),
            ("12\u{a0}345,5", 12_345.5),
            ("1\u{2009}234\u{202f}567", 1_234_567.0),
            ("1.5e3", 1500.0),
            ("1,234", 1.234),
        ];
        for (text, number) in numbers {
            assert_eq!(read(text), Some(number), "{text:?}");
        }
        let none = [
            "",
            " ",
            "x",
            "0x10",
            "1.234,5",
            "1,234.5",
            "1,2,3",
            "1.2.3",
            "1 ,5",
            "- 5",
            "inf",
            "nan",
            "1e999",
            "5 m",
            "1--2",
            "1+",
            "(1",
            "1)",
            "2**3",
            "1/0",
            "2 3 * 4,5,6",
        ];
        for text in none {
            assert_eq!(read(text), None, "{text:?}");
        }
    }

    #[test]
    fn calculations_are_done() {
        let sums = [
            ("0.3*3", 0.3 * 3.0),
            ("1-2", -1.0),
            ("1 - 2 - 3", -4.0),
            ("2+3*4", 14.0),
            ("(2 + 3) * 4", 20.0),
            ("-2^2", -4.0),
            ("2^3^2", 512.0),
            ("2^-1", 0.5),
            ("8/2/2", 2.0),
            ("1 000 / 4", 250.0),
            ("0,5 × 3", 1.5),
            ("-(1+1)", -2.0),
        ];
        for (text, number) in sums {
            assert_eq!(read(text), Some(number), "{text:?}");
        }
    }

    #[test]
    fn seeds_are_whole() {
        assert_eq!(read_seed(" 12 345\n"), Some(12_345));
        assert_eq!(read_seed("18446744073709551615"), Some(u64::MAX));
        let above = "18446744073709551616";
        for text in ["", "0x10", "1,5", "1.5", "-1", above, "1e3"] {
            assert_eq!(read_seed(text), None, "{text:?}");
        }
    }

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
