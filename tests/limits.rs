//! Runs that are short of address space, processes or open files end with one line, never with a
//! signal, a hang or half a file. Needs `prlimit` (util-linux).
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use common::*;
use landform::import;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// A user who runs nothing else, for limits that do not bind root.
const NOBODY: u32 = 54_321;

/// What is limited, as `prlimit` calls it, and to how much.
fn limits() -> Vec<(&'static str, u64)> {
    let addresses = [100, 120, 150, 200, 300, 500, 1000, 2000];
    let processes = [0, 1, 2, 3, 5, 10, 20, 40];
    let files = [3, 4, 5, 6, 8, 12, 20];
    let of = |what, all: &[u64]| -> Vec<_> { all.iter().map(|most| (what, *most)).collect() };
    let addresses = addresses.map(|megabytes| megabytes << 20);
    [
        of("--as", &addresses),
        of("--nproc", &processes),
        of("--nofile", &files),
    ]
    .concat()
}

/// What is run: arguments, and the file that comes out.
const RUNS: &[(&str, &str)] = &[
    ("generate --iterations 11 -o out.npy", "out.npy"),
    ("generate --iterations 10 -o out.tif", "out.tif"),
    ("generate --iterations 8 -o out.glb", "out.glb"),
    (
        "generate --generator fourier --iterations 10 -o out.r16",
        "out.r16",
    ),
    ("generate large.png -o out.png", "out.png"),
    (
        "generate --iterations 9 --threads 16 --set modifiers.0.kind=blur -o out.asc",
        "out.asc",
    ),
    ("stats --iterations 9", ""),
    ("list presets", ""),
];

struct Ended {
    status: ExitStatus,
    complaint: String,
}

/// Runs `landform` under a limit, or without one.
fn run(folder: &Path, arguments: &str, limit: Option<(&str, u64)>) -> Ended {
    let program = assert_cmd::cargo::cargo_bin("landform");
    let mut command = match limit {
        Some((what, most)) => {
            let mut command = Command::new("prlimit");
            command.arg(format!("{what}={most}")).arg(program);
            command
        }
        None => Command::new(program),
    };
    // Root has no limit of processes.
    if limit.is_some_and(|(what, _)| what == "--nproc") && is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut child = command
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("prlimit of util-linux is there, and the program may be run by anybody");
    let started = Instant::now();
    let status = loop {
        match child.try_wait().unwrap() {
            Some(status) => break status,
            None if started.elapsed() > PATIENCE => {
                child.kill().unwrap();
                panic!("{arguments} hangs under {limit:?}");
            }
            None => std::thread::sleep(Duration::from_millis(5)),
        }
    };
    let mut complaint = String::new();
    child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut complaint)
        .unwrap();
    Ended { status, complaint }
}

fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    line.unwrap().split_whitespace().next() == Some("0")
}

/// A folder that anybody may write into, with a picture of 2048² pixels.
fn open_folder() -> tempfile::TempDir {
    let folder = folder();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    image::GrayImage::from_fn(2048, 2048, |x, y| image::Luma([(x ^ y) as u8]))
        .save(folder.path().join("large.png"))
        .unwrap();
    folder
}

#[test]
fn runs_that_are_short_of_something_end_with_one_line_and_leave_nothing() {
    let folder = open_folder();
    let outputs = |folder: &Path| -> Vec<_> {
        let names = names(folder).into_iter();
        names.filter(|name| name != "large.png").collect()
    };
    let (mut refused, mut done) = (0, 0);
    for (arguments, file) in RUNS {
        let whole = run(folder.path(), arguments, None);
        assert!(whole.status.success(), "{arguments}: {}", whole.complaint);
        let wanted = (!file.is_empty()).then(|| fs::read(folder.path().join(file)).unwrap());
        let clear = || {
            for name in outputs(folder.path()) {
                fs::remove_file(folder.path().join(name)).unwrap();
            }
        };
        clear();
        for limit in limits() {
            let Ended { status, complaint } = run(folder.path(), arguments, Some(limit));
            let what = format!("{arguments} under {limit:?}: {status}: {complaint}");
            match status.code() {
                Some(0) => {
                    done += 1;
                    assert_eq!(complaint, whole.complaint, "{what}");
                    if let Some(wanted) = &wanted {
                        assert!(
                            fs::read(folder.path().join(file)).unwrap() == *wanted,
                            "{what}"
                        );
                    }
                }
                Some(1) => {
                    refused += 1;
                    // What it said before it came to that is no complaint.
                    let lines = complaint.lines();
                    let errors: Vec<_> = lines
                        .filter(|line| !line.starts_with("warning: "))
                        .collect();
                    assert!(
                        matches!(errors[..], [error] if error.starts_with("error: ")),
                        "{what}"
                    );
                    assert_eq!(outputs(folder.path()), [""; 0], "{what}");
                }
                // The system could not even start the program.
                Some(127) if complaint.contains("error while loading shared libraries") => {
                    assert!(limit.1 <= 100 << 20, "{what}");
                }
                _ => panic!("{what}"),
            }
            let parts = outputs(folder.path());
            assert!(
                !parts.iter().any(|name| name.ends_with(".part")),
                "{what}: {parts:?}"
            );
            clear();
        }
    }
    // Neither is everything refused nor does every limit leave room.
    assert!(refused >= 5 && done > 60, "{refused} refused, {done} done");
}

#[test]
fn a_picture_that_does_not_fit_is_refused_with_the_number_before_it_is_read() {
    let folder = folder();
    // 32,768² grey pixels, all alike, in about 130 kB.
    let file = fs::File::create(folder.path().join("bomb.png")).unwrap();
    let mut encoder = png::Encoder::new(file, 32_768, 32_768);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    let mut stream = writer.stream_writer().unwrap();
    let row = vec![0; 32_768 / 8];
    for _ in 0..32_768 {
        std::io::Write::write_all(&mut stream, &row).unwrap();
    }
    stream.finish().unwrap();
    drop(writer);
    let length = fs::metadata(folder.path().join("bomb.png")).unwrap().len();
    assert!(length < 300_000, "{length}");
    for arguments in ["stats bomb.png", "generate bomb.png -o x.npy"] {
        let started = Instant::now();
        let Ended { status, complaint } =
            run(folder.path(), arguments, Some(("--as", 2_000 << 20)));
        assert_eq!(status.code(), Some(1), "{complaint}");
        assert!(
            complaint.contains("MB of memory") && complaint.contains("free"),
            "{complaint}"
        );
        assert!(started.elapsed() < Duration::from_secs(20));
    }
    assert_eq!(names(folder.path()), ["bomb.png"]);
}

/// Every format of maps is asked for its memory before it takes it.
#[test]
fn every_format_of_maps_is_refused_with_the_number() {
    let folder = folder();
    for format in landform::export::FORMATS
        .iter()
        .filter(|format| !format.mesh)
    {
        let file = format!("{}.{}", format.name, format.extension);
        let make = format!(
            "generate --iterations 11 --format {} -o {file}",
            format.name
        );
        let made = run(folder.path(), &make, None);
        assert!(made.status.success(), "{}", made.complaint);
        // Only the heights count.
        let _ = fs::remove_file(folder.path().join(format!("{file}.json")));
        let again = format!("generate --input {file} --set surface.generator=image -o again.npy");
        let program_alone = run(folder.path(), "list formats", Some(("--as", 60 << 20)));
        assert!(
            program_alone.status.success(),
            "{}",
            program_alone.complaint
        );
        let short = run(folder.path(), &again, Some(("--as", 60 << 20)));
        assert_eq!(short.status.code(), Some(1), "{file}: {}", short.complaint);
        assert!(
            short.complaint.contains("MB"),
            "{file}: {}",
            short.complaint
        );
    }
}

/// A scene that ends the program ends one start, and is not lost.
#[test]
fn a_start_that_failed_is_known_to_the_next_one() {
    use landform::app::settings::Store;
    use landform::app::state::Persisted;
    let folder = folder();
    let settings = folder.path().join("not there yet");
    let open = |given| Store::open(&settings, given).unwrap();
    let (store, mut persisted, _) = open(false);
    store.started();
    persisted.scene.surface.seed = 77;
    store.close(&persisted).unwrap();
    drop(store);
    let (store, found, complaint) = open(false);
    assert_eq!((&found, complaint), (&persisted, None));
    // Nothing was drawn. A start with a scene of its own does not count.
    drop(store);
    let (store, _, complaint) = open(true);
    assert_eq!(complaint, None);
    drop(store);
    let (store, found, complaint) = open(false);
    let complaint = complaint.unwrap();
    assert_eq!(found.scene, Persisted::default().scene);
    assert_eq!(found.document, Persisted::default().document);
    assert!(complaint.contains("window.failed.toml"), "{complaint}");
    let kept = import::open(&settings.join("window.failed.toml")).unwrap();
    assert_eq!(kept, persisted.scene);
    // Nor was the default: there is nothing more to keep.
    drop(store);
    let (store, _, complaint) = open(false);
    assert_eq!(complaint, None);
    store.started();
    let mut left = names(&settings);
    left.sort();
    let expected = [
        "settings.lock",
        "settings.toml",
        "window-2.lock",
        "window.failed.toml",
        "window.lock",
        "window.toml",
    ];
    assert_eq!(left, expected);
}
