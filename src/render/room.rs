//! Check of the threads that an OpenGL driver needs: Mesa's software driver waits for ever for threads
//! that the system refuses.

use std::thread::available_parallelism;

use crate::render::error::RenderError;
use crate::util::memory::has_threads;

/// Threads besides one per core: 2 were measured.
const MORE_THREADS: usize = 4;
/// Maximum number of threads that drivers start for the cores.
const MOST_CORES: usize = 32;

/// Check that the system allows the threads of a driver, and `threads` more.
///
/// # Errors
/// [`RenderError::NoThreads`].
pub fn check_room(threads: usize) -> Result<(), RenderError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let needed = cores.min(MOST_CORES) + MORE_THREADS + threads;
    match has_threads(needed) {
        true => Ok(()),
        false => Err(RenderError::NoThreads { needed }),
    }
}
