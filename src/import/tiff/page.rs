//! The first page of a TIFF: its decoder, its tags and its shape, checked before memory is taken.

use std::io::{Read, Seek, SeekFrom};

use ::tiff::decoder::{Decoder, Limits};
use ::tiff::tags::Tag;
use ::tiff::{ColorType, TiffError};

use crate::import::source::{Broken, Bytes, Source, check_memory, check_room};

/// The number of the packing LERC.
pub const LERC: u64 = 34_887;
/// Samples that a byte of LERC may become: a blob of one number alone has some 90 bytes, of tiles
/// as large as they are made.
const MOST_LERC: f64 = 65_536.0;
/// Bytes that one byte may become: LZW's longest run takes 12 bits; deflate does less.
const MOST_PACKED: f64 = 3000.0;
/// A text in a tag is no longer.
const MOST_TEXT: u64 = 4 << 20;

/// A decoder of the first page, which takes no more memory than the file can fill.
pub fn decoder<'a, 's>(
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

/// The size of a page, and how many numbers a pixel has in a row of its own.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Columns.
    pub columns: u64,
    /// Rows.
    pub rows: u64,
    /// Numbers of a pixel.
    pub bands: usize,
    /// Bits of a number.
    pub bits: u8,
}

impl Shape {
    /// The shape of the first page. Refuses pixels of other types and pages that so many bytes cannot hold.
    pub fn of<R: Read + Seek>(decoder: &mut Decoder<R>, length: u64) -> Result<Self, Broken> {
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
            Some(LERC) => MOST_LERC,
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
        if little {
            bytes.iter().rev().fold(0, add)
        } else {
            bytes.iter().fold(0, add)
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

/// The first number of a tag.
pub fn number<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<u64> {
    decoder.find_tag_unsigned(tag).ok().flatten()
}

/// The text of a tag.
pub fn text<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<String> {
    let mut bytes = tag_bytes(decoder, tag, MOST_TEXT)?;
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    // What is no text says so when it is read.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The bytes of a tag of bytes, of no more than the file has.
pub fn tag_bytes<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag, most: u64) -> Option<Vec<u8>> {
    let count = decoder.image_ifd().find_entry(tag)?.count();
    let length = decoder.inner().seek(SeekFrom::End(0)).ok()?;
    if count > length.min(most) {
        return None;
    }
    let mut bytes = vec![0; count as usize];
    let got = decoder.image_ifd().find_tag_bytes(tag, &mut bytes, 0);
    (got.ok()?? == bytes.len()).then_some(bytes)
}

/// What is wrong with a file, from the words of the decoder.
pub fn explain(error: TiffError) -> Broken {
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
