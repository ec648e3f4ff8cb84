//! `.r16` and `.r32`: raw samples without a header, row 0 first.
//!
//! The file states neither its size nor its byte order. Both can come from the user, the size also from the
//! sidecar. By default the map is square and little-endian.

use super::raster::{Numbers, Raster};
use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::source::{Broken, Source, check_memory, check_size};
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
    let is_big = source.beside.reading.order == ByteOrder::Big;
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
    if source.beside.reading.size.is_empty() && source.beside.sidecar.is_none() {
        raster
            .stated
            .assumed
            .push(format!("{columns} × {rows} samples"));
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
    let stated = source.beside.reading.size().map_err(Broken::wrong)?;
    if let Some((columns, rows)) = stated.filter(|size| !fits(size)) {
        return Err(Broken::wrong(format!(
            "{length} bytes are not the {columns} × {rows} numbers of {each} bytes of --input-size"
        )));
    }
    let said = source.beside.sidecar.and_then(Sidecar::size);
    let square = Some((side, side)).filter(fits);
    let size = stated.or(said.filter(fits)).or(square);
    size.ok_or_else(|| {
        Broken::wrong(format!(
            "{length} bytes are no square of {each}-byte numbers; --input-size WIDTHxHEIGHT says \
             their shape"
        ))
    })
}
