//! Comments in films that name Landform as the program and hold nothing else.

use super::program::is_program;

/// Length of a GIF header before the global colour table, in bytes.
const GIF_HEADER: usize = 13;

/// True if this is the beginning of a GIF whose first comment names Landform.
#[must_use]
pub fn gif_says(head: &[u8]) -> bool {
    let says = || {
        let flags = *head.strip_prefix(b"GIF89a")?.get(4)?;
        // A global colour table may come first.
        let colors = if flags & 0x80 == 0 {
            0
        } else {
            2 << (flags & 7)
        };
        let rest = head.get(GIF_HEADER + 3 * colors..)?;
        let (length, text) = rest.strip_prefix(&[0x21, 0xfe])?.split_first()?;
        Some(is_program(text.get(..usize::from(*length))?))
    };
    says() == Some(true)
}

/// True if these are the beginning and the end of an MP4 or WebM whose comment names Landform.
#[must_use]
pub fn video_says(start: &[u8], end: &[u8]) -> bool {
    match start.get(4..8) {
        Some(b"ftyp") => mp4_says(start) || mp4_says(end),
        _ if start.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]) => webm_says(start) || webm_says(end),
        _ => false,
    }
}

/// Search the comment box of an MP4: its kind, then a data box with 16 bytes before the text.
fn mp4_says(bytes: &[u8]) -> bool {
    follow(bytes, b"\xa9cmt").any(|rest| {
        let head = rest.first_chunk::<16>();
        let length = head.filter(|head| &head[4..8] == b"data").map(|head| {
            let size = u32::from_be_bytes([head[0], head[1], head[2], head[3]]);
            (size as usize).saturating_sub(16)
        });
        length.is_some_and(|length| rest[16..].get(..length).is_some_and(is_program))
    })
}

/// Search the comment tag of a WebM: its name, then the text with a length of one byte.
fn webm_says(bytes: &[u8]) -> bool {
    follow(bytes, b"COMMENT\x44\x87").any(|rest| {
        let length = rest.first().map(|length| usize::from(length & 0x7f));
        length.is_some_and(|length| rest[1..].get(..length).is_some_and(is_program))
    })
}

/// Bytes after each occurrence of a mark.
fn follow<'a>(bytes: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let places = bytes.windows(mark.len()).enumerate();
    let places = places.filter(move |(_, window)| *window == mark);
    places.map(move |(place, _)| &bytes[place + mark.len()..])
}
