//! `.hgt`: a tile of NASA's Shuttle Radar Topography Mission, one degree a side: big-endian
//! 16-bit metres, 1201² or 3601² samples, any other square as well, the north-western first;
//! -32768 is no data. (SRTM Topography, NASA, 2015.)
//!
//! East and west count as far apart as north and south, as on the equator.

use super::Format;
use super::recipe::Recipe;
use super::samples::{METRES_PER_DEGREE, Meaning, Samples, in_half_tiles};
use super::source::{Broken, Source, check_memory, check_size};

/// The format.
pub const FORMAT: Format = Format {
    name: "SRTM",
    extensions: &["hgt"],
    mark: None,
    read,
    recipe: |_| Ok(Recipe::None),
    is_heights: true,
    is_mesh: false,
};

const NO_DATA: i16 = i16::MIN;

fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let length = source.length;
    let side = (length / 2).isqrt();
    if side * side * 2 != length {
        return Err(Broken::wrong(format!(
            "{length} bytes are no square of 2-byte numbers"
        )));
    }
    check_size(side, side)?;
    check_memory(side, side, 0)?;
    let size = METRES_PER_DEGREE as f32;
    let mut row = vec![0; side as usize * 2];
    let mut values = Vec::with_capacity((side * side) as usize);
    for _ in 0..side {
        source.bytes.read_exact(&mut row)?;
        let (numbers, _) = row.as_chunks::<2>();
        values.extend(
            numbers
                .iter()
                .map(|bytes| match i16::from_be_bytes(*bytes) {
                    NO_DATA => f32::NAN,
                    metres => in_half_tiles(metres.into(), size),
                }),
        );
    }
    let mut samples = Samples::from_vec(side, side, values, Meaning::Heights)?;
    samples.tile_size_m = Some(size);
    Ok(samples)
}
