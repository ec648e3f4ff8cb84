//! Header of NumPy's `.npy` files (Kern 2007, NumPy Enhancement Proposal 1): a magic number, a version, a
//! length and a dictionary in Python syntax, padded with spaces so that the data begins at a multiple of
//! 64 bytes.
//!
//! Implemented here, since the existing crate has twenty more dependencies.

/// Magic number at the beginning of every file.
pub const MARK: &[u8] = b"\x93NUMPY";

/// Header dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Head {
    /// Data type: byte order, kind and number of bytes, such as `<f4`; or a list of several.
    pub descr: String,
    /// True for column-major (Fortran) order.
    pub by_columns: bool,
    /// Array shape, the slowest dimension first.
    pub shape: Vec<u64>,
}

/// The [`Head::descr`] of little-endian 32-bit floats.
pub const F32: &str = "<f4";
/// The [`Head::descr`] of little-endian 64-bit floats.
pub const F64: &str = "<f8";

/// Header of a file with this data type and shape, in row-major order.
#[must_use]
pub fn head(descr: &str, shape: &[u64]) -> Vec<u8> {
    let sides: String = shape.iter().map(|side| format!("{side}, ")).collect();
    let mut words = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({sides}), }}");
    let before = MARK.len() + 4;
    let padded = (before + words.len() + 1).next_multiple_of(64) - before;
    words.extend(std::iter::repeat_n(' ', padded - words.len() - 1));
    words.push('\n');
    let length = (padded as u16).to_le_bytes();
    [MARK, &[1, 0], &length, words.as_bytes()].concat()
}

/// Parse a header dictionary; `None` if it is not valid.
#[must_use]
pub fn parse(dictionary: &str) -> Option<Head> {
    let mut rest = dictionary.trim().strip_prefix('{')?.strip_suffix('}')?;
    let (mut descr, mut by_columns, mut shape) = (None, None, None);
    while !rest.trim_start().is_empty() {
        let (key, after) = item(rest)?;
        let (value, after) = item(after.trim_start().strip_prefix(':')?)?;
        match unquoted(key)? {
            "descr" => descr = Some(unquoted(value).unwrap_or(value).to_owned()),
            "fortran_order" => {
                by_columns = Some(match value {
                    "True" => true,
                    "False" => false,
                    _ => return None,
                });
            }
            "shape" => shape = Some(sides(value)?),
            _ => return None,
        }
        rest = after.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest);
    }
    Some(Head {
        descr: descr?,
        by_columns: by_columns?,
        shape: shape?,
    })
}

/// Split off the first string, word, tuple or list.
fn item(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let quote = text.chars().next()?;
    let end = match quote {
        '\'' | '"' => text[1..].find(quote)? + 2,
        '(' | '[' => closing(text)?,
        _ => text.find([',', ':', '}']).unwrap_or(text.len()),
    };
    Some((text[..end].trim_end(), &text[end..]))
}

/// End of the bracketed text at the beginning.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn unquoted(text: &str) -> Option<&str> {
    let within = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    within('\'').or_else(|| within('"'))
}

/// Parse a tuple of whole numbers; Python 2 wrote some with an L suffix.
fn sides(tuple: &str) -> Option<Vec<u64>> {
    let inner = tuple.strip_prefix('(')?.strip_suffix(')')?;
    let words = inner.split(',').map(str::trim);
    let words = words.filter(|word| !word.is_empty());
    words
        .map(|word| word.trim_end_matches('L').parse().ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_head_says_what_was_written() {
        for shape in [&[5][..], &[3, 4], &[1_048_577, 1_048_577], &[]] {
            let head = head(F32, shape);
            assert_eq!(head.len() % 64, 0);
            let words = std::str::from_utf8(&head[10..]).unwrap();
            assert_eq!(
                parse(words).unwrap(),
                Head {
                    descr: F32.to_owned(),
                    by_columns: false,
                    shape: shape.to_vec()
                }
            );
        }
    }

    #[test]
    fn foreign_headers_are_read_but_nonsense_is_not() {
        let head = parse("{'shape':(3L,4L),\"fortran_order\": True ,'descr':'>i2'}  \n").unwrap();
        assert_eq!((head.descr.as_str(), head.by_columns), (">i2", true));
        assert_eq!(head.shape, [3, 4]);
        let records =
            "{'descr': [('x', '<f4'), ('y', '<f4')], 'fortran_order': False, 'shape': (2,), }";
        assert_eq!(
            parse(records).unwrap().descr,
            "[('x', '<f4'), ('y', '<f4')]"
        );
        for broken in [
            "",
            "{}",
            "{'descr': '<f4'}",
            "{'descr': '<f4', 'fortran_order': 1, 'shape': (2,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
            "{'descr': '<f4', 'fortran_order': False, 'shape': (2}",
            "{'descr: '<f4', 'fortran_order': False, 'shape': (2,)}",
            "'descr': '<f4', 'fortran_order': False, 'shape': (2,)",
        ] {
            assert_eq!(parse(broken), None, "{broken}");
        }
    }
}
