//! What a disk holds at any moment: what has its name is whole and flushed, what was interrupted
//! leaves nothing, a disk that is full leaves what was there, and what lies where the window keeps
//! things neither holds it up nor is lost. Needs `strace` and `prlimit`.
#![cfg(target_os = "linux")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::{self, sleep};
use std::time::{Duration, Instant};

use crate::common::{folder, names, succeed, unfinished};
use landform::app::commands::PictureFile;
use landform::app::files::{Done, FileJob, Files, Over};
use landform::app::picture::taking::Pixels;
use landform::app::settings::Store;
use landform::app::state::Persisted;
use landform::export::{Options, PictureRequest};
use landform::grid::Grid;
use landform::import;
use landform::scene::Scene;

const PATIENCE: Duration = Duration::from_secs(60);

/// The program behind other words, which are to run it.
fn behind(words: &[&str], folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(words[0]);
    command
        .args(&words[1..])
        .arg(assert_cmd::cargo::cargo_bin("landform"))
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// Every way to write: each format, a file of several bands, a picture, a sheet.
fn writers() -> Vec<String> {
    let format = |format: &landform::export::Format| {
        let (name, extension) = (format.name, format.extension);
        format!("generate --iterations 6 --format {name} -o x.{extension}")
    };
    let mut all: Vec<_> = crate::common::written_formats().map(format).collect();
    all.push("generate --iterations 6 --map splat -o x-{band}.png".to_owned());
    all.push("generate --iterations 6 --tiles 2x1 -o x-{row}-{column}.npy".to_owned());
    all.push("render --iterations 5 --type map --size 200x200 -o x.png".to_owned());
    let sheet = "render --iterations 5 --type map --size 80x60 --contact-sheet 2x1 -o x.png";
    all.push(sheet.to_owned());
    all
}

fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap());
    names(folder).into_iter().map(read).collect()
}

/// The name that a line of `strace` has between two words, without the folders before it.
fn between<'a>(line: &'a str, start: &str, end: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(start)?;
    let (path, _) = rest.split_once(end)?;
    path.rsplit('/').next()
}

#[test]
fn named_files_are_flushed_along_with_their_names() {
    for writer in writers() {
        let (folder, log) = (folder(), folder());
        let log = log.path().join("calls");
        let calls = "trace=fsync,fdatasync,write,writev,pwrite64,rename,renameat,renameat2";
        let strace = [
            "strace",
            "-f",
            "-y",
            "-s",
            "0",
            "-e",
            calls,
            "-o",
            log.to_str().unwrap(),
        ];
        let output = behind(&strace, folder.path(), &writer).output();
        let output = output.expect("strace must be installed: scripts/deps.sh test");
        assert!(output.status.success(), "{writer}: {output:?}");
        let here = folder.path().file_name().unwrap().to_str().unwrap();
        let (mut flushed, mut renamed, mut named) = (BTreeSet::new(), 0, Vec::new());
        for line in fs::read_to_string(&log).unwrap().lines() {
            if line.contains("sync(") {
                let file = between(line, "<", ">").unwrap();
                match file == here {
                    true => named.clear(),
                    false => drop(flushed.insert(file.to_owned())),
                }
            } else if line.contains("write") {
                between(line, "<", ">").map(|file| flushed.remove(file));
            } else if line.contains("rename") {
                let part = between(line, "\"", "\"").unwrap();
                assert!(flushed.contains(part), "{writer}: {line}");
                let name = line.split('"').nth(3).unwrap();
                // A sidecar comes after the file that it describes.
                let described = name.strip_suffix(".json");
                let is_named = |file| named.iter().any(|name| name == file);
                assert!(described.is_none_or(is_named), "{writer}: {line}");
                named.push(name.to_owned());
                renamed += 1;
            }
        }
        assert_eq!(renamed, names(folder.path()).len(), "{writer}");
        assert_eq!(named, [""; 0], "{writer}: the folder is not flushed");
    }
}

#[test]
fn full_disk_keeps_its_earlier_files() {
    for writer in writers() {
        let folder = folder();
        succeed(folder.path(), &format!("{writer} --h 0.3"));
        let before = contents(folder.path());
        // Nothing, the first bytes, or all but the last.
        let longest = before.values().map(Vec::len).max().unwrap();
        for room in [0, 500, longest / 2] {
            let limit = format!("--fsize={room}");
            let arguments = format!("{writer} --h 0.8 --force");
            let output = behind(&["prlimit", &limit], folder.path(), &arguments).output();
            let output = output.unwrap();
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{writer}, {room}: {said}");
            assert_eq!(said.lines().count(), 1, "{writer}, {room}: {said}");
            assert!(said.starts_with("error: cannot write: "), "{said}");
            let after = contents(folder.path());
            assert!(after.keys().eq(before.keys()), "{writer}, {room}");
            // Tiles and bands are whole each.
            let is_old = |(name, bytes): (&String, &Vec<u8>)| before[name] == *bytes;
            assert!(after.iter().all(is_old) || writer.contains('{'), "{writer}");
        }
    }
}

/// Numbers that look like chance, and are the same in every run.
fn chance(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 40) as f64 / (1_u64 << 24) as f64
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    // It may be gone.
    let mut kill = Command::new("kill");
    let sent = kill.args(["-s", name, &id]).stderr(Stdio::null());
    sent.status().unwrap();
}

/// Signals that end a program, and those of them that a program started by this one does not ignore at first:
/// `nohup` ignores HUP, and a shell's `&` INT.
fn ending_signals() -> [Vec<&'static str>; 2] {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = u64::from_str_radix(ignored.unwrap().trim(), 16).unwrap();
    let all = [("HUP", 1), ("INT", 2), ("TERM", 15)];
    let heeded = all
        .into_iter()
        .filter(|(_, number)| ignored >> (number - 1) & 1 == 0);
    [all.to_vec(), heeded.collect()].map(|signals| signals.iter().map(|(name, _)| *name).collect())
}

#[test]
fn signals_at_any_moment_leave_nothing_unfinished() {
    let [all, heeded] = ending_signals();
    let mut state = 7;
    let mut disturbed = 0;
    for (command, rounds) in [
        (
            "generate --iterations 9 --tiles 4x4 -o {row}-{column}.png",
            10,
        ),
        (
            "generate --iterations 7 --seeds 1..8 -o {seed}.obj -o {seed}.tif",
            10,
        ),
        (
            "render --iterations 5 --type map --size 900x700 --seeds 1..6 -o {seed}.png",
            8,
        ),
        ("render --iterations 6 --size 500x300 -o x.png", 8),
    ] {
        let whole = folder();
        let started = Instant::now();
        succeed(whole.path(), command);
        let (takes, whole) = (started.elapsed(), contents(whole.path()));
        for round in 0..rounds {
            let folder = folder();
            // Not as where these tests run without a terminal.
            let words = ["env", "--default-signal=HUP,INT,TERM"];
            let child = behind(&words, folder.path(), command)
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            let began = Instant::now();
            // Some at once, so that some are disturbed however long a run takes.
            let at_once = round % 4 == 0;
            let delay = takes.mul_f64(chance(&mut state));
            sleep(if at_once { Duration::ZERO } else { delay });
            let mut sent = Vec::new();
            for _ in 0..1 + round % 6 {
                // Until `env` has run, what was ignored still is.
                let kinds = if at_once { &heeded } else { &all };
                let name = kinds[(chance(&mut state) * kinds.len() as f64) as usize];
                signal(&child, name);
                sent.push(name);
                sleep(Duration::from_secs_f64(chance(&mut state).powi(3) * 0.3));
            }
            let output = child.wait_with_output().unwrap();
            let case = format!("{command}, {sent:?} after {:?}", began.elapsed());
            assert!(began.elapsed() < PATIENCE, "{case}");
            disturbed += usize::from(!output.status.success());
            assert!(!(at_once && output.status.success()), "{case}");
            // Before it listens, the system ends it.
            let is_ended = output.status.code() == Some(1) || output.status.signal().is_some();
            assert!(output.status.success() || is_ended, "{case}");
            for (name, bytes) in contents(folder.path()) {
                assert!(whole.get(&name) == Some(&bytes), "{case}: {name}");
            }
        }
    }
    assert!(disturbed > 10, "{disturbed}");
}

/// What `work` gives, which may not take for ever.
#[track_caller]
fn in_time<T: Send + 'static>(what: &str, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, waiting) = channel();
    std::thread::spawn(move || done.send(work()));
    let result = waiting.recv_timeout(PATIENCE);
    result.unwrap_or_else(|_| panic!("{what}: it hangs"))
}

fn fifo(at: &Path) {
    assert!(Command::new("mkfifo").arg(at).status().unwrap().success());
}

/// What may lie in the place of a file, and how it gets there.
type Obstacle = (&'static str, fn(&Path));

const OBSTACLES: [Obstacle; 4] = [
    ("a folder", |at| fs::create_dir(at).unwrap()),
    ("a pipe", fifo),
    ("a link to nothing", |at| symlink("nowhere", at).unwrap()),
    ("a link to a device", |at| symlink("/dev/null", at).unwrap()),
];

fn kinds(folder: &Path) -> Vec<(String, fs::FileType)> {
    let kind = |name: String| {
        let there = fs::symlink_metadata(folder.join(&name)).unwrap();
        (name, there.file_type())
    };
    names(folder).into_iter().map(kind).collect()
}

/// Every file that a window keeps, found by letting it keep them.
#[test]
fn window_starts_and_ends_whatever_its_settings_hold() {
    let persisted = || {
        let mut persisted = Persisted::default();
        persisted.scene.surface.seed = 5;
        persisted
    };
    let keep = move |folder: &Path| {
        let (store, _, complaint) = Store::open(folder, false)?;
        let saved = store.save(&persisted());
        let during = names(folder);
        store.started();
        Ok::<_, std::io::Error>((saved, complaint, during))
    };
    let usual = folder();
    let (saved, complaint, mut files) = keep(usual.path()).unwrap();
    assert!(saved.is_ok() && complaint.is_none());
    // A window that was killed while it wrote.
    files.extend(files.clone().iter().map(|file| unfinished(file)));
    for file in files.iter().filter(|file| file.ends_with(".part")) {
        fs::write(usual.path().join(file), "half").unwrap();
    }
    keep(usual.path()).unwrap().0.unwrap();
    let kept = names(usual.path());
    let is_kept = |file: &&String| file.ends_with(".toml") && kept.contains(file);
    for file in files.iter().filter(is_kept) {
        assert!(!kept.contains(&unfinished(file)), "{file}");
    }
    assert!(files.len() >= 10, "{files:?}");
    for file in files {
        for (what, put) in OBSTACLES {
            let folder = folder();
            let at = folder.path().join(&file);
            put(&at);
            let before = fs::symlink_metadata(&at).unwrap().file_type();
            let case = format!("{what} at {file}");
            let path = folder.path().to_owned();
            // Settings may be lost to it, but not the window, nor what lies there.
            drop(in_time(&case, move || keep(&path)));
            let is_ours = file.ends_with(".starting") || what == "a link to nothing";
            let after = fs::symlink_metadata(&at).map(|there| there.file_type());
            assert!(
                is_ours || after.is_ok_and(|after| after == before),
                "{case}"
            );
            let all = kinds(folder.path());
            assert!(
                all.iter().all(|(name, _)| !name.contains(".tmp")),
                "{case}: {all:?}"
            );
        }
    }
    // The folder itself.
    let elsewhere = folder();
    symlink(usual.path(), elsewhere.path().join("linked")).unwrap();
    let linked = elsewhere.path().join("linked");
    let (store, found, complaint) = Store::open(&linked, false).unwrap();
    assert_eq!((found.scene.surface.seed, complaint), (5, None));
    store.save(&found).unwrap();
    assert!(fs::symlink_metadata(&linked).unwrap().is_symlink());
    // A file of it that is a link stays one, and what it leads to is kept up.
    let real = elsewhere.path().join("of-mine.toml");
    fs::rename(usual.path().join("settings.toml"), &real).unwrap();
    symlink(&real, usual.path().join("settings.toml")).unwrap();
    fs::write(&real, "").unwrap();
    store.save(&found).unwrap();
    assert!(
        fs::symlink_metadata(usual.path().join("settings.toml"))
            .unwrap()
            .is_symlink()
    );
    assert_ne!(fs::read(&real).unwrap(), b"");
    for (what, put) in OBSTACLES.into_iter().skip(1) {
        let at = elsewhere.path().join(what);
        put(&at);
        assert!(
            in_time(what, move || Store::open(&at, false).is_err()),
            "{what}"
        );
    }
}

/// What the window writes goes by the rules of the command line.
#[test]
fn window_saves_neither_lose_nor_await_obstacles() {
    let scene = || {
        let mut scene = Scene::default();
        scene.surface.iterations = 3;
        scene
    };
    let pixels = || Pixels {
        request: PictureRequest {
            size: (2, 1),
            samples: 1,
            transparent: false,
        },
        bands: vec![Grid::from_vec(1, 2, vec![[7; 4]; 2]).unwrap()],
    };
    type OfFile<'a> = &'a dyn Fn(&Path) -> FileJob;
    let chores: [(&str, OfFile<'_>); 3] = [
        ("x.toml", &|at| {
            FileJob::SaveScene(at.to_owned(), scene().into(), Over::Any)
        }),
        ("x.obj", &|at| {
            FileJob::Export(at.to_owned(), scene().into(), Options::default())
        }),
        ("x.png", &|at| {
            FileJob::SavePicture(PictureFile::Named(at.to_owned()), pixels(), scene().into())
        }),
    ];
    let carry_out = |chore: FileJob| {
        let files = Files::start(|| {});
        files.hand(chore).unwrap();
        let started = Instant::now();
        loop {
            match files.take().pop() {
                Some((_, Done::Failed(words) | Done::NotSavedScene(words))) => return Err(words),
                Some(_) => return Ok(()),
                None => assert!(started.elapsed() < PATIENCE, "it hangs"),
            }
            sleep(Duration::from_millis(2));
        }
    };
    for (name, chore) in chores {
        let usual = folder();
        carry_out(chore(&usual.path().join(name))).unwrap();
        for file in names(usual.path()) {
            for (what, put) in OBSTACLES {
                let folder = folder();
                put(&folder.path().join(&file));
                let before = kinds(folder.path());
                let case = format!("{what} at {file}");
                let words = carry_out(chore(&folder.path().join(name))).expect_err(&case);
                assert!(words.ends_with(&*file), "{case}: {words}");
                assert_eq!(kinds(folder.path()), before, "{case}");
            }
            // Somebody else's may be chosen, but beside that it stays.
            if file != name {
                let folder = folder();
                for name in [name, &file] {
                    fs::write(folder.path().join(name), "mine").unwrap();
                }
                let before = contents(folder.path());
                let words = carry_out(chore(&folder.path().join(name))).expect_err(&file);
                assert!(words.contains("not from Landform"), "{file}: {words}");
                assert_eq!(contents(folder.path()), before, "{file}");
            }
        }
    }
}

/// A scene that ends the program ends one start, and is not lost.
#[test]
fn failed_start_is_known_to_the_next_one() {
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

#[test]
fn few_scenes_that_ended_a_start_are_kept() {
    let folder = folder();
    for seed in [1, 2, 2, 3, 4, 5] {
        // The mark of its start is left.
        let (store, mut persisted, _) = Store::open(folder.path(), false).unwrap();
        persisted.scene.surface.seed = seed;
        store.close(&persisted).unwrap();
    }
    drop(Store::open(folder.path(), false).unwrap());
    let mut kept = names(folder.path());
    kept.retain(|name| name.contains("failed"));
    let seed = |name: &String| {
        let scene = import::open(&folder.path().join(name)).unwrap();
        scene.surface.seed
    };
    let mut seeds: Vec<_> = kept.iter().map(seed).collect();
    seeds.sort();
    assert_eq!(seeds, [3, 4, 5], "{kept:?}");
}

/// Its files are free when a window is closed, though a program that is being started at that
/// moment has all that was open in the window.
#[test]
fn closed_window_releases_files_while_programs_start() {
    let folder = folder();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                assert!(Command::new("true").status().unwrap().success());
            }
        });
        for _ in 0..500 {
            drop(Store::open(folder.path(), false).unwrap());
        }
        is_over.store(true, Ordering::Relaxed);
    });
    let names = names(folder.path());
    assert!(
        !names.iter().any(|name| name == "window-2.lock"),
        "{names:?}"
    );
}

#[test]
fn memory_disk_refuses_what_it_cannot_hold() {
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let far_too_much = "generate --iterations 19 -o x.r32";
    let output = behind(&["env"], folder.path(), far_too_much)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("MB are free"), "{said}");
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn film_ends_after_one_picture_on_small_disk() {
    let folder = tempfile::tempdir_in("/dev/shm").unwrap();
    let scene = "[surface]\niterations = 4\n[view]\nrender_type = \"clouds\"\n[clouds]\niterations = 10\nhurst = 0.0\n";
    fs::write(folder.path().join("s.toml"), scene).unwrap();
    let film = "film s.toml --like turntable --seconds 36000 --fps 1 --size 1280x1280 -o frames/";
    let output = behind(&["env"], folder.path(), film).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("more pictures need about"), "{said}");
    assert_eq!(names(&folder.path().join("frames")).len(), 1);
}
