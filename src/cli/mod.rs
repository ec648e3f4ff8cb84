//! The command line: each subcommand is one file, and `scene_args` turns flags into a scene.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

mod batch;
mod change;
mod diff;
mod error;
mod film;
mod generate;
mod help;
mod list;
mod mesh_args;
mod pour_point;
mod progress;
mod reading_args;
mod render;
mod replace;
mod scene;
mod scene_args;
mod stats;
mod sweep;
mod threads;
mod vary_args;
mod view;
mod view_args;

use crate::import;
use crate::inputs::Inputs;
use crate::language;
use crate::scene::Scene;
use crate::words;
use error::Failure;
use threads::By;

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
    /// Open the window (also what no command does)
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
    /// List what there is to choose from
    List(list::Arguments),
}

/// Runs the command line `arguments`, with the program's name first, and prints what went wrong as
/// one line. Returns 0 if all is done, 2 for wrong usage and 1 for anything else.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    language::speak(language::of_system());
    let arguments: Vec<_> = arguments.into_iter().collect();
    let outcome = match Cli::try_parse_from(&arguments) {
        Ok(cli) => dispatch(cli),
        Err(error) if error.use_stderr() => Err(Failure::from_clap(&error)),
        Err(help) => {
            let command = help::in_language(Cli::command());
            let help = command
                .try_get_matches_from(&arguments)
                .err()
                .unwrap_or(help);
            print(&help.render().to_string())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

/// All texts of the command's help, which a language has words for.
#[must_use]
pub fn help_texts() -> Vec<String> {
    help::texts(Cli::command())
}

fn dispatch(cli: Cli) -> Result<(), Failure> {
    let (asked, by) = match &cli.command {
        None => (cli.view.threads(), By::Others),
        Some(Command::View(arguments)) => (arguments.threads(), By::Others),
        Some(Command::Generate(arguments)) => (arguments.threads(), By::ThisThread),
        Some(Command::Render(arguments)) => (arguments.threads(), By::ThisThread),
        Some(Command::Film(arguments)) => (arguments.threads(), By::ThisThread),
        Some(Command::Stats(arguments)) => (arguments.threads(), By::ThisThread),
        Some(Command::Scene(arguments)) => (arguments.threads(), By::ThisThread),
        Some(Command::Diff(_) | Command::List(_)) => (Some(1), By::ThisThread),
    };
    threads::start(asked, by)?;
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

/// The files that a scene names, read. What the user should know about them and about the scene
/// goes to standard error, a line each.
fn inputs(scene: &Scene) -> Result<Inputs, Failure> {
    let inputs = import::inputs(scene)?;
    let of_scene = scene.notices();
    let notices = inputs.notices().iter().chain(&of_scene);
    notices.for_each(|notice| warn(notice));
    Ok(inputs)
}

/// Writes a line that is not an error to standard error.
fn warn(notice: &str) {
    say("warning", notice);
}

/// Writes one line to standard error. If that fails, there is nobody left to tell.
fn say(kind: &str, message: &str) {
    let line = [kind.as_bytes(), b": ", &words::terminal(message), b"\n"].concat();
    let _ = io::stderr().write_all(&line);
}

/// Writes to standard output. A reader that went away, as in `landform list | head -1`, has had
/// enough; that is no failure.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::failed(format!(
            "cannot write: {}: standard output",
            crate::import::reason(&error)
        ))),
        _ => Ok(()),
    }
}
