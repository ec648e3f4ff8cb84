//! Free memory, disk space and threads of the system, to refuse requests that do not fit before they
//! start.

use std::path::{Path, absolute};
use std::sync::Mutex;
use std::thread::Builder;

use sysinfo::{
    DiskRefreshKind, Disks, MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, RefreshKind,
    System,
};

/// Requests of fewer bytes are not checked.
const SMALL: u64 = 16 << 20;

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

/// True if the system allows `count` more threads. The test threads have ended when this returns.
#[must_use]
pub fn has_threads(count: usize) -> bool {
    let gate = Mutex::new(());
    std::thread::scope(|scope| {
        // Keeps all threads alive until the last one has started.
        let closed = gate.lock();
        let wait = || drop(gate.lock());
        let started: Vec<_> = (0..count)
            .map_while(|_| Builder::new().spawn_scoped(scope, wait).ok())
            .collect();
        drop(closed);
        let all = started.len() == count;
        started.into_iter().for_each(|thread| drop(thread.join()));
        all
    })
}

/// Free memory in bytes: the minimum of the machine and of the process's control group. `None` if the
/// system does not report it.
fn free() -> Option<u64> {
    let refresh = RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(refresh);
    let group = system.cgroup_limits().map(|limits| limits.free_memory);
    let all = Some(system.available_memory()).filter(|free| *free > 0);
    [all, group].into_iter().flatten().min()
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
