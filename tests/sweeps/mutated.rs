//! Two thousand damaged elevation files: each opens, or is refused with one line.

use std::path::{Path, PathBuf};
use std::time::Duration;

use assert_cmd::Command;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const FILES: usize = 2000;
/// A file that is worked at for longer hangs: the largest has a million samples.
const PATIENCE: Duration = Duration::from_secs(60);
/// Threads that let the program look at files.
const THREADS: usize = 2;

/// The sound files, each with what belongs to it.
fn sound() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files: Vec<PathBuf> = ["cases", "foreign"]
        .iter()
        .flat_map(|name| std::fs::read_dir(folder.join(name)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.extension().is_some_and(|end| end == "md"))
        .collect();
    files.sort();
    files
}

/// Damages bytes: some of them, a run of them, or the end.
fn damage(bytes: &mut Vec<u8>, random: &mut Pcg64Mcg) {
    let length = bytes.len();
    match random.random_range(0..4) {
        0 => {
            for _ in 0..random.random_range(1..8) {
                bytes[random.random_range(0..length)] = random.random();
            }
        }
        // Most of what is checked lies at the beginning.
        1 => {
            for _ in 0..random.random_range(1..8) {
                bytes[random.random_range(0..length.min(600))] = random.random();
            }
        }
        2 => {
            let from = random.random_range(0..length);
            let to = (from + random.random_range(1..64)).min(length);
            bytes[from..to].fill([0, 255, b'9'][random.random_range(0..3)]);
        }
        _ => bytes.truncate(random.random_range(0..length)),
    }
}

#[test]
fn damaged_files_open_or_are_refused() {
    let files = sound();
    std::thread::scope(|threads| {
        for thread in 0..THREADS {
            let files = &files;
            threads.spawn(move || {
                let folder = tempfile::tempdir().unwrap();
                let mut random = Pcg64Mcg::seed_from_u64(38 + thread as u64);
                for number in 0..FILES / THREADS {
                    let file = &files[number % files.len()];
                    check(file, folder.path(), &mut random, number);
                }
            });
        }
    });
}

fn check(file: &Path, folder: &Path, random: &mut Pcg64Mcg, number: usize) {
    let mut bytes = std::fs::read(file).unwrap();
    damage(&mut bytes, random);
    let path = folder.join(file.file_name().unwrap());
    std::fs::write(&path, bytes).unwrap();
    let mut command = Command::cargo_bin("landform").unwrap();
    command
        .args(["stats", "--json"])
        .arg(&path)
        .timeout(PATIENCE);
    let output = command
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .env("LC_ALL", "C")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let what = format!("{} damaged, number {number}: {said}", file.display());
    let errors = said
        .lines()
        .filter(|line| line.starts_with("error: "))
        .count();
    match output.status.code() {
        Some(0) => assert_eq!(errors, 0, "{what}"),
        Some(1 | 2) => assert_eq!(errors, 1, "{what}"),
        code => panic!("{code:?}: {what}"),
    }
    let is_known = |line: &str| line.starts_with("error: ") || line.starts_with("warning: ");
    assert!(said.lines().all(is_known), "{what}");
    std::fs::remove_file(&path).unwrap();
    let _ = std::fs::remove_dir_all(folder.join("cache"));
}
