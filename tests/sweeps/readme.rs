//! The commands of the README and of the book run as they are written.

use std::path::Path;

use assert_cmd::Command;

use crate::pages::{Page, lines_of, page, pages_in};

/// Runs the commands of a page in their order, in a shell as a reader does, in a folder of their own.
fn check_commands(page: &Page) {
    let folder = tempfile::tempdir().unwrap();
    let program = assert_cmd::cargo::cargo_bin("landform");
    let own = program.parent().map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path))).unwrap();
    let commands = lines_of(&page.text, "sh");
    for line in &commands {
        let place = page.path.display();
        assert!(line.starts_with("landform "), "{place}: {line}");
        Command::new("sh")
            .args(["-c", line])
            .env("PATH", &path)
            .current_dir(folder.path())
            .assert()
            .success();
    }
    for file in written_by(&commands) {
        let exists = folder.path().join(&file).exists();
        assert!(exists, "{}: {file}", page.path.display());
    }
}

/// The files that commands write, except those with patterns for names.
fn written_by(commands: &[String]) -> Vec<String> {
    let files = commands.iter().flat_map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let pairs = words.windows(2).filter(|pair| pair[0] == "-o");
        pairs.map(|pair| pair[1].to_owned()).collect::<Vec<_>>()
    });
    files.filter(|file| !file.contains(['{', '#'])).collect()
}

#[test]
fn readme_commands_run() {
    let readme = page("README.md");
    check_commands(&readme);
    let written = written_by(&lines_of(&readme.text, "sh"));
    for file in ["picture.png", "heights.png", "heights.npy", "land.glb"] {
        assert!(written.iter().any(|name| name == file), "{file}");
    }
}

#[test]
fn book_commands_run() {
    for page in pages_in("docs") {
        check_commands(&page);
    }
}
