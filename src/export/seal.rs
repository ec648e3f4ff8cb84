//! Recipes with a checksum of what follows them.

use std::io::{self, Seek, SeekFrom, Write};

use super::Sink;
use crate::formats::checksum::{Adds, Summing};

/// What bodies are written into.
pub type Body<'a> = &'a mut (dyn Write + Send);

/// Stands for a checksum that is not yet known.
const NOT_YET: &str = "----------------";

/// Writes a head that states the checksum of the body after it. The head is written again when
/// the body is done; into a pipe, which does not go back, the body is made twice. `head` is as
/// long for any checksum, which has 16 letters.
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
