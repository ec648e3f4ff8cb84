//! The command reference of the book is the help of the command.

use std::fmt::Write;

use assert_cmd::Command;

use crate::pages::check_generated;

const COMMANDS: [&str; 8] = [
    "view", "generate", "render", "film", "stats", "scene", "diff", "list",
];

fn help(arguments: &[&str]) -> String {
    let output = Command::cargo_bin("landform")
        .unwrap()
        .env("LC_ALL", "C")
        .env_remove("LANGUAGE")
        .env_remove("COLUMNS")
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The sections of a help text: the title of each, which ends with a colon, and its lines. What
/// comes before the first has no title.
fn sections(help: &str) -> Vec<(String, String)> {
    let mut sections = vec![(String::new(), String::new())];
    for line in help.lines() {
        let is_title = line.ends_with(':') && !line.starts_with(' ');
        if is_title {
            sections.push((line.trim_end_matches(':').to_owned(), String::new()));
        }
        let (_, text) = sections.last_mut().unwrap();
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    for (_, text) in &mut sections {
        text.truncate(text.trim_end().len());
    }
    sections
}

#[test]
fn command_reference_matches() {
    let general = help(&["--help"]);
    let known = sections(&general);
    let mut text =
        "# Command reference\n\n<!-- Generated from the program. `UPDATE_BOOK=1 cargo test \
         book` writes this page again. -->\n\n"
            .to_owned();
    writeln!(
        text,
        "This is what `landform --help` and `landform help COMMAND` print. Flags that several \
         commands share are listed once, under `landform`.\n\n## landform\n\n```text\n{}\n```",
        trimmed(&general)
    )
    .unwrap();
    for command in COMMANDS {
        assert!(general.contains(&format!("\n  {command} ")), "{command}");
        let all = sections(&help(&["help", command]));
        let is_shared =
            |section: &(String, String)| !section.0.is_empty() && known.contains(section);
        let (shared, own): (Vec<_>, Vec<_>) = all.into_iter().partition(is_shared);
        let own: Vec<_> = own.into_iter().map(|(_, text)| text).collect();
        let own = own.join("\n\n");
        writeln!(text, "\n## landform {command}\n\n```text\n{own}\n```").unwrap();
        let shared: Vec<_> = shared
            .into_iter()
            .map(|(title, _)| format!("*{title}*"))
            .collect();
        if !shared.is_empty() {
            writeln!(text, "\nAs under `landform`: {}.", shared.join(", ")).unwrap();
        }
    }
    check_generated("docs/command.md", &text);
}

/// A text without spaces at the ends of its lines.
fn trimmed(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim_end).collect();
    lines.join("\n").trim_end().to_owned()
}
