//! How much memory and how many threads there are, and whether a request fits, known before it is
//! taken.

use std::fs;
use std::io;
use std::sync::Mutex;
use std::thread::Builder;

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// Requests of fewer bytes are not worth the question.
const SMALL: u64 = 16 << 20;

/// Addresses that are free before a thread is started: for its stack, and for what is done after.
const THREAD: u64 = 24 << 20;

/// More is wanted than there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMuch {
    /// Bytes wanted.
    pub needed: u64,
    /// Bytes free.
    pub free: u64,
}

/// Refuses so many bytes if they are not free.
///
/// # Errors
/// With both numbers.
pub fn check(needed: u64) -> Result<(), TooMuch> {
    if needed < SMALL {
        return Ok(());
    }
    match free() {
        Some(free) if needed > free => Err(TooMuch { needed, free }),
        _ => Ok(()),
    }
}

/// As [`check`], of the address space alone: where it is limited, threads and the code of drivers
/// count although little of it is ever touched.
///
/// # Errors
/// With both numbers.
pub fn check_addresses(needed: u64) -> Result<(), TooMuch> {
    match free_addresses() {
        Some(free) if needed > free => Err(TooMuch { needed, free }),
        _ => Ok(()),
    }
}

/// Starts a thread, if there is room for one: of a thread that finds none as it starts the
/// standard library and the system's make an end of the program.
///
/// # Errors
/// There is no room, or the system refuses.
pub fn spawn(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    check_addresses(THREAD).map_err(|TooMuch { .. }| io::ErrorKind::OutOfMemory)?;
    Builder::new().spawn(work).map(drop)
}

/// Whether the system gives so many threads more. They are gone again when this returns.
#[must_use]
pub fn has_threads(count: usize) -> bool {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        // All of them are there before the first may end.
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

/// Free bytes: of the machine, of the control group that the process is in, and of the address
/// space that it is allowed (`ulimit -v`). `None` where the system does not say.
#[must_use]
pub fn free() -> Option<u64> {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(refresh);
    let group = system.cgroup_limits().map(|limits| limits.free_memory);
    let all = Some(system.available_memory()).filter(|free| *free > 0);
    [all, group, free_addresses()].into_iter().flatten().min()
}

/// What is left of a limit on addresses, on systems with `/proc`.
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
