//! ARCHITECTURE.md's rules: who may know of whom.

use std::fs;
use std::path::{Path, PathBuf};

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The files below `src` that belong to the named modules (`name.rs` or `name/…`).
fn files_of(modules: &[&str]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for module in modules {
        let (file, folder) = (source().join(format!("{module}.rs")), source().join(module));
        if file.exists() {
            files.push(file);
        }
        if folder.exists() {
            files.extend(rust_files(&folder));
        }
    }
    assert!(files.len() >= modules.len(), "no files for {modules:?}");
    files
}

/// Lines of code, without comments, that hold one of `words`.
fn offences(files: &[PathBuf], words: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for path in files {
        for (index, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            if words.iter().any(|word| code.contains(word)) {
                found.push(format!("{}:{}: {}", path.display(), index + 1, line.trim()));
            }
        }
    }
    found
}

#[track_caller]
fn check_absent(files: &[PathBuf], words: &[&str]) {
    let found = offences(files, words);
    assert!(found.is_empty(), "{}", found.join("\n"));
}

const CORE: &[&str] = &[
    "analysis",
    "lettering",
    "script",
    "camera",
    "grid",
    "heightmap",
    "rng",
    "job",
    "scene",
    "param",
    "fractal",
    "generate",
    "geo",
    "layer",
    "light",
    "resample",
    "sheet",
    "measure",
    "modify",
    "mesh",
    "texture",
    "maps",
    "sky",
    "pipeline",
];

#[test]
fn what_is_made_once_is_made_on_one_thread() {
    // Else a thread that makes it may take up work that waits for it.
    for file in rust_files(&source()) {
        let text = fs::read_to_string(&file).unwrap();
        for made in text.split("LazyLock::new(").skip(1) {
            let made = made.split("\n});").next().unwrap_or(made);
            assert!(!made.contains("par_"), "{}", file.display());
        }
    }
}

#[test]
fn the_core_knows_no_files_clock_opengl_or_panel() {
    check_absent(
        &files_of(CORE),
        &[
            "std::fs",
            "File::",
            "std::time",
            "Instant",
            "glium",
            "glutin",
            "egui",
            "winit",
            "crate::render",
            "crate::app",
            "crate::cli",
            "crate::import",
            "crate::export",
            "println!",
            "eprintln!",
        ],
    );
}

#[test]
fn the_renderer_knows_no_window_and_no_command_line() {
    check_absent(
        &files_of(&["render"]),
        &[
            "crate::app",
            "crate::cli",
            "crate::import",
            "crate::export",
            "egui",
            "winit::",
        ],
    );
}

#[test]
fn files_know_no_drawing_window_or_command_line() {
    check_absent(
        &files_of(&["import", "export"]),
        &["crate::render", "crate::app", "crate::cli", "glium", "egui"],
    );
}

#[test]
fn the_window_and_the_command_line_meet_only_in_view() {
    check_absent(&files_of(&["app"]), &["crate::cli", "clap"]);
    let mut cli = files_of(&["cli"]);
    cli.retain(|path| !path.ends_with("view.rs"));
    check_absent(&cli, &["crate::app", "egui", "winit"]);
}

#[test]
fn panels_change_scenes_and_nothing_else() {
    check_absent(
        &rust_files(&source().join("app/panel")),
        &[
            "std::fs",
            "glium",
            "crate::render",
            "crate::export",
            ".generate(",
        ],
    );
}

#[test]
fn randomness_comes_from_rng_alone() {
    let mut files = rust_files(&source());
    files.retain(|path| {
        !path.ends_with("rng.rs") && !path.components().any(|c| c.as_os_str() == "rng")
    });
    check_absent(&files, &["rand::", "rand_pcg"]);
}

#[test]
fn unsafe_code_is_the_headless_backend_and_the_allocator_alone() {
    let mut files = rust_files(&source());
    files.retain(|path| !path.ends_with("render/headless.rs") && !path.ends_with("allocator.rs"));
    check_absent(&files, &["unsafe ", "allow(unsafe_code)"]);
}

#[test]
fn main_is_short_and_files_have_one_idea() {
    let lines = |path: &Path| fs::read_to_string(path).unwrap().lines().count();
    assert!(lines(&source().join("main.rs")) < 60);
    for path in rust_files(&source()) {
        assert!(
            lines(&path) <= 520,
            "{} has {} lines",
            path.display(),
            lines(&path)
        );
    }
}
