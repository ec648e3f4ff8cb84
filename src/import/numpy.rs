//! `.npy`: NumPy arrays of two dimensions (rows, columns), or of one as a profile.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;

use npyz::{Deserialize, NpyFile, Order};

use super::{ImportError, broken, check_size, length, unreadable};
use crate::grid::Grid;

/// The array as it is, whole numbers and 64-bit floats rounded to 32-bit floats.
pub fn read(path: &Path) -> Result<Grid<f32>, ImportError> {
    let file = File::open(path).map_err(unreadable(path))?;
    let array = NpyFile::new(BufReader::with_capacity(1 << 20, file))
        .map_err(|error| broken(path, &format!("not a NumPy array: {error}")))?;
    let (rows, columns) = match *array.shape() {
        [columns] => (1, columns),
        [rows, columns] => (rows, columns),
        ref shape => {
            let message = format!("{} dimensions, allowed is 1 or 2", shape.len());
            return Err(broken(path, &message));
        }
    };
    check_size(path, columns, rows)?;
    // Each number has at least one byte: a header that promises more is found out here, before
    // memory is taken.
    if rows * columns > length(path)? {
        let message = format!("the header says {columns} × {rows}, the file is shorter");
        return Err(broken(path, &message));
    }
    let (rows, columns) = (rows as usize, columns as usize);
    let by_columns = array.order() == Order::Fortran && rows > 1;
    let mut values = numbers(path, array)?;
    if by_columns {
        values = (0..rows * columns)
            .map(|index| values[index % columns * rows + index / columns])
            .collect();
    }
    Grid::from_vec(rows, columns, values).ok_or_else(|| broken(path, "the file is cut short"))
}

fn numbers<R: Read>(path: &Path, array: NpyFile<R>) -> Result<Vec<f32>, ImportError> {
    let dtype = array.dtype().descr();
    let array = match collect::<f32, R>(path, array, |v| v) {
        Ok(values) => return values,
        Err(array) => array,
    };
    let array = match collect::<f64, R>(path, array, |v| v as f32) {
        Ok(values) => return values,
        Err(array) => array,
    };
    let array = match collect::<u8, R>(path, array, f32::from) {
        Ok(values) => return values,
        Err(array) => array,
    };
    let array = match collect::<u16, R>(path, array, f32::from) {
        Ok(values) => return values,
        Err(array) => array,
    };
    let array = match collect::<i16, R>(path, array, f32::from) {
        Ok(values) => return values,
        Err(array) => array,
    };
    match collect::<i32, R>(path, array, |v| v as f32) {
        Ok(values) => values,
        Err(_) => {
            let message = format!(
                "numbers of type {dtype}, allowed is float32, float64, uint8, uint16, int16 or int32"
            );
            Err(broken(path, &message))
        }
    }
}

/// All numbers if they are of type `T`, else the array back.
fn collect<T: Deserialize, R: Read>(
    path: &Path,
    array: NpyFile<R>,
    value: impl Fn(T) -> f32,
) -> Result<Result<Vec<f32>, ImportError>, NpyFile<R>> {
    let numbers = array.try_data::<T>()?;
    let values: Result<Vec<f32>, _> = numbers.map(|number| number.map(&value)).collect();
    Ok(values.map_err(|_| broken(path, "the file is cut short")))
}
