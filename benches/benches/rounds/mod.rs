//! Times taken in turn, round after round, of which the quickest counts: the one that the rest of
//! the machine disturbed least.

use std::time::{Duration, Instant};

/// The arguments that name what is wanted; none names all.
pub fn is_wanted(name: &str) -> bool {
    let mut parts = std::env::args()
        .skip(1)
        .filter(|a| !a.starts_with('-'))
        .peekable();
    parts.peek().is_none() || parts.any(|part| name.contains(&part))
}

/// How long `work` takes.
pub fn time(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// In seconds.
pub fn quickest(times: &[Duration]) -> f64 {
    times.iter().min().map_or(f64::NAN, Duration::as_secs_f64)
}

/// A pool of that many threads.
pub fn pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.build().expect("a thread pool")
}
