//! `.exr`: OpenEXR images; heights come from one channel of the first layer.
//!
//! The channel is Y, else Z, height, depth or R, else the only one. Samples are 16- or 32-bit floats or
//! 32-bit integers, compressed or not; NaN means no data.

use ::exr::image::{AnyChannel, FlatSamples};
use ::exr::meta::MetaData;
use ::exr::prelude::{
    AnyChannels, Compression, Error, Image, Layer, ReadChannels, ReadLayers, Vec2,
};

use super::png::MOST_DEFLATED;
use super::reader::{
    Broken, Holding, Numbers, Raster, Reader, Recipe, Source, check_memory, check_room,
};
use crate::files::formats::checksum::Sum;
use crate::files::formats::recipe::is_recipe;

/// Reader of OpenEXR images.
pub const READER: Reader = Reader {
    name: "OpenEXR",
    extensions: &["exr"],
    mark: Some(|bytes| bytes.starts_with(&[0x76, 0x2f, 0x31, 0x01])),
    holds: Holding::Heights(read),
    recipe,
};

/// Channel names that may hold heights, in order of preference.
const NAMES: &[&str] = &["y", "z", "height", "depth", "r"];

/// Read the scene from the comments of the first layer, and check it against the heights.
fn recipe(source: &mut Source<'_>) -> Result<Recipe, Broken> {
    let meta = MetaData::read_from_buffered(&mut *source.bytes, false).map_err(explain)?;
    let first = meta.headers.first();
    let comments = first.and_then(|header| header.own_attributes.comments.as_ref());
    let Some(text) = comments.map(ToString::to_string) else {
        return Ok(Recipe::None);
    };
    if !is_recipe(&text) {
        // The comments come from another program.
        return Ok(Recipe::None);
    }
    Ok(Recipe::of_text(&text, || {
        source.rewind()?;
        let ([columns, rows], channel) = channel(source)?;
        let mut sum = Sum::new(rows, columns);
        match channel {
            FlatSamples::F32(values) => sum.numbers(0, values.into_iter().map(f64::from)),
            FlatSamples::F16(values) => sum.numbers(0, values.iter().map(|v| v.to_f64())),
            FlatSamples::U32(values) => sum.numbers(0, values.into_iter().map(f64::from)),
        }
        Ok(sum)
    }))
}

fn read(source: &mut Source<'_>) -> Result<Raster, Broken> {
    let ([columns, rows], channel) = channel(source)?;
    let values = match channel {
        FlatSamples::F32(values) => Numbers::Single(values),
        FlatSamples::F16(values) => Numbers::Single(values.iter().map(|v| v.to_f32()).collect()),
        FlatSamples::U32(values) => Numbers::Double(values.into_iter().map(f64::from).collect()),
    };
    Raster::new(rows as u64, columns as u64, values, None)
}

/// Read the size of the first layer, as columns and rows, and its height channel.
fn channel(source: &mut Source<'_>) -> Result<([usize; 2], FlatSamples), Broken> {
    let meta = MetaData::read_from_buffered(&mut *source.bytes, false).map_err(explain)?;
    for header in &meta.headers {
        let bytes = header.channels.bytes_per_pixel.max(1) as f64;
        let packed = header.compression != Compression::Uncompressed;
        let most = if packed { MOST_DEFLATED } else { 1.0 };
        let Vec2(columns, rows) = header.layer_size;
        check_room(columns as u64, rows as u64, source.length, most / bytes)?;
        check_memory(columns as u64, rows as u64, bytes as u64)?;
    }
    source.rewind()?;
    let image = read_first_flat(source)?;
    let Vec2(columns, rows) = image.layer_data.size;
    let mut channels = image.layer_data.channel_data.list;
    let name = |channel: &AnyChannel<FlatSamples>| {
        let name = channel.name.to_string().to_lowercase();
        name.rsplit('.').next().unwrap_or_default().to_owned()
    };
    let rank = |channel: &AnyChannel<FlatSamples>| {
        let name = name(channel);
        NAMES.iter().position(|known| *known == name)
    };
    let best = (0..channels.len())
        .filter_map(|index| Some((rank(&channels[index])?, index)))
        .min();
    let index = match (best, channels.len()) {
        (Some((_, index)), _) => index,
        (None, 1) => 0,
        (None, _) => {
            let there: Vec<_> = channels.iter().map(name).collect();
            return Err(Broken::wrong(format!(
                "channels {}; allowed: one of Y, Z, height, R, or a single one",
                there.join(", ")
            )));
        }
    };
    Ok(([columns, rows], channels.swap_remove(index).sample_data))
}

type Flat = Image<Layer<AnyChannels<FlatSamples>>>;

fn read_first_flat(source: &mut Source<'_>) -> Result<Flat, Broken> {
    let read = ::exr::prelude::read().no_deep_data();
    let read = read.largest_resolution_level().all_channels();
    let read = read.first_valid_layer().all_attributes();
    read.from_buffered(&mut *source.bytes).map_err(explain)
}

fn explain(error: Error) -> Broken {
    match error {
        Error::Io(error) => error.into(),
        error => Broken::wrong(error),
    }
}
