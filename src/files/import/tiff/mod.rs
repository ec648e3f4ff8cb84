//! `.tif`: TIFF and GeoTIFF, if every tag is supported, see [`plain`]; other files are left to GDAL.
//!
//! Supported is one grey band with 8 to 64 bits, integers or floats, in strips or tiles, compressed or not.
//! `GDAL_NODATA` marks samples without data. Of several pages, the user's choice is read, else the first that
//! is not a preview.
//!
//! If the file states a pixel size (ModelPixelScale or ModelTransformation), the numbers are heights in
//! metres or in the stated unit, after GDAL's scale and offset. 8-bit numbers are brightness even then.
//!
//! A height in metres, rounded to 32 bits, does not always identify the original height in half tiles.
//! Landform's files store the difference in a tag with two bits per sample (see [`FINE_TAG`]), so that every
//! height is restored to the last bit. Other programs ignore the tag.

use std::io::{Read, Seek, SeekFrom};

use ::tiff::decoder::{Decoder, DecodingResult, Limits};
use ::tiff::tags::Tag;
use ::tiff::{ColorType, TiffError};

mod plain;

use super::place::{Placed, System, metres_of, place};
use super::reader::{
    Broken, Bytes, Holding, Numbers, Raster, Reader, Recipe, Source, check_memory, check_room,
    check_size,
};
use super::samples::EARTH;
use crate::files::formats::checksum::Sum;
use crate::files::formats::recipe::is_recipe;
use crate::files::formats::tiff::{FINE_TAG, METADATA_TAG, OFFSET, SCALE, item};
use crate::terrain::geo::{FOOT, Keys, METRES_UNIT, SURVEY_FOOT, VERTICAL_UNIT_KEY, known_unit};
use crate::util::language::tr;
use plain::Pages;

/// Reader of TIFF images.
pub const READER: Reader = Reader {
    name: "TIFF",
    extensions: &["tif", "tiff"],
    mark: Some(|bytes| bytes.starts_with(b"II") || bytes.starts_with(b"MM")),
    holds: Holding::Heights(read),
    recipe,
};

/// Read the scene from the image description, and check it against the samples.
fn recipe(source: &mut Source<'_>) -> Result<Recipe, Broken> {
    let page = Pages::of(source)?.maps[0];
    let mut decoder = decoder(source, page)?;
    let Some(text) = text(&mut decoder, Tag::ImageDescription) else {
        return Ok(Recipe::None);
    };
    if !is_recipe(&text) {
        // The description comes from another program.
        return Ok(Recipe::None);
    }
    drop(decoder);
    Ok(Recipe::of_text(&text, || sum(source, page)))
}

/// The checksum of a page's samples.
fn sum(source: &mut Source<'_>, page: usize) -> Result<Sum, Broken> {
    let length = source.length;
    let mut decoder = decoder(source, page)?;
    let shape = Shape::of(&mut decoder, length)?;
    let (columns, rows) = (shape.columns, shape.rows);
    let chunks = Chunks::of(&mut decoder, shape)?;
    let mut sum = Sum::new(rows as usize, columns as usize);
    for index in 0..chunks.count() {
        let chunk = chunks.read(&mut decoder, index)?;
        chunks.each(index, |place, at| {
            let number = sample(&chunk, at).ok_or_else(Broken::cut_short)?;
            sum.add(place, number.to_bits());
            Ok(())
        })?;
    }
    Ok(sum)
}

/// Tags that define the meaning and the position of the samples.
struct Tags {
    keys: Keys,
    scale: Vec<f64>,
    tie: Vec<f64>,
    transformation: Vec<f64>,
    items: String,
    no_data: String,
    lengths: Vec<u64>,
    is_ours: bool,
}

impl Tags {
    fn of<R: Read + Seek>(decoder: &mut Decoder<R>) -> Self {
        let numbers =
            |decoder: &mut Decoder<R>, tag| decoder.get_tag_f64_vec(tag).unwrap_or_default();
        let text = |decoder: &mut Decoder<R>, tag| text(decoder, tag).unwrap_or_default();
        let directory = decoder.get_tag_u16_vec(Tag::GeoKeyDirectoryTag);
        let lengths = decoder.get_tag_u64_vec(Tag::TileByteCounts);
        let lengths = lengths.or_else(|_| decoder.get_tag_u64_vec(Tag::StripByteCounts));
        Self {
            keys: Keys {
                directory: directory.unwrap_or_default(),
                doubles: numbers(decoder, Tag::GeoDoubleParamsTag),
                text: text(decoder, Tag::GeoAsciiParamsTag),
            },
            scale: numbers(decoder, Tag::ModelPixelScaleTag),
            tie: numbers(decoder, Tag::ModelTiepointTag),
            transformation: numbers(decoder, Tag::ModelTransformationTag),
            items: text(decoder, Tag::Unknown(METADATA_TAG)),
            no_data: text(decoder, Tag::GdalNodata),
            lengths: lengths.unwrap_or_default(),
            is_ours: text(decoder, Tag::Software).starts_with("landform"),
        }
    }

    /// Metres per unit of height, if it is stated and known. GDAL's metadata comes before the GeoTIFF keys,
    /// as in GDAL itself.
    fn unit_m(&self) -> Option<f64> {
        let of_keys = || match self.keys.short(VERTICAL_UNIT_KEY)? {
            METRES_UNIT => Some(1.0),
            9002 => Some(FOOT),
            9003 => Some(SURVEY_FOOT),
            _ => None,
        };
        self.unit_of_items().or_else(of_keys)
    }

    fn unit_of_items(&self) -> Option<f64> {
        item(&self.items, "unittype").and_then(metres_of)
    }

    /// The position of the grid, and true if the southern row comes first.
    fn placed(&self, rows: u64) -> Option<(Placed, bool)> {
        let finite = |numbers: &[f64]| numbers.iter().all(|number| number.is_finite());
        let (corner, [x, y]) = match (&self.transformation[..], &self.scale[..], &self.tie[..]) {
            ([a, _, _, x, _, e, _, y, ..], _, _) => (Some([*x, *y]), [*a, *e]),
            (_, [x, y, ..], [column, row, _, at_x, at_y, ..]) => {
                (Some([at_x - column * x, at_y + row * y]), [*x, -y])
            }
            (_, [x, y, ..], _) => (None, [*x, -y]),
            _ => return None,
        };
        if !finite(&[x, y]) || x <= 0.0 || y == 0.0 {
            return None;
        }
        // The centre of the first sample.
        let half = if self.keys.is_area() { 0.5 } else { 0.0 };
        let first = corner.filter(|corner| finite(corner));
        let first = first.map(|[at_x, at_y]| [at_x + half * x, at_y + half * y]);
        let south_first = y > 0.0;
        let last = rows.saturating_sub(1) as f64;
        let north_west = match (first, south_first) {
            (Some([west, south]), true) => Some([west, south + last * y]),
            (first, _) => first,
        };
        let step = [x, y.abs()];
        Some((Placed { north_west, step }, south_first))
    }
}

fn read(source: &mut Source<'_>) -> Result<Raster, Broken> {
    let (length, context) = (source.length, source.context);
    let pages = Pages::of(source)?;
    let index = context.reading.band().map_err(Broken::wrong)?.unwrap_or(1);
    let count = pages.maps.len();
    let page = *pages.maps.get(index - 1).ok_or_else(|| {
        // For a file with one page, the number selects a band.
        Broken::foreign(format!("--input-band {index}"))
    })?;
    let mut decoder = decoder(source, page)?;
    let tags = Tags::of(&mut decoder);
    let ignored = plain::check(&pages, page, &tags, context.ignores_unknown)?;
    let shape = Shape::of(&mut decoder, length)?;
    let mut raster = numbers(&mut decoder, shape)?;
    if count > 1 {
        raster.stated.notices.push(tr!(
            "page {index} of {count} is used; choose another with --input-band",
            index,
            count
        ));
    }
    let ignored = ignored.map(|what| tr!("{what} is not understood and was ignored", what));
    raster.stated.notices.extend(ignored);
    let is_ours = tags.is_ours;
    tags.describe(&mut raster, shape.rows);
    let stated = &raster.stated;
    if raster.top == Some(u16::MAX) && !is_ours && stated.step_m.is_none() && stated.scale.is_none()
    {
        // 16-bit integers are metres, signed or not, unless they exceed the range of heights on earth.
        let is_metres =
            (0..raster.numbers.len()).all(|at| raster.numbers.at(at) <= f64::from(EARTH.1));
        raster.top = raster.top.filter(|_| !is_metres);
    }
    if is_ours {
        raster.fine = tag_bytes(&mut decoder, Tag::Unknown(FINE_TAG), u64::MAX);
    }
    Ok(raster)
}

impl Tags {
    /// Copy the metadata from the tags to a raster.
    fn describe(self, raster: &mut Raster, rows: u64) {
        let stated = &mut raster.stated;
        let number = |role| {
            let number: f64 = item(&self.items, role)?.parse().ok()?;
            number.is_finite().then_some(number)
        };
        let (scale, offset) = (number(SCALE), number(OFFSET));
        stated.is_ours = self.is_ours;
        stated.no_data = self.no_data.trim().parse().ok();
        stated.unit_m = self.unit_m();
        if scale.is_some() || offset.is_some() {
            stated.scale = Some((scale.unwrap_or(1.0), offset.unwrap_or(0.0)));
        }
        let Some((placed, south_first)) = self.placed(rows) else {
            return;
        };
        stated.south_first = south_first;
        let is_ours = self.is_ours;
        let system = match self.keys.epsg().and_then(known_unit) {
            Some(unit) => System::Known(self.keys, unit),
            None if is_ours => System::Local,
            None => System::Unnamed,
        };
        place(raster, placed, system);
    }
}

/// Decode the samples of the decoder's page.
fn numbers<R: Read + Seek>(decoder: &mut Decoder<R>, shape: Shape) -> Result<Raster, Broken> {
    let Shape { columns, rows, .. } = shape;
    let count = (columns * rows) as usize;
    let chunks = Chunks::of(decoder, shape)?;
    let (mut single, mut double) = (Vec::new(), Vec::new());
    let mut top = None;
    for index in 0..chunks.count() {
        let chunk = chunks.read(decoder, index)?;
        top = top_of(&chunk);
        let is_single = is_single(&chunk);
        if is_single {
            single.resize(count, 0.0);
        } else {
            double.resize(count, 0.0);
        }
        chunks.each(index, |place, at| {
            let number = sample(&chunk, at).ok_or_else(Broken::cut_short)?;
            if is_single {
                single[place as usize] = number as f32;
            } else {
                double[place as usize] = number;
            }
            Ok(())
        })?;
    }
    let numbers = if double.is_empty() {
        Numbers::Single(single)
    } else {
        Numbers::Double(double)
    };
    Raster::new(rows, columns, numbers, top)
}

/// Decode the only page of a file written by GDAL, with its GeoTIFF keys. No-data values are not looked up.
pub fn decoded(source: &mut Source<'_>) -> Result<(Raster, Keys), Broken> {
    let length = source.length;
    let mut decoder = decoder(source, 0)?;
    let shape = Shape::of(&mut decoder, length)?;
    let keys = Tags::of(&mut decoder).keys;
    Ok((numbers(&mut decoder, shape)?, keys))
}

// Page of a TIFF: decoder with memory limits, tag access, and size check before memory is allocated.

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

// Strips and tiles of a TIFF, decoded one at a time.

/// Layout of a page's strips or tiles, both treated as rectangular chunks.
pub struct Chunks {
    shape: Shape,
    width: u64,
    height: u64,
    across: u64,
    down: u64,
}

impl Chunks {
    /// Read the layout of the decoder's page.
    pub fn of<R: Read + Seek>(decoder: &mut Decoder<R>, shape: Shape) -> Result<Self, Broken> {
        let Shape { columns, rows, .. } = shape;
        let mut side = |tag, all| number(decoder, tag).unwrap_or(all);
        let (width, height) = match side(Tag::TileWidth, 0) {
            0 => (columns, side(Tag::RowsPerStrip, rows).min(rows)),
            width => (width, side(Tag::TileLength, 0)),
        };
        // Tiles may exceed a small map, but their size is limited.
        check_size(width, height)?;
        Ok(Self {
            shape,
            width,
            height,
            across: columns.div_ceil(width),
            down: rows.div_ceil(height),
        })
    }

    /// The number of chunks.
    pub fn count(&self) -> u64 {
        self.across * self.down
    }

    /// Decode a chunk.
    pub fn read<R: Read + Seek>(
        &self,
        decoder: &mut Decoder<R>,
        index: u64,
    ) -> Result<DecodingResult, Broken> {
        decoder.read_chunk(index as u32).map_err(explain)
    }

    /// Visit the samples of a chunk with their index in the map and in the chunk.
    pub fn each(
        &self,
        index: u64,
        mut with: impl FnMut(u64, usize) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        let Shape { columns, rows, .. } = self.shape;
        let (west, north) = (
            index % self.across * self.width,
            index / self.across * self.height,
        );
        let width = self.width.min(columns - west);
        for row in north..(north + self.height).min(rows) {
            for column in 0..width {
                // The decoder crops a tile at the edge of the map.
                let at = (row - north) * width + column;
                with(row * columns + west + column, at as usize)?;
            }
        }
        Ok(())
    }
}

/// The sample of a chunk at an index; `None` beyond the end.
fn sample(chunk: &DecodingResult, at: usize) -> Option<f64> {
    use DecodingResult::{F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    Some(match chunk {
        U8(values) => (*values.get(at)?).into(),
        U16(values) => (*values.get(at)?).into(),
        U32(values) => (*values.get(at)?).into(),
        U64(values) => *values.get(at)? as f64,
        I8(values) => (*values.get(at)?).into(),
        I16(values) => (*values.get(at)?).into(),
        I32(values) => (*values.get(at)?).into(),
        I64(values) => *values.get(at)? as f64,
        F16(values) => values.get(at)?.to_f64(),
        F32(values) => (*values.get(at)?).into(),
        F64(values) => *values.get(at)?,
    })
}

/// The highest level of unsigned 8- or 16-bit integers; `None` for other types.
fn top_of(chunk: &DecodingResult) -> Option<u16> {
    match chunk {
        DecodingResult::U8(_) => Some(u8::MAX.into()),
        DecodingResult::U16(_) => Some(u16::MAX),
        _ => None,
    }
}

/// True if 32-bit floats hold all values of the type exactly.
fn is_single(chunk: &DecodingResult) -> bool {
    use DecodingResult::{F16, F32, I8, I16, U8, U16};
    matches!(chunk, U8(_) | U16(_) | I8(_) | I16(_) | F16(_) | F32(_))
}
