//! Free memory, address space, disk space and threads of the system, to refuse requests that do not fit
//! before they start.

use std::fs;
use std::io;
use std::path::{Path, absolute};
use std::sync::Mutex;
use std::thread::Builder;

use sysinfo::{
    DiskRefreshKind, Disks, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind,
    System,
};

/// Requests of fewer bytes are not checked.
const SMALL: u64 = 16 << 20;

/// Address space that must be free before a thread is started: its stack, and a reserve for later work.
const THREAD: u64 = 24 << 20;

/// Error for more bytes than are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch {
    /// Number of bytes needed.
    pub needed: u64,
    /// Number of bytes free.
    pub free: u64,
}

/// Check that `needed` bytes of memory are free.
///
/// # Errors
/// Fewer are free; the error has both numbers.
pub fn check(needed: u64) -> Result<(), TooMuch> {
    if needed < SMALL {
        return Ok(());
    }
    match free() {
        Some(free) if needed > free => Err(TooMuch { needed, free }),
        _ => Ok(()),
    }
}

/// Check that `needed` bytes of address space are free. Where it is limited, thread stacks and driver
/// code count in full although little of them is ever touched.
///
/// # Errors
/// Fewer are free; the error has both numbers.
pub fn check_addresses(needed: u64) -> Result<(), TooMuch> {
    match free_addresses() {
        Some(free) if needed > free => Err(TooMuch { needed, free }),
        _ => Ok(()),
    }
}

/// Start a thread if there is room for it. Without this check, the standard library or the C library
/// would abort the program when a starting thread runs out of room.
///
/// # Errors
/// There is too little room, or the system refuses.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    check_addresses(THREAD).map_err(|TooMuch { .. }| io::ErrorKind::OutOfMemory)?;
    Builder::new().spawn(work).map(drop)
}

/// True if the system allows `count` more threads. The test threads have ended when this returns.
#[must_use]
pub fn has_threads(count: usize) -> bool {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        // Keeps all threads alive until the last one has started.
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

/// Free memory in bytes: the minimum of the machine, of the process's control group, and of its address
/// space limit (`ulimit -v`). `None` if the system does not report it.
#[must_use]
pub fn free() -> Option<u64> {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(refresh);
    let group = system.cgroup_limits().map(|limits| limits.free_memory);
    let all = Some(system.available_memory()).filter(|free| *free > 0);
    [all, group, free_addresses()].into_iter().flatten().min()
}

/// Free bytes on the disk of a path; `None` if the disk does not report them.
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

/// Memory used by this process, in bytes; `None` if the system does not report it.
#[must_use]
pub fn taken() -> Option<u64> {
    let own = sysinfo::get_current_pid().ok()?;
    let mut system = System::new();
    let memory = ProcessRefreshKind::nothing().with_memory();
    system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, memory);
    system.process(own).map(sysinfo::Process::memory)
}

/// Free address space where it is limited, on systems with `/proc`.
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
