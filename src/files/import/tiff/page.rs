//! Page of a TIFF: decoder with memory limits, tag access, and size check before memory is allocated.

use std::io::{Read, Seek, SeekFrom};

use ::tiff::decoder::{Decoder, Limits};
use ::tiff::tags::Tag;
use ::tiff::{ColorType, TiffError};

use crate::files::import::source::{Broken, Bytes, Source, check_memory, check_room};

/// The most bytes that a compressed byte may expand to: LZW's longest run takes 12 bits; deflate does less.
const MOST_PACKED: f64 = 3000.0;
/// The size limit of a text in a tag, in bytes.
const MOST_TEXT: u64 = 4 << 20;

/// Open a decoder on a page, limited to the memory that the file can fill.
pub fn decoder<'a, 's>(
    source: &'a mut Source<'s>,
    page: usize,
) -> Result<Decoder<&'a mut (dyn Bytes + 's)>, Broken> {
    source.rewind()?;
    let length = source.length;
    let decoder = Decoder::new(&mut *source.bytes).map_err(explain)?;
    let most = (length as f64 * MOST_PACKED) as usize;
    let mut limits = Limits::default();
    limits.decoding_buffer_size = most;
    limits.intermediate_buffer_size = most;
    limits.ifd_value_size = length as usize;
    let mut decoder = decoder.with_limits(limits);
    decoder.seek_to_image(page).map_err(explain)?;
    Ok(decoder)
}

/// Size of a page.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// The number of columns.
    pub columns: u64,
    /// The number of rows.
    pub rows: u64,
}

impl Shape {
    /// Read the size of the decoder's page. Refuses other pixel types, and sizes that `length` bytes cannot
    /// hold.
    pub fn of<R: Read + Seek>(decoder: &mut Decoder<R>, length: u64) -> Result<Self, Broken> {
        let (columns, rows) = decoder.dimensions().map_err(explain)?;
        let (columns, rows) = (u64::from(columns), u64::from(rows));
        let ColorType::Gray(bits @ (8 | 16 | 32 | 64)) = decoder.colortype().map_err(explain)?
        else {
            return Err(Broken::foreign(
                "its pixels, which are not one number of 8 to 64 bits",
            ));
        };
        let most = match number(decoder, Tag::Compression) {
            None | Some(1) => 1.0,
            Some(_) => MOST_PACKED,
        };
        check_room(columns, rows, length, most * 8.0 / f64::from(bits))?;
        // A single chunk may hold the whole map.
        check_memory(columns, rows, u64::from(bits) / 8)?;
        Ok(Self { columns, rows })
    }
}

/// Read the first number of a tag.
pub fn number<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<u64> {
    decoder.find_tag_unsigned(tag).ok().flatten()
}

/// Read the text of a tag.
pub fn text<R: Read + Seek>(decoder: &mut Decoder<R>, tag: Tag) -> Option<String> {
    let mut bytes = tag_bytes(decoder, tag, MOST_TEXT)?;
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    // Invalid text leads to an error later, when it is parsed.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Read a tag's bytes; `None` if there are more than `most` or than the file has.
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

/// Convert a decoder's error to an import error.
pub fn explain(error: TiffError) -> Broken {
    match error {
        TiffError::IoError(error) => error.into(),
        error => Broken::wrong(error),
    }
}
