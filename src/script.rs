//! Arabic and Hebrew as they are read: from right to left, letters joined.
//!
//! Drawers of text here set one letter after the other, from left to right. So what is shown of a
//! text is put into the order that the eye meets (the Unicode Bidirectional Algorithm), with the
//! form of each Arabic letter that its neighbours ask for. Only what is drawn is changed: texts
//! stay as they are. A line runs from left to right as a whole, so that the ending of a file's name
//! stays at its end.

use std::borrow::Cow;
use std::ops::Range;

use ar_reshaper::config::LigaturesFlags;
use ar_reshaper::{ArabicReshaper, Language, ReshaperConfig};
use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

/// Joins what follows to what is before; letters here are joined already.
const JOINER: char = '\u{200d}';
/// Brackets look the other way in what is read from the right.
const MIRRORED: &[(char, char)] = &[('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»')];

/// Whether a text has letters that are read from the right.
#[must_use]
pub fn is_reordered(text: &str) -> bool {
    let from_right = |letter| matches!(bidi_class(letter), BidiClass::R | BidiClass::AL);
    !text.is_ascii() && text.chars().any(from_right)
}

/// One line as it is drawn. Letters are joined where `has` knows all the forms that takes.
#[must_use]
pub fn visual<'a>(line: &'a str, has: &dyn Fn(char) -> bool) -> Cow<'a, str> {
    if !is_reordered(line) {
        return Cow::Borrowed(line);
    }
    let shown = |run: &Run| drawn(&line[run.range.clone()], run.from_right, has);
    Cow::Owned(runs(line).iter().map(shown).collect())
}

/// The forms that drawing a text takes, beside its own letters.
#[must_use]
pub fn forms(text: &str) -> String {
    match is_reordered(text) {
        true => joined(text),
        false => String::new(),
    }
}

/// A part of a line that is read in one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its bytes in the line.
    pub range: Range<usize>,
    /// Whether it is read from the right.
    pub from_right: bool,
}

/// The parts of a line in the order in which they are drawn.
#[must_use]
pub fn runs(line: &str) -> Vec<Run> {
    let info = BidiInfo::new(line, Some(Level::ltr()));
    let runs = info.paragraphs.iter().flat_map(|paragraph| {
        let (levels, runs) = info.visual_runs(paragraph, paragraph.range.clone());
        let run = move |range: Range<usize>| Run {
            from_right: levels[range.start].is_rtl(),
            range,
        };
        runs.into_iter().map(run)
    });
    runs.collect()
}

/// A part of one direction as it is drawn.
#[must_use]
pub fn drawn(part: &str, from_right: bool, has: &dyn Fn(char) -> bool) -> String {
    if !from_right {
        return part.to_owned();
    }
    let joined = joined(part);
    let letters = match joined.chars().all(has) {
        true => joined,
        false => part.to_owned(),
    };
    backwards(&letters)
}

/// The letters in their forms, in the order in which they are read.
fn joined(text: &str) -> String {
    let config = ReshaperConfig {
        delete_harakat: false,
        // Lam and alef; without it the crate leaves out those it enables.
        support_ligatures: true,
        ..ReshaperConfig::new(Language::Arabic, LigaturesFlags::default())
    };
    // The crate wants a letter before a mark, and counts without joiners.
    let text: String = std::iter::once(' ').chain(text.chars()).collect();
    let joined = ArabicReshaper::new(config).reshape(text.replace(JOINER, ""));
    joined.chars().skip(1).collect()
}

/// From the last letter to the first, each followed by its marks.
fn backwards(text: &str) -> String {
    let mut clusters: Vec<String> = Vec::new();
    for letter in text.chars() {
        let other = MIRRORED.iter().find_map(|&(one, other)| match letter {
            _ if letter == one => Some(other),
            _ if letter == other => Some(one),
            _ => None,
        });
        let letter = other.unwrap_or(letter);
        match clusters.last_mut() {
            Some(cluster) if bidi_class(letter) == BidiClass::NSM => cluster.push(letter),
            _ => clusters.push(letter.to_string()),
        }
    }
    clusters.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(line: &str, expected: &str) {
        assert_eq!(visual(line, &|_| true), expected, "{line}");
    }

    #[test]
    fn names_are_joined_and_read_from_the_right() {
        // Jeem at the beginning, beh in the middle, lam at the end; the ending stays at the end.
        check("جبل.png", "\u{fede}\u{fe92}\u{fe9f}.png");
        // Lam and alef are one, and two words change places.
        check("a سلام 12 b", "a 12 \u{fee1}\u{fefc}\u{feb3} b");
        check("הר.png", "רה.png");
        check("(הר)", "(רה)");
        check("ה(1)", "(1)ה");
        // A mark stays behind its letter.
        check("בּא", "אבּ");
        check("mountain", "mountain");
    }

    #[test]
    fn without_the_forms_letters_stand_alone() {
        assert_eq!(visual("جبل", &|letter| letter < '\u{fe00}'), "لبج");
    }

    proptest! {
        #[test]
        fn any_text_can_be_drawn(text in "[a(\u{5d0}-\u{5d3}\u{5bc}\u{627}\u{644}\u{6e5}\u{64b}\u{200c}-\u{200f}\u{202a}-\u{202e}\\n 1.]{0,12}|\\PC{0,20}") {
            let shown = visual(&text, &|_| true);
            prop_assert!(shown.chars().count() <= text.chars().count());
        }
    }
}
