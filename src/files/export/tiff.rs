//! `.tif`: GeoTIFF writer, 32-bit floats in metres or 16-bit whole numbers. It has the coordinates of the
//! map's place on earth, else local metres; the scene is in the description.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Write};
use std::time::Duration;

use ::tiff::encoder::colortype::{ColorType, Gray16, Gray32Float, Gray64Float};
use ::tiff::encoder::{TiffEncoder, TiffKind, TiffValue};
use ::tiff::tags::{SampleFormat, Tag, Type};

use super::file::Sink;
use super::format::{Content, Format, Header};
use super::piece::HeightUnit;
use super::raw::Quantizer;
use crate::files::formats::checksum::Sum;
use crate::files::formats::metres::in_half_tiles;
use crate::files::formats::program::PROGRAM;
use crate::files::formats::recipe::recipe_text;
use crate::files::formats::tiff::{FINE_TAG, METADATA_TAG, scale_and_offset};
use crate::files::gdal::Gdal;
use crate::terrain::geo::Keys;
use crate::terrain::heightmap::Heightmap;
use crate::util::job::Cancelled;
use crate::util::parallel;

/// GeoTIFF format with 32-bit floats.
pub const F32: Format = Format {
    extension: "tif",
    also: &["tiff"],
    unit: HeightUnit::Metres,
    says_north: true,
    least_bytes: 4,
    ..Format::new(
        "tiff",
        "GeoTIFF of 32-bit floats: heights in metres, the size of a sample in metres; 64-bit \
         floats where an imported file has them.",
        Content::Whole(|map, header, sink| {
            let scale = header.scale();
            let convert = |_, heights: &[f32]| heights.iter().map(|h| scale.value(*h)).collect();
            if let Some(stored) = header.stored().filter(|stored| !stored.is_single) {
                let metres = stored.metres.as_slice();
                let convert =
                    |first: usize, heights: &[f32]| metres[first..][..heights.len()].to_vec();
                return write::<Gray64Float>(map, header, sink, None, convert);
            }
            let more = match header.base {
                Some(base) if header.is_in_metres() => {
                    let offset = base * header.metres_per_unit();
                    Some(More::Items(scale_and_offset(1.0, offset)))
                }
                None if header.is_in_metres() && header.stored().is_none() => {
                    let fine = fine_bits(map, header).map_err(io::Error::other)?;
                    fine.map(More::Fine)
                }
                _ => None,
            };
            write::<Gray32Float>(map, header, sink, more, convert)
        }),
    )
};

/// GeoTIFF format with 16-bit whole numbers.
pub const U16: Format = Format {
    extension: "tif",
    also: &["tiff"],
    levels: Some(65_535),
    unit: HeightUnit::Metres,
    says_north: true,
    least_bytes: 2,
    ..Format::new(
        "tiff16",
        "GeoTIFF of 16-bit whole numbers: lowest height 0, highest 65535.",
        Content::Whole(|map, header, sink| {
            let quantizer = Quantizer::of(header, u16::MAX);
            let convert = |_, heights: &[f32]| quantizer.steps(heights);
            let more = Some(More::Items(items(header)));
            write::<Gray16>(map, header, sink, more, convert)
        }),
    )
};

/// Cloud-optimised GeoTIFF format: compressed tiles and overviews in an order for reading over a network,
/// made by GDAL's programs.
pub const COG: Format = Format {
    extension: "tif",
    also: &["tiff"],
    unit: HeightUnit::Metres,
    says_north: true,
    ..Format::new(
        "cog",
        "Cloud-optimised GeoTIFF of floats in metres: compressed tiles and overviews; needs GDAL.",
        Content::Whole(|map, header, mut sink| {
            let work = tempfile::tempdir()?;
            let (plain, packed) = (work.path().join("plain.tif"), work.path().join("cog.tif"));
            let Content::Whole(write) = F32.content else {
                unreachable!("GeoTIFF is written as a whole");
            };
            write(map, header, Sink::new(File::create(&plain)?))?;
            let gdal = Gdal::find().map_err(io::Error::other)?;
            let options = "-q -of COG -co COMPRESS=DEFLATE -co PREDICTOR=YES -co BIGTIFF=IF_SAFER";
            let options = options.split(' ').map(OsStr::new);
            let arguments = options.chain([plain.as_os_str(), packed.as_os_str()]);
            let bytes = size_of_val(map.heights()) as u64 * 4;
            let ten_minutes = Duration::from_secs(600);
            let job = header.piece.job;
            gdal.run("gdal_translate", arguments, bytes, ten_minutes, job)
                .map_err(io::Error::other)?;
            io::copy(&mut File::open(&packed)?, &mut sink)?;
            sink.flush()
        }),
    )
};

/// UTF-8 text value, as GDAL writes it; the tiff crate accepts only ASCII.
struct Text<'a>(&'a str);

impl TiffValue for Text<'_> {
    const BYTE_LEN: u8 = 1;
    const FIELD_TYPE: Type = Type::ASCII;

    fn count(&self) -> usize {
        self.0.len() + 1
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Owned((self.0.replace('\0', "?") + "\0").into_bytes())
    }
}

/// Extra tag of a file.
enum More {
    /// Correction bits for heights rounded to metres.
    Fine(Vec<u8>),
    /// GDAL metadata items.
    Items(String),
}

/// GDAL metadata with scale and offset: metres per step, and metres at 0.
fn items(header: &Header<'_>) -> String {
    let metres = |height: f32| (header.above() + f64::from(height)) * header.metres_per_unit();
    let (low, high) = (metres(header.range.0), metres(header.range.1));
    scale_and_offset((high - low) / f64::from(u16::MAX), low)
}

/// Rows of a strip. Strips are uncompressed, which is GDAL's default: the tiff crate (0.11) cannot
/// compress when it writes strip by strip.
const STRIP_ROWS: usize = 32;
/// Strips of a batch, which are made in parallel.
const BATCH_STRIPS: usize = 16;
/// Bytes of heights from which on 64-bit offsets (BigTIFF) are used, with a margin below 4 GB.
const BIG_FROM: usize = 3 << 30;

fn write<C: ColorType>(
    map: &Heightmap,
    header: &Header<'_>,
    sink: Sink,
    more: Option<More>,
    convert: impl Fn(usize, &[f32]) -> Vec<C::Inner> + Sync,
) -> io::Result<()>
where
    [C::Inner]: TiffValue,
    C::Inner: Send + Copy + Into<f64>,
{
    if size_of_val(map.heights()) > BIG_FROM {
        let encoder = TiffEncoder::new_big(sink).map_err(io::Error::other)?;
        return write_into::<C, _>(map, header, encoder, more, convert);
    }
    let encoder = TiffEncoder::new(sink).map_err(io::Error::other)?;
    write_into::<C, _>(map, header, encoder, more, convert)
}

fn write_into<C: ColorType, K: TiffKind>(
    map: &Heightmap,
    header: &Header<'_>,
    mut encoder: TiffEncoder<Sink, K>,
    more: Option<More>,
    convert: impl Fn(usize, &[f32]) -> Vec<C::Inner> + Sync,
) -> io::Result<()>
where
    [C::Inner]: TiffValue,
    C::Inner: Send + Copy + Into<f64>,
{
    let side = |samples: usize| u32::try_from(samples).map_err(io::Error::other);
    let mut image = encoder
        .new_image::<C>(side(map.columns())?, side(map.rows())?)
        .map_err(io::Error::other)?;
    image
        .rows_per_strip(STRIP_ROWS as u32)
        .map_err(io::Error::other)?;
    // Whole numbers count as heights in metres, since scale and offset convert them.
    let has_items = matches!(more, Some(More::Items(..)));
    let is_heights = header.is_in_metres() || (has_items && header.piece.map.holds_heights());
    describe(header, is_heights, image.encoder()).map_err(io::Error::other)?;
    let tags = image.encoder();
    match &more {
        Some(More::Fine(bits)) => tags.write_tag(Tag::Unknown(FINE_TAG), &bits[..]),
        Some(More::Items(text)) => tags.write_tag(Tag::Unknown(METADATA_TAG), &text[..]),
        None => Ok(()),
    }
    .map_err(io::Error::other)?;
    if header.has_no_data() {
        let is_whole = C::SAMPLE_FORMAT[0] == SampleFormat::Uint;
        let number = if is_whole { "0" } else { "nan" };
        let tag = image.encoder().write_tag(Tag::GdalNodata, number);
        tag.map_err(io::Error::other)?;
    }
    let of_strip = STRIP_ROWS * map.columns();
    let mut sum = Sum::new(map.rows(), map.columns());
    for (batch, heights) in map.heights().chunks(of_strip * BATCH_STRIPS).enumerate() {
        let strips = parallel::par_items(heights.chunks(of_strip)).map(|index, heights| {
            let first = (batch * BATCH_STRIPS + index) * of_strip;
            let strip = convert(first, heights);
            let mut sum = Sum::default();
            sum.numbers(first as u64, strip.iter().map(|number| (*number).into()));
            (strip, sum)
        });
        for (strip, part) in strips {
            header.piece.job.check().map_err(io::Error::other)?;
            sum.join(part);
            image.write_strip(&strip).map_err(io::Error::other)?;
        }
        let done = (batch + 1) * BATCH_STRIPS * STRIP_ROWS;
        // The other half of the progress is a second pass for the range.
        let job = header.piece.job.span(0..1, 2);
        job.advance(done as u64, map.rows() as u64);
    }
    let recipe = recipe_text(header.scene, &sum.text());
    let tags = image.encoder();
    tags.write_tag(Tag::ImageDescription, Text(&recipe))
        .map_err(io::Error::other)?;
    image.finish().map_err(io::Error::other)
}

/// Write the georeference tags. Without a place on earth no system is stated, and the south-western
/// sample is at (0, 0), in metres. The vertical part of a system is stated only if `is_heights`. The
/// recipe is written later, after the samples, since it contains their checksum.
fn describe<W: Write + io::Seek, K: TiffKind>(
    header: &Header<'_>,
    is_heights: bool,
    tags: &mut ::tiff::encoder::DirectoryEncoder<'_, W, K>,
) -> ::tiff::TiffResult<()> {
    let local = || {
        let step = header.metres_per_sample();
        let [west, south] = header.origin_m();
        let north = south + step * (header.rows - 1) as f64;
        ([west, north], [step, 0.0], [0.0, -step])
    };
    let ([x, y], east, south) = header.on_earth().unwrap_or_else(local);
    let earth = header.piece.earth.as_ref();
    let keys = earth.map(|earth| earth.keys.with_heights_in_metres(is_heights));
    let keys = keys.as_ref();
    // With PixelIsArea a sample is placed by its corner.
    let half = match keys.is_none_or(Keys::is_area) {
        true => 0.5,
        false => 0.0,
    };
    let x = x - half * (east[0] + south[0]);
    let y = y - half * (east[1] + south[1]);
    tags.write_tag(Tag::ModelPixelScaleTag, &[east[0], -south[1], 0.0][..])?;
    tags.write_tag(Tag::ModelTiepointTag, &[0.0, 0.0, 0.0, x, y, 0.0][..])?;
    if let Some(keys) = keys.filter(|keys| !keys.is_empty()) {
        tags.write_tag(Tag::GeoKeyDirectoryTag, &keys.directory[..])?;
        if !keys.doubles.is_empty() {
            tags.write_tag(Tag::GeoDoubleParamsTag, &keys.doubles[..])?;
        }
        if !keys.text.is_empty() {
            // GeoTIFF keys are ASCII, but text that was read may hold other characters.
            let ascii = |letter: char| match letter {
                '\x01'..='\x7f' => letter,
                _ => '?',
            };
            let text: String = keys.text.chars().map(ascii).collect();
            tags.write_tag(Tag::GeoAsciiParamsTag, text.as_str())?;
        }
    }
    tags.write_tag(Tag::Software, PROGRAM)
}

/// Samples of a parallel work item; a multiple of four, the samples of a byte.
const FINE_PART: usize = 1 << 16;

/// Content of [`FINE_TAG`] for a map in metres of 32 bits: two bits a
/// sample. `None` if nothing is lost, as with tiles of 2, 4, 8 … metres.
fn fine_bits(map: &Heightmap, header: &Header<'_>) -> Result<Option<Vec<u8>>, Cancelled> {
    let metres_per_unit = header.metres_per_unit();
    let Some(size) = header
        .tile_size_as_read()
        .filter(|size| *size == header.scene.surface.tile_size_m)
    else {
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
    let parts = parallel::par_items(map.heights().chunks(FINE_PART)).try_map(|_, heights| {
        header.piece.job.check()?;
        Ok(heights.chunks(4).map(byte).collect::<Vec<u8>>())
    })?;
    let bytes = parts.concat();
    Ok(bytes.iter().any(|byte| *byte != 0).then_some(bytes))
}
