//! `.tif`: TIFF and GeoTIFF, the first page: grey of 8 to 64 bits, whole or real, or colour, in
//! strips or tiles, packed or not; `GDAL_NODATA` is no data.
//!
//! With a size of a sample (ModelPixelScale or ModelTransformation) the numbers are metres, or
//! whatever VerticalUnits says, after GDAL's scale and offset if there are any; 8-bit ones are
//! brightness all the same. What the tags say of the place is kept, see [`place`].
//!
//! A height in metres rounded to 32 bits does not always say which height in half tiles it was.
//! Landform's files say what is missing in a tag of two bits a sample (see [`FINE_TAG`]), so
//! that every height comes back to the last bit; other programs pass over it.

use std::io::{Read, Seek};

use ::tiff::decoder::Decoder;
use ::tiff::tags::Tag;

use super::brightness::weighed;
use super::reader::{Holding, Reader};
use super::recipe::Recipe;
use super::rule::{FromFile, Rule};
use super::samples::{Meaning, Samples};
use super::source::{Broken, Source};
use crate::formats::checksum::Sum;
use crate::formats::recipe::is_recipe;
use crate::formats::tiff::{FINE_TAG, METADATA_TAG, OFFSET, SCALE, item};
use crate::geo::{FOOT, Keys, SURVEY_FOOT};

mod chunks;
mod lerc;
mod page;
mod place;

use chunks::{Chunks, NumberType};
use page::{Shape, decoder, tag_bytes, text};
use place::Tags;

/// The format.
pub const READER: Reader = Reader {
    name: "TIFF",
    extensions: &["tif", "tiff"],
    mark: Some(|bytes| bytes.starts_with(b"II") || bytes.starts_with(b"MM")),
    holds: Holding::Heights(read),
    recipe,
};

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
    let mut kind = NumberType::Float;
    for index in 0..chunks.count() {
        let chunk = chunks.read(&mut decoder, index)?;
        kind = chunk.number_type();
        let is_steps = bands > 1 || kind.top().is_some();
        let height_of = |value: f64| {
            if !is_steps {
                return rule.height(value);
            }
            if rule.is_missing(value) {
                return f32::NAN;
            }
            value as f32
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
    if is_ours && kind == NumberType::Float && rule.meaning() == Meaning::Heights {
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
    let (rule, heights) = if has_unit && bands < 3 {
        let heights = rule.levels(top);
        (rule, heights)
    } else {
        (rule.without_assumed_unit(), None)
    };
    let meaning = Meaning::Levels { top, heights };
    let mut samples = Samples::from_vec(rows, columns, values, meaning)?;
    rule.hand_on(&mut samples);
    Ok(samples)
}

/// What the tags say about the numbers.
fn said<R: Read + Seek>(decoder: &mut Decoder<R>, columns: u64, rows: u64) -> FromFile {
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
    let scale =
        number_of(&items, SCALE).map(|scale| (scale, number_of(&items, OFFSET).unwrap_or(0.0)));
    let said = place::said(tags, unit_in(&items), columns, rows);
    FromFile {
        is_ours: name.starts_with("landform"),
        no_data: no_data.trim().parse().ok(),
        scale: scale.or(said.scale),
        ..said
    }
}

/// Metres of the unit that GDAL's items give.
fn unit_in(items: &str) -> Option<f64> {
    match item(items, "unittype")?.to_ascii_lowercase().as_str() {
        "m" | "metre" | "meter" | "metres" | "meters" => Some(1.0),
        "ft" | "foot" | "feet" => Some(FOOT),
        "us-ft" | "ftus" | "us survey foot" => Some(SURVEY_FOOT),
        _ => None,
    }
}

/// The number of the item of that role among GDAL's.
fn number_of(xml: &str, role: &str) -> Option<f64> {
    let number: f64 = item(xml, role)?.parse().ok()?;
    number.is_finite().then_some(number)
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
