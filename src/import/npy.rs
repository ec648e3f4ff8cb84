//! `.npy`: NumPy arrays of two dimensions (rows, columns), or of one as a profile.

use std::io::{Cursor, Read};

use npyz::{Deserialize, NpyFile, Order};

use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::samples::{Meaning, Samples};
use super::source::{Broken, Source, check_memory, check_room};

/// The format.
pub const READER: Reader = Reader {
    name: "NumPy",
    extensions: &["npy"],
    mark: Some(|bytes| bytes.starts_with(b"\x93NUMPY")),
    holds: Holding::Heights(read),
    recipe: |_| Ok(Recipe::None),
};

/// A longer header is none of numbers alone; NumPy's own limit.
const MOST_HEADER: u64 = 10_000;
/// Brackets inside each other in the header of an array of numbers: a tuple in a dictionary.
const MOST_NESTED: usize = 4;

/// The array as it is, whole numbers and 64-bit floats rounded to 32-bit floats.
fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let header = header(source)?;
    let array = NpyFile::new(Cursor::new(header).chain(&mut *source.bytes))
        .map_err(|error| Broken::wrong(format!("not a NumPy array: {error}")))?;
    let (rows, columns) = match *array.shape() {
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
    // The numbers are gathered in a list that grows by doubling.
    check_memory(columns, rows, 8)?;
    let by_columns = array.order() == Order::Fortran && rows > 1;
    let (mut values, top) = numbers(array)?;
    if by_columns {
        let (rows, columns) = (rows as usize, columns as usize);
        let turned = (0..values.len()).map(|at| at % columns * rows + at / columns);
        let turned: Option<Vec<_>> = turned.map(|at| values.get(at).copied()).collect();
        values = turned.ok_or_else(Broken::cut_short)?;
    }
    let meaning = top.map_or(Meaning::Numbers, |top| Meaning::Levels {
        top,
        heights: None,
    });
    Samples::from_vec(rows, columns, values, meaning)
}

/// The first bytes up to the numbers: magic, version, length, text.
fn header(source: &mut Source<'_>) -> Result<Vec<u8>, Broken> {
    let mut header = vec![0; 10];
    source.bytes.read_exact(&mut header)?;
    let mut length = u64::from(u16::from_le_bytes([header[8], header[9]]));
    if header[6] > 1 {
        let mut more = [0; 2];
        source.bytes.read_exact(&mut more)?;
        header.extend(more);
        length |= u64::from(u16::from_le_bytes(more)) << 16;
    }
    if length > MOST_HEADER {
        return Err(Broken::wrong(format!(
            "a header of {length} bytes, allowed is up to {MOST_HEADER}"
        )));
    }
    let before = header.len();
    (&mut *source.bytes).take(length).read_to_end(&mut header)?;
    let (mut depth, mut deepest) = (0_usize, 0);
    for byte in &header[before..] {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    if deepest > MOST_NESTED {
        return Err(Broken::wrong("not a NumPy array of numbers"));
    }
    Ok(header)
}

/// The numbers, and the highest that there can be of unsigned whole ones.
fn numbers<R: Read>(array: NpyFile<R>) -> Result<(Vec<f32>, Option<u16>), Broken> {
    let dtype = array.dtype().descr();
    let array = match collect::<f32, R>(array, |v| v) {
        Ok(values) => return Ok((values?, None)),
        Err(array) => array,
    };
    let array = match collect::<f64, R>(array, |v| v as f32) {
        Ok(values) => return Ok((values?, None)),
        Err(array) => array,
    };
    let array = match collect::<u8, R>(array, f32::from) {
        Ok(values) => return Ok((values?, Some(255))),
        Err(array) => array,
    };
    let array = match collect::<u16, R>(array, f32::from) {
        Ok(values) => return Ok((values?, Some(u16::MAX))),
        Err(array) => array,
    };
    let array = match collect::<i16, R>(array, f32::from) {
        Ok(values) => return Ok((values?, None)),
        Err(array) => array,
    };
    match collect::<i32, R>(array, |v| v as f32) {
        Ok(values) => Ok((values?, None)),
        Err(_) => Err(Broken::wrong(format!(
            "numbers of type {dtype}, allowed is float32, float64, uint8, uint16, int16 or int32"
        ))),
    }
}

/// All numbers if they are of type `T`, else the array back.
fn collect<T: Deserialize, R: Read>(
    array: NpyFile<R>,
    value: impl Fn(T) -> f32,
) -> Result<Result<Vec<f32>, Broken>, NpyFile<R>> {
    let numbers = array.try_data::<T>()?;
    let values: Result<Vec<f32>, _> = numbers.map(|number| number.map(&value)).collect();
    Ok(values.map_err(Broken::from))
}
