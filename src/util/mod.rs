//! Utilities without knowledge of terrain: jobs and threads, random numbers, languages, child processes.

/// Function multiversioning: compile each function, a loop over plain slices, for several instruction sets;
/// the best one is chosen at run time. None rounds differently, so the bits are the same.
macro_rules! vectorized {
    ($($function:item)+) => {$(
        #[multiversion::multiversion(targets(
            "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
            "x86_64+avx2",
        ))]
        $function
    )+};
}

pub mod child_process;
pub(crate) mod identity;
pub mod job;
pub mod language;
#[cfg(feature = "window")]
pub mod lengths;
#[cfg(feature = "render")]
pub mod lettering;
pub mod memory;
pub(crate) mod numbers;
pub(crate) mod parallel;
pub mod param;
pub(crate) mod power;
pub mod rng;
#[cfg(feature = "render")]
pub mod script;
#[cfg(any(feature = "window", feature = "cli"))]
pub mod system_fonts;
pub mod words;
