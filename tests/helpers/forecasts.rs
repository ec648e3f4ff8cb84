//! What the dialog "Export" says of a file, and whether the file agrees.

use std::path::Path;

use landform::app::state::output::Exporting;
use landform::export::{self, ENGINES, Forecast};
use landform::import;
use landform::job::Job;
use landform::pipeline::Pipeline;
use landform::scene::Scene;
use serde_json::Value;

/// The forecast of a file.
pub fn forecast_of(scene: &Scene, exporting: &Exporting) -> Forecast {
    let (inputs, job) = (import::inputs(scene).unwrap(), Job::new());
    let landscape = Pipeline::default().run(scene, &inputs, &job).unwrap();
    let (format, options) = (exporting.format(), exporting.options(scene));
    export::forecast(&landscape, &inputs, format, options, &job).unwrap()
}

/// Writes the file into a folder and returns its sidecar, after a check of every number of its
/// forecast but its length.
pub fn check(scene: &Scene, exporting: &Exporting, folder: &Path) -> (Forecast, Value) {
    let forecast = forecast_of(scene, exporting);
    let format = exporting.format();
    let path = folder.join(format!("x.{}", format.extension));
    let (inputs, options) = (import::inputs(scene).unwrap(), exporting.options(scene));
    export::heightmap(&path, scene, &inputs, options, &Job::new()).unwrap();
    let sidecar = folder.join(format!("x.{}.json", format.extension));
    let sidecar: Value = serde_json::from_slice(&std::fs::read(sidecar).unwrap()).unwrap();
    let said = |name: &str| sidecar[name].as_f64().unwrap();
    let what = format!("{exporting:?} {}", sidecar["file"]);
    let same = |a: f64, b: f64| {
        let room = 1e-12 * a.abs().max(b.abs());
        assert!((a - b).abs() <= room, "{a} is not {b}: {what}");
    };
    assert!(forecast.is_exact, "{what}");
    same(forecast.rows as f64, said("height"));
    same(forecast.columns as f64, said("width"));
    if let Some(triangles) = forecast.triangles.filter(|_| format.name == "ply") {
        let bytes = std::fs::read(&path).unwrap();
        let words = format!("element face {triangles}\n");
        let is_there = bytes
            .windows(words.len())
            .any(|part| part == words.as_bytes());
        assert!(is_there, "{words} {what}");
    }
    if let Some(steps) = forecast.steps {
        let range = [0, 1].map(|end| sidecar["range_m"][end].as_f64().unwrap());
        same(
            steps.metres,
            (range[1] - range[0]) / f64::from(steps.of - 1),
        );
        assert_eq!(steps.used, different_numbers(&path, format.name), "{what}");
    }
    for engine in ENGINES.iter().filter(|engine| engine.reads(format)) {
        for (name, number) in (engine.numbers)(&forecast.scaling) {
            same(
                number,
                sidecar["engines"][engine.name][name].as_f64().unwrap(),
            );
        }
    }
    (forecast, sidecar)
}

/// How many different numbers a file of whole numbers holds.
fn different_numbers(path: &Path, format: &str) -> u32 {
    let mut numbers: Vec<u32> = match format {
        "r16" => {
            let bytes = std::fs::read(path).unwrap();
            let pairs = bytes.as_chunks::<2>().0.iter();
            pairs.map(|pair| u16::from_le_bytes(*pair).into()).collect()
        }
        _ => {
            let image = import::image(path).unwrap();
            image
                .as_slice()
                .iter()
                .map(|number| number.to_bits())
                .collect()
        }
    };
    numbers.sort_unstable();
    numbers.dedup();
    numbers.len() as u32
}
