//! What the program does when the system has no more memory. A library may not end its program, so
//! it is the binary that makes [`Memory`] its allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The system's memory. Where it has no more, the program ends with one line, not with a signal.
#[derive(Debug)]
pub struct Memory;

// SAFETY: every call goes to the system's allocator as it is; none returns without memory.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Memory {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        there(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        there(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        there(unsafe { System.realloc(old, layout, size) }, size)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        unsafe { System.dealloc(old, layout) }
    }
}

fn there(memory: *mut u8, bytes: usize) -> *mut u8 {
    if memory.is_null() {
        end(bytes);
    }
    memory
}

/// Ends the program without asking for memory: what it began to write is removed, nothing else
/// runs any more.
#[cold]
fn end(bytes: usize) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    if ENDS.swap(true, Ordering::SeqCst) {
        // Another thread was first.
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    crate::export::abandon_at_once();
    let _ = writeln!(
        std::io::stderr(),
        "error: out of memory: the system has not got {bytes} bytes more"
    );
    signal_hook::low_level::exit(1)
}
