//! The `landform` command: window, pictures, heightfields and terrain metrics.

use std::io::Write;
use std::panic::catch_unwind;
use std::process::ExitCode;
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::time::Instant;

use landform::words;

fn main() -> ExitCode {
    // A file above the size limit (`ulimit -f`) is an error like any other, not a signal that ends the
    // program.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(
        signal_hook::consts::SIGXFSZ,
        Arc::new(AtomicBool::new(false)),
    );
    // The log is off by default (`RUST_LOG=info` turns it on): errors are reported as one line each.
    let env = env_logger::Env::default().default_filter_or("off");
    let start = Instant::now();
    let line = move |to: &mut env_logger::fmt::Formatter, record: &log::Record<'_>| {
        let (seconds, level) = (start.elapsed().as_secs_f64(), record.level());
        write!(to, "[{seconds:9.3} s {level} {}] ", record.target())?;
        to.write_all(&words::terminal(&record.args().to_string()))?;
        writeln!(to)
    };
    env_logger::Builder::from_env(env).format(line).init();
    // A panic is reported as one line too, with exit code 1.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string);
        let payload = panic.payload();
        let words = payload.downcast_ref::<&str>().copied();
        let words = words.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let words = words.unwrap_or("no words");
        let message = format!("internal error: {words} ({})", place.unwrap_or_default());
        let line = [b"error: ", &*words::terminal(&message), b"\n"].concat();
        let _ = std::io::stderr().write_all(&line);
    }));
    let run = || landform::cli::run(std::env::args_os());
    catch_unwind(run).unwrap_or(ExitCode::FAILURE)
}
