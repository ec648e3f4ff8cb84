//! How much memory and how many threads the system has, so that it is known before a request
//! whether it fits.

use std::fs;
use std::io;
use std::path::{Path, absolute};
use std::sync::Mutex;
use std::thread::Builder;

use sysinfo::{
    DiskRefreshKind, Disks, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind,
    System,
};

/// Requests of fewer bytes than this are not worth the question.
const SMALL: u64 = 16 << 20;

/// The addresses that must be free before a thread is started: for its stack, and for what is done
/// after.
const THREAD: u64 = 24 << 20;

/// The error that more is wanted than is free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch {
    /// The number of bytes wanted.
    pub needed: u64,
    /// The number of bytes free.
    pub free: u64,
}

/// Checks that `needed` bytes are free.
///
/// # Errors
/// They are not; the error has both numbers.
pub fn check(needed: u64) -> Result<(), TooMuch> {
    if needed < SMALL {
        return Ok(());
    }
    match free() {
        Some(free) if needed > free => Err(TooMuch { needed, free }),
        _ => Ok(()),
    }
}

/// Checks that `needed` bytes of addresses are free. Where addresses are limited, threads and the
/// code of drivers count although little of them is ever touched.
///
/// # Errors
/// They are not; the error has both numbers.
pub fn check_addresses(needed: u64) -> Result<(), TooMuch> {
    match free_addresses() {
        Some(free) if needed > free => Err(TooMuch { needed, free }),
        _ => Ok(()),
    }
}

/// Starts a thread, if there is room for one. If a thread finds no room while it starts, the
/// standard library and the system's library end the program.
///
/// # Errors
/// There is no room, or the system refuses.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    check_addresses(THREAD).map_err(|TooMuch { .. }| io::ErrorKind::OutOfMemory)?;
    Builder::new().spawn(work).map(drop)
}

/// Whether the system gives `count` more threads. They are gone again when this returns.
#[must_use]
pub fn has_threads(count: usize) -> bool {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        // All of them exist before the first may end.
        let closed = gate.lock();
        let wait = || drop(gate.lock());
        let room = || check_addresses(THREAD).ok();
        let started: Vec<_> = (0..count)
            .map_while(|_| room().and_then(|()| Builder::new().spawn_scoped(scope, wait).ok()))
            .collect();
        drop(closed);
        let all = started.len() == count;
        started.into_iter().for_each(|thread| drop(thread.join()));
        all
    })
}

/// The number of free bytes: the least of those of the machine, of the control group that the
/// process is in, and of the address space that it is allowed (`ulimit -v`). `None` where the
/// system does not say.
#[must_use]
pub fn free() -> Option<u64> {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(refresh);
    let group = system.cgroup_limits().map(|limits| limits.free_memory);
    let all = Some(system.available_memory()).filter(|free| *free > 0);
    [all, group, free_addresses()].into_iter().flatten().min()
}

/// The bytes that are free on the disk of a path; `None` where a disk says nothing of itself.
#[must_use]
pub fn free_on_disk(path: &Path) -> Option<u64> {
    let place = absolute(path).unwrap_or_else(|_| path.to_owned());
    let storage = DiskRefreshKind::nothing().with_storage();
    let disks = Disks::new_with_refreshed_list_specifics(storage);
    let holding = disks
        .iter()
        .filter(|disk| place.starts_with(disk.mount_point()))
        .max_by_key(|disk| disk.mount_point().as_os_str().len());
    holding
        .map(|disk| disk.available_space())
        .filter(|free| *free > 0)
}

/// The bytes of memory that the program takes up. `None` where the system does not say.
#[must_use]
pub fn taken() -> Option<u64> {
    let own = sysinfo::get_current_pid().ok()?;
    let mut system = System::new();
    let memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, memory);
    system.process(own).map(sysinfo::Process::memory)
}

/// The addresses that are left where they are limited, on systems with `/proc`.
pub(crate) fn free_addresses() -> Option<u64> {
    const PAGE: u64 = 4096;
    let limits = fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits
        .lines()
        .find_map(|line| line.strip_prefix("Max address space"))?;
    let most: u64 = line.split_whitespace().next()?.parse().ok()?;
    let taken = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = taken.split_whitespace().next()?.parse().ok()?;
    Some(most.saturating_sub(pages * PAGE))
}
