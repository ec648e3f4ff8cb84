//! Tests that measure memory or what processors do, and so must run alone.

#[path = "../helpers/pictures.rs"]
mod pictures;
#[path = "../helpers/screen.rs"]
mod screen;

#[path = "../helpers/common.rs"]
mod common;

mod bad_input;
mod cancel;
mod pacing;
mod responsive;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Waits until no other test of this program runs; the test that holds it is alone.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}
