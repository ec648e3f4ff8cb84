//! How films say that Landform wrote them: in a comment that says that and nothing else.

use super::program::is_program;

/// Bytes of a GIF before its first block, without colours for all pictures.
const GIF_HEADER: usize = 13;

/// Whether the beginning of a file is that of a GIF whose first comment says so.
#[must_use]
pub fn gif_says(head: &[u8]) -> bool {
    let says = || {
        let flags = *head.strip_prefix(b"GIF89a")?.get(4)?;
        // Colours for all pictures may come first.
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

/// Whether the beginning and the end of a file are those of an MP4 or WebM whose comment says so.
#[must_use]
pub fn video_says(start: &[u8], end: &[u8]) -> bool {
    match start.get(4..8) {
        Some(b"ftyp") => mp4_says(start) || mp4_says(end),
        _ if start.starts_with(&[0x1a, 0x45, 0xdf, 0xa3]) => webm_says(start) || webm_says(end),
        _ => false,
    }
}

/// The box of a comment: its kind, then the box of its text, of eight more bytes before the text.
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

/// A tag: its name, then its text with a length of one byte.
fn webm_says(bytes: &[u8]) -> bool {
    follow(bytes, b"COMMENT\x44\x87").any(|rest| {
        let length = rest.first().map(|length| usize::from(length & 0x7f));
        length.is_some_and(|length| rest[1..].get(..length).is_some_and(is_program))
    })
}

/// What follows each place of a mark.
fn follow<'a>(bytes: &'a [u8], mark: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
    let places = bytes.windows(mark.len()).enumerate();
    let places = places.filter(move |(_, window)| *window == mark);
    places.map(move |(place, _)| &bytes[place + mark.len()..])
}
