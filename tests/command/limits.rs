//! Runs that are short of address space, processes or open files end with one line, never with a
//! signal, a hang or half a file. Needs `prlimit` (util-linux).
#![cfg(target_os = "linux")]

use std::fs;
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::common::*;
use landform::export::{FORMATS, Format};
use landform::generate::Generator;
use landform::maps::MAPS;
use landform::modify::ModifierKind;
use landform::scene::RenderType;

/// A run that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(120);
/// A window that is not open by then is not asked to end.
const OPEN_BY: Duration = Duration::from_secs(20);
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
        of("--fsize", &[0, 3_000, 100_000]),
    ]
    .concat()
}

/// Every kind of command: of each list the limits meet one command after the other.
fn kinds() -> Vec<Vec<String>> {
    let one = |command: &str| vec![command.to_owned()];
    let formats = |iterations| {
        let of = move |format: &Format| {
            let (name, extension) = (format.name, format.extension);
            format!("generate --iterations {iterations} --format {name} -o x.{extension}")
        };
        FORMATS.iter().map(of).collect()
    };
    let maps = MAPS.iter().map(|map| {
        let sizes = "--set clouds.iterations=6 --set teximage.iterations=6";
        let name = map.name;
        format!("generate --iterations 6 {sizes} --map {name} -o x-{{band}}.png")
    });
    let generators = Generator::NAMES.iter().map(|name| match *name {
        "image" => "generate large.png -o x.png".to_owned(),
        "midpoint-1d" => "stats --generator midpoint-1d --iterations 9".to_owned(),
        name => format!("generate --generator {name} --iterations 8 -o x.r16"),
    });
    let modifiers = ModifierKind::NAMES.iter().map(|kind| {
        format!("generate --iterations 8 --threads 16 --set modifiers.0.kind={kind} -o x.asc")
    });
    let types = RenderType::NAMES.iter().map(|name| {
        format!("render --iterations 5 --type {name} --size 96x54 --threads 2 -o x.png")
    });
    // Known to the command line alone, which names them where one is missing.
    let lists = String::from_utf8(landform(Path::new("."), "list").stderr).unwrap();
    let (_, lists) = lists.split_once('<').unwrap();
    let (lists, _) = lists.split_once('>').unwrap();
    vec![
        formats(6),
        formats(9),
        maps.collect(),
        generators.collect(),
        modifiers.collect(),
        one("generate large.png --set modifiers.0.kind=blur --set layers.0.weight=1 -o x.npy"),
        one("generate --iterations 11 --tiles 2x2 -o x-{row}-{column}.tif"),
        types.collect(),
        vec![
            "render --iterations 4 --size 64x36 --contact-sheet 2x1 -o x.png".to_owned(),
            "render --iterations 4 --size 64x36 --samples-per-pixel 2 -o x.png".to_owned(),
            "render large.png --size 64x36 -o x.png".to_owned(),
        ],
        vec![
            "stats --iterations 9".to_owned(),
            "stats large.png".to_owned(),
        ],
        lists
            .split('|')
            .map(|what| format!("list {what}"))
            .collect(),
    ]
}

/// A run under a limit, by a user of its own.
struct Case<'a> {
    folder: &'a Path,
    limit: Option<(&'static str, u64)>,
    user: u32,
}

struct Ended {
    status: ExitStatus,
    complaint: String,
}

impl Case<'_> {
    fn start(&self, arguments: &str, prepare: impl FnOnce(&mut Command) -> &mut Command) -> Child {
        let program = assert_cmd::cargo::cargo_bin("landform");
        let mut command = match self.limit {
            Some((what, most)) => {
                let mut command = Command::new("prlimit");
                command.arg(format!("{what}={most}")).arg(program);
                command
            }
            None => Command::new(program),
        };
        // Root has no limit of processes.
        if self.limit.is_some_and(|(what, _)| what == "--nproc") && is_root() {
            command.uid(self.user).gid(self.user);
        }
        command
            .current_dir(self.folder)
            .args(arguments.split_whitespace())
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        prepare(&mut command)
            .spawn()
            .expect("prlimit of util-linux is there, and the program may be run by anybody")
    }

    /// Waits for the end, which `meanwhile` may bring about.
    fn wait(&self, mut child: Child, what: &str, mut meanwhile: impl FnMut(&Child)) -> Ended {
        let started = Instant::now();
        let status = loop {
            match child.try_wait().unwrap() {
                Some(status) => break status,
                None if started.elapsed() > PATIENCE => {
                    child.kill().unwrap();
                    panic!("{what} hangs under {:?}", self.limit);
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
            meanwhile(&child);
        };
        let mut complaint = String::new();
        let mut stderr = child.stderr.take().unwrap();
        stderr.read_to_string(&mut complaint).unwrap();
        Ended { status, complaint }
    }

    fn run(&self, arguments: &str) -> Ended {
        let child = self.start(arguments, |command| command);
        self.wait(child, arguments, |_| {})
    }
}

/// Runs `landform` under a limit.
fn run(folder: &Path, arguments: &str, limit: Option<(&'static str, u64)>) -> Ended {
    let user = NOBODY;
    let case = Case {
        folder,
        limit,
        user,
    };
    case.run(arguments)
}

fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    line.unwrap().split_whitespace().next() == Some("0")
}

/// A folder that anybody may write into.
fn open_folder() -> tempfile::TempDir {
    let folder = folder();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    folder
}

/// A picture of 1024² pixels.
const LARGE: &str = "large.png";

fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let files = names(folder).into_iter().filter(|name| name != LARGE);
    let read = |name: String| (name.clone(), fs::read(folder.join(name)).unwrap());
    files.map(read).collect()
}

/// Whether a run was not done; then it ended with one line.
#[track_caller]
fn is_refused(ended: &Ended, limit: (&str, u64), what: &str) -> bool {
    let Ended { status, complaint } = ended;
    match status.code() {
        Some(0) => false,
        Some(1) => {
            // What it said before it came to that is no complaint.
            let lines = complaint.lines();
            let errors = lines.filter(|line| !line.starts_with("warning: "));
            let errors: Vec<_> = errors.collect();
            let is_one = matches!(errors[..], [error] if error.starts_with("error: "));
            assert!(is_one, "{what}");
            // A line that says what was short.
            assert!(!complaint.contains("internal error"), "{what}");
            true
        }
        // The system could not even start the program.
        Some(127) if complaint.contains("error while loading shared libraries") => {
            assert!(limit.1 <= 100 << 20, "{what}");
            true
        }
        _ => panic!("{what}"),
    }
}

/// Does something for every number below `count`, on all processors.
fn in_parallel(count: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let index @ 0.. = next.fetch_add(1, Relaxed)
                    && index < count
                {
                    work(index);
                }
            });
        }
    });
}

#[test]
fn runs_that_are_short_of_something_end_with_one_line_and_leave_nothing() {
    let shared = folder();
    let large = shared.path().join(LARGE);
    image::GrayImage::from_fn(1024, 1024, |x, y| image::Luma([(x ^ y) as u8]))
        .save(&large)
        .unwrap();
    let in_a_folder = |command: &str, limit, user| {
        let folder = open_folder();
        if command.contains(LARGE) {
            fs::copy(&large, folder.path().join(LARGE)).unwrap();
        }
        let path = folder.path();
        let ended = Case {
            folder: path,
            limit,
            user,
        }
        .run(command);
        (ended, contents(path))
    };
    let (kinds, limits) = (kinds(), limits());
    let mut commands: Vec<String> = kinds.iter().flatten().cloned().collect();
    commands.dedup();
    let help = String::from_utf8(landform(shared.path(), "--help").stdout).unwrap();
    let (_, subcommands) = help.split_once("Commands:\n").unwrap();
    let subcommands = subcommands.lines().take_while(|line| !line.is_empty());
    for name in subcommands.map(|line| line.split_whitespace().next().unwrap()) {
        let is_run = commands.iter().any(|command| command.starts_with(name));
        // The window is in the next test.
        assert!(is_run || ["view", "help"].contains(&name), "{name}");
    }
    // What each makes without a limit.
    let whole: Vec<OnceLock<_>> = commands.iter().map(|_| OnceLock::new()).collect();
    let whole = |command: &String| {
        let index = commands.iter().position(|known| known == command).unwrap();
        whole[index].get_or_init(|| {
            let (ended, files) = in_a_folder(command, None, 0);
            assert!(ended.status.success(), "{command}: {}", ended.complaint);
            (ended.complaint, files)
        })
    };
    let (refused, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    in_parallel(kinds.len() * limits.len(), |index| {
        let (turn, kind) = (index / kinds.len(), &kinds[index % kinds.len()]);
        let (limit, command) = (limits[turn], &kind[turn % kind.len()]);
        let (ended, files) = in_a_folder(command, Some(limit), NOBODY + index as u32);
        let Ended { status, complaint } = &ended;
        let what = format!("{command} under {limit:?}: {status}: {complaint}");
        if is_refused(&ended, limit, &what) {
            refused.fetch_add(1, Relaxed);
            // Tiles and bands are whole each.
            let (_, whole) = whole(command);
            assert!(files.iter().all(|file| whole.contains(file)), "{what}");
            assert!(files.is_empty() || command.contains('{'), "{what}");
        } else {
            done.fetch_add(1, Relaxed);
            let (said, whole) = whole(command);
            assert_eq!(complaint, said, "{what}");
            assert!(files == *whole, "{what}");
        }
    });
    // Neither is everything refused nor does every limit leave room.
    let (refused, done) = (refused.into_inner(), done.into_inner());
    assert!(
        refused >= 15 && done > 150,
        "{refused} refused, {done} done"
    );
}

/// Many threads share what little there is: each has a stack, and memory set aside for it.
#[test]
fn threads_are_as_many_as_memory_allows() {
    let command = "generate --iterations 8 --threads 16 --set modifiers.0.kind=flatten -o x.asc";
    let limits: Vec<u64> = (100..260).step_by(2).collect();
    let done = AtomicUsize::new(0);
    in_parallel(limits.len(), |index| {
        let (limit, folder) = (("--as", limits[index] << 20), open_folder());
        let ended = run(folder.path(), command, Some(limit));
        let Ended { status, complaint } = &ended;
        let what = format!("{command} under {limit:?}: {status}: {complaint}");
        if !is_refused(&ended, limit, &what) {
            done.fetch_add(1, Relaxed);
        }
    });
    assert!(done.into_inner() > limits.len() / 2);
}

/// Where there is more room there are at least as many threads: none sets so much aside that
/// others find none.
#[test]
fn more_memory_never_means_fewer_threads() {
    let folder = folder();
    let mut before = 0;
    for megabytes in (120..=260).step_by(10) {
        let run = Command::new("prlimit")
            .arg(format!("--as={}", megabytes << 20))
            .arg(env!("CARGO_BIN_EXE_landform"))
            .args("generate --iterations 3 --threads 16 --force -o x.asc".split(' '))
            .current_dir(folder.path())
            .env("RUST_LOG", "warn")
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&run.stderr);
        assert!(run.status.success(), "{megabytes} MB: {said}");
        let words: Vec<_> = said.split_whitespace().collect();
        let place = words
            .windows(2)
            .position(|pair| pair == ["threads,", "not"]);
        // Without a word all of them are there.
        let threads = place.map_or(15, |place| words[place - 1].parse().unwrap());
        assert!(threads >= before, "{megabytes} MB: {threads}, not {before}");
        before = threads;
    }
    assert_eq!(before, 15);
}

/// The window opens and draws, or says what it lacks.
#[test]
fn a_window_that_is_short_of_something_ends_with_one_line() {
    let (_server, display) = crate::screen::x_server();
    let all = limits().into_iter().skip(1).step_by(2);
    // What it keeps between starts may be too long then, which it survives.
    let limits: Vec<_> = all.filter(|(what, _)| *what != "--fsize").collect();
    let (refused, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    in_parallel(limits.len(), |index| {
        let (limit, folder) = (limits[index], open_folder());
        let config = folder.path().join("config");
        let case = Case {
            folder: folder.path(),
            limit: Some(limit),
            user: NOBODY + 1000 + index as u32,
        };
        let child = case.start("view --iterations 5 --size 320x240", |command| {
            let command = command.env("DISPLAY", &display);
            let command = command.env_remove("WAYLAND_DISPLAY");
            command
                .env("HOME", folder.path())
                .env("LANDFORM_CONFIG_DIR", &config)
        });
        let (mut is_asked, started) = (false, Instant::now());
        let ended = case.wait(child, "the window", |child| {
            // Its settings are written once it has drawn, if there are files enough.
            let is_open = config.join("settings.toml").exists() || started.elapsed() > OPEN_BY;
            if !is_asked && is_open {
                let id = child.id().to_string();
                let sent = Command::new("kill").arg(&id).status();
                is_asked = sent.unwrap().success();
            }
        });
        let Ended { status, complaint } = &ended;
        let what = format!("the window under {limit:?}: {status}: {complaint}");
        match is_refused(&ended, limit, &what) {
            true => refused.fetch_add(1, Relaxed),
            false => done.fetch_add(1, Relaxed),
        };
        let left = names(folder.path()).into_iter();
        let left = left.chain(
            config
                .is_dir()
                .then(|| names(&config))
                .into_iter()
                .flatten(),
        );
        let left: Vec<_> = left.filter(|name| name.ends_with(".part")).collect();
        assert_eq!(left, [""; 0], "{what}");
    });
    let (refused, done) = (refused.into_inner(), done.into_inner());
    assert!(refused >= 3 && done >= 2, "{refused} refused, {done} done");
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

/// What is made of an image that fitted may fit no more: it is counted, too.
#[test]
fn maps_of_a_large_image_are_done_or_refused_with_the_number() {
    let folder = folder();
    let image = fs::File::create(folder.path().join("flat.r16")).unwrap();
    image.set_len(4000 * 4000 * 2).unwrap();
    let ground = "--input flat.r16 --set surface.generator=image --set modifiers.0.kind=blur";
    let layer = "--set layers.0.surface.generator=image --set layers.0.surface.input=flat.r16";
    // How many maps of 61 MB there are at a time, and beside one of the image.
    for (command, maps) in [
        (format!("generate {ground} {layer} -o x.npy"), 2),
        (format!("render {ground} {layer} --size 64x36 -o x.png"), 5),
        (format!("stats {ground}"), 1),
    ] {
        let mut counted = 0;
        for megabytes in (175..700).step_by(35) {
            let limit = Some(("--as", megabytes << 20));
            let Ended { status, complaint } = run(folder.path(), &command, limit);
            let said = complaint
                .lines()
                .filter(|line| !line.starts_with("warning: "));
            let said: Vec<_> = said.collect();
            match (status.code(), &said[..]) {
                (Some(0), []) => break,
                (Some(1), [line]) => {
                    assert!(line.contains("MB"), "{command}: {line}");
                    let bytes: u64 = maps * 4000 * 4000 * 4;
                    let needed = format!("needs {} MB", bytes >> 20);
                    counted += usize::from(line.contains(&needed));
                }
                _ => panic!("{command} under {megabytes} MB: {status}: {complaint}"),
            }
        }
        // Less than three are no more than reading the image takes.
        assert!(counted > 0 || maps < 3, "{command}");
        assert!(
            names(folder.path())
                .iter()
                .all(|name| !name.ends_with(".part"))
        );
    }
}

/// Every format of maps is asked for its memory before it takes it.
#[test]
fn every_format_of_maps_is_refused_with_the_number() {
    let folder = folder();
    for format in landform::export::FORMATS
        .iter()
        .filter(|format| !format.is_mesh())
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
