//! Program name and version in files.

/// Program and version, as written to files.
pub const PROGRAM: &str = concat!("landform ", env!("CARGO_PKG_VERSION"));

/// True if a text is `landform` and a version, and nothing else.
#[must_use]
pub fn is_program(text: &[u8]) -> bool {
    let Some(version) = text.strip_prefix(b"landform ") else {
        return false;
    };
    let parts: Vec<_> = version.split(|byte| *byte == b'.').collect();
    let is_number = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    parts.len() == 3 && parts.iter().all(is_number)
}
