//! What README.md says to type works as written.

use std::path::Path;

use assert_cmd::Command;

fn readme() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    std::fs::read_to_string(path).unwrap()
}

/// The lines of all blocks fenced as `language`.
fn blocks(language: &str) -> Vec<String> {
    let text = readme();
    let blocks = text.split("```").skip(1).step_by(2);
    let of_language = blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    of_language.map(str::to_owned).collect()
}

#[test]
fn its_commands_run() {
    let folder = tempfile::tempdir().unwrap();
    let commands: Vec<String> = blocks("sh")
        .iter()
        .flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert!(commands.len() >= 5, "{commands:?}");
    // In a shell, as a reader runs them.
    let program = assert_cmd::cargo::cargo_bin("landform");
    let own = program.parent().map(Path::to_path_buf);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path))).unwrap();
    for line in commands {
        assert!(line.starts_with("landform "), "{line}");
        Command::new("sh")
            .args(["-c", &line])
            .env("PATH", &path)
            .current_dir(folder.path())
            .assert()
            .success();
    }
    for file in [
        "heights.png",
        "heights.npy",
        "picture.png",
        "lines.png",
        "valley.png",
    ] {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn its_make_targets_exist() {
    let makefile = Path::new(env!("CARGO_MANIFEST_DIR")).join("Makefile");
    let makefile = std::fs::read_to_string(makefile).unwrap();
    for target in ["run", "test", "bench", "gallery"] {
        assert!(readme().contains(&format!("make {target}")));
        assert!(makefile.contains(&format!("\n{target}:")), "{target}");
    }
}

#[test]
fn its_pictures_and_chapters_exist() {
    let text = readme();
    let links: Vec<&str> = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|link| !link.starts_with("http"))
        .collect();
    assert!(links.len() > 15);
    let chapters = text.lines().filter(|line| line.starts_with('#'));
    let chapters = chapters.map(|line| line.trim_start_matches(['#', ' ']));
    let chapters: Vec<_> = chapters
        .map(|title| title.to_lowercase().replace(' ', "-"))
        .collect();
    for path in links {
        if let Some(chapter) = path.strip_prefix('#') {
            assert!(chapters.iter().any(|title| title == chapter), "{path}");
            continue;
        }
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        assert!(file.exists(), "{path}");
    }
}
