//! `.tif`: GeoTIFF, 32-bit floats in metres or 16-bit whole numbers, with the size of a sample
//! in metres in a local system; the scene is in the description.

use std::io::{self, Write};

use ::tiff::encoder::colortype::{ColorType, Gray16, Gray32Float};
use ::tiff::encoder::{TiffEncoder, TiffKind, TiffValue};
use ::tiff::tags::Tag;

use super::raw::Quantizer;
use super::{Content, Format, Header, Sink};
use crate::heightmap::Heightmap;

/// 32-bit floats.
pub const F32: Format = Format {
    name: "tiff",
    extension: "tif",
    levels: None,
    mesh: false,
    least_bytes: 4,
    help: "GeoTIFF of 32-bit floats: heights in metres, the size of a sample in metres.",
    content: Content::Whole(|map, header, sink| {
        let metres = header.metres_per_number();
        let convert = |row: &[f32]| -> Vec<f32> {
            let metres = |height: &f32| (f64::from(*height) * metres) as f32;
            row.iter().map(metres).collect()
        };
        write::<Gray32Float>(map, header, sink, convert)
    }),
    sidecar: true,
};

/// 16-bit whole numbers.
pub const U16: Format = Format {
    name: "tiff16",
    extension: "tif",
    levels: Some(65_535),
    mesh: false,
    least_bytes: 2,
    help: "GeoTIFF of 16-bit whole numbers: lowest height 0, highest 65535.",
    content: Content::Whole(|map, header, sink| {
        let quantizer = Quantizer::new(header, u16::MAX);
        let convert = |row: &[f32]| quantizer.steps(row).collect();
        write::<Gray16>(map, header, sink, convert)
    }),
    sidecar: true,
};

/// Rows of a strip. Uncompressed, as GDAL's default is: strip by strip the crate (0.11) does not
/// compress.
const STRIP_ROWS: usize = 32;
/// Files that could pass 4 GB need 64-bit offsets.
const BIG_FROM: usize = 3 << 30;

fn write<C: ColorType>(
    map: &Heightmap,
    header: &Header<'_>,
    sink: Sink,
    convert: impl Fn(&[f32]) -> Vec<C::Inner>,
) -> io::Result<()>
where
    [C::Inner]: TiffValue,
{
    if size_of_val(map.heights()) > BIG_FROM {
        let encoder = TiffEncoder::new_big(sink).map_err(io::Error::other)?;
        return write_into::<C, _>(map, header, encoder, convert);
    }
    let encoder = TiffEncoder::new(sink).map_err(io::Error::other)?;
    write_into::<C, _>(map, header, encoder, convert)
}

fn write_into<C: ColorType, K: TiffKind>(
    map: &Heightmap,
    header: &Header<'_>,
    mut encoder: TiffEncoder<Sink, K>,
    convert: impl Fn(&[f32]) -> Vec<C::Inner>,
) -> io::Result<()>
where
    [C::Inner]: TiffValue,
{
    let side = |samples: usize| u32::try_from(samples).map_err(io::Error::other);
    let mut image = encoder
        .new_image::<C>(side(map.columns())?, side(map.rows())?)
        .map_err(io::Error::other)?;
    image
        .rows_per_strip(STRIP_ROWS as u32)
        .map_err(io::Error::other)?;
    describe(header, image.encoder()).map_err(io::Error::other)?;
    for first in (0..map.rows()).step_by(STRIP_ROWS) {
        header.job.check().map_err(io::Error::other)?;
        let rows = first..map.rows().min(first + STRIP_ROWS);
        let strip: Vec<C::Inner> = rows.flat_map(|row| convert(map.row(row))).collect();
        image.write_strip(&strip).map_err(io::Error::other)?;
        header.job.advance(first as u64, map.rows() as u64);
    }
    image.finish().map_err(io::Error::other)
}

/// The tags that place the map: a sample is a point, the first at (0, north end) of a local
/// system in metres; and the scene.
fn describe<W: Write + io::Seek, K: TiffKind>(
    header: &Header<'_>,
    tags: &mut ::tiff::encoder::DirectoryEncoder<'_, W, K>,
) -> ::tiff::TiffResult<()> {
    /// Version 1.1.0, one key: GTRasterType (1025) is PixelIsPoint (2).
    const KEYS: [u16; 8] = [1, 1, 0, 1, 1025, 0, 1, 2];
    let step = header.metres_per_sample();
    let [west, south] = header.origin_m();
    let north = south + step * (header.rows - 1) as f64;
    tags.write_tag(Tag::ModelPixelScaleTag, &[step, step, 0.0][..])?;
    tags.write_tag(
        Tag::ModelTiepointTag,
        &[0.0, 0.0, 0.0, west, north, 0.0][..],
    )?;
    tags.write_tag(Tag::GeoKeyDirectoryTag, &KEYS[..])?;
    tags.write_tag(
        Tag::Software,
        concat!("landform ", env!("CARGO_PKG_VERSION")),
    )?;
    tags.write_tag(Tag::ImageDescription, header.scene.to_toml().as_str())
}
