//! `.npy`: NumPy arrays with two dimensions (rows, columns), or one-dimensional ones as a profile.

use super::reader::{
    Broken, Holding, Numbers, Raster, Reader, Recipe, Source, check_memory, check_room,
};
use crate::files::formats::npy::{self, Head};

/// Reader of NumPy arrays.
pub const READER: Reader = Reader {
    name: "NumPy",
    extensions: &["npy"],
    mark: Some(|bytes| bytes.starts_with(npy::MARK)),
    holds: Holding::Heights(read),
    recipe: |_| Ok(Recipe::None),
};

/// The size limit of the header, in bytes, the same as in NumPy.
const MOST_HEADER: u64 = 10_000;
/// The size of the read buffer, in bytes.
const AT_ONCE: usize = 1 << 16;

/// Read the array in row order, without any conversion of its numbers.
fn read(source: &mut Source<'_>) -> Result<Raster, Broken> {
    let Head {
        descr,
        by_columns,
        shape,
    } = head(source)?;
    // Axes of length 1 are dropped.
    let axes: Vec<u64> = shape.iter().copied().filter(|count| *count != 1).collect();
    let (rows, columns) = match (&shape[..], &axes[..]) {
        ([rows, columns], _) => (*rows, *columns),
        (_, [columns]) => (1, *columns),
        (_, [rows, columns]) => (*rows, *columns),
        (shape, _) => {
            let count = shape.len();
            return Err(Broken::wrong(format!(
                "{count} dimensions; allowed: 1 or 2"
            )));
        }
    };
    // A header that claims more numbers than the file has bytes is refused before memory is allocated.
    check_room(columns, rows, source.length, 1.0)?;
    check_memory(columns, rows, 8)?;
    let (mut numbers, top) = numbers(source, &descr, (rows * columns) as usize)?;
    if by_columns && rows > 1 {
        let (rows, columns) = (rows as usize, columns as usize);
        numbers = match numbers {
            Numbers::Single(values) => Numbers::Single(turned(&values, rows, columns)),
            Numbers::Double(values) => Numbers::Double(turned(&values, rows, columns)),
        };
    }
    Raster::new(rows, columns, numbers, top)
}

/// Transpose numbers from column order to row order.
fn turned<T: Copy>(values: &[T], rows: usize, columns: usize) -> Vec<T> {
    let at = |index: usize| values[index % columns * rows + index / columns];
    (0..values.len()).map(at).collect()
}

/// Read the header: magic number, version, length and dictionary.
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
                "version {}.{} of NumPy's format; allowed: 1.0, 2.0 or 3.0",
                version[0], version[1]
            )));
        }
    }
    if length > MOST_HEADER {
        return Err(Broken::wrong(format!(
            "a header of {length} bytes; allowed: up to {MOST_HEADER}"
        )));
    }
    let mut words = vec![0; length as usize];
    source.bytes.read_exact(&mut words)?;
    let head = std::str::from_utf8(&words).ok().and_then(npy::parse);
    head.ok_or_else(|| Broken::wrong("not a NumPy array of numbers"))
}

/// Read the numbers. The second value is the highest possible one of unsigned integers up to 16 bits.
fn numbers(
    source: &mut Source<'_>,
    descr: &str,
    count: usize,
) -> Result<(Numbers, Option<u16>), Broken> {
    let (order, kind) = descr.split_at_checked(1).unwrap_or_default();
    let falls = order == ">";
    /// Reads a number of the given type in the byte order of the file.
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
    let single = |values| Ok((Numbers::Single(values), None));
    let double = |values| Ok((Numbers::Double(values), None));
    match kind {
        "f2" if known => single(each(source, count, |b| of_half(number!(u16)(b)))?),
        "f4" if known => single(each(source, count, number!(f32))?),
        "f8" if known => double(each(source, count, number!(f64))?),
        "b1" | "u1" if known => {
            let values = each(source, count, |[b]| f32::from(b))?;
            Ok((Numbers::Single(values), Some(255)))
        }
        "u2" if known => {
            let values = each(source, count, |b| f32::from(number!(u16)(b)))?;
            Ok((Numbers::Single(values), Some(u16::MAX)))
        }
        "i1" if known => single(each(source, count, |b| f32::from(i8::from_le_bytes(b)))?),
        "i2" if known => single(each(source, count, |b| f32::from(number!(i16)(b)))?),
        "i4" if known => double(each(source, count, |b| f64::from(number!(i32)(b)))?),
        "u4" if known => double(each(source, count, |b| f64::from(number!(u32)(b)))?),
        "i8" if known => double(each(source, count, |b| number!(i64)(b) as f64)?),
        "u8" if known => double(each(source, count, |b| number!(u64)(b) as f64)?),
        _ => Err(Broken::wrong(format!(
            "numbers of type {descr}; allowed: float16 to float64, int8 to int64 or uint8 to \
             uint64"
        ))),
    }
}

/// Convert the bits of a half-precision float.
fn of_half(bits: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size = match exponent {
        0 => mantissa * 2_f32.powi(-24),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        exponent => (1024.0 + mantissa) * 2_f32.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Read `count` numbers of N bytes each.
fn each<const N: usize, T>(
    source: &mut Source<'_>,
    count: usize,
    number: impl Fn([u8; N]) -> T,
) -> Result<Vec<T>, Broken> {
    let mut values = Vec::with_capacity(count);
    let mut bytes = vec![0; AT_ONCE];
    while values.len() < count {
        let part = &mut bytes[..((count - values.len()) * N).min(AT_ONCE)];
        source.bytes.read_exact(part)?;
        values.extend(part.as_chunks::<N>().0.iter().map(|bytes| number(*bytes)));
    }
    Ok(values)
}
