//! The command's help and errors in the language of the system.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

use crate::common::folder;

/// Runs `landform` in a locale.
fn run(folder: &Path, locale: &str, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("landform").unwrap();
    let command = command.current_dir(folder).args(arguments);
    command
        .env("LC_ALL", locale)
        .env_remove("LANGUAGE")
        .output()
        .unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Flags and placeholders, which no language changes.
fn flags(help: &str) -> BTreeSet<String> {
    let words = help.split_whitespace();
    let words = words.filter(|word| word.starts_with("--") && word.len() > 2);
    let trimmed = words.map(|word| word.trim_end_matches(|c: char| !c.is_alphanumeric()));
    trimmed.map(str::to_owned).collect()
}

/// All on one line, with single spaces.
fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_help_follows_system_language_with_all_flags() {
    let folder = folder();
    let english = text(&run(folder.path(), "C", &["--help"]));
    assert_eq!(
        english,
        text(&run(folder.path(), "fr_FR.UTF-8", &["--help"]))
    );
    let list = english.split("Commands:").nth(1).unwrap();
    let list = list.split("\n\n").next().unwrap();
    let names = list
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let commands: Vec<_> = names.filter(|name| *name != "help").collect();
    assert!(commands.len() > 6, "{commands:?}");
    let said = landform::cli::help_texts();
    for (locale, options) in [
        ("de_AT.UTF-8", "Optionen:"),
        ("ru_RU.UTF-8", "Параметры:"),
        ("zh_CN.UTF-8", "选项"),
    ] {
        for command in &commands {
            for arguments in [[*command, "--help"], [*command, "-h"], ["help", *command]] {
                let flag = arguments.join(" ");
                let english = text(&run(folder.path(), "C", &arguments));
                let there = text(&run(folder.path(), locale, &arguments));
                assert!(
                    there.contains(options),
                    "{locale} {command} {flag}:\n{there}"
                );
                let (wanted, has) = (flags(&english), flags(&there));
                assert!(
                    has.is_superset(&wanted),
                    "{locale} {command} {flag} lacks {:?}",
                    wanted.difference(&has)
                );
                let (english, there) = (joined(&english), joined(&there));
                for text in &said {
                    // Ranges in brackets have words of their own.
                    let text = joined(text.rsplit_once(" [").map_or(&**text, |(text, _)| text));
                    let is_words = text.split(' ').count() > 2 && english.contains(&text);
                    assert!(
                        !(is_words && there.contains(&text)),
                        "{locale} {command}: {text}"
                    );
                }
            }
        }
    }
}

#[test]
fn errors_follow_system_language_but_files_do_not() {
    let folder = folder();
    let wrong = ["generate", "--set", "surface.hurst=7", "-o", "a.png"];
    let output = run(folder.path(), "de_DE.UTF-8", &wrong);
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(words.contains("zulässig ist 0 bis 1"), "{words}");
    assert_eq!(words.lines().count(), 1);
    let scene = |locale| text(&run(folder.path(), locale, &["scene", "alpine"]));
    assert_eq!(scene("C"), scene("zh_CN.UTF-8"));
    for (locale, name) in [("C", "english.png"), ("ru_RU.UTF-8", "russian.png")] {
        let arguments = ["render", "alpine", "--size", "64x48", "-o", name];
        assert!(run(folder.path(), locale, &arguments).status.success());
    }
    let picture = |name: &str| image::open(folder.path().join(name)).unwrap().into_rgb8();
    assert!(picture("english.png") == picture("russian.png"));
}
