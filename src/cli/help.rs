//! The command's help in the language spoken.

use clap::{Arg, ArgAction, Command};

use crate::language::{Language, spoken, tr, translated};

/// The command with its help in the language spoken; names of commands, flags and values stay.
pub fn in_language(command: Command) -> Command {
    match spoken() {
        Language::English => command,
        _ => with_words(command, &|text| translated(text).into_owned()),
    }
}

/// All texts of the help of a command and of those below it.
pub fn texts(command: &Command) -> Vec<String> {
    let styled = |text: Option<&clap::builder::StyledStr>| text.map(ToString::to_string);
    let mut texts: Vec<_> = [
        styled(command.get_about()),
        styled(command.get_long_about()),
        styled(command.get_after_help()),
    ]
    .into_iter()
    .flatten()
    .collect();
    for arg in command.get_arguments() {
        texts.extend(styled(arg.get_help()));
        texts.extend(styled(arg.get_long_help()));
        texts.extend(arg.get_help_heading().map(str::to_owned));
        let values = arg.get_possible_values();
        texts.extend(values.iter().filter_map(|value| styled(value.get_help())));
    }
    command
        .get_subcommands()
        .for_each(|below| texts.extend(self::texts(below)));
    texts
}

/// Replaces all texts of the help by those that `say` has for them.
fn with_words(mut command: Command, say: &dyn Fn(&str) -> String) -> Command {
    let styled = |text: Option<&clap::builder::StyledStr>| text.map(|text| say(&text.to_string()));
    if let Some(about) = styled(command.get_about()) {
        command = command.about(about);
    }
    if let Some(about) = styled(command.get_long_about()) {
        command = command.long_about(about);
    }
    if let Some(text) = styled(command.get_after_help()) {
        command = command.after_help(text);
    }
    command = command
        .subcommand_help_heading(tr("Commands"))
        .disable_help_flag(true)
        .disable_help_subcommand(true)
        .mut_args(|arg| arg_with_words(arg, say))
        .mut_subcommands(|below| with_words(below, say));
    let help = Arg::new("help")
        .short('h')
        .long("help")
        .action(ArgAction::Help)
        .help_heading(tr("Options"))
        .help(tr("Print help"));
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{} {{usage}}\n\n{{all-args}}{{after-help}}",
        tr("Usage:")
    );
    command = command.arg(help).help_template(template);
    if command.get_version().is_some() {
        let version = Arg::new("version")
            .short('V')
            .long("version")
            .action(ArgAction::Version)
            .help_heading(tr("Options"))
            .help(tr("Print version"));
        command = command.disable_version_flag(true).arg(version);
    }
    command
}

fn arg_with_words(mut arg: Arg, say: &dyn Fn(&str) -> String) -> Arg {
    let styled = |text: Option<&clap::builder::StyledStr>| text.map(|text| say(&text.to_string()));
    let heading = match arg.get_help_heading() {
        Some(heading) => say(heading),
        None if arg.is_positional() => tr("Arguments").to_owned(),
        None => tr("Options").to_owned(),
    };
    // As long as the program: the command line is read once.
    let heading: &'static str = heading.leak();
    let values = arg.get_possible_values();
    let values: Vec<_> = values
        .iter()
        .filter_map(|value| Some((value.get_name().to_owned(), styled(value.get_help())?)))
        .collect();
    let help = styled(arg.get_help());
    let long = styled(arg.get_long_help()).or_else(|| help.clone());
    if let Some(help) = help {
        arg = arg.help(help);
    }
    if !values.is_empty() {
        let lines = values
            .iter()
            .map(|(name, help)| format!("\n- {name}: {help}"));
        let long = long.unwrap_or_default() + "\n" + &lines.collect::<String>();
        arg = arg.long_help(long).hide_possible_values(true);
    } else if let Some(long) = long {
        arg = arg.long_help(long);
    }
    arg.help_heading(heading)
}
