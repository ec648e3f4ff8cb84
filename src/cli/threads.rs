//! The threads that work is shared among.

use std::thread::Builder;

/// Who asks for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// This thread, which then takes its share.
    ThisThread,
    /// Others, while this one serves a window.
    Others,
}

/// Starts as many threads as were asked for, or as the machine has cores. Where the system refuses
/// them there are fewer: a thread that is missing only never takes up work. Once a run.
///
/// # Errors
/// There is not one thread to do the work.
pub fn start(asked: Option<usize>, by: By) -> Result<(), rayon::ThreadPoolBuildError> {
    let mut is_needed = by == By::Others;
    let spawn = move |worker: rayon::ThreadBuilder| {
        match Builder::new().spawn(|| worker.run()) {
            Ok(_) => is_needed = false,
            Err(error) if is_needed => return Err(error),
            Err(error) => log::warn!("a thread less: {error}"),
        }
        Ok(())
    };
    let threads = rayon::ThreadPoolBuilder::new().num_threads(asked.unwrap_or(0));
    match by {
        By::ThisThread => threads
            .use_current_thread()
            .spawn_handler(spawn)
            .build_global(),
        By::Others => threads.spawn_handler(spawn).build_global(),
    }
}
