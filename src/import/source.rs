//! What every reader is given, and what it says when it cannot go on.

use std::io::{self, BufRead, Read, Seek, SeekFrom};

use super::MAX_SIDE;
use crate::formats::sidecar::Sidecar;
use crate::generate::{InputUnit, Reading};
use crate::memory;

/// Bytes that can be read from any place.
pub trait Bytes: BufRead + Seek + Send {}

impl<T: BufRead + Seek + Send> Bytes for T {}

/// A file, or bytes in memory.
pub struct Source<'a> {
    /// The bytes, from the first.
    pub bytes: &'a mut dyn Bytes,
    /// How many.
    pub length: u64,
    /// What is known of it beside its bytes.
    pub beside: Beside<'a>,
}

/// What is known of a file beside its bytes.
#[derive(Clone, Copy)]
pub struct Beside<'a> {
    /// What the JSON file beside it says, if there is one and it fits.
    pub sidecar: Option<&'a Sidecar>,
    /// What the user says of it.
    pub reading: &'a Reading,
    /// Its name without the end, which says where some files lie.
    pub stem: &'a str,
    /// Whether what is not understood of it, and changes nothing of the heights as far as is known, is
    /// passed over; else it is left to GDAL.
    pub ignores_unknown: bool,
}

impl<'a> Beside<'a> {
    /// Nothing but what the user says.
    pub fn alone(reading: &'a Reading) -> Self {
        Self {
            sidecar: None,
            reading,
            stem: "",
            ignores_unknown: false,
        }
    }

    /// Whether the user leaves the sidecar its say about what numbers mean.
    pub fn trusts_sidecar(&self) -> bool {
        self.reading.unit == InputUnit::Auto && self.reading.range.is_empty()
    }
}

/// What is wrong with a file.
#[derive(Debug)]
pub enum Broken {
    /// The system would not read it.
    Io(io::Error),
    /// What it holds is not right: one line.
    Wrong(String),
    /// It is valid, as far as is known, and holds what is not understood here.
    Foreign {
        /// What that is, a few words.
        what: String,
        /// Whether heights or places may be others because of it.
        changes: bool,
    },
}

impl Broken {
    /// What is wrong, from anything that has words.
    pub fn wrong(message: impl ToString) -> Self {
        let message = message.to_string();
        let words = message.lines().map(str::trim).collect::<Vec<_>>();
        Self::Wrong(words.join(" "))
    }

    /// It holds what changes heights or places and is not understood here.
    pub fn foreign(what: impl Into<String>) -> Self {
        Self::Foreign {
            what: what.into(),
            changes: true,
        }
    }

    /// The file ends before its content does.
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
    /// Goes back to the first byte.
    pub fn rewind(&mut self) -> io::Result<()> {
        self.bytes.seek(SeekFrom::Start(0)).map(|_| ())
    }

    /// At most `most` bytes from the start.
    pub fn head(&mut self, most: u64) -> io::Result<Vec<u8>> {
        self.part(0, most)
    }

    /// At most `most` bytes before the end.
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

/// A side of 0 or beyond the limit, said before memory is taken for it.
pub fn check_size(columns: u64, rows: u64) -> Result<(), Broken> {
    let allowed = 1..=MAX_SIDE as u64;
    if allowed.contains(&columns) && allowed.contains(&rows) {
        return Ok(());
    }
    Err(Broken::wrong(format!(
        "{columns} × {rows} samples, allowed is up to {MAX_SIDE} a side"
    )))
}

/// Bytes that a sample takes beside those of its decoder: the float, the map made of it, and a
/// third of it where holes are filled.
const OF_A_SAMPLE: u64 = 4 + 4 + 2;

/// Refuses samples that the free memory cannot hold, each of `decoded` bytes before it is a float.
pub fn check_memory(columns: u64, rows: u64, decoded: u64) -> Result<(), Broken> {
    let bytes = columns
        .saturating_mul(rows)
        .saturating_mul(decoded + OF_A_SAMPLE);
    check_bytes(&format!("its {columns} × {rows} samples need"), bytes)
}

/// Refuses so many bytes for `what` if they are not free.
pub fn check_bytes(what: &str, bytes: u64) -> Result<(), Broken> {
    memory::check(bytes).map_err(|memory::TooMuch { needed, free }| {
        Broken::wrong(format!(
            "{what} {} MB of memory, {} MB are free",
            needed >> 20,
            free >> 20
        ))
    })
}

/// More samples than the bytes can hold, of which one stands for at most `most` samples.
pub fn check_room(columns: u64, rows: u64, length: u64, most: f64) -> Result<(), Broken> {
    check_size(columns, rows)?;
    if (columns * rows) as f64 <= length as f64 * most {
        return Ok(());
    }
    Err(Broken::wrong(format!(
        "it says {columns} × {rows} samples, {length} bytes cannot hold them"
    )))
}
