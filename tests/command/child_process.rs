//! Programs that Landform runs: they and all that they have started end with it, before their files
//! are removed, however little they listen.
#![cfg(target_os = "linux")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::common::{folder, names, wait_until};
use crate::film::{ffmpeg, film, with_programs};
use landform::app::files::{FileJob, Files};
use landform::batch_renderer::{FilmKind, FilmOrder};
use landform::child_process::{ChildProcess, ProcessError, ProcessLimits, run};
use landform::export::FilmFormat;
use landform::import;
use landform::job::Job;
use landform::render::RenderRequest;

/// More than a pipe holds.
const LARGE: usize = 1 << 20;
/// A film whose every picture is more than a pipe holds.
const MP4: &str = "film film.toml --size 320x180 -o film.mp4";
/// Starts a child of its own, writes down both, and listens to nothing any more.
const STALLED: &str = "sleep 1000 & echo $! > its-child; echo $$ > itself; exec sleep 1000";

fn shell(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder);
    command
}

/// Waits for the number of a process that a script writes down.
fn noted(folder: &Path, name: &str) -> u32 {
    let read = || fs::read_to_string(folder.join(name)).unwrap_or_default();
    wait_until(name, || read().ends_with('\n'));
    read().trim().parse().unwrap()
}

/// Whether a process does anything any more.
fn runs(process: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = state.rsplit_once(") ").map(|(_, state)| state.to_owned());
    state.is_some_and(|state| !state.starts_with(['Z', 'X']))
}

/// Starts a film with the programs of `folder`.
fn start_film(folder: &Path) -> Child {
    Command::new(assert_cmd::cargo::cargo_bin("landform"))
        .args(MP4.split_whitespace())
        .current_dir(folder)
        .env("PATH", path_with(folder))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn path_with(folder: &Path) -> String {
    format!("{}:/usr/bin:/bin", folder.join("bin").display())
}

/// Sends a film that signal; it must end as a cancelled one does.
#[track_caller]
fn stop(film: Child, signal: &str) {
    let id = film.id().to_string();
    let sent = Command::new("kill").args(["-s", signal, &id]).status();
    assert!(sent.unwrap().success());
    let output = film.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(said, "error: cancelled\n", "{signal}");
    assert_eq!(output.status.code(), Some(1), "{signal}");
}

#[test]
fn child_process_takes_input_and_output_is_kept() {
    let folder = folder();
    let mut command = shell(folder.path(), "echo $WORD >&2; cat");
    let command = command.env("WORD", "word");
    let limits = ProcessLimits {
        output: 2 * LARGE,
        ..ProcessLimits::default()
    };
    let mut child = ChildProcess::start_with_input(command, limits).unwrap();
    let input: Vec<u8> = (0..LARGE).map(|index| (index % 251) as u8).collect();
    for part in input.chunks(100_000) {
        child.write(part.to_owned(), &Job::new()).unwrap();
    }
    let output = child.finish(&Job::new()).unwrap();
    assert!(output.stdout == input && !output.is_cut);
    assert_eq!(output.stderr, b"word\n");
}

#[test]
fn more_output_than_the_limit_is_cut() {
    let folder = folder();
    let mut command = shell(folder.path(), "seq 100000; seq 100000 >&2");
    let limits = ProcessLimits {
        output: 100,
        ..ProcessLimits::default()
    };
    let output = run(&mut command, limits, &Job::new()).unwrap();
    assert!(output.is_cut);
    assert_eq!((output.stdout.len(), output.stderr.len()), (100, 100));
    assert!(output.stdout.starts_with(b"1\n2\n") && output.stderr.ends_with(b"\n100000\n"));
}

#[test]
fn a_failure_has_the_childs_last_words() {
    let folder = folder();
    let said = |script: &str| {
        let result = run(
            &mut shell(folder.path(), script),
            ProcessLimits::default(),
            &Job::new(),
        );
        result.unwrap_err().to_string()
    };
    assert_eq!(said("echo one >&2; echo two >&2; exit 3"), "sh: two");
    assert_eq!(said("exit 3"), "sh: exit status: 3");
    let mut missing = Command::new("no-such-program");
    let error = run(&mut missing, ProcessLimits::default(), &Job::new()).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("cannot start no-such-program"),
        "{error}"
    );
}

#[test]
fn success_without_all_input_is_a_failure() {
    let folder = folder();
    let mut command = shell(folder.path(), "exit 0");
    let mut child = ChildProcess::start_with_input(&mut command, ProcessLimits::default()).unwrap();
    let written = child.write(vec![0; LARGE], &Job::new());
    let ended = written.and_then(|()| child.finish(&Job::new()).map(drop));
    assert!(
        matches!(ended, Err(ProcessError::EndedEarly { .. })),
        "{ended:?}"
    );
}

#[test]
fn a_cancelled_child_is_gone_with_its_children() {
    let folder = folder();
    let folder = folder.path();
    let mut command = shell(folder, STALLED);
    let mut child = ChildProcess::start_with_input(&mut command, ProcessLimits::default()).unwrap();
    let processes = ["itself", "its-child"].map(|name| noted(folder, name));
    let job = Job::new();
    // It takes neither of them, and nobody waits.
    child.write(vec![0; LARGE], &job).unwrap();
    child.write(vec![0; LARGE], &job).unwrap();
    job.cancel();
    let cancelled = child.write(vec![0; LARGE], &job);
    assert!(
        matches!(cancelled, Err(ProcessError::Cancelled(_))),
        "{cancelled:?}"
    );
    assert!(matches!(
        child.finish(&job),
        Err(ProcessError::Cancelled(_))
    ));
    assert_eq!(processes.map(runs), [false; 2]);
}

#[test]
fn a_child_that_exceeds_a_limit_is_gone() {
    let usual = ProcessLimits::default();
    let silence = ProcessLimits {
        silence: Duration::from_millis(300),
        ..usual
    };
    let time = ProcessLimits {
        time: Duration::from_millis(300),
        ..usual
    };
    for (limits, script) in [
        (silence, STALLED.to_owned()),
        (time, format!("{STALLED} & while :; do echo busy; done")),
    ] {
        let folder = folder();
        let result = run(&mut shell(folder.path(), &script), limits, &Job::new());
        assert!(
            matches!(result, Err(ProcessError::TimeLimit { .. })),
            "{result:?}"
        );
        // On a busy machine it may not have come as far as to write them.
        for name in names(folder.path()) {
            let process = fs::read_to_string(folder.path().join(&name)).unwrap();
            let process = process.trim().parse();
            assert!(!process.is_ok_and(runs), "{script}: {name}");
        }
    }
}

#[test]
fn what_a_child_leaves_running_is_killed() {
    let folder = folder();
    let mut command = shell(folder.path(), "sleep 1000 & echo $! > its-child");
    run(&mut command, ProcessLimits::default(), &Job::new()).unwrap();
    assert!(!runs(noted(folder.path(), "its-child")));
}

#[test]
fn a_signal_ends_a_stalled_ffmpeg_too() {
    for signal in ["INT", "TERM", "HUP"] {
        let folder = film();
        let folder = folder.path();
        ffmpeg(folder, STALLED);
        let film = start_film(folder);
        let processes = ["itself", "its-child"].map(|name| noted(folder, name));
        stop(film, signal);
        assert_eq!(processes.map(runs), [false; 2], "{signal}");
        assert_eq!(
            names(folder),
            ["bin", "film.toml", "its-child", "itself"],
            "{signal}"
        );
    }
}

#[test]
fn ffmpeg_is_gone_before_its_file_is_removed() {
    let folder = film();
    let folder = folder.path();
    // Whenever the file is not there it is written again.
    let script = "for last; do :; done\nfile=\"${last#file:}\"\necho $$ > itself\n\
                  while :; do [ -e \"$file\" ] || echo again > \"$file\"; done";
    ffmpeg(folder, script);
    let film = start_film(folder);
    let process = noted(folder, "itself");
    stop(film, "INT");
    assert!(!runs(process));
    assert_eq!(names(folder), ["bin", "film.toml", "itself"]);
}

#[test]
fn a_film_stopped_at_ffmpegs_start_leaves_nothing() {
    let folders = std::env::var_os("PATH").unwrap();
    let real = std::env::split_paths(&folders)
        .map(|folder| folder.join("ffmpeg"))
        .find(|path| path.exists())
        .expect("ffmpeg must be installed: scripts/deps.sh test");
    let real = real.display();
    // The moments are those at which files were left behind; each of them ends well.
    for milliseconds in [0, 10, 20, 30, 45, 60, 80] {
        let folder = film();
        let folder = folder.path();
        ffmpeg(folder, &format!("echo $$ > itself\nexec {real} \"$@\""));
        let film = start_film(folder);
        let process = noted(folder, "itself");
        sleep(Duration::from_millis(milliseconds));
        let id = film.id().to_string();
        drop(Command::new("kill").args(["-s", "INT", &id]).status());
        let succeeded = film.wait_with_output().unwrap().status.success();
        assert!(!runs(process), "{milliseconds} ms");
        let mut left = names(folder);
        left.retain(|name| !(succeeded && name == "film.mp4"));
        assert_eq!(left, ["bin", "film.toml", "itself"], "{milliseconds} ms");
    }
}

#[test]
fn ffmpeg_that_writes_nothing_has_failed() {
    for script in [
        "cat > /dev/null",
        // Another's file in the place of ours.
        "for last; do :; done\nrm \"${last#file:}\"\ncat > \"${last#file:}\"",
    ] {
        let folder = film();
        let folder = folder.path();
        ffmpeg(folder, script);
        let said = with_programs(folder, MP4, 1);
        assert_eq!(
            said, "error: cannot write: nothing was written: film.mp4\n",
            "{script}"
        );
        assert_eq!(names(folder), ["bin", "film.toml"], "{script}");
    }
}

/// The folder of the films, in the process in which those are made.
const FOLDER: &str = "LANDFORM_TEST_FOLDER";

/// Runs a test once more in a process of its own, whose PATH begins with a stalled ffmpeg: one
/// process has one PATH. Returns the folder there.
fn with_stalled_ffmpeg(test: &str) -> Option<PathBuf> {
    if let Some(folder) = env::var_os(FOLDER) {
        return Some(folder.into());
    }
    let folder = film();
    ffmpeg(folder.path(), STALLED);
    let output = Command::new(env::current_exe().unwrap())
        .args(["--exact", &format!("child_process::{test}")])
        .env(FOLDER, folder.path())
        .env("PATH", path_with(folder.path()))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}"
    );
    let processes = ["itself", "its-child"].map(|name| noted(folder.path(), name));
    assert_eq!(processes.map(runs), [false; 2]);
    assert_eq!(
        names(folder.path()),
        ["bin", "film.toml", "its-child", "itself"]
    );
    None
}

/// The window's thread for films, with one under way.
fn films_with_one_under_way(folder: &Path) -> Files {
    let order = FilmOrder {
        scene: import::open(&folder.join("film.toml")).unwrap(),
        output: folder.join("film.mp4"),
        kind: FilmKind::Film(FilmFormat::named("mp4").unwrap()),
        shot: RenderRequest::new((320, 180)),
        numbers: (1, 8),
        resume: false,
    };
    let films = Files::start(|| {});
    films.hand(FileJob::Film(Box::new(order))).unwrap();
    noted(folder, "itself");
    films
}

#[test]
fn cancel_in_the_window_ends_a_stalled_ffmpeg() {
    let test = "cancel_in_the_window_ends_a_stalled_ffmpeg";
    let Some(folder) = with_stalled_ffmpeg(test) else {
        return;
    };
    let films = films_with_one_under_way(&folder);
    films.cancel();
    wait_until("the end of the film", || films.progress().is_none());
    assert!(!runs(noted(&folder, "itself")));
}

#[test]
fn quitting_the_window_ends_a_stalled_ffmpeg() {
    let test = "quitting_the_window_ends_a_stalled_ffmpeg";
    let Some(folder) = with_stalled_ffmpeg(test) else {
        return;
    };
    let films = films_with_one_under_way(&folder);
    films.abandon();
    // This waits for its thread.
    drop(films);
    assert!(!runs(noted(&folder, "itself")));
}

#[test]
fn progress_is_that_of_the_child() {
    let folder = folder();
    let job = Job::new();
    let script = "printf 123; until [ -e go ]; do sleep 0.01; done";
    let child = ChildProcess::start(&mut shell(folder.path(), script), ProcessLimits::default());
    let child = child
        .unwrap()
        .with_progress(|output| output.len() as f32 / 10.0);
    std::thread::scope(|scope| {
        let finished = scope.spawn(|| child.finish(&job));
        wait_until("progress", || job.progress() == 0.3);
        fs::write(folder.path().join("go"), "").unwrap();
        finished.join().unwrap().unwrap();
    });
}
