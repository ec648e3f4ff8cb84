//! What the tests of files and of the command line share.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Child, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use landform::generate::{Images, Surface};
use landform::heightmap::Heightmap;
use landform::job::Job;
use tempfile::TempDir;

/// The real terrain that comes with the program: 403 × 344, 16 bits.
pub fn jacksboro() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/heightmaps/jacksboro.png")
}

pub fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// Every format that can be written on this system: without GDAL all but cloud-optimised GeoTIFF.
pub fn written_formats() -> impl Iterator<Item = &'static landform::export::Format> {
    let has_gdal = landform::gdal::Gdal::find().is_ok();
    if !has_gdal {
        eprintln!("left out without GDAL: format cog");
    }
    let formats = landform::export::FORMATS.iter();
    formats.filter(move |format| has_gdal || format.name != "cog")
}

/// Runs `landform` with arguments separated by spaces, in `folder`.
pub fn landform(folder: &Path, arguments: &str) -> Output {
    landform_with(folder, arguments.split_whitespace())
}

pub fn landform_with<'a>(folder: &Path, arguments: impl IntoIterator<Item = &'a str>) -> Output {
    Command::cargo_bin("landform")
        .unwrap()
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// Runs `landform`, which must succeed and say nothing on standard error except what it assumes
/// about an image that does not say it, and that it was resampled. Returns its standard output.
#[track_caller]
pub fn succeed(folder: &Path, arguments: &str) -> String {
    let output = landform(folder, arguments);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let is_complaint = |line: &&str| {
        !line.starts_with("warning: assumed, since the file")
            && !line.starts_with("warning: resampled from")
    };
    let complaint: String = said.lines().filter(is_complaint).collect();
    assert!(output.status.success(), "{arguments}: {complaint}");
    assert_eq!(complaint, "", "{arguments}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs `landform`, which must exit with `code`, say one line of error that holds every one of
/// `words`, and leave the folder as it was.
#[track_caller]
pub fn fail(folder: &Path, arguments: &str, code: i32, words: &[&str]) {
    fail_with(folder, arguments.split_whitespace(), code, words);
}

#[track_caller]
pub fn fail_with<'a>(
    folder: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
    code: i32,
    words: &[&str],
) {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let before = names(folder);
    let output = landform_with(folder, arguments.clone());
    let complaint = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        output.status.code(),
        Some(code),
        "{arguments:?}: {complaint}"
    );
    assert!(
        complaint.starts_with("error: "),
        "{arguments:?}: {complaint}"
    );
    assert_eq!(complaint.trim_end().lines().count(), 1, "{complaint}");
    assert_eq!(output.stdout, b"", "{arguments:?}");
    for word in words {
        assert!(
            complaint.contains(word),
            "{arguments:?}: no `{word}` in {complaint}"
        );
    }
    assert_eq!(names(folder), before, "{arguments:?} left something behind");
}

/// Waits for what must come; a test that waits for ever fails.
#[track_caller]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(
            started.elapsed() < Duration::from_secs(120),
            "{what} does not come"
        );
        sleep(Duration::from_millis(2));
    }
}

/// Whether a run hears of a request to end; where the system does not tell, it is taken to.
pub fn listens(run: &Child) -> bool {
    const INTERRUPT: u64 = 1 << 1;
    let status = std::fs::read_to_string(format!("/proc/{}/status", run.id()));
    let caught = |status: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        line.and_then(|caught| u64::from_str_radix(caught.trim(), 16).ok())
    };
    let caught = status.ok().and_then(|status| caught(&status));
    caught.is_none_or(|caught| caught & INTERRUPT != 0)
}

/// What is in a folder.
pub fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub fn generated(surface: &Surface) -> Heightmap {
    let job = Job::new();
    surface.generate(&Images::default(), &job, None).unwrap()
}

/// The numbers of a `.npy` file and its shape.
pub fn npy(path: &Path) -> (Vec<u64>, Vec<f32>) {
    let bytes = std::fs::read(path).unwrap();
    let array = npyz::NpyFile::new(&bytes[..]).unwrap();
    let shape = array.shape().to_vec();
    assert_eq!(array.dtype().descr(), "'<f4'");
    assert_eq!(array.order(), npyz::Order::C);
    (shape, array.into_vec().unwrap())
}

/// A 16-bit grey PNG: width, height, values.
pub fn grey(path: &Path) -> (u32, u32, Vec<u16>) {
    let image = image::open(path).unwrap();
    let image::DynamicImage::ImageLuma16(image) = image else {
        panic!("{} is not 16-bit grey", path.display());
    };
    (image.width(), image.height(), image.into_raw())
}

/// Heights as 16-bit numbers, lowest 0, highest 65535.
pub fn quantized(map: &Heightmap) -> Vec<u16> {
    let (low, high) = map.range();
    let (low, high) = (f64::from(low), f64::from(high));
    let step = |h: &f32| ((f64::from(*h) - low) / (high - low) * 65535.0).round() as u16;
    map.heights().iter().map(step).collect()
}

/// Where a run keeps a file that is not complete.
pub fn unfinished(name: &str) -> String {
    let sum = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    format!(".landform-{sum:016x}.part")
}
