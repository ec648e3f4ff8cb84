//! The speed of every file format on a map of 4097², against GDAL's `gdal_translate` writing the
//! same samples, if that program is here. Both are timed in turn, round after round, and the
//! quickest round counts. Ours makes the heights afresh each time, as the command does; GDAL reads
//! them from a file that the system remembers.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use landform::export::{self, FORMATS, Format, Options};
use landform::inputs::Inputs;
use landform::job::Job;
use landform::scene::Scene;

mod rounds;
use rounds::{is_wanted, pool, quickest, time};

const ITERATIONS: u32 = 12;
const THREADS: usize = 2;
const ROUNDS: usize = 9;
/// For each of our formats, the source and the driver with which GDAL writes the same kind of file.
const PEERS: &[(&str, &str, &str)] = &[
    ("png", "tiff16", "PNG"),
    ("tiff", "tiff", "GTiff"),
    ("tiff16", "tiff16", "GTiff"),
    ("asc", "tiff", "AAIGrid"),
    ("r16", "tiff16", "ENVI"),
    ("r32", "tiff", "ENVI"),
    ("npy", "tiff", "ENVI"),
];

fn main() {
    let folder = std::env::temp_dir().join("landform-bench-export");
    std::fs::create_dir_all(&folder).expect("a folder");
    let pool = pool(THREADS);
    let mut scene = Scene::default();
    (scene.surface.iterations, scene.surface.seed) = (ITERATIONS, 5);
    let write = |format: &'static Format| {
        let path = folder.join(format!("{}.{}", format.name, format.extension));
        let options = Options {
            format: Some(format),
            ..Options::default()
        };
        pool.install(|| export::heightmap(&path, &scene, &Inputs::default(), options, &Job::new()))
            .expect("a file");
        path
    };
    println!(
        "4097², {THREADS} threads, quickest of {ROUNDS}, in {}",
        folder.display()
    );
    println!(
        "{:<8} {:>8} {:>8} {:>8} {:>10} {:>8}",
        "format", "seconds", "MB", "MB/s", "× GDAL", "× size"
    );
    for name in ["tiff", "tiff16"] {
        write(Format::named(name).expect("a format"));
    }
    for format in FORMATS.iter().filter(|format| is_wanted(format.name)) {
        let peer = PEERS.iter().find(|(name, ..)| *name == format.name);
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut path = PathBuf::new();
        let their_path = folder.join("gdal.out");
        for _ in 0..ROUNDS {
            ours.push(time(|| path = write(format)));
            if let Some((_, source, driver)) = peer {
                let source = folder.join(format!("{source}.tif"));
                theirs.extend(translate(&source, &their_path, driver));
            }
        }
        let megabytes = length(&path) / 1e6;
        let seconds = quickest(&ours);
        let ratio = seconds / quickest(&theirs);
        let size = length(&path) / length(&their_path);
        println!(
            "{:<8} {seconds:>8.3} {megabytes:>8.1} {:>8.0} {} {}",
            format.name,
            megabytes / seconds,
            shown(ratio, 10),
            shown(if theirs.is_empty() { f64::NAN } else { size }, 8),
        );
    }
    std::fs::remove_dir_all(&folder).expect("the folder");
}

fn shown(ratio: f64, width: usize) -> String {
    match ratio.is_nan() {
        true => format!("{:>width$}", "-"),
        false => format!("{ratio:>width$.2}"),
    }
}

fn length(path: &Path) -> f64 {
    std::fs::metadata(path).map_or(f64::NAN, |file| file.len() as f64)
}

/// How long GDAL takes, if it is here.
fn translate(from: &Path, to: &Path, driver: &str) -> Option<Duration> {
    let mut command = Command::new("gdal_translate");
    command.args(["-q", "-of", driver]).args([from, to]);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut done = false;
    let took = time(|| done = command.status().is_ok_and(|status| status.success()));
    done.then_some(took)
}
