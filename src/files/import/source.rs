//! Input of the readers, import errors, and limits on size and memory.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::MAX_SIDE;
use crate::files::formats::sidecar::Sidecar;
use crate::generate::{InputUnit, Reading};
use crate::util::memory;

/// Byte stream with random access.
pub trait Bytes: BufRead + Seek + Send {}

impl<T: BufRead + Seek + Send> Bytes for T {}

/// Input of a reader: a file, or bytes in memory.
pub struct Source<'a> {
    /// The byte stream.
    pub bytes: &'a mut dyn Bytes,
    /// The length in bytes.
    pub length: u64,
    /// Information from outside the bytes.
    pub beside: Beside<'a>,
}

/// Information about a file from outside its bytes.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// The JSON sidecar, if there is one that matches.
    pub sidecar: Option<&'a Sidecar>,
    /// The user's import options.
    pub reading: &'a Reading,
    /// The file name without its extension; for some formats it gives the position.
    pub stem: &'a str,
    /// True to skip unsupported content that does not change heights, as far as is known; false to leave such
    /// a file to GDAL.
    pub ignores_unknown: bool,
}

impl<'a> Beside<'a> {
    /// Make the information of a source without sidecar and name.
    pub fn alone(reading: &'a Reading) -> Self {
        Self {
            sidecar: None,
            reading,
            stem: "",
            ignores_unknown: false,
        }
    }

    /// True if the user's options leave the meaning of the numbers to the sidecar.
    pub fn trusts_sidecar(&self) -> bool {
        self.reading.unit == InputUnit::Auto && self.reading.range.is_empty()
    }
}

/// Problem with a file's content.
#[derive(Debug)]
pub enum Broken {
    /// The file cannot be read.
    Io(io::Error),
    /// The content is invalid; the message has one line.
    Wrong(String),
    /// The content seems valid, but the built-in readers do not support it.
    Foreign {
        /// A short description of the unsupported content.
        what: String,
        /// True if the unsupported content may change heights or positions.
        changes: bool,
    },
}

impl Broken {
    /// Make an error message on one line.
    pub fn wrong(message: impl ToString) -> Self {
        let message = message.to_string();
        let words = message.lines().map(str::trim).collect::<Vec<_>>();
        Self::Wrong(words.join(" "))
    }

    /// Make the error for unsupported content that changes heights or positions.
    pub fn foreign(what: impl Into<String>) -> Self {
        Self::Foreign {
            what: what.into(),
            changes: true,
        }
    }

    /// Make the error for a truncated file.
    pub fn cut_short() -> Self {
        Self::wrong("the file is cut short")
    }
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => Self::cut_short(),
            io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => Self::wrong(error),
            _ => Self::Io(error),
        }
    }
}

impl Source<'_> {
    /// Seek to the first byte.
    pub fn rewind(&mut self) -> io::Result<()> {
        self.bytes.seek(SeekFrom::Start(0)).map(|_| ())
    }

    /// Read at most `most` bytes from the start.
    pub fn head(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.part(0, most)
    }

    /// Read at most `most` bytes before the end.
    pub fn tail(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.part(self.length.saturating_sub(most), most)
    }

    fn part(&mut self, from: u64, most: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.bytes.seek(SeekFrom::Start(from))?;
        (&mut *self.bytes).take(most).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Refuse a side of 0 or above the limit, before memory is allocated.
pub fn check_size(columns: u64, rows: u64) -> Result<(), Broken> {
    let allowed = 1..=MAX_SIDE as u64;
    if allowed.contains(&columns) && allowed.contains(&rows) {
        return Ok(());
    }
    Err(Broken::wrong(format!(
        "{columns} × {rows} samples, allowed is up to {MAX_SIDE} a side"
    )))
}

/// Memory per sample besides the decoder's, in bytes: the float, the map made from it, and the coarse levels
/// of void filling.
const OF_A_SAMPLE: u64 = 4 + 4 + 2;

/// Refuse samples that do not fit in free memory; `decoded` is the size of a decoded sample in bytes.
pub fn check_memory(columns: u64, rows: u64, decoded: u64) -> Result<(), Broken> {
    let bytes = columns
        .saturating_mul(rows)
        .saturating_mul(decoded + OF_A_SAMPLE);
    check_bytes(&format!("its {columns} × {rows} samples need"), bytes)
}

/// Refuse to allocate `bytes` for `what` if they are not free.
pub fn check_bytes(what: &str, bytes: u64) -> Result<(), Broken> {
    memory::check(bytes).map_err(|memory::TooMuch { needed, free }| {
        Broken::wrong(format!(
            "{what} {} MB of memory, {} MB are free",
            needed >> 20,
            free >> 20
        ))
    })
}

/// Refuse a size with more samples than `length` bytes can hold, at `most` samples per byte.
pub fn check_room(columns: u64, rows: u64, length: u64, most: f64) -> Result<(), Broken> {
    check_size(columns, rows)?;
    if (columns * rows) as f64 <= length as f64 * most {
        return Ok(());
    }
    Err(Broken::wrong(format!(
        "it says {columns} × {rows} samples, {length} bytes cannot hold them"
    )))
}
