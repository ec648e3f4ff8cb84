//! Safe output of messages. Names, keys and values from files may hold control characters, which a
//! terminal would execute. Messages may quote such text; before output each passes through [`terminal`]
//! or [`window`], which escape control characters.
//!
//! A file name need not be UTF-8. [`named`] maps each invalid byte to a character of the last private
//! plane of Unicode, so that messages stay valid text; [`terminal`] maps it back.

use std::borrow::Cow;
use std::path::Path;

/// Character that stands for byte 0; only bytes from 128 on are used.
const BYTES: u32 = 0x0010_ff00;

/// Message in one line, with single spaces between words.
#[must_use]
pub fn one_line(message: &str) -> String {
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Path as part of a message, with every byte preserved.
#[must_use]
pub fn named(path: &Path) -> String {
    let mut text = String::new();
    for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
        for letter in chunk.valid().chars() {
            match byte_of(letter) {
                // A name that contains a character of this range is mapped byte by byte.
                Some(_) => letter
                    .encode_utf8(&mut [0; 4])
                    .bytes()
                    .for_each(|byte| text.push(of_byte(byte))),
                None => text.push(letter),
            }
        }
        chunk
            .invalid()
            .iter()
            .for_each(|byte| text.push(of_byte(*byte)));
    }
    text
}

/// Bytes of a message for a terminal: one line, with control characters escaped.
#[must_use]
pub fn terminal(message: &str) -> Vec<u8> {
    let message = without_error_number(message);
    let mut bytes = Vec::with_capacity(message.len());
    for letter in message.chars() {
        match byte_of(letter) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend(visible(letter).bytes()),
        }
    }
    bytes
}

/// Text of a message for the window.
#[must_use]
pub fn window(message: &str) -> String {
    let shown = |letter| match byte_of(letter) {
        Some(_) => char::REPLACEMENT_CHARACTER.to_string(),
        None => visible(letter),
    };
    without_error_number(message).chars().map(shown).collect()
}

/// Message without the error numbers that the standard library adds to system errors.
fn without_error_number(message: &str) -> Cow<'_, str> {
    const BEGINS: &str = " (os error ";
    let mut parts = message.split(BEGINS);
    let first = parts.next().unwrap_or_default();
    let mut text = Cow::Borrowed(first);
    for part in parts {
        let rest = part.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '-');
        let has_number = rest.len() < part.len();
        let text = text.to_mut();
        match rest.strip_prefix(')').filter(|_| has_number) {
            Some(rest) => text.push_str(rest),
            None => text.extend([BEGINS, part]),
        }
    }
    text
}

fn of_byte(byte: u8) -> char {
    char::from_u32(BYTES + u32::from(byte)).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn byte_of(letter: char) -> Option<u8> {
    let byte = u8::try_from(u32::from(letter).checked_sub(BYTES)?).ok()?;
    (byte >= 128).then_some(byte)
}

/// Letter, or its escape if it is a control character or changes the text direction.
fn visible(letter: char) -> String {
    let turns = matches!(letter,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    match letter {
        '\n' | '\r' | '\t' => letter.escape_default().to_string(),
        _ if letter.is_control() || turns => letter.escape_unicode().to_string(),
        _ => letter.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_numbers_are_not_shown() {
        let system = std::io::Error::from_raw_os_error(2).to_string();
        assert!(system.contains("os error"), "{system}");
        let message = format!("cannot read: {system}: a (os error x) b, {system}");
        let shown = message.replace(" (os error 2)", "");
        assert_eq!(window(&message), shown);
        assert_eq!(terminal(&message), shown.as_bytes());
    }
}
