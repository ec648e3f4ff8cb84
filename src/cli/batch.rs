//! Batch runs: many files from one command, with progress over all of them, a line of JSON per scene, and
//! `--resume`.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};

use super::console::{Failure, check_replaced, unless_foreign, watch};
use crate::files::export::{EngineFolder, Output, filled};
use crate::scene::Scene;
use crate::util::job::Job;

/// Flags of commands that can make many files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many files")]
pub struct BatchArgs {
    /// One scene for each seed: FROM..TO, both included, or a list. In the file name, `{seed}` is
    /// the seed, `{index}` the number of the scene, from 1, and `{hurst}` the value from a list in
    /// `--set surface.hurst=…`
    #[arg(long, value_name = "SEEDS", value_parser = seeds, conflicts_with = "seed")]
    seeds: Option<Seeds>,
    #[command(flatten)]
    pub many: ManyArgs,
}

/// Flags of commands whose files are made one after the other.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many files")]
pub struct ManyArgs {
    /// Skip files that already exist, are complete, and were made from the same scene with the same
    /// flags
    #[arg(long)]
    pub resume: bool,
    /// One line of JSON on standard output for every scene
    #[arg(long)]
    json: bool,
    /// Replace existing files, even those that Landform did not write
    #[arg(long)]
    force: bool,
}

/// Output files of a run, in two lists with one entry per variant.
pub struct BatchFiles<'a> {
    /// The file names of each variant, which may be patterns.
    pub names: &'a [Vec<PathBuf>],
    /// The files that these names expand to.
    pub files: &'a [Vec<Output>],
}

#[derive(Clone, Debug)]
struct Seeds(Vec<String>);

fn seeds(text: &str) -> Result<Seeds, String> {
    let values = values_of(text)?;
    if values.iter().all(|value| value.parse::<u64>().is_ok()) {
        Ok(Seeds(values))
    } else {
        Err(format!(
            "allowed: FROM..TO or a list of whole numbers, each 0 to {}",
            u64::MAX
        ))
    }
}

impl BatchArgs {
    /// The list of seeds, if it was given.
    pub fn seeds(&self) -> Option<&[String]> {
        self.seeds.as_ref().map(|seeds| &*seeds.0)
    }
}

impl ManyArgs {
    /// Check all output files before the first is written. `reads` are the input files of the run.
    pub fn check<'a>(
        &self,
        files: impl IntoIterator<Item = &'a Output> + Clone,
        reads: &[PathBuf],
    ) -> Result<(), Failure> {
        if self.json && files.clone().into_iter().any(Output::is_standard_output) {
            return Err(Failure::usage(
                "--json and -o - both write to standard output; use only one of them",
            ));
        }
        check_replaced(files, reads, self.force)
    }

    /// Prepare a folder for an engine before the first file is written.
    pub fn prepare(&self, folder: &mut EngineFolder<'_>) -> Result<(), Failure> {
        unless_foreign(self.force, |may_replace| folder.prepare(may_replace))
    }

    /// Print a line of JSON if `--json` was given.
    pub fn tell(&self, line: impl FnOnce() -> Value) -> Result<(), Failure> {
        if self.json {
            super::print(&format!("{}\n", line()))
        } else {
            Ok(())
        }
    }

    /// Write the files of all variants, one variant after another, and print a line of JSON for each.
    ///
    /// The files must be checked first. Stops at the first error; finished files are kept.
    pub fn run(
        &self,
        what: &'static str,
        variants: &[Variant],
        outputs: &BatchFiles<'_>,
        mut make: impl FnMut(&Variant, &[PathBuf], &Job) -> Result<Map<String, Value>, Failure>,
    ) -> Result<(), Failure> {
        let quiet = (outputs.files.iter().flatten()).any(Output::is_standard_output);
        let all = variants.iter().zip(outputs.names).zip(outputs.files);
        watch(what, quiet, |job| {
            for (index, ((variant, names), files)) in all.enumerate() {
                // A cancelled run still reports its finished files.
                job.check().map_err(Failure::failed)?;
                let started = Instant::now();
                let skipped =
                    self.resume && files.iter().all(|file| file.is_finished(&variant.scene));
                let facts = if skipped {
                    Map::new()
                } else {
                    make(variant, names, &job.share(index, variants.len()))?
                };
                if self.json {
                    super::print(&line(variant, files, skipped, facts, started))?;
                }
            }
            Ok(())
        })
    }
}

/// Settings of a variant that differ from the other variants: numbers as numbers, other values as text.
pub fn settings(variant: &Variant) -> Map<String, Value> {
    let settings = variant.settings.iter();
    settings
        .map(|(key, value)| {
            let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
            (key.clone(), value)
        })
        .collect()
}

/// Seconds since `started`, in whole milliseconds.
pub fn seconds_since(started: Instant) -> f64 {
    (started.elapsed().as_secs_f64() * 1000.0).round() / 1000.0
}

fn line(
    variant: &Variant,
    files: &[Output],
    skipped: bool,
    facts: Map<String, Value>,
    started: Instant,
) -> String {
    let names: Vec<_> = files
        .iter()
        .map(|file| file.path().to_string_lossy())
        .collect();
    let mut line = json!({
        "files": names,
        "index": variant.index,
        "seed": variant.scene.surface.seed,
        "settings": settings(variant),
        "skipped": skipped,
        "seconds": seconds_since(started),
    });
    if let Some(line) = line.as_object_mut() {
        line.extend(
            variant
                .frame
                .map(|(number, _)| ("frame".to_owned(), json!(number))),
        );
        line.extend(facts);
    }
    format!("{line}\n")
}

// Parameter sweep: several scenes from one command, as all combinations of the values in `--seeds` and
// `--set`.

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
            Failure::usage(format!("--set is `{assignment}`; allowed: key.path=value"))
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
        Err(format!("too many values; allowed: up to {MOST}"))
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
    let wrong = |_| format!("`{text}` is no range; allowed: FROM..TO or FROM..TO..STEP");
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
                    "two files have the same name: {}",
                    crate::util::words::named(name)
                ),
                count => format!(
                    "{count} scenes need different file names; use a name with {}: {}",
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
            assert!(error.contains("allowed: FROM..TO"), "{error}");
        }
        for text in ["0..18446744073709551615", "0..1..0.000000001"] {
            let error = values_of(text).expect_err(text);
            assert!(error.contains("allowed: up to 100000"), "{error}");
        }
    }
}
