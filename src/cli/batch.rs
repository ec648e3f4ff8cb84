//! Batch runs: many files from one command, with progress over all of them, a line of JSON per scene, and
//! `--resume`.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde_json::{Map, Value, json};

use super::error::Failure;
use super::progress::watch;
use super::replace::check_replaced;
use super::sweep::{Variant, values_of};
use crate::files::export::Output;
use crate::util::job::Job;

/// Flags of commands that can make many files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many files")]
pub struct BatchArgs {
    /// A scene of each seed: FROM..TO, both included, or a list; `{seed}` in the file name is its
    /// value, `{index}` its place, `{hurst}` that of a list in `--set surface.hurst=…`
    #[arg(long, value_name = "SEEDS", value_parser = seeds, conflicts_with = "seed")]
    seeds: Option<Seeds>,
    #[command(flatten)]
    pub many: ManyArgs,
}

/// Flags of commands whose files are made one after the other.
#[derive(Debug, Args)]
#[command(next_help_heading = "Many files")]
pub struct ManyArgs {
    /// Skip files that are there, whole, and made from the same scene with the same flags
    #[arg(long)]
    pub resume: bool,
    /// One line of JSON on standard output for every scene
    #[arg(long)]
    json: bool,
    /// Replace existing files, whoever wrote them
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
            "allowed is FROM..TO or a list of whole numbers, each 0 to {}",
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
                "--json and -o - both want standard output, allowed is one of them",
            ));
        }
        check_replaced(files, reads, self.force)
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
        let quiet = outputs
            .files
            .iter()
            .flatten()
            .any(Output::is_standard_output);
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
