//! Utilities without knowledge of terrain: jobs and threads, random numbers, languages, child processes.

#[macro_use]
mod vectorized;

pub mod child_process;
pub(crate) mod identity;
pub mod job;
pub mod language;
#[cfg(feature = "render")]
pub mod lettering;
pub mod memory;
pub(crate) mod numbers;
pub(crate) mod parallel;
pub mod param;
pub mod rng;
#[cfg(feature = "render")]
pub mod script;
pub(crate) mod spline;
#[cfg(any(feature = "window", feature = "cli"))]
pub mod system_fonts;
pub(crate) mod table;
pub mod words;
