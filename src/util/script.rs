//! Right-to-left text, Arabic and Hebrew: reordering and shaping for renderers that only draw letters
//! from left to right.
//!
//! A line is reordered for display (Unicode Bidirectional Algorithm), and Arabic letters get the
//! contextual forms that their neighbours require. Only the displayed text is changed. The base direction
//! is left to right, so that a file name's extension stays at its end.

use std::borrow::Cow;
use std::ops::Range;

use ar_reshaper::config::LigaturesFlags;
use ar_reshaper::{ArabicReshaper, Language, ReshaperConfig};
use unicode_bidi::{BidiClass, BidiInfo, Level, bidi_class};

/// Zero-width joiner, which is removed since the letters are joined already.
const JOINER: char = '\u{200d}';
/// Brackets that are mirrored in right-to-left text.
const MIRRORED: &[(char, char)] = &[('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('«', '»')];

/// True if a text has right-to-left letters.
#[must_use]
pub fn is_reordered(text: &str) -> bool {
    let from_right = |letter| matches!(bidi_class(letter), BidiClass::R | BidiClass::AL);
    !text.is_ascii() && text.chars().any(from_right)
}

/// Line in display order. Letters are joined if `has` is true for all required forms.
#[must_use]
pub fn visual<'a>(line: &'a str, has: &dyn Fn(char) -> bool) -> Cow<'a, str> {
    if !is_reordered(line) {
        return Cow::Borrowed(line);
    }
    let shown = |run: &Run| drawn(&line[run.range.clone()], run.from_right, has);
    Cow::Owned(runs(line).iter().map(shown).collect())
}

/// Contextual forms of letters that a text needs beyond its own letters.
#[must_use]
pub fn forms(text: &str) -> String {
    if is_reordered(text) {
        joined(text)
    } else {
        String::new()
    }
}

/// Part of a line with one direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Byte range in the line.
    pub range: Range<usize>,
    /// True for right to left.
    pub from_right: bool,
}

/// Parts of a line in display order.
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

/// Part with one direction, in display order.
#[must_use]
pub fn drawn(part: &str, from_right: bool, has: &dyn Fn(char) -> bool) -> String {
    if !from_right {
        return part.to_owned();
    }
    let joined = joined(part);
    let letters = if joined.chars().all(has) {
        joined
    } else {
        part.to_owned()
    };
    backwards(&letters)
}

/// Text with letters in contextual forms, in logical order.
fn joined(text: &str) -> String {
    let config = ReshaperConfig {
        delete_harakat: false,
        // Enables the ligature of lam and alef; without this flag the crate ignores enabled ligatures.
        support_ligatures: true,
        ..ReshaperConfig::new(Language::Arabic, LigaturesFlags::default())
    };
    // The crate needs a letter before a mark, and does not count joiners.
    let text: String = std::iter::once(' ').chain(text.chars()).collect();
    let joined = ArabicReshaper::new(config).reshape(text.replace(JOINER, ""));
    joined.chars().skip(1).collect()
}

/// Text in reverse order, each letter followed by its marks.
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
        // Jeem is initial, beh medial and lam final; the extension stays at the end.
        check("جبل.png", "\u{fede}\u{fe92}\u{fe9f}.png");
        // Lam and alef form a ligature, and the two words change places.
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
