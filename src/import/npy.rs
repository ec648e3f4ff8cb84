//! `.npy`: NumPy arrays of two dimensions (rows, columns), or of one as a profile.

use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::samples::{Meaning, Samples};
use super::source::{Broken, Source, check_memory, check_room};
use crate::formats::npy::{self, Head};

/// The format.
pub const READER: Reader = Reader {
    name: "NumPy",
    extensions: &["npy"],
    mark: Some(|bytes| bytes.starts_with(npy::MARK)),
    holds: Holding::Heights(read),
    recipe: |_| Ok(Recipe::None),
};

/// A longer header is none of numbers alone; NumPy's own limit.
const MOST_HEADER: u64 = 10_000;
/// Bytes of numbers that are read at once.
const AT_ONCE: usize = 1 << 16;

/// The array as it is, whole numbers and 64-bit floats rounded to 32-bit floats.
fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let Head {
        descr,
        by_columns,
        shape,
    } = head(source)?;
    let (rows, columns) = match shape[..] {
        [columns] => (1, columns),
        [rows, columns] => (rows, columns),
        ref shape => {
            let count = shape.len();
            return Err(Broken::wrong(format!(
                "{count} dimensions, allowed is 1 or 2"
            )));
        }
    };
    // Each number has at least one byte: a header that promises more is found out here, before
    // memory is taken.
    check_room(columns, rows, source.length, 1.0)?;
    check_memory(columns, rows, 4)?;
    let (mut values, top) = numbers(source, &descr, (rows * columns) as usize)?;
    if by_columns && rows > 1 {
        let (rows, columns) = (rows as usize, columns as usize);
        let turned = (0..values.len()).map(|at| values[at % columns * rows + at / columns]);
        values = turned.collect();
    }
    let meaning = top.map_or(Meaning::Numbers, |top| Meaning::Levels {
        top,
        heights: None,
    });
    Samples::from_vec(rows, columns, values, meaning)
}

/// What stands before the numbers: mark, version, length, dictionary.
fn head(source: &mut Source<'_>) -> Result<Head, Broken> {
    let mut start = [0; 10];
    source.bytes.read_exact(&mut start)?;
    let mut length = u64::from(u16::from_le_bytes([start[8], start[9]]));
    match start[6..8] {
        [1, 0] => {}
        [2 | 3, 0] => {
            let mut more = [0; 2];
            source.bytes.read_exact(&mut more)?;
            length |= u64::from(u16::from_le_bytes(more)) << 16;
        }
        ref version => {
            return Err(Broken::wrong(format!(
                "version {}.{} of NumPy's format, allowed is 1.0, 2.0 or 3.0",
                version[0], version[1]
            )));
        }
    }
    if length > MOST_HEADER {
        return Err(Broken::wrong(format!(
            "a header of {length} bytes, allowed is up to {MOST_HEADER}"
        )));
    }
    let mut words = vec![0; length as usize];
    source.bytes.read_exact(&mut words)?;
    let head = std::str::from_utf8(&words).ok().and_then(npy::parse);
    head.ok_or_else(|| Broken::wrong("not a NumPy array of numbers"))
}

/// The numbers, and the highest that there can be of unsigned whole ones.
fn numbers(
    source: &mut Source<'_>,
    descr: &str,
    count: usize,
) -> Result<(Vec<f32>, Option<u16>), Broken> {
    let (order, kind) = descr.split_at_checked(1).unwrap_or_default();
    let falls = order == ">";
    /// Reads a number of so many bytes, the highest or the lowest first.
    macro_rules! number {
        ($type:ty) => {
            |bytes: [u8; size_of::<$type>()]| {
                if falls {
                    <$type>::from_be_bytes(bytes)
                } else {
                    <$type>::from_le_bytes(bytes)
                }
            }
        };
    }
    let known = ["<", ">", "=", "|"].contains(&order);
    let (values, top) = match kind {
        "f4" if known => (each(source, count, number!(f32)), None),
        "f8" if known => (each(source, count, |b| number!(f64)(b) as f32), None),
        "u1" if known => (each(source, count, |[b]| f32::from(b)), Some(255)),
        "u2" if known => {
            let values = each(source, count, |b| f32::from(number!(u16)(b)));
            (values, Some(u16::MAX))
        }
        "i2" if known => (each(source, count, |b| f32::from(number!(i16)(b))), None),
        "i4" if known => (each(source, count, |b| number!(i32)(b) as f32), None),
        _ => {
            return Err(Broken::wrong(format!(
                "numbers of type {descr}, allowed is float32, float64, uint8, uint16, int16 or \
                 int32"
            )));
        }
    };
    Ok((values?, top))
}

/// So many numbers of N bytes each.
fn each<const N: usize>(
    source: &mut Source<'_>,
    count: usize,
    number: impl Fn([u8; N]) -> f32,
) -> Result<Vec<f32>, Broken> {
    let mut values = Vec::with_capacity(count);
    let mut bytes = vec![0; AT_ONCE];
    while values.len() < count {
        let part = &mut bytes[..((count - values.len()) * N).min(AT_ONCE)];
        source.bytes.read_exact(part)?;
        values.extend(part.as_chunks::<N>().0.iter().map(|bytes| number(*bytes)));
    }
    Ok(values)
}
