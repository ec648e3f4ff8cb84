//! Runs that are short of processes, open files or room in a file end with one line, never with a
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
use landform::export::Format;
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

/// Limits of a run: the name that `prlimit` has for the resource, and the number.
fn limits() -> Vec<(&'static str, u64)> {
    let processes = [0, 1, 2, 3, 5, 10, 20, 40];
    let files = [3, 4, 5, 6, 8, 12, 20];
    let of = |what, all: &[u64]| -> Vec<_> { all.iter().map(|most| (what, *most)).collect() };
    [
        of("--nproc", &processes),
        of("--nofile", &files),
        of("--fsize", &[0, 3_000, 100_000]),
    ]
    .concat()
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

fn is_root() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"));
    line.unwrap().split_whitespace().next() == Some("0")
}

/// Every kind of command: of each list the limits meet one command after the other.
fn kinds() -> Vec<Vec<String>> {
    let one = |command: &str| vec![command.to_owned()];
    let formats = |iterations| {
        let of = move |format: &Format| {
            let (name, extension) = (format.name, format.extension);
            format!("generate --iterations {iterations} --format {name} -o x.{extension}")
        };
        crate::common::written_formats().map(of).collect()
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
            "render --iterations 4 --size 64x36 --contact-sheet 3x1 --vary land -o x.png"
                .to_owned(),
            "render --iterations 4 --size 64x36 --samples-per-pixel 2 -o x.png".to_owned(),
            "render large.png --size 64x36 -o x.png".to_owned(),
        ],
        vec![
            "stats --iterations 9".to_owned(),
            "stats large.png".to_owned(),
        ],
        vec![
            "scene large.png --seed 7".to_owned(),
            "scene --vary seeds,land --variation 3".to_owned(),
            "diff alpine large.png".to_owned(),
        ],
        vec![
            "film --iterations 4 --set clouds.iterations=4 --like turntable --seconds 1 --fps 2 \
             --size 64x36 -o x.gif"
                .to_owned(),
            "film --iterations 4 --set clouds.iterations=4 --like flight --seconds 1 --fps 2 \
             --size 64x36 -o x-#.png"
                .to_owned(),
        ],
        lists
            .split('|')
            .map(|what| format!("list {what}"))
            .collect(),
    ]
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
fn is_refused(ended: &Ended, what: &str) -> bool {
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
        Some(127) if complaint.contains("error while loading shared libraries") => true,
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
fn starved_runs_end_cleanly_with_one_line() {
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
        if is_refused(&ended, &what) {
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
        refused >= 15 && done > 100,
        "{refused} refused, {done} done"
    );
}

/// The window opens and draws, or says what it lacks.
#[test]
fn starved_window_ends_with_one_line() {
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
        match is_refused(&ended, &what) {
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
