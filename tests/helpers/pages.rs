//! The README, ARCHITECTURE.md and the pages of the book, as tests read them.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A page and its path, relative to the repository.
pub struct Page {
    pub path: PathBuf,
    pub text: String,
}

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub fn page(path: &str) -> Page {
    let text = fs::read_to_string(root().join(path)).unwrap();
    Page {
        path: path.into(),
        text,
    }
}

/// The Markdown files of a folder, in the order of their names.
pub fn pages_in(folder: &str) -> Vec<Page> {
    let entries = fs::read_dir(root().join(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let names: BTreeSet<_> = names.filter(|name| name.ends_with(".md")).collect();
    let pages = names.iter().map(|name| page(&format!("{folder}/{name}")));
    pages.collect()
}

/// README.md, ARCHITECTURE.md and all pages of the book.
pub fn pages() -> Vec<Page> {
    let mut pages = vec![page("README.md"), page("ARCHITECTURE.md")];
    pages.extend(pages_in("docs"));
    pages.extend(pages_in("docs/decisions"));
    pages
}

/// The lines of all blocks fenced as `language`.
pub fn lines_of(text: &str, language: &str) -> Vec<String> {
    let blocks = text.split("```").skip(1).step_by(2);
    let of_language = blocks.filter_map(|block| block.strip_prefix(language)?.strip_prefix('\n'));
    of_language
        .flat_map(|block| block.lines().map(str::to_owned).collect::<Vec<_>>())
        .collect()
}

/// Compares a generated page with its file. With `UPDATE_BOOK=1` the file is written instead.
#[track_caller]
pub fn check_generated(path: &str, text: &str) {
    let file = root().join(path);
    if std::env::var_os("UPDATE_BOOK").is_some_and(|value| value != "0") {
        fs::write(&file, text).unwrap();
        return;
    }
    let present = fs::read_to_string(&file).unwrap_or_default();
    let mut lines = present.lines().zip(text.lines());
    let first = lines.position(|(present, new)| present != new);
    assert!(
        present == text,
        "{path} differs from the program, first in line {}: `UPDATE_BOOK=1 cargo test book` \
         writes it again",
        first.map_or(present.lines().count(), |line| line + 1)
    );
}
