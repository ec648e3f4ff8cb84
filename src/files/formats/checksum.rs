//! 64-bit checksums of the samples in a file and of whole files.
//!
//! A sum adds a hash of position and value over all numbers (the finaliser of SplitMix64; Steele, Lea and
//! Flood, 2014). So numbers may be added in any order, as tiles need, and equal numbers at other
//! positions give another sum. It detects mistakes, not forgery.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::Path;

/// Order-independent checksum of numbers with their positions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sum(u64);

impl Sum {
    /// Start the checksum of a grid, including its size.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        Self(mixed(rows as u64, columns as u64))
    }

    /// Add the number at a position.
    pub fn add(&mut self, place: u64, number: u64) {
        self.0 = self.0.wrapping_add(mixed(place, number));
    }

    /// Add consecutive numbers from a position on. Equal numbers of different types give the same sum.
    pub fn numbers(&mut self, first: u64, numbers: impl IntoIterator<Item = f64>) {
        for (place, number) in (first..).zip(numbers) {
            self.add(place, number.to_bits());
        }
    }

    /// Merge a partial sum that was started with [`Sum::default`].
    pub fn join(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    /// Hexadecimal text of 16 characters.
    #[must_use]
    pub fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

fn mixed(place: u64, number: u64) -> u64 {
    // Plus 1, so that the position counts at 0 too.
    let mut z = place.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ number;
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Checksum of a stream of bytes.
pub trait Adds {
    /// Add the next bytes.
    fn add(&mut self, bytes: &[u8]);
    /// Checksum so far.
    fn sum(&self) -> Sum;
}

/// Checksum of bytes, eight to a number.
#[derive(Clone, Debug)]
pub struct ByteSum {
    sum: Sum,
    words: u64,
    held: [u8; 8],
    count: usize,
}

impl ByteSum {
    /// Start the checksum of a grid's bytes; 0 × 0 without a grid.
    #[must_use]
    pub fn new(rows: usize, columns: usize) -> Self {
        Self {
            sum: Sum::new(rows, columns),
            words: 0,
            held: [0; 8],
            count: 0,
        }
    }

    fn word(&mut self, bytes: [u8; 8]) {
        self.sum.add(self.words, u64::from_le_bytes(bytes));
        self.words += 1;
    }
}

impl Adds for ByteSum {
    fn add(&mut self, mut bytes: &[u8]) {
        if self.count > 0 {
            let taken = bytes.len().min(8 - self.count);
            self.held[self.count..self.count + taken].copy_from_slice(&bytes[..taken]);
            self.count += taken;
            bytes = &bytes[taken..];
            if self.count < 8 {
                return;
            }
            self.word(self.held);
            self.count = 0;
        }
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.word(*word));
        self.held[..rest.len()].copy_from_slice(rest);
        self.count = rest.len();
    }

    /// Checksum so far, including the number of bytes.
    fn sum(&self) -> Sum {
        let mut sum = self.sum;
        let mut last = [0; 8];
        last[..self.count].copy_from_slice(&self.held[..self.count]);
        sum.add(self.words, u64::from_le_bytes(last));
        // Distinguishes trailing zero bytes from padding.
        sum.add(self.words + 1, self.count as u64);
        sum
    }
}

/// Checksum of the words of a text, independent of white space, line ends and comments.
#[derive(Clone, Debug)]
pub struct TextSum {
    bytes: ByteSum,
    within: Within,
}

/// State of the tokenizer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Within {
    Blank,
    Word,
    Comment,
}

impl Default for TextSum {
    fn default() -> Self {
        Self {
            bytes: ByteSum::new(0, 0),
            within: Within::Blank,
        }
    }
}

impl Adds for TextSum {
    fn add(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let is_end = |byte: &u8| match self.within {
                Within::Blank => !byte.is_ascii_whitespace(),
                Within::Word => byte.is_ascii_whitespace(),
                Within::Comment => *byte == b'\n',
            };
            let end = bytes.iter().position(is_end);
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            bytes = rest;
            if self.within == Within::Word {
                self.bytes.add(part);
            }
            let Some(next) = rest.first().filter(|_| end.is_some()) else {
                return;
            };
            self.within = match (self.within, next) {
                (Within::Blank, b'#') => Within::Comment,
                (Within::Blank, _) => Within::Word,
                (Within::Word, _) => {
                    self.bytes.add(b" ");
                    Within::Blank
                }
                (Within::Comment, _) => Within::Blank,
            };
        }
    }

    fn sum(&self) -> Sum {
        let mut bytes = self.bytes.clone();
        if self.within == Within::Word {
            bytes.add(b" ");
        }
        bytes.sum()
    }
}

/// Writer that passes bytes on and adds them to a checksum.
#[derive(Debug)]
pub struct Summing<W, S> {
    /// Destination of the bytes.
    pub sink: W,
    /// Checksum of the bytes.
    pub sum: S,
}

impl<W: Write, S: Adds> Write for Summing<W, S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.sink.write(bytes)?;
        self.sum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }
}

/// Block size for reading, in bytes.
const BLOCK: usize = 1 << 16;

/// Length and checksum of a file.
///
/// # Errors
/// The file cannot be read.
pub fn checksum(file: &mut (impl Read + Seek)) -> io::Result<(u64, String)> {
    file.rewind()?;
    let mut sum = ByteSum::new(0, 0);
    let mut block = vec![0; BLOCK];
    let mut length = 0;
    loop {
        match file.read(&mut block) {
            Ok(0) => return Ok((length, format!("sum64 {}", sum.sum().text()))),
            Ok(count) => {
                sum.add(&block[..count]);
                length += count as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Length and checksum of a regular file; `None` for anything else. Opening a pipe, for example, would
/// block.
#[must_use]
pub fn checksum_at(path: &Path) -> Option<(u64, String)> {
    if !path.is_file() {
        return None;
    }
    checksum(&mut File::open(path).ok()?).ok()
}

/// FNV-1a hash, 64 bits (Fowler, Noll and Vo).
#[must_use]
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
