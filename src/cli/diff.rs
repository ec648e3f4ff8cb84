//! `landform diff`: the settings in which two scenes differ.

use std::path::PathBuf;

use clap::Args;

use super::console::Failure;
use super::scene_args::open;
use crate::generate::Reading;

#[derive(Debug, Args)]
pub struct Arguments {
    /// A scene (.toml), an image, a file saved by Landform, or the name of a preset
    #[arg(value_name = "SCENE")]
    one: PathBuf,
    /// Another one
    #[arg(value_name = "OTHER")]
    other: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (one, _) = open(&arguments.one, &Reading::default())?;
    let (other, _) = open(&arguments.other, &Reading::default())?;
    let lines = one.differences(&other).into_iter().map(|difference| {
        let [before, after] = (difference.values).map(|value| value.unwrap_or("none".to_owned()));
        format!("{}: {before} → {after}\n", difference.key)
    });
    let lines: String = lines.collect();
    super::print(if lines.is_empty() {
        "no setting differs\n"
    } else {
        &lines
    })
}
