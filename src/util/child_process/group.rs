//! Running child processes, each the leader of a process group.

use std::collections::BTreeMap;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::POLL;

/// Child processes of this program that have not been reaped, by process ID.
static RUNNING: Mutex<BTreeMap<u32, Child>> = Mutex::new(BTreeMap::new());

/// Maximum time to wait for a killed process to end. It takes longer only if it hangs in the system, as
/// on a network disk, or if its own children are not reaped.
pub const DYING: Duration = Duration::from_secs(1);
/// Kill a child with all of its descendants, unless it has been reaped.
pub fn kill(id: u32) {
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

pub fn lock_running() -> MutexGuard<'static, BTreeMap<u32, Child>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Exit status of a child, if it has ended; its remaining descendants are killed. Until the child is
/// reaped, no other process group can get its ID.
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
