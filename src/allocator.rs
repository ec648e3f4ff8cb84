//! The end of the program, with one line, when the system has no more memory, when a graphics driver
//! fails for want of it, or when the X server is gone. A library may not end its program, so the binary
//! makes [`Memory`] its allocator and calls [`end_on_faults`] and [`share_one_heap`].

use std::alloc::{GlobalAlloc, Layout, System};
use std::fmt::Arguments;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
use crate::memory::free_addresses;

/// The system's memory. Where the system has no more, the program ends with one line, not with a
/// signal.
#[derive(Debug)]
pub struct Memory;

// SAFETY: every call goes to the system's allocator unchanged, and none returns without memory.
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
        end(format_args!(
            "out of memory: the system has not got {bytes} bytes more"
        ));
    }
    memory
}

/// Makes a fault end the program as [`Memory`] does, with one line and no half-written file. Our
/// own code has no faults; the code of a graphics driver has, when the system refuses it memory.
pub fn end_on_faults() {
    // Writing more than the limit of a file's size (`ulimit -f`) is an error like any other.
    #[cfg(unix)]
    // SAFETY: no handler is set.
    #[allow(unsafe_code)]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
    #[cfg(unix)]
    for signal in [
        libc::SIGABRT,
        libc::SIGBUS,
        libc::SIGFPE,
        libc::SIGILL,
        libc::SIGSEGV,
    ] {
        extern "C" fn fault(signal: libc::c_int) {
            let name = signal_hook::low_level::signal_name(signal).unwrap_or("a fault");
            end(format_args!(
                "{name} in a graphics driver or a library of the system, which may be out of memory"
            ));
        }
        let fault: extern "C" fn(libc::c_int) = fault;
        // SAFETY: zeroes are an action without flags. The handler asks for no memory, waits for no
        // lock, and never returns to where the fault was.
        #[allow(unsafe_code)]
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            action.sa_sigaction = fault as usize;
            // A full stack is a fault, too.
            action.sa_flags = libc::SA_ONSTACK;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Makes the end of the X server end the program with one line. Xlib would write one of its own and
/// exit.
#[cfg(all(feature = "window", unix, not(target_vendor = "apple")))]
pub(crate) fn end_with_x_server() {
    use x11_dl::xlib;

    extern "C" fn gone(_: *mut xlib::Display) -> libc::c_int {
        end(format_args!("the X server has ended the connection"))
    }
    if let Ok(library) = xlib::Xlib::open() {
        // SAFETY: the handler never returns, as Xlib asks of it.
        #[allow(unsafe_code)]
        unsafe {
            (library.XSetIOErrorHandler)(Some(gone));
        }
    }
}

/// Makes all threads take memory from one heap where addresses are limited (`ulimit -v`). The C
/// library of GNU would otherwise set 64 MB of addresses aside for each thread, and leave next to
/// none for what a thread starts with.
pub fn share_one_heap() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    if free_addresses().is_some() {
        // SAFETY: no other thread has asked for memory yet.
        #[allow(unsafe_code)]
        unsafe {
            libc::mallopt(libc::M_ARENA_MAX, 1);
        }
    }
}

/// Ends the program without asking for memory: what it began to write is removed, and nothing else
/// runs any more.
#[cold]
fn end(words: Arguments<'_>) -> ! {
    static ENDS: AtomicBool = AtomicBool::new(false);
    if ENDS.swap(true, Ordering::SeqCst) {
        // Another thread is already ending the program.
        loop {
            std::thread::sleep(Duration::from_secs(1));
        }
    }
    crate::export::abandon_at_once();
    say(words);
    exit(1)
}

/// Writes the line of an error. The standard library's own way takes a lock, which the thread that
/// ended here may hold.
#[cfg(unix)]
fn say(words: Arguments<'_>) {
    let mut line = [0; 256];
    let mut rest = &mut line[..];
    let _ = writeln!(rest, "error: {words}");
    let left = rest.len();
    // SAFETY: the buffer has this many bytes.
    #[allow(unsafe_code)]
    unsafe {
        libc::write(libc::STDERR_FILENO, line.as_ptr().cast(), line.len() - left);
    }
}

#[cfg(not(unix))]
fn say(words: Arguments<'_>) {
    let _ = writeln!(std::io::stderr(), "error: {words}");
}

/// Ends the program at once, whatever its threads are doing. A driver that is drawing does not bear
/// the usual way out, which takes apart what the driver uses.
pub(crate) fn exit(code: i32) -> ! {
    #[cfg(unix)]
    signal_hook::low_level::exit(code);
    #[cfg(not(unix))]
    std::process::exit(code)
}
