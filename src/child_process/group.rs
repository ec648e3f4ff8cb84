//! The child processes that run, each with the process group that it leads.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::POLL;

/// The child processes of this program that have not been reaped, by their numbers.
static RUNNING: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());

/// How long a killed process may take to be gone. It is longer only if it hangs in the system, such
/// as on a network's disk, or if nobody reaps the children that it leaves.
pub const DYING: Duration = Duration::from_secs(1);
/// Kills a child with all that it has started, unless it has been reaped.
pub fn kill(id: u32) {
    let mut running = lock_running();
    if let Some(mut child) = running.remove(&id) {
        kill_group(id, &mut child);
        reap(id, &mut child);
    }
}

/// Kills all child processes with all that they have started, and lets no more begin: the program
/// is about to end, whatever its threads are at.
pub fn kill_all() {
    let mut running = lock_running();
    kill_each(&mut running);
    std::mem::forget(running);
}

/// As [`kill_all`], where there is no memory or no other thread runs on: it waits for no lock.
pub fn kill_all_at_once() {
    if let Ok(mut running) = RUNNING.try_lock() {
        kill_each(&mut running);
    }
}

fn kill_each(running: &mut BTreeMap<u32, Child>) {
    for (id, child) in running.iter_mut() {
        kill_group(*id, child);
    }
    for (id, child) in running.iter_mut() {
        reap(*id, child);
    }
}

pub fn lock_running() -> MutexGuard<'static, BTreeMap<u32, Child>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How a child has ended, if it has. What it has left running is killed: as long as the child is
/// not reaped, no other process group can have its number.
pub fn reap_ended(id: u32) -> io::Result<Option<ExitStatus>> {
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

/// Waits until a killed child is reaped and nothing of its group is left.
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

/// Whether a child has ended; it is not reaped.
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

/// Kills a child, which is not reaped yet, and all that it has started.
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

/// Whether anything is left of a child's group.
#[cfg(unix)]
fn has_group(id: u32) -> bool {
    group_id(id).is_some_and(|group| rustix::process::test_kill_process_group(group).is_ok())
}

#[cfg(not(unix))]
fn has_group(_: u32) -> bool {
    false
}
