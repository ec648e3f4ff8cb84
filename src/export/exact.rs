//! Heights in metres that come back to the last bit: a height in half tiles rounded to metres of
//! 32 bits may be any of two or three, so text gets more digits where it must, and TIFF says in a
//! tag which one it was. The rule for the way back is [`in_half_tiles`].

use std::io::{self, Write};

use super::header::Header;
use crate::formats::metres::{in_half_tiles, tile_size_m};
use crate::heightmap::Heightmap;
use crate::job::Cancelled;
use crate::parallel;

/// Samples that a thread takes at once; a multiple of four.
const PART: usize = 1 << 16;

/// Digits after the point of the product of two numbers of 32 bits, unless it is tiny.
const MOST_DIGITS: usize = 100;

/// The side of the tile that a reader of the file will find.
pub fn tile(header: &Header<'_>) -> Option<f32> {
    let (rows, columns) = (header.rows as u64, header.columns as u64);
    tile_size_m(header.metres_as_read()?, rows, columns)
}

/// Appends a height in metres as text: with the digits of 32 bits if that brings the height back
/// on a map with sides of `tile_size_m`, else with those of 64 bits.
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
        // Half way between two numbers of 32 bits only all digits show which is the nearer.
        if long.and_then(|long| long.parse().ok()) != Some(metres as f32) {
            text.truncate(start);
            let all = format!("{metres:.MOST_DIGITS$}");
            write!(text, "{}", all.trim_end_matches('0'))?;
        }
    }
    Ok(())
}

/// What [`FINE_TAG`](crate::formats::tiff::FINE_TAG) holds for a map in metres of 32 bits; `None` where nothing is
/// missing, as with tiles of 2, 4, 8 … metres.
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
    let parts = parallel::over(map.heights().chunks(PART)).try_map(|_, heights| {
        header.piece.job.check()?;
        Ok(heights.chunks(4).map(byte).collect::<Vec<u8>>())
    })?;
    let bytes = parts.concat();
    Ok(bytes.iter().any(|byte| *byte != 0).then_some(bytes))
}
