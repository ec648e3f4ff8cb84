//! File headers with a checksum of the body that follows.

use std::io::{self, Seek, SeekFrom, Write};

use super::Sink;
use crate::formats::checksum::{Adds, Summing};

/// Sink for the body of a file.
pub type Body<'a> = &'a mut (dyn Write + Send);

/// Placeholder for the checksum, of the same length.
const NOT_YET: &str = "----------------";

/// Write a head that contains the checksum of the body after it. When the body is complete, the head is
/// written again. A pipe cannot seek, so there the body is made twice. `head` must have the same length
/// for any checksum of 16 characters.
pub fn with_sum<S: Adds + Send>(
    sink: &mut Sink,
    sum: impl Fn() -> S,
    head: impl Fn(&str) -> io::Result<Vec<u8>>,
    mut body: impl FnMut(Body<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let Ok(start) = sink.stream_position() else {
        let mut dry = Summing {
            sink: io::sink(),
            sum: sum(),
        };
        body(&mut dry)?;
        sink.write_all(&head(&dry.sum.sum().text())?)?;
        return body(sink);
    };
    sink.write_all(&head(NOT_YET)?)?;
    let mut summing = Summing {
        sink: &mut *sink,
        sum: sum(),
    };
    body(&mut summing)?;
    let text = summing.sum.sum().text();
    let end = sink.stream_position()?;
    sink.seek(SeekFrom::Start(start))?;
    sink.write_all(&head(&text)?)?;
    sink.seek(SeekFrom::Start(end))?;
    Ok(())
}
