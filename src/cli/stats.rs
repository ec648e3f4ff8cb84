//! `landform stats`: a height map in numbers.

use clap::Args;
use serde_json::json;

use super::error::Failure;
use super::progress::watch;
use super::scene_args::SurfaceArgs;
use crate::export::check_memory;
use crate::generate::{Generator, MAX_ITERATIONS_IN_MEMORY};
use crate::import;
use crate::measure::{Measures, measure};
use crate::pipeline;

#[derive(Debug, Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SurfaceArgs,
    /// Print JSON; what is not defined is null
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let (map, requested) = watch("generating", |job| {
        // A file of heights is measured as it is, unless flags say what to do with it.
        if let Some(path) = &arguments.scene.scene
            && import::holds_heights(path)
            && !arguments.scene.changed()
        {
            return Ok((import::heights(path)?, None));
        }
        let (scene, _) = arguments.scene.scene(None, |_| MAX_ITERATIONS_IN_MEMORY)?;
        let ground = pipeline::ground(&scene);
        check_memory(&scene)?;
        let inputs = import::inputs(&scene)?;
        let map = pipeline::heights(&scene, &inputs, job)?;
        let requested = (ground.generator != Generator::Image).then_some(ground.hurst);
        Ok::<_, Failure>((map, requested))
    })?;
    let measures = measure(&map);
    super::print(&if arguments.json {
        as_json(&measures, requested)
    } else {
        as_table(&measures, requested)
    })
}

/// Numbers that JSON has not got become null.
fn as_json(measures: &Measures, requested: Option<f32>) -> String {
    let value = json!({
        "width": measures.width,
        "height": measures.height,
        "min": measures.min,
        "max": measures.max,
        "mean": measures.mean,
        "std": measures.std,
        "rms_slope": measures.rms_slope,
        "hurst": measures.hurst,
        "hurst_requested": requested.and_then(|h| h.to_string().parse::<f64>().ok()),
        "fractal_dimension": measures.fractal_dimension,
        "wrap_error": measures.wrap_error.height,
        "wrap_error_slope": measures.wrap_error.slope,
    });
    format!("{value:#}\n")
}

fn as_table(measures: &Measures, requested: Option<f32>) -> String {
    let known = |value: Option<f64>| value.map_or("-".to_owned(), |value| format!("{value:.3}"));
    let asked = requested.map_or(String::new(), |h| format!(" (asked for {h})"));
    let rows = [
        ("size", format!("{} x {}", measures.width, measures.height)),
        ("lowest", measures.min.to_string()),
        ("highest", measures.max.to_string()),
        ("mean", format!("{:.6}", measures.mean)),
        ("standard deviation", format!("{:.6}", measures.std)),
        (
            "slope (root mean square)",
            format!("{:.6}", measures.rms_slope),
        ),
        ("estimated H", known(measures.hurst) + &asked),
        ("fractal dimension", known(measures.fractal_dimension)),
        (
            "wrap error of height",
            measures.wrap_error.height.to_string(),
        ),
        ("wrap error of slope", measures.wrap_error.slope.to_string()),
    ];
    let lines = rows
        .iter()
        .map(|(name, value)| format!("{name:26}{value}\n"));
    lines.collect()
}
