//! LERC (Esri's Limited Error Raster Compression) in a TIFF: every strip or tile is a blob, as it
//! is or packed once more with DEFLATE or ZSTD. (Esri, LERC 2; libtiff's `tif_lerc.c`.)

use std::io::{Read, Seek, SeekFrom};

use ::tiff::decoder::{Decoder, DecodingResult};
use ::tiff::tags::Tag;
use flate2::read::ZlibDecoder;
use lerc_core::{DataType, PixelData};

use crate::import::source::{Broken, check_memory};

/// LERC's version and how its blobs are packed once more.
const PARAMETERS: Tag = Tag::Unknown(50_674);
/// How a blob begins.
const MARK: &[u8] = b"Lerc2 ";
/// Bytes of a blob beside those of its numbers as they are.
const ROOM: u64 = 1 << 16;

/// What the blobs of a page are packed with once more.
#[derive(Clone, Copy, Debug)]
enum Wrap {
    None,
    Deflate,
    Zstd,
}

/// Where the blobs of a page lie.
#[derive(Debug)]
pub struct Blobs {
    places: Vec<u64>,
    lengths: Vec<u64>,
    wrap: Wrap,
}

impl Blobs {
    /// Where the blobs of the first page lie.
    pub fn of<R: Read + Seek>(decoder: &mut Decoder<R>) -> Result<Self, Broken> {
        let parameters = decoder.find_tag_unsigned_vec::<u32>(PARAMETERS);
        let parameters = parameters.ok().flatten().unwrap_or_default();
        let wrap = match parameters.get(1).copied().unwrap_or(0) {
            0 => Wrap::None,
            1 => Wrap::Deflate,
            2 => Wrap::Zstd,
            other => {
                return Err(Broken::wrong(format!(
                    "LERC packed with method {other}, allowed is none, DEFLATE or ZSTD"
                )));
            }
        };
        let mut list = |tiles, strips| {
            let tag = match decoder.image_ifd().find_entry(tiles) {
                Some(_) => tiles,
                None => strips,
            };
            decoder.get_tag_u64_vec(tag).map_err(Broken::wrong)
        };
        Ok(Self {
            places: list(Tag::TileOffsets, Tag::StripOffsets)?,
            lengths: list(Tag::TileByteCounts, Tag::StripByteCounts)?,
            wrap,
        })
    }

    /// The numbers of a strip or tile of at most so many rows, those of a pixel after each other:
    /// `bands` of so many bits; and 0 for every pixel without data, if there are any.
    pub fn read<R: Read + Seek>(
        &self,
        file: &mut R,
        index: usize,
        (rows, columns): (u64, u64),
        (bands, bits): (usize, u8),
    ) -> Result<(DecodingResult, Option<Vec<u8>>), Broken> {
        let place = self.places.get(index).zip(self.lengths.get(index));
        let (place, length) = place.ok_or_else(Broken::cut_short)?;
        let of_pixel = u64::from(bits) / 8 * bands as u64;
        // The numbers, the mask, and the blob before it was packed again.
        check_memory(columns, rows, 2 * of_pixel + 2)?;
        let most = rows * columns * (of_pixel + 1) + ROOM;
        file.seek(SeekFrom::Start(*place))?;
        let packed = file.take(*length);
        let mut blob = Vec::new();
        match self.wrap {
            Wrap::None => packed.take(most).read_to_end(&mut blob),
            Wrap::Deflate => ZlibDecoder::new(packed).take(most).read_to_end(&mut blob),
            Wrap::Zstd => zstd::Decoder::new(packed)?
                .take(most)
                .read_to_end(&mut blob),
        }?;
        let said = BlobHead::of(&blob)?;
        let is_it = said.columns == columns && (1..=rows).contains(&said.rows);
        let size = data_type(said.kind)?.byte_len();
        if !is_it || said.depth != bands as u64 || size != usize::from(bits) / 8 {
            return Err(Broken::wrong(format!(
                "LERC of {} × {} pixels of {} numbers of {} bits, which the file says otherwise",
                said.columns,
                said.rows,
                said.depth,
                size * 8
            )));
        }
        let blob = lerc_reader::decode_first(&blob).map_err(Broken::wrong)?;
        Ok((numbers(blob.pixels), blob.mask))
    }
}

/// What the head of a blob says, read before memory is taken for it.
struct BlobHead {
    rows: u64,
    columns: u64,
    depth: u64,
    kind: u32,
}

impl BlobHead {
    fn of(blob: &[u8]) -> Result<Self, Broken> {
        let number = |at: usize| {
            let bytes = blob.get(at..at + 4).and_then(|bytes| bytes.try_into().ok());
            bytes.map(u32::from_le_bytes).ok_or_else(Broken::cut_short)
        };
        if !blob.starts_with(MARK) {
            return Err(Broken::wrong("LERC of another kind than 2"));
        }
        let version = number(6)?;
        // Later versions have a checksum, and several numbers a pixel.
        let size = if version >= 3 { 14 } else { 10 };
        let (depth, rest) = if version >= 4 {
            (number(size + 8)?, size + 12)
        } else {
            (1, size + 8)
        };
        Ok(Self {
            rows: number(size)?.into(),
            columns: number(size + 4)?.into(),
            depth: depth.into(),
            // After how many are valid, the side of a block and the length.
            kind: number(rest + 12)?,
        })
    }
}

fn data_type(code: u32) -> Result<DataType, Broken> {
    let code = i32::try_from(code).map_err(Broken::wrong)?;
    DataType::from_code(code).map_err(Broken::wrong)
}

fn numbers(pixels: PixelData) -> DecodingResult {
    match pixels {
        PixelData::I8(values) => DecodingResult::I8(values),
        PixelData::U8(values) => DecodingResult::U8(values),
        PixelData::I16(values) => DecodingResult::I16(values),
        PixelData::U16(values) => DecodingResult::U16(values),
        PixelData::I32(values) => DecodingResult::I32(values),
        PixelData::U32(values) => DecodingResult::U32(values),
        PixelData::F32(values) => DecodingResult::F32(values),
        PixelData::F64(values) => DecodingResult::F64(values),
    }
}
