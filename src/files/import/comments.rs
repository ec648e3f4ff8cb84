//! Recipes in comment lines of text files and headers.
//!
//! The scene stands as TOML between the lines `landform scene begin` and `landform scene end`. Each line
//! starts with the comment mark of the format.

use std::io;

use super::recipe::Recipe;
use super::source::{Broken, Source};
use crate::files::formats::checksum::Sum;
use crate::files::formats::recipe::{BEGIN, END};

/// The number of bytes at the start and at the end of a file that are searched for comments.
const PART: u64 = 1 << 20;

/// Read the recipe from comment lines that start with `mark`. `sum` computes the checksum of the file without
/// its comments.
pub fn recipe(
    source: &mut Source<'_>,
    mark: &str,
    sum: impl FnOnce(&mut Source<'_>) -> Result<Sum, Broken>,
) -> Result<Recipe, Broken> {
    let head = source.head(PART)?;
    let text = match text_in(&head, mark) {
        None => {
            let tail = source.tail(PART)?;
            text_in(&tail, mark).or_else(|| end_alone(&tail, mark))
        }
        found => found,
    };
    Ok(match text {
        None => Recipe::None,
        Some(Err(reason)) => Recipe::Useless(format!("its recipe cannot be read ({reason})")),
        Some(Ok(text)) => Recipe::of_text(&text, || {
            source.rewind()?;
            sum(source)
        }),
    })
}

/// True if the file contains the first line of a recipe.
pub fn hold_recipe(source: &mut Source<'_>, mark: &str) -> io::Result<bool> {
    let begin = format!("{mark}{BEGIN}");
    Ok(line_after(source, &begin)?.is_some_and(|rest| rest.is_empty()))
}

/// The rest of the first line that starts with `begin`.
pub fn line_after(source: &mut Source<'_>, begin: &str) -> io::Result<Option<String>> {
    let found = |bytes: &[u8]| {
        let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
        let rest = lines.find_map(|line| line.strip_prefix(begin.as_bytes()))?;
        Some(String::from_utf8_lossy(rest).into_owned())
    };
    let at_start = found(&source.head(PART)?);
    Ok(match at_start {
        None => found(&source.tail(PART)?),
        found => found,
    })
}

/// Extract the recipe's text from comment lines. The other bytes need not be text.
fn text_in(bytes: &[u8], mark: &str) -> Option<Result<String, &'static str>> {
    let begin = format!("{mark}{BEGIN}");
    let end = format!("{mark}{END}");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
    lines.by_ref().find(|line| *line == begin.as_bytes())?;
    let mut text = String::new();
    for line in lines {
        if line == end.as_bytes() {
            return Some(Ok(text));
        }
        let Ok(line) = std::str::from_utf8(line) else {
            return Some(Err("it is no text"));
        };
        // Other programs may trim the blank after the mark of an empty comment line.
        let content = line.strip_prefix(mark);
        let Some(content) = content.or((line == mark.trim()).then_some("")) else {
            return Some(Err("a line of it is no comment"));
        };
        text.push_str(content);
        text.push('\n');
    }
    Some(Err("its end is missing"))
}

/// Report a recipe of which only the last line is found.
fn end_alone(bytes: &[u8], mark: &str) -> Option<Result<String, &'static str>> {
    let end = format!("{mark}{END}");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
    let is_there = lines.any(|line| line == end.as_bytes());
    is_there.then_some(Err("its beginning is missing"))
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
