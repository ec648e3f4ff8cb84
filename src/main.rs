//! The `landform` command: a window, pictures, height maps and measures.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Silent unless asked (`RUST_LOG=info`): errors go to standard error as one line each.
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("off")).init();
    landform::cli::run(std::env::args_os())
}
