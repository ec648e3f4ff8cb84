//! What a graphics driver takes for granted. Mesa's driver in software waits for ever for threads
//! that the system has refused it, and what it does without memory is up to chance; so both are
//! asked for before a driver is.

use std::thread::available_parallelism;

use crate::memory::{self, TooMuch, has_threads};
use crate::render::error::RenderError;

/// Addresses for a driver's code and for a small picture.
const ADDRESSES: u64 = 256 << 20;
/// Addresses of a thread: its stack, and what is set aside for its memory.
const OF_A_THREAD: u64 = 64 << 20;
/// Threads beside one for each core: 2 are measured.
const MORE_THREADS: usize = 4;
/// No driver starts more than that for the cores.
const MOST_CORES: usize = 32;

/// Makes sure that the system has what a driver needs, and so many `threads` beside.
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
