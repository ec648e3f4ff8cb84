//! `.r16` and `.r32`: raw samples without a header, row 0 first.
//!
//! The file states neither its size nor its byte order. Both can come from the user, the size also from the
//! sidecar. By default the map is square and little-endian.

use super::place::{Placed, System, place};
use super::reader::{
    Broken, Holding, Numbers, Raster, Reader, Recipe, Source, check_memory, check_size,
};
use crate::files::formats::sidecar::Sidecar;
use crate::generate::ByteOrder;

/// Reader of unsigned 16-bit integers.
pub const R16: Reader = Reader {
    name: "r16",
    extensions: &["r16", "raw"],
    mark: None,
    holds: Holding::Heights(|source| {
        read(source, Some(u16::MAX), |bytes| {
            f32::from(u16::from_le_bytes(bytes))
        })
    }),
    recipe: |_| Ok(Recipe::None),
};

/// Reader of 32-bit floats.
pub const R32: Reader = Reader {
    name: "r32",
    extensions: &["r32"],
    mark: None,
    holds: Holding::Heights(|source| read(source, None, f32::from_le_bytes)),
    recipe: |_| Ok(Recipe::None),
};

fn read<const BYTES: usize>(
    source: &mut Source<'_>,
    top: Option<u16>,
    value: impl Fn([u8; BYTES]) -> f32,
) -> Result<Raster, Broken> {
    let each = BYTES as u64;
    let (columns, rows) = size(source, each)?;
    let is_big = source.context.reading.order == ByteOrder::Big;
    check_size(columns, rows)?;
    check_memory(columns, rows, 0)?;
    let mut row = vec![0; (columns * each) as usize];
    let mut values = Vec::with_capacity((columns * rows) as usize);
    for _ in 0..rows {
        source.bytes.read_exact(&mut row)?;
        let (numbers, _) = row.as_chunks::<BYTES>();
        values.extend(numbers.iter().map(|bytes| {
            let mut bytes = *bytes;
            if is_big {
                bytes.reverse();
            }
            value(bytes)
        }));
    }
    let mut raster = Raster::new(rows, columns, Numbers::Single(values), top)?;
    raster.is_bare = true;
    if source.context.reading.size.is_empty() && source.context.sidecar.is_none() {
        let size = format!("{columns} × {rows} samples");
        raster.stated.assumed_size = Some(size);
    }
    Ok(raster)
}

/// Columns and rows of raw samples with `each` bytes: from the user, else from the sidecar, else a square.
pub fn size(source: &Source<'_>, each: u64) -> Result<(u64, u64), Broken> {
    let length = source.length;
    let side = (length / each).isqrt();
    let fits = |(columns, rows): &(u64, u64)| {
        let count = columns.checked_mul(*rows);
        count.and_then(|count| count.checked_mul(each)) == Some(length)
    };
    let stated = source.context.reading.size().map_err(Broken::wrong)?;
    if let Some((columns, rows)) = stated.filter(|size| !fits(size)) {
        return Err(Broken::wrong(format!(
            "{length} bytes are not the {columns} × {rows} numbers of {each} bytes of --input-size"
        )));
    }
    let said = source.context.sidecar.and_then(Sidecar::size);
    let square = Some((side, side)).filter(fits);
    let size = stated.or(said.filter(fits)).or(square);
    size.ok_or_else(|| {
        Broken::wrong(format!(
            "{length} bytes are not a square of {each}-byte numbers; set their shape with \
             --input-size WIDTHxHEIGHT"
        ))
    })
}

// `.hgt`: SRTM height tiles of one degree a side (SRTM Topography, NASA, 2015).
//
// The samples are big-endian 16-bit metres, the north-western first. Tiles have 1201² or 3601² samples, but
// any square is accepted; -32768 means no data.
//
// The file name gives the position: `N49E008.hgt` covers 49° to 50° north and 8° to 9° east. Its samples are
// closer together eastwards, by the cosine of 49.5°.

/// Reader of SRTM tiles.
pub const HGT: Reader = Reader {
    name: "SRTM",
    extensions: &["hgt"],
    mark: None,
    holds: Holding::Heights(read_hgt),
    recipe: |_| Ok(Recipe::None),
};

const NO_DATA: i16 = i16::MIN;
/// The EPSG code of the coordinates.
const WGS_84: u16 = 4326;

fn read_hgt(source: &mut Source<'_>) -> Result<Raster, Broken> {
    let (columns, rows) = size(source, 2)?;
    check_size(columns, rows)?;
    check_memory(columns, rows, 0)?;
    let mut row = vec![0; columns as usize * 2];
    let mut values = Vec::with_capacity((columns * rows) as usize);
    for _ in 0..rows {
        source.bytes.read_exact(&mut row)?;
        let (numbers, _) = row.as_chunks::<2>();
        let heights = numbers.iter().map(|bytes| i16::from_be_bytes(*bytes));
        values.extend(heights.map(f32::from));
    }
    let corner = south_west(source.context.stem);
    let mut raster = Raster::new(rows, columns, Numbers::Single(values), None)?;
    raster.is_bare = true;
    raster.stated.unit_m = Some(1.0);
    raster.stated.no_data = Some(NO_DATA.into());
    let step = [columns, rows].map(|count| 1.0 / count.saturating_sub(1).max(1) as f64);
    let north_west = corner.map(|[west, south]| [west, south + 1.0]);
    let system = System::of_code(WGS_84).unwrap_or(System::Unnamed);
    place(&mut raster, Placed { north_west, step }, system);
    if corner.is_none() {
        let words = "the equator, since its name gives no position, unlike N49E008.hgt";
        raster.stated.assumed_spacing = vec![words.to_owned()];
    }
    Ok(raster)
}

/// Parse longitude and latitude of the south-western corner from a tile's name, such as `N49E008`. Case and
/// any suffix are ignored.
fn south_west(stem: &str) -> Option<[f64; 2]> {
    let stem = stem.to_ascii_lowercase();
    let (south, rest) = degrees(&stem, ['n', 's'], 90.0)?;
    let (west, _) = degrees(rest.trim_start_matches('_'), ['e', 'w'], 180.0)?;
    Some([west, south])
}

/// Parse degrees after a letter for their sign. Returns them and the rest of the text.
fn degrees(text: &str, [positive, negative]: [char; 2], most: f64) -> Option<(f64, &str)> {
    let unsigned = text.strip_prefix([positive, negative])?;
    let sign = if text.starts_with(negative) {
        -1.0
    } else {
        1.0
    };
    let digits = unsigned.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = unsigned.split_at(digits);
    let number: f64 = number.parse().ok()?;
    (number <= most).then_some((sign * number, rest))
}
