//! Command-line interface: one file per subcommand; `scene_args` converts flags to a scene.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Sender, channel};
use std::thread::{Builder, available_parallelism};

use clap::{CommandFactory, Parser, Subcommand};
use rayon::{ThreadBuilder, ThreadPoolBuilder};

mod args;
mod batch;
mod console;
mod diff;
mod film;
mod generate;
mod help;
mod list;
mod render;
mod scene;
mod scene_args;
mod stats;
mod view;

use crate::cli::console::Failure;
use crate::files::import;
use crate::pipeline::inputs::Inputs;
use crate::scene::Scene;
use crate::util::language::{self, Language};
use crate::util::words;

const EXAMPLES: &str = "\
Examples:
  landform                                            the window
  landform quick-start                                the window, with a preset
  landform generate --seed 7 --iterations 12 -o a.png a height map and its scale, a.png.json
  landform generate --seed 7 --iterations 16 -o a.r32 65,537² heights, in little memory
  landform film alpine --like day -o day.gif          from dawn to night
  landform render mountains.toml --size 1920x1080 -o picture.png
  landform stats --h 0.5 --json                       H as set, and as measured

A SCENE is a .toml file, an image, a picture that Landform saved, or the name of a preset.
H, the Hurst exponent, is the roughness: 0 is rough, 1 is smooth.";

/// Fractal landscapes: measured, exact, instant.
#[derive(Debug, Parser)]
#[command(name = "landform", version, after_help = EXAMPLES)]
#[command(args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    view: view::Arguments,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Open the window (the default without a command)
    View(Box<view::Arguments>),
    /// Write the height map or mesh of a scene into files
    Generate(Box<generate::Arguments>),
    /// Write the picture that the window would show, without a display
    Render(Box<render::Arguments>),
    /// Write a film of a scene: a camera path, settings that change, or a ready-made one
    Film(Box<film::Arguments>),
    /// Measure a height map: estimated H, range, wrap error
    Stats(Box<stats::Arguments>),
    /// Print a scene as a few lines of text: what differs from the defaults
    Scene(Box<scene::Arguments>),
    /// Print the settings in which two scenes differ
    Diff(diff::Arguments),
    /// List the available choices
    List(list::Arguments),
}

/// Run a command line, with the program's name first, and print errors on one line.
///
/// Returns exit code 0 on success, 2 for wrong usage, and 1 for any other failure.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    language::speak(language::of_system());
    let arguments: Vec<_> = arguments.into_iter().collect();
    let outcome = match Cli::try_parse_from(&arguments) {
        Ok(cli) => dispatch(cli),
        Err(error) if error.use_stderr() => Err(Failure::from_clap(&error)),
        Err(help) => {
            // Help texts are the keys of their translations, so they are built in English.
            let system = language::spoken();
            language::speak(Language::English);
            let command = Cli::command();
            language::speak(system);
            let help = help::in_language(command)
                .try_get_matches_from(&arguments)
                .err()
                .unwrap_or(help);
            print(&help.render().to_string())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => ExitCode::from(failure.print()),
    }
}

/// All help texts of the command line that can be translated.
#[must_use]
pub fn help_texts() -> Vec<String> {
    help::texts(Cli::command())
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    let (asked, by) = match &cli.command {
        None => (cli.view.scene.threads(), By::Others),
        Some(Command::View(arguments)) => (arguments.scene.threads(), By::Others),
        Some(Command::Generate(arguments)) => (arguments.scene.threads(), By::ThisThread),
        Some(Command::Render(arguments)) => (arguments.scene.threads(), By::ThisThread),
        Some(Command::Film(arguments)) => (arguments.scene.threads(), By::ThisThread),
        Some(Command::Stats(arguments)) => (arguments.scene.threads(), By::ThisThread),
        Some(Command::Scene(arguments)) => (arguments.threads(), By::ThisThread),
        Some(Command::Diff(_) | Command::List(_)) => (Some(1), By::ThisThread),
    };
    start_threads(asked, by)?;
    match cli.command {
        None => view::run(&cli.view),
        Some(Command::View(arguments)) => view::run(&arguments),
        Some(Command::Generate(arguments)) => generate::run(&arguments),
        Some(Command::Render(arguments)) => render::run(&arguments),
        Some(Command::Film(arguments)) => film::run(&arguments),
        Some(Command::Stats(arguments)) => stats::run(&arguments),
        Some(Command::Scene(arguments)) => scene::run(&arguments),
        Some(Command::Diff(arguments)) => diff::run(&arguments),
        Some(Command::List(arguments)) => list::run(&arguments),
    }
}

/// Read the input files of a scene. Notices about them and about the scene are printed to standard error.
fn inputs(scene: &Scene) -> Result<Inputs, Failure> {
    let inputs = import::inputs(scene)?;
    let of_scene = scene.notices();
    let notices = inputs.notices().iter().chain(&of_scene);
    notices.for_each(|notice| warn(notice));
    Ok(inputs)
}

/// Print a warning to standard error.
fn warn(notice: &str) {
    say("warning", notice);
}

/// Print a line to standard error. Errors are ignored, since there is no other place to report them.
fn say(kind: &str, message: &str) {
    let line = [kind.as_bytes(), b": ", &words::terminal(message), b"\n"].concat();
    let _ = io::stderr().write_all(&line);
}

/// Print to standard output. A closed pipe, as in `landform list | head -1`, is not an error.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::failed(format!(
            "cannot write: {}: standard output",
            crate::files::import::reason(&error)
        ))),
        _ => Ok(()),
    }
}

// Thread pool for parallel work.

/// Threads that do the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    /// The calling thread works as well.
    ThisThread,
    /// Only other threads work, while the calling thread serves a window.
    Others,
}

/// Start the thread pool with the given number of threads, else that of `RAYON_NUM_THREADS`, else one per
/// core.
///
/// The pool has fewer threads if the system refuses more. May be called only once per run.
///
/// # Errors
/// The system does not grant a single thread.
fn start_threads(asked: Option<usize>, by: By) -> Result<(), Failure> {
    let named = std::env::var("RAYON_NUM_THREADS").ok();
    let usual = named.and_then(|count| count.parse().ok());
    let cores = || available_parallelism().map_or(1, usize::from);
    let count = asked.or(usual).filter(|count| *count > 0);
    let mine = usize::from(by == By::ThisThread);
    // The threads are started before the pool, since work is split by the size of the pool.
    let mut started = start_waiting(count.unwrap_or_else(cores) - mine);
    let count = started.len() + mine;
    if count == 0 {
        return Err(Failure::failed("the system cannot provide any thread"));
    }
    let pool = ThreadPoolBuilder::new().num_threads(count);
    let pool = pool.spawn_handler(move |worker| {
        // The pool requests exactly as many threads as were started.
        if let Some(thread) = started.pop() {
            let _ = thread.send(worker);
        }
        Ok(())
    });
    match by {
        By::ThisThread => pool.use_current_thread().build_global(),
        By::Others => pool.build_global(),
    }
    .map_err(|error| Failure::failed(format!("cannot start the threads: {error}")))
}

/// Start up to `count` threads that wait for their worker loop.
fn start_waiting(count: usize) -> Vec<Sender<ThreadBuilder>> {
    let mut started = Vec::new();
    for _ in 0..count {
        let (give, take) = channel::<ThreadBuilder>();
        let work = move || {
            if let Ok(worker) = take.recv() {
                worker.run();
            }
        };
        if let Err(error) = Builder::new().spawn(work) {
            log::warn!("{} threads, not {count}: {error}", started.len());
            break;
        }
        started.push(give);
    }
    started
}
