//! Chapters of the book about generators and modifiers, and the few elements of Markdown that they use.

use crate::generate::Generator;

/// Page with a chapter for each generator and each modifier, under its name.
const HOW_IT_WORKS: &str = include_str!("../../docs/how-it-works.md");
/// Page about the generator `diamond-square`.
const DIAMOND_SQUARE: &str = include_str!("../../docs/diamond-square.md");

/// Text of the chapter about a generator or a modifier, by its name; `None` if there is none. Headings in
/// it are those of its sections.
#[must_use]
pub fn chapter(name: &str) -> Option<&'static str> {
    if name == Generator::DiamondSquare.name() {
        return Some(after_line(DIAMOND_SQUARE));
    }
    let mut chapters = HOW_IT_WORKS.split("\n## ").skip(1);
    let found = chapters.find(|chapter| chapter.lines().next() == Some(name));
    found.map(after_line)
}

/// Text without its first line.
fn after_line(text: &'static str) -> &'static str {
    text.split_once('\n').map_or("", |(_, rest)| rest)
}

/// Block of a chapter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Block {
    /// Heading of a section.
    Heading(&'static str),
    /// Paragraph, see [`spans`].
    Paragraph(&'static str),
    /// Item of a list, see [`spans`].
    Item(&'static str),
    /// Lines of code or of a drawing.
    Code(&'static str),
}

/// Blocks of a chapter in order. Pictures are left out.
#[must_use]
pub fn blocks(chapter: &'static str) -> Vec<Block> {
    let parts = chapter.split("```").enumerate();
    let blocks = parts.flat_map(|(index, part)| match index % 2 {
        0 => part.lines().filter_map(block).collect(),
        // The first line names the language.
        _ => vec![Block::Code(after_line(part).trim_end())],
    });
    blocks.collect()
}

/// Block of one line; `None` for an empty line or a picture.
fn block(line: &'static str) -> Option<Block> {
    if line.is_empty() || line.starts_with("![") {
        return None;
    }
    if let Some(item) = line.strip_prefix("- ") {
        return Some(Block::Item(item));
    }
    let heading = line.trim_start_matches('#').trim_start();
    Some(match line.starts_with('#') {
        true => Block::Heading(heading),
        false => Block::Paragraph(line),
    })
}

/// Style of a piece of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// Usual text, or that of a link.
    Plain,
    /// Between two asterisks each.
    Strong,
    /// Between single asterisks.
    Emphasis,
    /// Between backticks.
    Code,
}

/// Pieces of a paragraph with their styles. Of a link only the text remains.
#[must_use]
pub fn spans(mut text: &'static str) -> Vec<(Style, &'static str)> {
    /// Marks of a style, in front of a piece and behind it.
    const MARKS: [(&str, &str, Style); 4] = [
        ("**", "**", Style::Strong),
        ("*", "*", Style::Emphasis),
        ("`", "`", Style::Code),
        ("[", "](", Style::Plain),
    ];
    let mut spans = Vec::new();
    while !text.is_empty() {
        let marked = |(open, close, style): &(&str, &str, Style)| {
            let start = text.find(open)?;
            let (inside, behind) = text[start + open.len()..].split_once(close)?;
            Some((start, inside, behind, *style))
        };
        // Of marks at the same place the first one is the longest.
        let found = MARKS.iter().filter_map(marked);
        let Some((start, inside, behind, style)) = found.min_by_key(|found| found.0) else {
            spans.push((Style::Plain, text));
            break;
        };
        spans.push((Style::Plain, &text[..start]));
        spans.push((style, inside));
        text = match style {
            Style::Plain => behind.split_once(')').map_or("", |(_, rest)| rest),
            _ => behind,
        };
    }
    spans.retain(|(_, piece)| !piece.is_empty());
    spans
}
