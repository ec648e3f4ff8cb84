//! Recipes in the comment lines of text files and headers: TOML between two lines,
//! `landform scene begin` and `landform scene end`, each line after the format's comment mark.

use std::io;

use super::recipe::Recipe;
use super::source::{Broken, Source};
use crate::formats::checksum::Sum;
use crate::formats::recipe::{BEGIN, END};

/// Comments are looked for in so many bytes at the start and at the end of a file.
const PART: u64 = 1 << 20;

/// The recipe between the two lines; `mark` begins each line. `sum` makes the checksum of what
/// the file holds beside its comments.
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

/// Whether there is the line before a recipe.
pub fn hold_recipe(source: &mut Source<'_>, mark: &str) -> io::Result<bool> {
    let begin = format!("{mark}{BEGIN}");
    Ok(line_after(source, &begin)?.is_some_and(|rest| rest.is_empty()))
}

/// The rest of the first line that begins so.
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

/// The text in comment lines among `bytes`, most of which need not be text.
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
        // Programs that pass comments on may cut the blank off an empty one.
        let content = line.strip_prefix(mark);
        let Some(content) = content.or((line == mark.trim()).then_some("")) else {
            return Some(Err("a line of it is no comment"));
        };
        text.push_str(content);
        text.push('\n');
    }
    Some(Err("its end is missing"))
}

/// Where only the end of a recipe is left.
fn end_alone(bytes: &[u8], mark: &str) -> Option<Result<String, &'static str>> {
    let end = format!("{mark}{END}");
    let mut lines = bytes.split(|byte| *byte == b'\n').map(trimmed);
    let is_there = lines.any(|line| line == end.as_bytes());
    is_there.then_some(Err("its beginning is missing"))
}

fn trimmed(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
