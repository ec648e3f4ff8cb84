//! Pictures computed from the ground, one colour or set of weights per sample: normal maps, colours by
//! height, and masks of the palette's bands.

use ::png::{BitDepth, ColorType};

use super::picture::{Picture, Stop, finish};
use super::relief::each_band;
use crate::files::export::error::ExportError;
use crate::files::export::excerpt::Excerpt;
use crate::files::export::piece::Piece;
use crate::files::export::plan::OpenFile;
use crate::files::export::written::Written;
use crate::files::formats::sidecar::BandInPicture;
use crate::generate::GenerateError;
use crate::shading::maps::relief::{self, Green};
use crate::shading::maps::splat::Bands;
use crate::shading::maps::{Colors, Paint, Relief};

/// Write normal maps with 8 or 16 bits, depending on the format.
pub fn normals(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    files: Vec<OpenFile>,
    green: Green,
) -> Result<Written, ExportError> {
    let (job, size) = (piece.job, excerpt.size());
    for file in &files {
        let is_wide = file.format.levels > Some(u8::MAX.into());
        let depth = if is_wide {
            BitDepth::Sixteen
        } else {
            BitDepth::Eight
        };
        let picture = Picture::rgb(piece.map, size, depth);
        write(piece, excerpt, file, &picture, &|relief| {
            if is_wide {
                let band = relief::bits16(relief, green, job).map_err(GenerateError::from)?;
                let bytes = band.as_flattened().iter().flat_map(|v| v.to_be_bytes());
                return Ok(bytes.collect());
            }
            let band = relief::bits8(relief, green, job).map_err(GenerateError::from)?;
            Ok(band.into_flattened())
        })?;
    }
    let files = files.into_iter().map(|file| (file, Vec::new()));
    finish(piece, files.collect(), size)
}

/// Write colours by height, with the palette spread over the range of heights.
pub fn painted(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    files: Vec<OpenFile>,
    paint: Paint,
) -> Result<Written, ExportError> {
    let size = excerpt.size();
    let colors = Colors {
        palette: piece.palette,
        range: piece.span.heights().unwrap_or_default(),
        covers: piece.covers[0],
    };
    for file in &files {
        let picture = Picture::rgb(piece.map, size, BitDepth::Eight);
        write(piece, excerpt, file, &picture, &|relief| {
            let band = paint(relief, &colors, piece.job);
            Ok(band.map_err(GenerateError::from)?.into_flattened())
        })?;
    }
    let files = files.into_iter().map(|file| (file, Vec::new()));
    finish(piece, files.collect(), size)
}

/// Write masks of the palette's bands, `channels` bands a picture.
pub fn masks(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    files: Vec<OpenFile>,
    channels: usize,
) -> Result<Written, ExportError> {
    let (range, size) = (piece.span.heights().unwrap_or_default(), excerpt.size());
    let bands = Bands::new(piece.palette, range);
    let mut written = Vec::new();
    for file in files {
        let first = file.request.band.unwrap_or_default();
        let picture = Picture {
            size,
            color: match channels {
                1 => ColorType::Grayscale,
                _ => ColorType::Rgba,
            },
            depth: BitDepth::Eight,
            description: &description(&bands, first, channels),
        };
        write(piece, excerpt, &file, &picture, &|relief| {
            let weights = bands.weights(relief, piece.job);
            let weights = weights.map_err(GenerateError::from)?;
            Ok(Bands::picture(&weights, first, channels))
        })?;
        written.push((file, channels_of(&bands, first, channels)));
    }
    finish(piece, written, size)
}

/// Write a picture whose bytes are derived from the heights, one band of rows at a time.
fn write(
    piece: &Piece<'_>,
    excerpt: Excerpt<'_>,
    file: &OpenFile,
    picture: &Picture<'_>,
    make: &dyn Fn(&Relief<'_>) -> Result<Vec<u8>, Stop>,
) -> Result<(), ExportError> {
    let tile_size_m = piece.scene.surface.tile_size_m;
    picture.write(piece, &file.target, |pixels| {
        each_band(&excerpt, tile_size_m, piece.job, &mut |relief| {
            Ok(pixels(&make(relief)?)?)
        })
    })
}

/// Text that lists the bands of a picture and their colours.
fn description(bands: &Bands, first: usize, channels: usize) -> String {
    let named = bands_of(bands, first, channels)
        .map(|(band, color)| format!("band {band} of {}, {color}", bands.colors.len()));
    named.collect::<Vec<_>>().join("; ")
}

/// Bands of a picture: number, and colour as `#rrggbb`.
fn bands_of(bands: &Bands, first: usize, channels: usize) -> impl Iterator<Item = (usize, String)> {
    let colors = bands.colors.iter().enumerate().skip(first).take(channels);
    colors.map(|(band, color)| {
        let [r, g, b] = color.map(|v| (v * 255.0).round() as u8);
        (band, format!("#{r:02x}{g:02x}{b:02x}"))
    })
}

/// Sidecar entries for the bands of a picture.
fn channels_of(bands: &Bands, first: usize, channels: usize) -> Vec<BandInPicture> {
    let channel = |band: usize| match channels {
        1 => "grey",
        _ => ["red", "green", "blue", "alpha"][(band - first).min(3)],
    };
    bands_of(bands, first, channels)
        .map(|(band, color)| BandInPicture {
            band,
            channel: channel(band).to_owned(),
            color,
        })
        .collect()
}
