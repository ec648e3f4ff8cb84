//! Lossless round trip of heights through metres. A height in half tiles that is rounded to metres of 32
//! bits may come back as any of two or three neighbouring floats. Text gets more digits where needed, and
//! TIFF records the right neighbour in a tag. The inverse conversion is [`in_half_tiles`].

use std::io::{self, Write};

use super::header::Header;
use crate::files::formats::metres::{in_half_tiles, tile_size_m};
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Cancelled;
use crate::util::parallel;

/// Samples of a parallel work item; a multiple of four, the samples of a byte.
const PART: usize = 1 << 16;

/// Digits after the point that show the product of two 32-bit floats exactly, unless it is tiny.
const MOST_DIGITS: usize = 100;

/// Tile size in metres as a reader of the file will derive it.
pub fn tile(header: &Header<'_>) -> Option<f32> {
    let (rows, columns) = (header.rows as u64, header.columns as u64);
    tile_size_m(header.metres_as_read()?, rows, columns)
}

/// Append a height in metres as text. It has the digits of a 32-bit float if they restore the height on a
/// map with sides of `tile_size_m`, else those of a 64-bit float.
pub fn write_metres(
    text: &mut Vec<u8>,
    height: f32,
    metres_per_unit: f64,
    tile_size_m: Option<f32>,
) -> io::Result<()> {
    let metres = f64::from(height) * metres_per_unit;
    let start = text.len();
    write!(text, "{}", metres as f32)?;
    let Some(size) = tile_size_m else {
        return Ok(());
    };
    let short = std::str::from_utf8(&text[start..]).ok();
    let back = short.and_then(|short| short.parse().ok());
    if back.map(|back| in_half_tiles(back, size)) != Some(height) {
        text.truncate(start);
        write!(text, "{metres}")?;
        let long = std::str::from_utf8(&text[start..]).ok();
        // Exactly half way between two 32-bit floats, all digits are needed to round the right way.
        if long.and_then(|long| long.parse().ok()) != Some(metres as f32) {
            text.truncate(start);
            let all = format!("{metres:.MOST_DIGITS$}");
            write!(text, "{}", all.trim_end_matches('0'))?;
        }
    }
    Ok(())
}

/// Content of [`FINE_TAG`](crate::files::formats::tiff::FINE_TAG) for a map in metres of 32 bits: two bits a
/// sample. `None` if nothing is lost, as with tiles of 2, 4, 8 … metres.
pub fn fine_bits(map: &Heightmap, header: &Header<'_>) -> Result<Option<Vec<u8>>, Cancelled> {
    let metres_per_unit = header.metres_per_unit();
    let Some(size) = tile(header).filter(|size| *size == header.scene.surface.tile_size_m) else {
        return Ok(None);
    };
    let bits = |height: &f32| {
        let metres = (f64::from(*height) * metres_per_unit) as f32;
        let back = in_half_tiles(metres.into(), size);
        if height.is_nan() {
            return 0;
        }
        match height.to_bits().wrapping_sub(back.to_bits()) {
            1 => 1,
            u32::MAX => 2,
            _ => 0,
        }
    };
    let byte = |four: &[f32]| {
        let bits = four.iter().rev().map(bits);
        bits.fold(0_u8, |byte, bits| byte << 2 | bits)
    };
    let parts = parallel::par_items(map.heights().chunks(PART)).try_map(|_, heights| {
        header.piece.job.check()?;
        Ok(heights.chunks(4).map(byte).collect::<Vec<u8>>())
    })?;
    let bytes = parts.concat();
    Ok(bytes.iter().any(|byte| *byte != 0).then_some(bytes))
}
