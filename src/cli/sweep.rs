//! Parameter sweep: several scenes from one command, as all combinations of the values in `--seeds` and
//! `--set`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::error::Failure;
use crate::files::export::filled;
use crate::scene::Scene;

/// The most scenes of one command.
pub const MOST: usize = 100_000;

/// Scene key with its values, one axis of the sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    pub key: String,
    pub values: Vec<String>,
}

impl Axis {
    /// Parse an axis from `key=values`.
    pub fn parse(assignment: &str) -> Result<Self, Failure> {
        let (key, values) = assignment.split_once('=').ok_or_else(|| {
            Failure::usage(format!(
                "--set is `{assignment}`, allowed is key.path=value"
            ))
        })?;
        Ok(Self {
            key: key.trim().to_owned(),
            values: values_of(values.trim())
                .map_err(|error| Failure::usage(format!("--set {}: {error}", key.trim())))?,
        })
    }
}

/// Parse a list of values, or a range of numbers.
///
/// A list has commas outside brackets and quotes. A range is `FROM..TO` or `FROM..TO..STEP`; both ends are
/// included.
pub fn values_of(text: &str) -> Result<Vec<String>, String> {
    let parts = split(text);
    let mut values = Vec::new();
    for part in parts {
        match range(part)? {
            Some(range) => values.extend(range),
            None => values.push(part.to_owned()),
        }
        check_count(values.len())?;
    }
    Ok(values)
}

fn check_count(count: usize) -> Result<(), String> {
    if count <= MOST {
        Ok(())
    } else {
        Err(format!("too many values, allowed is up to {MOST}"))
    }
}

/// Split a text at commas outside brackets and quotes.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut quote) = (0, None);
    let parts = text.split(|letter: char| {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '(' | '{') => depth += 1,
            (None, ']' | ')' | '}') => depth -= 1,
            (None, ',') => return depth == 0,
            _ => {}
        }
        false
    });
    let parts: Vec<_> = parts.map(str::trim).collect();
    // A text with an empty part is not a list.
    if parts.iter().any(|part| part.is_empty()) {
        return vec![text];
    }
    parts
}

/// Expand `FROM..TO` or `FROM..TO..STEP`, with as many decimals as the text has.
fn range(text: &str) -> Result<Option<Vec<String>>, String> {
    let parts: Vec<_> = text.split("..").map(str::trim).collect();
    let (from, to, step) = match parts[..] {
        [from, to] => (from, to, "1"),
        [from, to, step] => (from, to, step),
        _ => return Ok(None),
    };
    let wrong = |_| format!("`{text}` is no range, allowed is FROM..TO or FROM..TO..STEP");
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    if !is_number(from) || !is_number(to) || !is_number(step) {
        return Ok(None);
    }
    if let (Ok(from), Ok(to), Ok(step)) = (from.parse(), to.parse(), step.parse()) {
        return whole_numbers(from, to, step).map(Some).map_err(wrong);
    }
    let decimals = |text: &str| {
        text.split_once('.')
            .map_or(0, |(_, decimals)| decimals.len())
    };
    let most = decimals(from).max(decimals(step));
    let number = |text: &str| text.parse::<f64>().map_err(|_| wrong(()));
    let (from, to, step) = (number(from)?, number(to)?, number(step)?);
    // A last value just beyond the end, due to rounding, still counts.
    let count = ((to - from) / step + 1e-9).floor();
    if step <= 0.0 || count < 0.0 {
        return Err(wrong(()));
    }
    if count >= MOST as f64 {
        check_count(usize::MAX)?;
    }
    let value = |index| format!("{:.most$}", from + f64::from(index) * step);
    Ok(Some((0..=count as u32).map(value).collect()))
}

/// Expand a range of integers. It is separate from decimals, since seeds need all of their 64 bits.
fn whole_numbers(from: i128, to: i128, step: i128) -> Result<Vec<String>, ()> {
    if step < 1 || to < from {
        return Err(());
    }
    // One value above the limit is enough for the list to be refused.
    let numbers = (from..=to).step_by(usize::try_from(step).map_err(|_| ())?);
    Ok(numbers.take(MOST + 1).map(|n| n.to_string()).collect())
}

/// Scene of a sweep.
#[derive(Clone, Debug)]
pub struct Variant {
    /// The number of the scene in the sweep, from 1.
    pub index: usize,
    /// Keys and values that differ from the other scenes.
    pub settings: Vec<(String, String)>,
    /// The number of the picture on a camera path, from 1, and the number of digits in its file name.
    pub frame: Option<(usize, usize)>,
    pub scene: Scene,
}

impl Variant {
    /// Make the variant's file name from a pattern: `{seed}`, `{index}`, `{frame}`, and `{hurst}` or
    /// `{surface.hurst}` for a key are replaced by values.
    pub fn file(&self, pattern: &Path) -> PathBuf {
        let mut name = pattern.to_owned();
        let mut put = |word: &str, value: &str| {
            let value: String = value.trim_matches(['"', '\'']).replace(['/', '\\'], "_");
            name = filled(&name, &[(word, &value)]);
        };
        for (key, value) in &self.settings {
            put(key, value);
            put(last_word(key), value);
        }
        if let Some((number, digits)) = self.frame {
            put("frame", &format!("{number:0digits$}"));
        }
        put("index", &self.index.to_string());
        put("seed", &self.scene.surface.seed.to_string());
        name
    }

    /// A short label with the variant's values: `seed 7, hurst 0.5`.
    pub fn label(&self) -> String {
        let words = self.settings.iter();
        let words = words.map(|(key, value)| format!("{} {value}", last_word(key)));
        words.collect::<Vec<_>>().join(", ")
    }
}

fn last_word(key: &str) -> &str {
    key.rsplit('.').next().unwrap_or(key)
}

/// Make the file names of all variants, which must be unique.
///
/// # Errors
/// Two files would have the same name.
pub fn files(variants: &[Variant], patterns: &[PathBuf]) -> Result<Vec<Vec<PathBuf>>, Failure> {
    let mut names = HashSet::new();
    let mut files = Vec::new();
    for variant in variants {
        let own: Vec<_> = patterns
            .iter()
            .map(|pattern| variant.file(pattern))
            .collect();
        let twice = own.iter().find(|name| !names.insert((*name).clone()));
        if let Some(name) = twice {
            let words = variant.settings.iter().map(|(key, _)| last_word(key));
            let words = words.chain(variant.frame.map(|_| "frame"));
            let words: Vec<_> = words.map(|word| format!("{{{word}}}")).collect();
            return Err(Failure::usage(match variants.len() {
                1 => format!(
                    "two files have one name: {}",
                    crate::util::words::named(name)
                ),
                count => format!(
                    "{count} scenes need names of their own, allowed is a name with {}: {}",
                    words.join(", "),
                    crate::util::words::named(name)
                ),
            }));
        }
        files.push(own);
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<String> {
        values_of(text).expect("values")
    }

    #[test]
    fn lists_and_ranges() {
        assert_eq!(of("0.5"), ["0.5"]);
        assert_eq!(of("1..4"), ["1", "2", "3", "4"]);
        assert_eq!(of("1..9..3"), ["1", "4", "7"]);
        assert_eq!(of("0.1..0.5..0.1"), ["0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(of("0..1..0.25"), ["0.00", "0.25", "0.50", "0.75", "1.00"]);
        assert_eq!(of("1, 5,8..9"), ["1", "5", "8", "9"]);
        assert_eq!(of("18446744073709551614..18446744073709551615").len(), 2);
    }

    #[test]
    fn what_is_one_value_stays_one() {
        for text in [
            "[0,1]",
            "max(x,z)",
            "\"a,b\"",
            "a, ",
            "../x.toml",
            "x..y",
            "",
        ] {
            assert_eq!(of(text), [text], "{text}");
        }
    }

    #[test]
    fn a_range_must_go_up_and_end_soon() {
        for text in ["5..1", "1..5..0", "1..5..-1", "0.5..0.1..0.1", "0..1..-0.1"] {
            let error = values_of(text).expect_err(text);
            assert!(error.contains("allowed is FROM..TO"), "{error}");
        }
        for text in ["0..18446744073709551615", "0..1..0.000000001"] {
            let error = values_of(text).expect_err(text);
            assert!(error.contains("allowed is up to 100000"), "{error}");
        }
    }
}
