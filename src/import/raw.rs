//! `.r16` and `.r32`: bare little-endian numbers, row 0 first, without a header. The file does not
//! say its shape: that is in the sidecar, and without one the map is square.

use super::Format;
use super::recipe::Recipe;
use super::samples::{Meaning, Samples};
use super::source::{Broken, Source, check_memory, check_size};

/// 16-bit whole numbers.
pub const R16: Format = Format {
    name: "r16",
    extensions: &["r16", "raw"],
    mark: None,
    read: |source| {
        let meaning = Meaning::Levels {
            top: u16::MAX,
            heights: None,
        };
        read(source, meaning, |bytes| {
            f32::from(u16::from_le_bytes(bytes))
        })
    },
    recipe: |_| Ok(Recipe::None),
    is_heights: true,
    is_mesh: false,
};

/// 32-bit floats.
pub const R32: Format = Format {
    name: "r32",
    extensions: &["r32"],
    mark: None,
    read: |source| read(source, Meaning::Numbers, f32::from_le_bytes),
    recipe: |_| Ok(Recipe::None),
    is_heights: true,
    is_mesh: false,
};

fn read<const BYTES: usize>(
    source: &mut Source<'_>,
    meaning: Meaning,
    value: impl Fn([u8; BYTES]) -> f32,
) -> Result<Samples, Broken> {
    let (length, each) = (source.length, BYTES as u64);
    let side = (length / each).isqrt();
    let fits = |(columns, rows): &(u64, u64)| {
        let count = columns.checked_mul(*rows);
        count.and_then(|count| count.checked_mul(each)) == Some(length)
    };
    let said = source.sidecar.and_then(|sidecar| sidecar.size);
    let size = said.filter(fits).or(Some((side, side)).filter(fits));
    let (columns, rows) = size.ok_or_else(|| {
        Broken::wrong(format!(
            "{length} bytes are no square of {BYTES}-byte numbers"
        ))
    })?;
    check_size(columns, rows)?;
    check_memory(columns, rows, 0)?;
    let mut row = vec![0; (columns * each) as usize];
    let mut values = Vec::with_capacity((columns * rows) as usize);
    for _ in 0..rows {
        source.bytes.read_exact(&mut row)?;
        let (numbers, _) = row.as_chunks::<BYTES>();
        values.extend(numbers.iter().map(|bytes| value(*bytes)));
    }
    Samples::from_vec(rows, columns, values, meaning)
}
