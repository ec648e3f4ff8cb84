//! `.ply`: the scene in the comments of a mesh's header.

use std::io::{BufRead, Read};

use super::recipe::rest;
use super::source::{Broken, Source};
use super::sum::{ByteSum, Sum};
use super::{Format, comments, format};

/// The format.
pub const FORMAT: Format = Format {
    name: "PLY",
    extensions: &["ply"],
    mark: Some(|bytes| bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r\n")),
    read: format::mesh,
    recipe: |source| comments::recipe(source, "comment ", of_body),
    is_heights: false,
    is_mesh: true,
};

/// A line of a header is no longer.
const MOST_LINE: u64 = 1 << 20;

/// The sum of what follows the header.
fn of_body(source: &mut Source<'_>) -> Result<Sum, Broken> {
    loop {
        let mut line = Vec::new();
        (&mut *source.bytes)
            .take(MOST_LINE)
            .read_until(b'\n', &mut line)?;
        match line.trim_ascii_end() {
            _ if line.is_empty() => return Err(Broken::cut_short()),
            b"end_header" => return rest(source, ByteSum::new(0, 0)),
            _ => {}
        }
    }
}
