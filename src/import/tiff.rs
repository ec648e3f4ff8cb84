//! `.tif`: TIFF and GeoTIFF, the first page: grey of 8 to 64 bits, whole or real, or colour, in
//! strips or tiles, packed or not; `GDAL_NODATA` is no data.
//!
//! With a size of a sample (ModelPixelScale or ModelTransformation) the numbers are metres, or
//! whatever VerticalUnits says, after GDAL's scale and offset if there are any; 8-bit ones are
//! brightness all the same. What the tags say of the place is kept, see [`super::geotiff`].
//!
//! A height in metres rounded to 32 bits does not always say which height in half tiles it was.
//! Landform's files say what is missing in a tag of two bits a sample (see [`FINE_TAG`]), so
//! that every height comes back to the last bit; other programs pass over it.

use std::io::{Read, Seek, SeekFrom};

use ::tiff::decoder::{Decoder, Limits};
use ::tiff::tags::Tag;
use ::tiff::{ColorType, TiffError};

use super::chunks::{Chunks, Kind};
use super::geotiff::{self, Tags};
use super::picture::weighed;
use super::recipe::{Recipe, is_recipe};
use super::rule::{Rule, Said};
use super::samples::{Meaning, Samples};
use super::source::{Broken, Bytes, Source, check_memory, check_room};
use super::sum::Sum;
use super::{Format, lerc};
use crate::geo::{FOOT, Keys, SURVEY_FOOT};

/// The format.
pub const FORMAT: Format = Format {
    name: "TIFF",
    extensions: &["tif", "tiff"],
    mark: Some(|bytes| bytes.starts_with(b"II") || bytes.starts_with(b"MM")),
    read,
    recipe,
    is_heights: true,
    is_mesh: false,
};

/// Our own tag, of those for private use: two bits a sample, the first sample lowest in the first
/// byte: 0 the height that [`super::in_half_tiles`] gives, 1 the next float away from 0, 2 the next
/// towards 0.
pub const FINE_TAG: u16 = 65_200;
/// GDAL's items as XML, among them scale and offset.
pub const METADATA_TAG: u16 = 42_112;

/// Bytes that one byte may become: LZW's longest run takes 12 bits; deflate does less.
const MOST_PACKED: f64 = 3000.0;
/// A text in a tag is no longer.
const MOST_TEXT: u64 = 4 << 20;

/// The scene in the description, and whether it is of these numbers.
fn recipe(source: &mut Source<'_>) -> Result<Recipe, Broken> {
    let mut decoder = decoder(source)?;
    let Some(text) = text(&mut decoder, Tag::ImageDescription) else {
        return Ok(Recipe::None);
    };
    if !is_recipe(&text) {
        // Anybody's description.
        return Ok(Recipe::None);
    }
    drop(decoder);
    Ok(Recipe::of_text(&text, || sum(source)))
}

/// The sum of the numbers of the first page.
fn sum(source: &mut Source<'_>) -> Result<Sum, Broken> {
    let length = source.length;
    let mut decoder = decoder(source)?;
    let shape = Shape::of(&mut decoder, length)?;
    let (columns, rows) = (shape.columns, shape.rows);
    let chunks = Chunks::of(&mut decoder, shape)?;
    let mut sum = Sum::new(rows as usize, columns as usize);
    for index in 0..chunks.count() {
        let chunk = chunks.read(&mut decoder, index)?;
        chunks.each(index, |place, at| {
            let number = chunk.number(at, 0).ok_or_else(Broken::cut_short)?;
            sum.add(place, number.to_bits());
            Ok(())
        })?;
    }
    Ok(sum)
}

fn decoder<'a, 's>(
    source: &'a mut Source<'s>,
) -> Result<Decoder<&'a mut (dyn Bytes + 's)>, Broken> {
    source.rewind()?;
    check_tags(source)?;
    let length = source.length;
    let decoder = Decoder::new(&mut *source.bytes).map_err(explain)?;
    let most = (length as f64 * MOST_PACKED) as usize;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = most;
    limits.intermediate_buffer_size = most;
    limits.ifd_value_size = length as usize;
    let mut decoder = decoder.with_limits(limits);
    check_packing(&mut decoder)?;
    Ok(decoder)
}

fn read(source: &mut Source<'_>) -> Result<Samples, Broken> {
    let (length, beside) = (source.length, source.beside);
    let mut decoder = decoder(source)?;
    let shape = Shape::of(&mut decoder, length)?;
    let (columns, rows, bands) = (shape.columns, shape.rows, shape.bands);
    let said = said(&mut decoder, columns, rows);
    let (is_ours, has_scale) = (said.is_ours, said.scale.is_some());
    let rule = Rule::new(said, beside, rows, columns)?;
    let mut values = vec![0.0; (columns * rows) as usize];
    let chunks = Chunks::of(&mut decoder, shape)?;
    let mut kind = Kind::Float;
    for index in 0..chunks.count() {
        let chunk = chunks.read(&mut decoder, index)?;
        kind = chunk.kind();
        let is_steps = bands > 1 || kind.top().is_some();
        let height_of = |value: f64| match is_steps {
            true if rule.is_missing(value) => f32::NAN,
            true => value as f32,
            false => rule.height(value),
        };
        chunks.each(index, |place, at| {
            let number = |band| chunk.number(at, band).ok_or_else(Broken::cut_short);
            values[place as usize] = match bands {
                3.. => weighed([number(0)?, number(1)?, number(2)?]),
                _ => height_of(number(0)?),
            };
            Ok(())
        })?;
    }
    if is_ours && kind == Kind::Float && rule.meaning() == Meaning::Heights {
        refine(&mut decoder, &mut values);
    }
    let Some(top) = kind.top() else {
        let mut samples = Samples::from_vec(rows, columns, values, rule.meaning())?;
        rule.hand_on(&mut samples);
        return Ok(samples);
    };
    // Whole numbers without a scale: metres if they have 16 bits and lie on a map of another
    // program.
    let has_unit = rule.knows_unit() || has_scale || (top == u16::MAX && !is_ours);
    let (rule, heights) = match has_unit && bands < 3 {
        true => {
            let heights = rule.levels(top);
            (rule, heights)
        }
        false => (rule.without_assumed_unit(), None),
    };
    let meaning = Meaning::Levels { top, heights };
    let mut samples = Samples::from_vec(rows, columns, values, meaning)?;
    rule.hand_on(&mut samples);
    Ok(samples)
}

/// The size of a page, and how many numbers a pixel has in a row of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shape {
    pub columns: u64,
    pub rows: u64,
    pub bands: usize,
    /// Of a number.
    pub bits: u8,
}

impl Shape {
    /// Refuses pixels of other types and pages that so many bytes cannot hold.
    fn of<R: Read + Seek>(decoder: &mut Decoder<R>, length: u64) -> Result<Self, Broken> {
        let (columns, rows) = decoder.dimensions().map_err(explain)?;
        let (columns, rows) = (u64::from(columns), u64::from(rows));
        let (bands, bits) = match decoder.colortype().map_err(explain)? {
            ColorType::Gray(bits @ (8 | 16 | 32 | 64)) => (1, bits),
            ColorType::GrayA(bits @ (8 | 16)) => (2, bits),
            ColorType::RGB(bits @ (8 | 16)) => (3, bits),
            ColorType::RGBA(bits @ (8 | 16)) => (4, bits),
            other => {
                return Err(Broken::wrong(format!(
                    "pixels of {}, allowed is grey of 8, 16, 32 or 64 bits, or RGB of 8 or 16",
                    words_of(other)
                )));
            }
        };
        let most = match number(decoder, Tag::Compression) {
            None | Some(1) => 1.0,
            Some(lerc::PACKING) => lerc::MOST_PACKED,
            Some(_) => MOST_PACKED,
        };
        check_room(columns, rows, length, most * 8.0 / f64::from(bits))?;
        // A chunk may be the whole map.
        let of_pixel = u64::from(bits) / 8 * bands as u64;
        check_memory(columns, rows, of_pixel)?;
        // Bands one after the other: the first is read, as grey.
        let planar = number(decoder, Tag::PlanarConfiguration) == Some(2);
        let bands = if planar { 1 } else { bands };
        Ok(Self {
            columns,
            rows,
            bands,
            bits,
        })
    }
}

/// What pixels of a type that is not read are.
fn words_of(kind: ColorType) -> String {
    let (what, bits) = match kind {
        ColorType::Gray(bits) => ("grey", bits),
        ColorType::GrayA(bits) => ("grey with opacity", bits),
        ColorType::RGB(bits) => ("RGB", bits),
        ColorType::RGBA(bits) => ("RGB with opacity", bits),
        ColorType::Palette(bits) => ("a palette", bits),
        ColorType::CMYK(bits) => ("CMYK", bits),
        ColorType::CMYKA(bits) => ("CMYK with opacity", bits),
        ColorType::YCbCr(bits) => ("YCbCr", bits),
        ColorType::Lab(bits) => ("CIE L*a*b*", bits),
        ColorType::Multiband {
            bit_depth,
            num_samples,
        } => return format!("{num_samples} bands of {bit_depth} bits"),
        _ => return "an unknown type".to_owned(),
    };
    format!("{what} of {bits} bits")
}

/// Refuses tags of the first page that say they are longer than the file, for which the decoder
/// would take memory before it finds out.
fn check_tags(source: &mut Source<'_>) -> Result<(), Broken> {
    let start = source.head(16)?;
    let little = start.starts_with(b"II");
    let number = |bytes: &[u8]| {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        match little {
            true => bytes.iter().rev().fold(0, add),
            false => bytes.iter().fold(0, add),
        }
    };
    // Version 43 has 64-bit places and counts.
    let big = start.get(2..4).is_some_and(|version| number(version) == 43);
    let (place, counter, entry) = if big { (8..16, 8, 20) } else { (4..8, 2, 12) };
    let place = number(start.get(place).ok_or_else(Broken::cut_short)?);
    source.bytes.seek(SeekFrom::Start(place))?;
    let mut buffer = [0; 20];
    source.bytes.read_exact(&mut buffer[..counter])?;
    // The decoder asks for every entry as well.
    for _ in 0..number(&buffer[..counter]) {
        source.bytes.read_exact(&mut buffer[..entry])?;
        let each = match number(&buffer[2..4]) {
            3 | 8 => 2,
            4 | 9 | 11 | 13 => 4,
            5 | 10 | 12 | 16..=18 => 8,
            _ => 1,
        };
        let count = number(&buffer[4..if big { 12 } else { 8 }]);
        if count.saturating_mul(each) > source.length {
            let tag = number(&buffer[..2]);
            return Err(Broken::wrong(format!(
                "tag {tag} says it has {count} values, the file is shorter"
            )));
        }
    }
    Ok(source.rewind()?)
}

/// What the tags say about the numbers.
fn said<R: Read + Seek>(decoder: &mut Decoder<R>, columns: u64, rows: u64) -> Said {
    let name = text(decoder, Tag::Software).unwrap_or_default();
    let no_data = text(decoder, Tag::GdalNodata).unwrap_or_default();
    let items = text(decoder, Tag::Unknown(METADATA_TAG)).unwrap_or_default();
    let numbers = |decoder: &mut Decoder<R>, tag| decoder.get_tag_f64_vec(tag).unwrap_or_default();
    let directory = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag);
    let tags = Tags {
        scale: numbers(decoder, Tag::ModelPixelScaleTag),
        tie: numbers(decoder, Tag::ModelTiepointTag),
        transformation: numbers(decoder, Tag::ModelTransformationTag),
        keys: Keys {
            directory: directory.unwrap_or_default(),
            doubles: numbers(decoder, Tag::GeoDoubleParamsTag),
            text: text(decoder, Tag::GeoAsciiParamsTag).unwrap_or_default(),
        },
    };
    let scale = item(&items, "scale").map(|scale| (scale, item(&items, "offset").unwrap_or(0.0)));
    let said = geotiff::said(tags, unit_in(&items), columns, rows);
    Said {
        is_ours: name.starts_with("landform"),
        no_data: no_data.trim().parse().ok(),
        scale: scale.or(said.scale),
        ..said
    }
}

/// Metres of the unit that GDAL's items give.
fn unit_in(items: &str) -> Option<f64> {
    match item_text(items, "unittype")?.to_ascii_lowercase().as_str() {
        "m" | "metre" | "meter" | "metres" | "meters" => Some(1.0),
        "ft" | "foot" | "feet" => Some(FOOT),
        "us-ft" | "ftus" | "us survey foot" => Some(SURVEY_FOOT),
        _ => None,
    }
}

/// The number of the item of that role in GDAL's list, as in
/// `<Item name="SCALE" sample="0" role="scale">0.5</Item>`.
fn item(xml: &str, role: &str) -> Option<f64> {
    let number: f64 = item_text(xml, role)?.parse().ok()?;
    number.is_finite().then_some(number)
}

fn item_text<'a>(xml: &'a str, role: &str) -> Option<&'a str> {
    let (_, rest) = xml.split_once(&format!("role=\"{role}\""))?;
    let (_, rest) = rest.split_once('>')?;
    Some(rest.split_once('<')?.0.trim())
}

/// Moves heights to the neighbouring float where our own tag says so.
fn refine<R: Read + Seek>(decoder: &mut Decoder<R>, heights: &mut [f32]) {
    let Some(moves) = tag_bytes(decoder, Tag::Unknown(FINE_TAG), u64::MAX) else {
        return;
    };
    if moves.len() != heights.len().div_ceil(4) {
        return;
    }
    for (index, height) in heights.iter_mut().enumerate() {
        let bits = height.to_bits();
        *height = match moves[index / 4] >> (index % 4 * 2) & 3 {
            1 => f32::from_bits(bits.wrapping_add(1)),
            2 => f32::from_bits(bits.wrapping_sub(1)),
            _ => *height,
        };
    }
}

/// The first number of a tag.
pub(super) fn number<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<u64> {
    decoder.find_tag_unsigned(tag).ok().flatten()
}

fn text<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<String> {
    let mut bytes = tag_bytes(decoder, tag, MOST_TEXT)?;
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    // What is no text says so when it is read.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The bytes of a tag of bytes, of no more than the file has.
fn tag_bytes<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag, most: u64) -> Option<Vec<u8>> {
    let count = decoder.image_ifd().find_entry(tag)?.count();
    let length = decoder.inner().seek(SeekFrom::End(0)).ok()?;
    if count > length.min(most) {
        return None;
    }
    let mut bytes = vec![0; count as usize];
    let got = decoder.image_ifd().find_tag_bytes(tag, &mut bytes, 0);
    (got.ok()?? == bytes.len()).then_some(bytes)
}

pub(super) fn explain(error: TiffError) -> Broken {
    match error {
        TiffError::IoError(error) => error.into(),
        error => Broken::wrong(error),
    }
}

/// Refuses a packing that is not read, by its name.
fn check_packing<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<(), Broken> {
    let name = match number(decoder, Tag::Compression) {
        Some(34_925) => "LZMA",
        Some(50_001) => "WebP",
        Some(50_002) => "JPEG XL",
        Some(34_712) => "JPEG 2000",
        _ => return Ok(()),
    };
    Err(Broken::wrong(format!(
        "packed with {name}, allowed is none, LZW, DEFLATE, PackBits, ZSTD or LERC; GDAL makes \
         one of these: gdal_translate -co COMPRESS=ZSTD IN OUT.tif"
    )))
}
