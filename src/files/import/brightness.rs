//! Heights from image pixels: luminance, or elevation encoded in colours (Terrain-RGB, Terrarium, GSI).

use super::reader::{Broken, Numbers, Raster};
use crate::generate::InputCoding;
use crate::util::language::tr;

/// Decoded samples of an image with interleaved channels, and the number of channels: grey, grey and alpha,
/// RGB, or RGBA.
pub enum Pixels<'a> {
    /// 8-bit samples.
    Bytes(&'a [u8], usize),
    /// 16-bit samples.
    Shorts(&'a [u16], usize),
}

/// Convert pixels to a raster of luminance, or of heights in metres if the colours encode elevation.
///
/// Fully transparent pixels hold no data.
pub fn raster(
    [rows, columns]: [u64; 2],
    pixels: &Pixels<'_>,
    coding: InputCoding,
) -> Result<Raster, Broken> {
    let coded = match (pixels, coding) {
        (_, InputCoding::None) => None,
        (Pixels::Bytes(numbers, channels @ 3..), coding) => Some((*numbers, *channels, coding)),
        _ => {
            let name = coding.name();
            return Err(Broken::wrong(tr!(
                "--input-coding {name} needs colours with 8 bits per channel",
                name
            )));
        }
    };
    if let Some((numbers, channels, coding)) = coded {
        let pixels = numbers.chunks_exact(channels);
        let heights = pixels.map(|pixel| {
            let is_clear = channels == 4 && pixel[3] == 0;
            let height = metres(coding, [pixel[0], pixel[1], pixel[2]]);
            height
                .filter(|_| !is_clear)
                .map_or(f32::NAN, |metres| metres as f32)
        });
        let mut raster = Raster::new(rows, columns, Numbers::Single(heights.collect()), None)?;
        raster.stated.unit_m = Some(1.0);
        raster.stated.knows_missing = true;
        return Ok(raster);
    }
    let (values, channels, top) = match pixels {
        Pixels::Bytes(numbers, channels) => {
            (brightness(numbers, *channels, 0), *channels, u8::MAX.into())
        }
        Pixels::Shorts(numbers, channels) => {
            (brightness(numbers, *channels, 0), *channels, u16::MAX)
        }
    };
    let mut raster = Raster::new(rows, columns, Numbers::Single(values), Some(top))?;
    raster.is_color = channels >= 3;
    if let Pixels::Bytes(numbers, channels @ 3..) = pixels {
        let coding = looks_coded(numbers, *channels, columns as usize);
        raster.stated.notices.extend(coding.map(|coding| {
            let name = coding.name();
            tr!(
                "it looks like colour-coded elevation: --input-coding {name} reads it as heights; \
                 without it, brightness is used",
                name
            )
        }));
    }
    Ok(raster)
}

/// Luminance of each pixel as stored; NaN where alpha equals `clear`.
fn brightness<T: Copy + PartialEq + Into<f32> + Into<f64> + From<u8>>(
    numbers: &[T],
    channels: usize,
    clear: u8,
) -> Vec<f32> {
    let clear = T::from(clear);
    let value = |pixel: &[T]| match *pixel {
        [_, opacity] | [_, _, _, opacity] if opacity == clear => f32::NAN,
        [grey] | [grey, _] => grey.into(),
        [red, green, blue, ..] => weighed([red.into(), green.into(), blue.into()]),
        [] => f32::NAN,
    };
    numbers.chunks_exact(channels.max(1)).map(value).collect()
}

/// Luminance by the weights of Rec. 709. With 64-bit floats their sum is so close to 1 that grey pixels keep
/// their exact value.
fn weighed([red, green, blue]: [f64; 3]) -> f32 {
    (0.2126 * red + 0.7152 * green + 0.0722 * blue) as f32
}

/// Decode a colour to a height in metres; `None` if it means no data.
pub fn metres(coding: InputCoding, [red, green, blue]: [u8; 3]) -> Option<f64> {
    let [red, green, blue] = [red, green, blue].map(f64::from);
    let number = (red * 256.0 + green) * 256.0 + blue;
    match coding {
        InputCoding::None => None,
        InputCoding::TerrainRgb => Some(number / 10.0 - 10_000.0),
        InputCoding::Terrarium => Some(number / 256.0 - 32_768.0),
        // 24-bit two's complement, in centimetres; the lowest number means no data.
        InputCoding::Gsi if number == 8_388_608.0 => None,
        InputCoding::Gsi if number > 8_388_608.0 => Some((number - 16_777_216.0) / 100.0),
        InputCoding::Gsi => Some(number / 100.0),
    }
}

/// Guess the elevation encoding of an image.
///
/// An encoding is plausible if the decoded heights exist on earth and change little from pixel to pixel,
/// while the lowest channel changes strongly.
fn looks_coded(numbers: &[u8], channels: usize, columns: usize) -> Option<InputCoding> {
    /// The number of pixel pairs that are examined.
    const MOST: usize = 1 << 16;
    /// The smallest mean step of the lowest channel; random bytes have 85.
    const ROUGH: f64 = 12.0;
    /// The largest mean step of heights, as a share of their range.
    const SMOOTH: f64 = 1.0 / 20.0;
    let rows = numbers.chunks_exact(channels * columns.max(1));
    let pairs: Vec<[[u8; 3]; 2]> = rows
        .flat_map(|row| {
            row.chunks_exact(channels)
                .zip(row.chunks_exact(channels).skip(1))
        })
        .map(|(a, b)| [[a[0], a[1], a[2]], [b[0], b[1], b[2]]])
        .take(MOST)
        .collect();
    let mean = |step: &dyn Fn(&[[u8; 3]; 2]) -> f64| {
        pairs.iter().map(step).sum::<f64>() / pairs.len() as f64
    };
    let lowest = mean(&|[a, b]| (f64::from(a[2]) - f64::from(b[2])).abs());
    let is_grey = pairs.iter().all(|[a, _]| a[0] == a[1] && a[1] == a[2]);
    if pairs.len() < 64 || is_grey || lowest < ROUGH {
        return None;
    }
    let plausible = |coding: &InputCoding| {
        let heights = pairs.iter().filter_map(|[a, _]| metres(*coding, *a));
        let (low, high) = heights.fold((f64::MAX, f64::MIN), |(low, high), h| {
            (low.min(h), high.max(h))
        });
        let step = mean(&|[a, b]| {
            let both = metres(*coding, *a).zip(metres(*coding, *b));
            both.map_or(0.0, |(a, b)| (a - b).abs())
        });
        (-11_500.0..9_000.0).contains(&low)
            && (-11_500.0..9_000.0).contains(&high)
            && step < (high - low) * SMOOTH
    };
    let codings = [
        InputCoding::TerrainRgb,
        InputCoding::Terrarium,
        InputCoding::Gsi,
    ];
    codings.into_iter().find(plausible)
}
