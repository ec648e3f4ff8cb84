//! Help texts of the command line in the user's language.

use clap::builder::StyledStr;
use clap::{Arg, Command};

use crate::util::language::{tr, translated};

/// Translate the help of a command. Names of commands, flags and values stay.
pub fn in_language(mut command: Command) -> Command {
    // `build` adds clap's own help flags and command, whose texts are translated too.
    command.build();
    with_words(command)
}

/// Collect all help texts of a command and its subcommands.
pub fn texts(mut command: Command) -> Vec<String> {
    command.build();
    let mut texts = Vec::new();
    note_texts(&command, &mut texts);
    texts
}

fn note_texts(command: &Command, texts: &mut Vec<String>) {
    let mut note = |text: Option<&StyledStr>| texts.extend(text.map(ToString::to_string));
    note(command.get_about());
    note(command.get_long_about());
    note(command.get_after_help());
    for arg in command.get_arguments() {
        note(arg.get_help());
        note(arg.get_long_help());
        let values = arg.get_possible_values();
        values.iter().for_each(|value| note(value.get_help()));
    }
    let headings = command.get_arguments().filter_map(Arg::get_help_heading);
    texts.extend(headings.map(str::to_owned));
    let below = command.get_subcommands();
    below.for_each(|below| note_texts(below, texts));
}

fn said(text: &StyledStr) -> String {
    translated(&text.to_string()).into_owned()
}

fn with_words(mut command: Command) -> Command {
    if let Some(about) = command.get_about().map(said) {
        command = command.about(about);
    }
    if let Some(about) = command.get_long_about().map(said) {
        command = command.long_about(about);
    }
    if let Some(text) = command.get_after_help().map(said) {
        command = command.after_help(text);
    }
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}",
        tr("Usage:")
    );
    command
        .help_template(template)
        .subcommand_help_heading(tr("Commands"))
        .mut_args(arg_with_words)
        .mut_subcommands(with_words)
}

fn arg_with_words(mut arg: Arg) -> Arg {
    let heading = match arg.get_help_heading() {
        Some(heading) => translated(heading).into_owned(),
        None if arg.is_positional() => tr("Arguments").to_owned(),
        None => tr("Options").to_owned(),
    };
    let help = arg.get_help().map(said);
    let mut long = arg.get_long_help().map(said).or_else(|| help.clone());
    // Values with help texts are listed here, since clap's own list cannot be translated.
    let values = arg.get_possible_values();
    let mut lines = values
        .iter()
        .filter_map(|value| {
            Some(format!(
                "\n- {}: {}",
                value.get_name(),
                said(value.get_help()?)
            ))
        })
        .peekable();
    if lines.peek().is_some() {
        long = Some(long.unwrap_or_default() + "\n" + &lines.collect::<String>());
        arg = arg.hide_possible_values(true);
    }
    if let Some(help) = help {
        arg = arg.help(help);
    }
    if let Some(long) = long {
        arg = arg.long_help(long);
    }
    // Leaking is fine: the program ends once the help is printed.
    arg.help_heading(&*heading.leak())
}
