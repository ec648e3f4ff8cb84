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
use landform::export::Format;
use landform::generate::Generator;
use landform::maps::MAPS;
use landform::modify::ModifierKind;
use landform::scene::RenderType;

mod addresses;
mod images;

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
