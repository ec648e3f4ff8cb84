//! The `landform` command: a window, pictures, height maps and measures.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;
use std::panic::catch_unwind;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use landform::words;

fn main() -> ExitCode {
    // Silent unless asked (`RUST_LOG=info`): errors go to standard error as one line each.
    let env = env_logger::Env::default().default_filter_or("off");
    let line = |to: &mut env_logger::fmt::Formatter, record: &log::Record<'_>| {
        let (time, level, target) = (to.timestamp(), record.level(), record.target());
        write!(to, "[{time} {level} {target}] ")?;
        to.write_all(&words::terminal(&record.args().to_string()))?;
        writeln!(to)
    };
    env_logger::Builder::from_env(env).format(line).init();
    // A fault of the program itself is one line too, and exit code 1.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        let words = panic.payload_as_str().unwrap_or("no words");
        let message = format!("internal error: {words} ({})", place.unwrap_or_default());
        let line = [b"error: ", &*words::terminal(&message), b"\n"].concat();
        let _ = std::io::stderr().write_all(&line);
    }));
    let run = || landform::cli::run(std::env::args_os());
    catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}

/// The system's memory. Where it has no more, the program ends with one line, not with a signal.
struct Memory;

#[global_allocator]
static MEMORY: Memory = Memory;

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
    landform::export::abandon_at_once();
    let _ = writeln!(
        std::io::stderr(),
        "error: out of memory: the system has not got {bytes} bytes more"
    );
    signal_hook::low_level::exit(1)
}
