//! Child processes with limits on time and output, ended together with all of their descendants.
//!
//! ```text
//! write ──► thread ──► stdin  ┐       ┌ stdout ──► thread ──► ProcessOutput,
//!                             ├ child ┤                        up to a limit
//! finish: polls for its end   ┘       └ stderr ──► thread ──►
//! ```
//! Only these threads block on pipes, so a program that reads or writes nothing cannot delay a cancelled
//! [`Job`]. Each child leads its own process group: Ctrl-C in the terminal reaches only this program, and
//! a signal to the group reaches the child's descendants. If this program is killed, a child reads the
//! end of its input.
//!
//! If a child writes a file, drop its [`ChildProcess`] before removing the file: then no process is left
//! to write it again.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, sleep};
use std::time::{Duration, Instant};

use crate::util::job::{Cancelled, Job};
use crate::util::language::tr;

/// Polling interval for a child.
const POLL: Duration = Duration::from_millis(5);
/// Bytes written to a pipe at a time; each write counts as a sign of life.
const CHUNK: usize = 1 << 16;

/// Limits of a child process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Maximum time without taking input, writing output, or ending.
    pub silence: Duration,
    /// Maximum total time.
    pub time: Duration,
    /// Maximum bytes of standard output and of standard error that are kept; the rest is read and
    /// discarded.
    pub output: usize,
}

impl Default for ProcessLimits {
    /// Ten minutes of silence, unlimited time, and a megabyte of output.
    fn default() -> Self {
        Self {
            silence: Duration::from_secs(600),
            time: Duration::MAX,
            output: 1 << 20,
        }
    }
}

/// Output of a child process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProcessOutput {
    /// Beginning of standard output.
    pub stdout: Vec<u8>,
    /// End of standard error.
    pub stderr: Vec<u8>,
    /// True if output beyond the limit was discarded.
    pub is_cut: bool,
}

/// Failure of a child process.
#[derive(Debug, thiserror::Error)]
pub enum ProcessError {
    /// The job was cancelled.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// The program could not be started.
    #[error("{}", tr!("cannot start {program}: {}", error, program))]
    Start {
        /// Name of the program.
        program: String,
        /// Error of the system.
        error: io::Error,
    },
    /// The process was silent or ran for too long.
    #[error("{}", tr!("{program} was stopped after {seconds} s: it did not finish", program, seconds))]
    TimeLimit {
        /// Name of the program.
        program: String,
        /// The exceeded limit, in seconds.
        seconds: u64,
    },
    /// The process ended with success before it had read all of its input.
    #[error("{}", tr!("{program} ended too early", program))]
    EndedEarly {
        /// Name of the program.
        program: String,
    },
    /// The process failed.
    #[error("{program}: {words}")]
    Failed {
        /// Name of the program.
        program: String,
        /// Last line of standard error, or the exit status.
        words: String,
        /// End of standard error.
        stderr: Vec<u8>,
    },
}

/// True if a program of this name is in the search path.
#[must_use]
pub fn is_installed(program: &str) -> bool {
    let name = format!("{program}{}", env::consts::EXE_SUFFIX);
    let found = |path| env::split_paths(&path).any(|folder| is_executable(&folder.join(&name)));
    // Without PATH the system uses a default search path that is unknown here.
    env::var_os("PATH").is_none_or(found)
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let found = path.metadata();
    found.is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Run a program without input to its end.
///
/// # Errors
/// It cannot be started, fails, exceeds a limit, or the job is cancelled. All of its processes are ended
/// then.
pub fn run(
    command: &mut Command,
    limits: ProcessLimits,
    job: &Job,
) -> Result<ProcessOutput, ProcessError> {
    ChildProcess::start(command, limits)?.finish(job)
}

/// A running program. On drop it is killed with all of its descendants.
#[derive(Debug)]
pub struct ChildProcess {
    id: u32,
    program: String,
    limits: ProcessLimits,
    watch: Stopwatch,
    input: Option<SyncSender<Vec<u8>>>,
    /// Parser of standard output for the share of the work that is done.
    progress: Option<fn(&[u8]) -> f32>,
    pipes: Arc<Pipes>,
    /// Closed when all pipe threads have ended, since each holds a sender.
    threads: Receiver<()>,
}

/// Stopwatch for [`ProcessLimits`]. It runs only while this program waits for the child, so time spent on
/// making input or while stopped (Ctrl-Z) does not count.
#[derive(Debug)]
struct Stopwatch {
    last: Instant,
    /// Bytes moved through the pipes at the last look.
    moved: u64,
    silence: Duration,
    time: Duration,
}

impl Stopwatch {
    /// Maximum counted time between two looks.
    const MOST: Duration = Duration::from_secs(1);

    fn start() -> Self {
        Self {
            last: Instant::now(),
            moved: 0,
            silence: Duration::ZERO,
            time: Duration::ZERO,
        }
    }

    fn note(&mut self, moved: u64) {
        let passed = self.last.elapsed().min(Self::MOST);
        self.last = Instant::now();
        self.time += passed;
        if moved == self.moved {
            self.silence += passed;
        } else {
            (self.moved, self.silence) = (moved, Duration::ZERO);
        }
    }
}

/// State shared with the pipe threads.
#[derive(Debug, Default)]
struct Pipes {
    /// Total bytes moved through all pipes.
    moved: AtomicU64,
    /// True if the child did not take all input.
    is_refused: AtomicBool,
    output: Mutex<ProcessOutput>,
}

impl ChildProcess {
    /// Start a program without input.
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start(command: &mut Command, limits: ProcessLimits) -> Result<Self, ProcessError> {
        Self::spawn(command.stdin(Stdio::null()), limits)
    }

    /// Start a program whose input is passed by [`ChildProcess::write`].
    ///
    /// # Errors
    /// It cannot be started.
    pub fn start_with_input(
        command: &mut Command,
        limits: ProcessLimits,
    ) -> Result<Self, ProcessError> {
        Self::spawn(command.stdin(Stdio::piped()), limits)
    }

    fn spawn(command: &mut Command, limits: ProcessLimits) -> Result<Self, ProcessError> {
        let program = Path::new(command.get_program());
        let program = program.file_stem().map(OsStr::to_string_lossy);
        let program = program.unwrap_or_default().into_owned();
        let failed = |error| ProcessError::Start {
            program: program.clone(),
            error,
        };
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // Held over the start, so that `kill_all` cannot miss the child.
        let mut running = lock_running();
        let mut child = command.spawn().map_err(failed)?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let id = child.id();
        running.insert(id, child);
        drop(running);
        let (over, threads) = channel();
        let mut started = Self {
            id,
            program: program.clone(),
            limits,
            watch: Stopwatch::start(),
            input: None,
            progress: None,
            pipes: Arc::default(),
            threads,
        };
        let (stdin, stdout, stderr) = pipes;
        if let Some(stdin) = stdin {
            // A bound of one buffer limits the memory if the child reads slowly.
            let (input, waiting) = sync_channel(1);
            started.input = Some(input);
            let moving = move |pipes: &Pipes| write_pipe(&waiting, stdin, pipes);
            started.serve_pipe(&over, moving).map_err(failed)?;
        }
        if let Some(mut stdout) = stdout {
            let kept =
                move |pipes: &Pipes| read_pipe(&mut stdout, pipes, keep_beginning, limits.output);
            started.serve_pipe(&over, kept).map_err(failed)?;
        }
        if let Some(mut stderr) = stderr {
            let kept = move |pipes: &Pipes| read_pipe(&mut stderr, pipes, keep_end, limits.output);
            started.serve_pipe(&over, kept).map_err(failed)?;
        }
        Ok(started)
    }

    /// Start a thread for a pipe.
    fn serve_pipe(
        &self,
        over: &Sender<()>,
        work: impl FnOnce(&Pipes) + Send + 'static,
    ) -> io::Result<()> {
        let (over, pipes) = (over.clone(), Arc::clone(&self.pipes));
        let thread = Builder::new().spawn(move || {
            work(&pipes);
            drop(over);
        });
        thread.map(drop)
    }

    /// Show the child's progress as the job's: `progress` is given standard output so far and returns the
    /// share of the work that is done, 0…1.
    #[must_use]
    pub fn with_progress(mut self, progress: fn(&[u8]) -> f32) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Pass more input to the child. Blocks until the queue has room.
    ///
    /// # Errors
    /// The child takes no more input, exceeds a limit, or the job is cancelled. The process must be
    /// dropped then.
    pub fn write(&mut self, mut bytes: Vec<u8>, job: &Job) -> Result<(), ProcessError> {
        loop {
            let sent = match &self.input {
                Some(input) => input.try_send(bytes),
                None => Err(TrySendError::Disconnected(bytes)),
            };
            match sent {
                Ok(()) => return Ok(()),
                Err(TrySendError::Disconnected(_)) => {
                    // The child has ended: report its own error message if it failed.
                    self.wait(job)?;
                    return Err(self.ended_early());
                }
                Err(TrySendError::Full(back)) => bytes = back,
            }
            self.check(job)?;
            sleep(POLL);
        }
    }

    /// Close the input, wait for the child to end, and return its output.
    ///
    /// # Errors
    /// The child fails, does not read all of its input, exceeds a limit, or the job is cancelled.
    pub fn finish(mut self, job: &Job) -> Result<ProcessOutput, ProcessError> {
        self.wait(job)
    }

    fn wait(&mut self, job: &Job) -> Result<ProcessOutput, ProcessError> {
        drop(self.input.take());
        let status = loop {
            let status =
                reap_ended(self.id).map_err(|error| self.failed(error.to_string(), Vec::new()))?;
            match status {
                Some(status) => break status,
                None => self.check(job)?,
            }
            sleep(POLL);
        };
        // All holders of the pipes are gone, except descendants that left the group; do not wait for those.
        let _ = self.threads.recv_timeout(DYING);
        let output = self.pipes.output.lock();
        let output = output.unwrap_or_else(PoisonError::into_inner).clone();
        if !status.success() {
            let words = last_line(&output.stderr).unwrap_or_else(|| status.to_string());
            return Err(self.failed(words, output.stderr));
        }
        match self.pipes.is_refused.load(Ordering::Relaxed) {
            true => Err(self.ended_early()),
            false => Ok(output),
        }
    }

    /// Check the limits and the job.
    fn check(&mut self, job: &Job) -> Result<(), ProcessError> {
        job.check()?;
        if let Some(progress) = self.progress {
            let output = self.pipes.output.lock();
            let done = progress(&output.unwrap_or_else(PoisonError::into_inner).stdout);
            job.advance((done * 1000.0) as u64, 1000);
        }
        self.watch.note(self.pipes.moved.load(Ordering::Relaxed));
        let (watch, limits) = (&self.watch, self.limits);
        let limit = if watch.silence > limits.silence {
            limits.silence
        } else if watch.time > limits.time {
            limits.time
        } else {
            return Ok(());
        };
        Err(ProcessError::TimeLimit {
            program: self.program.clone(),
            seconds: limit.as_secs(),
        })
    }

    fn failed(&self, words: String, stderr: Vec<u8>) -> ProcessError {
        ProcessError::Failed {
            program: self.program.clone(),
            words,
            stderr,
        }
    }

    fn ended_early(&self) -> ProcessError {
        ProcessError::EndedEarly {
            program: self.program.clone(),
        }
    }
}

impl Drop for ChildProcess {
    fn drop(&mut self) {
        kill(self.id);
    }
}

/// Write queued input to a pipe until the queue ends or the reader closes.
fn write_pipe(waiting: &Receiver<Vec<u8>>, mut into: impl Write, pipes: &Pipes) {
    while let Ok(bytes) = waiting.recv() {
        for part in bytes.chunks(CHUNK) {
            if into.write_all(part).is_err() {
                pipes.is_refused.store(true, Ordering::Relaxed);
                return;
            }
            let moved = part.len() as u64;
            pipes.moved.fetch_add(moved, Ordering::Relaxed);
        }
    }
}

/// Read a pipe to its end and store the part that `keep` selects.
fn read_pipe(
    from: &mut dyn Read,
    pipes: &Pipes,
    keep: fn(&mut ProcessOutput, &[u8], usize),
    limit: usize,
) {
    let mut part = [0; 4096];
    loop {
        match from.read(&mut part) {
            Ok(0) => return,
            Ok(count) => {
                pipes.moved.fetch_add(count as u64, Ordering::Relaxed);
                let output = pipes.output.lock();
                let mut output = output.unwrap_or_else(PoisonError::into_inner);
                keep(&mut output, &part[..count], limit);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return,
        }
    }
}

fn keep_beginning(output: &mut ProcessOutput, part: &[u8], limit: usize) {
    let room = limit.saturating_sub(output.stdout.len()).min(part.len());
    output.is_cut |= room < part.len();
    output.stdout.extend_from_slice(&part[..room]);
}

fn keep_end(output: &mut ProcessOutput, part: &[u8], limit: usize) {
    let kept = &mut output.stderr;
    kept.extend_from_slice(part);
    let over = kept.len().saturating_sub(limit);
    output.is_cut |= over > 0;
    drop(kept.drain(..over));
}

/// Last line that is not empty.
fn last_line(text: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().rev().map(str::trim);
    lines.find(|line| !line.is_empty()).map(str::to_owned)
}

// Running child processes, each the leader of a process group.

/// Child processes of this program that have not been reaped, by process ID.
static RUNNING: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());

/// Maximum time to wait for a killed process to end. It takes longer only if it hangs in the system, as
/// on a network disk, or if its own children are not reaped.
const DYING: Duration = Duration::from_secs(1);
/// Kill a child with all of its descendants, unless it has been reaped.
fn kill(id: u32) {
    let mut running = lock_running();
    if let Some(mut child) = running.remove(&id) {
        kill_group(id, &mut child);
        reap(id, &mut child);
    }
}

/// Kill all child processes with their descendants and prevent new ones. For use when the program is
/// about to end while its threads still run.
pub fn kill_all() {
    let mut running = lock_running();
    for (id, child) in running.iter_mut() {
        kill_group(*id, child);
    }
    // A second loop, so that all end in parallel instead of one after the other.
    for (id, child) in running.iter_mut() {
        reap(*id, child);
    }
    std::mem::forget(running);
}

fn lock_running() -> MutexGuard<'static, BTreeMap<u32, Child>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Exit status of a child, if it has ended; its remaining descendants are killed. Until the child is
/// reaped, no other process group can get its ID.
fn reap_ended(id: u32) -> io::Result<Option<ExitStatus>> {
    let mut running = lock_running();
    let child = running.get_mut(&id);
    let child = child.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    if !has_ended(id, child)? {
        return Ok(None);
    }
    kill_group(id, child);
    let status = child.wait()?;
    reap(id, child);
    running.remove(&id);
    Ok(Some(status))
}

/// Wait until a killed child is reaped and its group is empty.
fn reap(id: u32, child: &mut Child) {
    let began = Instant::now();
    let is_left = |child: &mut Child| matches!(child.try_wait(), Ok(None)) || has_group(id);
    while is_left(child) && began.elapsed() < DYING {
        sleep(POLL / 5);
    }
}

#[cfg(unix)]
fn group_id(id: u32) -> Option<rustix::process::Pid> {
    rustix::process::Pid::from_raw(i32::try_from(id).ok()?)
}

/// True if a child has ended; does not reap it.
#[cfg(unix)]
fn has_ended(id: u32, _: &mut Child) -> io::Result<bool> {
    use rustix::process::{WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let ended = group_id(id).map(|id| waitid(WaitId::Pid(id), options));
    Ok(ended.transpose()?.flatten().is_some())
}

#[cfg(not(unix))]
fn has_ended(_: u32, child: &mut Child) -> io::Result<bool> {
    Ok(child.try_wait()?.is_some())
}

/// Kill a child, which must not be reaped yet, with all of its descendants.
#[cfg(unix)]
fn kill_group(id: u32, _: &mut Child) {
    use rustix::process::{Signal, kill_process_group};
    if let Some(group) = group_id(id) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32, child: &mut Child) {
    drop(child.kill());
}

/// True if a process of the child's group is left.
#[cfg(unix)]
fn has_group(id: u32) -> bool {
    group_id(id).is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
}

#[cfg(not(unix))]
fn has_group(_: u32) -> bool {
    false
}
