//! Check of the address space and threads that an OpenGL driver needs.
//!
//! Mesa's software driver waits for ever for threads that the system refuses, and its behaviour without
//! memory is undefined, so both are checked in advance.

use std::thread::available_parallelism;

use crate::memory::{self, TooMuch, has_threads};
use crate::render::error::RenderError;

/// Address space for the driver's code and a small picture, in bytes.
const ADDRESSES: u64 = 256 << 20;
/// Address space of a thread, in bytes: its stack, and its reserved heap.
const OF_A_THREAD: u64 = 64 << 20;
/// Threads besides one per core: 2 were measured.
const MORE_THREADS: usize = 4;
/// Maximum number of threads that drivers start for the cores.
const MOST_CORES: usize = 32;

/// Check that the system has the resources a driver needs, and `threads` more threads.
///
/// # Errors
/// [`RenderError::NoThreads`], [`RenderError::NoAddresses`].
pub fn check_room(threads: usize) -> Result<(), RenderError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let needed = cores.min(MOST_CORES) + MORE_THREADS + threads;
    memory::check_addresses(ADDRESSES + OF_A_THREAD * needed as u64)
        .map_err(|TooMuch { needed, free }| RenderError::NoAddresses { needed, free })?;
    if has_threads(needed) {
        Ok(())
    } else {
        Err(RenderError::NoThreads { needed })
    }
}
