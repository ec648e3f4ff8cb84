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
    for line in commands {
        let mut words = line.split_whitespace();
        assert_eq!(words.next(), Some("landform"), "{line}");
        Command::cargo_bin("landform")
            .unwrap()
            .args(words)
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
fn its_pictures_exist() {
    let text = readme();
    let pictures: Vec<&str> = text
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter(|link| !link.starts_with("http"))
        .collect();
    assert!(pictures.len() > 15);
    for path in pictures {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        assert!(file.exists(), "{path}");
    }
}
